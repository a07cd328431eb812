"""Do the tests run anywhere, all of them, with nothing but what this project brings along?"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.ledger import rule

ROOT = Path(__file__).parents[2]
PROBE = "tests/turn/test_schema.py::test_the_readable_schema_is_what_the_migrations_lead_to"


def commands_of(target: str) -> list[list[str]]:
    """What `make TARGET` would run, word by word."""
    told = subprocess.run(["make", "--no-print-directory", "--dry-run", "--always-make", target], cwd=ROOT, capture_output=True, text=True, check=True)
    return [shlex.split(line, comments=True) for line in told.stdout.splitlines() if "pytest" in line]


@rule("PL-783")
def test_make_test_leaves_no_test_out(pytestconfig: pytest.Config):
    """It names no file, no mark and no word, so pytest looks wherever tests are; and no test file lies elsewhere."""
    (command,) = commands_of("test")
    assert Path(command[0]).name == "pytest"
    assert {word for word in command[1:] if word.startswith("-")} <= {"--numprocesses", "--dist", "--no-loadscope-reorder"}
    assert {word for word in command[1:] if not word.startswith("-")} <= {"2", "loadfile"}
    assert pytestconfig.getini("testpaths") == ["tests"]
    assert not {"-k", "-m", "--ignore", "--deselect"} & set(pytestconfig.getini("addopts"))
    elsewhere = [path for folder in ("services", "shared", "deploy") for path in (ROOT / folder).rglob("test_*.py")]
    assert elsewhere == []
    assert "make test" in (ROOT / ".ci" / "run").read_text()


@rule("PL-783")
def test_a_test_that_needs_servers_starts_them_itself_and_ends_with_the_count(tmp_path: Path):
    """Without any address, account, container or program but Python in the environment."""
    bare = {"PATH": str(tmp_path), "HOME": str(tmp_path), "LANG": "C.UTF-8", "TMPDIR": os.environ.get("TMPDIR", "/tmp")}
    run = subprocess.run([sys.executable, "-m", "pytest", "-p", "no:cacheprovider", PROBE], cwd=ROOT, env=bare, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    assert "1 passed in" in run.stdout.splitlines()[-1]
