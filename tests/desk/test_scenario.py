"""Does `cupboard scenario` tell right from wrong?"""

from pathlib import Path

import pytest

from shared.desk.workshop.scenario import main, outcome
from shared.desk.workshop.shape import ROOT

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
    ],
)
def test_a_wrong_file_is_told_at_the_first_difference(tmp_path: Path, old: str, new: str, difference: str) -> None:
    text = GOOD[0].read_text("utf-8")
    assert old in text
    wrong = tmp_path / "wrong.toml"
    wrong.write_text(text.replace(old, new), "utf-8")
    assert outcome(wrong).startswith(difference)


def test_the_program_ends_with_1_if_one_file_differs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(path) for path in GOOD]) == 0
    assert main([str(GOOD[0]), str(tmp_path / "absent.toml"), "--json"]) == 1
    assert '"ok": false' in capsys.readouterr().out
