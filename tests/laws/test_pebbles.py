"""Does Pebbles do what its rules say? One small state, one command, one look; newcomers copy this style."""

from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from shared.kernel.dice import LoadedDice, step_dice
from shared.kernel.game import AUDIENCE, HOST, Command, Refused
from shared.kernel.match import answer, begin, leave, phase_over, play
from tests.laws.pebbles.commands import Beg, Cheer, Give, Hide, KeepAll, MoveOn, NameHeap, Rest, Spare, Throw
from tests.laws.pebbles.game import GAME
from tests.laws.pebbles.state import NOBODY, State
from tests.ledger import rule


def opening(seats: int = 2, **options: object) -> State:
    state: State = begin(GAME, seats, GAME.read_options(options), step_dice(b"pebbles", 1))[0].state
    return state


def table(*heaps: Sequence[str], stage: str = "hide", **options: object) -> State:
    """A table at some stage, with these pebbles before the seats."""
    state = replace(opening(len(heaps), **options), stage=stage)
    for seat, pebbles in enumerate(heaps):
        state = state.with_heap(seat, pebbles=tuple(pebbles))
    return state


def played(state: State, *commands: tuple[int, Command], rolls: Sequence[int] = ()) -> State:
    dice = LoadedDice(rolls)
    for seat, command in commands:
        state, _ = play(GAME, state, seat, command, dice)
    return state


@rule("PB-101")
@pytest.mark.parametrize("rounds", [0, 6, "two"])
def test_a_match_has_one_to_five_rounds(rounds: object) -> None:
    with pytest.raises(ValueError, match="rounds"):
        GAME.read_options({"rounds": rounds})
    assert list(GAME.seats) == [2, 3, 4]


@rule("PB-102")
def test_all_pebbles_are_in_the_bag_and_nobody_sees_the_order() -> None:
    state = opening()
    assert len(state.bag) == len(set(state.bag)) == 16
    assert all(GAME.look(state, reader).bag == 16 for reader in (None, 0, 1))


@rule("PB-103")
def test_a_lucky_number_is_seen_by_its_seat_alone() -> None:
    state = opening()
    assert GAME.look(state, 1).heaps[1].lucky == state.heaps[1].lucky
    assert GAME.look(state, 0).heaps[1].lucky is None
    assert GAME.look(state, None).heaps[1].lucky is None


@rule("PB-111")
def test_a_waiting_seat_may_name_its_heap_once() -> None:
    state = played(opening(), (1, NameHeap("Hill")))
    assert state.heaps[1].name == "Hill"
    assert GAME.question(state, 1) is None


@rule("PB-112")
def test_a_name_is_used_once() -> None:
    state = played(opening(3), (1, NameHeap("Hill")))
    with pytest.raises(Refused, match="text_refused"):
        played(state, (2, NameHeap("HILL")))


@rule("PB-121")
def test_seats_throw_in_order_and_then_all_hide() -> None:
    state = played(opening(), (0, Rest()))
    assert (state.stage, state.turn) == ("throw", 1)
    assert played(state, (1, Rest())).stage == "hide"


@rule("PB-122")
def test_a_throw_without_a_1_draws_as_many_pebbles_as_dice() -> None:
    before = opening()
    state = played(before, (0, Throw(3)), rolls=(2, 6, 3))
    assert state.heaps[0].pebbles == tuple(sorted(before.bag[:3]))
    assert state.bag == before.bag[3:]


@rule("PB-122")
def test_an_empty_bag_gives_what_is_left() -> None:
    state = played(replace(opening(), bag=("star",)), (0, Throw(2)), rolls=(5, 5))
    assert state.heaps[0].pebbles == ("star",)


@rule("PB-123")
def test_a_1_spoils_the_throw() -> None:
    assert played(opening(), (0, Throw(2)), rolls=(6, 1)).heaps[0].pebbles == ()


@rule("PB-124", "PB-136")
def test_silence_rests_and_hides_nothing() -> None:
    assert GAME.default(opening(), 0) == Rest()
    assert GAME.default(table((), ()), 0) == Hide(())


@rule("PB-125")
def test_a_seat_asks_once_a_turn_for_a_pebble_and_gets_it_or_not() -> None:
    state = table([], ["amber", "coal"], stage="throw")
    begged = played(state, (0, Beg(1)))
    assert GAME.question(begged, 0) is None
    spared = played(begged, (1, Spare("coal")))
    assert [heap.pebbles for heap in spared.heaps] == [("coal",), ("amber",)]
    kept = played(begged, (1, KeepAll()))
    assert [heap.pebbles for heap in kept.heaps] == [(), ("amber", "coal")]
    for after in (spared, kept):
        assert GAME.question(after, 0) == GAME.question(state, 0)
        with pytest.raises(Refused, match="not_a_choice"):
            played(after, (0, Beg(1)))


@rule("PB-125")
def test_nobody_is_asked_for_what_it_has_not_and_the_clock_keeps_all() -> None:
    with pytest.raises(Refused, match="not_a_choice"):
        played(table([], [], ["coal"], stage="throw"), (0, Beg(1)))
    begged = played(table([], ["coal"], stage="throw"), (0, Beg(1)))
    assert GAME.default(begged, 1) == KeepAll()


@rule("PB-125", "PB-153")
@pytest.mark.parametrize("leaver", [0, 1])
def test_a_wish_ends_with_either_side(leaver: int) -> None:
    begged = played(table([], ["coal"], [], stage="throw"), (0, Beg(1)))
    match, _ = begin(GAME, 3, GAME.read_options({}), step_dice(b"pebbles", 1))
    after, _ = leave(GAME, replace(match, state=begged), leaver, "left", LoadedDice(()))
    assert after.awaited() == (1 - leaver,)
    assert (after.state.begged, GAME.look(after.state, None).begged) == (NOBODY, None)


@rule("PB-126")
def test_a_seat_goes_on_with_its_throw_after_it_has_asked() -> None:
    state = table([], ["coal"], stage="throw")
    begged = played(state, (0, Beg(1)))
    assert GAME.standing(begged, 0) == (GAME.question(state, 0),)
    assert GAME.standing(begged, 1) == GAME.standing(state, 0) == ()


@rule("PB-131")
def test_a_fist_is_seen_by_its_seat_alone() -> None:
    state = played(table(["amber"], []), (0, Hide(("amber",))))
    assert GAME.look(state, 0).heaps[0].fist == ("amber",)
    assert GAME.look(state, 1).heaps[0].fist is None
    assert GAME.look(state, 1).heaps[0].has_hidden


@rule("PB-131")
def test_a_fist_holds_three_pebbles_at_most() -> None:
    with pytest.raises(Refused, match="not_a_choice"):
        played(table(["amber", "coal", "coral", "flint"], []), (0, Hide(("amber", "coal", "coral", "flint"))))


@rule("PB-132")
def test_a_seat_may_hide_anew() -> None:
    state = played(table(["amber", "coal"], []), (0, Hide(("coal",))), (0, Hide(("amber",))))
    assert state.heaps[0].fist == ("amber",)


@rule("PB-133", "PB-135")
def test_the_best_fist_wins_the_shell_and_loses_its_pebbles() -> None:
    state = played(table(["amber"], ["coral"]), (0, Hide(("amber",))), (1, Hide(("coral",))))
    assert (state.heaps[0].shells, state.heaps[0].pebbles) == (1, ())
    assert (state.heaps[1].shells, state.heaps[1].pebbles) == (0, ("coral",))
    assert state.brook == ("amber",)


@rule("PB-134")
@pytest.mark.parametrize("fists", [(("amber",), ("star",)), ((), ())])
def test_equal_or_empty_fists_win_nothing(fists: tuple[tuple[str, ...], tuple[str, ...]]) -> None:
    state = played(table(["amber"], ["star"]), (0, Hide(fists[0])), (1, Hide(fists[1])))
    assert [heap.shells for heap in state.heaps] == [0, 0]


@rule("PB-141")
def test_the_looking_ends_by_the_host_or_by_the_clock() -> None:
    state = table((), (), stage="look")
    assert played(state, (HOST, MoveOn())).round == 2
    assert phase_over(GAME, _match(state), LoadedDice(()))[0].state.round == 2


@rule("PB-142")
def test_a_seat_may_give_while_all_look() -> None:
    gift: Any = {"with": "1", "give": {"amber": 1}, "take": {}}
    state = played(table(["amber", "coal"], [], stage="look"), (0, Give(gift)))
    assert [heap.pebbles for heap in state.heaps] == [("coal",), ("amber",)]
    question = GAME.question(state, 0)
    assert question is not None
    assert not question.needed


@rule("PB-143")
def test_the_crowd_gives_a_point() -> None:
    state = played(table((), (), stage="cheer", crowd=True), (AUDIENCE, Cheer(1)))
    assert [heap.cheers for heap in state.heaps] == [0, 1]


@rule("PB-151", "PB-152")
def test_the_score_counts_values_shells_cheers_and_the_lucky_number() -> None:
    state = table(["amber", "coal"], ["star"], stage="cheer", rounds=1, crowd=True)
    state = state.with_heap(0, lucky=2, shells=1).with_heap(1, lucky=2)
    state = played(state, (AUDIENCE, Cheer(1)))
    assert GAME.score(state) == {0: 4 + 1 + 5 + 3, 1: 4 + 1}
    assert GAME.result(state) == {0: 1, 1: 2}
    assert GAME.look(state, None).heaps[0].lucky == 2


@rule("PB-152")
def test_equal_scores_share_a_place() -> None:
    state = table(["amber"], ["star"], stage="over").with_heap(0, lucky=6).with_heap(1, lucky=6)
    assert GAME.result(state) == {0: 1, 1: 1}


@rule("PB-153")
def test_a_leaver_is_not_asked_and_the_last_seat_ends_the_match() -> None:
    match = begin(GAME, 3, GAME.read_options({}), step_dice(b"pebbles", 1))[0]
    match, _ = leave(GAME, match, 0, "left", LoadedDice(()))
    assert match.awaited() == (1,)
    match, _ = leave(GAME, match, 2, "left", LoadedDice(()))
    assert GAME.result(match.state) is not None


def _match(state: State) -> Any:
    match = begin(GAME, len(state.heaps), state.options, step_dice(b"pebbles", 1))[0]
    return replace(match, state=state)


def test_the_careful_bot_throws_two_dice() -> None:
    match = begin(GAME, 2, GAME.read_options({}), step_dice(b"pebbles", 1))[0]
    command = GAME.bots["careful"](GAME.look(match.state, 0), GAME.legal(match.state, 0), LoadedDice(()))
    assert answer(GAME, match, 0, command, LoadedDice((2, 3)))[0].state.heaps[0].pebbles
