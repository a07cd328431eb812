"""Is the game balanced? Counts seats, rounds, totals and champions over many matches; `cupboard simulate golden_cup --report`."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from math import sqrt
from typing import Any, NamedTuple

from services.golden_cup import content
from services.golden_cup.events import ChampionPlayed
from services.golden_cup.fixture_events import FixtureEnded
from services.golden_cup.state import ROUNDS, State
from shared.kernel.game import Command, Event, Seat
from shared.kernel.match import Match, Observer

MOST_POINTS = 8.0  # how far a champion may be from the mean of its deck
MOST_SEAT_POINTS = 2.0
CERTAIN = 1.96  # standard errors: in 19 of 20 cases the true share lies in the interval


class Judged(NamedTuple):
    """A share of wins against what it should be, in points, with the interval in which the true one lies."""

    points: float
    low: float
    high: float
    verdict: str  # inside, out, or open: more matches would tell

    def __str__(self) -> str:
        return f"{self.points:+.1f} ({self.low:+.1f} to {self.high:+.1f})"


def judged(won: int, of: int, mean: float, most: float) -> Judged:
    """Inside or out only where the whole interval is; Wilson's, which holds for few plays too."""
    share, wide = won / of, CERTAIN**2 / of
    middle = (share + wide / 2) / (1 + wide)
    half = CERTAIN * sqrt(share * (1 - share) / of + wide / of / 4) / (1 + wide)
    low, high = 100 * (middle - half) - mean, 100 * (middle + half) - mean
    verdict = "inside" if -most <= low and high <= most else "out" if low > most or high < -most else "open"
    return Judged(round(100 * share - mean, 1), round(low, 1), round(high, 1), verdict)


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
        self.owners: list[tuple[Seat, str]] = []  # of the match under way: who played which champion
        self.played: Counter[str] = Counter()
        self.won: Counter[str] = Counter()
        self.ahead: defaultdict[str, float] = defaultdict(float)  # Fame of the owners' totals above the mean of their table

    def step(self, match: Match[Any], _seat: Seat | None, _command: Command | None, events: tuple[Event, ...]) -> None:
        for event in events:
            if isinstance(event, ChampionPlayed):
                self.owners.append((event.seat, event.champion))
            elif isinstance(event, FixtureEnded):
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
        totals = [total.total for total in state.totals]
        self.totals += totals
        for seat, name in set(self.owners):  # a champion that came back and was played again is still one case
            self.played[name] += 1
            self.won[name] += seat == state.winner
            self.ahead[name] += totals[seat] - sum(totals) / len(totals)
        self.owners = []

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
            "verdict": {
                "seats": {seat: its.verdict for seat, its in self.judged_seats().items()},
                "champions": {name: its.verdict for name, its in self.judged_champions().items()},
            },
        }

    def _deck(self, deck: str) -> dict[str, Any]:
        champions = {name: its for name, its in self.judged_champions().items() if content.CHAMPIONS[name].deck == deck}
        plays = sum(self.played[name] for name in champions)
        return {
            "mean_share": self.mean_of(deck),
            "plays_per_match": round(plays / max(1, self.matches), 2),
            "plays": {name: self.played[name] for name in _names(deck)},
            "points": {name: its.points for name, its in champions.items()},
            "interval": {name: (its.low, its.high) for name, its in champions.items()},
            "fame_ahead": {name: round(self.ahead[name] / self.played[name], 2) for name in champions},
        }

    def mean_of(self, deck: str) -> float:
        """The win share of whoever played a champion of a deck, in per cent."""
        names = _names(deck)
        return _share(sum(self.won[name] for name in names), sum(self.played[name] for name in names))

    def judged_seats(self) -> dict[Seat, Judged]:
        """Every seat against an even share."""
        even = 100 / max(1, self.seats)
        return {seat: judged(self.wins[seat], self.matches, even, MOST_SEAT_POINTS) for seat in range(self.seats)}

    def judged_champions(self) -> dict[str, Judged]:
        """Every champion that was played, against the mean of its deck."""
        means = {deck: self.mean_of(deck) for deck in content.DECKS}
        return {
            name: judged(self.won[name], self.played[name], means[card.deck], MOST_POINTS)
            for name, card in content.CHAMPIONS.items()
            if self.played[name]
        }

    def lines(self) -> list[str]:
        """The report for people; what is out of bounds is marked, and the verdict comes last."""
        facts, seats, champions = self.facts(), self.judged_seats(), self.judged_champions()
        lines = [f"  seat {seat + 1}: {facts['wins_by_seat'][seat]:.1f} %, {its}{_mark(its)}" for seat, its in seats.items()]
        lines.append(f"  goals in a match, by round: {facts['goals_by_round']}")
        lines.append(f"  draws in per cent, by round: {facts['draws_by_round']}")
        lines.append(f"  mean total {facts['total']}; ends {facts['ends']}")
        for deck, its in facts["decks"].items():
            lines.append(f"  {deck}: mean share {its['mean_share']:.1f} %, {its['plays_per_match']} played a match")
            lines.append("    points from it (19 of 20 times between), plays, Fame of the owner above the table, champion")
            for name in sorted(its["points"], key=lambda name: champions[name].points):
                numbers = f"{champions[name]!s:>24} {its['plays'][name]:>6} {its['fame_ahead'][name]:>+6.1f}"
                lines.append(f"    {numbers} {name}{_mark(champions[name])}")
        return lines + self._verdict(seats, champions)

    def _verdict(self, seats: dict[Seat, Judged], champions: dict[str, Judged]) -> list[str]:
        """What is surely out of bounds, what is surely inside, and what these matches do not tell."""
        never = [name for name in content.CHAMPIONS if name not in champions]
        lines = [f"  verdict on seats (at most {MOST_SEAT_POINTS:g} points from even): {_counted(seats.values())}"]
        lines += [f"    out: seat {seat + 1} {its}" for seat, its in seats.items() if its.verdict == "out"]
        told = _counted(champions.values())
        lines.append(
            f"  verdict on champions (at most {MOST_POINTS:g} points from the deck's mean): {told}, {len(never)} never played"
        )
        for verdict in ("out", "open"):
            lines += [f"    {verdict}: {name} {its}" for name, its in champions.items() if its.verdict == verdict]
        return lines


def _names(deck: str) -> list[str]:
    return sorted(name for name, card in content.CHAMPIONS.items() if card.deck == deck)


def _counted(all_judged: Iterable[Judged]) -> str:
    counts = Counter(its.verdict for its in all_judged)
    return ", ".join(f"{counts[verdict]} {verdict}" for verdict in ("inside", "out", "open"))


def _share(part: int, whole: int) -> float:
    return round(100 * part / whole, 2) if whole else 0.0


def _mark(its: Judged) -> str:
    return {"inside": "", "out": "  << out of bounds", "open": "  (too few to say)"}[its.verdict]
