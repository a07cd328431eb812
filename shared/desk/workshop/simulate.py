"""How does a game play out over many matches? `cupboard simulate GAME` plays bots against each other, without servers."""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import json
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

from shared.desk.workshop.games import NoSuchGame, key_of, named, options_of
from shared.desk.workshop.numbers import whole
from shared.desk.workshop.transcript import line_of
from shared.desk.workshop.wild import wild
from shared.kernel.choices import Choice
from shared.kernel.game import Bot, Command, Event, Game, Seat
from shared.kernel.match import Match, Observer, play_out


class Tally(Observer):
    """Counts decisions, steps, events, and who wins."""

    def __init__(self, levels: Sequence[str]) -> None:
        self.levels = list(levels)
        self.decisions = self.matches = 0
        self.steps: list[int] = []
        self.events: Counter[str] = Counter()
        self.wins_by_seat: dict[int, float] = defaultdict(float)
        self.wins_by_bot: dict[str, float] = defaultdict(float)
        self.seats_of_bot: Counter[str] = Counter()

    def before(self, _match: Match[Any], _seat: Seat, _choices: tuple[Choice, ...]) -> None:
        self.decisions += 1

    def step(self, _match: Match[Any], _seat: Seat | None, _command: Command | None, events: tuple[Event, ...]) -> None:
        self.events.update(event.what for event in events)

    def count_result(self, game: Game, match: Match[Any]) -> None:
        """A shared first place is shared out."""
        places = game.result(match.state) or {}
        winners = [seat for seat, place in places.items() if place == 1]
        self.matches += 1
        self.steps.append(match.step)
        self.seats_of_bot.update(self.levels)
        for seat in winners:
            self.wins_by_seat[seat] += 1 / len(winners)
            self.wins_by_bot[self.levels[seat]] += 1 / len(winners)

    def report(self, seconds: float) -> dict[str, Any]:
        shares = {name: round(wins / self.matches, 4) for name, wins in sorted(self.wins_by_bot.items())}
        return {
            "matches": self.matches,
            "decisions_per_second": round(self.decisions / seconds),
            "steps_per_match": {
                "least": min(self.steps),
                "mean": round(sum(self.steps) / self.matches, 1),
                "most": max(self.steps),
            },
            "wins_by_seat": {seat: round(self.wins_by_seat[seat] / self.matches, 4) for seat in range(len(self.levels))},
            "wins_by_bot": shares,
            "seats_per_bot": {name: count // self.matches for name, count in sorted(self.seats_of_bot.items())},
            "events": dict(sorted(self.events.items())),
        }


def report_of(game: Game) -> Any:
    """What a game itself counts for its balance: `Report` in its room report.py, an observer with `lines` and `facts`; None without."""
    room = f"{game.setup.__module__.rpartition('.')[0]}.report"
    return importlib.import_module(room).Report() if importlib.util.find_spec(room) else None


def simulate(game: Game, options: Any, levels: Sequence[str], seeds: range, report: Observer | None = None) -> Tally:
    """One match per seed; the bots move one seat on from match to match, so that no level keeps the best seat."""
    tally = Tally(levels)
    observers = [tally, report] if report else [tally]
    for turn, seed in enumerate(seeds):
        shift = turn % len(levels)
        tally.levels = [*levels[shift:], *levels[:shift]]
        seated: list[Bot] = [game.bots[level] for level in tally.levels]
        tally.count_result(game, play_out(game, len(levels), options, key_of(seed), seated, observers))
    return tally


def show_wild(game: Game, seats: int, options: Any, seed: int) -> None:
    """Every step of a match in which people do everything that people do."""
    for moment in wild(game, seats, options, key_of(seed)):
        print(line_of(game, moment.after, moment.act, moment.seat, moment.command), flush=True)
        for event in moment.events:
            print(f"        {game.words['en'].sentence(event)}")


def main(argv: list[str]) -> int:
    given = _parser().parse_args(argv)
    try:
        game = named(given.game or given.name or "")
        options = options_of(game, given.options)
        seats = _seats(game, options, given.seats)
        levels = _levels(game, given.bots, seats)
    except (NoSuchGame, ValueError) as error:
        print(f"cupboard simulate: {error}", file=sys.stderr)
        return 2
    if given.wild:
        for seed in range(given.seed, given.seed + given.matches):
            show_wild(game, seats, options, seed)
        return 0
    started = time.perf_counter()
    own = report_of(game) if given.report else None
    tally = simulate(game, options, levels, range(given.seed, given.seed + given.matches), own)
    report = tally.report(time.perf_counter() - started)
    if given.json:
        print(json.dumps({**report, "balance": own.facts()} if own else report))
        return 0
    print("\n".join([_told(game, report, full=given.report), *(own.lines() if own else ())]))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="cupboard simulate", description=__doc__)
    parser.add_argument("name", nargs="?", metavar="GAME", help="a registered game, or package.module:GAME")
    parser.add_argument("--game", help="the same, by option")
    parser.add_argument("--matches", type=whole(1), default=100)
    parser.add_argument("--seed", type=int, default=1, help="of the first match; the next ones count up")
    parser.add_argument("--seats", type=int, help="by default the most that may play")
    parser.add_argument("--bots", default="random", help="levels by seat, separated by commas; the last one fills up")
    parser.add_argument("--options", default="{}", help="as JSON")
    parser.add_argument("--report", action="store_true", help="count the events too, and what the game says of its balance")
    parser.add_argument("--wild", action="store_true", help="print matches with late answers, leavers and a crowd")
    parser.add_argument("--json", action="store_true", help="print the report as one JSON object")
    return parser


def _seats(game: Game, options: Any, wanted: int | None) -> int:
    allowed = game.seats_allowed(options)
    seats = allowed[-1] if wanted is None else wanted
    if seats not in allowed:
        raise ValueError(f"{game.name} is played by {allowed[0]} to {allowed[-1]} under these options")
    return seats


def _levels(game: Game, written: str, seats: int) -> list[str]:
    levels = written.split(",")
    unknown = sorted(set(levels) - set(game.bots))
    if unknown or len(levels) > seats:
        raise ValueError(f"bots: up to {seats} of {', '.join(game.bots)}, not {written}")
    return levels + [levels[-1]] * (seats - len(levels))


def _told(game: Game, report: dict[str, Any], *, full: bool) -> str:
    steps, lines = report["steps_per_match"], [f"{game.title}: {report['matches']} matches"]
    lines.append(f"  {report['decisions_per_second']:,} decisions a second")
    lines.append(f"  {steps['mean']} steps a match ({steps['least']} to {steps['most']})")
    for seat, share in report["wins_by_seat"].items():
        lines.append(f"  seat {seat + 1}: {share:.1%} of the wins")
    for bot, share in report["wins_by_bot"].items():
        lines.append(f"  {bot}: {share:.1%} of the wins with {report['seats_per_bot'][bot]} seats")
    if full:
        lines += [f"  {count:>9,} {event}" for event, count in report["events"].items()]
    return "\n".join(lines)
