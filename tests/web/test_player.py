"""Does a player find on the pages what concerns them: tables to play, news, results, and how a rating came about?"""

from __future__ import annotations

import os

from playwright.sync_api import expect

from tests.ledger import rule
from tests.web.conftest import PHONE, Meet
from tests.web.test_league import Made, club, play, read, tournament  # noqa: F401  fixtures


def picture(page, name: str) -> None:
    """For whoever wants to look: PICTURES names a folder."""
    if folder := os.environ.get("PICTURES"):
        page.screenshot(path=f"{folder}/{name}.png", full_page=True)


@rule("LG-1005", "LG-1016", "LG-168", "PL-704", "PL-718")
def test_a_player_sees_tables_news_and_results_on_a_phone_too(meet: Meet, tournament: Made):  # noqa: F811  fixture
    ada, bo = meet(**PHONE), meet()
    made = tournament(ada, bo, format="round_robin", double=True)
    read(ada, f"/accounts/{ada.id}/league", lambda told: told["open"] and told["open"][0]["match"])
    page = ada.go("/my")
    expect(page.get_by_role("heading", name="News")).to_be_visible()
    expect(page.locator("section[aria-labelledby=h-notices]")).to_contain_text("You have been paired.")
    expect(page.locator("section[aria-labelledby=h-tables]")).to_contain_text(bo.name)
    expect(page.locator("section[aria-labelledby=h-notices] .badge", has_text="new").first).to_be_visible()
    picture(page, "my")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.click("button:has-text('I have read them')")
    expect(page.get_by_role("heading", name="News")).to_be_visible()
    assert read(ada, "/me/notices", lambda told: told["items"])["items"][-1]["read_at"] is not None
    play({ada.id: ada, bo.id: bo}, made)
    read(ada, f"/accounts/{ada.id}/ratings", lambda told: told["items"])
    page = bo.go(f"/people/{ada.name}")
    results = page.locator("section[aria-labelledby=h-results]")
    expect(results).to_contain_text("Spring cup, round 1, table 1")
    expect(results).to_contain_text("of 2")
    expect(results).to_contain_text(bo.name)
    page.click("summary:has-text('How the rating')")
    expect(page.locator("section[aria-labelledby=h-ratings] details table tbody tr").first).to_be_visible()
    picture(page, "profile")
    page = ada.go(f"/people/{bo.name}")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
