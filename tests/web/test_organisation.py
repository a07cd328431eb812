"""Can an owner say in a browser who runs an organisation, and which programs are told what happens in it?"""

from playwright.sync_api import expect

from tests.ledger import rule
from tests.web.conftest import PHONE, Meet
from tests.web.test_league import club

__all__ = ["club"]      # a fixture of those tests, needed here too


@rule("LG-121", "LG-125")
def test_an_owner_gives_a_role_and_takes_it_back(meet: Meet, club):
    ada, bo = meet(), meet()
    here = f"/organisations/{club(ada)}"
    page = ada.go(here)
    page.click("summary:has-text('Give a role')")
    page.fill("#f-name", bo.name)
    page.click("button:has-text('Give it')")
    expect(page.locator("section:has(#h-roles) li", has_text=bo.name)).to_contain_text("organiser")
    expect(bo.go("/league").get_by_text("You run things for")).to_be_visible()
    assert bo.go(here).locator("summary:has-text('Give a role')").count() == 0           # that is for owners
    page.locator("section:has(#h-roles) li", has_text=bo.name).get_by_role("button").click()
    expect(page.locator("section:has(#h-roles) li", has_text=bo.name)).to_have_count(0)
    page.locator("section:has(#h-roles) li", has_text=ada.name).get_by_role("button").click()
    expect(page.locator(".message.bad")).to_be_visible()                           # somebody has to remain
    expect(page.locator("section:has(#h-roles) li", has_text=ada.name)).to_have_count(1)
    ada.complaints = [one for one in ada.complaints if "409" not in one]


@rule("LG-1015", "PL-592", "PL-598", "PL-601")
def test_a_webhook_is_added_tried_paused_and_removed_with_forms(meet: Meet, club):
    ada = meet()
    organisation = club(ada)
    here = f"/organisations/{organisation}/hooks"
    page = ada.go(here)
    page.click("text=Add a webhook")
    page.fill("#f-address", "https://example.org/cupboard")
    page.fill("#f-description", "our site")
    page.fill("#f-types", "tournament.recorded, tournament.sung")
    page.click("button:has-text('Add it')")
    expect(page.locator(".message.bad")).to_contain_text("/types/1")
    expect(page.locator("#f-address")).to_have_value("https://example.org/cupboard")
    page.fill("#f-types", "tournament.recorded")
    page.click("button:has-text('Add it')")
    expect(page.locator("code.secret")).to_contain_text("whsec_")                  # this once
    hook = ada.api("GET", f"/organisations/{organisation}/hooks")["items"][0]["hook"]
    page = ada.go(f"{here}/{hook}")
    assert "whsec_" not in page.content()
    page.click("button:has-text('Send a test')")
    expect(page.locator("table tbody tr")).to_contain_text(["endpoint.test"])
    page.click("button:has-text('Pause it')")
    expect(page.locator("#h-hook")).to_contain_text("paused")
    expect(ada.go(here).locator("section:has(#h-hooks)")).to_contain_text("paused")
    page = ada.go(f"{here}/{hook}")
    page.click("button:has-text('Resume it')")
    expect(page.locator("#h-hook")).to_contain_text("active")
    page.click("text=Remove it")
    page.click("button:has-text('Remove this webhook')")
    expect(page.get_by_text("None is told yet")).to_be_visible()
    ada.complaints = [one for one in ada.complaints if "422" not in one]


@rule("LG-126", "PL-718")
def test_an_organisation_shows_everybody_its_people_and_nobody_else_its_webhooks(meet: Meet, club):
    ada, guest = meet(**PHONE), meet(guest=True)
    organisation = club(ada)
    hook = ada.api("POST", f"/organisations/{organisation}/hooks", {"address": "https://example.org/planted"})["hook"]
    page = ada.go(f"/organisations/{organisation}/hooks/{hook}")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    for path in ("", "/hooks", "/log"):
        assert ada.go(f"/organisations/{organisation}{path}").evaluate("document.documentElement.scrollWidth") <= 360, path
    page = guest.go(f"/organisations/{organisation}")
    expect(page.locator("section:has(#h-roles)")).to_contain_text(ada.name)
    assert "planted" not in page.content()
    assert "/sign-in" in guest.go(f"/organisations/{organisation}/hooks/{hook}").url
