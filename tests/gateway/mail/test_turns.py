"""Does "your turn" come by mail for correspondence alone, bundled, outside quiet hours, and not while somebody reads anyway?"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from services.gateway.live.feeds import Feeds
from services.gateway.live.lines import Line, life
from services.gateway.live.signs import Signs
from services.gateway.rights import Caller
from services.relay.mail.owed import quiet_for
from tests.gateway.conftest import House, Player
from tests.gateway.mail.conftest import Browser, Inbox, Office
from tests.ledger import rule

DAYS = {"preset": "none", "limit_ms": 3 * 86_400_000}


def sitting(house: House, person: Browser, other: Player, **clock: object) -> str:
    """A match in which it is this reader's turn."""
    match = house.match(person.player(), other, clock=clock or DAYS)
    assert house.open_ask(match)["seat"] == 0
    return match


def aged(house: House, match: str, minutes: int = 16) -> None:
    house.do("UPDATE asks SET opened_at = opened_at - %s, since_at = since_at - %s WHERE match_id = %s",
             timedelta(minutes=minutes), timedelta(minutes=minutes), match)


@rule("PL-577")
def test_turns_of_correspondence_come_in_one_mail_once_the_first_has_waited(office: Office, house: House, inbox: Inbox, bob: Player):
    person = office.reader("your_turn")
    first = sitting(house, person, bob)
    assert office.turns() == 0
    aged(house, first, 14)
    assert office.turns() == 0
    second = sitting(house, person, bob)
    live = sitting(house, person, bob, preset="normal")
    aged(house, first, 2)
    aged(house, live)
    assert office.turns() == 1
    [mail] = inbox.got
    assert mail["Subject"] == "It is your turn in 2 matches"
    assert mail["List-Unsubscribe"].startswith(f"<{office.settings.origin}/mail/stop/")
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    text = inbox.text()
    assert f"/matches/{first}\n" in text
    assert f"/matches/{second}\n" in text
    assert live not in text
    aged(house, second)
    assert office.turns() == 0      # each question is told of once


@rule("PL-577")
def test_a_new_question_is_a_new_mail_and_one_that_was_answered_is_none(office: Office, house: House, inbox: Inbox, bob: Player):
    person = office.reader("your_turn")
    match = sitting(house, person, bob)
    aged(house, match)
    ask = house.open_ask(match)
    person.player().command(match, ask["ask"], ask["body"]["on_timeout"])
    house.work()
    assert office.turns() == 0
    while house.open_ask(match)["seat"] != 0:
        ask = house.open_ask(match)
        bob.command(match, ask["ask"], ask["body"]["on_timeout"])
        house.work()
    aged(house, match)
    assert office.turns() == 1
    assert inbox.got[0]["Subject"] == "It is your turn"
    assert "you are awaited:\n\nPebbles, until 20" in inbox.text()


@rule("PL-577")
def test_a_question_put_again_and_one_after_a_pause_count_from_then_on(office: Office, house: House, bob: Player):
    person = office.reader("your_turn")
    again, paused = sitting(house, person, bob), sitting(house, person, bob)
    house.do("UPDATE asks SET since_at = since_at - interval '2 hours' WHERE match_id = %s", again)       # what was left of its time goes on
    house.do("UPDATE asks SET opened_at = opened_at - interval '2 hours' WHERE match_id = %s", paused)
    assert office.turns() == 0
    house.do("UPDATE asks SET opened_at = opened_at - interval '16 minutes' WHERE match_id = %s", again)
    house.do("UPDATE asks SET since_at = since_at - interval '16 minutes' WHERE match_id = %s", paused)
    assert office.turns() == 1
    assert len(house.all("SELECT FROM mailed_turns JOIN mails USING (mail_id) WHERE account_id = %s", person.id)) == 2


@rule("PL-577", "PL-388")
def test_a_mail_tells_of_no_question_and_no_view(office: Office, house: House, inbox: Inbox, bob: Player):
    person = office.reader("your_turn")
    match = sitting(house, person, bob)
    aged(house, match)
    assert office.turns() == 1
    ask = house.open_ask(match)
    told = inbox.text()
    stop, settings = (line for line in told.splitlines() if "/mail/stop/" in line or line.endswith("/account"))
    due = f"{ask['due_at'].astimezone(UTC):%Y-%m-%d %H:%M} (UTC)"
    assert told == "\n".join([f"Hello {person.name},", "", "you are awaited:", "", f"Pebbles, until {due}", f"{office.settings.origin}/matches/{match}", "", "-- ",
                              stop, settings, f"Cupboard, {office.settings.origin}", ""])


@rule("PL-577")
def test_nothing_comes_while_a_stream_is_open_and_what_waited_is_told_together(office: Office, house: House, inbox: Inbox, bob: Player):
    person = office.reader("your_turn")
    first = sitting(house, person, bob)
    aged(house, first)
    feeds = Feeds(office.settings)
    feeds.lines.add(Line("match", Caller(person.id), ndjson=False, views=False, ends_at=life(60)))
    Signs(feeds)._note_readers()
    assert office.turns() == 0
    second = sitting(house, person, bob)
    aged(house, second)
    office.due()
    assert office.turns() == 0
    house.do("UPDATE mailboxes SET reading_until = clock_timestamp() WHERE account_id = %s", person.id)     # nobody has noted the stream since
    office.due()
    assert office.turns() == 1
    text = inbox.text()
    assert first in text
    assert second in text


@rule("PL-577")
def test_nothing_comes_in_quiet_hours_by_the_clocks_of_the_account(office: Office, house: House, inbox: Inbox, bob: Player):
    now = datetime.now(UTC)
    hour = {"from": f"{now - timedelta(hours=1):%H:%M}", "to": f"{now + timedelta(hours=2):%H:%M}"}
    person = office.reader("your_turn", "match_started", quiet_hours=hour)
    aged(house, sitting(house, person, bob))
    person.told("match_started")
    assert office.turns() == 0
    waits = [(mail["due_at"] - now).total_seconds() for mail in office.mails(person)]
    assert all(7_000 < wait <= 7_200 for wait in waits), waits
    assert [(mail["state"], mail["tries"]) for mail in office.mails(person)] == [("waiting", 0)] * 2
    assert person.change(zone="Asia/Tokyo").status_code == 200
    office.due()
    assert office.turns() == 2


@rule("PL-577", "PL-494")
@pytest.mark.parametrize(("begins", "ends", "zone", "now", "hours"), [
    (22 * 60, 7 * 60, "UTC", "2027-01-01T21:59", 0), (22 * 60, 7 * 60, "UTC", "2027-01-01T22:00", 9), (22 * 60, 7 * 60, "UTC", "2027-01-02T06:00", 1),
    (22 * 60, 7 * 60, "UTC", "2027-01-02T07:00", 0), (9 * 60, 17 * 60, "UTC", "2027-01-02T12:00", 5), (9 * 60, 17 * 60, "UTC", "2027-01-02T18:00", 0),
    (22 * 60, 0, "UTC", "2027-01-01T23:00", 1), (60, 60, "UTC", "2027-01-01T01:00", 0), (None, None, "UTC", "2027-01-01T01:00", 0),
    (22 * 60, 7 * 60, "Europe/Rome", "2027-03-27T21:00", 8), (22 * 60, 7 * 60, "Europe/Rome", "2027-10-30T20:00", 10),     # summer time begins, and ends
    (22 * 60, 7 * 60, "Nowhere/Land", "2027-01-01T23:00", 8)])
def test_quiet_hours_end_when_the_clock_on_the_wall_says_so(begins: int | None, ends: int | None, zone: str, now: str, hours: float):
    assert quiet_for(begins, ends, zone, datetime.fromisoformat(now).replace(tzinfo=UTC)) == hours * 3_600
