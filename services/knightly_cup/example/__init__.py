"""How does a bot of your own begin? With `bot.py`, which needs nothing but the API (PL-529)."""
