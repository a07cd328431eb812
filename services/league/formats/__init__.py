"""How does a competition pair its rounds? One pure file per format; all answer `next_round`."""
