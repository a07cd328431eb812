"""Is the game balanced? Seats, laps, results by colour, tiles and cards over many games; `cupboard simulate golden_goal --report`."""

from __future__ import annotations

from collections import Counter
from math import sqrt
from typing import Any

from services.golden_goal import content
from services.golden_goal.card_events import CardDrawn, VisitCounted
from services.golden_goal.events import ResultRead, TurnCame
from services.golden_goal.goods_events import AuctionWon, CupWon, DealDone, TileBought
from services.golden_goal.state import State
from shared.kernel.game import Command, Event, Seat
from shared.kernel.match import Match, Observer

BOXES = ("win", "draw", "loss")
ENOUGH = 60  # games from which on a share of a tile or card says something


class Report(Observer):
    """What the balance of Golden Goal is judged by."""

    def __init__(self) -> None:
        self.games = self.players = 0
        self.wins: Counter[int] = Counter()  # by place in the order of the first round
        self.told: Counter[str] = Counter()
        self.results: Counter[tuple[str, str]] = Counter()
        self.numbers: list[int] = []
        self.ends: Counter[str] = Counter()
        self.cash = self.complete = self.sold = 0
        self.visits: Counter[str] = Counter()
        self.moved: Counter[str] = Counter()
        self.owned: Counter[str] = Counter()
        self.won_with: Counter[str] = Counter()
        self.drawn: Counter[str] = Counter()
        self.won_after: Counter[str] = Counter()
        self._cards: set[tuple[Seat, str]] = set()

    def step(self, _match: Match[Any], _seat: Seat | None, _command: Command | None, events: tuple[Event, ...]) -> None:
        for event in events:
            match event:
                case TurnCame() | CupWon() | DealDone() | TileBought() | AuctionWon():
                    self.told[event.what] += 1
                case ResultRead(number=number, face=face, result=result):
                    self.results[face, result] += 1
                    self.numbers.append(number)
                case VisitCounted(tile=tile, value=value):
                    self.visits[tile] += 1
                    self.moved[tile] += value
                case CardDrawn(seat=seat, card=card):
                    self._cards.add((seat, card))
                case _:
                    pass

    def after(self, match: Match[Any]) -> None:
        state: State = match.state
        self.games += 1
        self.players = len(state.players)
        best = max(state.players, key=lambda player: player.points)
        self.ends["target" if best.points >= state.board.target else "last match"] += 1
        winners = _winners(state)
        for seat in winners:
            self.wins[(seat - state.first) % self.players] += 1
        for seat, player in enumerate(state.players):
            self.cash += player.cash
            self.complete += len(state.teams_of(seat))
            self.sold += len(player.tiles)
            self.owned.update(player.tiles)
            self.won_with.update(player.tiles if seat in winners else ())
        for seat, card in self._cards:
            self.drawn[card] += 1
            self.won_after[card] += seat in winners
        self._cards.clear()

    def facts(self) -> dict[str, Any]:
        """The numbers as plain values."""
        everybody = max(1, self.games * self.players)
        matches = max(1, len(self.numbers))
        mean = sum(self.numbers) / matches
        return {
            "wins_by_turn_order": [_share(self.wins[place], self.games) for place in range(self.players)],
            "turns_per_player": round(self.told["turn_came"] / everybody, 1),
            "matches_per_player": round(len(self.numbers) / everybody, 2),
            "results": {
                box: _share(sum(self.results[face, box] for face in ("green", "yellow", "red")), matches) for box in BOXES
            },
            "results_by_colour": {
                f: [_share(self.results[f, box], self._of(f)) for box in BOXES] for f in ("green", "yellow", "red")
            },
            "marker": [round(mean, 2), round(sqrt(sum((n - mean) ** 2 for n in self.numbers) / matches), 2)],
            "at_a_limit": _share(sum(abs(number) == content.BASE.results.x for number in self.numbers), matches),
            "ends": {how: _share(count, self.games) for how, count in sorted(self.ends.items())},
            "cash_at_the_end": round(self.cash / everybody),
            "tiles_sold": round(self.sold / max(1, self.games), 1),
            "complete_teams": round(self.complete / max(1, self.games), 1),
            "cups_won": round(self.told["cup_won"] / max(1, self.games), 1),
            "deals": round(self.told["deal_done"] / max(1, self.games), 1),
            "tiles": {tile: self._tile(tile) for tile in content.IN_ORDER},
            "cards": {
                card: [self.drawn[card], _share(self.won_after[card], self.drawn[card])] for card in sorted(content.DECK_OF)
            },
        }

    def _of(self, face: str) -> int:
        return sum(self.results[face, box] for box in BOXES)

    def _tile(self, tile: str) -> list[float]:
        """Visits and goal actions a game, and how often its owner wins."""
        games = max(1, self.games)
        return [
            round(self.visits[tile] / games, 2),
            round(self.moved[tile] / games, 2),
            _share(self.won_with[tile], self.owned[tile]),
        ]

    def lines(self) -> list[str]:
        """The same, to be read."""
        facts = self.facts()
        lines = [f"  {name.replace('_', ' ')}: {value}" for name, value in facts.items() if name not in {"tiles", "cards"}]
        lines.append("  tile: visits and goal actions a game, wins of its owner")
        lines += [f"    {tile}: {visits}, {goals}, {share:.1%}" for tile, (visits, goals, share) in facts["tiles"].items()]
        lines.append("  card: games with it, wins of who drew it")
        return lines + [f"    {card}: {games}, {share:.1%}" for card, (games, share) in facts["cards"].items() if games >= ENOUGH]


def _winners(state: State) -> tuple[Seat, ...]:
    """Whoever has the most points; ties are broken in the view, and shared here."""
    most = max(player.points for player in state.players if not player.left)
    return tuple(seat for seat, player in enumerate(state.players) if player.points == most and not player.left)


def _share(part: int, whole: int) -> float:
    return round(part / whole, 3) if whole else 0.0
