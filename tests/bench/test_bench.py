"""Does the benchmark measure what it says? Small runs of each part, without looking at the figures."""

import shutil
import tempfile
from pathlib import Path

import pytest

from shared.desk.workshop import bench
from tests.bench.game import GAME
from tests.bench.run import NAIVE, OURS, audience, decisions, turns
from tests.laws.pebbles.state import Options
from tests.ledger import rule


@pytest.fixture
def folder():
    folder = Path(tempfile.mkdtemp(prefix="cupboard-bench-"))
    folder.chmod(0o711)
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@rule("PL-798")
@pytest.mark.parametrize("processes", [OURS, NAIVE])
def test_a_closed_loop_plays_and_nothing_is_refused(folder, processes):
    found = turns(folder / "stack", processes, (2,), 1.0, print)["2"]
    assert found["turns"] > 5
    assert found["refused"] == []
    assert found["median_ms"] <= found["p95_ms"] <= found["p99_ms"]
    assert {"postgres", "client", processes[0]} <= set(found["cpu_ms_per_turn"])


@rule("PL-567", "PL-568", "EX-37")
def test_every_vote_of_an_audience_counts_once(folder):
    found = audience(folder / "stack", print, size=120)
    assert (found["votes_stored"], found["counts"]) == (120, 1)


def test_the_match_that_is_measured_does_not_end():
    options = GAME.read_options({})
    assert options.rounds > 10**5 > Options().rounds
    found = decisions(0.05)
    assert all(per_s > 100 for by_seats in found.values() for per_s in by_seats.values())
    assert {game: [*by_seats] for game, by_seats in found.items() if game in {"champions", "goldblivion"}} == {
        "champions": [3, 4, 5, 6, 7, 8],
        "goldblivion": [1, 2, 3, 4],
    }


def test_the_table_names_each_figure():
    facts = {"turns_per_s": 700.0, "turns": 1, "median_ms": 9.0, "p95_ms": 9.5, "p99_ms": None, "answer_median_ms": 2.0, "cpu_ms_per_turn": {"worker": 0.6}}
    told = bench.table({"cores": 2, "load_before": 0.1, "turns": {"1": facts, "32": facts}, "naive": {"32": facts | {"turns_per_s": 350.0}},
                        "play_out": {"pebbles": {2: 41_000, 3: 40_000}}})
    assert "2.0 times the naive queue at 32 matches" in told
    assert "play_out pebbles            40,000 to 41,000 decisions/s on one core; by seats 2: 41,000, 3: 40,000" in told
    with pytest.raises(SystemExit):
        bench.main(["--seconds", "0"])
