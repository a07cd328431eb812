"""What then happens? One file per chapter; turn.py holds their order."""
