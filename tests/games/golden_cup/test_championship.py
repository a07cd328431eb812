"""What is a team worth in the end, and who reaches the final?"""

import pytest
from msgspec.structs import replace

from services.golden_cup import content
from services.golden_cup.content.shapes import Supporter, Tier
from services.golden_cup.game import GAME
from services.golden_cup.rules.championship import end_championship, endgame_of, finalists, metric_of, total_of, worth
from services.golden_cup.state import State, Total
from shared.kernel.game import Event, Table
from tests.games.golden_cup.tables import at, dice, kinds, last, team, tokens
from tests.ledger import rule

SUPPORTER = "wall_watchers"


def ended(state: State, *rolls: int) -> tuple[State, list[Event]]:
    table = Table(state)
    end_championship(table, dice(*rolls))
    return table.state, table.events


def totals(*each: int, seats: int | None = None) -> State:
    """After round 6; these totals."""
    state = at("fixtures", seats or len(each), 6)
    return replace(state, totals=tuple(Total(total, 0, 0, 0, 0, total) for total in each))


def reached(state: State, *rolls: int) -> tuple[int, ...]:
    return finalists(Table(state), dice(*rolls))


@rule("GC-504", "GC-506")
def test_fame_is_public_and_has_no_limit() -> None:
    assert GAME.look(at("campaign").with_team(0, fame=99), 1).seats[0].fame == 99


@rule("GC-520", "GC-521")
def test_a_total_has_four_parts() -> None:
    own = team(at("fixtures", 2, 6), 0, "lucky_leprechaun", "pipit_fairy", fame=11, stadium=2, supporter=SUPPORTER)
    assert total_of(own.with_team(0, **tokens("D3", "D3")).teams[0]) == Total(11, 2, 6, 4, 2, 19)


@rule("GC-522", "GC-714")
def test_end_game_effects_count_from_slots_and_bench() -> None:
    many = ("silver_squire", "blob", "harpy", "oracle", "minotaur")
    own = team(at("fixtures"), 0, *many, line_up=("blob", "harpy", "oracle", "minotaur"))
    assert endgame_of(own.teams[0]) == 5


@rule("GC-523", "GC-245")
def test_the_finance_track_gives_fame() -> None:
    own = at("fixtures").with_team(0, stadium=2, sponsors=(3, 0)).teams[0]
    assert (total_of(own).coins, total_of(own).finance) == (9, 7)


@rule("GC-524")
def test_who_kept_no_supporter_has_three_parts() -> None:
    """As in a scenario that begins after the set-up."""
    own = at("fixtures", 2, 6).with_team(0, supporter="", offered=())
    assert (total_of(own.teams[0]).supporter, total_of(own.teams[0]).total) == (0, 5 + 2)


@rule("GC-524", "GC-801")
def test_supporters_are_turned_over_at_the_end() -> None:
    state, events = ended(at("fixtures", 3, 6))
    assert last(events, "totalled").supporters == tuple(team.supporter for team in state.teams)
    assert GAME.look(state, None).seats[0].supporter == state.teams[0].supporter


@rule("GC-525")
def test_sponsors_go_and_nothing_is_bought() -> None:
    state, _ = ended(at("fixtures", 3, 6).with_team(0, sponsors=(2, 1)))
    assert state.teams[0].sponsors == (0, 0)
    assert state.stage == "final"


@rule("GC-526")
@pytest.mark.parametrize(
    ("supporter", "count"),
    [
        ({"metric": "icon", "icon": "wing"}, 2),
        ({"metric": "distinct_icons"}, 3),
        ({"metric": "cards", "deck": "gold"}, 1),
        ({"metric": "cards", "deck": "all"}, 3),
        ({"metric": "cards_with", "type": "shooting"}, 1),
        ({"metric": "tokens", "kind": "attack", "least": 3}, 2),
        ({"metric": "tokens", "kind": "defense"}, 2),
        ({"metric": "tokens", "kind": "all", "least": 2}, 3),
        ({"metric": "levels"}, 3),
        ({"metric": "income"}, 7),
        ({"metric": "wins"}, 3),
        ({"metric": "draws"}, 1),
        ({"metric": "goals"}, 8),
        ({"metric": "fame"}, 21),
    ],
)
def test_supporters_look_at_the_end_of_round_six(supporter: dict[str, object], count: int) -> None:
    own = team(at("fixtures"), 0, "pipit_fairy", "vampirello", "unicorn", scout=1, stadium=2, wins=3, draws=1, goals=8, fame=21)
    own = own.with_team(0, **tokens("A1", "A3", "A4", "D1", "D2"))
    assert metric_of(Supporter(tiers=(Tier(0, 0),), **supporter), own.teams[0]) == count


@rule("GC-524")
@pytest.mark.parametrize(("wins", "fame"), [(1, 0), (2, 2), (3, 4), (6, 6)])
def test_the_highest_tier_reached_counts(wins: int, fame: int) -> None:
    assert worth(content.BASE.supporters["victory_march"], at("fixtures").with_team(0, wins=wins).teams[0]) == fame


@rule("GC-527", "GC-614")
def test_the_two_best_humans_play_the_final() -> None:
    assert reached(totals(20, 31, 12, 30, 7)) == (1, 3)


@rule("GC-528", "GC-536")
def test_more_champions_break_a_tie() -> None:
    state = team(team(totals(30, 27, 27), 1, "blob"), 2, "harpy", "oracle")
    assert reached(state) == (0, 2)


@rule("GC-529")
@pytest.mark.parametrize(("own", "other"), [(("griffin",), ("blob",)), (("blob",), ("bush",))])
def test_then_gold_then_silver_champions(own: tuple[str, ...], other: tuple[str, ...]) -> None:
    assert reached(team(team(totals(30, 27, 27), 1, *other), 2, *own)) == (0, 2)


@rule("GC-530")
def test_then_a_die_and_whoever_is_still_level_rolls_again() -> None:
    table = Table(totals(30, 27, 27, 27))
    assert finalists(table, dice(5, 5, 2, 3, 4)) == (0, 2)
    assert [event.seats for event in table.events] == [(1, 2, 3), (1, 2)]


@rule("GC-531")
def test_a_tie_of_the_two_best_is_not_broken() -> None:
    table = Table(totals(28, 28, 22))
    assert finalists(table, dice()) == (0, 1)
    assert table.events == []


@rule("GC-532")
def test_three_level_at_the_top_play_for_both_places() -> None:
    state = team(team(team(totals(27, 27, 27, 3), 0, "blob"), 1, "harpy", "oracle"), 2, "titan")
    assert reached(state) == (1, 2)


@rule("GC-537")
def test_a_tie_break_looks_only_at_those_who_are_level() -> None:
    many = ("blob", "harpy", "oracle")
    state = team(team(team(totals(30, 27, 27, 26), 1, "minotaur"), 2, "griffin"), 3, *many)
    assert reached(state) == (0, 2)


@rule("GC-533")
@pytest.mark.parametrize(("fame", "how"), [(11, "cup_won"), (10, "finalists_named")])
def test_with_two_seats_a_lead_of_six_wins_at_once(fame: int, how: str) -> None:
    state = at("fixtures", 2, 6)
    for seat, its in ((0, fame), (1, 5)):
        state = state.with_team(seat, fame=its, supporter="rainbow_scarf")
    assert kinds(ended(state)[1])[-1] == how


@rule("GC-534")
def test_with_two_seats_and_less_both_play_the_final() -> None:
    state, _ = ended(at("fixtures", 2, 6).with_team(0, supporter="rainbow_scarf").with_team(1, supporter="rainbow_scarf"))
    assert state.finalists == (0, 1)


@rule("GC-535")
def test_with_more_seats_a_large_lead_wins_nothing() -> None:
    state, _ = ended(at("fixtures", 3, 6).with_team(0, fame=90))
    assert (state.stage, state.winner) == ("final", None)
