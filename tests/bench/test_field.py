"""Does the bench of a large field run through on real servers, and does it say what was measured?"""

import re
from pathlib import Path

import pytest

from tests.bench import field
from tests.ledger import rule


@rule("LG-1031", "LG-1032", "LG-1034")
def test_a_round_its_results_and_its_readers_are_measured(servers_folder: Path, monkeypatch: pytest.MonkeyPatch):
    """No time is judged here; what is printed is read by people, on a machine that does nothing else."""
    monkeypatch.setattr(field, "SECONDS", 0.5)
    said: list[str] = []
    field.measured(servers_folder / "field", 6, said.append, results=2)
    told = "\n".join(said)
    assert "3 matches ordered" in told
    assert "half of 2 within" in told
    readers = [line for line in said if line.startswith("readers")]
    assert len(readers) == 3
    whole, unchanged = ([int(found.replace(",", "")) for found in re.findall(rf"([\d,]+) {words}", told)] for words in ("pages of", "times unchanged"))
    assert min(whole) > 0
    assert unchanged[0] == 0
    assert unchanged[1] > whole[1]
