"""How does a bot play over the API? One file to copy: it needs Python 3.11 and `requests`, and nothing else of Cupboard.

    from client import play

    def decide(ask, view):
        return {"do": "rest"}           # one of ask["choices"]; None takes any of them

    play(decide)                        # the gateway at CUPBOARD_URL, as the bot whose token is in CUPBOARD_TOKEN

or, with `decide` in a file of its own: `python client.py my_bot.py`.
"""

from __future__ import annotations

import importlib.util
import json
import os
import random
import sys
import threading
import time
import traceback
import uuid
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import requests

PATIENCE = 60.0             # seconds to go on asking a gateway that is away, behind, or wants us to slow down
LATER = frozenset({429, 503})
WAIT = 5                    # seconds that the gateway may hold a command until its outcome is known
AGAIN = 0.5                 # seconds until somebody who was not there is tried again
SILENCE = 40.0              # seconds without any sign of life after which a stream is dead
TRIES = 3                   # after so many refused answers the gateway gives the default (PL-525)
ENDED = frozenset({"finished", "aborted", "voided"})
Json = dict[str, Any]
Decide = Callable[[Json, Json], Json | None]
CHANCE = random.Random()    # noqa: S311  a taste, not a secret


class Refused(Exception):
    """A problem of the API, by its code."""

    def __init__(self, answer: requests.Response) -> None:
        told = answer.json() if "json" in answer.headers.get("Content-Type", "") else {}
        self.code, self.facts = told.get("code", str(answer.status_code)), told
        super().__init__(f"{answer.request.method} {answer.request.path_url}: {self.code} {told.get('detail', '')} {told.get('errors', '')}")


class Client:
    """One caller of the API, by token or by a browser's session, on a connection that is kept."""

    def __init__(self, origin: str, token: str | None = None) -> None:
        self.origin, self._session = origin, requests.Session()
        self._session.headers["Origin"] = origin
        if token is not None:
            self._session.headers["Authorization"] = f"Bearer {token}"

    def get(self, path: str, **query: Any) -> Json:
        return self._send("GET", path, params=query)

    def post(self, path: str, body: Mapping[str, Any], *, wait: int = 0) -> Json:
        """The same key at every repeat, so that nothing is done twice; `wait` seconds for the outcome of a command."""
        headers = {"Idempotency-Key": str(uuid.uuid4())} | ({"Prefer": f"wait={wait}"} if wait else {})
        return self._send("POST", path, json=dict(body), headers=headers)

    def follow(self, read: Mapping[str, int]) -> Iterator[Json]:
        """The messages of all matches of a bot, each match from the step on that has been read; ends when the stream does."""
        after = {"after": ",".join(f"{match}:{step}" for match, step in read.items())} if read else {}
        headers = {"Accept": "application/x-ndjson"}
        with self._session.get(f"{self.origin}/api/v1/bot/stream", params=after, headers=headers, stream=True, timeout=(10, SILENCE)) as stream:
            if not stream.ok:
                raise Refused(stream)
            for line in stream.iter_lines(chunk_size=65536):
                if line:            # an empty one is a sign of life
                    yield json.loads(line)

    def _send(self, method: str, path: str, **more: Any) -> Json:
        give_up = time.monotonic() + PATIENCE
        while True:
            try:
                answer = self._session.request(method, f"{self.origin}/api/v1{path}", timeout=30, **more)
            except (requests.ConnectionError, requests.Timeout):
                if time.monotonic() > give_up:
                    raise
                time.sleep(AGAIN)
                continue
            if answer.ok:
                told: Json = answer.json() if answer.content else {}
                return told
            if answer.status_code not in LATER or time.monotonic() > give_up:
                raise Refused(answer)
            time.sleep(min(5.0, float(answer.headers.get("Retry-After", 1))))


class Bot:
    """Reads the bot stream, and answers each ask once; what is refused it answers otherwise."""

    def __init__(self, client: Client, decide: Decide) -> None:
        self.client, self.decide = client, decide
        self.stopping = threading.Event()
        self.read: dict[str, int] = {}                      # per match, the last step that was told
        self.answered: dict[str, set[tuple[int, int]]] = {}  # per match, seats and asks

    def play(self) -> None:
        """Until somebody sets `stopping`: whatever ends a stream, it is opened again where it was."""
        while not self.stopping.is_set():
            pause = AGAIN
            try:
                for message in self.client.follow(self.read):
                    pause = self.hear(message)
                    if self.stopping.is_set():
                        return
            except requests.RequestException:
                pause = AGAIN
            except Refused as refusal:
                if refusal.code in {"bad_token", "not_signed_in", "not_allowed", "scope_missing"}:
                    raise
                pause = float(refusal.facts.get("retry_after", 1))
            self.stopping.wait(pause)

    def hear(self, message: Json) -> float:
        """One message of the stream; how long to wait should it be the last one. What is of no known kind is passed over."""
        match message.get("type"):
            case "bye":
                return float(message.get("reconnect_after_ms", 1000)) / 1000
            case "resync":
                for match in [message["match"]] if "match" in message else list(self.read):
                    self.read.pop(match, None)
            case "hello" | "letter" if "match" in message:
                self._told(message)
        return AGAIN

    def _told(self, message: Json) -> None:
        match, step = message["match"], message["step"]
        if message["type"] == "letter" and step <= self.read.get(match, 0):
            return          # told before
        self.read[match] = step
        if message.get("state") in ENDED:
            self.read.pop(match)
            self.answered.pop(match, None)
        elif ask := message.get("ask"):
            self.answer(ask)

    def answer(self, ask: Json) -> None:
        done = self.answered.setdefault(ask["match"], set())
        if not ask["needed"] or (ask["seat"], ask["ask"]) in done:
            return          # nobody waits for it, or it has an answer
        done.add((ask["seat"], ask["ask"]))
        for attempt in range(TRIES):
            try:
                self._post(ask, self._command(ask) if attempt == 0 else anything(ask["choices"], CHANCE))
            except Refused as refusal:
                if refusal.facts.get("status") == 422:
                    continue        # the ask is still open
            return          # answered, or overtaken: the stream tells what is asked now

    def _command(self, ask: Json) -> Json:
        try:
            view = self.client.get(f"/matches/{ask['match']}/view", seat=ask["seat"])["view"]
            return self.decide(ask, view) or anything(ask["choices"], CHANCE)
        except Refused:
            raise
        except Exception:       # noqa: BLE001  a mistake in `decide` loses no match
            traceback.print_exc()
            return anything(ask["choices"], CHANCE)

    def _post(self, ask: Json, command: Json) -> None:
        place = f"/matches/{ask['match']}/commands"
        row = self.client.post(place, {"seat": ask["seat"], "ask": ask["ask"], "command": command}, wait=WAIT)
        while row["state"] == "waiting":
            self.stopping.wait(AGAIN)
            row = self.client.get(f"{place}/{row['command']}")
        if row["state"] == "refused":
            self._post(ask, anything(ask["choices"], CHANCE))


def anything(choices: list[Json], chance: random.Random) -> Json:
    """Any choice, with any values: whoever knows more about the game can play better, nobody has to."""
    choice = chance.choice(choices)
    return {"do": choice["do"], **{name: any_value(shape, chance) for name, shape in choice["fields"].items()}}


def any_value(shape: Json, chance: random.Random) -> Any:
    """A value of one of the six shapes (PL-354)."""
    match shape["type"]:
        case "one":
            return chance.choice(shape["of"])["value"]
        case "some":
            most = shape["least"] if chance.random() < 0.8 else chance.randint(shape["least"], shape["most"])
            return [member["value"] for member in chance.sample(shape["of"], most)]
        case "arrange":
            count = chance.randint(shape["least"], min(len(shape["of"]), len(shape["slots"])))
            members = chance.sample(shape["of"], count)
            return {slot: member["value"] for slot, member in zip(chance.sample(shape["slots"], count), members, strict=True)}
        case "number":
            step = shape["multiple_of"]
            return chance.randint(-(-shape["least"] // step), shape["most"] // step) * step
        case "goods":
            return _any_deal(shape, chance)
        case _:
            letters = "".join(chance.choices("aeiklmnorstu", k=max(shape["least"], min(shape["most"], 8))))
            return chance.choice(shape["suggestions"] or [letters.capitalize()])


def _any_deal(shape: Json, chance: random.Random) -> Json:
    """One lot of one side, or of each where both have to give something."""
    partner = chance.choice(sorted(shape["takes"]))
    sides = [[("give", lot) for lot in shape["gives"]], [("take", lot) for lot in shape["takes"][partner]]]
    picked = [chance.choice(side) for side in (sides if shape["both"] else [sides[0] + sides[1]])]
    return {"with": partner, "give": {}, "take": {}} | {side: {lot["value"]: chance.randint(1, lot["most"])} for side, lot in picked}


def decide_of(file: str) -> Decide:
    """The function `decide` of a Python file."""
    spec = importlib.util.spec_from_file_location("the_bot", file)
    if spec is None or spec.loader is None:
        raise FileNotFoundError(file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    decide: Decide = module.decide
    return decide


def play(decide: Decide, origin: str = "", token: str = "") -> None:
    """All matches of one bot, for ever."""
    Bot(Client(origin or os.environ["CUPBOARD_URL"], token or os.environ["CUPBOARD_TOKEN"]), decide).play()


if __name__ == "__main__":
    play(decide_of(sys.argv[1]))
