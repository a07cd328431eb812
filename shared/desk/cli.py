"""Which programs are there for people? `cupboard COMMAND ...` finds the one meant and says how it ended."""

import importlib
import importlib.util
import logging
import os
import sys
from collections.abc import Sequence
from typing import NamedTuple
from urllib.parse import urlsplit

import psycopg
import redis
import requests

from shared.desk import here
from shared.runtime.migrate import MigrationRefused
from shared.runtime.settings import SettingRefused
from shared.runtime.store import Unavailable

DONE, REFUSED, WRONG_USE, NOT_REACHABLE = 0, 1, 2, 3      # PL-681
INTERRUPTED = 130           # as every shell has it: 128 and the number of the signal of Ctrl-C
PLACE = "shared.desk"


class Command(NamedTuple):
    """A module of this folder with `main(argv) -> int`, and what it is for."""

    module: str
    purpose: str


COMMANDS = {
    "up": Command("up", "run everything on this machine, with a demonstration"),
    "demo": Command("demo", "play the demonstration championship against a running gateway"),
    "serve": Command("serve", "start one process: gateway, stream, game NAME, watch NAME, league or relay"),
    "migrate": Command("migrate", "bring the database schema up to date, or check that it is"),
    "settings": Command("settings", "show the settings in force, secrets masked"),
    "account": Command("account", "create, list and change accounts"),
    "bot": Command("bot.program", "examine a bot of your own, or let it play"),
    "token": Command("token", "create, list and revoke tokens"),
    "match": Command("match", "list and look at matches, and give orders"),
    "play": Command("play", "play a match in the terminal"),
    "simulate": Command("workshop.simulate", "play matches without servers"),
    "replay": Command("replay", "run stored matches again"),
    "verify": Command("verify", "check the record of a match and its proof"),
    "scenario": Command("workshop.scenario", "run scenario files"),
    "rulebook": Command("workshop.rulebook", "print every clause with its function and tests"),
    "pack": Command("workshop.pack", "list, check and show content packs"),
    "newgame": Command("workshop.newgame", "begin a new game from the sample"),
    "league": Command("league.acts", "list, show and export tournaments, and act in them"),
    "ratings": Command("league.ratings", "show the strongest, and compute ratings again"),
    "archive": Command("archive", "archive matches that ended some time ago, and check the files"),
    "doctor": Command("doctor", "find what is wrong, and mend it"),
    "shape": Command("workshop.shape", "check rooms, imports and sizes"),
    "bench": Command("workshop.bench", "measure turns a second and waiting times"),
    "chaos": Command("workshop.chaos", "kill processes of this installation and check that nothing is lost"),
    "openapi": Command("openapi", "print the description of the API"),
}


def main(argv: Sequence[str] | None = None) -> int:
    logging.getLogger("psycopg.pool").addHandler(logging.NullHandler())     # a program says once itself what it did not reach; a process has a log
    try:
        ended = chosen(list(sys.argv[1:] if argv is None else argv))
        sys.stdout.flush()
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:     # whoever read has had enough, as `head` has: nothing more is said, not even at the very end
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    return ended


def chosen(words: list[str]) -> int:
    if not words or words[0] in {"-h", "--help", "help"}:
        print(overview())
        return DONE if words else WRONG_USE
    command = available().get(words[0])
    if command is None:
        print(f"cupboard: there is no command {words[0]!r}\n\n{overview()}", file=sys.stderr)
        return WRONG_USE
    return run(command, words[1:])


def run(command: Command, words: list[str]) -> int:
    try:
        return int(importlib.import_module(f"{PLACE}.{command.module}").main(words))
    except (SettingRefused, MigrationRefused) as refusal:
        return told(str(refusal), REFUSED)
    except (psycopg.OperationalError, redis.ConnectionError, requests.ConnectionError, requests.Timeout, Unavailable) as error:
        return told(f"not reachable: {away(error)}", NOT_REACHABLE)
    except psycopg.errors.UndefinedTable:
        return told("the database has no schema of ours; `cupboard migrate` makes it", REFUSED)
    except psycopg.Error as error:
        return told(f"Postgres refuses this: {error}", REFUSED)
    except BrokenPipeError:
        raise
    except OSError as error:
        return told(f"{error.filename}: {error.strerror}" if error.filename else str(error), REFUSED)


def away(error: Exception) -> str:
    """Which server gave no answer, without names and passwords, and what was met there."""
    match error:
        case redis.ConnectionError():
            server, address = "Redis", here.settings("desk").redis_url
        case psycopg.OperationalError() | Unavailable():
            server, address = "Postgres", here.settings("desk").database_url
        case _:                 # of another gateway, whose address stands in its own words
            return str(error)
    place = urlsplit(address).netloc.rpartition("@")[2] or "its socket"
    return f"{server} at {place}: {'no answer in time' if isinstance(error, Unavailable) else error}"


def told(words: str, ended: int) -> int:
    """One line, and how it ended."""
    print(f"cupboard: {' '.join(words.split())}", file=sys.stderr)
    return ended


def available() -> dict[str, Command]:
    """The commands whose module is part of this installation."""
    return {name: command for name, command in COMMANDS.items() if importlib.util.find_spec(f"{PLACE}.{command.module}")}


def overview() -> str:
    lines = [f"  {name:<10} {command.purpose}" for name, command in available().items()]
    return "\n".join(["usage: cupboard COMMAND ...   (cupboard COMMAND --help tells more)", "", *lines])


if __name__ == "__main__":
    sys.exit(main())
