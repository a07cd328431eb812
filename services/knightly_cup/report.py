"""Is the game fair, does it end in time, and what are wins made of? Counted by `cupboard simulate knightly_cup --report`."""

from __future__ import annotations

from collections import Counter
from typing import Any

from services.knightly_cup.events import Ended
from services.knightly_cup.fight_events import (
    ChallengeBegan,
    CombatBegan,
    CombatWon,
    Died,
    MonsterBeaten,
    MonsterMet,
    SpoilsTaken,
    StandardWon,
)
from services.knightly_cup.goods_events import Begged, Bought, BribeOpened, ElvesMoved, Sold, Traded
from services.knightly_cup.state import State
from shared.kernel.game import Command, Event, Seat
from shared.kernel.match import Match, Observer

COUNTED = (
    *(MonsterMet, MonsterBeaten, CombatBegan, CombatWon, StandardWon, ChallengeBegan, Died),
    *(Bought, Sold, Traded, BribeOpened, Begged, ElvesMoved),
)


class Report(Observer):
    """What the balance of Knightly Cup is judged by."""

    def __init__(self) -> None:
        self.seats = self.matches = self.capped = 0
        self.rounds: list[int] = []
        self.wins: Counter[int] = Counter()  # by place in the order of turns
        self.counts: Counter[str] = Counter()
        self.sources: Counter[str] = Counter()  # of the winners' Standards
        self.owned: Counter[str] = Counter()  # by winners at the end
        self.first: dict[str, list[int]] = {}  # the rounds in which an item was bought first
        self._won: dict[Seat, Counter[str]] = {}
        self._bought: set[str] = set()

    def step(self, match: Match[Any], _seat: Seat | None, _command: Command | None, events: tuple[Event, ...]) -> None:
        if match.step == 1:
            self._won, self._bought = {seat: Counter() for seat in match.state.seats()}, set()
        for event in events:
            self.counts[event.what] += isinstance(event, COUNTED)
            self._count(match.state, event)

    def _count(self, state: State, event: Event) -> None:
        match event:
            case CombatBegan(against="guardian"):
                self.counts["storms"] += 1
            case CombatWon(guardian=True, seat=int(seat)) if seat == state.turn.seat:
                self.counts["storms_won"] += 1
            case StandardWon(seat=seat, how=how):
                self._won[seat][how] += 1
            case SpoilsTaken(seat=seat, standards=(_,)):
                self._won[seat]["spoils"] += 1
            case Bought(item=item) if item not in self._bought:
                self._bought.add(item)
                self.first.setdefault(item, []).append(state.round)
            case Ended(seat=None):
                self.capped += 1

    def after(self, match: Match[Any]) -> None:
        state: State = match.state
        best = max(state.staying(), key=state.merit)
        winners = (
            [state.winner] if state.winner >= 0 else [seat for seat in state.staying() if state.merit(seat) == state.merit(best)]
        )
        self.seats = len(state.knights)
        self.matches += 1
        self.rounds.append(state.round)
        for seat in winners:
            self.wins[(seat - state.first) % self.seats] += 1
            self.sources.update(self._won[seat])
            self.owned.update(set(state.knights[seat].items))

    def facts(self) -> dict[str, Any]:
        """The numbers as plain values."""
        spread, won = sorted(self.rounds), sum(self.wins.values())
        return {
            "rounds": {"median": spread[len(spread) // 2], "of_95_percent": spread[int(len(spread) * 0.95)]},
            "decided_by_the_cap": round(self.capped / self.matches, 4),
            "wins_by_order_of_turns": [round(self.wins[place] / won, 4) for place in range(self.seats)],
            "standards_of_a_winner": {how: round(count / won, 2) for how, count in self.sources.most_common()},
            "winners_who_own": {item: round(count / won, 3) for item, count in self.owned.most_common()},
            "first_bought_in_round": {item: round(sum(rounds) / len(rounds), 1) for item, rounds in sorted(self.first.items())},
            "in_a_match": {what: round(count / self.matches, 2) for what, count in self.counts.most_common() if count},
        }

    def lines(self) -> list[str]:
        """The same for people."""
        return [f"  {name.replace('_', ' ')}: {_said(fact)}" for name, fact in self.facts().items()]


def _said(fact: Any) -> str:
    match fact:
        case dict():
            return ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in fact.items())
        case list():
            return ", ".join(f"{share:.1%}" for share in fact)
    return f"{fact:.1%}"
