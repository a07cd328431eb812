"""Is an archived match read as before, by everybody and in every way?"""

from __future__ import annotations

from pathlib import Path

import pytest

from shared.runtime.turn import archive
from tests.gateway.conftest import House, Player
from tests.ledger import rule

READS = ("", "/view", "/text", "/letters?limit=3", "/letters?limit=100", "/replay?limit=100", "/replay?as=0&limit=100", "/replay?as=1&after=2",
         "/record", "/proof", "/result", "/asks")


@pytest.fixture
def over(house: House, ada: Player, bob: Player) -> str:
    """A match that ended eight days ago."""
    match = house.match(ada, bob, options={"rounds": 1}, onlooker_delay={"seconds": 60, "steps": 1})
    house.play_out(match, ada, bob)
    house.do("UPDATE matches SET ended_at = ended_at - interval '8 days' WHERE match_id = %s", match)
    house.do("UPDATE letters SET at = at - interval '8 days' WHERE match_id = %s", match)
    return match


def archived(house: House, match: str) -> None:
    assert archive.archive(house.worker.database, house.settings, match)
    assert house.one("SELECT count(*) AS n FROM letters WHERE match_id = %s", match)["n"] == 0


def read(match: str, *readers: Player) -> list[tuple[str, int, bytes]]:
    return [(path, answer.status_code, answer.data) for reader in readers for path in READS
            if (answer := reader.get(f"/matches/{match}{path}"))]


@rule("PL-257", "PL-416", "PL-417")
def test_everything_reads_the_same_bytes_before_and_after(house: House, ada: Player, bob: Player, nobody: Player, over: str):
    before = read(over, ada, bob, nobody)
    assert {status for _, status, _ in before} == {200}
    archived(house, over)
    assert read(over, ada, bob, nobody) == before


@rule("PL-257", "PL-214")
def test_pages_of_letters_go_on_in_the_file(house: House, ada: Player, over: str):
    first = ada.get(f"/matches/{over}/letters?limit=2").json
    archived(house, over)
    second = ada.get(f"/matches/{over}/letters?limit=2&cursor={first['next']}").json
    assert [letter["step"] for page in (first, second) for letter in page["items"]] == [1, 2, 3, 4]


@rule("PL-257")
def test_without_its_file_a_match_is_unavailable_and_the_rest_of_it_reads_on(house: House, ada: Player, over: str):
    archived(house, over)
    file = archive.folder_of(house.settings) / house.one("SELECT location FROM archives WHERE match_id = %s", over)["location"]
    kept = file.read_bytes()
    Path(file).unlink()
    archive.opened.cache_clear()
    lost = ada.get(f"/matches/{over}/letters")
    assert (lost.status_code, lost.json["code"]) == (503, "unavailable")
    assert ada.get(f"/matches/{over}/record").status_code == 200
    file.write_bytes(kept)
    assert ada.get(f"/matches/{over}/letters").status_code == 200
