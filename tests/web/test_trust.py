"""Can people guard their account with a second factor, and do referees and seats find what opened views need, without scripts?"""

from __future__ import annotations

import re
import time
from collections.abc import Callable

import pyotp
from playwright.sync_api import expect

from services.gateway import accounts
from tests.ledger import rule
from tests.web.conftest import Meet, Person, Stack, send

PASSWORD = "correct horse battery"
REASON = "seat 1 is said to be told the stones"


def with_password(person: Person) -> None:
    person.stack.do("UPDATE accounts SET password_hash = %s WHERE account_id = %s", accounts.HASHER.hash(PASSWORD), person.id)


def play_out(match: str, host: Person, other: Person) -> None:
    until = time.monotonic() + 20
    while host.api("GET", f"/matches/{match}")["state"] == "running":
        assert time.monotonic() < until
        if not any([host.safe(match), other.safe(match)]):
            host.api("POST", f"/matches/{match}/orders", {"kind": "advance"})


@rule("PL-126", "PL-701")
def test_a_second_factor_is_set_up_and_asked_for_without_scripts(meet: Meet):
    ada = meet(java_script_enabled=False, viewport={"width": 360, "height": 780})
    with_password(ada)
    page = ada.go("/account")
    page.get_by_role("link", name="Set it up").click()
    page.fill("#f-password", PASSWORD)
    send(page, "text=Go on")
    expect(page.locator(".square-code svg")).to_be_visible()
    secret = page.locator("code.secret").inner_text().replace(" ", "")
    codes = pyotp.TOTP(secret)
    page.fill("#f-one_time_code", "000000")
    send(page, "text=Switch it on")
    expect(page.get_by_role("alert")).to_contain_text("does not fit")
    page.fill("#f-one_time_code", codes.now())
    send(page, "text=Switch it on")
    recovery = page.locator(".recovery-codes li").all_inner_texts()
    assert len(recovery) == 10
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    ada.go("/account")
    send(page, "text=Sign out")
    for code in ("000000", recovery[0]):
        if code == "000000":
            ada.go("/sign-in?next=/my")
            page.fill("#f-name", ada.name)
            page.fill("#f-password", PASSWORD)
            send(page, "button:text('Sign in')")
            assert PASSWORD not in page.content()
        page.fill("#f-one_time_code", code)
        send(page, "button:text('Sign in')")
    expect(page).to_have_url(re.compile("/my$"))
    ada.go("/account/second-factor")
    expect(page.locator("section:has(#h-codes)")).to_contain_text("9 of them are left")
    page.click("summary:text('Switch it off')")
    page.fill("#f-password-off", PASSWORD)
    page.fill("#f-code-off", recovery[1])
    send(page, "button:text('Switch it off')")
    expect(page.get_by_role("status").first).to_contain_text("The second factor is off")
    ada.complaints.clear()      # 401 for the wrong codes, which the browser notes


@rule("PL-126")
def test_whose_role_needs_a_second_factor_is_led_to_it(meet: Meet, stack: Stack):
    olga = meet()
    with_password(olga)
    stack.do("UPDATE accounts SET roles = '{operator}' WHERE account_id = %s", olga.id)
    guest = meet(guest=True)
    page = guest.go("/sign-in")
    page.fill("#f-name", olga.name)
    page.fill("#f-password", PASSWORD)
    send(page, "button:text('Sign in')")
    expect(page.get_by_text("Your role of operator gives you nothing yet")).to_be_visible()


@rule("PL-157")
def test_two_referees_open_a_view_and_the_seats_read_of_it(meet: Meet, stack: Stack, table: Callable[..., str]):
    ada, bo, rita, rolf = meet(), meet(), meet(java_script_enabled=False), meet(viewport={"width": 360, "height": 780})
    for referee in (rita, rolf):
        stack.do("UPDATE accounts SET roles = '{operator}' WHERE account_id = %s", referee.id)
        stack.do("INSERT INTO second_factors (account_id, secret, on_since) VALUES (%s, '', now())", referee.id)
    match = table(ada, bo, options={"rounds": 1})
    expect(ada.go(f"/matches/{match}").locator("#h-opened")).to_have_count(0)
    page = rita.go(f"/matches/{match}")
    page.click("text=Ask to look")
    page.select_option("#f-for-seat", "1")
    page.fill("#f-look-reason", REASON)
    send(page, "button:text('Ask')")
    expect(page.locator("section:has(#h-opened)")).to_contain_text("waits for a second person")
    second = rolf.go(f"/matches/{match}")
    assert second.evaluate("document.documentElement.scrollWidth") <= 360
    send(second, "button:text('Confirm')")
    rita.go(f"/matches/{match}")
    send(page, "button:text('Look')")
    expect(page.locator("h1")).to_contain_text("as seat 2 sees it")
    expect(page.locator(".text-view")).not_to_be_empty()
    expect(rolf.go("/operator/audit").locator("tbody tr").first).to_contain_text("match.view.looked")
    play_out(match, ada, bo)
    told = ada.go(f"/matches/{match}").locator("section:has(#h-opened)")
    expect(told).to_contain_text(f"{rita.name} looked at what seat 2 saw")
    expect(told).to_contain_text(f"confirmed by {rolf.name}")
    expect(bo.go("/my").locator("section:has(#h-notices)")).to_contain_text(f"{rita.name} looked at what seat 2 saw")
