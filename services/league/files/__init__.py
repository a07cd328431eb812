"""In which forms does a stage leave the house and come back? Texts that other programs read."""
