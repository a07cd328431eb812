"""Is the game fair and does it end in time? Wins by seat, rounds, purchases and how their buyers fare, solo wins: run it as a module."""

import argparse
from collections import Counter
from collections.abc import Iterator
from typing import Any

from services.goldblivion.content import SOLO
from services.goldblivion.events import Bought, Took
from services.goldblivion.game import GAME
from shared.desk.workshop.games import key_of
from shared.kernel.game import Command, Event, Seat
from shared.kernel.match import Match, Observer, play_out


class Balance(Observer):
    """Counts what the rules never count."""

    def __init__(self) -> None:
        self.matches = 0
        self.rounds: list[int] = []
        self.bars: list[int] = []
        self.wins: Counter[int] = Counter()  # by place in the first turn order
        self.bought: Counter[str] = Counter()
        self.won_with: Counter[str] = Counter()
        self.buyers: Counter[str] = Counter()
        self._began: Seat = 0
        self._owned: dict[Seat, set[str]] = {}

    def step(self, match: Match[Any], _seat: Seat | None, _command: Command | None, events: tuple[Event, ...]) -> None:
        if match.step == 1:
            self._began, self._owned = match.state.first, {}
        for event in events:
            if isinstance(event, Bought | Took):
                self.bought[event.card] += 1
                self._owned.setdefault(event.seat, set()).add(event.card)

    def after(self, match: Match[Any]) -> None:
        places = GAME.result(match.state) or {}
        winners = [seat for seat, place in places.items() if place == 1]
        self.matches += 1
        self.rounds.append(match.state.round)
        self.bars += [match.state.boards[seat].bars for seat in winners]
        self.wins.update((seat - self._began) % len(places) for seat in winners)
        for seat, cards in self._owned.items():
            self.buyers.update(cards)
            if seat in winners:
                self.won_with.update(cards)

    def lines(self, seats: int) -> Iterator[str]:
        yield f"{seats} seats, {self.matches} matches"
        spread = Counter(self.rounds)
        yield f"  rounds: {sum(self.rounds) / self.matches:.2f} on average, {min(spread)} to {max(spread)}"
        yield "  wins by turn order: " + ", ".join(f"{self.wins[place] / self.matches:.1%}" for place in range(seats))
        yield f"  bars of the winner: {sum(self.bars) / max(1, len(self.bars)):.1f}"
        for card, count in self.bought.most_common():
            share = self.won_with[card] / self.buyers[card]
            yield f"  {card:14} {count / self.matches:5.2f} a match, {share:.1%} of its owners win"


def watched(seats: int, level: str, matches: int, **options: Any) -> Balance:
    """So many matches of one level of bots."""
    balance, given = Balance(), GAME.read_options(options)
    for seed in range(matches):
        play_out(GAME, seats, given, key_of(seed), [GAME.bots[level]] * seats, [balance])
    return balance


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=100)
    parser.add_argument("--level", default="greedy", choices=list(GAME.bots))
    given = parser.parse_args()
    for seats in (2, 3, 4):
        print("\n".join(watched(seats, given.level, given.matches).lines(seats)))
    for noble in SOLO:
        solo = watched(1, given.level, given.matches, dummy=noble)
        rounds = sum(solo.rounds) / solo.matches
        print(f"solo against {noble}: {solo.wins[0] / solo.matches:.1%} won, {rounds:.2f} rounds")


if __name__ == "__main__":
    main()
