"""Who plays when nobody does?"""

from __future__ import annotations

from shared.kernel.match import random_bot

BOTS = {"random": random_bot, "greedy": random_bot}
