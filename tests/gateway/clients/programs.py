"""What do the tests of other people's programs stand on? A program as it speaks to this server, its maker, and somebody whom it asks."""

from __future__ import annotations

import base64
import hashlib
import html
import re
import secrets
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest
from werkzeug.test import TestResponse

from tests.gateway.conftest import API, NUMBERS, House, Player
from tests.gateway.trust.test_second_factor import BASE, OURS, Person, somebody

BACK = "https://ladder.example/back?of=cupboard"
CONSENT = "/oauth/authorize"
STATE = "x y&z=~%2F"
ISSUER = "http://127.0.0.1:8000"


@dataclass
class Program:
    """A program of somebody, as it stands to this server."""

    house: House
    id: str
    back: str = BACK
    scope: str = "match:read account:read"
    verifier: str = field(default_factory=lambda: secrets.token_urlsafe(48))

    def asked(self, **other: Any) -> dict[str, Any]:
        """The query of its request; None leaves something out."""
        challenge = base64.urlsafe_b64encode(hashlib.sha256(self.verifier.encode()).digest()).rstrip(b"=").decode()
        usual = {"response_type": "code", "client_id": self.id, "redirect_uri": self.back, "scope": self.scope, "state": STATE,
                 "code_challenge": challenge, "code_challenge_method": "S256"}
        return {name: value for name, value in {**usual, **other}.items() if value is not None}

    def sends(self, person: Person, **other: Any) -> TestResponse:
        return person.client.get(f"{CONSENT}?{urlencode(self.asked(**other), doseq=True)}", base_url=BASE)

    def answered(self, person: Person, decision: str = "yes", **other: Any) -> TestResponse:
        """What the person's browser gets for the form."""
        page = self.sends(person)
        inputs = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', page.text))
        return person.client.post(CONSENT, data={**{name: html.unescape(value) for name, value in inputs.items()}, "decision": decision, **other},
                                  base_url=BASE, headers=OURS)

    def code(self, person: Person) -> str:
        return back_with(self.answered(person))["code"]

    def posts(self, path: str, **form: Any) -> TestResponse:
        wish = {"client_id": self.id, **form}
        return self.house.client().post(f"{API}/oauth/{path}", data={name: value for name, value in wish.items() if value is not None})

    def exchanges(self, code: Any, **other: Any) -> TestResponse:
        return self.posts("token", **{"grant_type": "authorization_code", "code": code, "redirect_uri": self.back, "code_verifier": self.verifier, **other})

    def refreshes(self, token: str, **other: Any) -> TestResponse:
        return self.posts("token", **{"grant_type": "refresh_token", "refresh_token": token, **other})

    def let_in(self, person: Person) -> dict[str, Any]:
        given = self.exchanges(self.code(person))
        assert given.status_code == 200, given.json
        return given.json

    def may(self, access: str, path: str = "/me") -> TestResponse:
        return Player(self.house, "", "", access).get(path)


def back_with(answer: TestResponse) -> dict[str, str]:
    """What the program finds in the address that the browser is sent to."""
    assert answer.status_code == 303, answer.text
    assert answer.headers["Location"].startswith(f"{BACK}&")
    return dict(parse_qsl(urlsplit(answer.headers["Location"]).query))


def registered(person: Person, **wish: Any) -> TestResponse:
    return person.write("POST", "/clients", {"name": f"Ladder {next(NUMBERS)}", "homepage": "https://ladder.example/", "redirects": [BACK], **wish})


def refused(answer: TestResponse) -> tuple[int, str]:
    assert answer.headers["Cache-Control"] == "no-store"
    return answer.status_code, answer.json["error"]


@pytest.fixture
def maker(house: House) -> Person:
    return somebody(house)


@pytest.fixture
def person(house: House) -> Person:
    return somebody(house)


@pytest.fixture
def program(house: House, maker: Person) -> Program:
    return Program(house, registered(maker).json["client"])
