"""Does `make bench` measure what a field of a hundred thousand is held to, and does the work grow as it should?"""

from services.league.bench import SIZES, lines
from tests.ledger import rule


@rule("LG-1031")
def test_rounds_and_standings_are_measured_up_to_a_hundred_thousand():
    """No time is judged here; what is printed is read by people, on a machine that does nothing else."""
    told = list(lines((40, 80)))
    assert [line.split(",")[1].strip() for line in told] == ["two seats", "two seats", "four seats", "four seats", "standing", "standing"]
    assert all("worked out" in line and "MiB" in line for line in told)
    assert max(SIZES) == 100_000
