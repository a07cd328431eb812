"""Before the first turn: GG-101 to GG-122."""

from collections import Counter

import msgspec
import pytest

from services.golden_goal import content
from services.golden_goal.commands import BetMoney, Roll, SellTile
from services.golden_goal.events import DecksShuffled, FirstPlayerFound, TileDealt, TileSetAside
from services.golden_goal.game import GAME
from services.golden_goal.setup import colours_of, deal_tile, find_first
from services.golden_goal.state import ROLES, nation_of, role_of
from shared.kernel.dice import Dice
from shared.kernel.game import Table
from shared.kernel.match import begin
from tests.games.golden_goal.tables import ITALY, KEY, MILLION, cash, dice, do, landing, refused, table
from tests.ledger import rule

SEATS = pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])


def _opened(seats, number=0, **options):
    return begin(GAME, seats, GAME.read_options(options), Dice(KEY, f"{number}|"))


@rule("GG-101")
def test_two_to_six_players() -> None:
    assert list(GAME.seats) == [2, 3, 4, 5, 6]


@rule("GG-102")
def test_everybody_has_another_colour() -> None:
    assert colours_of(4, ("blue", "blue", "", "red")) == ("blue", "green", "yellow", "red")


@rule("GG-102")
@SEATS
def test_colours_are_never_shared(seats) -> None:
    assert len({player.colour for player in _opened(seats)[0].state.players}) == seats


@rule("GG-103", "GG-104", "GG-105")
def test_pawns_stand_on_the_whistle_and_markers_on_0() -> None:
    state = _opened(4)[0].state
    assert {(state.square_of(seat), player.marker, player.points) for seat, player in enumerate(state.players)} == {(0, 0, 0)}
    assert state.board.squares[0].what == "start_end"


@rule("GG-106")
@pytest.mark.parametrize(("seats", "millions"), [(2, 18), (3, 14), (4, 11), (5, 9), (6, 8)])
def test_starting_capital(seats, millions) -> None:
    assert cash(_opened(seats)[0].state) == [millions * MILLION] * seats


@rule("GG-107")
@pytest.mark.parametrize(
    ("seats", "roles"),
    [
        (2, {"attack": 2, "midfield": 1, "defence": 1}),
        (3, {"attack": 1, "midfield": 1, "defence": 1}),
        (4, {"attack": 1, "midfield": 1}),
        (5, {"attack": 1}),
        (6, {"attack": 1}),
    ],
)
def test_starting_tiles(seats, roles) -> None:
    for player in _opened(seats)[0].state.players:
        assert Counter(map(role_of, player.tiles)) == roles


@rule("GG-108", "GG-110")
def test_attack_is_dealt_first_then_midfield_then_defence() -> None:
    dealt = [event for event in _opened(2)[1] if isinstance(event, TileDealt)]
    assert [role_of(event.tile) for event in dealt] == ["attack"] * 4 + ["midfield"] * 2 + ["defence"] * 2
    assert [event.seat for event in dealt] == [0, 1, 0, 1, 0, 1, 0, 1]


@rule("GG-108")
def test_stacks_are_shuffled_and_nobody_sees_them() -> None:
    assert len({_opened(6, number)[0].state.players[0].tiles for number in range(60)}) == 8
    assert not any(event.what == "stacks_shuffled" for event in _opened(3)[1])


@rule("GG-109")
def test_no_player_gets_two_tiles_of_a_nation() -> None:
    for number in range(60):
        for player in _opened(2, number)[0].state.players:
            assert len({nation_of(tile) for tile in player.tiles}) == 4


@rule("GG-110")
def test_a_clashing_tile_is_set_aside_and_shuffled_back() -> None:
    at = Table(table(2, tiles={0: ("spain_attack", "italy_attack")}))
    rest = deal_tile(at, 0, ("italy_midfield", "brazil_midfield", "france_midfield"), dice())
    assert [type(event) for event in at.events] == [TileSetAside, TileDealt]
    assert at.state.players[0].tiles == ("brazil_midfield", "italy_attack", "spain_attack")
    assert set(rest) == {"italy_midfield", "france_midfield"}


@rule("GG-111")
def test_dealt_tiles_are_public() -> None:
    state = _opened(3)[0].state
    assert [seat.tiles for seat in GAME.look(state, None).seats] == [player.tiles for player in state.players]


@rule("GG-112")
def test_all_other_tiles_are_unowned() -> None:
    owners = [square.owner for square in GAME.look(_opened(4)[0].state, None).squares if square.kind == "team"]
    assert owners.count(None) == 24 - 4 * 2


@rule("GG-113")
def test_tokens_and_cups_lie_with_the_bank() -> None:
    view = GAME.look(_opened(3)[0].state, None)
    assert view.supply == {"die": 6, "event": 6}
    assert [(cup.cup, cup.holder) for cup in view.cups] == [("bronze", None), ("silver", None), ("gold", None), ("diamond", None)]


@rule("GG-114", "GG-636")
def test_both_decks_are_shuffled_and_hidden() -> None:
    match, events = _opened(3)
    shuffled = next(event for event in events if isinstance(event, DecksShuffled))
    assert (len(shuffled.football), len(shuffled.non_football)) == (30, 25)
    assert shuffled.seen_by(0) == DecksShuffled((30, 25), None, None)
    shown = msgspec.json.encode(GAME.look(match.state, 1))
    assert not any(f'"{card}"'.encode() in shown for card in content.DECK_OF)


@rule("GG-115")
def test_the_highest_total_begins() -> None:
    assert find_first(Table(table(3)), 3, dice(1, 1, 6, 5, 2, 2)) == 1
    match, events = _opened(5)
    assert [event.seat for event in events if isinstance(event, FirstPlayerFound)] == [match.state.turn] == [match.state.first]


@rule("GG-116")
def test_tied_players_throw_again() -> None:
    at = Table(table(3))
    assert find_first(at, 3, dice(6, 6, 1, 1, 6, 6, 1, 1, 2, 2)) == 2
    assert [event.seat for event in at.events] == [0, 1, 2, 0, 2]


@rule("GG-118")
def test_amounts_are_whole_notes() -> None:
    state = do(landing(table(), 18), 0, Roll(), 3, 4)
    assert refused(state, 0, BetMoney(150_000))


@rule("GG-119")
def test_the_bank_never_runs_out() -> None:
    state = table(2, cash={0: 40 * MILLION, 1: 40 * MILLION}, tiles={0: ("spain_attack",)})
    assert cash(do(state, 0, SellTile("spain_attack")))[0] == 41 * MILLION


@rule("GG-120")
def test_leaving_the_start_for_the_first_time_ends_no_match() -> None:
    state = do(table().with_player(0, walked=0, matches=0), 0, Roll(), 4, 5)
    assert (state.players[0].matches, state.square_of(0)) == (0, 9)


@rule("GG-121")
@pytest.mark.parametrize(
    ("length", "numbers"),
    [("short", (10, (2, 4, 6, 8), 12)), ("standard", (16, (3, 6, 9, 12), 20)), ("long", (24, (5, 10, 15, 20), 30))],
)
def test_the_length_fixes_target_thresholds_and_cap(length, numbers) -> None:
    board = _opened(3, length=length)[0].state.board
    assert (board.target, board.thresholds, board.cap) == numbers


@rule("GG-122")
def test_a_finite_bank_pays_what_it_holds() -> None:
    state = table(2, {"finite_bank": True}, cash={0: 30 * MILLION, 1: 26 * MILLION})
    state = do(landing(state, 9), 0, Roll(), 3, 4)
    assert cash(state) == [30 * MILLION + 500_000, 26 * MILLION]


@rule("GG-122")
def test_a_finite_bank_buys_nothing_that_it_cannot_pay_in_full() -> None:
    state = table(2, {"finite_bank": True}, cash={0: 30 * MILLION, 1: 26 * MILLION}, tiles={0: (*ITALY, "spain_defence")})
    assert refused(state, 0, SellTile("italy_attack"))
    assert not refused(state, 0, SellTile("spain_defence"))


@rule("GG-108")
def test_every_role_has_eight_tiles() -> None:
    assert Counter(map(role_of, content.TILES)) == dict.fromkeys(ROLES, 8)
