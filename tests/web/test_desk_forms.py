"""Does the desk keep what was typed, name who or what is wrong, and say in words what was done?"""

from __future__ import annotations

from playwright.sync_api import Page, expect

from services.gateway.web.league.telling import answer_words, entry_words, sentence, value_words
from services.gateway.web.league.tournament import takes_entries
from tests.ledger import rule
from tests.web.conftest import PHONE, Meet, Person, send
from tests.web.test_league import act, club, read
from tests.web.test_own_part import Club, fits, opened, started
from tests.web.test_player import picture

__all__ = ["club"]      # a fixture of those tests, needed here too


def fold(page: Page, summary: str) -> None:
    page.click(f"summary:has-text('{summary}')")


def told(page: Page, words: str) -> None:
    expect(page.get_by_role("status").filter(has_text=words)).to_be_visible()


def refused(page: Page, *words: str) -> None:
    for one in words:
        expect(page.get_by_role("alert")).to_contain_text(one)


@rule("LG-322", "LG-982")
def test_the_desk_answers_in_sentences():
    plan = {"rounds": 4, "table_sizes": [4, 3], "meetings": {"least": 0, "most": 1}, "words": ["Somebody rests."]}
    assert answer_words("plan", plan, dry=False) == ["4 rounds, tables of 4 and 3.", "Two entrants meet at most once.", "Somebody rests."]
    assert answer_words("import_entrants", {"new": [], "changed": []}, dry=True) == ["There is nothing new in these lines."]
    assert (sentence("the entrant is not here"), sentence("Why?")) == ("The entrant is not here.", "Why?")
    assert [entry_words(one) for one in ("{}", '{"forecast_seen": true}', "was ill_", 12)] == ["", "forecast seen: yes", "was ill_", "12"]
    assert value_words({"half_byes": 2, "list": ["1", "0"], "none": None}) == "half byes: 2, list: 1, 0"


@rule("LG-221", "LG-227")
def test_entering_is_offered_only_where_it_can_be_done():
    swiss = {"format": "swiss", "number": 1, "round": 2, "drafted": None, "planned_rounds": 4, "rules": {"late_entry_until": None}}
    assert takes_entries({"state": "open"}, swiss)
    assert not takes_entries({"state": "closed"}, swiss)
    assert takes_entries({"state": "running"}, swiss)                                       # half of the rounds are not made yet
    assert not takes_entries({"state": "running"}, {**swiss, "drafted": 3})
    assert not takes_entries({"state": "running"}, {**swiss, "rules": {"late_entry_until": 0}})
    assert takes_entries({"state": "running"}, {**swiss, "format": "ladder"})
    assert not takes_entries({"state": "running"}, {**swiss, "format": "elimination"})


@rule("PL-724", "LG-150", "LG-222", "LG-951", "LG-981", "LG-982")
def test_lists_of_names_are_kept_and_named_when_they_are_refused(meet: Meet, club: Club):
    ada, bo, cy = meet(**PHONE, color_scheme="dark"), meet(), meet()
    made = opened(ada, club(ada), {"format": "swiss", "rounds": 3})
    page = ada.go(f"/tournaments/{made}/run")
    fold(page, "Who is not to meet")
    page.fill("#f-never", f"{bo.name}, nobody_here")
    send(page, "button:has-text('Set it')")
    refused(page, "Nobody has this name", "nobody_here")
    expect(page.locator("#f-never")).to_have_value(f"{bo.name}, nobody_here")                # open, and as it was typed
    picture(page, "desk-refused-phone-dark")
    fits(page)
    page.fill("#f-never", f"{bo.name}, {cy.name}")
    send(page, "button:has-text('Set it')")
    told(page, "It is set who is not to meet.")
    fold(page, "Enter others")
    page.fill("#f-others", bo.name)
    send(page, "button:has-text('Enter them')")
    refused(page, "They have not accepted an invitation.", bo.name)
    assert bo.id not in page.get_by_role("alert").inner_text()
    for person in (bo, cy):
        act(ada, made, "invite", account=person.id)
        act(person, made, "accept_invitation")
    page = ada.go(f"/tournaments/{made}/run")
    fold(page, "Import entrants")
    page.fill("#f-csv", f"account,club\n{bo.name},Rooks\n{cy.name},Kings")
    page.check("[name=dry_run]")
    send(page, "button:has-text('Import')")
    told(page, f"Would be entered: {bo.name}, {cy.name}.")
    page.uncheck("[name=dry_run]")                                                          # the lines are still there
    send(page, "button:has-text('Import')")
    told(page, f"Entered: {bo.name}, {cy.name}.")
    assert [one["club"] for one in read(ada, f"/tournaments/{made}/entrants", lambda told: told["items"])["items"]] == ["Rooks", "Kings"]
    send(page, "button:has-text('Close entry')")
    fold(page, "Numbers by a list")
    listed = page.input_value("#f-order").split()
    assert set(listed) == {bo.name, cy.name}
    page.fill("#f-order", "\n".join(reversed(listed)))
    send(page, "button:has-text('Set them')")
    told(page, "The numbers are set.")
    ada.complaints = [one for one in ada.complaints if " 4" not in one]                     # the browser tells of each refusal, as it should


def corrected(referee: Person, here: str) -> None:
    """Where the tournament has gone on since the preview, the referee looks again."""
    for _ in range(5):
        page = referee.go(here)
        page.click("button:has-text('See it void')")
        page.fill("#f-reason-correct", "both were at another table")
        send(page, "button:has-text('Correct it')")
        if not page.get_by_role("alert").filter(has_text="It has changed meanwhile").count():
            break
    told(page, "The correction is made")


@rule("PL-724", "LG-913", "LG-922", "LG-123")
def test_a_referee_decides_corrects_and_undoes_without_scripts(meet: Meet, club: Club):
    ada, bo, cy = meet(), meet(), meet()
    referee = meet(java_script_enabled=False)
    made = opened(ada, club(ada), {"double": True})
    ada.api("PUT", f"/tournaments/{made}/officials/{referee.id}", {})
    for person in (bo, cy):
        act(person, made, "enter")
    here = started(ada, made)
    page = referee.go(here)
    fold(page, "Forfeit")
    page.fill("#f-reason-forfeit", "did not come at all")
    send(page, "button:has-text('Forfeit')")
    refused(page, "Who")
    expect(page.locator("#f-reason-forfeit")).to_have_value("did not come at all")
    page.check(f"details[open] input[value='{bo.id}']")
    send(page, "details[open] button:has-text('Forfeit')")
    told(page, "The forfeit is entered.")
    corrected(referee, here)
    words = referee.go(f"/tournaments/{made}/about").locator("section:has(#h-corrections)")
    expect(words).to_contain_text("Round 1, table 1")
    expect(words).to_contain_text(f"{cy.name} on place 1")
    assert "{" not in words.inner_text()
    page = referee.go(f"/tournaments/{made}/run")
    page.fill("[id^=f-reason-undo]", "they were here after all")
    send(page, "button:has-text('Undo it')")
    told(page, "The correction is undone")
    assert referee.go(f"/tournaments/{made}/run").locator("summary:has-text('Enter others')").count() == 0       # that is for organisers
    assert ada.go(f"/tournaments/{made}/run").locator("summary:has-text('Disqualify')").count() == 0             # and that for referees
    referee.complaints = [one for one in referee.complaints if " 4" not in one]
    organisation = referee.api("GET", f"/tournaments/{made}")["organisation"]["organisation"]
    assert page.locator(f".page-head a[href='/organisations/{organisation}']").count() == 1                             # one link, not one in another
