"""The kernel: what a game is and how one command is played. Pure: no clock, no files at play, no chance but the dice."""
