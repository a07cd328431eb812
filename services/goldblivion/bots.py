"""Who plays when nobody does? By chance, by what brings most at once, or with a plan for the rest of the game."""

from __future__ import annotations

from services.goldblivion.greedy_bots import greedy
from services.goldblivion.planner_bots import planner
from shared.kernel.match import random_bot

BOTS = {"random": random_bot, "greedy": greedy, "planner": planner}
