"""The services of Cupboard: one folder per game, the gateway in front, the league behind."""
