"""Can a team be entered, lined up and followed in a browser alone, and a referee decide one of its boards?"""

from playwright.sync_api import expect

from tests.ledger import rule
from tests.web.conftest import PHONE, Meet, Person, send
from tests.web.test_league import act, club, read

__all__ = ["club"]      # a fixture of those tests, needed here too


def made(ada: Person, club) -> str:
    """A tournament of teams with two boards, open for entry; its address."""
    club(ada)
    page = ada.go("/new-tournament")
    page.fill("#f-name", "Team cup")
    page.select_option("#f-game", "pebbles")
    page.select_option("#f-format", "round_robin")
    page.fill("#f-most", "2")
    page.fill("#f-break", "0")
    page.fill("#f-boards", "2")
    page.click("button.first")
    expect(page.locator("h1")).to_contain_text("Team cup")
    act(ada, page.url.rsplit("/", 1)[1], "open")
    return page.url


def invited(ada: Person, person: Person, here: str) -> None:
    act(ada, here.rsplit("/", 1)[1], "invite", account=person.id)
    person.page.goto(here)
    send(person.page, "button:has-text('Accept my invitation')")


def entered(captain: Person, other: Person, team: str, here: str) -> None:
    captain.page.goto(here)
    captain.page.click("summary:has-text('Enter a team')")
    captain.page.fill("#f-team", team)
    captain.page.fill("#f-members", f"{captain.name}\n{other.name}")
    captain.page.click("button:has-text('Enter the team')")
    expect(captain.page.locator("strong.team", has_text=team)).to_be_visible()


@rule("LG-971", "LG-972", "LG-222")
def test_teams_enter_line_up_and_are_shown_board_by_board(meet: Meet, club):
    ada, bo, cy, dee, referee = (meet() for _ in range(5))
    here = made(ada, club)
    tournament = here.rsplit("/", 1)[1]
    ada.api("PUT", f"/tournaments/{tournament}/officials/{referee.id}")
    invited(ada, bo, here)
    invited(ada, dee, here)
    entered(ada, bo, "Rooks", here)
    ada.page.click("summary:has-text('Line-up')")
    ada.page.fill("textarea[name=accounts]", f"{bo.name}\n{ada.name}")
    entered(cy, dee, "Kings", here)
    expect(ada.page.locator("[data-part=standing]")).to_contain_text("Kings")
    expect(ada.page.locator("textarea[name=accounts]")).to_have_value(f"{bo.name}\n{ada.name}")      # what is new does not wipe what is typed
    send(ada.page, "button:has-text('Line up')")
    act(ada, tournament, "close")
    act(ada, tournament, "start", accept_imbalance=True)
    [pairing] = read(ada, f"/tournaments/{tournament}/stages/1/rounds/1", lambda told: told["pairings"])["pairings"]
    assert bo.id in {seat["account"] for seat in pairing["boards"][0]["seats"]}

    referee.go(f"/tournaments/{tournament}/pairings/1/1/1")
    referee.page.click("summary:has-text('Board 1')")
    for at, seat in enumerate(pairing["boards"][0]["seats"], start=1):
        referee.page.fill(f"#f-board-1-{at}", "1" if seat["account"] == bo.id else "2")
    referee.page.locator("details[open] input[name=reason]").fill("agreed by both players")
    referee.page.click("details[open] button:has-text('Enter it')")
    expect(referee.page.locator(".boards .won")).to_contain_text(bo.name)
    phone = meet(guest=True, **PHONE)
    phone.go(f"/tournaments/{tournament}/rounds/1/1")
    expect(phone.page.locator(".boards li")).to_have_count(2)
    assert phone.page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
