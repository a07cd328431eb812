"""Do the programs for those who write rules tell the truth, in words and as JSON, and end as they promise?"""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import psycopg
import pytest
import requests

from shared.desk import here
from shared.desk.cli import main as cupboard
from shared.desk.workshop import pack, rulebook, shape, simulate
from shared.desk.workshop.games import NoSuchGame, key_of, named, options_of, place_of
from shared.desk.workshop.scenario import at, plain_of
from shared.desk.workshop.transcript import golden, transcript
from shared.desk.workshop.wild import DeadEnd, wild
from shared.kernel.game import AUDIENCE, HOST
from tests.laws.pebbles.game import GAME
from tests.ledger import rule

PLACE = "tests.laws.pebbles.game:GAME"
BASE = shape.ROOT / "tests" / "laws" / "pebbles" / "content" / "base"


def told(capsys: pytest.CaptureFixture[str]) -> str:
    return capsys.readouterr().out


def test_a_game_is_found_by_its_place_and_named_by_it() -> None:
    assert named(PLACE) is GAME
    assert place_of(GAME) == PLACE
    with pytest.raises(NoSuchGame, match="no game is called 'chess'"):
        named("chess")


def test_options_that_do_not_fit_are_told() -> None:
    assert options_of(GAME, '{"rounds": 5}').rounds == 5
    with pytest.raises(ValueError, match="rounds"):
        options_of(GAME, '{"rounds": 9}')
    with pytest.raises(ValueError, match="Expecting"):
        options_of(GAME, "rounds=9")


def test_simulate_reports_shares_that_add_up(capsys: pytest.CaptureFixture[str]) -> None:
    words = [PLACE, "--matches", "30", "--seats", "3", "--bots", "careful,random", "--json"]
    assert simulate.main(words) == 0
    report = json.loads(told(capsys))
    assert report["matches"] == 30
    assert sum(report["wins_by_seat"].values()) == pytest.approx(1, abs=0.001)
    assert sum(report["wins_by_bot"].values()) == pytest.approx(1, abs=0.001)
    assert report["seats_per_bot"] == {"careful": 1, "random": 2}
    assert report["events"]["bag_filled"] == 30
    assert report["decisions_per_second"] > 0


def test_simulate_tells_the_same_of_the_same_seed(capsys: pytest.CaptureFixture[str]) -> None:
    reports = []
    for _ in range(2):
        assert simulate.main([PLACE, "--matches", "5", "--seed", "7", "--json"]) == 0
        reports.append(json.loads(told(capsys)))
        reports[-1].pop("decisions_per_second")
    assert reports[0] == reports[1]


@rule("PL-681")
@pytest.mark.parametrize("words", [["chess"], [], ["no.such:GAME"], ["shared.kernel.game:Game"], [PLACE, "--seats", "9"], [PLACE, "--bots", "genius"],
                                   [PLACE, "--options", "{"], [PLACE, "--options", "[]"]])
def test_simulate_ends_with_2_when_it_cannot_begin(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert simulate.main([*words, "--json"]) == 2
    shown = capsys.readouterr()
    assert (shown.out, shown.err.count("\n")) == ("", 1)
    assert shown.err.startswith("cupboard simulate: ")


@rule("PL-681")
@pytest.mark.parametrize("words", [["simulate", PLACE, "--matches", "0"], ["account", "list", "--most", "-1"], ["ratings", "show", "pebbles", "--most", "9" * 20],
                                   ["account", "suspend", "ada", "--reason", "a reason", "--grace", "nan"], ["token", "create", "ada", "--days", "9999999"]])
def test_a_number_out_of_range_is_wrong_use(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        cupboard(words)
    assert capsys.readouterr().err.splitlines()[-1].endswith(("allowed are 1 to 1000000", "allowed are 0 to 720", "allowed are 1 to 365"))


@rule("PL-681")
@pytest.mark.parametrize(("trouble", "ended", "words"), [
    (KeyboardInterrupt(), 130, ""),
    (psycopg.errors.UndefinedTable('relation "accounts" does not exist\nLINE 1: …'), 1, "the database has no schema of ours; `cupboard migrate` makes it"),
    (psycopg.errors.InsufficientPrivilege("permission denied for table steps"), 1, "Postgres refuses this: permission denied for table steps"),
    (PermissionError(13, "Permission denied", "var/running.json"), 1, "var/running.json: Permission denied"),
    (requests.ReadTimeout("Read timed out."), 3, "not reachable: Read timed out."),
])
def test_whatever_goes_wrong_is_one_line_and_a_number(trouble: BaseException, ended: int, words: str, monkeypatch: pytest.MonkeyPatch,
                                                      capsys: pytest.CaptureFixture[str]) -> None:
    def fails(_words: list[str]) -> int:
        raise trouble

    monkeypatch.setattr(shape, "main", fails)
    assert cupboard(["shape"]) == ended
    shown = capsys.readouterr()
    assert (shown.out, shown.err) == ("", f"cupboard: {words}\n" if words else "")


@rule("PL-681")
def test_without_an_installation_the_folder_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.delenv("DATABASE_URL", raising=False)
    monkeypatch.setenv("CUPBOARD_FOLDER", str(tmp_path))
    assert cupboard(["account", "list"]) == 1
    assert f"there is no local run in {tmp_path}, and no DATABASE_URL" in capsys.readouterr().err
    (tmp_path / here.FILE).write_text("{", "utf-8")
    assert cupboard(["account", "list"]) == 1
    assert capsys.readouterr().err == f"cupboard: {tmp_path / here.FILE} cannot be read; `cupboard up` writes it anew\n"


def test_wild_play_shows_every_step(capsys: pytest.CaptureFixture[str]) -> None:
    assert simulate.main([PLACE, "--wild", "--matches", "1", "--seed", "3", "--seats", "2"]) == 0
    steps = [moment.after.step for moment in wild(GAME, 2, GAME.read_options({}), key_of(3))]
    shown = [line for line in told(capsys).splitlines() if not line.startswith("        ")]
    assert [int(line.split()[0]) for line in shown] == steps
    assert shown[-1].endswith("(over)")


def test_wild_play_does_everything_that_people_do() -> None:
    every = [moment for seed in range(40) for moment in wild(GAME, 3, GAME.read_options({"crowd": True}), key_of(seed))]
    assert {moment.act for moment in every} == {"begin", "answer", "time_out", "phase", "leave"}
    assert {HOST, AUDIENCE, 0, 1, 2} <= {moment.seat for moment in every if moment.act == "answer"}


@rule("PL-362")
def test_wild_play_finds_a_dead_end() -> None:
    stuck = replace(GAME, question=lambda state, seat: None)
    with pytest.raises(DeadEnd, match="step 1: nobody is asked"):
        list(wild(stuck, 2, GAME.read_options({}), key_of(1)))


def test_a_transcript_is_public_and_always_the_same() -> None:
    text = transcript(GAME, 2, GAME.read_options({"rounds": 1}), 1)
    assert text == transcript(GAME, 2, GAME.read_options({"rounds": 1}), 1)
    assert "Seat 1 learns its lucky number." in text
    assert "Seat 1 has hidden." in text
    assert text.splitlines()[-1].startswith("seat 2: place ")
    assert "Il sacchetto" in transcript(GAME, 2, GAME.read_options({"rounds": 1}), 1, "it")


def test_a_golden_tells_what_reads_otherwise_today(tmp_path: Path) -> None:
    path = tmp_path / "short.txt"
    path.write_text(f'# {{"game": "{PLACE}", "seats": 2, "seed": 1, "options": {{"rounds": 1}}}}\nnothing yet\n', "utf-8")
    assert "-nothing yet\n+     1 begin" in golden(path)
    assert golden(path, write=True) == ""
    assert golden(path) == ""


def test_the_rulebook_names_function_and_test_on_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert rulebook.main([PLACE]) == 0
    line = next(line for line in told(capsys).splitlines() if line.startswith("PB-134 "))
    assert "| rules/fists.py best_fist |" in line
    assert "test_equal_or_empty_fists_win_nothing" in line


def test_the_rulebook_counts_scenarios_as_tests(capsys: pytest.CaptureFixture[str]) -> None:
    assert rulebook.main([PLACE, "--json"]) == 0
    clauses = {clause["number"]: clause for clause in map(json.loads, told(capsys).splitlines())}
    assert "tests/laws/scenarios/spoilt.toml" in clauses["PB-123"]["tests"]


def test_ranges_hold_the_clauses_that_exist() -> None:
    written = ["PB-101", "PB-102", "PB-105", "PB-111"]
    assert rulebook.expanded("PB-101 to PB-105, PB-111", written) == ["PB-101", "PB-102", "PB-105", "PB-111"]
    assert rulebook.expanded("PB-103", written) == ["PB-103"]


def test_a_clause_without_a_test_or_a_reason_is_missing() -> None:
    clause = rulebook.Clause("PB-101", "…", ("game.py setup",), (), "")
    assert clause.missing
    assert not clause._replace(reason="nothing to see").missing
    assert not clause._replace(tests=("test_x",)).missing


def test_a_pack_is_checked_whole(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own = tmp_path / "own"
    shutil.copytree(BASE, own)
    assert pack.main(["check", str(own), "--game", PLACE, "--json"]) == 0
    assert json.loads(told(capsys))["parts"] == {"pebbles": 16, "points": 2, "names": 4}
    (own / "points.toml").write_text('shell = "five"\nlucky = 3\n', "utf-8")
    (own / "more.toml").write_text("", "utf-8")
    assert pack.main(["check", str(own), "--game", PLACE]) == 1
    assert told(capsys).splitlines() == [
        "more.toml: no such part of this pack",
        "points: Expected `int`, got `str` - at `$.shell`",
    ]
    assert pack.main(["check", str(own), "--game", PLACE, "--json"]) == 1
    assert len(json.loads(told(capsys))["faults"]) == 2


@rule("PL-681")
def test_a_pack_of_no_game_and_a_part_of_no_pack_are_wrong_use(capsys: pytest.CaptureFixture[str]) -> None:
    assert pack.main(["check", str(BASE), "--game", "chess"]) == 2
    assert pack.main(["show", PLACE, "cards"]) == 2
    assert told(capsys) == ""
    assert pack.main(["show", PLACE, "points"]) == 0
    assert '"shell": 5' in told(capsys)


def test_sizes_are_measured(tmp_path: Path) -> None:
    file = tmp_path / "one.py"
    file.write_text('"""A."""\n\n\ndef f(self, a, *, b):\n    def g():\n        return 1\n\n    return g\n', "utf-8")
    assert [(one.name, one.lines, one.arguments) for one in shape.functions(file)] == [("f", 5, 2), ("g", 2, 0)]
    assert shape.lines(file) == 8
    assert shape.spread([3, 1, 2]) == {"count": 3, "median": 2, "p95": 2, "most": 3}


def test_shape_prints_every_part(capsys: pytest.CaptureFixture[str]) -> None:
    assert shape.main(["--json"]) == 0
    assert json.loads(told(capsys))["shared/kernel"]["file"]["count"] >= 6
    assert shape.main([]) == 0
    assert "shared/kernel" in told(capsys)


@rule("PL-681")
@pytest.mark.parametrize("command", ["simulate", "scenario", "rulebook", "pack", "newgame", "shape"])
def test_every_program_has_a_help_text(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        cupboard([command, "--help"])
    assert ended.value.code == 0
    assert f"usage: cupboard {command}" in told(capsys)


def test_paths_lead_into_lists_and_tables() -> None:
    assert at(plain_of({"heaps": [{"shells": 2}]}), "heaps.0.shells") == 2
