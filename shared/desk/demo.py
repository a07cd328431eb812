"""What does the service look like in use? `cupboard demo` plays a championship of bots over all games, and goes on where it was."""

from __future__ import annotations

import argparse
import json
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import NamedTuple

from shared.desk import here
from shared.desk.bot.client import Client, Json, Refused
from shared.desk.bots import Crew, Player
from shared.desk.demonstration.crowd import Kept, sign_in, tokens
from shared.desk.demonstration.programme import Cup, cups, one_cup
from shared.desk.league import organisation

FILE = "demo.json"
LOOK = 1.0              # seconds between two looks at the standing
TOP = 5
HOUSE = "Demonstration League"


class Wish(NamedTuple):
    """What is to be played."""

    bots: int
    rounds: int
    pace: float
    game: str | None = None
    scale: bool = False


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="cupboard demo", description="Plays a championship of bots over all games against a running gateway.")
    parser.add_argument("--bots", type=int, default=64, help="entrants (default 64)")
    parser.add_argument("--rounds", type=int, default=3, help="rounds of the Swiss and the round robin (default 3)")
    parser.add_argument("--pace", type=float, default=0.5, help="seconds that a bot thinks, about; 0 for full speed (default 0.5)")
    parser.add_argument("--game", help="one tournament of this game instead of the championship")
    parser.add_argument("--scale", type=int, metavar="N", help="one Swiss of N bots at full speed, with figures")
    parser.add_argument("--json", action="store_true", help="the last standing as JSON, progress on the error output")
    wanted = parser.parse_args(argv)
    wish = Wish(wanted.scale or wanted.bots, wanted.rounds, 0.0 if wanted.scale else wanted.pace, wanted.game, bool(wanted.scale))
    settings = here.settings()
    kept = Kept(Path(settings.folder) / FILE)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)
    try:
        with redirect_stdout(sys.stderr if wanted.json else sys.stdout):
            organiser = sign_in(settings.origin, kept)
            house = organisation(settings, HOUSE, kept.facts["organiser"])
            standing = Season(settings.origin, organiser, kept, wish, house).play()
    except Refused as refusal:
        print(f"cupboard: the demonstration ends: {refusal}", file=sys.stderr)
        return 1
    if wanted.json:
        print(json.dumps(standing, indent=2))
    return 0


def stop(*_: object) -> None:
    """At once, whatever is being waited for: everything that matters is in the database, or in the file."""
    raise SystemExit(0)


class Season:
    """One championship of bots, or one tournament alone; what was done before a restart is not done again."""

    def __init__(self, origin: str, organiser: Client, kept: Kept, wish: Wish, house: str) -> None:
        self.origin, self.organiser, self.kept, self.wish, self.house = origin, organiser, kept, wish, house
        self.players: list[Player] = []
        self.started = time.monotonic()

    def play(self) -> Json:
        """Goes on with what is under way, or begins anew; the last standing."""
        bots = tokens(self.organiser, self.kept, self.wish.bots, say)
        self.players = [Player(Client(self.origin, bot["token"]), bot["name"], self.wish.pace) for bot in bots]
        with self.crew():
            return self.alone(bots) if self.wish.scale or self.wish.game else self.championship(bots)

    @contextmanager
    def crew(self) -> Iterator[None]:
        crew = Crew(self.players)
        crew.start()
        try:
            yield
        finally:
            crew.stop()

    def championship(self, bots: list[Json]) -> Json:
        """Every game with a format of its own, and one table over all of them."""
        name = self.kept.facts.get("championship")
        if name is None or self.organiser.get(f"/championships/{name}")["state"] == "finished":
            name = self.begin(cups(games(self.organiser), self.wish.rounds, self.wish.bots))
        for tournament in self.kept.facts["tournaments"]:
            self.under_way(tournament, bots)
        say(f"one championship over {len(self.kept.facts['tournaments'])} games: {self.origin}/championships/{name}")
        for tournament in self.kept.facts["tournaments"]:
            self.watch(tournament)
        return self.crowned(name)

    def begin(self, planned: list[Cup]) -> str:
        """The championship and its tournaments; each is kept as soon as it is there."""
        self.kept.facts["season"] += 1
        settings = {"name": f"Demonstration championship, season {self.kept.facts['season']}", "announced": len(planned)}
        made = self.organiser.post("/championships", {"organisation": self.house, "settings": settings})["championship"]
        tournaments = [self.organiser.post("/tournaments", {"organisation": self.house, "settings": cup.settings(self.wish.pace)})["tournament"]
                       for cup in planned]
        for tournament in tournaments:
            self.organiser.post(f"/championships/{made}/acts", {"kind": "add", "tournament": tournament})
        self.organiser.post(f"/championships/{made}/acts", {"kind": "publish"})
        self.kept.facts |= {"championship": made, "tournaments": tournaments}
        self.kept.save()
        return str(made)

    def alone(self, bots: list[Json]) -> Json:
        """One tournament, with figures when it is large."""
        cup = one_cup(games(self.organiser), self.wish.game, self.wish.rounds, self.wish.bots)
        tournament = self.organiser.post("/tournaments", {"organisation": self.house, "settings": cup.settings(self.wish.pace)})["tournament"]
        self.under_way(tournament, bots)
        return self.watch(tournament)

    def under_way(self, tournament: str, bots: list[Json]) -> None:
        """Opened, entered, closed and started, from wherever it is."""
        told = self.organiser.get(f"/tournaments/{tournament}")
        if told["state"] == "draft":
            self.act(tournament, "open", forecast_seen=True)
            told["state"] = "open"
        if told["state"] == "open":
            self.enter(tournament, [bot["bot"] for bot in bots])
            self.act(tournament, "close")
            told["state"] = "closed"
        if told["state"] == "closed":
            self.act(tournament, "start", accept_imbalance=True)
        say(f"{told['name']}: {len(bots)} bots   {self.origin}/tournaments/{tournament}")

    def enter(self, tournament: str, bots: list[str]) -> None:
        try:
            self.act(tournament, "enter", accounts=bots)
        except Refused as refusal:
            if refusal.code != "already_entered":
                raise

    def act(self, tournament: str, kind: str, **fields: object) -> Json:
        return self.organiser.post(f"/tournaments/{tournament}/acts", {"kind": kind, **fields})

    def watch(self, tournament: str) -> Json:
        """Prints what has changed, until it is over; the last standing."""
        seen = -1
        while True:
            told = self.organiser.get(f"/tournaments/{tournament}")
            if told["version"] != seen:
                seen = told["version"]
                standing = self.standing(tournament, told)
                say(in_words(told, standing) + (self.figures() if self.wish.scale else ""))
            if told["state"] in {"finished", "cancelled"}:
                say(f"{told['name']} is over: {' and '.join(name_of(told, account) for account in told['winners']) or 'nobody'} won it.")
                return standing
            time.sleep(LOOK)

    def standing(self, tournament: str, told: Json) -> Json:
        begun = [stage["number"] for stage in told["stages"] if stage["round"]]
        return self.organiser.get(f"/tournaments/{tournament}/stages/{begun[-1]}/standing") if begun else {"lines": [], "people": {}}

    def figures(self) -> str:
        answers, seconds = sum(player.answers for player in self.players), time.monotonic() - self.started
        return f"   {answers} decisions in {seconds:.0f} s, {answers / seconds:.0f} a second"

    def crowned(self, championship: str) -> Json:
        """The table over all games, once the last tournament is counted."""
        while (told := self.organiser.get(f"/championships/{championship}"))["state"] != "finished":
            time.sleep(LOOK)
        table = self.organiser.get(f"/championships/{championship}/standing")
        for line in table["lines"][:TOP]:
            say(f"{line['rank'] or '–':>4}  {name_of(table, line['account']):<12} {line['net_shown']:>10}")
        say(f"{told['name']} is over: {' and '.join(name_of(told, account) for account in told['winners'])} won it over {len(told['tournaments'])} games.")
        return table


def games(organiser: Client) -> list[Json]:
    """The workers tell which games there are as soon as they run; all of them are waited for."""
    found: list[Json] = []
    for _ in range(120):
        before, found = len(found), [game for game in organiser.get("/games")["items"] if game["stage"] == "league"]
        if found and len(found) == before:
            return found
        time.sleep(1.0)
    raise SystemExit("cupboard: no game is on offer")


def name_of(told: Json, account: str) -> str:
    return str(told["people"].get(account, {}).get("name", account))


def in_words(told: Json, standing: Json) -> str:
    stage = next(stage for stage in reversed(told["stages"]) if stage["state"] != "planned" or stage["number"] == 1)
    leaders = [f"{line['rank']}. {name_of(standing, line['account'])}" for line in standing["lines"][:TOP] if line["played"]]
    planned = f" of {stage['planned_rounds']}" if stage["planned_rounds"] else ""
    return f"{told['name']}: round {stage['round']}{planned}, {stage['open_pairings']} tables playing   {'  '.join(leaders)}"


def say(words: str) -> None:
    print(f"  demo       {words}", flush=True)
