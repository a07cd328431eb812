"""Talk at a match (PL-556 to PL-559): who says what in which room, who hears it, and what a moderator may do about it."""
