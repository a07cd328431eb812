"""One competition for one game: its settings, its life, and everything that may be asked of it."""
