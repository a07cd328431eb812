"""Does the site let people play by correspondence: hours of a table, a holiday in the settings, and everybody sees both?"""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import expect

from tests.ledger import rule
from tests.web.conftest import PHONE, Meet, Person, send
from tests.web.test_league import club

__all__ = ["club"]
DAY = 86_400_000


@rule("PL-493", "PL-504", "PL-497", "PL-701")
def test_a_table_by_correspondence_is_set_and_a_holiday_taken_and_ended_without_scripts(meet: Meet):
    ada, bob = meet(java_script_enabled=False), meet(**PHONE)
    page = ada.go("/games/pebbles/new")
    page.click("summary:has-text('By correspondence')")
    page.fill("#f-answer", "3")
    page.fill("#f-opens", "08:00")
    page.fill("#f-closes", "08:20")
    send(page, "button:has-text('Set the table')")
    expect(page.locator("[role=alert]")).to_contain_text("an hour a day at least")
    assert page.input_value("#f-opens") == "08:00"
    page.fill("#f-closes", "22:00")
    page.fill("#f-zone", "Europe/Rome")
    send(page, "button:has-text('Set the table')")
    match = page.url.rsplit("/", 1)[1]
    bob.api("POST", f"/matches/{match}/seats", {})
    for person in (ada, bob):
        person.api("POST", f"/matches/{match}/ready", {"ready": True})
    bob.go(f"/matches/{match}")
    expect(bob.page.locator("[data-part=facts]")).to_contain_text("08:00 to 22:00, Europe/Rome")
    expect(bob.page.locator("[data-part=facts]")).to_contain_text("3 days for every answer")
    page = ada.go("/account")
    expect(page.locator("#h-holidays + form")).to_contain_text("28 days 28 are left")
    page.fill("#f-days", "5")
    send(page, "button:has-text('Take a holiday')")
    expect(page.locator("[aria-labelledby=h-holidays]")).to_contain_text("You are on holiday until")
    expect(bob.page.locator("[data-seat='0']")).to_contain_text("on holiday until")       # without anybody loading it again
    send(page, "button:has-text('End it now')")
    expect(page.locator("[aria-labelledby=h-holidays]")).to_contain_text("27 are left")
    expect(bob.page.locator("[data-seat='0']")).not_to_contain_text("on holiday")
    ada.complaints = [one for one in ada.complaints if "422" not in one]


@rule("PL-493", "LG-1004")
def test_a_tournament_is_made_with_hours_for_its_matches(meet: Meet, club: Callable[[Person], str]):
    ada = meet()
    club(ada)
    page = ada.go("/new-tournament")
    page.fill("#f-name", "Slow cup")
    page.select_option("#f-game", "pebbles")
    page.fill("#f-zone", "Europe/Rome")
    page.click("summary:has-text('By correspondence')")
    page.fill("#f-answer", "12")
    page.select_option("#f-unit", "hours")
    page.fill("#f-opens", "09:00")
    page.fill("#f-closes", "21:00")
    page.check("[name=no_holidays]")
    send(page, "button:has-text('Make it')")
    expect(page.locator("h1")).to_contain_text("Slow cup")
    clock = ada.api("GET", f"/tournaments/{page.url.rsplit('/', 1)[1]}")["settings"]["playing"]["clock"]
    assert (clock["limit_ms"], clock["hours"], clock["holidays"]) == (DAY // 2, {"opens": "09:00", "closes": "21:00", "zone": "Europe/Rome"}, False)
    here = page.url.removeprefix(ada.stack.base)
    ada.go(f"{here}/settings")
    page.select_option("[name='set:playing.clock']", "relaxed")
    send(page, "button:has-text('Change')")
    ada.go(f"{here}/about")
    expect(page.locator("[aria-labelledby=h-clock]")).to_contain_text("12 hours for every answer, else relaxed")
    expect(page.locator("[aria-labelledby=h-clock]")).to_contain_text("09:00 to 21:00, Europe/Rome")
