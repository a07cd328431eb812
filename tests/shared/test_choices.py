"""Which values does each of the six shapes accept, and does it say so exactly?"""

from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.kernel.choices import Arrange, Choice, Goods, Label, Lot, Member, Number, One, Shape, Some, Text, clean
from shared.kernel.dice import step_dice
from shared.kernel.game import Command
from tests.ledger import rule


def members(*values: str | int) -> tuple[Member, ...]:
    return tuple(Member(value, Label(str(value))) for value in values)


ABC = members("a", "b", "c")
LOTS = (Lot("coin", Label("coin"), 5), Lot("horse", Label("horse")))
SHAPES: dict[str, Shape] = {
    "one": One(members("a", 1, 2)),
    "some": Some(ABC, least=1, most=2),
    "arrange": Arrange(ABC, ("left", "middle", "right", "spare"), least=1),
    "number": Number(-4, 30, multiple_of=5),
    "goods": Goods(LOTS, {"1": LOTS[:1], "2": ()}),
    "exchange": Goods(LOTS, {"1": LOTS[:1], "2": LOTS}, both=True),
    "text": Text(1, 8),
}
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-40, 40) | st.sampled_from(["", "a", "b", "c", "d", "1", "2", "coin", "left"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["left", "middle", "right", "with", "give", "take", "coin", "horse"]), inner, max_size=4
        )
    ),
    max_leaves=6,
)
DEALS = st.fixed_dictionaries(
    {
        "with": st.sampled_from(["1", "2", "3", 1]),
        "give": st.dictionaries(st.sampled_from(["coin", "horse", "cow"]), st.integers(-1, 6), max_size=2),
        "take": st.dictionaries(st.sampled_from(["coin", "horse"]), st.integers(0, 6), max_size=2),
    }
)


class Asked(Command, frozen=True):
    some: tuple[str, ...]
    number: int


@rule("EX-29", "PL-355")
@pytest.mark.parametrize(
    ("value", "fault"), [(["c", "a"], ""), (["a", "a"], "not_a_choice"), ([], "not_a_choice"), (["a", "d"], "not_a_choice")]
)
def test_the_subset_of_the_example(value: list[str], fault: str) -> None:
    assert SHAPES["some"].fault(value) == fault


@rule("PL-354", "PL-356")
@pytest.mark.parametrize("name", SHAPES)
def test_every_sample_is_accepted_and_fits_its_schema(name: str) -> None:
    shape = SHAPES[name]
    validator = jsonschema_rs.Draft202012Validator(shape.schema())
    for step in range(200):
        value = _plain(shape.sample(step_dice(b"samples", step)))
        assert shape.fault(value) == ""
        assert validator.is_valid(value)


@rule("PL-356")
@given(st.sampled_from([name for name in SHAPES if name != "text"]), PLAIN | DEALS)
def test_a_schema_says_exactly_what_is_accepted(name: str, value: Any) -> None:
    shape = SHAPES[name]
    assert jsonschema_rs.Draft202012Validator(shape.schema()).is_valid(value) == (shape.fault(value) == "")


@rule("PL-356", "PL-357")
@given(st.text(max_size=12))
def test_a_text_that_does_not_fit_its_schema_is_refused(text: str) -> None:
    shape = SHAPES["text"]
    fits = jsonschema_rs.Draft202012Validator(shape.schema()).is_valid(text)
    if clean(text) == text:
        assert fits == (shape.fault(text) == "")
    else:
        assert fits or shape.fault(text) in {"too_long", "not_a_choice"}


@rule("PL-354")
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("one", "1"),
        ("one", True),
        ("number", 3),
        ("number", 35),
        ("number", True),
        ("number", "5"),
        ("arrange", {"left": "a", "right": "a"}),
        ("arrange", {"top": "a"}),
        ("arrange", {}),
        ("goods", {"with": "1", "give": {}, "take": {}}),
        ("goods", {"with": "2", "give": {}, "take": {"coin": 1}}),
        ("goods", {"with": "1", "give": {"coin": 6}, "take": {}}),
        ("goods", {"with": {}, "give": {"coin": 1}, "take": {}}),
        ("exchange", {"with": "1", "give": {"coin": 1}, "take": {}}),
        ("exchange", {"with": "1", "give": {}, "take": {"coin": 1}}),
        ("some", "ab"),
        ("some", [["a"]]),
        ("text", 5),
        ("text", "\u200b \u202e"),
    ],
)
def test_what_is_near_a_choice_is_no_choice(name: str, value: Any) -> None:
    assert SHAPES[name].fault(value) == "not_a_choice"


@rule("PL-357")
def test_a_text_above_its_length_is_too_long() -> None:
    assert SHAPES["text"].fault("123456789") == "too_long"


@rule("PL-357")
@pytest.mark.parametrize(
    ("written", "stored"),
    [
        ("  King \t Arthur\n", "King Arthur"),
        ("ｆｕｌｌ ﬁｘ", "full fix"),
        ("a\u200bb\ufeffc\u200dd", "abcd"),
        ("\u202eevil\u202c", "evil"),
        ("bell\x07\x00", "bell"),
        ("e\u0301", "é"),
        ("日本", "日本"),
    ],
)
def test_texts_are_cleaned(written: str, stored: str) -> None:
    assert clean(written) == stored


@rule("PL-357")
@given(st.text())
def test_a_clean_text_stays_as_it_is(text: str) -> None:
    assert clean(clean(text)) == clean(text)


@rule("PL-351")
def test_a_choice_checks_every_field() -> None:
    choice = Choice(Asked, Label("asked"), {"some": SHAPES["some"], "number": SHAPES["number"]})
    assert choice.fault(Asked(("a",), 5)) == ""
    assert choice.fault(Asked(("a",), 6)) == "not_a_choice"
    assert choice.fault(Asked((), 5)) == "not_a_choice"
    assert choice.fault(choice.sample(step_dice(b"choice", 1))) == ""


@rule("PL-355")
def test_a_large_subset_is_checked_without_writing_subsets_out() -> None:
    many = Some(members(*range(500)), least=0, most=500)
    assert many.fault(tuple(range(500))) == ""
    assert len(str(many.schema())) < 4_000


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value
