"""Do the forms that only those who run a tournament see do what they say? Each is pressed once, as it would be on the day."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page, expect

from tests.ledger import rule
from tests.web.conftest import PHONE, Meet, send
from tests.web.test_desk_forms import fold, refused, told
from tests.web.test_league import act, club, play, read
from tests.web.test_own_part import Club, fits, opened, started
from tests.web.test_player import picture

__all__ = ["club"]      # a fixture of those tests, needed here too


def pressed(page: Page, summary: str, button: str, words: str, **fields: Any) -> None:
    """Opens a line of the desk, fills in its form, presses its button and reads what was done."""
    fold(page, summary)
    within = page.locator("details[open]", has_text=summary).last
    for name, value in fields.items():
        box = within.locator(f"[name={name}]").first
        box.select_option(value) if box.evaluate("one => one.tagName") == "SELECT" else box.fill(value)
    with page.expect_navigation():
        within.get_by_role("button", name=button, exact=True).click()
    told(page, words)


@rule("PL-724", "LG-951", "LG-172", "LG-150")
def test_settings_are_changed_in_a_form_and_what_is_fixed_says_why(meet: Meet, club: Club):
    ada, bo, cy = meet(), meet(), meet()
    made = opened(ada, club(ada), {"format": "swiss", "rounds": 3}, schedule={"round_break": "3 minutes"})
    for person in (ada, bo, cy):
        act(person, made, "enter")
    page = ada.go(f"/tournaments/{made}/run")
    page.click("text=Change settings")
    page.fill("#f-name", "Winter cup")
    page.fill("#f-schedule-round_break", "ten minutes")
    page.fill("#f-most", "40")
    page.fill("#f-schedule-reminders", "2 hours")
    page.check("#f-waiting_list")
    send(page, "button:has-text('Change what I have changed here')")
    refused(page, "Break between rounds")
    expect(page.locator("#f-name")).to_have_value("Winter cup")
    page.fill("#f-schedule-round_break", "10 minutes")
    send(page, "button:has-text('Change what I have changed here')")
    told(page, "The settings are changed.")
    settings = ada.api("GET", f"/tournaments/{made}")["settings"]
    assert (settings["name"], settings["most"], settings["waiting_list"], settings["schedule"]["round_break"]) == ("Winter cup", 40, True, "10 minutes")
    assert (settings["schedule"]["reminders"], settings["playing"]["clock"]["preset"]) == (["2 hours"], "quick")

    page = ada.go(f"/tournaments/{made}/run")
    pressed(page, "Who is not to meet", "Set it", "It is set who is not to meet.", never=f"{bo.name}, {cy.name}\n{ada.name}, {bo.name}", same_club="soft")
    expect(page.locator("#f-never")).to_have_value(f"{bo.name}, {cy.name}\n{ada.name}, {bo.name}")
    picture(page, "apart")
    send(page, f"form:has-text('{bo.name}, {cy.name}') >> button:has-text('Take it back')")
    assert ada.api("GET", f"/tournaments/{made}")["bars"] == {"never": [[ada.id, bo.id]], "soft": [], "same_club": "soft", "same_team": ""}
    assert "bars" not in bo.api("GET", f"/tournaments/{made}")
    started(ada, made)
    page = ada.go(f"/tournaments/{made}/settings")
    expect(page.locator("#h-fixed ~ p")).to_contain_text("The first round has been made")
    assert page.locator("#f-most").count() == 0
    picture(page, "settings-later")
    fits(page)
    page.fill("#f-rounds", "4")
    send(page, "button:has-text('Plan so many')")
    told(page, "The settings are changed.")
    page.fill("#f-schedule-round_break", "1 hour")
    send(page, "button:has-text('Change what I have changed here')")
    facts = ada.api("GET", f"/tournaments/{made}")
    assert (facts["stages"][0]["planned_rounds"], facts["settings"]["schedule"]["round_break"]) == (4, "1 hour")
    ada.complaints = [one for one in ada.complaints if " 4" not in one]


@rule("LG-144", "LG-166", "LG-658", "LG-678", "LG-651")
def test_a_referee_pairs_by_hand_gives_byes_and_disqualifies(meet: Meet, club: Club):
    ada, referee = meet(), meet(**PHONE)
    players = [meet() for _ in range(5)]
    made = opened(ada, club(ada), {"format": "swiss", "rounds": 3}, auto_start=False)
    ada.api("PUT", f"/tournaments/{made}/officials/{referee.id}", {})
    for person in players:
        act(person, made, "enter")
    act(ada, made, "close")
    act(ada, made, "start")
    read(referee, f"/tournaments/{made}/stages/1/rounds/1/draft", lambda told: told["pairings"])
    pressed(referee.go(f"/tournaments/{made}/run"), "Pair it again", "Pair it again", "The round was paired again.", reason="a friend came late")
    draft = read(referee, f"/tournaments/{made}/stages/1/rounds/1/draft", lambda told: told["pairings"])
    sits = [seat["account"] for pairing in draft["pairings"] for seat in pairing["seats"]]
    page = referee.go(f"/tournaments/{made}/run")
    picture(page, "draft-phone")
    fits(page)
    pressed(page, "Let two change places", "Change them", "The two have changed places.", account=sits[0], other=sits[2], reason="of one family")
    now = read(referee, f"/tournaments/{made}/stages/1/rounds/1/draft", lambda told: told["pairings"])
    assert {frozenset(seat["account"] for seat in pairing["seats"]) for pairing in now["pairings"]} == {frozenset({sits[2], sits[1]}), frozenset({sits[0], sits[3]})}
    names = {person.id: person.name for person in players}
    [rests] = [account for account in names if account not in sits]
    tables = f"{names[sits[0]]}, {names[sits[1]]}\n{names[sits[2]]}, {names[rests]}"
    pressed(page, "Pair the round by hand", "Take this pairing", "Your pairing is the round now.", tables=tables, byes=f"{names[sits[3]]}, full, was promised it",
            reason="as it was agreed")
    if page.locator("button:has-text('Publish it')").count():
        send(page, "button:has-text('Publish it')")
    told_round = read(referee, f"/tournaments/{made}/stages/1/rounds/1", lambda told: told["pairings"])
    assert [(bye["account"], bye["kind"]) for bye in told_round["byes"]] == [(sits[3], "full")]
    page = referee.go(f"/tournaments/{made}/run")
    pressed(page, "Give a bye", "Give it", "The bye is given.", account=sits[3], round="2", bye="given_half", reason="travels on that day")
    pressed(page, "Disqualify", "Disqualify", "Disqualified.", account=rests, annul="keep", reason="looked at other boards")
    pressed(page, "Lift a disqualification", "Lift it", "The disqualification is lifted.", account=rests, reason="it was another one")
    assert read(ada, f"/tournaments/{made}/entrants", lambda told: told["items"])["items"][-1]["state"] != "disqualified"
    assert referee.complaints == []


@rule("LG-913", "LG-914")
def test_a_second_referee_confirms_a_correction(meet: Meet, club: Club):
    ada, bo, cy, one, other = meet(), meet(), meet(), meet(), meet()
    made = opened(ada, club(ada), {}, confirmations=2)
    for referee in (one, other):
        ada.api("PUT", f"/tournaments/{made}/officials/{referee.id}", {})
    here = started(ada, made, bo, cy)
    play({bo.id: bo, cy.id: cy}, made)
    read(ada, f"/tournaments/{made}", lambda told: told["state"] == "finished")
    page = one.go(here)
    page.click("button:has-text('See it void')")
    page.fill("#f-reason-correct", "both were at another table")
    send(page, "button:has-text('Correct it')")
    page = one.go(f"/tournaments/{made}/run")
    expect(page.get_by_text("Another referee has to confirm it.")).to_be_visible()
    assert page.locator("button:has-text('Confirm it')").count() == 0
    page = other.go(f"/tournaments/{made}/run")
    send(page, "button:has-text('Confirm it')")
    told(page, "The correction is decided.")
    assert read(ada, f"/tournaments/{made}/stages/1/rounds/1", lambda told: told["pairings"])["pairings"][0]["state"] == "void"


@rule("LG-532", "LG-548", "LG-925")
def test_rungs_are_set_and_an_arena_is_left_for_a_rest(meet: Meet, club: Club):
    ada, bo, cy = meet(), meet(), meet()
    organisation = club(ada)
    made = opened(ada, organisation, {"format": "ladder"}, schedule={})
    ada.api("PUT", f"/tournaments/{made}/officials/{cy.id}", {})
    for person in (ada, bo):
        act(person, made, "enter")
    act(ada, made, "close")
    act(ada, made, "start")
    rungs = [one["account"] for one in read(ada, f"/tournaments/{made}/stages/1/ladder", lambda told: len(told["rungs"]) == 2)["rungs"]]
    names = {ada.id: ada.name, bo.id: bo.name}
    page = cy.go(f"/tournaments/{made}/run")
    pressed(page, "Set the rungs", "Set them", "The rungs are set.", order="\n".join(names[one] for one in reversed(rungs)), reason="the old list was lost")
    assert [one["account"] for one in read(ada, f"/tournaments/{made}/stages/1/ladder", lambda told: told["rungs"])["rungs"]] == rungs[::-1]
    arena = opened(ada, organisation, {"format": "arena"}, schedule={})
    for person in (ada, bo, cy):
        act(person, arena, "enter")
    act(ada, arena, "close")
    act(ada, arena, "start")
    [table] = read(ada, f"/tournaments/{arena}/stages/1/rounds/1", lambda told: told["pairings"])["pairings"]
    busy = {seat["account"] for seat in table["seats"]}
    playing, free = next(one for one in (ada, bo) if one.id in busy), next(one for one in (ada, bo, cy) if one.id not in busy)
    page = playing.go(f"/tournaments/{arena}/mine")
    expect(page.get_by_text("Between two matches you can say here")).to_be_visible()
    page = free.go(f"/tournaments/{arena}/mine")
    for button, words in (("Rest", "Resting."), ("Ready to play", "Ready to play.")):
        with page.expect_navigation():
            page.get_by_role("button", name=button, exact=True).click()
        told(page, words)


@rule("LG-561", "LG-564", "LG-567", "LG-568", "PL-718")
def test_a_season_names_its_tournaments_and_moves_are_changed_and_published(meet: Meet, club: Club):
    ada, bo, cy = meet(**PHONE), meet(), meet()
    organisation = club(ada)
    cups = [opened(ada, organisation, {"format": "swiss", "rounds": 1}, name=name) for name in ("First league", "Second league")]
    season = ada.api("POST", "/seasons", {"organisation": organisation, "settings": {"name": "Winter", "divisions": [
        {"name": "Top", "size": 4, "down": 1}, {"name": "Low", "size": 4, "up": 1}]}})["season"]
    page = ada.go(f"/seasons/{season}")
    for level, name in enumerate(("First league", "Second league")):
        page.select_option("#f-level", str(level))
        page.select_option("#f-tournament", label=f"{name} (Pebbles, open for entry)")
        send(page, "button:has-text('Name it')")
    expect(page.get_by_text("Every division has its tournament.")).to_be_visible()
    picture(page, "season-phone")
    fits(page)
    send(page, "button:has-text('Begin the season')")
    page = cy.go(f"/seasons/{season}")
    send(page, "button:has-text('Join next season')")
    told(page, "You have joined.")
    for made in cups:
        started(ada, made, ada, bo)
        play({ada.id: ada, bo.id: bo}, made)
    read(ada, f"/seasons/{season}/moves", lambda told: told["lines"])
    page = bo.go(f"/seasons/{season}")
    send(page, "button:has-text('I shall not play next season')")
    told(page, "Your choice is noted.")
    page = ada.go(f"/seasons/{season}")
    page.select_option("#f-account", cy.id)
    page.select_option("#f-level", "0")
    page.fill("#f-reason", "won the open of last year")
    send(page, "button:has-text('Put there')")
    told(page, "The move is changed.")
    send(page, "button:has-text('Publish the moves')")
    told(page, "The moves are published.")
    lines = ada.api("GET", f"/seasons/{season}/moves")
    assert (lines["published"], {line["account"]: line["to"] for line in lines["lines"]}[cy.id]) == (True, 0)


@rule("LG-617")
def test_a_championship_counts_what_is_chosen_by_name(meet: Meet, club: Club):
    ada = meet()
    organisation = club(ada)
    made = opened(ada, organisation, {}, name="Club cup")
    foreign = opened(ada, club(ada), {}, name="Town cup")
    cup = ada.api("POST", "/championships", {"organisation": organisation, "settings": {"name": "The year"}})["championship"]
    page = ada.go(f"/championships/{cup}")
    page.select_option("#f-tournament", label="Club cup (Pebbles, open for entry)")
    send(page, "button:has-text('Count it'):not(.harsh)")
    fold(page, "One of somebody else")
    page.fill("#f-other", f"{ada.stack.base}/tournaments/{foreign}")
    send(page, "button:has-text('Count it'):not(.harsh)")
    expect(page.locator("#h-cups ~ ul li")).to_contain_text(["Club cup", "Town cup"])
    page.select_option("#f-counted", label="Town cup")
    send(page, "button:has-text('Count it no longer')")
    assert [one["tournament"] for one in ada.api("GET", f"/championships/{cup}")["tournaments"]] == [made]
    picture(page, "championship")


