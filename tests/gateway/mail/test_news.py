"""Does each notice come by mail as chosen, once, in the reader's language, and can it be stopped by one click?"""

from __future__ import annotations

from typing import Any

import psycopg
import pytest

from services.gateway.mail import boxes
from tests.gateway.conftest import House, Player
from tests.gateway.mail.conftest import BASE, Inbox, Office
from tests.gateway.mail.test_turns import sitting
from tests.ledger import rule


@rule("PL-576")
def test_a_notice_comes_by_mail_once_where_its_kind_is_wanted(office: Office, house: House, inbox: Inbox):
    person, other = office.reader("match_started"), office.reader()
    for who in (person, other):
        for kind in ("match_started", "result_recorded"):
            who.told(kind, match="m-7")
    house.do("INSERT INTO notices (account_id, cause, kind) SELECT account_id, cause, kind FROM notices WHERE account_id = %s ON CONFLICT DO NOTHING", person.id)
    assert office.sent() == 1
    for role in ("league", "worker", "relay"):      # whoever tells of something needs to know nothing of mail
        with psycopg.connect(house.settings.database_of(role), autocommit=True) as connection:
            connection.execute("INSERT INTO notices (account_id, cause, kind) VALUES (%s, %s, 'match_started')", (person.id, role))
    assert office.sent() == 3
    del inbox.got[1:]
    assert inbox.got[0]["Subject"] == "Your match has begun"
    assert f"your match has begun.\n\n{office.settings.origin}/matches/m-7\n\n-- \n" in inbox.text()
    assert house.one("SELECT count(*) AS told FROM notices WHERE account_id = %s", other.id)["told"] == 2       # the page has all of them


@rule("PL-576", "LG-145")
def test_what_is_not_written_is_not_sent(office: Office, house: House):
    person = office.reader("match_started")
    with house.owner.transaction(force_rollback=True):
        person.told("match_started")
        assert len(office.mails(person)) == 1
    assert office.mails(person) == []


@rule("PL-576", "PL-726", "LG-168")
def test_a_mail_is_in_the_language_and_by_the_clocks_of_its_reader(office: Office, inbox: Inbox):
    person = office.reader("deadline_near", language="it", zone="Europe/Rome")
    person.told("deadline_near", match="m-9", facts='{"deadline": 1801548000000}')
    assert office.sent() == 1
    [mail] = inbox.got
    assert (mail["Subject"], mail["Content-Language"]) == ("La tua partita deve finire presto", "it")
    assert f"Ciao {person.name},\n\nla tua partita deve finire entro 2027-02-02 07:00 (Europe/Rome).\n" in inbox.text()


@rule("PL-576", "PL-388")
@pytest.mark.parametrize("kind", [kind for kind in boxes.KINDS if kind != "your_turn"])
def test_every_kind_can_come_and_holds_nothing_of_its_facts_but_what_is_public(kind: str, office: Office, inbox: Inbox):
    person = office.reader(kind)
    person.told(kind, facts='{"hidden": "the queen of hearts", "reason": "a suspicion", "rule": "arena"}')
    assert office.sent() == (0 if kind == "answer_due" else 1)      # a reminder of no open question has gone with it
    told = str([(mail["Subject"], mail.get_content()) for mail in inbox.got])
    assert "queen" not in told
    assert "suspicion" not in told


@rule("PL-576", "PL-578")
def test_a_reminder_is_sent_while_its_question_is_open(office: Office, house: House, inbox: Inbox, bob: Player):
    person = office.reader("answer_due")
    match = sitting(house, person, bob)
    ask = house.open_ask(match)
    person.told("answer_due", match=match, facts=f'{{"seat": 0, "ask": {ask["ask"]}}}')
    assert office.sent() == 1
    assert f"/matches/{match}" in inbox.text()


@rule("PL-576")
def test_one_click_stops_one_kind_without_a_session(office: Office, inbox: Inbox):
    person = office.reader("match_started", "correction")
    person.told("match_started")
    assert office.sent() == 1
    [mail] = inbox.got
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    address = mail["List-Unsubscribe"].strip("<>").removeprefix(office.settings.origin)
    assert address in inbox.text()
    client = office.app.test_client(use_cookies=False)
    looked = client.get(address, base_url=BASE)
    assert looked.status_code == 200
    assert "A match of mine has begun" in looked.text
    assert person.me()["notices"] == {"mail": ["match_started", "correction"]}      # looking alone stops nothing
    for _ in range(2):
        assert client.post(address, data={"List-Unsubscribe": "One-Click"}, base_url=BASE).status_code == 200
    assert person.me()["notices"] == {"mail": ["correction"]}
    for wrong in (address[:-1], address.replace("match_started", "everything"), "/mail/stop/x"):
        assert client.post(wrong, data={"List-Unsubscribe": "One-Click"}, base_url=BASE).status_code == 404


@rule("PL-576")
@pytest.mark.parametrize("change", [{"notices": {"mail": []}}, {"mail": None}])
def test_what_is_no_longer_wanted_is_not_sent(change: dict[str, Any], office: Office):
    person = office.reader("correction")
    person.told("correction")
    assert person.change(**change).status_code == 200
    assert office.sent() == 0
    assert [mail["state"] for mail in office.mails(person)] == ["moot"]
