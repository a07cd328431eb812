"""Who meets whom, and who leads? The league pairs, records results and keeps the standings; it knows no rules of any game."""
