"""Is a lost password found again by mail, by nobody but whoever reads there, and is nobody told who has an account?"""

from __future__ import annotations

from tests.gateway.conftest import API, NUMBERS
from tests.gateway.mail.conftest import BASE, Browser, Inbox, Office, link
from tests.ledger import rule


def asked(office: Office, **who: str) -> object:
    client = office.app.test_client(use_cookies=False)
    answer = client.post(f"{API}/password-resets", json=who, headers={"Idempotency-Key": f"k-{next(NUMBERS)}"}, base_url=BASE)
    return answer.status_code, answer.json, sorted(set(answer.headers.keys()))


@rule("PL-140")
def test_a_link_by_mail_works_once_and_ends_all_sessions_and_other_links(office: Office, inbox: Inbox):
    person = office.reader()
    asked(office, name=person.name.upper())
    asked(office, mail=person.me()["mail"].upper())
    assert office.sent() == 2
    second, first = (link(str(mail.get_content()), "reset") for mail in (inbox.got.pop(), inbox.got.pop()))
    stranger = office.app.test_client()
    page = stranger.post(f"/reset/{first}", data={"password": "another long one", "key": "k"}, base_url=BASE, headers={"Sec-Fetch-Site": "same-origin"})
    assert (page.status_code, page.headers["Location"]) == (303, "/sign-in")
    assert person.ask("GET", "/me").status_code == 401
    for used in (first, second):
        assert person.ask("POST", f"/password-resets/{used}", {"password": "a third long one"}).json["code"] == "link_used"
    assert [person.sign_in(), person.sign_in("another long one")] == [401, 201]


@rule("PL-140")
def test_the_answer_is_the_same_for_everybody(office: Office, inbox: Inbox):
    known, unconfirmed = office.reader(), Browser(office, mail="not-confirmed@example.org")
    office.sent()
    inbox.got.clear()
    answers = [asked(office, name=known.name), asked(office, mail=known.me()["mail"]), asked(office, name="nobody-at-all"), asked(office, mail="nobody@example.org"),
               asked(office, name=unconfirmed.name), asked(office, mail="not-confirmed@example.org")]
    assert answers == answers[:1] * len(answers)
    assert office.sent() == 2
    assert {mail["To"] for mail in inbox.got} == {known.me()["mail"]}


@rule("PL-140")
def test_three_links_an_hour_are_enough_and_none_is_sent_late(office: Office, inbox: Inbox):
    person = office.reader()
    assert len({str(asked(office, name=person.name)) for _ in range(5)}) == 1
    assert len(office.mails(person)) == 3
    office.house.do("UPDATE mails SET made_at = made_at - interval '31 minutes' WHERE account_id = %s", person.id)
    assert office.sent() == 0
    assert inbox.got == []


@rule("PL-140", "PL-817")
def test_the_code_waits_encrypted_and_is_gone_with_the_mail(office: Office, inbox: Inbox):
    person = office.reader()
    asked(office, name=person.name)
    [waiting] = office.mails(person)
    assert office.sent() == 1
    code = link(inbox.text(), "reset")
    assert code.encode() not in bytes(waiting["sealed"])
    assert office.mails(person)[0]["sealed"] is None


@rule("PL-140", "PL-576")
def test_quiet_hours_do_not_hold_back_what_was_asked_for(office: Office):
    person = office.reader(quiet_hours={"from": "00:00", "to": "23:59"})
    asked(office, name=person.name)
    assert office.sent() == 1


@rule("PL-140", "PL-135")
def test_a_suspended_account_gets_no_link(office: Office):
    person = office.reader()
    office.house.do("UPDATE accounts SET suspended_at = now() WHERE account_id = %s", person.id)
    asked(office, name=person.name)
    assert office.sent() == 0
