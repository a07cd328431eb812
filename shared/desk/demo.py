"""What does the service look like in use? `cupboard demo` plays a championship of bots over the API, and goes on where it was."""

from __future__ import annotations

import argparse
import json
import secrets
import signal
import sys
import time
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple

from shared.desk import here
from shared.desk.bots import Client, Crew, Json, Player, Refused

FILE = "demo.json"
TABLES = range(4, 7)
NAMES = ("Alba", "Bruno", "Cleo", "Dario", "Elsa", "Fosco", "Gaia", "Hugo", "Iris", "Jago", "Kora", "Livio", "Mina", "Nino", "Olga", "Pino",
         "Quinta", "Remo", "Sofia", "Tullio", "Ugo", "Vera", "Wanda", "Zeno")
CUP, CUP_TABLES = 8, range(2, 5)     # entrants and table sizes of the small cups beside the championship
LOOK = 1.0          # seconds between two looks at the standing
TOP = 5


class Wish(NamedTuple):
    """What is to be played."""

    game: str | None
    bots: int
    rounds: int
    least: int
    most: int
    pace: float


class Kept:
    """What must survive a restart: the organiser's password and the bots' tokens, in a file for this user only."""

    def __init__(self, file: Path) -> None:
        self.file = file
        fresh: dict[str, Any] = {"organiser": f"host-{secrets.token_hex(3)}", "password": secrets.token_urlsafe(24), "bots": {}, "championship": None, "season": 0}
        self.facts: dict[str, Any] = json.loads(file.read_text()) if file.exists() else fresh

    def save(self) -> None:
        self.file.parent.mkdir(parents=True, exist_ok=True)
        new = self.file.with_suffix(".new")
        new.touch(mode=0o600)
        new.write_text(json.dumps(self.facts, indent=2))
        new.replace(self.file)


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="cupboard demo", description="Plays a championship of bots against a running gateway.")
    parser.add_argument("--game", help="default: the first game with tables of the wished sizes")
    parser.add_argument("--bots", type=int, default=24, help="entrants (default 24)")
    parser.add_argument("--rounds", type=int, default=5, help="rounds (default 5)")
    parser.add_argument("--tables", type=int, nargs=2, default=(TABLES[0], TABLES[-1]), metavar=("LEAST", "MOST"), help="seats (default 4 6)")
    parser.add_argument("--json", action="store_true", help="the last standing as JSON, progress on the error output")
    parser.add_argument("--pace", type=float, default=1.0, help="seconds that a bot thinks, about; 0 for full speed (default 1)")
    wanted = parser.parse_args(argv)
    least, most = wanted.tables
    wish = Wish(wanted.game, wanted.bots, wanted.rounds, least, most, wanted.pace)
    settings = here.settings()
    kept = Kept(Path(settings.folder) / FILE)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)
    try:
        with redirect_stdout(sys.stderr if wanted.json else sys.stdout):
            standing = season(settings.origin, sign_in(settings.origin, kept), kept, wish)
    except Refused as refusal:
        print(f"cupboard: the demonstration ends: {refusal}", file=sys.stderr)
        return 1
    if wanted.json:
        print(json.dumps(standing, indent=2))
    return 0


def stop(*_: object) -> None:
    """At once, whatever is being waited for: everything that matters is in the database, or in the file."""
    raise SystemExit(0)


def sign_in(origin: str, kept: Kept) -> Client:
    """The organiser's account, made at the first run; in another database everything begins anew."""
    organiser, who = Client(origin), {"name": kept.facts["organiser"], "password": kept.facts["password"]}
    try:
        organiser.post("/sessions", who)
    except Refused as refusal:
        if refusal.code != "bad_credentials":
            raise
        organiser.post("/accounts", who)
        organiser.post("/sessions", who)
        kept.facts |= {"bots": {}, "championship": None}
    kept.save()
    return organiser


def season(origin: str, organiser: Client, kept: Kept, wish: Wish) -> Json:
    """Goes on with the championship that is under way, or begins the next season; ends when it is over."""
    bots = tokens(organiser, kept, wish.bots)
    name = kept.facts["championship"]
    if name is None or organiser.get(f"/championships/{name}")["state"] == "finished":
        game = suited(organiser, wish)
        kept.facts["season"] += 1
        name = kept.facts["championship"] = begin(organiser, game, f"Demonstration championship, season {kept.facts['season']}", wish)
        kept.facts["cups"] = [] if wish.game else cups(organiser, game, wish)
        kept.save()
    started(organiser, origin, name, bots)
    for number, cup in enumerate(kept.facts.get("cups", ())):
        started(organiser, origin, cup, [bots[(number * CUP + seat) % len(bots)] for seat in range(min(CUP, len(bots)))])
    crew = Crew(Player(Client(origin, bot["token"]), bot["name"], wish.pace) for bot in bots)
    crew.start()
    try:
        standing = watch(organiser, name)
        for cup in kept.facts.get("cups", ()):
            watch(organiser, cup)
        return standing
    finally:
        crew.stop()


def cups(organiser: Client, main: Json, wish: Wish) -> list[str]:
    """Every other game on offer gets a small cup of one round, so that each of them can be watched."""
    small = wish._replace(rounds=1, least=CUP_TABLES[0], most=CUP_TABLES[-1])
    games = [game for game in organiser.get("/games")["items"] if game["game"] != main["game"] and game["stage"] == "league"]
    return [begin(organiser, game, f"{game['title']} cup", small) for game in games if set(CUP_TABLES) <= set(game["seats"]["default"])]


def started(organiser: Client, origin: str, name: str, bots: list[Json]) -> None:
    """Entered and under way; what was done before a restart is not done again."""
    told = organiser.get(f"/championships/{name}")
    if told["state"] == "open":
        enter(organiser, name, [bot["bot"] for bot in bots])
        organiser.post(f"/championships/{name}/start", {})
    say(f"{told['name']}: {len(bots)} bots, {told['rounds']} rounds of {told['title'] or told['game']}   {origin}/championships/{name}")


def tokens(organiser: Client, kept: Kept, count: int) -> list[Json]:
    """A bot account with a token for each name; what is there already is used again."""
    for number in range(count):
        name = NAMES[number] if number < len(NAMES) else f"{NAMES[number % len(NAMES)]}-{number // len(NAMES) + 1}"
        if name not in kept.facts["bots"]:
            bot = make_bot(organiser, name)
            token = organiser.post(f"/bots/{bot['bot']}/tokens", {"label": "demonstration"})["secret"]
            kept.facts["bots"][name] = {"bot": bot["bot"], "name": bot["name"], "token": token}
            kept.save()
    return list(kept.facts["bots"].values())[:count]


def make_bot(organiser: Client, name: str) -> Json:
    """A bot made just before an earlier run was stopped is found again; a name that somebody else has gets an ending."""
    mine = {bot["name"]: bot for bot in organiser.get("/bots")["items"]}
    if name in mine:
        return dict(mine[name])
    wish = {"name": name, "description": "Takes anything that is on offer."}
    try:
        return organiser.post("/bots", wish)
    except Refused as refusal:
        if refusal.code != "name_taken":
            raise
    return organiser.post("/bots", {**wish, "name": f"{name}-{secrets.token_hex(2)}"})


def begin(organiser: Client, game: Json, name: str, wish: Wish) -> str:
    """A new championship."""
    presets = [preset for preset, limits in game["clocks"].items() if limits]
    made = organiser.post("/championships", {
        "name": name, "game": game["game"], "rounds": wish.rounds, "opponents": "bots",
        "seats": {"least": wish.least, "most": wish.most}, "clock": {"preset": "quick" if "quick" in presets else presets[0]},
        "round_break_ms": int(3_000 * wish.pace)})
    return str(made["championship"])


def suited(organiser: Client, wish: Wish) -> Json:
    """The first game whose tables fit, unless one is named; the workers tell which there are as soon as they run."""
    for _ in range(120):
        games: list[Json] = organiser.get("/games")["items"]
        for game in games:
            fits = set(range(wish.least, wish.most + 1)) <= set(game["seats"]["default"])
            if game["game"] == wish.game or (wish.game is None and fits):
                return game
        time.sleep(0.5)
    raise SystemExit(f"cupboard: no game has tables of {wish.least} to {wish.most}")


def enter(organiser: Client, name: str, bots: list[str]) -> None:
    for bot in bots:
        try:
            organiser.post(f"/championships/{name}/entrants", {"account": bot})
        except Refused as refusal:
            if refusal.code != "already_entered":
                raise


def watch(organiser: Client, name: str) -> Json:
    """Prints what has changed, until the last round is over; the last standing."""
    seen = (-1, -1)
    while True:
        time.sleep(LOOK)
        told, standing = organiser.get(f"/championships/{name}"), organiser.get(f"/championships/{name}/standings")
        if (told["round"], standing["as_of"]) != seen:
            seen = told["round"], standing["as_of"]
            say(in_words(told, standing))
        if told["state"] == "finished":
            winners = [line["name"] for line in standing["items"] if line["rank"] == 1]
            say(f"{told['name']} is over. {' and '.join(winners)} won it with {standing['items'][0]['points']} points.")
            return standing


def in_words(told: Json, standing: Json) -> str:
    leaders = [f"{line['rank']}. {line['name']} {line['points_shown']}" for line in standing["items"] if line["played"]]
    return f"round {told['round']} of {told['rounds']}, {standing['open_pairings']} tables playing   {'  '.join(leaders[:TOP])}"


def say(words: str) -> None:
    print(f"  demo       {words}", flush=True)
