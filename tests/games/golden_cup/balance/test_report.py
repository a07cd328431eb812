"""Does the report judge fairly, and does it say what it cannot judge?"""

import json
from collections import Counter

import pytest

from services.golden_cup.bots import planner
from services.golden_cup.game import GAME
from services.golden_cup.report import Report, judged
from shared.desk.workshop import simulate
from shared.desk.workshop.games import key_of
from shared.kernel.match import play_out


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
    report.played.update({"blob": 400, "harpy": 400, "oracle": 4, "titan": 4000})
    report.won.update({"blob": 300, "harpy": 100, "oracle": 3, "titan": 2000})
    lines = report.lines()
    assert [line.split()[-1] for line in lines if "<<" in line] == ["bounds"] * 4
    assert any("oracle  (too few to say)" in line for line in lines)
    assert lines[-4].endswith("1 inside, 2 out, 1 open, 98 never played")
    assert [line.split()[:2] for line in lines[-3:]] == [["out:", "blob"], ["out:", "harpy"], ["open:", "oracle"]]
    assert "  verdict on seats (at most 2 points from even): 0 inside, 2 out, 0 open" in lines


def test_a_card_is_inside_or_out_only_where_the_whole_interval_is() -> None:
    assert judged(250, 1000, 25, 8) == (0.0, -2.6, 2.8, "inside")
    assert judged(25, 100, 25, 8).verdict == "open"
    assert judged(340, 1000, 25, 8).verdict == "open"  # 9 points up, but the true share may be 6
    assert judged(400, 1000, 25, 8).verdict == "out"
    assert judged(0, 3, 25, 8).verdict == "open"  # never won, and yet nothing is known


def test_the_report_counts_a_champion_that_was_discarded_later() -> None:
    report, played = Report(), Counter[str]()
    for number in range(6):
        match = play_out(GAME, 4, GAME.read_options({}), key_of(number), [planner] * 4, [report])
        played.update(name for team in match.state.teams for name in team.champions)
    assert all(report.played[name] >= count for name, count in played.items())
    assert sum(report.played.values()) > sum(played.values())
    assert sum(report.ahead.values()) != 0


def test_the_simulate_program_prints_the_report(capsys: pytest.CaptureFixture[str]) -> None:
    assert simulate.main(["golden_cup", "--seats", "2", "--matches", "2", "--bots", "manager", "--report", "--json"]) == 0
    balance = json.loads(capsys.readouterr().out)["balance"]
    assert set(balance["decks"]) == {"bronze", "silver", "gold"}
