"""Extension, audience and crowd: CH-501 to CH-526."""

import msgspec
import pytest
from msgspec.structs import replace

from services.champions import content
from services.champions.commands import (
    ApproveName,
    CheckNames,
    CountPresent,
    CountVotes,
    RefuseName,
    SetName,
    Start,
    Vote,
    WriteName,
)
from services.champions.game import GAME
from services.champions.rules.audience import influence, shown_totals
from services.champions.rules.names import share_tiles
from services.champions.state import NOBODY, Options, State
from shared.kernel.game import AUDIENCE, HOST, Table
from shared.kernel.match import play_out, random_bot
from tests.games.champions.tables import (
    KEY,
    all_do,
    asked,
    checking,
    clock_out,
    dice,
    do,
    hides,
    missed,
    offered,
    opened,
    predicting,
    refusal,
    told,
    voting,
)
from tests.ledger import rule

CIRCLE, TRIANGLE = Vote("circle"), Vote("triangle")


def _closed(*votes: Vote, tie: str = "triangle", **options: object) -> State:
    """The players have voted, the least time is over, the audience is about to be counted."""
    options = {"audience": "bloc"} | options
    return clock_out(all_do(voting(len(votes), tie=tie, **options), *votes))


def _counted(state: State, circle: int, triangle: int) -> tuple[int, int]:
    counted = do(state, AUDIENCE, CountVotes(circle, triangle)).duels[0].counted
    assert counted is not None
    return counted


@rule("CH-501", "CH-526")
def test_without_it_nothing_of_an_audience_exists() -> None:
    assert GAME.read_options({}).audience == "off"
    for state in (opened(), predicting(), voting()):
        assert GAME.poll(state) is None
        assert GAME.look(state, None).audience is None
    assert all_do(voting(), CIRCLE, CIRCLE, CIRCLE).stage == "reveal"


@rule("CH-501")
def test_with_it_the_table_is_marked_as_a_variant() -> None:
    audience = GAME.look(opened(audience="bloc"), None).audience
    assert audience is not None
    assert (audience.influence, audience.quorum, audience.crowd) == ("bloc", 5, False)


@rule("CH-502")
def test_the_limit_of_members() -> None:
    assert GAME.read_options({}).most_members == 500
    for number in (0, 5001):
        with pytest.raises(msgspec.ValidationError):
            GAME.read_options({"most_members": number})
    assert refusal(_closed(CIRCLE, CIRCLE, CIRCLE), AUDIENCE, CountVotes(501, 0)) == "not_a_choice"


@rule("CH-503")
def test_the_audience_writes_and_checks_nothing() -> None:
    assert GAME.poll(opened(audience="bloc")) is None
    assert GAME.poll(checking(audience="bloc")) is None
    assert offered(checking(audience="bloc"), AUDIENCE) == []


@rule("CH-504")
def test_members_may_predict_while_predictions_are_open_and_are_never_counted() -> None:
    poll = GAME.poll(predicting(audience="bloc"))
    assert poll is not None
    assert (poll.question, poll.answers, poll.once) == ("r1.champion", tuple("12345678"), False)
    assert GAME.poll(clock_out(voting(audience="bloc"))).question == "r1.qf1"


@rule("CH-505")
def test_members_may_vote_while_the_vote_is_open() -> None:
    poll = GAME.poll(voting(3, 4, audience="bloc"))
    assert poll is not None
    assert (poll.question, poll.answers, poll.closed) == ("r1.sf1", ("circle", "triangle"), False)


@rule("CH-506")
def test_three_kinds_of_influence_and_bloc_is_the_usual_one() -> None:
    assert {influence(Options(audience=kind), (60, 40)) for kind in ("shadow", "bloc", "equal")} == {(0, 0), (1, 0), (60, 40)}


@rule("CH-507")
def test_shadow_never_changes_a_result() -> None:
    assert _counted(_closed(CIRCLE, CIRCLE, TRIANGLE, audience="shadow"), 0, 500) == (2, 1)


@rule("CH-508")
@pytest.mark.parametrize(("totals", "counted"), [((60, 40), (3, 2)), ((40, 60), (2, 3)), ((50, 50), (2, 2))])
def test_a_bloc_is_one_more_vote(totals: tuple[int, int], counted: tuple[int, int]) -> None:
    assert _counted(_closed(CIRCLE, CIRCLE, TRIANGLE, TRIANGLE), *totals) == counted


@rule("CH-509")
def test_equal_votes_count_like_a_players() -> None:
    assert _counted(_closed(CIRCLE, CIRCLE, TRIANGLE, audience="equal"), 40, 55) == (42, 56)


@rule("CH-510")
def test_ties_after_counting_go_to_the_symbol() -> None:
    state = do(_closed(CIRCLE, CIRCLE, TRIANGLE), AUDIENCE, CountVotes(2, 3))
    assert (state.duels[0].counted, state.duels[0].winner, state.duels[0].by_symbol) == ((2, 2), 1, True)


@rule("CH-511")
def test_below_the_quorum_there_is_no_influence_and_no_number() -> None:
    state = _closed(CIRCLE, TRIANGLE, CIRCLE, TRIANGLE)
    assert _counted(state, 3, 1) == (2, 2)
    event = told(state, AUDIENCE, CountVotes(3, 1))["audience_counted"]
    assert (event.circle, event.triangle) == (None, None)
    assert GAME.look(do(state, AUDIENCE, CountVotes(3, 1)), None).duels[0].audience is None
    assert CountVotes.secret


@rule("CH-511")
def test_the_quorum_may_be_set_from_1_to_100() -> None:
    assert shown_totals(Options(audience="bloc", quorum=2), (1, 1)) == (1, 1)
    for quorum in (0, 101):
        with pytest.raises(msgspec.ValidationError):
            GAME.read_options({"quorum": quorum})


@rule("CH-526", "CH-523")
def test_without_an_audience_no_tile_is_nominated() -> None:
    state = opened(4, nominations=4)
    assert state.shares == (2, 2, 2, 2)
    assert offered(state, HOST) == []


@rule("CH-512")
def test_members_score_by_the_same_values() -> None:
    state = do(_closed(CIRCLE, CIRCLE, TRIANGLE), AUDIENCE, CountVotes(0, 0))
    assert GAME.poll_points(state) == {"r1.qf1": {"circle": 1}}
    final = all_do(voting(3, 6), CIRCLE, CIRCLE, CIRCLE)
    assert GAME.poll_points(final)["r1.final"] == {"circle": 4}
    assert GAME.poll_points(final)["r1.champion"] == {"1": 3}
    assert set(GAME.result(replace(final, stage="over")) or {}) == {0, 1, 2}


@rule("CH-512")
def test_points_of_round_one_are_kept_for_the_ranking() -> None:
    points = GAME.poll_points(clock_out(all_do(voting(3, 6), CIRCLE, CIRCLE, CIRCLE)))
    assert list(points) == ["r1.qf1", "r1.qf2", "r1.qf3", "r1.qf4", "r1.sf1", "r1.sf2", "r1.final", "r1.champion"]


@rule("CH-514")
def test_what_a_member_missed_gives_nothing() -> None:
    """A member who comes after quarter-final 3: only what was answered scores, question by question."""
    points = GAME.poll_points(all_do(voting(3, 6), CIRCLE, CIRCLE, CIRCLE))
    answers = {"r1.qf4": "circle", "r1.sf1": "circle", "r1.sf2": "triangle", "r1.final": "circle"}
    assert sum(points[question].get(said, 0) for question, said in answers.items()) == 7


@rule("CH-515")
def test_after_the_reveal_the_totals_are_shown_and_nothing_else() -> None:
    state = do(_closed(CIRCLE, CIRCLE, TRIANGLE), AUDIENCE, CountVotes(23, 18))
    assert GAME.look(state, None).duels[0].audience == (23, 18)
    assert GAME.look(_closed(CIRCLE, CIRCLE, TRIANGLE), None).duels[0].audience is None


@rule("CH-517")
def test_a_vote_stays_open_for_the_crowd_even_if_all_are_ready() -> None:
    state = all_do(voting(audience="bloc"), CIRCLE, CIRCLE, CIRCLE)
    assert (state.stage, asked(state)) == ("vote", [])
    phase = GAME.phase(state)
    assert phase is not None
    assert GAME.presets["normal"][phase.limit_name] == 10
    assert clock_out(state).stage == "count"


@rule("CH-517")
def test_the_audience_does_not_delay_the_table_beyond_that() -> None:
    state = all_do(clock_out(voting(audience="bloc")), CIRCLE, CIRCLE)
    assert state.stage == "vote"
    assert missed(state, 2).stage == "count"


@rule("CH-519")
def test_the_votes_are_counted_once_at_the_close() -> None:
    state = _closed(CIRCLE, CIRCLE, TRIANGLE)
    assert GAME.poll(state).closed
    assert offered(state, AUDIENCE) == ["count_votes"]
    after = do(state, AUDIENCE, GAME.counted(state, {"circle": 9, "triangle": 1}))
    assert after.duels[0].counted == (3, 1)
    assert (GAME.poll(after), offered(after, AUDIENCE)) == (None, [])


@rule("CH-520")
def test_all_members_get_the_view_of_an_onlooker() -> None:
    state = do(voting(audience="bloc"), 0, CIRCLE)
    assert GAME.look(state, None).own is None
    assert hides(state, '"vote":"circle"', None)


@rule("CH-525")
def test_with_an_empty_audience_the_table_plays_by_the_base_rules() -> None:
    state = _closed(CIRCLE, TRIANGLE, CIRCLE, TRIANGLE, audience="equal")
    after = do(state, AUDIENCE, GAME.default(state, AUDIENCE))
    assert (after.duels[0].counted, after.duels[0].by_symbol) == ((2, 2), True)


def _nominating(*approved: str, seats: int = 3, **options: object) -> State:
    state = opened(seats, audience="bloc", nominations=2, **options)
    for name in approved:
        state = do(state, HOST, ApproveName(name))
    return state


def _all_missed(state: State) -> State:
    for seat in state.seats():
        state = missed(state, seat)
    return state


@rule("CH-523")
def test_nominated_tiles_are_taken_from_what_is_shared_out() -> None:
    assert sorted(_nominating().shares) == [2, 2, 2]
    assert [tile.writer for tile in _nominating().tiles].count(NOBODY) == 2
    with pytest.raises(msgspec.ValidationError):
        GAME.read_options({"nominations": 5})


@rule("CH-523")
def test_members_propose_one_name_while_names_are_written() -> None:
    poll = GAME.poll(_nominating())
    assert poll is not None
    assert (poll.question, poll.answers, poll.once) == ("r1.names", (), False)


@rule("CH-523")
def test_approved_names_are_drawn_and_hidden_until_shown() -> None:
    state = _nominating("Turandot", "Beowulf", "Falstaff")
    assert hides(state, "Turandot", None, HOST, 0, 1, 2)
    names = {tile.name for tile in _all_missed(state).tiles}
    assert len(names & {"Turandot", "Beowulf", "Falstaff"}) == 2


@rule("CH-523")
def test_a_refused_name_is_not_drawn() -> None:
    state = do(_nominating("Turandot"), HOST, RefuseName("Turandot"))
    assert state.approved == ()


@rule("CH-523")
def test_proposals_keep_the_rules_for_names() -> None:
    assert refusal(_nominating(), HOST, ApproveName("@zeus")) == "text_refused"
    assert refusal(opened(audience="bloc"), HOST, ApproveName("Zeus")) == "not_a_choice"


@rule("CH-523")
def test_without_an_approved_name_a_sheet_serves() -> None:
    names = {tile.name for tile in _all_missed(_nominating("Turandot")).tiles}
    assert "Turandot" in names
    assert all(names)


@rule("CH-523")
def test_a_nominated_name_that_is_marked_takes_the_next_one_and_asks_nobody() -> None:
    state = checking(audience="bloc", nominations=2)
    tiles = (replace(state.tiles[0], writer=NOBODY, nominated=True), *state.tiles[1:])
    state = all_do(
        replace(state, tiles=tiles, approved=("Turandot",)), CheckNames((1,), ()), CheckNames((), ()), CheckNames((), ())
    )
    assert (state.stage, state.tiles[0].name, state.checking) == ("check", "Turandot", (0,))


@rule("CH-523")
def test_a_nominated_name_that_clashes_takes_the_next_one() -> None:
    state = _nominating("Turandot", "Carmen", seats=6)
    writer = next(seat for seat in state.seats() if state.shares[seat])
    state = do(state, writer, WriteName(1, "turandot"))
    state = _all_missed(replace(state, approved=("Turandot", "Carmen")))
    names = [tile.name for tile in state.tiles]
    assert len({name.casefold() for name in names}) == 8


def _crowd(**options: object) -> State:
    return opened(0, crowd=True, **options)


def _begun(**options: object) -> State:
    state = do(_crowd(**options), HOST, Start())
    return do(state, AUDIENCE, CountPresent(3))


@rule("CH-524")
def test_a_crowd_has_no_seats_and_starts_with_three_voters() -> None:
    assert list(GAME.seats_allowed(Options(crowd=True))) == [0]
    state = do(_crowd(), HOST, Start())
    assert GAME.poll(state).closed
    assert do(state, AUDIENCE, CountPresent(3)).stage == "names"
    assert do(state, AUDIENCE, CountPresent(2)).stage == "gathering"


@rule("CH-524", "PL-383")
def test_how_many_came_is_told_and_then_forgotten() -> None:
    """`told` in untested.toml."""
    state = do(_crowd(), HOST, Start())
    ends = [do(state, AUDIENCE, CountPresent(present)) for present in (3, 300)]
    counts = [told(state, AUDIENCE, CountPresent(present))["voters_counted"].seen_by(None) for present in (3, 300)]
    assert [count.present for count in counts] == [3, 300]
    assert GAME.look(ends[0], None) == GAME.look(ends[1], None)


@rule("CH-524")
def test_a_crowd_that_never_comes_is_called_off() -> None:
    state = do(clock_out(_crowd()), AUDIENCE, CountPresent(2))
    assert (state.stage, state.unfinished, GAME.result(state)) == ("over", True, {})
    state = _crowd()
    for _ in range(3):
        state = do(do(state, HOST, Start()), AUDIENCE, CountPresent(0))
    assert state.stage == "over"


@rule("CH-524")
def test_the_names_of_a_crowd_come_from_host_nominations_and_sheets_without_a_check() -> None:
    state = do(_begun(nominations=1), HOST, SetName(3, "Zeus"))
    assert refusal(state, HOST, SetName(4, "Zeus")) == "text_refused"
    state = clock_out(do(state, HOST, ApproveName("Turandot")))
    assert state.stage == "prediction"
    names = {tile.name for tile in state.tiles}
    assert {"Zeus", "Turandot"} < names
    assert all(name in content.all_names("en").values() for name in names)


@rule("CH-524", "CH-511")
def test_a_crowd_decides_alone_by_equal_votes_and_a_quorum_of_one() -> None:
    state = clock_out(voting(0, crowd=True))
    assert state.stage == "count"
    state = do(state, AUDIENCE, CountVotes(2, 1))
    assert (state.duels[0].counted, state.duels[0].audience, state.duels[0].winner) == ((2, 1), (2, 1), 0)
    assert GAME.poll_points(state) == {"r1.qf1": {"circle": 1}}


@rule("CH-524")
def test_every_stage_of_a_crowd_has_a_clock() -> None:
    for state, limit in ((_crowd(), "gathering"), (_begun(), "names"), (predicting(0, crowd=True), "prediction")):
        assert GAME.phase(state).limit_name == limit
    assert GAME.phase(voting(0, crowd=True)).limit_name == "vote"


@rule("CH-524")
def test_a_whole_match_of_a_crowd() -> None:
    state = _begun()
    while state.stage != "over":
        poll = GAME.poll(state)
        state = do(state, AUDIENCE, CountVotes(2, 1)) if poll and poll.closed else clock_out(state)
    assert sum(max(answers.values()) for answers in GAME.poll_points(state).values()) == 30
    assert not state.unfinished


@rule("CH-526")
def test_a_table_with_an_audience_that_says_nothing_ends_like_one_without() -> None:
    def places(**options: object) -> object:
        match = play_out(GAME, 4, GAME.read_options(options), KEY, [random_bot] * 4)
        return len(match.state.history), {len(board.rounds) for board in match.state.boards}

    assert places() == places(audience="shadow") == (1, {2})


@rule("CH-523", "CH-343")
def test_the_rest_is_shared_out_among_the_players() -> None:
    table = Table(opened(5, audience="bloc", nominations=4))
    share_tiles(table, 1, dice())
    assert sorted(table.state.shares) == [0, 1, 1, 1, 1]
    assert len(table.state.tiles) == 8
