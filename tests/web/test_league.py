"""Can a tournament be made, run, followed and corrected in a browser alone, at a desk and on a phone?"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable
from typing import Any

import pytest
import requests
from playwright.sync_api import expect

from tests.ledger import rule
from tests.web.conftest import PHONE, Meet, Person, Stack

NUMBERS = itertools.count(1)
TWO = {"least": 2, "most": 2, "preferred": 2}
Made = Callable[..., str]


@pytest.fixture
def club(stack: Stack) -> Callable[[Person], str]:
    """An organisation whose owner somebody is."""
    def make(owner: Person) -> str:
        name = f"o-web{next(NUMBERS)}"
        stack.do("INSERT INTO organisations (organisation_id, name, name_key, created_by) VALUES (%s, %s, %s, %s)", name, f"Club {name}", name, owner.id)
        stack.do("INSERT INTO organisation_chains (organisation_id) VALUES (%s)", name)
        stack.do("INSERT INTO organisation_roles VALUES (%s, %s, 'owner', %s)", name, owner.id, owner.id)
        return name
    return make


@pytest.fixture
def tournament(club: Callable[[Person], str]) -> Made:
    """A running tournament of these people, made over the API; the first one owns the club."""
    def make(*people: Person, **stage: Any) -> str:
        owner = people[0]
        rules = {"format": "elimination", "seats": TWO, **stage}
        made = owner.api("POST", "/tournaments", {"organisation": club(owner), "settings": {
            "name": "Spring cup", "game": "pebbles", "game_version": "1", "stages": [rules], "playing": {"clock": {"preset": "quick"}},
            "schedule": {"round_break": "0 minutes"}}})["tournament"]
        act(owner, made, "open", **({"forecast_seen": True} if rules["format"] == "swiss" else {}))
        for person in people:
            act(person, made, "enter")
        act(owner, made, "close")
        act(owner, made, "start")
        return str(made)
    return make


def act(person: Person, tournament: str, kind: str, **fields: Any) -> Any:
    return person.api("POST", f"/tournaments/{tournament}/acts", {"kind": kind, **fields})


def read(person: Person, path: str, until: Callable[[Any], Any]) -> Any:
    """What the API tells as soon as it is so; a match is made right after the round that names it."""
    give_up = time.monotonic() + 30
    while True:
        answer = requests.get(f"{person.stack.base}/api/v1{path}", cookies={"cupboard": person.cookie}, timeout=20)
        if answer.ok and until(answer.json()):
            return answer.json()
        assert time.monotonic() < give_up, answer.text
        time.sleep(0.05)


def play(people: dict[str, Person], tournament: str, number: int = 1) -> Any:
    """The round's matches, given up by whoever sits first, until every table is decided."""
    where = f"/tournaments/{tournament}/stages/1/rounds/{number}"
    someone = next(iter(people.values()))
    for pairing in read(someone, where, lambda told: told["pairings"])["pairings"]:
        read(someone, f"/matches/{pairing['match']}", lambda match: match["state"] == "running")
        people[pairing["seats"][0]["account"]].api("POST", f"/matches/{pairing['match']}/resignations", {"seat": 0, "sure": True})
    return read(someone, where, lambda told: all(one["state"] == "confirmed" for one in told["pairings"]))


@rule("LG-161", "LG-1001", "LG-1004")
def test_a_tournament_is_made_entered_and_started_with_forms_and_followed_live(meet: Meet, club: Callable[[Person], str]):
    ada, bo = meet(), meet()
    club(ada)
    page = ada.go("/new-tournament")
    page.fill("#f-name", "Autumn cup")
    page.select_option("#f-game", "pebbles")
    page.select_option("#f-format", "round_robin")
    page.fill("#f-most", "2")
    page.fill("#f-break", "0")
    page.click("button.first")
    expect(page.locator("h1")).to_contain_text("Autumn cup")
    page.click("text=Run it")
    page.click("button:has-text('Open entry')")
    expect(page.locator("h1")).to_contain_text("open for entry")
    here = page.url.partition("/run")[0]
    for person in (ada, bo):
        person.page.goto(here)
        person.page.click("button:has-text('Enter')")
        expect(person.page.locator("button:has-text('Withdraw')")).to_be_visible()
    page.goto(f"{here}/run")
    page.click("button:has-text('Close entry')")
    page.click("button:has-text('Start it')")
    expect(page.locator("h1")).to_contain_text("running")

    tournament = here.rsplit("/", 1)[1]
    read(ada, f"/tournaments/{tournament}", lambda told: told["stages"][0]["round"])
    page.goto(here)
    expect(page.locator(".pairing")).to_have_count(1)
    expect(page.locator("#h-standing")).to_have_text("Standing")
    play({ada.id: ada, bo.id: bo}, tournament)
    expect(page.locator("[data-part=head]")).to_contain_text("won it", timeout=20_000)       # without anybody loading it again
    expect(page.locator("#h-standing")).to_have_text("Final standing")
    watcher = meet(guest=True)
    expect(watcher.go("/league").locator("a.card:has-text('Autumn cup')")).to_have_count(1)
    expect(watcher.go(f"/tournaments/{tournament}/cross-table").locator("table.cross tbody tr")).to_have_count(2)


@rule("LG-443", "LG-1004", "PL-718")
def test_a_bracket_is_drawn_and_stands_there_in_words_too(meet: Meet, tournament: Made):
    people = [meet() for _ in range(4)]
    made = tournament(*people)
    play({person.id: person for person in people}, made)
    read(people[0], f"/tournaments/{made}", lambda told: told["stages"][0]["round"] == 2)
    page = people[0].go(f"/tournaments/{made}/bracket")
    expect(page.locator(".bracket-round")).to_have_count(2)
    expect(page.locator(".tie .won")).to_have_count(2)
    boxes = [page.locator(".tie").nth(at).bounding_box() for at in range(3)]
    middle = (boxes[0]["y"] + boxes[1]["y"] + boxes[1]["height"]) / 2
    assert abs(boxes[2]["y"] + boxes[2]["height"] / 2 - middle) < 3           # the final stands between the two that lead to it
    page.click("text=The same in words")
    expect(page.locator("details[open] li")).to_have_count(3)


@rule("LG-912", "LG-913", "LG-922")
def test_a_referee_sees_what_a_correction_would_change_before_it_is_made(meet: Meet, tournament: Made):
    ada, bo, eve = meet(), meet(), meet()
    made = tournament(bo, eve, format="round_robin")
    told = play({bo.id: bo, eve.id: eve}, made)
    bo.api("PUT", f"/tournaments/{made}/officials/{ada.id}", {})
    read(bo, f"/tournaments/{made}", lambda told: told["state"] == "finished")      # nothing goes on by itself any more
    loser = next(seat for seat in told["pairings"][0]["seats"] if seat["place"] == 2)["account"]
    page = ada.go(f"/tournaments/{made}/rounds/1/1")
    page.click("text=Decide or correct")
    for seat in told["pairings"][0]["seats"]:
        page.fill(f"[name='places:{seat['account']}']", "1" if seat["account"] == loser else "2")
    page.click("text=See what these places would change")
    expect(page.locator("#h-preview")).to_be_visible()
    expect(page.locator(".card.urgent tbody tr")).to_have_count(2)
    page.fill("#f-reason-correct", "the places were mixed up at the table")
    page.click("button:has-text('Correct it')")
    expect(page.locator(".badge:has-text('corrected')")).to_have_count(1)
    expect(page.locator(".sides li").filter(has_text={bo.id: bo, eve.id: eve}[loser].name).locator(".place")).to_have_text("1")
    expect(ada.go(f"/tournaments/{made}/about").locator("#h-corrections")).to_be_visible()


@rule("LG-144", "LG-150")
def test_what_is_refused_is_said_on_the_page_and_nothing_is_lost(meet: Meet, club: Callable[[Person], str]):
    ada = meet()
    club(ada)
    page = ada.go("/new-tournament")
    page.fill("#f-name", "Odd cup")
    page.select_option("#f-game", "pebbles")
    page.fill("#f-least", "7")
    page.fill("#f-most", "8")
    page.click("button.first")
    expect(page.get_by_role("alert")).to_be_visible()
    expect(page.locator("#f-name")).to_have_value("Odd cup")
    ada.complaints.clear()      # the browser tells of the 422, as it should


@rule("LG-561", "LG-562")
def test_a_season_is_begun_with_a_line_for_each_division(meet: Meet, club: Callable[[Person], str]):
    ada = meet()
    club(ada)
    page = ada.go("/new-season")
    page.fill("#f-name", "Spring")
    page.fill("[name='size:0']", "4")
    page.fill("[name='division:2']", "Third")
    page.fill("[name='size:2']", "1")
    page.eval_on_selector("form.card", "form => { form.noValidate = true; }")       # what the browser would not even send
    page.click("button.first")
    expect(page.get_by_role("alert")).to_be_visible()       # too few places
    expect(page.locator("[name='division:2']")).to_have_value("Third")
    ada.complaints.clear()
    page.fill("[name='size:2']", "6")
    page.fill("[name='up:2']", "2")
    page.fill("[name='down:1']", "2")
    page.click("button.first")
    expect(page.locator("h1")).to_contain_text("Spring")
    made = ada.api("GET", f"/seasons/{page.url.rpartition('/')[2]}")["settings"]["divisions"]
    assert [(one["name"], one["size"], one["up"], one["down"]) for one in made] == [("First", 4, 0, 2), ("Second", 8, 2, 2), ("Third", 6, 2, 0)]


@rule("LG-601", "LG-617")
def test_a_championship_counts_a_tournament_and_names_its_winner(meet: Meet, tournament: Made, club: Callable[[Person], str]):
    people = [meet() for _ in range(4)]
    owner = people[0]
    made = tournament(*people, format="swiss", rounds=1)
    page = owner.go("/new-championship")
    page.fill("#f-name", "The year")
    page.fill("#f-announced", "1")
    page.click("button.first")
    page.select_option("#f-tournament", made)
    page.click("button:has-text('Count it'):not(.harsh)")
    page.click("button:has-text('Publish it')")
    expect(page.locator("h1")).to_contain_text("running")
    play({person.id: person for person in people}, made)
    expect(page.locator("[data-part=winners]")).to_contain_text("won the championship", timeout=20_000)
    expect(page.locator("table.standing tbody tr")).to_have_count(4)
    expect(page.locator("table.standing tbody tr").first).to_contain_text("100")


@rule("PL-718", "LG-1003")
def test_every_page_of_the_league_fits_a_phone(meet: Meet, tournament: Made, club: Callable[[Person], str]):
    people = [meet(**(PHONE if at == 0 else {})) for at in range(4)]
    owner = people[0]
    made = tournament(*people)
    read(owner, f"/tournaments/{made}", lambda told: told["stages"][0]["round"])
    cup = owner.api("POST", "/championships", {"organisation": club(owner), "settings": {"name": "The year"}})["championship"]
    season = owner.api("POST", "/seasons", {"organisation": club(owner), "settings": {
        "name": "Winter", "divisions": [{"name": "First", "size": 4, "down": 1}, {"name": "Second", "size": 4, "up": 1}]}})["season"]
    here = f"/tournaments/{made}"
    for path in ("/league", "/tournaments", "/championships", "/seasons", "/new-tournament", "/new-championship", "/new-season", here,
                 *(f"{here}/{name}" for name in ("standing", "rounds", "rounds/1/1", "bracket", "entrants", "about", "run", "widget", "pairings/1/1/1")),
                 f"/championships/{cup}", f"/seasons/{season}"):
        page = owner.go(path)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, path
        assert page.locator("h1").count() == 1, path


@rule("LG-771", "PL-718")
def test_a_tie_break_leads_to_the_rounds_that_it_comes_from(meet: Meet, tournament: Made):
    people = [meet() for _ in range(3)]
    made = tournament(*people, format="swiss", rounds=3)
    by_id = {person.id: person for person in people}
    for number in (1, 2):
        read(people[0], f"/tournaments/{made}", lambda told, number=number: told["stages"][0]["round"] == number)
        play(by_id, made, number)
    standing = read(people[0], f"/tournaments/{made}/stages/1/standing", lambda told: sum(line["played"] for line in told["lines"]) >= 4)
    line = next(one for one in standing["lines"] if {tie["code"] for tie in one["ties"]} >= {"BH-C1"})
    watcher = meet(guest=True, **PHONE)
    page = watcher.go(f"/tournaments/{made}/standing")
    page.locator(f"a[href$='/ties/{line['account']}#t-BH-C1']").click()
    expect(page.locator("#h-came")).to_contain_text(by_id[line["account"]].name)
    section = page.locator("section[aria-labelledby='t-BH-C1']")
    values = section.locator("tbody tr:not(.out) td:last-child").evaluate_all("found => found.map(one => Number(one.innerText))")
    shown = next(tie["shown"] for tie in line["ties"] if tie["code"] == "BH-C1")
    assert sum(values) == float(shown)
    expect(section.locator("tr.out")).to_contain_text("left out")
    expect(page.locator("dl.facts").first).to_contain_text("virtual-2")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
