"""Champions!: absurd duels that nobody wins by merit; see README.md."""
