"""Do teams meet board by board, and do their boards come to what the ledger says?"""

from fractions import Fraction

import pytest

from services.league.refusals import Refused
from services.league.scoring import Rules, Seat
from services.league.stages import FORMATS
from services.league.stages.teams import Board, Team, best_sum, boards_of, checked, line_up, missing, rated, result
from tests.league.stages.playing import rules, run, stage
from tests.ledger import rule

F = Fraction
TWO = Rules(draw=F(1, 2))
ADA, BO, CY, DEE, EVA = "ada", "bo", "cy", "dee", "eva"
TEAM = Team(1, (ADA, BO, CY), BO, (DEE,))


def boards(*worths) -> list[tuple[Seat, ...]]:
    """Boards of teams 1 and 2 by the points of team 1."""
    places = {F(1): (1, 2), F(1, 2): (1, 1), F(0): (2, 1)}
    return [(Seat(1, places[F(worth)][0]), Seat(2, places[F(worth)][1])) for worth in worths]


@rule("LG-971")
@pytest.mark.parametrize("team", [Team(1, (), ADA), Team(1, tuple(map(str, range(13))), "0"), Team(1, (ADA, ADA), ADA), Team(1, (ADA,), BO)])
def test_teams_that_cannot_be(team):
    with pytest.raises(Refused) as refused:
        checked(team)
    assert refused.value.code == "bad_setting"
    assert checked(TEAM) == TEAM


@rule("LG-971")
def test_the_line_up_of_a_round():
    assert line_up(TEAM, 3, None) == (ADA, BO, CY)
    assert line_up(TEAM, 3, [DEE, ADA]) == (DEE, ADA, "")
    assert line_up(TEAM, 2, None, last=(CY, DEE)) == (CY, DEE)
    assert line_up(TEAM, 3, None, last=(CY, DEE), here={ADA, CY}) == (ADA, CY, "")
    for asked in ([ADA, ADA], [EVA], [ADA, BO, CY, DEE]):
        with pytest.raises(Refused):
            line_up(TEAM, 3, asked)


@rule("LG-972")
def test_board_meets_board_and_seats_alternate():
    assert boards_of((1, 2), (ADA, BO), (CY, DEE)) == (Board(1, (1, 2), (ADA, CY)), Board(2, (2, 1), (DEE, BO)))


@rule("LG-972", "E-67")
def test_the_worked_example_of_four_boards():
    found = result((1, 2), boards(1, F(1, 2), 0, 1), TWO)
    assert found.board_points == {1: F(5, 2), 2: F(3, 2)}
    assert [(seat.number, seat.place) for seat in found.table] == [(1, 1), (2, 2)]
    assert [seat.place for seat in result((1, 2), boards(1, 0), TWO).table] == [1, 1]


@rule("LG-973")
def test_a_missing_board_is_lost_and_too_few_lose_the_pairing():
    one, other = boards_of((1, 2), (ADA, "", CY), (DEE, EVA, ""))[1:]
    assert [(seat.number, seat.place, seat.how) for seat in missing(one)] == [(2, 1, "played"), (1, 2, "no_show")]
    assert [(seat.number, seat.how) for seat in missing(other)] == [(1, "played"), (2, "no_show")]
    assert missing(Board(1, (1, 2), (ADA, DEE))) is None
    nobody = missing(Board(1, (1, 2), ("", "")))
    assert {seat.how for seat in nobody} == {"no_show"}
    assert {seat.place for seat in nobody} == {1}
    lost = (Seat(1, 2, how="no_show"), Seat(2, 1))
    assert [seat.place for seat in result((1, 2), [*boards(1, 1), lost], TWO).table] == [1, 2]
    forfeit = result((1, 2), [*boards(1), lost, lost], TWO)
    assert [(seat.place, seat.how) for seat in forfeit.table] == [(2, "no_show"), (1, "played")]


@rule("LG-974")
def test_the_best_members_count_at_larger_tables():
    assert best_sum({ADA: F(1), BO: F(3), CY: F(2), EVA: F(9)}, TEAM, 2) == 5


@rule("LG-975")
def test_boards_are_rated_for_the_accounts():
    sat = boards_of((1, 2), (ADA, ""), (CY, DEE))
    assert rated(sat, [(Seat(1, 1), Seat(2, 2)), missing(sat[1])]) == (((ADA, 1), (CY, 2)),)


@rule("LG-972", "LG-643", "LG-297")
def test_a_stage_of_teams_ranks_by_match_points_and_then_by_board_points():
    facts = run(stage(rules("round_robin", boards=4, ties=("GP", "LOT")), 4))
    meeting = facts.rounds[0].meetings[0]
    assert [game[0].number for game in meeting.games] == [meeting.numbers[0], meeting.numbers[1]] * 2
    found = FORMATS["round_robin"].lines(facts)
    assert [(line.number, line.points) for line in found] == [(1, 3), (2, 2), (3, 1), (4, 0)]
    close = facts._replace(rounds=tuple(one._replace(meetings=tuple(
        meeting._replace(games=(meeting.games[0], *(tuple(seat._replace(place=1) for seat in game) for game in meeting.games[1:])))
        for meeting in one.meetings)) for one in facts.rounds))
    assert [line.points for line in FORMATS["round_robin"].lines(close)] == [3, 2, 1, 0]
