"""What does whoever writes a bot need? A client library, which is one file, and the kit that examines a bot (PL-529)."""
