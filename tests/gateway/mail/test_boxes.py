"""Does mail go to confirmed addresses only, of what was chosen, and does it go away with the account?"""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from services.gateway.mail import boxes
from services.gateway.web import mail_pages
from services.relay.mail import letter
from tests.gateway.conftest import House
from tests.gateway.mail.conftest import BASE, PASSWORD, Browser, Inbox, Office, link
from tests.ledger import rule


@rule("PL-121", "PL-576")
def test_an_address_is_confirmed_by_its_newest_link_once(office: Office, inbox: Inbox):
    person = Browser(office, mail="ada@example.org")
    office.sent()
    [mail] = inbox.got
    assert (mail["To"], mail["From"], mail["Auto-Submitted"]) == ("ada@example.org", "Cupboard <league@example.org>", "auto-generated")
    assert mail["List-Unsubscribe"] is None
    first = link(inbox.text(), "mail/confirm")
    assert person.me()["mail_confirmed"] is False
    assert person.ask("POST", "/me/mail-confirmation").status_code == 202
    office.sent()
    second = link(inbox.text(), "mail/confirm")
    answers = [person.ask("POST", f"/mail-confirmations/{code}").status_code for code in (first, second, second)]
    assert answers == [410, 204, 410]
    assert person.me()["mail_confirmed"] is True
    assert person.ask("POST", "/me/mail-confirmation").status_code == 202       # there is nothing to confirm, and nothing is sent
    assert office.sent() == 0


@rule("PL-576")
def test_a_link_of_an_address_that_was_given_up_confirms_nothing(office: Office, inbox: Inbox):
    person = Browser(office, mail="old@example.org")
    office.sent()
    code = link(inbox.text(), "mail/confirm")
    assert person.change(mail="new@example.org", old_password=PASSWORD).status_code == 200
    assert person.ask("POST", f"/mail-confirmations/{code}").status_code == 410
    office.house.do("UPDATE mailboxes SET code_ends_at = clock_timestamp() WHERE account_id = %s", person.id)
    office.sent()
    assert person.ask("POST", f"/mail-confirmations/{link(inbox.text(), 'mail/confirm')}").status_code == 410     # three days are over


@rule("PL-576", "PL-140")
def test_a_new_address_takes_a_browser_and_the_password_and_counts_once_confirmed(office: Office, inbox: Inbox):
    person = office.reader("result_recorded")
    assert person.change(mail="thief@example.org").json["code"] == "bad_credentials"
    program = person.player()
    etag = program.get("/me").headers["ETag"]
    with office.app.test_client(use_cookies=False) as client:
        refused = client.patch("/api/v1/me", json={"mail": "thief@example.org"},
                               headers={"Authorization": f"Bearer {program.token}", "Idempotency-Key": "k", "If-Match": etag})
    assert (refused.status_code, refused.json["code"]) == (403, "not_allowed")
    person.told("result_recorded")
    assert person.change(mail="other@example.org", old_password=PASSWORD).json["mail_confirmed"] is False
    person.told("result_recorded")
    assert office.sent() == 1      # the link; nothing goes to either address before it was opened
    assert inbox.got[0]["To"] == "other@example.org"
    assert [mail["state"] for mail in office.mails(person)] == ["moot"]


def test_links_to_strangers_are_few(office: Office):
    person = Browser(office, mail="a-stranger@example.org")
    answers = [person.ask("POST", "/me/mail-confirmation").status_code for _ in range(boxes.AN_HOUR["confirm"])]
    assert answers == [202] * (len(answers) - 1) + [429]
    assert person.change(mail="another@example.org", old_password=PASSWORD).status_code == 429
    Browser(office, mail="A-Stranger@example.org")      # an account is opened all the same
    assert office.sent() == boxes.AN_HOUR["confirm"]


@rule("PL-135")
def test_address_wishes_and_mails_are_exported_and_go_with_the_account(office: Office, house: House, inbox: Inbox):
    person = office.reader("correction", quiet_hours={"from": "22:00", "to": "07:30"})
    assert person.me()["quiet_hours"] == {"from": "22:00", "to": "07:30"}
    person.told("correction")
    [told] = person.ask("GET", "/me/export").json["mail"]
    assert (told["kinds"], told["quiet_from"], [mail["kind"] for mail in told["sent"]]) == (["correction"], 1320, ["confirm", "correction"])
    assert "code" not in str(told)
    assert person.ask("DELETE", "/me", {"password": PASSWORD}).status_code == 204
    assert office.sent() == 0
    for table in ("mailboxes", "mails"):
        assert house.all(f"SELECT FROM {table} WHERE account_id = %s", person.id) == []
    assert inbox.got == []


def test_what_is_no_hour_and_no_kind_is_refused(office: Office):
    person = Browser(office)
    for wish in ({"quiet_hours": {"from": "24:00", "to": "07:00"}}, {"quiet_hours": {"from": "22:00"}}, {"notices": {"mail": ["everything"]}}, {"notices": {}}):
        assert person.change(**wish).status_code == 422, wish
    assert person.change(quiet_hours=None, notices={"mail": []}).status_code == 200


@rule("PL-576")
def test_without_a_sender_the_site_says_nothing_of_mail(house: House, office: Office):
    pages = {app: [app.test_client().get(path, base_url=BASE).text for path in ("/sign-in", "/sign-up")] for app in (house.app, office.app)}
    assert "Forgotten" not in pages[house.app][0] + pages[house.app][1]
    assert 'name="mail"' not in pages[house.app][1]
    assert "Forgotten" in pages[office.app][0]
    assert 'name="mail"' in pages[office.app][1]
    client = house.app.test_client()
    assert client.get("/forgotten", base_url=BASE).status_code == 404
    before = house.one("SELECT count(*) FROM mails")
    assert house.nobody().post("/accounts", {"name": "no-mail-here", "password": PASSWORD, "mail": "no@example.org"}).status_code == 201
    assert house.one("SELECT count(*) FROM mails") == before


@rule("PL-576", "PL-726")
@pytest.mark.parametrize("language", ["en", "it"])
def test_every_kind_has_its_words(language: str):
    words = tomllib.loads(Path(letter.__file__).with_name("words.toml").read_text("utf-8"))
    assert set(words) == {"en", "it"}
    assert {kind for kind, said in words[language].items() if isinstance(said, dict)} == {*boxes.KINDS, *letter.ASKED_FOR}
    assert tuple(mail_pages.KINDS) == boxes.KINDS
    shape = {kind: sorted(said) if isinstance(said, dict) else "" for kind, said in words["en"].items()}
    assert {kind: sorted(said) if isinstance(said, dict) else "" for kind, said in words[language].items()} == shape
