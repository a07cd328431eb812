"""Phase 2, voting, and the result of a duel: CH-241 to CH-277."""

from itertools import permutations

import pytest
from msgspec.structs import replace

from services.champions.commands import BeReady, Vote, WithdrawReadiness, WithdrawVote
from services.champions.game import GAME
from services.champions.state import DUELS, State
from tests.games.champions.tables import all_do, asked, clock_out, do, gone, missed, offered, refusal, talking, told, voting
from tests.ledger import rule

CIRCLE, TRIANGLE = Vote("circle"), Vote("triangle")


def _voted(*votes: Vote, duel: int = 0, tie: str = "triangle") -> State:
    return all_do(voting(len(votes), duel, tie), *votes)


@rule("CH-241")
def test_duels_come_one_by_one_from_the_top() -> None:
    state, order = talking(3), []
    while state.round == 1:
        order.append(DUELS[state.duel])
        state = clock_out(state)
        state = clock_out(all_do(state, CIRCLE, CIRCLE, CIRCLE))
    assert order == ["qf1", "qf2", "qf3", "qf4", "sf1", "sf2", "final"]


@rule("CH-242")
def test_a_vote_is_the_card_of_a_symbol() -> None:
    assert do(voting(), 0, TRIANGLE).votes == ("triangle", "", "")


@rule("CH-243", "CH-411")
def test_nobody_sees_the_vote_of_another_before_the_reveal() -> None:
    circle, triangle = (do(voting(), 0, vote) for vote in (CIRCLE, TRIANGLE))
    assert [GAME.look(circle, reader) for reader in (None, 1, 2)] == [GAME.look(triangle, reader) for reader in (None, 1, 2)]
    assert told(voting(), 0, CIRCLE)["voted"].seen_by(1).symbol is None
    assert asked(voting()) == [0, 1, 2]


@rule("CH-244")
def test_the_vote_is_bound_to_nothing() -> None:
    state = replace(voting(3, 6), champions=(1, 1, 1))
    assert [refusal(state, 0, vote) for vote in (CIRCLE, TRIANGLE)] == ["", ""]


@rule("CH-245", "CH-249")
def test_when_everyone_is_ready_all_see_who_voted_for_whom() -> None:
    state = _voted(CIRCLE, CIRCLE, TRIANGLE)
    assert GAME.look(state, None).duels[0].votes == ("circle", "circle", "triangle")


@rule("CH-245")
def test_the_order_of_the_votes_makes_no_difference() -> None:
    votes = ((0, CIRCLE), (1, TRIANGLE), (2, CIRCLE), (3, TRIANGLE), (4, CIRCLE))
    ends = set()
    for order in permutations(votes):
        state = voting(5)
        for seat, vote in order:
            state = do(state, seat, vote)
        ends.add(repr(state))
    assert len(ends) == 1


@rule("CH-246")
def test_talk_comes_before_the_vote_and_a_clock_ends_it() -> None:
    phase = GAME.phase(talking())
    assert phase is not None
    assert (phase.name, phase.limit_name) == ("discussion", "discussion")
    assert clock_out(talking()).stage == "vote"
    assert GAME.phase(voting()) is None


@rule("CH-246", "CH-402")
def test_talk_ends_early_when_all_are_ready() -> None:
    state = all_do(talking(), BeReady(), BeReady())
    assert (state.stage, offered(state, 1)) == ("discussion", ["withdraw_readiness"])
    assert do(state, 2, BeReady()).stage == "vote"
    assert do(do(state, 1, WithdrawReadiness()), 2, BeReady()).stage == "discussion"


@rule("CH-247")
def test_a_vote_may_be_changed_until_everyone_is_ready() -> None:
    state = do(do(voting(), 0, CIRCLE), 0, TRIANGLE)
    assert state.votes[0] == "triangle"
    assert 0 not in asked(state)


@rule("CH-247")
def test_a_vote_may_be_taken_back_and_is_asked_for_again() -> None:
    state = do(do(voting(), 0, CIRCLE), 0, WithdrawVote())
    assert (state.votes[0], asked(state)) == ("", [0, 1, 2])
    assert GAME.question(state, 0) == GAME.question(voting(), 0)


@rule("CH-248")
def test_a_changed_vote_is_not_told_to_others() -> None:
    changed = told(do(voting(), 0, CIRCLE), 0, TRIANGLE)["voted"]
    assert [changed.seen_by(reader) for reader in (None, 1)] == [None, None]
    assert [seat.ready for seat in GAME.look(do(voting(), 0, CIRCLE), 2).seats] == [True, False, False]


@rule("CH-250")
def test_who_lets_the_clock_run_out_abstains_and_crosses_out() -> None:
    state = missed(all_do(voting(), TRIANGLE, CIRCLE), 2)
    assert state.duels[0].votes == ("triangle", "circle", "")
    assert state.boards[2].spaces[0] == "crossed"


@rule("CH-250")
def test_abstaining_is_not_on_offer() -> None:
    assert offered(voting(), 0) == ["vote"]


@rule("CH-251")
def test_one_vote_at_most_and_for_a_contestant_of_the_duel() -> None:
    assert refusal(voting(), 0, Vote("square")) == "not_a_choice"
    assert refusal(voting(), 0, Vote("Bigfoot")) == "not_a_choice"
    state = all_do(do(voting(), 0, CIRCLE), TRIANGLE, CIRCLE, CIRCLE)
    assert state.duels[0].counted == (2, 1)


@rule("CH-252", "CH-206")
def test_the_writer_of_a_name_votes_like_everybody() -> None:
    state = voting()
    assert state.tiles[0].writer == 0
    assert GAME.legal(state, 0) == GAME.legal(state, 2)


@rule("CH-271")
@pytest.mark.parametrize(("votes", "winner"), [((CIRCLE, CIRCLE, TRIANGLE), 0), ((TRIANGLE, CIRCLE, TRIANGLE), 1)])
def test_more_votes_win(votes: tuple[Vote, ...], winner: int) -> None:
    state = _voted(*votes, tie="circle" if winner else "triangle")
    assert (state.duels[0].winner, state.duels[0].by_symbol) == (winner, False)


@rule("CH-272")
@pytest.mark.parametrize(("tie", "winner"), [("circle", 0), ("triangle", 1)])
def test_the_symbol_of_the_card_decides_a_tie(tie: str, winner: int) -> None:
    state = _voted(CIRCLE, TRIANGLE, CIRCLE, TRIANGLE, tie=tie)
    assert (state.duels[0].winner, state.duels[0].by_symbol) == (winner, True)


@rule("CH-273")
def test_tie_symbols_are_visible_from_the_start() -> None:
    assert {duel.tie for duel in GAME.look(voting(tie="circle"), None).duels} == {"circle"}


@rule("CH-274")
def test_with_no_vote_at_all_the_symbol_decides() -> None:
    state = missed(missed(missed(voting(tie="circle"), 0), 1), 2)
    assert (state.duels[0].winner, state.duels[0].counted) == (0, (0, 0))
    assert {board.spaces[0] for board in state.boards} == {"crossed"}


@rule("CH-275")
@pytest.mark.parametrize(("duel", "target", "place"), [(0, 4, 0), (1, 4, 1), (2, 5, 0), (3, 5, 1), (4, 6, 0), (5, 6, 1)])
def test_the_winner_moves_to_the_first_free_place(duel: int, target: int, place: int) -> None:
    state = _voted(CIRCLE, CIRCLE, CIRCLE, duel=duel)
    assert state.duels[target].contestants[place] == state.duels[duel].contestants[0]


@rule("CH-276")
def test_the_loser_is_out() -> None:
    shown = GAME.look(_voted(CIRCLE, CIRCLE, CIRCLE), None).contestants
    assert [contestant.out for contestant in shown[:3]] == [False, True, False]


@rule("CH-277")
def test_the_winner_of_the_final_is_the_champion() -> None:
    state = _voted(TRIANGLE, TRIANGLE, TRIANGLE, duel=6)
    assert GAME.look(state, None).champion == 5
    assert told(all_do(voting(3, 6), TRIANGLE, TRIANGLE), 2, TRIANGLE)["crowned"].name == "Merlin"


@rule("CH-416")
def test_the_same_vote_again_changes_nothing() -> None:
    state = do(voting(), 0, CIRCLE)
    assert do(state, 0, CIRCLE) == state


@rule("CH-404")
def test_what_comes_after_the_close_is_refused() -> None:
    assert refusal(_voted(CIRCLE, CIRCLE, CIRCLE), 0, TRIANGLE) == "not_a_choice"
    assert refusal(missed(voting(), 0), 0, CIRCLE) == "not_a_choice"


@rule("CH-407", "CH-271")
def test_a_vote_of_somebody_who_left_does_not_count() -> None:
    state = gone(do(voting(4), 0, CIRCLE), 0)
    state = do(do(do(state, 1, CIRCLE), 2, TRIANGLE), 3, TRIANGLE)
    assert state.duels[0].counted == (1, 2)
    assert state.boards[0].spaces[0] == "open"
