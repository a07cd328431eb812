"""Does the manager play better than chance, with nothing but its view?"""

import json

import pytest

from services.golden_cup.bots import Season as Time
from services.golden_cup.bots import _line_up, expected, planner, poor, value
from services.golden_cup.commands import DiscardChampion, ImproveToken, KeepSupporter, PlayChampion
from services.golden_cup.game import GAME
from services.golden_cup.report import Report
from shared.desk.workshop import simulate
from shared.desk.workshop.games import key_of
from shared.kernel.dice import Dice
from shared.kernel.game import Command, Seat
from shared.kernel.match import play_out, random_bot
from tests.games.golden_cup.tables import State, campaign, do, opened, team, tokens


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


def test_the_report_counts_seats_rounds_and_champions() -> None:
    report = Report()
    for number in range(4):
        play_out(GAME, 3, GAME.read_options({}), key_of(number), [planner] * 3, [report])
    facts = report.facts()
    assert sum(facts["wins_by_seat"].values()) == pytest.approx(100, abs=0.1)
    assert len(facts["goals_by_round"]) == len(facts["draws_by_round"]) == 6
    assert sum(facts["ends"].values()) == 4
    assert sum(facts["decks"]["gold"]["plays"].values()) > 0
    assert report.lines()[0].startswith("  seat 1: ")


def test_the_report_marks_what_is_out_of_bounds() -> None:
    report = Report()
    report.matches, report.seats = 1000, 2
    report.wins.update({0: 600, 1: 400})
    report.played.update({"blob": 400, "harpy": 400, "oracle": 10})
    report.won.update({"blob": 300, "harpy": 100, "oracle": 9})
    lines = report.lines()
    assert [line.split()[-1] for line in lines if "<<" in line] == ["bounds"] * 4
    assert any("oracle  (too few to say)" in line for line in lines)


def test_the_simulate_program_prints_the_report(capsys: pytest.CaptureFixture[str]) -> None:
    assert simulate.main(["golden_cup", "--seats", "2", "--matches", "2", "--bots", "manager", "--report", "--json"]) == 0
    balance = json.loads(capsys.readouterr().out)["balance"]
    assert set(balance["decks"]) == {"bronze", "silver", "gold"}
