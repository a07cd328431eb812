"""Whoever writes down nothing but what her letters say knows exactly what her view shows of the map (KC-201 to KC-204, KC-773, KC-774)."""

from __future__ import annotations

import pytest

from services.knightly_cup import bots
from services.knightly_cup.events import CardLaid, ElvesSwapped, Flipped
from services.knightly_cup.game import GAME
from services.knightly_cup.state import State
from shared.kernel.dice import BotDice, Dice
from shared.kernel.game import Event, Seat
from shared.kernel.match import answer, begin, random_bot
from tests.ledger import rule


class Notebook:
    """One page per place: what lies there for all to see, or what the reader remembers, and whether she doubts it."""

    def __init__(self, reader: Seat | None) -> None:
        self.reader = reader
        self.shown: list[str | None] = []
        self.known: dict[int, str] = {}
        self.doubted: set[int] = set()

    def hear(self, told: Event) -> None:
        match told.seen_by(self.reader):
            case CardLaid(card=card):
                if card is not None:
                    self.known[len(self.shown)] = card
                self.shown.append(None)
            case Flipped(place=place, card=card):
                self.shown[place] = card
            case ElvesSwapped(here=here, there=there):
                self._swap(here, there)

    def _swap(self, here: int, there: int | None) -> None:
        joker, self.shown[here] = self.shown[here], None
        self.known.pop(here, None)
        if there is None:
            self.doubted = {place for place in self.known if self.shown[place] is None}
            return
        moved, doubtful = self.known.pop(there, None), there in self.doubted
        self.doubted -= {here, there}
        self.known[there] = str(joker)
        if moved is not None:
            self.known[here] = moved
            self.doubted |= {here} if doubtful else set()

    def agrees(self, state: State) -> bool:
        spots = GAME.look(state, self.reader).spots
        shown = [spot.card.id if spot.card else None for spot in spots]
        known = {spot.place: (spot.known.id, spot.stale) for spot in spots if spot.known}
        mine = {place: (card, place in self.doubted) for place, card in self.known.items() if self.shown[place] is None}
        return shown == self.shown and known == mine


@rule("KC-201", "KC-202", "KC-203", "KC-204", "KC-773", "KC-774")
@pytest.mark.parametrize(("seats", "seed"), [(2, 6), (3, 2), (3, 3), (4, 11)])
def test_letters_and_view_say_the_same(seats: int, seed: int) -> None:
    notebooks = [Notebook(reader) for reader in (None, *range(seats))]
    key, swaps = f"letters {seed}".encode(), 0
    match, events = begin(GAME, seats, GAME.read_options({"turn_cap_rounds": 20}), Dice(key, "0|"))
    chance = [BotDice(key, seat) for seat in range(seats)]
    while match.state.stage != "over":
        for notebook in notebooks:
            for event in events:
                notebook.hear(event)
            assert match.step % 7 or notebook.agrees(match.state)
        swaps += any(isinstance(event, ElvesSwapped) for event in events)
        seat = match.awaited()[0]
        choices = GAME.legal(match.state, seat)
        bot = random_bot if match.state.stage == "laying" else bots.knight
        command = bot(GAME.look(match.state, seat), choices, chance[seat])
        match, events = answer(GAME, match, seat, command, Dice(key, f"{match.step}|"))
    assert swaps > 1
