"""Can a whole match be played on its page, with and without scripts, and does an open page always show what is new?"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from services.gateway.web.frame import by_name
from services.gateway.web.match_facts import WORDS_OF_BOARDS
from tests.ledger import rule
from tests.web.conftest import PHONE, Meet, Person, Stack

Table = Callable[..., str]


def play_to_the_end(match: str, *people: Person) -> None:
    """Everybody does the safe thing; the host ends the looking."""
    host, until = people[0], time.monotonic() + 20
    while host.api("GET", f"/matches/{match}")["state"] == "running":
        assert time.monotonic() < until
        if not all_safe(match, *people):
            host.api("POST", f"/matches/{match}/orders", {"kind": "advance"})


def proof_page(person: Person, match: str) -> Page:
    """The page of the proof, which a worker writes a moment after the end."""
    until = time.monotonic() + 20
    while not person.stack.one("SELECT 1 FROM records WHERE match_id = %s", match):
        assert time.monotonic() < until
        time.sleep(0.05)
    return person.go(f"/matches/{match}/proof")


def all_safe(match: str, *people: Person) -> bool:
    """One safe answer of everybody who is asked; whether anybody was."""
    answered = [person.safe(match) for person in people]
    return any(answered)


def step_of(page: Page) -> int:
    return int(page.locator("[data-part=head] >> text=/^step/").inner_text().split()[1])


# Before the start ----------------------------------------------------------------------------------------------------------


@rule("PL-701", "PL-232", "PL-234", "PL-235", "PL-239", "PL-613")
def test_a_table_is_set_and_started_without_scripts(meet: Meet):
    ada, bob = meet(java_script_enabled=False), meet(java_script_enabled=False)
    page = ada.go("/games/pebbles")
    page.click("text=Set a table")
    page.select_option("#f-preset", "none")
    page.click("button:has-text('Set the table')")
    expect(page.locator("h1")).to_contain_text("waiting for players")
    assert len(page.locator(".secret").first.text_content() or "") == 64
    address = page.url
    theirs = bob.go(address.removeprefix(bob.stack.base))
    theirs.click("button:has-text('Sit here')")
    theirs.click("text=I am ready")
    expect(theirs.locator("text=Not ready after all")).to_be_visible()
    page.goto(address)
    page.fill("[name=value]", "0badcafe")
    page.click("text=Put it in")
    expect(page.locator("text=Your part in the dice is noted.")).to_be_visible()
    page.click("text=I am ready")
    expect(page.locator("text=Noted.")).to_be_visible()
    match = address.rpartition("/")[2]
    until = time.monotonic() + 15
    while ada.api("GET", f"/matches/{match}")["state"] != "running":
        assert time.monotonic() < until
        time.sleep(0.05)
    assert ada.api("GET", f"/matches/{match}")["seats"][0]["contribution"] == "0badcafe"


@rule("PL-237")
def test_a_link_brings_somebody_to_the_table(meet: Meet, table: Table):
    ada, bob = meet(), meet()
    match = ada.api("POST", "/matches", {"game": "pebbles", "seats": [{"kind": "me"}, {"kind": "open"}], "visibility": "private"})["match"]
    page = ada.go(f"/matches/{match}")
    page.click("text=Make the link")
    link = page.locator(".message .secret").inner_text()    # waits for the page after the form
    theirs = bob.go(link.partition("/invitations/")[1] + link.partition("/invitations/")[2])
    theirs.click("text=Take a seat")
    expect(theirs.locator("text=You sit at this table.")).to_be_visible()
    assert f"/matches/{match}" in theirs.url, "accepting leads to the match"
    expect(theirs.locator("text=Stand up")).to_be_visible()


@rule("PL-546", "PL-701")
@pytest.mark.parametrize("scripts", [True, False])
def test_somebody_takes_a_seat_that_was_left(meet: Meet, table: Table, scripts: bool):
    ada, bob, carol = meet(), meet(), meet(java_script_enabled=scripts)
    match = table(ada, bob, substitutes=True, clock={"preset": "relaxed"})
    page = carol.go(f"/matches/{match}")
    expect(page.locator("#h-seats")).to_be_visible()
    bob.api("POST", f"/matches/{match}/resignations", {"sure": True})
    if not scripts:
        until = time.monotonic() + 15
        while not ada.api("GET", f"/matches/{match}")["seats"][1]["vacant"]:
            assert time.monotonic() < until
            time.sleep(0.05)
        page.reload()
    page.click("text=Take this seat")
    expect(page.locator(f"text=for {bob.name}")).to_be_visible()
    assert ada.api("GET", f"/matches/{match}")["seats"][1]["account"]["name"] == carol.name


@rule("PL-705")
def test_an_open_table_shows_who_sits_down_and_that_it_begins(meet: Meet, table: Table):
    ada, bob = meet(), meet()
    match = ada.api("POST", "/matches", {"game": "pebbles", "seats": [{"kind": "me"}, {"kind": "open"}], "clock": {"preset": "none"}})["match"]
    page = ada.go(f"/matches/{match}")
    page.wait_for_timeout(1200)
    bob.api("POST", f"/matches/{match}/seats", {})
    expect(page.locator(f"text={bob.name}")).to_be_visible()
    for person in (ada, bob):
        person.api("POST", f"/matches/{match}/ready", {"ready": True})
    expect(page.locator("#board h3")).to_be_visible()


# Playing -------------------------------------------------------------------------------------------------------------------


@rule("PL-701", "PL-703", "PL-359", "PL-622", "PL-249")
def test_a_whole_match_without_scripts_to_the_proof(meet: Meet, table: Table):
    ada, bob = meet(java_script_enabled=False), meet()
    match = table(ada, bob, options={"rounds": 1})
    page = ada.go(f"/matches/{match}")
    assert "Round 1 of 1" in page.locator(".text-view").inner_text(timeout=2000) or page.locator("summary:has-text('The table in words')").count()
    until = time.monotonic() + 40
    while ada.api("GET", f"/matches/{match}")["state"] == "running":
        assert time.monotonic() < until
        if [ask for ask in ada.asks(match) if ask["needed"]]:
            page.goto(f"{ada.stack.base}/matches/{match}")
            page.locator("button:text-is('Rest'), button.first:has-text('Hide')").first.click()
            expect(page.locator(".message.good")).to_be_visible()
        elif not bob.safe(match):
            ada.api("POST", f"/matches/{match}/orders", {"kind": "advance"})
    page.goto(f"{ada.stack.base}/matches/{match}")
    expect(page.locator(".podium li")).to_have_count(2)
    assert page.locator(".log li").count() > 2
    theirs = proof_page(bob, match)
    expect(theirs.locator("[data-verdict]")).to_contain_text("Everything agrees")
    expect(theirs.locator("[data-check] [aria-label=agrees]")).to_have_count(3)


@rule("PL-622")
def test_a_forged_proof_is_found_out(meet: Meet, table: Table):
    ada, bob = meet(), meet()
    match = table(ada, bob, options={"rounds": 1})
    play_to_the_end(match, ada, bob)

    def forged(route: Route) -> None:
        answer = route.fetch()
        proof: dict[str, Any] = answer.json()
        draws = next(step["draws"] for step in proof["steps"] if step["draws"])
        draws[0][1] = (draws[0][1] + 1) % draws[0][0]
        route.fulfill(response=answer, json=proof)

    ada.window.route("**/proof", lambda route: forged(route) if "/api/" in route.request.url else route.continue_())
    page = proof_page(ada, match)
    expect(page.locator("[data-verdict]")).to_contain_text("should have given")


@rule("PL-705", "PL-719", "PL-702")
def test_an_open_page_shows_later_steps_and_says_them(meet: Meet, table: Table):
    ada, bob = meet(), meet()
    match = table(ada, bob)
    page, looking = ada.go(f"/matches/{match}"), meet(guest=True).go(f"/matches/{match}")
    for other in (page, looking):
        expect(other.locator("#board h3")).to_have_text("Round 1 of 3")
    before = step_of(looking)
    page.click("button:text-is('Rest')")
    for other in (page, looking):
        expect(other.locator(".log li").first).to_contain_text(f"{ada.name} rests")
    assert step_of(looking) > before
    expect(looking.locator("#announcements")).to_contain_text(f"{ada.name} rests")
    expect(looking.locator(".pb-heap.turn h4")).to_contain_text(bob.name)


@rule("PL-705")
def test_a_lost_connection_is_told_and_caught_up_with(meet: Meet, table: Table):
    ada, bob = meet(), meet()
    match = table(ada, bob)
    page = bob.go(f"/matches/{match}")
    expect(page.locator("[data-presence='1']")).to_be_visible()
    bob.window.set_offline(True)
    expect(page.locator("#connection")).to_contain_text("connection is lost")
    ada.command(match, do="rest")
    bob.window.set_offline(False)
    expect(page.locator("#connection")).to_be_hidden()
    expect(page.locator("button:text-is('Rest')")).to_be_visible()
    bob.complaints = [one for one in bob.complaints if "ERR_INTERNET" not in one and "Failed to fetch" not in one]


@rule("EX-40", "PL-291")
def test_a_stale_page_says_that_the_question_was_answered(meet: Meet, table: Table):
    ada, bob = meet(), meet()
    match = table(ada, bob)
    page = ada.go(f"/matches/{match}")
    page.locator("[data-seen]").first.wait_for(state="attached")      # it has its scripts, the other one will have none
    stale = page.context.new_page()
    stale.context.route("**/stream*", lambda route: route.abort())
    stale.goto(page.url)
    page.click("button:text-is('Rest')")
    expect(page.locator("button:text-is('Rest')")).to_have_count(0)
    stale.click("button:text-is('Rest')")
    expect(stale.locator("[role=alert]")).to_contain_text("This question has been answered")
    expect(stale.locator("button:text-is('Rest')")).to_have_count(0)
    plain = meet(java_script_enabled=False)
    plain.window.add_cookies([{"name": "cupboard", "value": bob.cookie, "url": bob.stack.base}])
    old = plain.go(f"/matches/{match}")
    bob.command(match, do="rest")
    old.click("button:text-is('Rest')")
    expect(old.locator("[role=alert]")).to_contain_text("This question has been answered")
    for person in (ada, plain):
        person.complaints = [one for one in person.complaints if "409" not in one and "ERR_FAILED" not in one]


@rule("PL-707", "PL-206", "PL-208")
def test_pressing_twice_and_saying_again_have_one_effect(meet: Meet, table: Table):
    ada, bob = meet(), meet()
    match = table(ada, bob)
    keys: list[str | None] = []

    def first_is_lost(route: Route) -> None:
        keys.append(route.request.header_value("idempotency-key"))
        if len(keys) == 1:
            route.fetch()       # it arrives, and its answer does not
            route.abort()
        else:
            route.continue_()

    ada.window.route("**/commands", first_is_lost)
    page = ada.go(f"/matches/{match}")
    page.locator("[data-seen]").first.wait_for(state="attached")      # the scripts have taken the page over
    page.dblclick("button:text-is('Rest')")
    expect(page.locator(".log li").first).to_contain_text(f"{ada.name} rests")
    until = time.monotonic() + 20
    while len(keys) < 2 and time.monotonic() < until:
        page.wait_for_timeout(100)
    assert len(keys) == 2
    assert keys[0] == keys[1]
    assert ada.stack.one("SELECT count(*) AS n FROM inbox WHERE match_id = %s AND account_id = %s", match, ada.id)["n"] == 1
    ada.complaints = [one for one in ada.complaints if "ERR_FAILED" not in one]


@rule("PL-702")
def test_every_board_gets_the_words_it_asks_for():
    asked = {part for board in Path("services").glob("*/board/*.js") for part in re.findall(r"words\.(\w+)(?=\?\.|\[)", board.read_text())}
    assert asked <= {*WORDS_OF_BOARDS, "language"}
    assert {"names", "labels", "pages"} <= asked


@rule("PL-703")
def test_the_log_calls_people_by_their_names_and_a_name_is_only_a_text():
    seats = [{"seat": 0, "kind": "held", "account": {"name": "Ada"}}, {"seat": 1, "kind": "open", "account": None},
             {"seat": 2, "kind": "held", "account": {"name": "<i>Cy"}}, {"seat": 3, "kind": "bot", "account": None}]
    told = by_name("Seat 1 bows to seat 3; seat 2 & seat 9 look on, seats 1, 3 rise, seat 4 yawns.", seats)
    words = re.sub("<svg.*?</svg>", "", told)
    assert words == "<b>Ada</b> bows to <b>&lt;i&gt;Cy</b>; seat 2 &amp; seat 9 look on, seats 1, 3 rise, <b>bot 4</b> yawns."


@rule("PL-283", "PL-705")
def test_what_is_being_typed_stays_while_others_act(meet: Meet, table: Table):
    ada, bob = meet(), meet()
    match = table(ada, bob)
    page = bob.go(f"/matches/{match}")
    page.fill("input[name='text:name']", "The Reed")
    ada.command(match, do="rest")
    expect(page.locator("[data-part=seats] .awaited")).to_contain_text(bob.name)
    expect(page.locator("button:text-is('Rest')")).to_have_count(1)


@rule("PL-717", "PL-702")
def test_a_turn_is_taken_with_the_keyboard_alone(meet: Meet, table: Table):
    ada, bob = meet(), meet()
    match = table(ada, bob)
    page = ada.go(f"/matches/{match}")
    expect(page.locator("#board h3")).to_be_visible()
    for _ in range(30):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent.trim()") == "Rest":
            break
    page.keyboard.press("Enter")
    expect(page.locator(".log li").first).to_contain_text(f"{ada.name} rests")


@rule("PL-704")
def test_my_matches_lists_what_i_am_asked_and_keeps_up(meet: Meet, table: Table):
    ada, bob = meet(), meet()
    match = table(ada, bob)
    page = bob.go("/my")
    expect(page.locator("[data-part=asks]")).to_contain_text("Name your heap")
    page.wait_for_timeout(700)
    ada.command(match, do="rest")
    expect(page.locator("[data-part=asks] .urgent")).to_contain_text("throw one to three dice")
    expect(page).to_have_title("(1) My matches · Cupboard")


@rule("PL-246", "PL-243", "PL-503")
def test_the_host_pauses_and_a_seat_resigns_with_a_confirmation(meet: Meet, table: Table):
    ada, bob = meet(java_script_enabled=False), meet(java_script_enabled=False)
    match = table(ada, bob)
    page = ada.go(f"/matches/{match}")
    page.click("button:text-is('Pause')")
    expect(page.locator("h1")).to_contain_text("paused")
    page.click("button:text-is('Go on')")
    expect(page.locator("h1")).to_contain_text("running")
    theirs = bob.go(f"/matches/{match}")
    theirs.click("summary:has-text('Resign')")
    theirs.check("[name=sure]")
    theirs.click("button:text-is('Resign')")
    expect(theirs.locator(".podium")).to_contain_text("resigned")


@rule("PL-218", "PL-388", "PL-389")
def test_a_private_match_is_not_there_for_others(meet: Meet, table: Table, stack: Stack):
    ada, bob, eve = meet(), meet(), meet()
    match = table(ada, bob, visibility="unlisted")
    stack.do("UPDATE matches SET visibility = 'private' WHERE match_id = %s", match)
    page = eve.go(f"/matches/{match}")
    assert page.locator("h1").inner_text() == "There is nothing here"
    assert "Pebbles" not in page.content()
    eve.complaints.clear()


@rule("PL-566", "PL-567", "PL-568")
def test_the_audience_joins_and_votes_with_forms(meet: Meet, table: Table):
    ada, bob = meet(), meet()
    guest = meet(guest=True, java_script_enabled=False)
    match = table(ada, bob, options={"rounds": 1, "crowd": True}, guests=True)
    until = time.monotonic() + 30
    while all_safe(match, ada, bob):
        assert time.monotonic() < until
    page = guest.go(f"/matches/{match}")
    page.fill("#f-member", "Row 3")
    page.click("text=Join the audience")
    page.click("[data-part=audience] button[value='1']")
    expect(page.locator("[data-part=audience] [aria-pressed=true]")).to_have_attribute("value", "1")
    assert ada.stack.one("SELECT answer FROM audience_answers WHERE match_id = %s", match)["answer"] == "1"


# On a phone, and the large board ---------------------------------------------------------------------------------------------


@rule("PL-725", "PL-721", "PL-702", "CH-242", "CH-203")
def test_a_tournament_is_played_on_the_picture_of_a_phone(meet: Meet, table: Table):
    ada = meet(**PHONE)
    match = table(ada, game="champions", bots=3, clock={"preset": "quick"}, options={"policy": "sheets"})
    page = ada.go(f"/matches/{match}")
    _to_the_prediction(ada, match)
    page.get_by_role("button", name="my champion").first.tap()
    expect(page.locator("#board .ch-star")).to_have_count(1)
    ada.command(match, do="note_winner", contestant=1, through="final")
    page.reload()
    expect(page.locator("#board .ch-expected")).to_have_count(3)    # in its quarter-final, and in the places after it
    page.click("button:text-is('Confirm your prediction')")
    expect(page.locator("#board .ch-spotlight")).to_be_visible()
    page.locator("#board button.ch-side.triangle").tap(timeout=10_000)
    expect(page.locator("#board .ch-space.circled, #board .ch-space.crossed").first).to_be_attached()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.click("summary:has-text('The table in words')")
    assert "Champions!, round 1 of 2" in page.locator(".text-view").inner_text()


def _to_the_prediction(person: Person, match: str) -> None:
    """Names from the suggestions, and everybody is known; whatever is asked again is answered again."""
    until = time.monotonic() + 40
    while person.api("GET", f"/matches/{match}/view?seat=0")["view"]["stage"] != "prediction":
        assert time.monotonic() < until
        for ask in person.asks(match):
            if ask["question"] in {"name", "rename"} and ask["needed"]:
                fields = ask["choices"][0]["fields"]
                view = person.api("GET", f"/matches/{match}/view?seat=0")["view"]
                blank = {tile["tile"] for tile in view["own"]["tiles"] if not tile["name"]}
                tile = next(one["value"] for one in fields["tile"]["of"] if one["value"] in blank or ask["question"] == "rename")
                person.command(match, do="write_name", tile=tile, name=fields["name"]["suggestions"][7])
            elif ask["question"] == "check" and ask["needed"]:
                person.command(match, do="check_names", unknown=[], report=[])
        time.sleep(0.05)
