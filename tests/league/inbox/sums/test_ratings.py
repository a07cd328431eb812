"""Do ratings follow the record, entry after entry, and does a correction lead to what computing from nothing gives?"""

from __future__ import annotations

import random

import pytest

from services.league.counting.rating import recomputed
from services.league.inbox.office import Office
from services.league.inbox.rating_record import match_of, recompute, write_ratings
from services.league.kind import RatedMatch, RatedSeat
from tests.league.inbox.conftest import GAME, Hall, play, settle
from tests.ledger import rule

PLAYERS = ("ada", "bo", "cy", "dee", "robot")


@pytest.fixture
def club(hall: Hall) -> Hall:
    for name in PLAYERS:
        hall.account(name, "bot" if name == "robot" else "person")
    return hall


def rated(match: str, *order: str, rated: bool = True, how: str = "played") -> RatedMatch:
    """These accounts in order of their places; the last one ended so."""
    seats = [RatedSeat(account, place, how if account == order[-1] else "played", account == "robot") for place, account in enumerate(order, start=1)]
    return RatedMatch(match, tuple(seats), rated)


def write(office: Office, *matches: RatedMatch) -> None:
    with office.database.transaction() as transaction:
        write_ratings(transaction, "t-1", GAME, matches)


def from_nothing(hall: Hall) -> dict[tuple[str, str], tuple[float, float]]:
    rows = hall.all("SELECT game, number, chairs, rated FROM rating_record ORDER BY number")
    _, now = recomputed(match_of(row) for row in rows)
    return {(account, pool): (rating.mu, rating.sigma) for (account, _, pool), rating in now.items()}


def stored(hall: Hall) -> dict[tuple[str, str], tuple[float, float]]:
    return {(row["account_id"], row["pool"]): (row["mu"], row["sigma"]) for row in hall.all("SELECT * FROM ratings")}


def entries(hall: Hall) -> list[tuple]:
    """The newest revision of each entry that counts."""
    rows = hall.all("SELECT DISTINCT ON (number, account_id, pool) * FROM rating_entries ORDER BY number, account_id, pool, revision DESC")
    return [(row["number"], row["account_id"], row["pool"], row["mu_before"], row["mu_after"]) for row in rows if row["counted"]]


@rule("LG-850", "LG-851", "LG-844", "LG-846")
def test_each_entry_starts_from_the_one_before(club: Hall, office: Office):
    write(office, rated("m-1", "ada", "bo", "cy"))
    write(office, rated("m-2", "bo", "robot"), rated("m-3", "dee", "ada"))
    assert stored(club) == from_nothing(club)
    counts = {(row["account_id"], row["pool"]): row["matches"] for row in club.all("SELECT * FROM ratings")}
    assert counts == {("ada", "human"): 2, ("ada", "open"): 2, ("bo", "human"): 1, ("bo", "open"): 2, ("cy", "human"): 1, ("cy", "open"): 1,
                      ("dee", "human"): 1, ("dee", "open"): 1, ("robot", "open"): 1}
    write(office, rated("m-1", "ada", "bo", "cy"))      # the same again is nothing new
    assert club.one("SELECT count(*) AS n FROM rating_entries")["n"] == len(entries(club)) == 12
    assert club.one("SELECT stale_from FROM rating_heads")["stale_from"] is None


@rule("LG-852", "LG-853", "LG-848", "LG-849", "E-39")
def test_a_corrected_match_is_computed_again_at_its_old_place(club: Hall, office: Office):
    """E-39 And a void one as if it had never been."""
    chance = random.Random(5)
    for number in range(30):
        write(office, rated(f"m-{number}", *chance.sample(PLAYERS, 3)))
    before = entries(club)
    write(office, rated("m-4", "dee", "bo", "ada", how="left"), rated("m-9", "ada", "bo", rated=False))
    write(office, rated("m-30", "cy", "ada"))           # recorded while the others wait to be computed again
    while recompute(office.database, GAME):
        pass
    assert stored(club) == from_nothing(club)
    after = entries(club)
    assert [one for one in after if one[0] < 5] == [one for one in before if one[0] < 5]
    assert not [one for one in after if one[0] == 10]
    assert club.one("SELECT max(revision) AS n FROM rating_entries")["n"] == 2
    first = club.all("SELECT number, account_id, pool, mu_before, mu_after FROM rating_entries WHERE revision = 1")
    assert set(before) <= {tuple(row.values()) for row in first}       # what was written stays


@rule("LG-852", "LG-853")
def test_whoever_has_no_rated_match_left_has_no_rating(club: Hall, office: Office):
    write(office, rated("m-1", "ada", "bo"), rated("m-2", "cy", "dee"))
    write(office, rated("m-1", "ada", "bo", rated=False))
    assert recompute(office.database, GAME) is False
    assert {account for account, _ in stored(club)} == {"cy", "dee"}
    write(office, rated("m-1", "bo", "ada"))
    recompute(office.database, GAME)
    assert stored(club) == from_nothing(club)
    assert stored(club)["bo", "human"] > stored(club)["ada", "human"]


@rule("LG-852", "LG-213")
def test_a_match_that_was_replayed_leaves_no_rating_behind(club: Hall, office: Office):
    """What counts no more comes without seats; who sat there is known from what was computed."""
    write(office, rated("m-1", "ada", "bo"), rated("m-2", "bo", "cy"))
    write(office, RatedMatch("m-1", (), rated=False))
    recompute(office.database, GAME)
    assert stored(club) == from_nothing(club)
    assert {account for account, _ in stored(club)} == {"bo", "cy"}


def counted(hall: Hall) -> dict[tuple[str, str], tuple[int, int]]:
    """Matches and the last entry of everybody who has a rating, as the entries say."""
    found: dict[tuple[str, str], tuple[int, int]] = {}
    for number, account, pool, *_ in entries(hall):
        found[account, pool] = found.get((account, pool), (0, 0))[0] + 1, number
    return found


@rule("LG-850", "LG-852", "LG-854")
def test_whatever_is_corrected_whenever_it_is_as_computed_from_nothing(club: Hall, office: Office, monkeypatch: pytest.MonkeyPatch):
    """New results, corrections and stretches of computing in any order; meanwhile nobody who comes again later is shown as they stood long ago."""
    monkeypatch.setattr("services.league.inbox.rating_record.AT_ONCE", 5)
    chance = random.Random(11)
    for number in range(60):
        order = chance.sample(PLAYERS, chance.choice((2, 3, 4)))
        write(office, rated(f"m-{chance.choice((number, chance.randrange(number + 1)))}", *order, rated=chance.random() < 0.8, how=chance.choice(("played", "left"))))
        if number % 7 == 0:
            write(office, RatedMatch(f"m-{chance.randrange(number + 1)}", (), rated=False))
        if chance.random() < 0.6:
            recompute(office.database, GAME)
    before, newest = stored(club), club.one("SELECT max(number) AS n FROM rating_record")["n"]
    club.do("UPDATE rating_heads SET stale_from = 1")
    assert recompute(office.database, GAME)
    still = [(row["account_id"], row["pool"]) for row in club.all("SELECT account_id, pool FROM ratings WHERE last > 5")]
    assert newest > 5
    assert [stored(club)[key] for key in still] == [before[key] for key in still] != []
    while recompute(office.database, GAME):
        pass
    assert stored(club) == from_nothing(club)
    assert {(row["account_id"], row["pool"]): (row["matches"], row["last"]) for row in club.all("SELECT * FROM ratings")} == counted(club)


@rule("LG-852", "LG-844", "LG-1021")
def test_computing_everything_again_changes_nothing(club: Hall, office: Office, monkeypatch: pytest.MonkeyPatch):
    chance = random.Random(7)
    for number in range(25):
        write(office, rated(f"m-{number}", *chance.sample(PLAYERS, 4)))
    before = stored(club), club.all("SELECT * FROM rating_entries ORDER BY number, account_id, pool")
    monkeypatch.setattr("services.league.inbox.rating_record.AT_ONCE", 4)       # in several stretches
    club.do("UPDATE rating_heads SET stale_from = 1")
    settle(office)
    assert (stored(club), club.all("SELECT * FROM rating_entries ORDER BY number, account_id, pool")) == before


@rule("LG-205", "LG-145", "LG-848", "E-63")
def test_a_tournament_rates_each_result_once_and_takes_a_void_one_back(hall: Hall, office: Office):
    competition = hall.made(office)
    hall.field(competition, office, 4)
    play(hall, office, competition)
    assert hall.one("SELECT count(*) AS n FROM rating_entries")["n"] == 12       # six matches of two bots, in the pool of all
    match = hall.one("SELECT match_id FROM rating_record WHERE number = 1")["match_id"]
    hall.act(competition, "void", {"match": match, "reason": "a wrong field"})
    settle(office)
    assert hall.one("SELECT rated FROM rating_record WHERE number = 1")["rated"] is False
    assert stored(hall) == from_nothing(hall)
    assert hall.one("SELECT sum(matches) AS n FROM ratings")["n"] == 10
