"""Faults for the real stack, from a seed: who is killed when, who plays meanwhile, and what must be true afterwards."""
