"""What the demonstration is made of: who plays, and what."""
