"""Is nothing lost and nothing done twice while the real stack is killed around its clients?"""

import os
import random
import shutil
import tempfile
from pathlib import Path

import pytest

from tests.chaos.faults import KINDS, planned
from tests.chaos.run import chaos
from tests.ledger import rule

SECONDS = 15.0
FEWEST = 2 * int(SECONDS)       # two for each fault: how many more a machine accepts in this time is its own


@pytest.fixture
def folder():
    """Where Postgres, which root may not run, can get at its files."""
    folder = Path(tempfile.mkdtemp(prefix="cupboard-chaos-"))
    folder.chmod(0o711)
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@rule("PL-786", "PL-785", "PL-101", "PL-102", "PL-103", "PL-104", "PL-105", "PL-338", "PL-339", "PL-348", "PL-567")
@pytest.mark.timeout(150)
def test_nothing_is_lost_and_nothing_is_done_twice(folder):
    seed = int(os.environ.get("CHAOS_SEED", random.randrange(10**6)))
    found = chaos(folder, seed, SECONDS)
    print(found)
    again = f"again: cupboard chaos --seed {seed} --seconds {SECONDS:g}"
    assert found["complaints"] == [], again
    assert (found["lost"], found["twice"]) == (0, 0), again
    assert found["accepted"] > FEWEST, again
    assert found["steps"] > FEWEST, again
    assert found["votes"] > 0, again


@rule("PL-683")
def test_the_faults_come_from_the_seed_and_are_bounded():
    assert planned(7, 15) == planned(7, 15) != planned(8, 15)
    assert {fault.kind for fault in planned(7, 15)} == set(KINDS)
    assert all(0 < fault.at < 15 for fault in planned(7, 15))
    with pytest.raises(ValueError, match="3600 seconds"):
        chaos(Path("/nowhere"), 1, 10**6)
