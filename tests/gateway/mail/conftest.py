"""What do the tests of mail stand on? A gateway with mail switched on, a relay by hand, and a real mail server on this machine."""

from __future__ import annotations

import email.policy
import logging
import re
import socket
import ssl
import threading
from collections.abc import Iterator
from dataclasses import replace
from email import message_from_bytes
from email.message import EmailMessage
from types import SimpleNamespace
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from services.gateway.app import create_app
from services.relay.mail import owed
from services.relay.mail.post import Post
from shared.runtime.settings import Settings
from shared.runtime.store import Row
from tests.gateway.conftest import API, NUMBERS, House, Player

PASSWORD = "correct horse battery"
BASE = "http://localhost:8000"


class Inbox:
    """A mail server: keeps what it takes, and answers as it is told."""

    def __init__(self, tls: ssl.SSLContext | None = None, **facts: Any) -> None:
        self.got: list[EmailMessage] = []
        self.answers: list[str] = []        # to the next mails; then they are taken
        self.arrived = threading.Semaphore(0)
        self.logins: list[tuple[bytes, bytes]] = []
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])
        checks = {"authenticator": self._login, "auth_required": True} if facts.get("auth_require_tls") else {}
        self._controller = Controller(SimpleNamespace(handle_DATA=self._taken), hostname="127.0.0.1", port=self.port, server_hostname="localhost", tls_context=tls, **checks, **facts)
        self._controller.start()
        logging.getLogger("mail.log").setLevel(logging.CRITICAL)    # aiosmtpd tells every line

    async def _taken(self, _server: SMTP, _session: Any, envelope: Any) -> str:
        answer = self.answers.pop(0) if self.answers else "250 taken"
        if answer.startswith("250"):
            found = message_from_bytes(envelope.content, policy=email.policy.default)
            assert isinstance(found, EmailMessage)
            assert envelope.rcpt_tos == [found["To"]]
            self.got.append(found)
            self.arrived.release()
        return answer

    def _login(self, _server: SMTP, _session: Any, _envelope: Any, _mechanism: str, given: Any) -> AuthResult:
        self.logins.append((given.login, given.password))
        return AuthResult(success=given.password == b"a secret/word", handled=False)

    def text(self) -> str:
        """The one mail that has come, taken out."""
        [mail] = self.got
        self.got.clear()
        return str(mail.get_content()).replace("\r\n", "\n")

    def close(self) -> None:
        self._controller.stop()


class Browser:
    """Somebody with an account, a password and a session."""

    def __init__(self, office: Office, **more: Any) -> None:
        self.office, self.name = office, f"reader-{next(NUMBERS)}"
        self.client: FlaskClient = office.app.test_client()
        answer = self.ask("POST", "/accounts", {"name": self.name, "password": PASSWORD, **more})
        assert answer.status_code == 201, answer.json
        self.id = str(answer.json["account"])
        self.sign_in()

    def sign_in(self, password: str = PASSWORD) -> int:
        return self.client.post(f"{API}/sessions", json={"name": self.name, "password": password}, base_url=BASE).status_code

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> TestResponse:
        sent = {"Idempotency-Key": f"k-{next(NUMBERS)}", "Sec-Fetch-Site": "same-origin", **{key.replace("_", "-"): value for key, value in headers.items()}}
        return self.client.open(API + path, method=method, json=body, headers=sent, base_url=BASE)

    def me(self) -> Any:
        return self.ask("GET", "/me").json

    def change(self, **wish: Any) -> TestResponse:
        return self.ask("PATCH", "/me", wish, If_Match=self.ask("GET", "/me").headers["ETag"])

    def player(self) -> Player:
        return Player(self.office.house, self.id, self.name, self.office.house.token(self.id, ["match:read", "match:play", "match:create", "account:read", "account:write"]))

    def told(self, kind: str, **facts: Any) -> None:
        """A notice, as the league writes it."""
        self.office.house.do("INSERT INTO notices (account_id, cause, kind, match_id, facts) VALUES (%s, %s, %s, %s, %s::jsonb)", self.id,
                             f"test {next(NUMBERS)}", kind, facts.pop("match", None), facts.pop("facts", "{}"))


class Office:
    """The gateway with mail, and the relay's part of it."""

    def __init__(self, house: House, inbox: Inbox) -> None:
        self.house, self.inbox = house, inbox
        self.settings = replace(house.settings, mail_from="Cupboard <league@example.org>", smtp_url=f"smtp://127.0.0.1:{inbox.port}", smtp_plain=True)
        self.app = create_app(self.settings, attended=False)
        self.app.extensions["gate"].clock.measure(self.app.extensions["gate"].store)
        self.post = self.relay(self.settings)

    def relay(self, settings: Settings) -> Post:
        return Post(settings)

    def reader(self, *kinds: str, **settings: Any) -> Browser:
        """Somebody whose address is confirmed and who wants mail of these kinds."""
        person = Browser(self, mail=f"mail-{next(NUMBERS)}@example.org")
        self.post.look()
        assert person.ask("POST", f"/mail-confirmations/{link(self.inbox.text(), 'mail/confirm')}").status_code == 204
        assert person.change(notices={"mail": list(kinds)}, **settings).status_code == 200
        return person

    def sent(self) -> int:
        """Everything that is due now."""
        return self.post.look()

    def turns(self, bundled: float = owed.BUNDLED) -> int:
        owed.owe_turns(self.post.database, bundled)
        return self.sent()

    def mails(self, person: Browser) -> list[Row]:
        return self.house.all("SELECT * FROM mails WHERE account_id = %s AND kind <> 'confirm' ORDER BY made_at", person.id)

    def due(self) -> None:
        """Whatever waits, waits no longer."""
        self.house.do("UPDATE mails SET due_at = clock_timestamp() WHERE state IN ('waiting', 'going')")

    def close(self) -> None:
        self.post.close()
        self.app.extensions["gate"].close()


def link(text: str, path: str) -> str:
    """The code behind a link of this kind."""
    found = re.search(rf"/{path}/([\w.-]+)", text)
    assert found, text
    return found[1]


@pytest.fixture(scope="module")
def server() -> Iterator[Inbox]:
    server = Inbox()
    yield server
    server.close()


@pytest.fixture(scope="module")
def built(house: House, server: Inbox) -> Iterator[Office]:
    office = Office(house, server)
    yield office
    office.close()


@pytest.fixture
def office(built: Office) -> Office:
    """The same for all tests of a file, with nothing left to send and nobody left who wants anything."""
    built.house.do("UPDATE mailboxes SET kinds = '{}'")
    built.house.do("DELETE FROM mails")
    built.inbox.got.clear()
    built.inbox.answers.clear()
    return built


@pytest.fixture
def inbox(office: Office) -> Inbox:
    return office.inbox
