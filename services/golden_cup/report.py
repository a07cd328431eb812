"""Is the game balanced? Counts seats, rounds, totals and champions over many matches; `cupboard simulate golden_cup --report`."""

from __future__ import annotations

from collections import Counter
from typing import Any

from services.golden_cup import content
from services.golden_cup.fixture_events import FixtureEnded
from services.golden_cup.state import ROUNDS, State
from shared.kernel.game import Command, Event, Seat
from shared.kernel.match import Match, Observer

ENOUGH = 300  # plays from which on the win share of a champion says something: a standard error of about 2.5 points
MOST_POINTS = 8.0  # how far a champion may be from the mean of its deck
MOST_SEAT_POINTS = 2.0


class Report(Observer):
    """What the balance of Golden Cup is judged by."""

    def __init__(self) -> None:
        self.matches = 0
        self.wins: Counter[Seat] = Counter()
        self.seats = 0
        self.fixtures: Counter[int] = Counter()
        self.goals: Counter[int] = Counter()
        self.draws: Counter[int] = Counter()
        self.finals: Counter[str] = Counter()
        self.totals: list[int] = []
        self.played: Counter[str] = Counter()
        self.won: Counter[str] = Counter()

    def step(self, match: Match[Any], _seat: Seat | None, _command: Command | None, events: tuple[Event, ...]) -> None:
        for event in events:
            if isinstance(event, FixtureEnded):
                outcome = next(one for one in reversed(match.state.played) if one.field == event.field)
                self.fixtures[outcome.round] += 1
                self.goals[outcome.round] += sum(event.goals)
                self.draws[outcome.round] += event.goals[0] == event.goals[1]

    def after(self, match: Match[Any]) -> None:
        state: State = match.state
        self.matches += 1
        self.seats = len(state.teams)
        self.finals["penalties" if state.penalties else "final" if state.finalists else "early"] += 1
        if state.winner is not None:
            self.wins[state.winner] += 1
        for seat, team in enumerate(state.teams):
            self.totals.append(state.totals[seat].total)
            self.played.update(team.champions)
            self.won.update(team.champions if seat == state.winner else ())

    def facts(self) -> dict[str, Any]:
        """The numbers as plain values."""
        rounds = range(1, ROUNDS + 1)
        return {
            "wins_by_seat": {seat: _share(self.wins[seat], self.matches) for seat in range(self.seats)},
            "goals_by_round": [round(self.goals[number] / max(1, self.fixtures[number]), 2) for number in rounds],
            "draws_by_round": [_share(self.draws[number], self.fixtures[number]) for number in rounds],
            "total": round(sum(self.totals) / max(1, len(self.totals)), 1),
            "ends": dict(sorted(self.finals.items())),
            "decks": {deck: self._deck(deck) for deck in content.DECKS},
        }

    def _deck(self, deck: str) -> dict[str, Any]:
        names = sorted(name for name, card in content.CHAMPIONS.items() if card.deck == deck)
        plays = sum(self.played[name] for name in names)
        mean = _share(sum(self.won[name] for name in names), plays)
        points = {name: round(_share(self.won[name], self.played[name]) - mean, 1) for name in names if self.played[name]}
        return {
            "mean_share": mean,
            "plays_per_match": round(plays / max(1, self.matches), 2),
            "plays": {name: self.played[name] for name in names},
            "points": points,
        }

    def lines(self) -> list[str]:
        """The report for people; what is out of bounds is marked."""
        facts = self.facts()
        even = 100 / max(1, self.seats)
        lines = [
            f"  seat {seat + 1}: {share:.1f} %{_mark(share - even, MOST_SEAT_POINTS)}"
            for seat, share in facts["wins_by_seat"].items()
        ]
        lines.append(f"  goals in a match, by round: {facts['goals_by_round']}")
        lines.append(f"  draws in per cent, by round: {facts['draws_by_round']}")
        lines.append(f"  mean total {facts['total']}; ends {facts['ends']}")
        for deck, its in facts["decks"].items():
            lines.append(f"  {deck}: mean share {its['mean_share']:.1f} %, {its['plays_per_match']} played a match")
            lines += [_champion_line(name, its) for name in sorted(its["points"], key=lambda name: its["points"][name])]
        return lines


def _share(part: int, whole: int) -> float:
    return round(100 * part / whole, 2) if whole else 0.0


def _mark(points: float, most: float) -> str:
    return "  << out of bounds" if abs(points) > most else ""


def _champion_line(name: str, deck: dict[str, Any]) -> str:
    points, plays = deck["points"][name], deck["plays"][name]
    mark = _mark(points, MOST_POINTS) if plays >= ENOUGH else "  (too few to say)"
    return f"    {points:+6.1f} {plays:>6} {name}{mark}"
