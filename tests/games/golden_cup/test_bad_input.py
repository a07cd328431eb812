"""What becomes of an answer that is wrong: a card twice, too dear, of somebody else, out of time? It is refused, and nothing changes."""

from typing import Any

import pytest
from msgspec.structs import replace

from services.golden_cup.commands import (
    DevelopScout,
    DevelopStadium,
    Discard,
    DiscardChampion,
    EndCampaign,
    ImproveToken,
    KeepSupporter,
    Learn,
    LineUp,
    PlayChampion,
    Scout,
    Train,
)
from services.golden_cup.game import GAME
from services.golden_cup.state import State
from shared.kernel.game import Command, Refused
from shared.kernel.match import answer, begin, restored, stored
from tests.games.golden_cup.tables import at, campaign, dice, do, opened, team, tokens
from tests.ledger import rule

HAND = ("cave_troll", "oracle", "vampirello")


def refused(state: State, command: Command) -> str:
    """The code of the refusal of seat 0, after a look at whether anything changed: state, step, asks, dice."""
    match = begin(GAME, len(state.teams), GAME.read_options({}), dice())[0]
    match = replace(match, state=state)
    before, chance = stored(match), dice()
    with pytest.raises(Refused) as refusal:
        answer(GAME, match, 0, command, chance)
    assert stored(match) == before
    assert stored(restored(GAME, before)) == before
    assert (chance.counter, chance.drawn) == (0, [])
    return refusal.value.code


def lines(*champions: str) -> State:
    return team(at("line_up"), 0, *champions)


@rule("GC-404", "GC-406", "GC-407")
@pytest.mark.parametrize(
    "slots",
    [
        {"1": "blob", "2": "blob"},
        {"1": "blob", "2": "harpy", "3": "harpy"},
        {"1": "blob"},
        {},
        {"1": "blob", "2": "oracle"},
        {"1": "blob", "2": ""},
        {"1": "blob", "5": "harpy"},
        {"1": "blob", "4+": "harpy"},
        {"1": 1, "2": 2},
        {"1": ["blob"], "2": "harpy"},
    ],
    ids=["twice", "twice of three", "a free slot", "none", "of nobody", "empty", "slot 5", "slot 4+", "numbers", "a list"],
)
def test_a_line_up_that_cannot_stand_is_refused(slots: dict[str, Any]) -> None:
    assert refused(lines("blob", "harpy"), LineUp(slots)) == "not_a_choice"


@rule("GC-404", "GC-408")
def test_the_line_up_of_another_seat_is_refused() -> None:
    state = team(lines("blob"), 1, "harpy")
    assert refused(state, LineUp({"1": "harpy"})) == "not_a_choice"


@rule("GC-236", "GC-243")
@pytest.mark.parametrize(
    ("coins", "command"),
    [
        (2, PlayChampion("cave_troll")),
        (2, DevelopScout()),
        (2, DevelopStadium()),
        (1, Learn("attack")),
        (1, Learn("defense")),
    ],
    ids=["champion", "scout", "stadium", "attack", "defense"],
)
def test_a_purchase_beyond_the_coins_is_refused(coins: int, command: Command) -> None:
    assert refused(campaign(coins=coins, hand=HAND), command) == "not_a_choice"


@rule("GC-237", "GC-241", "GC-840")
@pytest.mark.parametrize("command", [Scout(("cave_troll",)), Train("A2"), EndCampaign()], ids=["scout", "train", "end"])
def test_without_coins_nothing_is_bought(command: Command) -> None:
    assert refused(campaign(coins=0, hand=HAND), command) == "not_a_choice"


@rule("GC-256")
@pytest.mark.parametrize("name", ["blob", "titan", "", "no_such_card", "A2", 7, None, ["cave_troll"], True])
def test_a_card_that_is_not_in_the_hand_is_not_played(name: Any) -> None:
    assert refused(campaign("blob", hand=HAND), PlayChampion(name)) == "not_a_choice"


@rule("GC-256", "GC-800")
def test_a_card_in_the_hand_of_another_is_not_played() -> None:
    state = team(campaign(hand=HAND), 1, hand=("titan",))
    assert refused(state, PlayChampion("titan")) == "not_a_choice"


@rule("GC-257", "GC-700")
@pytest.mark.parametrize("name", ["jealous_jester", "kobold_gang", "lich_king"])
def test_a_discard_effect_is_not_the_first_champion(name: str) -> None:
    state = campaign(hand=("cave_troll", name))
    assert refused(state, PlayChampion(name)) == "not_a_choice"
    assert PlayChampion in {choice.do for choice in GAME.legal(state, 0)}, "the other card may be played"
    assert do(do(state, 0, PlayChampion("cave_troll")), 0, PlayChampion(name)).teams[0].champions == (name,)


@rule("GC-210", "GC-250", "GC-252")
@pytest.mark.parametrize(
    "champions",
    [("blob",), ("cave_troll", "cave_troll"), ("cave_troll", "oracle", "vampirello", "titan"), ("cave_troll", ""), "cave_troll"],
    ids=["not in the hand", "twice", "too many", "empty", "no list"],
)
@pytest.mark.parametrize("stage", ["discard", "campaign"])
def test_a_discard_that_is_not_a_part_of_the_hand_is_refused(stage: str, champions: Any) -> None:
    state = campaign(hand=HAND) if stage == "campaign" else team(at("discard"), 0, hand=HAND)
    assert refused(state, Scout(champions) if stage == "campaign" else Discard(champions)) == "not_a_choice"


@rule("GC-119")
@pytest.mark.parametrize("supporter", ["of the other", "", "no_such_supporter", 1])
def test_a_supporter_that_was_not_offered_is_refused(supporter: Any) -> None:
    state = opened()
    name = state.teams[1].offered[0] if supporter == "of the other" else supporter
    assert refused(state, KeepSupporter(name)) == "not_a_choice"


@rule("GC-265", "GC-266", "GC-302")
@pytest.mark.parametrize("token", ["A4", "D3", "A1", "A5", "B2", "", "attack", 2])
def test_a_token_that_cannot_be_trained_is_refused(token: Any) -> None:
    assert refused(campaign(**tokens("A2", "A4", "D1")), Train(token)) == "not_a_choice"


@rule("GC-267")
@pytest.mark.parametrize("kind", ["", "A1", "goal", None])
def test_a_lesson_that_there_is_not_is_refused(kind: Any) -> None:
    assert refused(campaign(), Learn(kind)) == "not_a_choice"


@rule("GC-842")
@pytest.mark.parametrize(
    "command",
    [EndCampaign(), PlayChampion("oracle"), Train("A2"), Scout(("oracle",)), ImproveToken("A4"), DiscardChampion("blob")],
    ids=["end", "play", "train", "scout", "another token", "another effect"],
)
def test_while_a_choice_of_an_effect_is_open_nothing_else_is_done(command: Command) -> None:
    state = do(campaign("blob", hand=("rookie_squire", "oracle")), 0, PlayChampion("rookie_squire"))
    assert state.teams[0].tasks
    assert refused(state, command) == "not_a_choice"


@rule("GC-840")
@pytest.mark.parametrize("stage", ["supporters", "discard", "line_up", "final", "penalties", "over"])
def test_an_action_outside_its_phase_is_refused(stage: str) -> None:
    state = opened() if stage == "supporters" else team(at(stage), 0, "blob", coins=9, hand=HAND)
    for command in (PlayChampion("cave_troll"), DevelopScout(), EndCampaign()):
        assert refused(state, command) == "not_a_choice"


@rule("GC-840")
def test_who_is_not_in_the_final_has_no_line_up() -> None:
    state = replace(team(at("final", seats=3), 0, "blob"), finalists=(1, 2))
    assert refused(state, LineUp({"4": "blob"})) == "not_a_choice"


@rule("GC-243")
@pytest.mark.parametrize(
    "raw",
    [
        b"{}",
        b"[]",
        b'{"do": "buy_everything"}',
        b'{"do": "play_champion"}',
        b'{"do": "play_champion", "champion": 3}',
        b'{"do": "play_champion", "champion": "blob", "price": 0}',
        b'{"do": "line_up", "slots": ["blob"]}',
        b'{"do": "scout", "champions": "blob"}',
        b'{"do": "end_campaign"',
        b"\xff",
    ],
)
def test_what_is_no_command_at_all_is_invalid(raw: bytes) -> None:
    with pytest.raises(Refused) as refusal:
        GAME.read_command(raw)
    assert refusal.value.code == "invalid"
