"""Can a person answer what is asked? Labels, prompts, sizes, shapes and schemas of every ask."""

import json
from collections.abc import Iterator
from typing import Any

import jsonschema_rs
import msgspec
import pytest

from shared.desk.workshop.games import key_of
from shared.desk.workshop.wild import Moment
from shared.kernel.choices import Arrange, Choice, Goods, Label, Lot, Member, One, Shape, Some, Text, clean
from shared.kernel.content import Words
from shared.kernel.dice import Dice
from tests.laws.driver import Setting, again, game_of, sampled, settings_of
from tests.laws.readers import seats_and_chairs
from tests.ledger import rule

MOST_MEMBERS, MOST_BYTES = 500, 64 * 1024


def _asks(setting: Setting, each: int) -> Iterator[tuple[int, Moment, int, tuple[Choice, ...]]]:
    for seed, moment in sampled(setting, each):
        for seat in seats_and_chairs(moment.after):
            choices = setting.game.legal(moment.after.state, seat)
            if choices:
                yield seed, moment, seat, choices


def _members(shape: Shape) -> list[Member | Lot]:
    match shape:
        case One() | Some() | Arrange():
            return list(shape.of)
        case Goods():
            return [*shape.gives, *(lot for lots in shape.takes.values() for lot in lots)]
    return []


@rule("PL-351", "PL-726")
def test_every_question_has_a_prompt_and_a_clause(setting: Setting) -> None:
    for seed, moment, seat, _ in _asks(setting, each=12):
        ask = moment.after.ask_of(seat)
        if ask is not None:
            with again(setting, seed, moment):
                for words in setting.game.words.values():
                    assert words.say(Label(ask.question.name, **ask.question.facts), "prompts").strip()
                assert ask.question.rule, ask.question.name


@rule("PL-482", "PL-496")
def test_a_clock_that_stands_is_that_of_a_needed_question_with_a_limit(setting: Setting) -> None:
    for seed, moment in sampled(setting, 40):
        with again(setting, seed, moment):
            for seat in range(setting.seats):
                for question in setting.game.standing(moment.after.state, seat):
                    assert question.needed, question
                    assert question.limit_name in setting.game.presets["normal"], question


@rule("PL-358")
def test_labels_are_unique_within_an_ask(setting: Setting) -> None:
    for seed, moment, _, choices in _asks(setting, each=12):
        with again(setting, seed, moment):
            for words in setting.game.words.values():
                labels = [words.say(choice.label) for choice in choices]
                assert len(set(labels)) == len(labels), f"the same label twice: {labels}"
                for choice in choices:
                    for name, shape in choice.fields.items():
                        _check_members(words, name, shape)


def _check_members(words: Words, name: str, shape: Shape) -> None:
    """Each side of a deal is a list of its own: both may hold a coin."""
    sides = [shape.gives, *shape.takes.values()] if isinstance(shape, Goods) else [tuple(_members(shape))]
    for side in sides:
        labels = [words.say(member.label) for member in side]
        assert all(label.strip() for label in labels), f"{name}: an empty label"
        assert len(set(labels)) == len(labels), f"{name}: {labels}"
        assert len({member.value for member in side}) == len(side), f"{name}: the same value twice"


@rule("PL-360")
def test_asks_are_small(setting: Setting) -> None:
    words = setting.game.words["en"]
    for seed, moment, _, choices in _asks(setting, each=12):
        with again(setting, seed, moment):
            members = sum(len(_members(shape)) for choice in choices for shape in choice.fields.values())
            assert len(choices) + members <= MOST_MEMBERS
            assert len(words.json(choices)) <= MOST_BYTES


@rule("PL-351")
def test_the_fields_of_a_command_are_those_of_its_choice(setting: Setting) -> None:
    for seed, moment, _, choices in _asks(setting, each=6):
        with again(setting, seed, moment):
            for choice in choices:
                assert set(choice.do.__struct_fields__) == set(choice.fields), f"other fields than {choice.do.__name__}"


@rule("PL-354", "PL-356")
def test_schemas_say_exactly_what_is_accepted(setting: Setting) -> None:
    checked: set[bytes] = set()
    for seed, moment, _, choices in _asks(setting, each=4):
        for choice in choices:
            for shape in choice.fields.values():
                fingerprint = msgspec.json.encode(shape.schema())
                if fingerprint not in checked:
                    checked.add(fingerprint)
                    with again(setting, seed, moment):
                        _check_schema(shape, Dice(key_of(seed), f"schema|{len(checked)}|"))


def _check_schema(shape: Shape, chance: Dice) -> None:
    validator = jsonschema_rs.Draft202012Validator(shape.schema())
    for _ in range(4):
        sample = msgspec.to_builtins(shape.sample(chance))
        plain = json.loads(json.dumps(sample))
        assert validator.is_valid(plain), (shape, plain)
        for value in (plain, *_spoilt(plain, chance)):
            if isinstance(shape, Text) and isinstance(value, str) and clean(value) != value:
                continue  # a text is measured after cleaning too, which no schema can say
            assert validator.is_valid(value) == (shape.fault(value) == ""), (shape, value)


def _spoilt(value: Any, chance: Dice) -> list[Any]:
    """Values near a good one, most of them bad."""
    odd = [None, True, "", "?", -1, 10**9, [], {}, [value], {"with": value}, {"?": 1}]
    match value:
        case bool() | None:
            return odd
        case int():
            return [*odd, value + 1, value - 1, str(value)]
        case str():
            return [*odd, value + "x" * (1 + chance.below(40)), value[1:], value.upper()]
        case list():
            return [*odd, value[1:], value + value[:1], [*value, "?"], value[::-1]]
        case dict():
            changed = [{**value, key: spoilt} for key in value for spoilt in (None, 0, 1, "?", {"?": 1}, {})]
            doubled = [dict.fromkeys(value, part) for part in list(value.values())[:1]]
            return [*odd, *changed, *doubled, *({k: v for k, v in value.items() if k != key} for key in value), {**value, "?": 1}]
    return odd


@rule("PL-726")
def test_every_poll_has_a_prompt(game_name: str) -> None:
    game = game_of(game_name)
    polls = {
        poll.question
        for setting in settings_of(game_name)
        for _, moment in sampled(setting, 12)
        if (poll := game.poll(moment.after.state)) is not None
    }
    if not polls:
        pytest.skip("no audience in this game")
    for words in game.words.values():
        assert polls <= set(words.sections["prompts"])
