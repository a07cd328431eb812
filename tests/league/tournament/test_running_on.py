"""What becomes of matches that still run when their tournament ends (PL-256)?"""

from tests.league.tournament.desk import Desk, stage
from tests.ledger import rule

SWISS = stage("swiss", rounds=3)


def begun() -> Desk:
    desk = Desk(SWISS)
    desk.field(6)
    desk.host("start")
    return desk


@rule("PL-256", "LG-176")
def test_ending_stops_no_match_and_every_later_result_counts() -> None:
    desk = begun()
    matches = [match for _, _, match in desk.open()]
    desk.host("end", drain=True)
    assert desk.stops == []
    assert [match for _, _, match in desk.open()] == matches
    for match in matches:
        desk.end(match, [1, 2])
    assert sorted(line["points"] for line in desk.page("standing/1")["lines"]) == ["0", "0", "0", "1", "1", "1"]


@rule("PL-256", "LG-178")
def test_cancelling_voids_running_matches_one_by_one_and_a_late_record_is_kept() -> None:
    desk = begun()
    matches = [match for _, _, match in desk.open()]
    desk.end(matches[0], [1, 2])
    desk.host("cancel", reason="the hall burns")
    assert desk.stops == [(match, "void") for match in matches[1:]], "the finished one keeps its result"
    before = len(desk.events)
    desk.end(matches[1], [2, 1])      # its last command was on its way
    assert desk.state.life == "cancelled"
    assert len(desk.events) >= before
