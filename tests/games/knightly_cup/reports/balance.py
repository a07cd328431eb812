"""Is the game fair, does it end in time, and what are wins made of? Run it as a module: `python -m tests.games.knightly_cup.reports.balance`."""

import argparse
from collections import Counter
from collections.abc import Iterator
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
from services.knightly_cup.game import GAME
from services.knightly_cup.goods_events import Begged, Bought, BribeOpened, ElvesMoved, Sold, Traded
from shared.desk.workshop.games import key_of
from shared.kernel.game import Command, Event, Seat
from shared.kernel.match import Match, Observer, play_out

COUNTED = (
    MonsterMet,
    MonsterBeaten,
    CombatBegan,
    CombatWon,
    StandardWon,
    Bought,
    Sold,
    Traded,
    BribeOpened,
    Begged,
    ElvesMoved,
    ChallengeBegan,
    Died,
)


class Balance(Observer):
    """Counts what the rules never count."""

    def __init__(self) -> None:
        self.matches = self.capped = 0
        self.rounds: list[int] = []
        self.wins: Counter[int] = Counter()  # by place in the order of turns
        self.counts: Counter[str] = Counter()
        self.sources: Counter[str] = Counter()  # of the winner's Standards
        self.first: dict[str, list[int]] = {}  # the rounds in which an item was bought first
        self.winner_items: Counter[str] = Counter()
        self._won: dict[Seat, Counter[str]] = {}
        self._bought: set[str] = set()

    def step(self, match: Match[Any], _seat: Seat | None, _command: Command | None, events: tuple[Event, ...]) -> None:
        if match.step == 1:
            self._won, self._bought = {seat: Counter() for seat in match.state.seats()}, set()
        for event in events:
            if isinstance(event, COUNTED):
                self.counts[event.what] += 1
            match event:
                case CombatBegan(against="guardian"):
                    self.counts["storms"] += 1
                case CombatWon(guardian=True, seat=int(seat)) if seat == match.state.turn.seat:
                    self.counts["storms won"] += 1
                case StandardWon():
                    self._won[event.seat][event.how] += 1
                case SpoilsTaken() if event.standards:
                    self._won[event.seat]["spoils"] += 1
                case Bought() if event.item not in self._bought:
                    self._bought.add(event.item)
                    self.first.setdefault(event.item, []).append(match.state.round)
                case Ended():
                    self.capped += event.seat is None

    def after(self, match: Match[Any]) -> None:
        places = GAME.result(match.state) or {}
        winners = [seat for seat, place in places.items() if place == 1]
        self.matches += 1
        self.rounds.append(match.state.round)
        for seat in winners:
            self.wins[(seat - match.state.first) % len(places)] += 1
            self.sources.update(self._won[seat])
            self.winner_items.update(set(match.state.knights[seat].items))

    def lines(self, seats: int) -> Iterator[str]:
        spread, total = sorted(self.rounds), sum(self.wins.values())
        yield f"{seats} knights, {self.matches} matches"
        yield f"  rounds: median {spread[len(spread) // 2]}, 95 % {spread[int(len(spread) * 0.95)]}, decided by the cap {self.capped / self.matches:.1%}"
        yield "  wins by order of turns: " + ", ".join(f"{self.wins[place] / total:.1%}" for place in range(seats))
        yield "  a winner's Standards: " + ", ".join(f"{how} {count / total:.2f}" for how, count in self.sources.most_common())
        yield "  a winner owns: " + ", ".join(f"{item} {count / total:.0%}" for item, count in self.winner_items.most_common())
        yield "  first bought in round: " + ", ".join(
            f"{item} {sum(rounds) / len(rounds):.0f}" for item, rounds in sorted(self.first.items())
        )
        yield "  in a match: " + ", ".join(f"{what} {count / self.matches:.1f}" for what, count in self.counts.most_common())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=300)
    parser.add_argument("--bot", default="knight", choices=GAME.bots)
    given = parser.parse_args()
    for seats in GAME.seats:
        balance = Balance()
        for seed in range(1, given.matches + 1):
            play_out(GAME, seats, GAME.read_options({}), key_of(seed), [GAME.bots[given.bot]] * seats, [balance])
        print("\n".join(balance.lines(seats)))


if __name__ == "__main__":
    main()
