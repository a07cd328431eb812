"""What is asked of whom, with which number, and who takes which place? The kernel, tried on the sample game."""

from dataclasses import replace as changed
from itertools import permutations
from typing import Any

import pytest
from msgspec.structs import replace

from shared.kernel.dice import Dice, step_dice
from shared.kernel.game import HOST, Command, Game, Question, Refused
from shared.kernel.match import (
    Gone,
    Match,
    Observer,
    answer,
    begin,
    fold,
    is_absent,
    leave,
    overdue,
    phase_over,
    placings,
    play_out,
    random_bot,
    restored,
    stored,
    time_out,
)
from tests.laws.pebbles.commands import Hide, NameHeap, Rest, Throw
from tests.laws.pebbles.game import GAME
from tests.ledger import rule

KEY = b"k" * 32


def begun(seats: int = 4, **options: object) -> Match[Any]:
    return begin(GAME, seats, GAME.read_options(options), step_dice(KEY, 1))[0]


def said(match: Match[Any], seat: int, command: Command) -> Match[Any]:
    return answer(GAME, match, seat, command, step_dice(KEY, match.step + 1))[0]


def hiding(seats: int = 4) -> Match[Any]:
    """All have rested, all are to hide."""
    match = begun(seats)
    for seat in range(seats):
        match = said(match, seat, Rest())
    return match


def numbers(match: Match[Any]) -> dict[int, int]:
    return {ask.seat: ask.number for ask in match.asks}


@rule("PL-240", "PL-282")
def test_the_set_up_is_step_one_and_puts_the_first_asks() -> None:
    match = begun()
    assert match.step == 1
    assert numbers(match) == {0: 1, 1: 1, 2: 1, 3: 1}


@rule("PL-284")
def test_only_needed_asks_are_waited_for() -> None:
    match = begun()
    assert match.awaited() == (0,)
    assert [ask.question.name for ask in match.asks] == ["throw", "name", "name", "name"]


@rule("PL-283")
def test_an_ask_keeps_its_number_while_others_act() -> None:
    match = said(begun(), 2, NameHeap("Hill"))
    assert numbers(match) == {0: 1, 1: 1, 3: 1}


@rule("PL-283")
def test_an_ask_keeps_its_number_when_its_facts_change() -> None:
    """The prompt says how many rounds are over; the question is the same."""
    counting = changed(GAME, question=lambda state, seat: Question("wait", "PB-121", facts={"named": len(state.heaps[1].name)}))
    match = begin(counting, 2, GAME.read_options({}), step_dice(KEY, 1))[0]
    match = answer(counting, match, 1, NameHeap("Hill"), step_dice(KEY, 2))[0]
    ask = match.ask_of(0)
    assert ask is not None
    assert (ask.number, ask.question.facts) == (1, {"named": 4})


@rule("PL-283")
def test_a_replaced_question_is_a_new_ask() -> None:
    match = said(begun(), 0, Rest())
    assert numbers(match) == {0: 2, 1: 2, 2: 1, 3: 1}


@rule("PL-285", "EX-7")
def test_an_answer_may_be_revised_and_the_last_one_counts() -> None:
    match = hiding()
    step = match.step
    state = match.state
    for seat in range(4):
        state = state.with_heap(seat, pebbles=("amber", "coal") if seat == 1 else ())
    match = said(replace(match, state=state), 1, Hide(("coal",)))
    ask = match.ask_of(1)
    assert ask is not None
    assert (ask.number, ask.since, ask.question.needed) == (step + 1, step, False)
    match = said(match, 1, Hide(("amber",)))
    assert numbers(match)[1] == step + 2
    assert match.awaited() == (0, 2, 3)
    for seat in (0, 2, 3):
        match = said(match, seat, Hide(()))
    assert match.state.heaps[1].pebbles == ("coal",)
    assert match.state.heaps[1].shells == 1


@rule("PL-286", "EX-6")
def test_secret_answers_give_one_state_in_every_order() -> None:
    ends = set()
    start = hiding()
    for order in permutations(range(4)):
        match = start
        for seat in order:
            assert numbers(match)[seat] == start.step
            match = said(match, seat, Hide(()))
        ends.add(stored(match))
    assert len(ends) == 1


@rule("PL-286", "EX-6")
def test_others_learn_of_a_secret_answer_only_that_it_was_given() -> None:
    match = hiding()
    match = replace(match, state=match.state.with_heap(0, pebbles=("amber", "coal")))
    seen = set()
    for fist in ((), ("amber",), ("amber", "coal")):
        after, events = answer(GAME, match, 0, Hide(fist), step_dice(KEY, match.step + 1))
        seen.add((GAME.look(after.state, 1), tuple(event.seen_by(1) for event in events)))
    assert len(seen) == 1


@rule("PL-296")
def test_a_refusal_changes_nothing_and_draws_nothing() -> None:
    match, dice = begun(), step_dice(KEY, 2)
    before = stored(match)
    for seat, command in ((1, Throw(2)), (0, Throw(4)), (HOST, Rest()), (0, Hide(()))):
        with pytest.raises(Refused, match="not_a_choice"):
            answer(GAME, match, seat, command, dice)
    assert stored(match) == before
    assert dice.counter == 0


@rule("PL-357")
def test_a_text_is_cleaned_before_it_is_told() -> None:
    match, events = answer(GAME, begun(), 1, NameHeap("  High \u202e Tide "), step_dice(KEY, 2))
    assert match.state.heaps[1].name == "High Tide"
    assert events[0].name == "High Tide"


@rule("PL-107")
@pytest.mark.parametrize(
    "raw", [b"{", b'{"do":"fly"}', b'{"do":"throw","dice":2,"more":1}', b'{"do":"throw","dice":"2"}', b'{"do":"throw"}']
)
def test_what_is_no_command_is_invalid(raw: bytes) -> None:
    with pytest.raises(Refused, match="invalid"):
        GAME.read_command(raw)


@rule("PL-487", "PL-490")
def test_each_silent_seat_gets_its_own_default() -> None:
    match = said(hiding(), 1, Hide(()))
    for seat in (0, 2, 3):
        match, _ = time_out(GAME, match, seat, step_dice(KEY, match.step + 1))
    assert match.missed == (1, 0, 1, 1)
    assert match.state.stage == "look"


@rule("PL-491")
def test_three_time_outs_in_a_row_make_a_seat_absent_until_it_acts() -> None:
    match = replace(begun(), missed=(2, 0, 0, 0))
    assert overdue(GAME, match) is None
    match, _ = time_out(GAME, match, 0, step_dice(KEY, 2))
    for seat in (1, 2, 3):
        match = said(match, seat, Rest())
    assert is_absent(GAME, match, 0)
    assert overdue(GAME, match) == 0
    match = said(match, 0, Hide(()))
    assert not is_absent(GAME, match, 0)
    assert overdue(GAME, match) is None


@rule("PL-491")
def test_a_patient_question_waits_even_for_an_absent_seat() -> None:
    patient = changed(GAME, question=lambda state, seat: Question("wait", "PB-121", patient=True))
    match = replace(begin(patient, 2, GAME.read_options({}), step_dice(KEY, 1))[0], missed=(9, 9))
    assert overdue(patient, match) is None


@rule("PL-361")
def test_a_secret_question_is_not_told_of() -> None:
    secret = changed(GAME, question=lambda state, seat: Question("wait", "PB-121", secret=seat == 1))
    match = begin(secret, 2, GAME.read_options({}), step_dice(KEY, 1))[0]
    assert (match.awaited(), match.awaited_openly()) == ((0, 1), (0,))


@rule("PL-502")
def test_a_phase_keeps_its_clock_until_it_is_over() -> None:
    match = hiding(2)
    for seat in (0, 1):
        match = said(match, seat, Hide(()))
    armed = match.armed
    assert armed is not None
    assert armed.since == match.step
    left, _ = phase_over(GAME, match, step_dice(KEY, match.step + 1))
    assert left.armed is None
    assert left.state.round == 2


@rule("PL-541")
def test_a_leaver_is_not_asked_again() -> None:
    match, _ = leave(GAME, begun(), 0, "resigned", step_dice(KEY, 2))
    assert match.awaited() == (1,)
    assert match.gone == (Gone(0, 2, "resigned"),)
    assert is_absent(GAME, match, 0)


@rule("EX-23", "PL-542")
def test_leavers_stand_below_all_who_stayed_and_the_later_one_higher() -> None:
    over: Game = changed(GAME, result=lambda _: {0: 2, 1: 1, 2: 3, 3: 5, 4: 3}, score=lambda _: {})
    gone = (Gone(3, 80, "resigned"), Gone(1, 140, "timed_out"))
    lines = placings(over, Match(200, None, (), None, (0,) * 5, gone)) or ()
    assert [line.place for line in lines] == [1, 4, 2, 5, 2]
    assert [line.table_place for line in lines] == [2, 1, 3, 5, 3]
    assert [line.how for line in lines] == ["played", "timed_out", "played", "resigned", "played"]


@rule("PL-542")
def test_leavers_of_one_step_share_a_place() -> None:
    over: Game = changed(GAME, result=lambda _: {0: 1, 1: 2, 2: 3}, score=lambda _: {0: 7})
    lines = placings(over, Match(9, None, (), None, (0,) * 3, (Gone(0, 5, "left"), Gone(2, 5, "left")))) or ()
    assert [(line.place, line.score) for line in lines] == [(2, 7), (1, 0), (2, 0)]


@rule("PL-542", "GB-683")
def test_who_is_alone_has_the_place_of_play_and_may_lose() -> None:
    for place in (1, 2):
        over: Game = changed(GAME, result=lambda _, place=place: {0: place}, score=lambda _: {})
        for gone in ((), (Gone(0, 5, "left"),)):
            lines = placings(over, Match(9, None, (), None, (0,), gone)) or ()
            assert [(line.place, line.table_place) for line in lines] == [(place, place)]


@rule("PL-544", "PL-545")
def test_with_two_seats_the_other_wins_when_one_leaves() -> None:
    match, _ = leave(GAME, begun(2), 0, "resigned", step_dice(KEY, 2))
    lines = placings(GAME, match) or ()
    assert [(line.place, line.how) for line in lines] == [(2, "resigned"), (1, "played")]


def test_a_running_match_has_no_places() -> None:
    assert placings(GAME, begun()) is None


@rule("PL-414")
def test_a_stored_match_comes_back_as_it_was() -> None:
    match, _ = leave(GAME, said(hiding(), 2, Hide(())), 3, "left", step_dice(KEY, 8))
    assert restored(GAME, stored(match)) == match
    assert stored(restored(GAME, stored(match))) == stored(match)


@rule("PL-412", "PL-413")
def test_the_same_key_and_commands_give_the_same_events() -> None:
    runs = []
    for _ in range(2):
        match, events = begin(GAME, 2, GAME.read_options({}), step_dice(KEY, 1))
        after, more = answer(GAME, match, 0, Throw(3), step_dice(KEY, 2))
        assert fold(match.state, more) == after.state
        runs.append((events, more))
    assert runs[0] == runs[1]


def test_an_observer_sees_every_decision_and_every_step() -> None:
    seen: list[str] = []

    class Watching(Observer):
        def before(self, match: Any, seat: Any, choices: Any) -> None:
            seen.append("before")

        def step(self, match: Any, seat: Any, command: Any, events: Any) -> None:
            seen.append(f"step {match.step}")

        def after(self, match: Any) -> None:
            seen.append("after")

    match = play_out(GAME, 2, GAME.read_options({"rounds": 1}), KEY, [random_bot] * 2, [Watching()])
    assert seen[:3] == ["step 1", "before", "step 2"]
    assert seen[-2:] == [f"step {match.step}", "after"]
    assert seen.count("before") == 4


@rule("PL-525")
def test_a_bot_whose_text_is_refused_again_and_again_gets_the_default() -> None:
    def stubborn(_view: object, choices: Any, dice: Dice) -> Command:
        return NameHeap("Hill") if choices[0].do is NameHeap else choices[0].sample(dice)

    forced = changed(
        GAME,
        question=lambda state, seat: Question("name", "PB-111") if state.stage == "throw" else GAME.question(state, seat),
        legal=lambda state, seat: GAME.legal(replace(state, turn=9), seat) if state.stage == "throw" else GAME.legal(state, seat),
        text_fault=lambda *_: "text_refused",
    )
    seen: list[object] = []

    class Watching(Observer):
        def step(self, match: Any, seat: Any, command: Any, events: Any) -> None:
            seen.append(command)
            if len(seen) > 2:
                raise StopIteration

    with pytest.raises(StopIteration):
        play_out(forced, 2, GAME.read_options({}), KEY, [stubborn] * 2, [Watching()])
    assert seen[:2] == [None, Rest()]


def test_a_bot_that_answers_what_is_no_choice_is_a_bug() -> None:
    with pytest.raises(Refused, match="not_a_choice"):
        play_out(GAME, 2, GAME.read_options({}), KEY, [lambda *_: Throw(9)] * 2)
