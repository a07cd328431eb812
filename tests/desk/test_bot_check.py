"""Does the conformance kit find what a bot does wrong (PL-529)? A bot that keeps every rule, and one for each rule that breaks just that."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

import pytest
import requests

from services.gateway.api.match_schemas import RowOut
from services.gateway.api.reading_schemas import AskOut, ViewOut
from services.gateway.problems import Problem
from shared.desk import cli
from shared.desk.bot import client as library
from shared.desk.bot import probes
from shared.desk.bot.client import ENDED, Bot, Client, Json, Refused
from shared.desk.bot.exam import Exam, Plan, Sitting
from shared.desk.bot.host import Post
from shared.desk.bot.marks import Mark
from shared.desk.bot.program import NoRecord, recorded
from shared.desk.bot.table import Course, Table, as_played
from tests.laws.pebbles.game import GAME
from tests.ledger import rule

KEY = bytes(32)
WRONG = {"do": "throw", "dice": 99}


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library, "AGAIN", 0.02)


def anything(_ask: Json, _view: Json) -> None:
    return None


class Honest(Bot):
    """The bot of the library, made for an exam."""

    client_kind: type[Client] = Client

    def __init__(self, origin: str, token: str) -> None:
        super().__init__(self.client_kind(origin, token), anything)
        self.token = token


def examined(kind: Callable[[str, str], Bot], tried: Sequence[type[probes.Probe]] = (), *, record: bool = False, **more: Any) -> dict[str, Mark]:
    plan = Plan(GAME, 2, Course(KEY, as_played(GAME, 2, KEY)) if record else None, probes=tried, **{"limit": 8.0, "pause": 0.1, "calm": 0.05, "asks": 4, **more})
    exam = Exam(plan)
    bot = kind(exam.host.origin, exam.host.token)
    thread = threading.Thread(target=_played, args=(bot,), daemon=True)
    thread.start()
    try:
        return exam.run(lambda: not thread.is_alive())
    finally:
        bot.stopping.set()


def _played(bot: Bot) -> None:
    with suppress(KeyError, requests.RequestException):     # it has ended, as a process would
        bot.play()


def failed(found: Mapping[str, Mark]) -> list[str]:
    return [name for name, mark in found.items() if not mark.passed]


@rule("PL-529")
def test_a_bot_that_keeps_the_rules_passes_all_of_them() -> None:
    found = examined(Honest, probes.ALL, record=True, limit=3.0, asks=60)
    assert [(name, mark.found, mark.tried) for name, mark in found.items() if not mark.passed] == []
    assert len(found) == 16


# One bot for each rule, that breaks just this one ------------------------------------------------------------------------------


class Keyless(Client):
    """Remembers only afterwards that a key is needed."""

    def _send(self, method: str, path: str, **more: Any) -> Json:
        if method == "POST":
            self._session.post(f"{self.origin}/api/v1{path}", json=more["json"], timeout=5)
        return super()._send(method, path, **more)


class OneKey(Client):
    """Thinks of a key once, and before each command tries it."""

    def _send(self, method: str, path: str, **more: Any) -> Json:
        if method == "POST":
            headers = {"Idempotency-Key": "mine", "Prefer": "wait=5"}
            answer = self._session.post(f"{self.origin}/api/v1{path}", json=more["json"], headers=headers, timeout=5)
            if answer.ok:
                return dict(answer.json())
        return super()._send(method, path, **more)


class Telling(Client):
    """Shows its token in addresses."""

    def get(self, path: str, **query: Any) -> Json:
        token = str(self._session.headers["Authorization"]).removeprefix("Bearer ")
        return super().get(path, token=token, **query)


class Forgetful(Client):
    """Makes a new key for each attempt."""

    def post(self, path: str, body: Mapping[str, Any], *, wait: int = 0) -> Json:
        headers = {"Idempotency-Key": str(time.monotonic_ns()), "Prefer": "wait=5"}
        try:
            answer = self._session.post(f"{self.origin}/api/v1{path}", json=dict(body), headers=headers, timeout=5)
        except requests.ConnectionError:
            return self.post(path, body, wait=wait)
        if not answer.ok:
            raise Refused(answer)
        return dict(answer.json())


class Hasty(Client):
    """Never waits."""

    def _send(self, method: str, path: str, **more: Any) -> Json:
        while (answer := self._session.request(method, f"{self.origin}/api/v1{path}", timeout=5, **more)).status_code == 503:
            time.sleep(0.02)
        if not answer.ok:
            raise Refused(answer)
        return dict(answer.json())


class Boasting(Client):
    """Says it has read more than there is."""

    def follow(self, read: Mapping[str, int]) -> Iterator[Json]:
        return super().follow({match: step + 900 for match, step in read.items()})


def with_client(kind: type[Client]) -> type[Honest]:
    return type(f"With{kind.__name__}", (Honest,), {"client_kind": kind})


class Onesided(Honest):
    """Plays in one match at a time only: whatever came first."""

    skip_first = False

    def answer(self, ask: Json) -> None:
        first = self.__dict__.setdefault("first", ask["match"])
        if (ask["match"] == first) != self.skip_first:
            super().answer(ask)


class SkipsFirst(Onesided):
    skip_first = True


class Cheating(Honest):
    def _command(self, ask: Json) -> Json:
        return WRONG


class Twice(Honest):
    """Answers whatever it is told, told before or not."""

    def hear(self, message: Json) -> float:
        if message.get("ask"):
            self.answered.clear()
            self.answer(message["ask"])
            return 0.0
        return super().hear(message)


class Proud(Honest):
    """Does not answer again."""

    def answer(self, ask: Json) -> None:
        self.answered.setdefault(ask["match"], set())
        if ask["needed"] and (ask["seat"], ask["ask"]) not in self.answered[ask["match"]]:
            self.answered[ask["match"]].add((ask["seat"], ask["ask"]))
            with suppress(Refused):
                self._post(ask, self._command(ask))


class Stubborn(Honest):
    """Says it once more, for who knows."""

    def _post(self, ask: Json, command: Json) -> None:
        try:
            super()._post(ask, command)
        except Refused as refusal:
            if refusal.code == "too_late":
                super()._post(ask, command)
            raise


class Impatient(Honest):
    def hear(self, message: Json) -> float:
        return 0.0 if message["type"] == "bye" else super().hear(message)


class Deaf(Honest):
    """Knows a match already, and so listens to no greeting."""

    def hear(self, message: Json) -> float:
        known = message["type"] == "hello" and message.get("match") in self.read
        return 0.0 if known or message["type"] == "resync" else super().hear(message)


class Strict(Honest):
    def hear(self, message: Json) -> float:
        if message["type"] not in {"hello", "letter", "resync", "bye"}:
            raise KeyError(message["type"])
        return super().hear(message)


class Clinging(Honest):
    """Cannot believe that a match is over."""

    def _told(self, message: Json) -> None:
        super()._told(message)
        if message.get("state") in ENDED:
            time.sleep(0.08)
            with suppress(Refused):
                self.client.post(f"/matches/{message['match']}/commands", {"ask": message["step"] - 1, "command": {"do": "rest"}})


class Absent(Honest):
    def play(self) -> None:
        self.stopping.wait(2)


class Runaway(Honest):
    """Does not come back."""

    def play(self) -> None:
        for message in self.client.follow({}):
            self.hear(message)


@rule("PL-529")
@pytest.mark.parametrize(("broken", "kind", "tried"), [
    ("token", with_client(Telling), ()), ("answers", Onesided, ()), ("offers", Cheating, ()), ("keys", with_client(Keyless), ()),
    ("keys", with_client(OneKey), ()), ("once", Twice, [probes.Again]), ("lost", with_client(Forgetful), [probes.Lost]),
    ("waits", with_client(Hasty), [probes.Away]), ("refused", Proud, [probes.Refusal]), ("late", Stubborn, [probes.Late]),
    ("cut", with_client(Boasting), [probes.Cut]), ("bye", Impatient, [probes.Bye]), ("resync", Deaf, [probes.Resync]),
    ("unknown", Strict, [probes.Unknown]), ("over", Clinging, ()),
], ids=lambda value: value if isinstance(value, str) else getattr(value, "__name__", ""))
def test_a_bot_that_breaks_a_rule_fails_this_one(broken: str, kind: type[Honest], tried: Sequence[type[probes.Probe]]) -> None:
    silent = {"limit": 0.7, "asks": 2} if broken in {"answers", "refused", "resync"} else {}
    found = examined(kind, tried, calm=0.15 if broken == "over" else 0.05, **silent)
    assert [name for name in failed(found) if found[name].found] == [broken], {name: mark.found for name, mark in found.items()}


@rule("PL-529")
def test_a_bot_that_leaves_out_the_recorded_match_fails_it() -> None:
    found = examined(SkipsFirst, record=True, limit=0.7, asks=2)
    assert [name for name in failed(found) if found[name].found] == ["recorded"]


@rule("PL-529")
def test_a_bot_that_never_opens_a_stream_has_not_come() -> None:
    found = examined(Absent, arrival=0.2)
    assert found["stream"].found == "nobody came"
    assert failed(found) == list(found), "what was not tried has not been passed"


@rule("PL-529")
def test_a_bot_that_does_not_come_back_fails_there() -> None:
    found = examined(Runaway, [probes.Cut], limit=0.7)
    assert found["cut"].found


# The program -------------------------------------------------------------------------------------------------------------------


@rule("PL-529", "PL-681")
def test_the_program_tells_each_rule_and_ends_with_what_was_found(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shared.desk.bot.program.Plan", lambda *facts, **more: Plan(*facts, probes=(), arrival=0.3, **more))
    ended = cli.main(["bot", "check", "tests.laws.pebbles.game:GAME", "--json", "--", "false"])
    told = json.loads(capsys.readouterr().out)
    assert (ended, told["passed"], told["game"]) == (1, False, "pebbles")
    assert told["rules"][0] == {"clause": "PL-524", "rule": told["rules"][0]["rule"], "passed": False, "found": "nobody came"}
    assert cli.main(["bot", "check", "no_such_game"]) == 2


@rule("PL-529")
def test_the_record_of_a_match_is_played_with_its_own_options_up_to_what_no_player_did() -> None:
    head = {"game": GAME.name, "version": GAME.version, "options": {"rounds": 2}, "key": KEY.hex(), "seats": 3}
    steps = [{"step": 1, "kind": "start"}, {"step": 2, "kind": "command", "seat": 0, "command": {"do": "rest"}}, {"step": 3, "kind": "phase"},
             {"step": 4, "kind": "leave", "seat": 1, "command": {"how": "resigned"}}, {"step": 5, "kind": "phase"}]
    seats, course = recorded(GAME, "\n".join(json.dumps(line) for line in (head, *steps, {"chain": ""})))
    assert (seats, course) == (3, Course(KEY, {2: (0, {"do": "rest"}), 3: (None, None)}, {"rounds": 2}))
    for text in ("", "[]", json.dumps(head | {"version": 99}) + "\n\n"):
        with pytest.raises(NoRecord):
            recorded(GAME, text)


# The stand-in and the gateway ----------------------------------------------------------------------------------------------------


@rule("PL-529", "PL-204")
def test_the_stand_in_says_nothing_that_the_gateway_does_not() -> None:
    exam = Exam(Plan(GAME, 2, None, probes=()))
    try:
        table = Table(GAME, 2, 0, 5)
        exam.begin(Sitting(table))
        ask = table.ask_told()
        assert ask is not None
        assert set(ask) == set(AskOut().fields) - {"game"}
        assert set(table.view()) == set(ViewOut().fields)
        post = Post(table.name, "k-1", {"seat": 0, "ask": ask["ask"], "command": {"do": "rest"}}, waits=True, at=time.monotonic())
        answer = exam.command(post)
        assert answer.status == 200
        assert set(answer.body) <= set(RowOut().fields)
        late = exam.command(post._replace(key="k-2"))
        assert (late.status, late.body["code"]) == (409, "stale_ask")
        assert set(Problem("stale_ask").body("", "")) <= {*late.body, "instance"}
    finally:
        exam.host.close()
