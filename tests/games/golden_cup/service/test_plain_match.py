"""Does a match go as a plain reading of the rulebook says? Every draw of thousands of shots, told once more by a second hand."""

from collections import Counter
from typing import Any

import pytest

from services.golden_cup import content
from services.golden_cup.content.counting import applied, places
from services.golden_cup.content.shapes import OnDefend, OnOpponentAttack, OnOwnAttack, OnScore
from services.golden_cup.rules import fixtures
from services.golden_cup.state import TOKENS, State
from shared.kernel.dice import Dice
from shared.kernel.game import Seat, Table
from tests.games.golden_cup.tables import ANYWHERE, at, team
from tests.ledger import rule

FACES = {1: {6}, 2: {5, 6}, 3: {4, 5, 6}, 4: {3, 4, 5, 6}}


class PlainMatch:
    """Tokens on a track, and nothing remembered but what lies there."""

    def __init__(self, state: State, draws: list[int]) -> None:
        self.state, self.draws = state, draws
        self.bag: list[Any] = [(seat, name) for seat in (0, 1) for name in self._tokens(seat)] + [None] * 4
        self.track: list[dict[str, Any]] = []
        self.goals, self.fame, self.sponsors = Counter[Seat](), [5, 5], [[0, 0], [0, 0]]

    def _tokens(self, seat: Seat) -> list[str]:
        return [name for name, count in zip(TOKENS, self.state.teams[seat].tokens, strict=True) for _ in range(count)]

    def play(self) -> None:
        while self.bag and len(self.track) < 8 + self.state.round:
            drawn = self.bag.pop(self.draws.pop(0))
            seat, name = drawn or (None, "")
            self.track.append({"seat": seat, "name": name, "active": name[:1] == "D"})
            if name[:1] == "A":
                self._attack(seat, int(name[1]))

    def _effects(self, seat: Seat, kind: type) -> list[tuple[int, Any]]:
        """How often and what: the champions in slots only."""
        own = self.state.teams[seat]
        there = list(places(name for name in own.champions if name in own.line_up))
        found = [(applied(place, own.champions), content.CHAMPIONS[place[0]].effects[place[1]]) for place in there]
        return [(often, effect) for often, effect in found if isinstance(effect.trigger, kind)]

    def _changed(self, seat: Seat, kind: type) -> int:
        return sum(often * op.n for often, effect in self._effects(seat, kind) for op in effect.ops)

    def _attack(self, seat: Seat, value: int) -> None:
        met = [spot for spot in self.track if spot["active"] and spot["seat"] != seat]
        value += self._changed(seat, OnOwnAttack) + self._changed(1 - seat, OnOpponentAttack)
        value -= sum(int(spot["name"][1]) for spot in met) + (self._changed(1 - seat, OnDefend) if met else 0)
        scored = value > 0 and self._shoots(seat, min(value, 4))
        if scored or value <= 0:
            for spot in met:
                spot["active"] = False
        if scored:
            self.goals[seat] += 1
            for often, effect in self._effects(seat, OnScore):
                self._take(seat, effect.ops, often)

    def _shoots(self, seat: Seat, slot: int) -> bool:
        own = self.state.teams[seat]
        name, dice = own.line_up[slot - 1], 1
        if not name:
            self.fame[seat] = max(0, self.fame[seat] - 1)
        for place in places([name] if name else []):
            effect, often = content.CHAMPIONS[name].effects[place[1]], applied(place, own.champions)
            if effect.type == "shooting":
                if often and any(op.__struct_config__.tag == "score" for op in effect.ops):
                    return True
                dice += sum(op.n * often for op in effect.ops if op.__struct_config__.tag == "dice")  # type: ignore[union-attr]
                self._take(seat, effect.ops, often)
        return bool({1 + self.draws.pop(0) for _ in range(dice)} & FACES[slot])

    def _take(self, seat: Seat, ops: Any, often: int) -> None:
        for op in ops:
            if op.__struct_config__.tag == "fame":
                self.fame[seat] = max(0, self.fame[seat] + op.n * often)
            elif op.__struct_config__.tag == "sponsor":
                self.sponsors[seat][op.n < 0] += often


def crowded(chance: Dice) -> State:
    """Two teams of three to six champions, lined up at random, with any tokens, in any round."""
    state = at("fixtures", 2, 1 + chance.below(6))
    everybody = list(chance.shuffled(sorted(content.CHAMPIONS)))
    for seat in (0, 1):
        champions = tuple(everybody.pop() for _ in range(3 + chance.below(4)))
        line_up = chance.shuffled((*champions, "")[:4])
        state = team(state, seat, *champions, line_up=line_up, tokens=tuple(chance.below(3) for _ in TOKENS))
    return state


@rule("GC-425", "GC-428", "GC-430", "GC-432", "GC-450", "GC-457", "GC-458", "GC-459", "GC-464")
@pytest.mark.parametrize("lot", range(5))
def test_a_match_goes_as_a_plain_reading_says(lot: int) -> None:
    for number in range(60):
        chance = Dice(b"plain", f"{lot}|{number}|")
        state = crowded(chance)
        table, rolled = Table(state), Dice(b"plain", f"match|{lot}|{number}|")
        fixture = fixtures.play(table, ANYWHERE, (0, 1), rolled, first=True)
        plain = PlainMatch(state, [number for _, number in rolled.drawn])
        plain.play()
        teams = table.state.teams
        assert plain.draws == []
        assert fixture.goals == (plain.goals[0], plain.goals[1])
        assert [own.fame for own in teams[:2]] == plain.fame
        assert [list(own.sponsors) for own in teams[:2]] == plain.sponsors
        assert [spot.flipped for spot in fixture.track if spot.token[:1] == "D"] == [
            not spot["active"] for spot in plain.track if spot["name"][:1] == "D"
        ]
