"""Can entrants and officials do on the pages what the API lets them do: agree on a time, ask for a bye, check in, challenge, report, extend?"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from services.gateway.web.league.fields import instant
from services.gateway.web.league.words import ahead
from tests.ledger import rule
from tests.web.conftest import PHONE, Meet, Person, send
from tests.web.test_league import TWO, act, club, read
from tests.web.test_player import picture

__all__ = ["club"]      # a fixture of those tests, needed here too
Club = Callable[[Person], str]
DAY_MS = 86_400_000


def opened(owner: Person, organisation: str, stage: dict[str, Any], **settings: Any) -> str:
    """A tournament that is open for entry."""
    rules = {"format": "round_robin", "seats": TWO, **stage}
    made = owner.api("POST", "/tournaments", {"organisation": organisation, "settings": {
        "name": "Long cup", "game": "pebbles", "game_version": "1", "stages": [rules], "playing": {"clock": {"preset": "quick"}},
        "schedule": {"round_break": "0 minutes"}, **settings}})["tournament"]
    act(owner, made, "open", **({"forecast_seen": True} if rules["format"] == "swiss" else {}))
    return str(made)


def started(owner: Person, made: str, *people: Person) -> str:
    """The address of the first table of its first round."""
    for person in people:
        act(person, made, "enter")
    act(owner, made, "close")
    act(owner, made, "start", accept_imbalance=True)
    read(owner, f"/tournaments/{made}/stages/1/rounds/1", lambda told: told["pairings"])
    return f"/tournaments/{made}/pairings/1/1/1"


def fits(page: Page) -> None:
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0


@rule("LG-883")
def test_a_time_that_is_typed_is_an_instant_by_the_clocks_of_its_zone():
    assert instant("2026-07-01T18:00", "Europe/Rome") == instant("2026-07-01T16:00", "UTC")
    assert instant("2026-12-01T18:00", "Europe/Rome") == instant("2026-12-01T17:00", "UTC")
    with pytest.raises(ValueError, match="2026-03-29"):
        instant("2026-03-29T02:30", "Europe/Rome")                     # left out that night
    with pytest.raises(KeyError):
        instant("2026-07-01T18:00", "Nowhere/At_all")
    assert (ahead(DAY_MS * 2 + 3_600_000, 0), ahead(0, 120_000), ahead(30_000, 0)) == ("in 2 days and 1 hour", "2 minutes ago", "now")


@rule("LG-881", "LG-880", "LG-883")
def test_a_table_agrees_on_a_time_without_scripts_and_an_official_gives_more(meet: Meet, club: Club):
    ada, bo, onlooker = meet(java_script_enabled=False, **PHONE), meet(java_script_enabled=False), meet(guest=True)
    here = started(ada, opened(ada, club(ada), {}, appointments=True, schedule={"round_deadline": "3 days"}), ada, bo)
    soon = datetime.now(UTC).replace(second=0, microsecond=0) + timedelta(days=1)
    page = ada.go("/my")
    page.click("a:has-text('To the table')")
    page.fill("#f-start", f"{soon + timedelta(days=9):%Y-%m-%dT%H:%M}")
    page.click("button:has-text('Propose it')")
    expect(page.get_by_role("alert")).to_contain_text("UTC")               # outside the round, whose end is said in words
    page.fill("#f-start", f"{soon:%Y-%m-%dT%H:%M}")
    page.click("button:has-text('Propose it')")
    expect(page.locator("#h-appointment ~ p strong")).to_contain_text(f"{ada.name} proposes {soon:%-d %b %Y, %H:%M} UTC")
    assert page.locator("button:has-text('Accept')").count() == 0
    picture(page, "appointment-phone")
    fits(page)
    page = bo.go(here.replace("pairings/1/1/1", "mine"))
    expect(page.get_by_text("waits for your answer")).to_be_visible()
    page.click("text=Agree on a time")
    picture(page, "appointment")
    page.click("button:has-text('Decline')")
    expect(page.get_by_text("was declined")).to_be_visible()
    expect(onlooker.go(here).locator("h1")).to_contain_text("Long cup")
    assert "propose" not in onlooker.page.content()                        # what was said at the table stays there
    page.click("summary:has-text('Propose another time')")
    page.fill("#f-start", f"{soon + timedelta(hours=2):%Y-%m-%dT%H:%M}")
    send(page, "button:has-text('Propose it')")
    ada.go(here).click("button:has-text('Accept')")
    expect(ada.page.locator("section .message.good")).to_contain_text(f"{soon + timedelta(hours=2):%-d %b %Y, %H:%M} UTC")
    expect(onlooker.go(here).locator(".pairing")).to_contain_text("Begins")
    page = ada.go(here)                                                    # who owns the club may give more time, never less
    for days, seen in ((1, "alert"), (6, "heading")):
        page.fill("#f-until", f"{soon + timedelta(days=days):%Y-%m-%dT%H:%M}")
        page.fill("#f-reason-extend", "a holiday for both of them")
        page.click("button:has-text('Extend the deadline')")
        expect(page.get_by_role(seen).first).to_be_visible()
    expect(page.locator("#h-pairing ~ p").last).to_contain_text(f"{soon + timedelta(days=6):%-d %b %Y}")
    ada.complaints.clear()      # the browser tells of what was refused, as it should


@rule("LG-236", "LG-226", "LG-222", "PL-718")
def test_an_entrant_accepts_enters_checks_in_and_asks_for_a_bye(meet: Meet, club: Club):
    ada, bo, cy = meet(), meet(**PHONE), meet()
    organisation = club(ada)
    made = opened(ada, organisation, {"format": "swiss", "rounds": 4, "half_byes": 1}, schedule={"round_break": "0 minutes", "check_in": {}})
    page = ada.go(f"/tournaments/{made}/run")
    page.click("summary:has-text('Invite')")
    page.fill("#f-invite", bo.name)
    send(page, "button:has-text('Invite')")
    page = bo.go(f"/tournaments/{made}")
    page.click("text=Your part")
    send(page, "button:has-text('Accept the invitation')")
    page = ada.go(f"/tournaments/{made}/run")
    page.click("summary:has-text('Enter others')")
    page.fill("#f-others", bo.name)
    send(page, "button:has-text('Enter them')")
    page = bo.go(f"/tournaments/{made}/mine")
    send(page, "button:has-text('Check in')")
    expect(bo.go(f"/tournaments/{made}/entrants").get_by_text("checked in")).to_be_visible()
    page = bo.go(f"/tournaments/{made}/mine")
    page.click("summary:has-text('Ask for a bye')")
    page.click("button:has-text('Ask for it')")
    expect(page.get_by_text("half bye asked for")).to_be_visible()
    picture(page, "own-phone")
    fits(page)
    page.click("button:has-text('Take it back')")
    expect(page.get_by_text("asked for")).to_have_count(0)
    page = cy.go(f"/tournaments/{made}/mine")
    page.fill("#f-club", "Rooks")
    page.click("button.first:has-text('Enter')")
    expect(page.locator("h2", has_text=cy.name)).to_be_visible()
    assert read(ada, f"/tournaments/{made}/entrants", lambda told: len(told["items"]) == 2)["items"][1]["club"] == "Rooks"
    page = ada.go(f"/tournaments/{made}/log")
    expect(page.locator("table tbody td[data-name=Who]").first).to_have_text(ada.name)
    picture(page, "log")


@rule("LG-542", "LG-543", "LG-541")
def test_a_ladder_is_shown_and_climbed_with_forms(meet: Meet, club: Club):
    ada, bo = meet(), meet()
    made = opened(ada, club(ada), {"format": "ladder"}, schedule={})
    for person in (ada, bo):
        act(person, made, "enter")
    act(ada, made, "close")
    act(ada, made, "start")
    rungs = read(ada, f"/tournaments/{made}/stages/1/ladder", lambda told: len(told["rungs"]) == 2)["rungs"]
    top, low = ((ada, bo) if rungs[0]["account"] == ada.id else (bo, ada))
    page = low.go(f"/tournaments/{made}/ladder")
    page.check("input[name=challenged]")
    page.click("button:has-text('Challenge')")
    expect(page.locator(".choice-card")).to_contain_text("waits for an answer")
    page = top.go(f"/tournaments/{made}/ladder")
    expect(page.get_by_text("Nobody stands higher.")).to_be_visible()
    picture(page, "ladder")
    page.click("button:has-text('Accept')")
    expect(page.locator("button:has-text('Accept')")).to_have_count(0)
    told = read(top, f"/tournaments/{made}/events?limit=500", lambda told: any(one["kind"] == "challenged" for one in told["items"]))
    assert [one["body"]["answer"] for one in told["items"] if "answer" in one["body"]] == ["accepted"]


@rule("LG-210", "LG-1022")
def test_what_players_report_is_confirmed_and_a_round_is_computed_again(meet: Meet, club: Club):
    ada, bo = meet(), meet()
    here = started(ada, opened(ada, club(ada), {}, reporting=True), ada, bo)
    for person, words in ((ada, "reports"), (bo, "decided")):
        page = person.go(here)
        for box in page.locator("#h-report ~ form input[type=number]").all():
            box.fill("1" if str(box.get_attribute("name")).endswith(ada.id) else "2")
        page.click("button:has-text('Report it')")
        expect(page.locator("main")).to_contain_text(words)
    page = ada.go(here.replace("pairings/1/1/1", "rounds/1/1"))
    page.click("button:has-text('Compute this round again')")
    expect(page.get_by_role("status").filter(has_text=re.compile("same tables"))).to_be_visible()
