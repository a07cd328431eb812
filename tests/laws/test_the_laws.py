"""Would the laws notice? Pebbles is broken in one way after another, and each time the law in question must fail."""

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import pytest
from msgspec import structs

from shared.kernel.choices import Choice, Label, Member, One
from shared.kernel.dice import Dice
from shared.kernel.game import Game, Table
from tests.laws import test_asks, test_laws, test_purity, test_secrets
from tests.laws.pebbles import commands, events
from tests.laws.pebbles.game import GAME
from tests.laws.pebbles.rules import fists, heaps
from tests.laws.pebbles.state import State

Law = Callable[[Any], None]


@dataclass(frozen=True, eq=False)
class Broken:
    """Stands in for a setting; equal to nothing else, so that no match is taken from the cache."""

    game: Game
    name: str = "pebbles"
    seats: int = 3
    variant: int = 1
    seeds: range = range(1, 13)

    @property
    def options(self) -> Any:
        return self.game.read_options(self.game.variants[self.variant])


class Shouted(events.Hid, frozen=True, tag="hid"):
    """Tells everybody what is in the fist."""

    def seen_by(self, seat: int | None) -> Any:
        return self


class Counted(events.Hid, frozen=True, tag="hid"):
    """Tells everybody how many pebbles are in the fist."""

    def seen_by(self, seat: int | None) -> Any:
        return self if seat == self.seat else structs.replace(self, pebbles=("?",) * len(self.pebbles or ()))


class Whispered(events.Drew, frozen=True, tag="drew"):
    """Tells only the seat itself of what all can see."""

    def seen_by(self, seat: int | None) -> Any:
        return self if seat == self.seat else None


class Copied(events.Drew, frozen=True, tag="drew"):
    """Draws and leaves the pebbles in the bag."""

    def change(self, state: State) -> State:
        return structs.replace(super().change(state), bag=state.bag)


def ruled(kind: type, rule: Callable[[Table, int, Any, Dice], None]) -> Game:
    return replace(GAME, rules={**GAME.rules, kind: rule})


def telling(kind: type, instead: type) -> Game:
    """The game with one kind of event told as another."""

    def retold(rule: Any) -> Any:
        def carry_out(table: Table, seat: int, command: Any, dice: Dice) -> None:
            inner = _Retelling(table, kind, instead)
            rule(inner, seat, command, dice)
            table.state = inner.state

        return carry_out

    return replace(GAME, rules={command: retold(rule) for command, rule in GAME.rules.items()})


class _Retelling(Table):
    def __init__(self, table: Table, kind: type, instead: type) -> None:
        super().__init__(table.state)
        self.events, self.kind, self.instead = table.events, kind, instead

    def tell(self, event: Any) -> None:
        super().tell(self.instead(**structs.asdict(event)) if type(event) is self.kind else event)


def late_rest(table: Table, seat: int, command: Any, dice: Dice) -> None:
    heaps.rest(table, seat, command, dice)
    table.state = structs.replace(table.state, brook=("untold",))


def timed_rest(table: Table, seat: int, command: Any, dice: Dice) -> None:
    time.time()
    heaps.rest(table, seat, command, dice)


def lucky_hide(table: Table, seat: int, command: Any, dice: Dice) -> None:
    fists.hide(table, seat, commands.Hide(command.pebbles if random.random() < 0.5 else ()), dice)


def failing_throw(table: Table, seat: int, command: Any, dice: Dice) -> None:
    assert command.dice < 3
    heaps.throw(table, seat, command, dice)


def odd(state: State) -> bool:
    """A secret of seat 0."""
    return state.heaps[0].lucky % 2 == 1


def turned(state: State, seat: int) -> tuple[Choice, ...]:
    choices = GAME.legal(state, seat)
    return choices[::-1] if odd(state) else choices


def crowded(state: State, seat: int) -> tuple[Choice, ...]:
    """Throw with one of 600 numbers of dice."""
    members = One(tuple(Member(number, Label("heap", seat=number)) for number in range(1, 601)))
    return tuple(
        replace_fields(choice, {"dice": members}) if choice.do is commands.Throw else choice for choice in GAME.legal(state, seat)
    )


def replace_fields(choice: Choice, fields: Any) -> Choice:
    return Choice(choice.do, choice.label, fields)


class Nap(commands.Rest, frozen=True, tag="rest"):
    """A rest with a field that no choice offers."""

    hours: int = 0


def twice(state: State, seat: int) -> tuple[Choice, ...]:
    return GAME.legal(state, seat) * 2


def napping(state: State, seat: int) -> tuple[Choice, ...]:
    return tuple(Choice(Nap, choice.label) if choice.do is commands.Rest else choice for choice in GAME.legal(state, seat))


LAW_6 = test_secrets.test_6_two_states_that_look_the_same_are_the_same_on_every_channel
LAW_7 = test_secrets.test_7_letters_tell_what_the_views_tell
PURE = test_purity.test_rules_touch_nothing_but_their_dice
BROKEN: dict[str, tuple[Game, Law, str]] = {
    "nobody is asked": (
        replace(GAME, question=lambda s, n: None if s.stage == "hide" else GAME.question(s, n)),
        test_laws.test_1_there_is_always_somebody_to_wait_for,
        "seat . is not asked|nobody is asked",
    ),
    "asked without a choice": (
        replace(GAME, legal=lambda s, n: () if s.stage == "look" else GAME.legal(s, n)),
        test_laws.test_1_there_is_always_somebody_to_wait_for,
        "is asked and has 0 choices",
    ),
    "chance of its own": (
        ruled(commands.Hide, lucky_hide),
        test_laws.test_2_the_same_seed_is_the_same_match,
        "==|shorter|longer",
    ),
    "changed without an event": (ruled(commands.Rest, late_rest), test_laws.test_3_folding_the_events_gives_the_state, "untold"),
    "offered and not carried out": (
        ruled(commands.Throw, failing_throw),
        test_laws.test_5_what_is_offered_can_be_carried_out,
        "assert 3 < 3",
    ),
    "a view shows a secret": (
        replace(GAME, look=lambda s, n: structs.replace(GAME.look(s, n), bag=s.heaps[0].lucky)),
        LAW_6,
        "from: view",
    ),
    "a text shows a secret": (
        replace(GAME, look=lambda s, n: structs.replace(GAME.look(s, n), brook=s.bag[:1])),
        LAW_6,
        "from: view",
    ),
    "the order of choices shows a secret": (replace(GAME, legal=turned), LAW_6, "from: choices"),
    "a refusal shows a secret": (
        replace(GAME, text_fault=lambda s, n, command, text: "text_refused" if odd(s) else ""),
        LAW_6,
        "from: refusals",
    ),
    "a default shows a secret": (
        replace(GAME, default=lambda s, n: commands.Throw(1 + odd(s)) if s.stage == "throw" else GAME.default(s, n)),
        LAW_6,
        "from: default",
    ),
    "an event shows a secret": (telling(events.Hid, Shouted), LAW_7, "letters tell"),
    "an event counts a secret": (telling(events.Hid, Counted), LAW_7, "letters tell"),
    "an event hides what the view shows": (telling(events.Drew, Whispered), LAW_7, "views tell"),
    "a pebble is doubled": (telling(events.Drew, Copied), test_laws.test_8_sound_never_complains, "is there twice"),
    "a default that is not on offer": (
        replace(GAME, default=lambda s, n: commands.Throw(9)),
        test_laws.test_10_the_default_answer_is_always_legal,
        "not_a_choice",
    ),
    "a look at the clock": (ruled(commands.Rest, timed_rest), PURE, "a rule calls time"),
    "labels that are the same": (
        replace(GAME, legal=twice),
        test_asks.test_labels_are_unique_within_an_ask,
        "the same label twice",
    ),
    "asks that are too large": (replace(GAME, legal=crowded), test_asks.test_asks_are_small, "<= 500"),
    "fields that are not the command's": (
        replace(ruled(Nap, heaps.rest), legal=napping),
        test_asks.test_the_fields_of_a_command_are_those_of_its_choice,
        "other fields than",
    ),
}


@pytest.mark.parametrize("fault", BROKEN)
def test_the_law_fails(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game, law, complaint = BROKEN[fault]
    with pytest.raises(Exception, match=complaint) as failure:
        law(Broken(game), monkeypatch) if law is PURE else law(Broken(game))  # type: ignore[call-arg]
    assert any("make simulate GAME=" in note for note in failure.value.__notes__), "it does not say how to see it again"


def test_the_laws_hold_for_the_game_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    for _, law, _ in BROKEN.values():
        law(Broken(GAME), monkeypatch) if law is PURE else law(Broken(GAME))  # type: ignore[call-arg]


def test_a_lazy_imagination_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    lazy = Broken(replace(GAME, imagine=lambda state, seat, dice: state))
    monkeypatch.setattr(test_secrets, "settings_of", lambda name: (lazy,))
    with pytest.raises(pytest.fail.Exception, match="imagine never changes anything"):
        test_secrets.test_imagine_really_imagines("pebbles")
