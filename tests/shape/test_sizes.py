"""Is everything small enough to be read? The limits of DESIGN 14; raising one needs a decision record."""

from pathlib import Path

import pytest

from shared.desk.workshop.shape import ROOT, folders, functions, lines, python_files, spread, total
from tests.shape.house import shown

MOST_LINES_OF_A_FILE = 400
MOST_LINES_OF_A_FUNCTION = 50
MOST_ARGUMENTS = 6
MOST_FILES_OF_A_FOLDER = 16
WHOLE = {
    "kernel": (1_050, "0001-size-of-the-kernel.md"),
    "runtime": (4_000, "0002-size-of-runtime-and-desk.md"),
    "desk": (4_900, "0002-size-of-runtime-and-desk.md"),
}
FILES = python_files()
EVERY = [function for path in FILES for function in functions(path)]


def test_no_file_is_long() -> None:
    long = {shown(path): lines(path) for path in FILES if lines(path) > MOST_LINES_OF_A_FILE}
    assert not long, f"more than {MOST_LINES_OF_A_FILE} lines; split it by the chapters of what it tells: {long}"


def test_no_function_is_long() -> None:
    long = [f"{shown(one.path)}:{one.line} {one.name} {one.lines}" for one in EVERY if one.lines > MOST_LINES_OF_A_FUNCTION]
    assert not long, f"more than {MOST_LINES_OF_A_FUNCTION} lines; give its steps names: {long}"


def test_no_function_takes_many_arguments() -> None:
    many = [f"{shown(one.path)}:{one.line} {one.name} {one.arguments}" for one in EVERY if one.arguments > MOST_ARGUMENTS]
    assert not many, f"more than {MOST_ARGUMENTS} arguments; some of them belong together: {many}"


def test_no_folder_is_full() -> None:
    full = {shown(folder): count for folder, count in folders().items() if count > MOST_FILES_OF_A_FOLDER}
    assert not full, f"more than {MOST_FILES_OF_A_FOLDER} files of code; make a folder of those that belong together: {full}"


def test_most_functions_are_short() -> None:
    size = spread(one.lines for one in EVERY)
    assert size["median"] <= 6, size
    assert size["p95"] <= 25, size


@pytest.mark.parametrize("part", WHOLE)
def test_shared_stays_small(part: str) -> None:
    """Every game leans on it, so it must stay readable in an hour."""
    most, record = WHOLE[part]
    decision = ROOT / "shared" / "docs" / "decisions" / record
    assert f"{most:,}" in decision.read_text("utf-8"), f"{shown(decision)} does not say {most:,}"
    size = total(ROOT / "shared" / part)
    assert size <= most, f"shared/{part} has {size} lines, more than {most:,}; move out what one game alone needs, or decide anew"


def test_files_that_are_measured_are_there() -> None:
    assert Path(__file__) in FILES
