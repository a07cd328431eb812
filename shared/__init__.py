"""What every service of Cupboard shares: the pure kernel, the runtime with its effects, the desk of programs for people."""
