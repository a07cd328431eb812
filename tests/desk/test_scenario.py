"""Does `cupboard scenario` tell right from wrong?"""

from dataclasses import replace
from pathlib import Path

import pytest

from shared.desk.workshop import scenario
from shared.desk.workshop.scenario import main, outcome
from shared.desk.workshop.shape import ROOT
from tests.laws.pebbles.game import GAME
from tests.ledger import rule

PLACE = "tests.laws.pebbles.game:GAME"

GOOD = sorted((ROOT / "tests" / "laws" / "scenarios").glob("*.toml"))


@pytest.mark.parametrize("path", GOOD, ids=lambda path: path.stem)
def test_good_files_hold(path: Path) -> None:
    assert outcome(path) == ""


@pytest.mark.parametrize(
    ("old", "new", "difference"),
    [
        ("heaps.0.shells", "heaps.0.shell", "then[1]: there is no heaps.0.shell (at 'shell')"),
        ("is = 1", "is = true", "then[1]: heaps.0.shells is 1, not True"),
        ('"amber", "coal"', '"coral", "coal"', "when[0] was refused: not_a_choice"),
        ('given.stage = "hide"', 'given.stage = "sleep"', "given: Invalid enum value 'sleep' - at `$.stage`"),
        ("given.heaps.1", "given.heaps.7", "given: there is no heaps.7 (at '7')"),
        ("given.bag", "given.sack", "given: there is no sack"),
        ('seat = 1, command = { do = "hide"', 'seat = 1, commands = { do = "hide"', "cannot be read: "),
        ("{ asked = [] }", "{ asks = [] }", "then[5]: {'asks': []} says nothing that can be checked"),
        ("seats = 2", "seats = 9", "seats: 9 cannot play"),
        ("seats = 2", "seats = 2\nrolls = [6]", "rolls: [6] were not used"),
        ("{ seat = 0, command", "{ seat = 9, command", "when[0]: there is no seat 9"),
        ("{ seat = 0, command", "{ seat = 0, timeout = 1, command", "when[0]: needs one of: "),
        ('{ seat = 0, command = { do = "hide", pebbles = ["amber"] } }', "{ seat = 0 }", "when[0]: needs one of: "),
        ('{ seat = 0, command = { do = "hide", pebbles = ["amber"] } }', "{ leave = 2 }", "when[0]: there is no seat 2"),
        ("view = 0", "view = 7", "then[4]: there is no seat 7"),
        ("view = 0", 'view = "0"', "then[4]: there is no seat 0"),
        ("{ asked = [] }", '{ offered = "hide", seat = 5 }', "then[5]: there is no seat 5"),
        ("{ asked = [] }", "{ path = 5, is = 1 }", "then[5]: {'path': 5, 'is': 1} says nothing that can be checked"),
        ('is = ["coal"]', "is = [1]", "then[2]: heaps.0.pebbles is ['coal'], not [1]"),
        ("seats = 2", "seats = [", "cannot be read: "),
        ("given.heaps.0.pebbles", "given.heaps.0.fist = { none = true }\ngiven.heaps.0.fists", "given: there is no heaps.0.fists"),
    ],
)
def test_a_wrong_file_is_told_at_the_first_difference(tmp_path: Path, old: str, new: str, difference: str) -> None:
    text = GOOD[0].read_text("utf-8")
    assert old in text
    wrong = tmp_path / "wrong.toml"
    wrong.write_text(text.replace(old, new), "utf-8")
    assert outcome(wrong).startswith(difference)


@rule("PL-681")
@pytest.mark.parametrize("content", [b"\xff\xfe", b"x = " + b"[" * 5_000, b'game = "pebbles"'], ids=["letters", "depth", "half"])
def test_a_file_that_is_no_scenario_is_told(tmp_path: Path, content: bytes) -> None:
    wrong = tmp_path / "wrong.toml"
    wrong.write_bytes(content)
    assert outcome(wrong).startswith("cannot be read: ")


def opening(tmp_path: Path, *lines: str) -> str:
    file = tmp_path / "opening.toml"
    file.write_text("\n".join(['rules = ["PB-111"]', f'game = "{PLACE}"', "seats = 2", *lines]), "utf-8")
    return outcome(file)


def test_without_acts_the_set_up_is_looked_at(tmp_path: Path) -> None:
    assert opening(tmp_path, 'then = [{ event = "bag_filled" }, { no_event = "drew" }, { path = "stage", is = "throw" }]') == ""
    assert opening(tmp_path, 'then = [{ no_event = "bag_filled" }]') == "then[0]: bag_filled was told"
    told = opening(tmp_path, "rolls = [99]", "then = []")
    assert told.startswith(("set-up: chosen draw 99", "rolls: [99]"))


def test_rules_that_cannot_go_on_are_told_with_the_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lost = "the rules cannot go on from here (IndexError: no such heap)"

    def fails(*_: object) -> None:
        raise IndexError("no such heap")

    broken = replace(GAME, leave=fails, legal=fails)
    monkeypatch.setattr(scenario, "named", lambda _: broken)
    assert opening(tmp_path, "when = [{ leave = 0 }]", "then = []") == f"when[0]: {lost}"
    assert opening(tmp_path, 'then = [{ offered = "hide", seat = 0 }]') == f"then[0]: {lost}"
    monkeypatch.setattr(scenario, "named", lambda _: replace(GAME, question=fails))
    assert opening(tmp_path, "then = []").endswith(lost)
    monkeypatch.setattr(scenario, "named", lambda _: replace(GAME, setup=fails))
    assert opening(tmp_path, "then = []") == f"set-up: {lost}"


def test_none_is_nothing_and_a_table_fills_it() -> None:
    plain = {"turn": None, "marks": {"a": 1}, "heaps": [{"shells": 0}]}
    given = {"turn": {"seat": 1, "left": {"dice": 2}}, "marks": {"b": {"of": 2}}, "heaps": {"0": {"shells": 3}}}
    paths = scenario._paths(given, plain)
    assert paths == [("turn", given["turn"]), ("marks.b", {"of": 2}), ("heaps.0.shells", 3)]
    assert scenario._with_nothing({"a": {"none": True}, "b": [{"none": True}, {"none": False}]}) == {"a": None, "b": [None, {"none": False}]}


def test_the_program_ends_with_1_if_one_file_differs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(path) for path in GOOD]) == 0
    assert main([str(GOOD[0]), str(tmp_path / "absent.toml"), "--json"]) == 1
    assert '"ok": false' in capsys.readouterr().out
