"""Is a mail sent once as far as the mail server allows, again after trouble, safely, and without a word of it in the log?"""

from __future__ import annotations

import io
import json
import logging
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import structlog

from services.relay import tasks
from services.relay.mail import owed
from services.relay.mail.server import Outcome, Server
from shared.desk import doctor
from shared.runtime import log
from shared.runtime.settings import SettingRefused, Settings
from tests.gateway.conftest import House
from tests.gateway.mail.conftest import Browser, Inbox, Office
from tests.league.hooks.test_addresses import certified
from tests.ledger import rule

Made = Callable[..., Inbox]


@pytest.fixture
def lines() -> Iterator[io.StringIO]:
    """What a relay logs, every line of it."""
    root, written = logging.getLogger(), io.StringIO()
    before, level = root.handlers[:], root.level
    log.start("relay", "debug", written)
    yield written
    structlog.reset_defaults()
    logging.captureWarnings(capture=False)
    root.handlers[:], root.level = before, level


@pytest.fixture
def made() -> Iterator[Made]:
    """Further mail servers, each of its own kind."""
    servers: list[Inbox] = []

    def one(*facts: object, **more: object) -> Inbox:
        servers.append(Inbox(*facts, **more))       # type: ignore[arg-type]  as they are given
        return servers[-1]
    yield one
    for server in servers:
        server.close()


@rule("PL-576", "PL-600")
def test_two_relays_never_send_the_same_mail_and_a_relay_that_died_is_followed_by_another(office: Office, inbox: Inbox):
    person = office.reader("correction")
    person.told("correction")
    first = owed.take(office.post.database, office.settings)
    assert first is not None
    assert owed.take(office.post.database, office.settings) is None
    server = Server(office.settings)
    assert server.send(first.letter(office.settings)).good      # and here the relay is killed
    office.due()
    assert office.sent() == 1
    owed.mark(office.post.database, first.row, Outcome("connection"))     # the turn has passed to somebody else: this changes nothing
    server.close()
    assert [mail["state"] for mail in office.mails(person)] == ["sent"]
    one, other = inbox.got
    assert one["Message-ID"] == other["Message-ID"] == f"<{first.row['mail_id']}@127.0.0.1>"
    assert bytes(one) == bytes(other)


@rule("PL-576", "PL-654")
def test_what_fails_is_sent_again_after_growing_waits_and_in_the_end_given_up(office: Office, inbox: Inbox):
    person = office.reader("correction")
    person.told("correction")
    waits = []
    for _ in owed.PAUSES:
        inbox.answers.append("451 come back later")
        assert office.sent() == 1
        [mail] = office.mails(person)
        assert (mail["state"], mail["reason"]) == ("waiting", "refused")
        waits.append((mail["due_at"] - office.house.one("SELECT clock_timestamp() AS now")["now"]).total_seconds())
        office.due()
    [finding] = office.house.all(doctor.SQL.late_mails)
    assert (finding["facts"]["mails"], finding["facts"]["reason"]) == (1, "refused")
    assert all(pause - 5 < wait <= pause * (1 + owed.MORE) for pause, wait in zip(owed.PAUSES, waits, strict=True))
    inbox.answers.append("451 come back later")
    assert office.sent() == 1
    assert office.mails(person)[0]["state"] == "given_up"
    assert office.house.all(doctor.SQL.late_mails) == []
    assert inbox.got == []


@rule("PL-576")
def test_a_mail_that_is_refused_for_good_is_not_tried_again_and_stops_no_other(office: Office, inbox: Inbox):
    first, second = office.reader("correction"), office.reader("correction")
    for person in (first, second):
        person.told("correction")
    inbox.answers.append("550 nobody here")
    assert office.sent() == 2
    assert [office.mails(person)[0]["state"] for person in (first, second)] == ["given_up", "sent"]


@rule("PL-576")
def test_a_mail_server_that_is_away_costs_nothing_but_time(office: Office, inbox: Inbox):
    person = office.reader("correction")
    person.told("correction")
    away = office.relay(replace(office.settings, smtp_url="smtp://127.0.0.1:9"))
    assert away.look() == 1
    away.close()
    assert office.mails(person)[0]["reason"] == "connection"
    office.due()
    assert office.sent() == 1


@rule("PL-576")
def test_mail_goes_under_tls_with_a_login_or_not_at_all(office: Office, made: Made, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    person = office.reader("correction")
    safe, bare = made(certified(tmp_path, "localhost"), auth_require_tls=True, require_starttls=True), made()
    at = f"localhost:{safe.port}"
    tries = [(f"smtp://league:a%20secret%2Fword@{at}", "tls"), (f"smtp://league:wrong@{at}", "login"), (f"smtp://localhost:{bare.port}", "tls"),
             (f"smtp://league:a%20secret%2Fword@{at}", "")]
    for number, (url, reason) in enumerate(tries):
        if number == 1:
            monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "cert.pem"))     # before, nobody vouches for the server
        person.told("correction")
        office.due()
        relay = office.relay(replace(office.settings, smtp_url=url, smtp_plain=False))
        assert relay.look() >= 1
        relay.close()
        assert (office.mails(person)[-1]["reason"] or "") == reason, url
    assert safe.logins[-1] == (b"league", b"a secret/word")
    assert [mail["To"] for mail in safe.got] == [person.me()["mail"]] * 4
    assert bare.got == []


@rule("PL-576", "PL-737")
def test_no_address_and_no_code_is_logged(office: Office, inbox: Inbox, lines: io.StringIO):
    inbox.answers += ["550 nobody@example.org is not here", "451 later, nobody@example.org"]
    person = Browser(office, mail="nobody@example.org")
    office.sent()
    person.ask("POST", "/me/mail-confirmation")
    office.sent()
    monster = "a" * 60 + "ü@example.org"        # the mail server of the tests does not take it
    office.house.do("UPDATE mailboxes SET code_for = %s WHERE account_id = %s", monster, person.id)
    office.due()
    office.sent()
    told = lines.getvalue()
    assert {"mail_given_up", "mail_failed"} <= {json.loads(line)["event"] for line in told.splitlines()}
    assert "example.org" not in told


@rule("PL-112", "PL-771")
def test_a_relay_refuses_settings_with_which_no_mail_would_go(office: Office):
    for wrong in ({"smtp_url": ""}, {"smtp_url": "http://mail.example.org"}, {"smtp_url": "smtp://"}, {"mail_from": "Cupboard"}):
        with pytest.raises(SettingRefused):
            Server(replace(office.settings, **wrong))


@rule("PL-576")
def test_the_relay_process_sends_mail_where_a_sender_is_set(office: Office, inbox: Inbox, monkeypatch: pytest.MonkeyPatch):
    person = office.reader("correction")
    person.told("correction")
    while inbox.arrived.acquire(blocking=False):
        pass

    class Idle:
        """The relay's other half, until the mail has come."""

        def __init__(self, _settings: Settings) -> None:
            pass

        def run(self, stopping: threading.Event) -> None:
            assert inbox.arrived.acquire(timeout=20)
            stopping.set()
    for name, stand_in in (("read", lambda **_: office.settings), ("Relay", Idle)):
        monkeypatch.setattr(tasks, name, stand_in)
    monkeypatch.setattr(tasks.signal, "signal", lambda *_: None)
    assert tasks.main() == 0
    assert [mail["To"] for mail in inbox.got] == [person.me()["mail"]]


@rule("PL-576")
def test_old_mails_are_forgotten_but_not_what_has_been_told(office: Office, house: House):
    person = office.reader("correction")
    person.told("correction")
    office.sent()
    owed.tidy(office.post.database)
    assert len(office.mails(person)) == 1
    house.do("UPDATE mails SET done_at = done_at - interval '31 days' WHERE account_id = %s", person.id)
    owed.tidy(office.post.database)
    assert office.mails(person) == []
