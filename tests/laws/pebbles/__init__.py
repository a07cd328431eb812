"""Pebbles, the sample game: as small as a game can be that still has every room. `make newgame` begins with a copy of it."""
