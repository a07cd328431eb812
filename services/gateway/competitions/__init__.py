"""How does the gateway know competitions? Who may ask what of them, how acts reach the league, and what can be read."""
