"""A second hand writes down what the active knight may do, straight from the ledger; over many positions both must agree."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

from services.knightly_cup.game import GAME
from services.knightly_cup.state import Hoard, State
from shared.kernel.choices import Choice, Goods, Number, One
from tests.games.knightly_cup.plain.positions import position
from tests.ledger import rule

PRICES = {"horse": 11, "sword": 15, "shield": 15, "amulet": 13}
TYPES = {"A": "fortress", "J": "merchant", "Q": "temple", "K": "gateway", "joker": "elves"}
OPPOSITE = {"hearts": "diamonds", "diamonds": "hearts", "clubs": "spades", "spades": "clubs"}
WAYS = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}
Options = set[tuple[Any, ...]]


class Eyes:
    """What one sees at the table in the place of the active knight."""

    def __init__(self, state: State) -> None:
        self.state, self.turn = state, state.turn
        self.me = state.knights[state.turn.seat]
        self.card = state.cards[self.me.at]
        self.rank, self.suit = self.card.split("_")
        self.type = TYPES.get(self.rank, "monster")
        self.shown = state.up[self.me.at]
        self.home = self.shown and self.suit == self.me.suit
        self.met = [seat for seat, knight in enumerate(state.knights) if knight.at == self.me.at and seat != self.turn.seat]

    def asylum(self, seat: int) -> str:
        """KC-831, KC-832 All that are met stand on this card."""
        knight = self.state.knights[seat]
        if not (self.shown and knight.claims):
            return ""
        return self.type if self.type == "temple" or (self.type == "fortress" and self.suit == knight.suit) else ""

    def bars(self) -> bool:
        """KC-341, KC-347, KC-348, KC-351."""
        return self.turn.entered and any(not self.asylum(seat) and seat not in self.turn.settled for seat in self.met)

    def leads_on(self) -> bool:
        """KC-731 to KC-742."""
        if self.type != "gateway" or not self.shown or self.turn.last not in {"stepped", "waited"} or self.bars():
            return False
        return self.state.up[self.state.cards.index("K_" + OPPOSITE[self.suit])] and (self.home or self.me.coins >= 1)


def expected(state: State) -> Options:
    """Every option of the active knight."""
    eyes = Eyes(state)
    landed = state.stage == "land"
    options: Options = {("waive_asylum",) if eyes.me.wish else ("claim_asylum",), ("end_turn",) if landed else ("stop",)}
    options |= set(_visit(eyes)) if landed and eyes.shown and eyes.turn.visited < 0 else set()
    options |= set(_walk(eyes)) if not landed and eyes.turn.moves and not eyes.bars() else set()
    options |= set(_company(eyes)) if landed or eyes.turn.last in {"stepped", "jumped"} else set()
    if eyes.leads_on():
        options.add(("jump",))
    if landed and not eyes.shown:
        options.add(("flip",))
    if eyes.home and eyes.bars() and (not landed or (eyes.type == "gateway" and eyes.turn.last != "jumped")):
        options.add(("sneak",))
    return options


def _walk(eyes: Eyes) -> Iterator[tuple[Any, ...]]:
    x, y = map(int, eyes.state.spots[eyes.me.at].split(","))
    yield ("wait",)
    yield from (("step", way) for way, (right, down) in WAYS.items() if f"{x + right},{y + down}" in eyes.state.spots)


def _company(eyes: Eyes) -> Iterator[tuple[Any, ...]]:
    for seat in eyes.met:
        fresh = seat not in eyes.turn.challenged and seat not in eyes.turn.denied
        if fresh and not eyes.asylum(seat):
            yield ("challenge", seat)
        if fresh and eyes.asylum(seat) == "temple" and seat not in eyes.turn.bribed and eyes.me.coins >= 5:
            yield ("open_bribe", seat, (5, eyes.me.coins))
        yield ("offer_passage", seat)
        if any((eyes.me.coins, eyes.me.items, eyes.state.knights[seat].coins, eyes.state.knights[seat].items)):
            yield ("offer_trade", str(seat))


def _visit(eyes: Eyes) -> Iterator[tuple[Any, ...]]:
    me, state = eyes.me, eyes.state
    match eyes.type:
        case "monster":
            yield ("fight_monster",)
        case "merchant":
            stock = state.stocks[me.at]
            yield from (("buy_item", item) for item in stock if item not in me.items and PRICES[item] <= me.coins)
            yield from (("sell_item", item) for item in me.items if item not in stock and item != "amulet")
        case "temple" if "amulet" not in me.items and state.supply["amulet"] and me.coins >= PRICES["amulet"]:
            yield ("buy_item", "amulet")
        case "fortress" if not eyes.home:
            yield from [("storm",)] if eyes.suit not in me.standards or state.hoards[me.at] != Hoard() else []
        case "fortress":
            yield from [("recover_standard",)] if me.suit not in me.standards else []
            yield from [("beg",)] if me.coins < 5 and not me.begged else []
            yield from [("begin_ultimate_challenge",)] if len(me.standards) == 4 else []


def written_out(choices: tuple[Choice, ...]) -> Options:
    """What is on offer, one by one; a number stands as its limits, a deal as its partner, promises do not matter."""
    options: Options = set()
    for choice in choices:
        shapes = [shape for name, shape in choice.fields.items() if name != "promise"]
        options |= {(str(choice.do.__struct_config__.tag), *values) for values in product(*map(_values, shapes))}
    return options


def _values(shape: object) -> list[Any]:
    match shape:
        case One(of):
            return [member.value for member in of]
        case Number(least, most):
            return [(least, most)]
        case Goods(takes=takes):
            return list(takes)
    raise TypeError(shape)


@rule("KC-304", "KC-341", "KC-344", "KC-401", "KC-411", "KC-531", "KC-720", "KC-731", "KC-742", "KC-801", "KC-833", "KC-841")
@pytest.mark.parametrize("block", range(8))
def test_both_hands_offer_the_same(block: int) -> None:
    for seed in range(block * 150, block * 150 + 150):
        state = position(seed)
        assert written_out(GAME.legal(state, state.turn.seat)) == expected(state), f"position {seed}"
