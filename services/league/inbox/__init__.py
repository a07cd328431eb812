"""How do acts become events? Taken in order, decided by pure code, written once, and what follows from them sent after the commit."""
