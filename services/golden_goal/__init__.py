"""Golden Goal, the game of laps, team tiles and cups."""
