"""What happens by itself, at its time: cut-off, forecasts, playing hours, no-shows in parallel rounds?"""

from services.league.tournament.doors import TOURNAMENT
from tests.league.tournament.desk import CARD, MINUTE, Desk, account_at, pairing, refused, running, stage, through
from tests.ledger import rule

SWISS = stage("swiss", rounds=3)


@rule("LG-173", "LG-232")
def test_a_cut_off_makes_the_draft_before_its_publication():
    desk = running(SWISS, 8, schedule={"round_break": "60 minutes", "cut_off": "20 minutes"})
    for _, _, match in desk.open():
        desk.end(match, [1, 2])
    done = desk.stage().rounds[0].completed_at
    assert desk.until_due() == done + 40 * MINUTE
    drafted = desk.stage().drafted
    assert drafted.cut_off == done + 40 * MINUTE
    gone = account_at(desk, 1)
    desk.own(gone, "withdraw")
    desk.own(gone, "return")
    assert desk.until_due() == done + 60 * MINUTE
    page = desk.page("round/1/2")
    assert [seat["account"] for one in page["pairings"] if one["state"] == "walkover" for seat in one["seats"] if seat["points"] == "0"] == [gone]
    through(desk)
    assert gone in {seat["account"] for one in desk.page("round/1/3")["pairings"] for seat in one["seats"]}


@rule("LG-428")
def test_a_timer_acknowledges_no_forecast():
    desk = Desk(stage("swiss", rounds=6), at=1_000, most=6, schedule={"opens": "1970-01-02T00:00"})
    desk.until_due()
    assert desk.state.life == "draft"
    assert "dead ends are likely" in desk.page("head")["warnings"][0]
    assert TOURNAMENT.due(desk.state) is None
    desk.host("open", forecast_seen=True)


@rule("LG-882", "LG-878")
def test_a_deadline_in_playing_hours():
    desk = Desk(SWISS, at=17 * 60 * MINUTE, schedule={"round_deadline": "10 hours", "playing_hours": {"opens": "09:00", "closes": "21:00"}})
    desk.field(2)
    desk.host("start")
    assert desk.page("round/1/1")["deadline"] == (24 + 15) * 60 * MINUTE


@rule("PL-495", "LG-878")
def test_entry_without_an_end_never_closes_and_a_round_with_a_duration_ends_exactly_after_it():
    desk = Desk(SWISS, at=1_234_567, schedule={"round_deadline": "9 hours"})
    desk.host("open", forecast_seen=True)
    desk.wait(20 * 366 * 1440 * MINUTE)
    desk.own(desk.person("late"), "enter")
    desk.own(desk.person("later"), "enter")
    assert (desk.state.life, TOURNAMENT.due(desk.state)) == ("open", None)
    desk.host("close")
    desk.host("start")
    assert desk.page("round/1/1")["deadline"] == desk.at + 9 * 60 * MINUTE


@rule("PL-493", "LG-277")
def test_hours_of_a_clock_that_cannot_be_are_no_settings():
    for hours in ({"opens": "08:00", "closes": "08:30"}, {"opens": "08:00"}, {"opens": "08:00", "closes": "22:00", "zone": "Nowhere/Else"}):
        with refused("bad_setting"):
            Desk(SWISS, playing={"clock": {"preset": "quick", "hours": hours}})
    clock = {"preset": "none", "limit_ms": 3_600_000, "hours": {"opens": "08:00", "closes": "22:00", "zone": "Europe/Rome"}, "holidays": False}
    desk = running(SWISS, 2, playing={"clock": clock})
    assert desk.orders[0].clock == clock


@rule("LG-682", "LG-671")
def test_who_is_withdrawn_for_no_shows_forfeits_what_is_open():
    desk = running(stage("round_robin", any_order=True, open_matches=2), 4)
    missing = 0
    while missing < 2:
        _, numbers, match = next(one for one in desk.open() if 1 in one[1])
        desk.end(match, [2, 1] if numbers[0] == 1 else [1, 2], how=["no_show", "played"] if numbers[0] == 1 else ["played", "no_show"])
        missing += 1
    assert next(item["state"] for item in desk.page("entrants")["items"] if item["account"] == account_at(desk, 1)) == "withdrawn"
    assert not any(1 in numbers for _, numbers, _ in desk.open())


@rule("LG-177")
def test_nobody_is_absent_where_a_match_of_theirs_was_started():
    desk = running(SWISS, 6)
    place, numbers, match = desk.open()[0]
    desk.league("started", match=match)
    desk.own(account_at(desk, numbers[0]), "withdraw")
    page = desk.page("round/1/1")
    assert page["absent"] == []
    assert pairing(desk, place)["state"] == "running"
    through(desk)
    assert account_at(desk, numbers[0]) in {one["account"] for one in desk.page("round/1/2")["absent"]}


@rule("LG-807", "LG-801")
def test_a_standing_during_a_round_says_how_many_pairings_are_open():
    desk = running(SWISS, 6)
    assert [desk.page("standing/1")["open_pairings"], desk.page("standing/1")["frozen"]] == [3, False]
    desk.end(desk.open()[0][2], [1, 2])
    assert desk.page("standing/1")["open_pairings"] == 2


@rule("LG-101")
def test_all_that_is_known_of_a_game_is_its_card():
    desk = Desk(SWISS)
    assert desk.state.card == CARD
    assert TOURNAMENT.name == "tournament"


@rule("LG-701", "LG-702")
def test_the_order_says_when_a_seat_has_left_and_who_plays_it_on():
    desk = running(stage("swiss", {"least": 3, "most": 3, "preferred": 3}, rounds=1), 3, playing={"leave_after": 4, "leaver": "defaults"})
    assert (desk.orders[0].leave_after, desk.orders[0].leaver) == (4, "defaults")
    other = running(stage("swiss", {"least": 3, "most": 3, "preferred": 3}, rounds=1), 3)
    assert (other.orders[0].leave_after, other.orders[0].leaver) == (2, "automaton")


@rule("LG-206")
def test_of_several_ends_the_first_one_recorded_is_the_result():
    desk = running(SWISS, 2)
    place, numbers, match = desk.open()[0]
    desk.end(match, [1, 2], how=["played", "timed_out"])
    desk.end(match, [2, 1], how=["resigned"])
    assert desk.answer == {"refused": "result_exists"}
    assert [seat["how"] for seat in pairing(desk, place)["seats"]] == ["played", "timed_out"]
    assert numbers
