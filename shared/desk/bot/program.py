"""Is a bot fit to play, and may it play now? `cupboard bot check GAME -- COMMAND` examines it, `cupboard bot run FILE` lets it play."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

import msgspec

from shared.desk.bot.client import decide_of, play
from shared.desk.bot.exam import Exam, Plan
from shared.desk.bot.marks import Mark
from shared.desk.bot.table import Course, as_played, of_record
from shared.desk.workshop.games import NoSuchGame, key_of, named
from shared.desk.workshop.numbers import measure, whole
from shared.kernel.game import Game

TELLS = """\
The bot finds the address of a stand-in gateway in CUPBOARD_URL and its token in CUPBOARD_TOKEN, as it will later those of a true one.
Without a COMMAND both are printed, and the bot may be started by hand.
"""


STDERR = 2          # what a bot prints is no part of what we tell


class NoRecord(ValueError):
    """A file that is no record of this game, or of which nothing can be played."""


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="cupboard bot", description="Examines a bot, or lets it play.")
    tasks = parser.add_subparsers(dest="task", required=True)
    check = tasks.add_parser("check", usage="cupboard bot check [options] GAME [-- COMMAND ...]", help="play matches against a bot, and tell rule by rule whether it keeps the API's", description=TELLS)
    check.add_argument("game")
    check.add_argument("--record", help="a file with the record of a match, to be played with the bot; without it one of built-in bots")
    check.add_argument("--seed", default="1", help="of the match of built-in bots")
    check.add_argument("--limit", type=measure(0.2, 600), default=5, help="seconds for an answer (5)")
    check.add_argument("--asks", type=whole(10), default=60, help="questions after which a match is broken off (60)")
    check.add_argument("--json", action="store_true", help="tell it as JSON")
    run = tasks.add_parser("run", help="let the function `decide` of a file play on a gateway, until Ctrl-C")
    run.add_argument("file")
    run.add_argument("--url", default=os.environ.get("CUPBOARD_URL", "http://127.0.0.1:8000"), help="the gateway (CUPBOARD_URL)")
    at = argv.index("--") if "--" in argv else len(argv)
    wanted = parser.parse_args(argv[:at])
    return _run(wanted) if wanted.task == "run" else _check(wanted, argv[at + 1:])


def _run(wanted: argparse.Namespace) -> int:
    token = os.environ.get("CUPBOARD_TOKEN")
    if not token:
        print("cupboard: CUPBOARD_TOKEN is not set; `cupboard token create` makes one for a bot", file=sys.stderr)
        return 2
    play(decide_of(wanted.file), wanted.url, token)
    return 0


def _check(wanted: argparse.Namespace, command: list[str]) -> int:
    try:
        game = named(wanted.game)
        exam = Exam(_plan(game, wanted))
    except (NoSuchGame, NoRecord) as error:
        print(f"cupboard: {error}", file=sys.stderr)
        return 2
    found = _examined(exam, command)
    if wanted.json:
        rules = [{"clause": mark.clause, "rule": mark.words, "passed": mark.passed, "found": _why(mark)} for mark in found.values()]
        print(json.dumps({"game": game.name, "matches": exam.matches, "asks": exam.asks, "passed": all(rule["passed"] for rule in rules), "rules": rules}))
    else:
        print(f"{game.title}: {exam.matches} matches, {exam.asks} questions")
        print("\n".join(f"{'pass' if mark.passed else 'FAIL'}  {mark.clause}  {mark.words}{_because(mark)}" for mark in found.values()))
    return 0 if all(mark.passed for mark in found.values()) else 1


def _plan(game: Game, wanted: argparse.Namespace) -> Plan:
    seats = max(2, min(game.seats_allowed(game.read_options({}))))
    key = key_of(wanted.seed)
    if wanted.record:
        seats, course = recorded(game, Path(wanted.record).read_text("utf-8"))
    else:
        course = Course(key, as_played(game, seats, key))
    return Plan(game, seats, course, limit=wanted.limit, asks=wanted.asks)


def recorded(game: Game, text: str) -> tuple[int, Course]:
    try:
        head = json.loads(text.splitlines()[0])
        game.read_options(head["options"])
        seats, course = head["seats"], Course(bytes.fromhex(head["key"]), dict(of_record(text)), head["options"])
    except (LookupError, TypeError, ValueError, msgspec.ValidationError) as error:
        raise NoRecord(f"this is no record ({type(error).__name__}: {error})") from error
    if (head["game"], head["version"]) != (game.name, game.version) or not course.script:
        raise NoRecord(f"this is no record of {game.name} {game.version}, or its commands are kept back")
    return seats, course


def _examined(exam: Exam, command: list[str]) -> dict[str, Mark]:
    known = {"CUPBOARD_URL": exam.host.origin, "CUPBOARD_TOKEN": exam.host.token}
    if not command:
        print("\n".join(f"{name}={value}" for name, value in known.items()), flush=True, file=sys.stderr)
        exam.plan.arrival = 600.0
        return exam.run()
    bot = subprocess.Popen(command, env={**os.environ, **known}, stdout=STDERR)
    try:
        return exam.run(lambda: bot.poll() is not None)
    finally:
        bot.terminate()
        try:
            bot.wait(3)
        except subprocess.TimeoutExpired:
            bot.kill()
            bot.wait()


def _why(mark: Mark) -> str:
    return mark.found or ("" if mark.tried else "was not tried: the bot stopped before, or there were too few questions")


def _because(mark: Mark) -> str:
    return "" if mark.passed else f": {_why(mark)}"
