"""Does chance come out byte for byte as promised, and is it fair?"""

import hmac
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.kernel import dice as dice_module
from shared.kernel.dice import BotDice, Dice, LoadedDice, bot_dice, commitment, match_key, step_dice
from tests.ledger import rule

SEED = bytes(range(32))
KEY = "46cf809152dd3d3feae52299e0bd015e146cd72a11df4f42c4615262227bec7b"


@rule("EX-35", "PL-611", "PL-612")
def test_the_commitment_is_the_one_of_the_example() -> None:
    assert commitment(214, SEED) == "855a35e78ea4c42bf98e6faf4e967fd557465fe3f84519ed63fa3f610f1fd200"


@rule("EX-35", "PL-614", "PL-615")
def test_the_key_is_the_one_of_the_example() -> None:
    assert match_key(SEED, "m-demo-1", "knightly_cup", 3, "5e" * 32, ("0badcafe", None, "77")).hex() == KEY


@rule("PL-615")
@pytest.mark.parametrize(
    "other",
    [
        ("m-demo-2", "knightly_cup", 3, "5e" * 32, ("0badcafe", None, "77")),
        ("m-demo-1", "golden_cup", 3, "5e" * 32, ("0badcafe", None, "77")),
        ("m-demo-1", "knightly_cup", 4, "5e" * 32, ("0badcafe", None, "77")),
        ("m-demo-1", "knightly_cup", 3, "5f" * 32, ("0badcafe", None, "77")),
        ("m-demo-1", "knightly_cup", 3, "5e" * 32, ("0badcafe", "77", None)),
    ],
)
def test_everything_named_in_the_key_changes_it(other: tuple[str, str, int, str, tuple[str | None, ...]]) -> None:
    assert match_key(SEED, *other).hex() != KEY


@rule("EX-35", "PL-616", "PL-617")
def test_five_dice_at_step_nine_are_those_of_the_example() -> None:
    dice = step_dice(bytes.fromhex(KEY), 9)
    assert [dice.roll(6) for _ in range(5)] == [2, 3, 5, 4, 4]
    assert dice.counter == 5


@rule("EX-35", "PL-618")
def test_the_shuffle_at_step_one_is_that_of_the_example() -> None:
    dice = step_dice(bytes.fromhex(KEY), 1)
    assert "".join(dice.shuffled("ABCDEFGH")) == "HCEADFBG"
    assert dice.counter == 7


@rule("PL-618")
def test_picking_is_one_draw_below_the_number_of_items() -> None:
    assert step_dice(SEED, 3).pick("ABCDE") == "ABCDE"[step_dice(SEED, 3).below(5)]


@rule("PL-619")
def test_a_step_carried_out_again_draws_the_same() -> None:
    once, twice = step_dice(SEED, 12), step_dice(SEED, 12)
    assert [once.below(1000) for _ in range(20)] == [twice.below(1000) for _ in range(20)]
    assert step_dice(SEED, 13).block() != step_dice(SEED, 12).block()


@rule("PL-620")
def test_the_commitment_is_no_input_of_the_draws() -> None:
    """Two numbers with one seed have different commitments and the same draws."""
    assert commitment(1, SEED) != commitment(2, SEED)
    one, other = (match_key(SEED, "m", "g", 1, "", ()) for _ in range(2))
    assert step_dice(one, 1).block() == step_dice(other, 1).block()


@rule("PL-617")
def test_a_block_above_the_limit_is_thrown_away(monkeypatch: pytest.MonkeyPatch) -> None:
    blocks = iter([(2**64 - 1).to_bytes(8, "big") + bytes(24), (7).to_bytes(8, "big") + bytes(24)])
    monkeypatch.setattr(Dice, "block", lambda _: next(blocks))
    assert Dice(SEED, "").below(6) == 1  # 2^64 - 1 is above 2^64 - (2^64 mod 6)


@rule("PL-617")
@given(st.integers(1, 2**40), st.integers(0, 1000))
def test_below_stays_below(n: int, step: int) -> None:
    assert 0 <= step_dice(SEED, step).below(n) < n


@rule("PL-617")
def test_every_face_is_equally_likely() -> None:
    """Chi-squared with 5 degrees of freedom: above 25.7 in one run of ten thousand; the key is fixed, so it never flickers."""
    dice = step_dice(SEED, 1)
    faces = Counter(dice.roll(6) for _ in range(6000))
    assert sum((faces[face] - 1000) ** 2 / 1000 for face in range(1, 7)) < 25.7


@rule("PL-618")
@given(st.lists(st.integers(), max_size=12), st.integers(1, 100))
def test_a_shuffle_loses_and_doubles_nothing(items: list[int], step: int) -> None:
    assert sorted(step_dice(SEED, step).shuffled(items)) == sorted(items)


@rule("PL-522")
def test_a_bots_dice_are_not_those_of_the_match() -> None:
    blocks = {bot_dice(SEED, "m", seat, ask).block() for seat in range(3) for ask in range(1, 4)}
    assert len(blocks) == 9
    assert not blocks & {step_dice(SEED, step).block() for step in range(1, 10)}


@rule("PL-522")
def test_a_bots_dice_of_a_simulation_come_again_with_the_seed_and_are_no_others() -> None:
    draws = [[dice.below(1000) for _ in range(20)] for dice in (BotDice(SEED, 0), BotDice(SEED, 1), step_dice(SEED, 1))]
    again = BotDice(SEED, 0)
    assert [again.below(1000) for _ in range(20)] == draws[0]
    assert (again.counter, again.drawn) == (5, [])
    assert len({tuple(drawn) for drawn in draws}) == 3


@rule("PL-522")
def test_a_bots_dice_of_a_simulation_are_fair() -> None:
    """Chi-squared with 5 degrees of freedom, as above."""
    dice = BotDice(SEED, 2)
    faces = Counter(dice.roll(6) for _ in range(6000))
    assert sum((faces[face] - 1000) ** 2 / 1000 for face in range(1, 7)) < 25.7


@rule("PL-522")
def test_a_bots_number_above_the_limit_is_thrown_away(monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = [7, 2**64 - 1, 2**64 - 1, 2**64 - 1]
    monkeypatch.setattr(Dice, "block", lambda _: b"".join(each.to_bytes(8, "big") for each in numbers))
    assert BotDice(SEED, 0).below(6) == 1


def test_loaded_dice_fall_as_chosen_and_then_as_they_like() -> None:
    dice = LoadedDice((4, 0), SEED)
    assert (dice.roll(6), dice.below(3), dice.left()) == (4, 0, ())
    assert 1 <= dice.roll(6) <= 6


@pytest.mark.parametrize(("chosen", "draw"), [(7, "roll"), (0, "roll"), (6, "below")])
def test_a_chosen_number_that_cannot_fall_is_an_error(chosen: int, draw: str) -> None:
    with pytest.raises(ValueError, match="chosen"):
        getattr(LoadedDice((chosen,)), draw)(6)


def test_dice_know_no_other_chance() -> None:
    assert not {"random", "secrets", "os", "time"} & set(vars(dice_module))


@pytest.mark.parametrize("key", [b"", b"short", b"k" * 32, b"k" * 64, b"k" * 65, b"k" * 200])
@rule("PL-616")
def test_blocks_are_hmac_sha256_whatever_the_length_of_the_key(key: bytes) -> None:
    dice = Dice(key, "draw|7|")
    assert [dice.block() for _ in range(3)] == [hmac.digest(key, f"draw|7|{n}".encode(), "sha256") for n in range(3)]
