"""Does the demonstration play a championship to its end over the real stack, stopped and started again in the middle?"""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest
import requests

from shared.runtime.registry import load, registered
from shared.runtime.servers import free_port
from shared.runtime.settings import read
from tests.invariants import assert_sound
from tests.ledger import rule

BOTS, ROUNDS = 4, 1
PLAY = ("demo", "--bots", str(BOTS), "--rounds", str(ROUNDS), "--pace", "0")


class Stack:
    """`cupboard up` in a folder of its own, and the other commands beside it."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.origin = folder, ""
        named = {"CUPBOARD_FOLDER": str(folder), "CUPBOARD_PORT": str(free_port(8_600)), "CUPBOARD_STREAM_PORT": str(free_port(8_700)),
                 "CUPBOARD_GATEWAY_PROCESSES": "1"}
        self.environ = {**{name: value for name, value in os.environ.items() if not name.startswith(("CUPBOARD_", "DATABASE_", "REDIS_"))}, **named}
        self.running: list[subprocess.Popen[str]] = []

    def start(self, *words: str) -> subprocess.Popen[str]:
        process = subprocess.Popen([sys.executable, "-m", "shared.desk.cli", *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                   text=True, env=self.environ)
        self.running.append(process)
        return process

    def up(self) -> subprocess.Popen[str]:
        process = self.start("up", "--no-demo")
        for line in process.stdout:
            if "ready" in line:
                self.origin = line.split()[1]
                return process
        raise AssertionError("it did not start")

    def say(self, *words: str, code: int = 0) -> str:
        process = self.start(*words)
        said, _ = process.communicate(timeout=300)
        assert process.returncode == code, said
        return said

    def get(self, path: str) -> dict:
        return requests.get(f"{self.origin}/api/v1{path}", timeout=10).json()

    def championship(self) -> dict:
        [line] = self.get("/championships")["items"]
        return self.get(f"/championships/{line['championship']}")

    def tournaments(self) -> list[dict]:
        return [self.get(f"/tournaments/{cup['tournament']}") for cup in self.championship()["tournaments"]]

    def close(self) -> None:
        for process in reversed(self.running):
            if process.poll() is None:
                process.send_signal(signal.SIGTERM)
                process.communicate(timeout=30)


@pytest.fixture
def stack() -> Iterator[Stack]:
    with tempfile.TemporaryDirectory(prefix="cupboard-demo-") as made:
        Path(made).chmod(0o711)
        stack = Stack(Path(made))
        yield stack
        stack.close()


def until(what, patience: float = 60.0) -> None:
    give_up = time.monotonic() + patience
    while not what():
        assert time.monotonic() < give_up
        time.sleep(0.05)


@rule("PL-781", "PL-782", "PL-255", "PL-413", "PL-622", "PL-654", "PL-785", "LG-180", "LG-601", "LG-602", "LG-801")
@pytest.mark.timeout(500)
def test_a_championship_over_all_games_goes_on_where_it_was_and_everything_about_it_can_be_checked(stack: Stack):
    running, demo = stack.up(), stack.start(*PLAY)
    until(lambda: stack.get("/championships")["items"] and any(one["stages"][0]["round"] for one in stack.tournaments()))
    begun = stack.championship()
    running.send_signal(signal.SIGTERM)             # all of it in the middle of the first round
    running.communicate(timeout=40)
    demo.send_signal(signal.SIGTERM)
    demo.communicate(timeout=90)

    stack.up()
    said = stack.say(*PLAY, "--json")
    ended, tournaments = stack.championship(), stack.tournaments()
    assert (ended["championship"], ended["state"]) == (begun["championship"], "finished")
    assert {one["state"] for one in tournaments} == {"finished"}
    assert {one["game"] for one in tournaments} == set(registered())
    assert len({tuple(stage["format"] for stage in one["stages"]) for one in tournaments}) >= 4      # in different formats
    told = json.loads(said[said.index("{"):])       # progress comes first here, since both outputs are one

    table = stack.get(f"/championships/{ended['championship']}/standing")
    assert table == told
    assert len(table["lines"]) == BOTS
    assert all(len(line["results"]) == len(tournaments) for line in table["lines"])
    winners = [table["people"][account]["name"] for account in ended["winners"]]
    assert winners == [table["people"][line["account"]]["name"] for line in table["lines"] if line["rank"] == 1]
    assert all(name in said for name in winners)
    check_rounds(stack, tournaments)
    check_everything(stack)


def check_rounds(stack: Stack, tournaments: list[dict]) -> None:
    """Nobody sat twice in a round, each table has its own match, and the points are those of the tables and byes."""
    matches = []
    for one in tournaments:
        for stage in one["stages"]:
            at = f"/tournaments/{one['tournament']}/stages/{stage['number']}"
            for number in range(1, stage["round"] + 1):
                told = stack.get(f"{at}/rounds/{number}")
                seated = [seat["account"] for pairing in told["pairings"] for seat in pairing["seats"]] + [bye["account"] for bye in told["byes"]]
                assert len(seated) == len(set(seated))
                matches += [pairing["match"] for pairing in told["pairings"]]
            if stage["format"] in {"swiss", "round_robin"}:
                points = sum(Fraction(line["points"]) for line in stack.get(f"{at}/standing")["lines"])
                assert points == Fraction(one["entrants"] * stage["round"], 2)      # a half for everybody, at tables of every size
    assert len(matches) == len(set(matches))


def check_everything(stack: Stack) -> None:
    """The database, the records and the proofs, as an operator would."""
    everywhere = {match["match"]: match["game"] for match in stack.get("/matches?limit=100")["items"]}
    settings = read(json.loads((stack.folder / "running.json").read_text()))
    assert assert_sound(settings, [load(place) for place in registered().values()]) > 100
    assert stack.say("doctor") == "nothing is wrong\n"
    assert stack.say("replay", "--all").endswith("matches went the same way again\n")
    one_of_each = {game: match for match, game in everywhere.items()}
    assert set(one_of_each) == set(registered())
    for match in one_of_each.values():
        assert "stored commands: right" in stack.say("verify", match)
    assert stack.say("replay", match, "--seat", "0")
    assert "chain: right" in stack.say("verify", f"{stack.origin}/api/v1/matches/{match}/record")
    kept = stack.folder / "demo.json"
    assert kept.stat().st_mode & 0o077 == 0
    assert len(json.loads(kept.read_text())["bots"]) == BOTS
    assert (stack.folder / "running.json").stat().st_mode & 0o077 == 0
