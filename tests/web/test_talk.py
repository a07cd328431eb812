"""Can people talk on the page of a match, with and without scripts, and can a moderator keep order?"""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import expect

from tests.ledger import rule
from tests.web.conftest import PHONE, Meet, send

Table = Callable[..., str]
NO_SCRIPTS = {"java_script_enabled": False}


@rule("PL-556", "PL-559", "PL-701")
def test_talk_works_without_scripts_and_a_moderator_keeps_order(meet: Meet, table: Table):
    ada, bob, mia = meet(**NO_SCRIPTS), meet(**NO_SCRIPTS), meet(**NO_SCRIPTS)
    mia.stack.do("UPDATE accounts SET roles = '{moderator}' WHERE account_id = %s", mia.id)
    mia.stack.do("INSERT INTO second_factors (account_id, secret, on_since) VALUES (%s, '', now())", mia.id)
    match = table(ada, bob, talk="free")
    hers, his = ada.go(f"/matches/{match}"), bob.go(f"/matches/{match}")
    his.fill("#talk-seats", "You play like a <b>stone</b>")
    send(his, "text=Say it")
    expect(his.locator(".said")).to_have_text("You play like a <b>stone</b>")
    hers.reload()
    hers.click(".talk-more summary")
    hers.fill("[placeholder='What is wrong with it']", "rude")
    send(hers, "button:text-is('Report')")
    expect(hers.locator(".message.good")).to_have_text("A moderator will look at it.")
    page = mia.go("/moderation")
    expect(page.locator("blockquote")).to_have_text("You play like a <b>stone</b>")
    page.locator(".card > form [name=reason]").fill("an insult")
    send(page, "text=Hide the text")
    expect(page.locator(".empty")).to_have_text("Nothing is reported.")
    page = mia.go(f"/people/{bob.name}")
    page.click("summary:has-text('For moderators')")
    page.fill("#why-mask", "the name is an insult too")
    send(page, "text=Mask this name")
    expect(page.locator(".message.good")).to_have_text("The name is masked.")
    hers.reload()
    expect(hers.locator(".talk li")).to_contain_text("A moderator has hidden this.")
    expect(hers.locator(".talk b")).to_contain_text("player~")
    hers.click(".talk-more summary")
    send(hers, "button:has-text('Mute')")
    expect(hers.locator(".talk")).to_have_text("Nothing has been said.")
    send(ada.go("/account"), "button:has-text('Read again')")
    expect(ada.go(f"/matches/{match}").locator("[data-text]")).to_have_count(1)


@rule("PL-556", "PL-558", "PL-705", "PL-721")
def test_open_pages_keep_up_with_what_is_said_and_what_is_being_typed_stays(meet: Meet, table: Table):
    ada, bob, cleo = meet(), meet(**PHONE), meet()
    match = table(ada, bob, talk="free")
    hers, his, theirs = (one.go(f"/matches/{match}") for one in (ada, bob, cleo))
    his.fill("#talk-seats", "half a sen")
    hers.fill("#talk-seats", "see www.example.com")
    hers.press("#talk-seats", "Enter")
    expect(hers.locator("#answer")).to_contain_text("This text was refused")
    ada.complaints.clear()      # of the browser, about the status of that answer
    expect(hers.locator("#talk-seats")).to_have_value("see www.example.com")
    hers.fill("#talk-seats", "Good luck!")
    hers.press("#talk-seats", "Enter")
    for page in (hers, his, theirs):
        expect(page.locator(".said")).to_have_text(["Good luck!"])
    expect(hers.locator("#talk-seats")).to_have_value("")
    expect(his.locator("#talk-seats")).to_have_value("half a sen")
    theirs.fill("#talk-onlookers", "She holds the three")
    theirs.press("#talk-onlookers", "Enter")
    expect(theirs.locator(".said")).to_have_count(2)
    for page in (hers, his):
        expect(page.locator("#h-talk-onlookers")).to_have_count(0)
    assert his.evaluate("document.documentElement.scrollWidth") <= PHONE["viewport"]["width"]


@rule("PL-556")
def test_where_only_phrases_are_allowed_they_are_offered(meet: Meet, table: Table):
    ada = meet()
    match = table(ada, bots=1, talk="phrases")
    page = ada.go(f"/matches/{match}")
    page.select_option("#talk-seats", "well_played")
    page.click("text=Say it")
    expect(page.locator(".said")).to_have_text("Well played!")
