"""Programs for those who write rules: they need the games and the kernel, and no server."""
