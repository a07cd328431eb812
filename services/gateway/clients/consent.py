"""What does a program ask for at `/oauth/authorize`, and where does the answer go (PL-179; RFC 6749, 7636, 8252, 9207)?"""

from __future__ import annotations

import hashlib
import re
import secrets
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from services.gateway.accounts import new_id
from services.gateway.clients.registered import SQL, known
from services.gateway.rights import SCOPES, Caller
from services.gateway.store import Store
from shared.runtime.store import Row

# What may be given, in words. Left out is what would outlast the permission (endpoints, roles of others), what bots do, and what operators do.
WORDS: Mapping[str, str] = tomllib.loads((Path(__file__).parent.parent / "words" / "scopes.toml").read_text("utf-8"))
GIVEN = tuple(scope for scope in SCOPES if scope in WORDS)
CODE_LIFE_S, CHAIN_LIFE_S = 60, 90 * 86_400
CHALLENGE = re.compile(r"[A-Za-z0-9_-]{43}")        # S256: 256 bits in base64url
STATE = re.compile(r"[\x20-\x7e]{1,1000}")          # RFC 6749 A.5
KNOWN = ("response_type", "client_id", "redirect_uri", "scope", "state", "code_challenge", "code_challenge_method")


class Unknown(Exception):
    """No such program, or not its address: whoever came is told so here, and sent nowhere."""


class Refused(Exception):
    """An error of OAuth 2, by its name."""

    def __init__(self, error: str, words: str, status: int = 400) -> None:
        super().__init__(error)
        self.error, self.words, self.status = error, words, status


@dataclass(frozen=True, slots=True)
class Way:
    """Back to the program: one of its own addresses, and what it wants to find there again."""

    client: Row
    redirect: str
    state: str | None
    issuer: str

    def back(self, **facts: str) -> str:
        """RFC 9207 Every answer says whose it is."""
        told = {**facts, **({"state": self.state} if self.state is not None else {}), "iss": self.issuer}
        return f"{self.redirect}{'&' if '?' in self.redirect else '?'}{urlencode(told)}"

    def refused(self, problem: Refused) -> str:
        return self.back(error=problem.error, error_description=problem.words)


@dataclass(frozen=True, slots=True)
class Wish:
    """What the person is asked."""

    scopes: tuple[str, ...]
    challenge: str

    @property
    def words(self) -> list[str]:
        return [WORDS[scope] for scope in self.scopes]


Given = Mapping[str, Sequence[str]]


def way_of(store: Store, given: Given, issuer: str) -> Way:
    """The address is compared letter by letter with those that are registered."""
    named, redirect = ([value for value in given.get(name, ()) if value] for name in ("client_id", "redirect_uri"))
    if len(named) != 1 or len(redirect) != 1:
        raise Unknown("It must name one program (client_id) and one address to go back to (redirect_uri).")
    client = known(store, named[0])
    if client is None:
        raise Unknown("It names a program that is not registered here.")
    if redirect[0] not in client["redirects"]:
        raise Unknown(f"It leads back to an address that is not registered for {client['name']}.")
    state = [value for value in given.get("state", ()) if value]
    return Way(client, redirect[0], state[0] if len(state) == 1 and STATE.fullmatch(state[0]) else None, issuer)


def wish_of(given: Given) -> Wish:
    """What is asked of whom is known by now; whatever is wrong is told to the program."""
    if twice := [name for name in KNOWN if len(given.get(name, ())) > 1]:
        raise Refused("invalid_request", f"{twice[0]} is given twice")
    one = {name: values[0] for name, values in given.items() if values and values[0]}
    if "state" in one and not STATE.fullmatch(one["state"]):
        raise Refused("invalid_request", "state is longer than 1000 characters, or not of ASCII")
    if "response_type" not in one:
        raise Refused("invalid_request", "response_type is missing")
    if one["response_type"] != "code":
        raise Refused("unsupported_response_type", "only code")
    if one.get("response_mode", "query") != "query":
        raise Refused("invalid_request", "response_mode can only be query")
    if one.get("code_challenge_method") != "S256" or not CHALLENGE.fullmatch(one.get("code_challenge", "")):
        raise Refused("invalid_request", "a code_challenge with the code_challenge_method S256 is needed")
    return Wish(scopes_of(one.get("scope", ""), GIVEN), one["code_challenge"])


def scopes_of(written: str, among: Sequence[str]) -> tuple[str, ...]:
    """PL-174 Of these alone."""
    wanted = set(written.split(" ")) - {""}
    if not wanted or not wanted <= set(among):
        raise Refused("invalid_scope", "some of " + " ".join(among))
    return tuple(scope for scope in among if scope in wanted)


def say_yes(store: Store, caller: Caller, way: Way, wish: Wish) -> str:
    """Where to send the browser: with a code that works once, for a minute, and only for whoever knows what the challenge was made of."""
    code = secrets.token_urlsafe(32)
    facts: dict[str, Any] = {"grant": new_id("g"), "client": way.client["client_id"], "account": caller.id, "scopes": list(wish.scopes),
                             "challenge": wish.challenge, "redirect": way.redirect}
    with store.work() as work:
        work.do(SQL.granted, hash=hashlib.sha256(code.encode()).digest(), code_life=CODE_LIFE_S, life=CHAIN_LIFE_S, **facts)
    return way.back(code=code)


def say_no(way: Way) -> str:
    return way.refused(Refused("access_denied", "the person said no"))
