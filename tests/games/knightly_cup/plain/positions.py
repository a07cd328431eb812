"""Positions that matches seldom reach: cards, tokens and knights lie anywhere, but nothing is lost or doubled."""

from __future__ import annotations

import random
from functools import cache

from msgspec.structs import replace

from services.knightly_cup.game import GAME
from services.knightly_cup.state import SUITS, Hoard, Knight, State, Turn, exits
from shared.kernel.dice import Dice
from shared.kernel.game import Table
from tests.games.knightly_cup.tables import mapped

ITEMS = ("horse", "sword", "shield", "amulet")
PURSES = (0, 0, 1, 2, 4, 5, 6, 9, 12, 13, 15, 16, 31)
_map = cache(mapped)


def position(seed: int) -> State:
    """Somebody is on her way or has landed, more often than not where there is something to do and somebody to meet."""
    chance = random.Random(seed)
    state = _map(chance.choice([2, 3, 4]))
    cards = tuple(chance.sample(state.cards, len(state.cards)))
    likely = chance.choice([0.2, 0.8, 1.0])
    state = replace(state, cards=cards, up=tuple(chance.random() < likely for _ in cards), supply=dict.fromkeys(ITEMS, len(state.knights)))
    state = _with_tokens(replace(state, knights=_knights(state, chance)), chance)
    everywhere = [suit for knight in state.knights for suit in knight.standards]
    stores = {suit: len(state.knights) - everywhere.count(suit) for suit in SUITS}
    table = Table(replace(state, stores=stores, rolls=(), **_progress(state, chance)))
    assert GAME.sound(table.state) == []
    GAME.advance(table, Dice(b"plain", f"{seed}|"))
    return table.state


def _knights(state: State, chance: random.Random) -> tuple[Knight, ...]:
    """Many stand on one card, or beside it; some carry every Standard."""
    special = [place for place, card in enumerate(state.cards) if card[0] in "AQKJj"]
    middle = chance.choice(special)
    around = [*[middle] * 9, *exits(state.spots)[middle].values(), chance.randrange(len(state.cards))]
    return tuple(
        replace(
            knight,
            at=chance.choice(around),
            coins=chance.choice(PURSES),
            standards=tuple(suit for suit in SUITS if chance.random() < 0.8),
            begged=chance.random() < 0.3,
            claims=chance.random() < 0.8,
        )
        for knight in state.knights
    )


def _with_tokens(state: State, chance: random.Random) -> State:
    """Every item with a knight, in a stock, in a hoard or in the supply."""
    stocks, hoards = [list(stock) for stock in state.stocks], [list(hoard.items) for hoard in state.hoards]
    owned: list[list[str]] = [[] for _ in state.knights]
    supply = dict(state.supply)
    shown = [place for place, up in enumerate(state.up) if up]
    sellers = [stocks[place] for place in shown if state.kind(place).type == "merchant"]
    monsters = [hoards[place] for place in shown if state.kind(place).type == "monster"]
    for item in [item for item in ITEMS for _ in state.knights]:
        free = [seller for seller in sellers if item not in seller] if item != "amulet" else []
        places = [*owned, *owned, *free, *monsters[:3]]
        if chance.random() < 0.6:
            chance.choice(places).append(item)
            supply[item] -= 1
    return replace(
        state,
        supply=supply,
        stocks=tuple(tuple(sorted(stock)) for stock in stocks),
        hoards=tuple(Hoard(0, tuple(sorted(items))) for items in hoards),
        knights=tuple(replace(knight, items=tuple(sorted(items))) for knight, items in zip(state.knights, owned, strict=True)),
    )


def _progress(state: State, chance: random.Random) -> dict[str, object]:
    """How far the turn has come."""
    seat = chance.randrange(len(state.knights))
    foes = state.others(seat)
    stage = chance.choice(["walk", "land"])
    last = chance.choice(["began", "stepped", "waited", "jumped"] if stage == "walk" else ["stepped", "waited", "jumped"])
    bribed = tuple(foe for foe in foes if chance.random() < 0.1)
    turn = Turn(
        seat,
        moves=chance.randrange(1, 7) if last == "began" else chance.randrange(7),
        last=last,  # type: ignore[arg-type]
        entered=last in {"stepped", "jumped"},
        settled=tuple(foe for foe in foes if chance.random() < 0.2),
        challenged=tuple(foe for foe in foes if foe not in bribed and chance.random() < 0.1),
        bribed=bribed,
        denied=bribed,
    )
    return {"stage": stage, "turn": turn, "round": 1}
