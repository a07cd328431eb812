"""Does the manager play better than chance, with nothing but its view?"""

from typing import Any

import pytest
from msgspec.structs import replace

from services.golden_cup.bots import Season as Time
from services.golden_cup.bots import _line_up, curious, enough, expected, planner, poor, value
from services.golden_cup.commands import Discard, DiscardChampion, ImproveToken, KeepSupporter, PlayChampion, Scout
from services.golden_cup.game import GAME
from services.golden_cup.state import DeckPile
from shared.desk.workshop.games import key_of
from shared.kernel.dice import Dice
from shared.kernel.game import Command, Seat
from shared.kernel.match import play_out, random_bot
from tests.games.golden_cup.tables import State, at, campaign, do, opened, team, tokens


def decision(state: State, seat: Seat = 0) -> Command:
    return planner(GAME.look(state, seat), GAME.legal(state, seat), Dice(b"bot", "1|"))


def test_the_strong_bot_wins_nine_of_ten_matches_against_chance() -> None:
    won = 0
    for number in range(60):
        me = number % 2
        table = [planner if seat == me else random_bot for seat in (0, 1)]
        won += (GAME.result(play_out(GAME, 2, GAME.read_options({}), key_of(number), table).state) or {})[me] == 1
    assert won >= 54


def test_it_keeps_one_of_its_supporters() -> None:
    state = opened()
    command = decision(state)
    assert isinstance(command, KeepSupporter)
    assert command.supporter in state.teams[0].offered


def test_the_strongest_dice_shoot_where_most_attacks_arrive() -> None:
    assert dict(_line_up(("cave_troll", "storm_raven")))["4"] == "storm_raven"


@pytest.mark.parametrize("bot", [curious, planner])
def test_before_an_empty_deck_at_least_one_card_is_given_away(bot: Any) -> None:
    """Found with six seats: decks of which everything is in hands and teams."""
    state = campaign(hand=("autobot", "black_knight"), coins=4, scout=1)
    state = replace(state, decks=(state.decks[0], DeckPile(), state.decks[2]))
    scout = next(choice for choice in GAME.legal(state, 0) if choice.do is Scout)
    assert enough((), scout) is None
    assert enough(("autobot",), scout) == ("autobot",)
    for number in range(20):
        command = bot(GAME.look(state, 0), (scout, *GAME.legal(state, 0)[-1:]), Dice(b"bot", f"{number}|"))
        assert isinstance(command, Scout)
        assert not scout.fault(command)
    assert enough((), next(choice for choice in GAME.legal(campaign(hand=("snow_hare",)), 0) if choice.do is Scout)) == ()


def test_a_team_of_five_benches_the_weakest() -> None:
    slotted = dict(_line_up(("griffin", "storm_raven", "blob", "behemoth", "mudfoot_goblin"))).values()
    assert "mudfoot_goblin" not in slotted


def test_a_champion_is_worth_more_early() -> None:
    assert value("storm_raven", Time((), 6)) > value("storm_raven", Time((), 1)) > 0


def test_higher_decks_promise_more() -> None:
    worth = [expected(level, Time((), 4)) for level in ("bronze", "silver", "gold")]
    assert worth == sorted(worth)


def test_cards_below_the_promise_of_the_deck_are_given_away() -> None:
    state = team(campaign(), 0, hand=("town_crier", "vampirello"))
    seat = GAME.look(state, 0).seats[0]
    gone = poor(("town_crier", "vampirello"), seat, Time((), 6))
    assert gone == tuple(
        name for name in ("town_crier", "vampirello") if value(name, Time((), 6)) < expected("bronze", Time((), 6))
    )


@pytest.mark.parametrize(("held", "better"), [(("A1", "A3"), "A3"), (("A1", "A2"), "A2")])
def test_it_improves_where_most_is_gained(held: tuple[str, ...], better: str) -> None:
    state = do(campaign(hand=("snow_hare",), **tokens(*held)), 0, PlayChampion("snow_hare"))
    assert decision(state) == ImproveToken(better)


def test_it_lets_the_least_useful_champion_go() -> None:
    state = do(campaign("cave_troll", "vampirello", hand=("jealous_jester",)), 0, PlayChampion("jealous_jester"))
    assert decision(state) == DiscardChampion("cave_troll")


def test_the_curious_take_champions_by_lot_and_keep_those_of_their_level() -> None:
    state = team(campaign(hand=("cave_troll", "vampirello", "town_crier")), 0, coins=12)
    view, choices = GAME.look(state, 0), GAME.legal(state, 0)
    answers = [curious(view, choices, Dice(b"bot", f"{number}|")) for number in range(40)]
    assert {answer.champion for answer in answers if isinstance(answer, PlayChampion)} == {
        "cave_troll",
        "vampirello",
        "town_crier",
    }
    grown = team(at("discard"), 0, hand=("cave_troll", "oracle", "titan"), scout=1)
    assert curious(GAME.look(grown, 0), GAME.legal(grown, 0), Dice(b"bot", "1|")) == Discard(("cave_troll",))
