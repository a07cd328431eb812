"""Who plays when nobody does? By chance, by what brings most at once, or with a plan for the rest of the game."""

from __future__ import annotations

from services.goldblivion import commands
from services.goldblivion.content import BUILDINGS, GOLD, POWERS, PRICES, STRENGTHS, VILLAGES
from services.goldblivion.planner_bots import planner
from services.goldblivion.view import View
from services.goldblivion.worth_bots import card_at, future_worth, moves, option_worth, power_worth, purse_now
from shared.kernel.choices import Choice
from shared.kernel.dice import Dice
from shared.kernel.game import Command
from shared.kernel.match import random_bot

LATE = 5  # from this round on the greedy player keeps its nuggets for bars


def greedy(view: View, choices: tuple[Choice, ...], _dice: Dice) -> Command:
    """The move that brings most at once; the first of equal ones."""
    return max(moves(choices), key=lambda move: _worth(view, move))


def _worth(view: View, move: Command) -> float:  # noqa: C901, PLR0912 - one case per kind of move
    match move:
        case commands.ChooseNoble(noble=card) | commands.Reactivate(card=card):
            return power_worth(card, purse_now(view))
        case commands.Develop(card=card, side=side):
            return -power_worth(card, purse_now(view), GOLD[card].badges) + 0.1 * (side == "left")
        case commands.PlayCard(card=card):
            return 100 + power_worth(card, purse_now(view), GOLD[card].badges)
        case commands.TurnBuilding(card=power, option=number) | commands.UseToken(token=power, option=number):
            worth = option_worth(POWERS[power][number - 1], purse_now(view))
            return 80 + worth if worth > 0 else -5
        case commands.BuyCard(place=place):
            return 50 + PRICES[card_at(view, place)] if view.round < LATE or card_at(view, place) in BUILDINGS else -4
        case commands.UseVillage(place=place):
            side = view.villages[place == "right"]
            worth = power_worth(f"{VILLAGES[place].id}_{side}", purse_now(view))
            return 40 + worth if worth > 0 else -5
        case commands.BuyBar():
            return 60 if view.last_round else -4
        case commands.ChooseEnemy(space=space):
            return -_needs(view, space)
        case commands.ResolveCard(card=card, option=number) | commands.CopyCard(card=card, option=number):
            return 1 + option_worth(POWERS[card][number - 1], purse_now(view)) if number else -1
        case commands.ChooseOption(option=number):
            return option_worth(POWERS[view.about][number - 1], purse_now(view))
        case commands.LoseCard(card=card):
            return -power_worth(card, purse_now(view))
        case commands.TakeCharacter(place=place) | commands.TakeCombatCard(place=place):
            return future_worth(view, card_at(view, place))
        case commands.DestroyCard(place=place):
            return PRICES[card_at(view, place)] - 10
        case commands.Pay():
            return 1 if power_worth(view.about, purse_now(view)) > 0 else -1
        case commands.PayTimes(times=times):
            return times
    return {"pass": -3, "end_turn": -3, "finish_combat": 0, "remove_nugget": 5, "steal": 0.5}.get(move.do, 0)


def _needs(view: View, name: str) -> float:
    """The strength of an enemy; of one face down what is usual for its kind."""
    space = next(space for space in view.spaces if space.id == name)
    if space.enemy:
        return STRENGTHS[space.enemy] - space.open_sides
    usual = {"forest": 3.5, "mountain": 7.3}
    return usual[space.kind] - space.open_sides


BOTS = {"random": random_bot, "greedy": greedy, "planner": planner}
