"""Is every result recorded once, every round started once, and is a standing always what its results say?"""

from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction

import psycopg
import pytest

from services.league.scoring import Seat
from services.league.standings import standing
from services.league.tasks import League
from tests.league.conftest import Club, settle
from tests.ledger import rule


def counted(club: Club, championship: str) -> list[list[Seat]]:
    """Results read straight from what the match service wrote."""
    rows = club.all("SELECT a.number, s.place, s.score, s.how, p.match_id FROM pairings p JOIN matches m USING (match_id)"
                    " JOIN result_seats s USING (match_id) JOIN appearances a ON (a.championship_id, a.round, a.table_no, a.seat)"
                    " = (p.championship_id, p.round, p.table_no, s.seat) WHERE p.championship_id = %s AND m.state = 'finished'", championship)
    matches = {row["match_id"] for row in rows}
    return [[Seat(row["number"], row["place"], row["score"], row["how"]) for row in rows if row["match_id"] == one] for one in matches]


def is_sum_of_results(club: Club, championship: str) -> bool:
    """PL-785 The stored standing equals one computed from nothing, and is of the present version."""
    stored = club.standing(championship)
    lines = standing(list(stored), counted(club, championship), {})
    [row] = club.all("SELECT version, as_of FROM championships WHERE championship_id = %s", championship)
    same = {line.number: (line.rank, f"{line.points.numerator}/{line.points.denominator}", line.played) for line in lines}
    return stored == same and row["version"] == row["as_of"]


@rule("LG-165", "LG-167", "PL-255", "PL-239")
def test_a_round_makes_one_match_per_table_and_tells_it_to_start(club: Club, league: League):
    championship = club.started(11)
    settle(league)
    matches = club.all("SELECT m.*, h.last_arrival, s.used_by FROM matches m JOIN inbox_heads h USING (match_id) JOIN seed_list s"
                       " ON s.number = m.seed_number WHERE m.championship = %s ORDER BY origin_key", championship)
    assert [(match["seats"], match["origin"], match["origin_key"]) for match in matches] == [
        (size, championship, f"1/{table}") for table, size in enumerate([match["seats"] for match in matches], start=1)]
    assert sorted(match["seats"] for match in matches) == [3, 4, 4]
    assert all(match["last_arrival"] == 1 and match["used_by"] == match["match_id"] and match["clock"] == {"preset": "quick"} for match in matches)
    starts = club.all("SELECT kind, outcome FROM inbox ORDER BY match_id")
    assert [(row["kind"], row["outcome"]) for row in starts] == [("start", None)] * 3
    seated = club.all("SELECT account_id FROM seats WHERE kind = 'held' AND ready")
    assert len({row["account_id"] for row in seated}) == 11


@rule("LG-166", "LG-171", "PL-255")
def test_several_processes_start_a_round_once(club: Club, league: League):
    championships = [club.started(9) for _ in range(3)]
    leagues = [League(club.settings) for _ in range(3)]
    with ThreadPoolExecutor(3) as pool:
        list(pool.map(settle, leagues))
    for one in leagues:
        one.database.close()
    settle(league)
    for championship in championships:
        assert club.round_of(championship) == 1
        assert len(club.running(championship)) == 2
    assert club.all("SELECT count(*) AS n FROM matches")[0]["n"] == 6


@rule("LG-165", "LG-167")
def test_a_round_that_cannot_be_made_leaves_nothing_and_holds_up_nobody(club: Club, league: League):
    club.database.execute("DELETE FROM seed_list WHERE number > 4")
    large, small = club.started(23), club.started(8)
    settle(league)
    assert (club.round_of(large), club.round_of(small)) == (0, 1)
    assert club.all("SELECT count(*) AS n FROM matches WHERE championship = %s", large)[0]["n"] == 0
    assert club.all("SELECT count(*) AS n FROM seed_list WHERE used_by IS NULL")[0]["n"] == 2
    club.seeds(100, 110)
    settle(league)
    assert club.round_of(large) == 1


@rule("LG-205", "LG-204", "PL-346")
def test_a_result_delivered_twice_counts_once(club: Club, league: League):
    championship = club.started(8)
    settle(league)
    first, second = club.running(championship)
    club.finish(first)
    club.tell(first, 9, "match.finished")
    settle(league)
    before = club.standing(championship)
    club.tell(first, 9, "match.finished")
    club.tell(first, 11, "match.finished")
    settle(league)
    assert club.standing(championship) == before
    assert club.all("SELECT count(*) AS n FROM recorded_results")[0]["n"] == 1
    assert club.all("SELECT count(*) AS n FROM outbox WHERE done_at IS NULL")[0]["n"] == 0
    assert sorted(played for _, _, played in before.values()) == [0] * 4 + [1] * 4
    assert club.running(championship) == [second]


@rule("LG-803", "PL-345")
def test_results_in_any_order_give_the_same_standing(club: Club, league: League):
    championship = club.started(12, rounds=1)
    settle(league)
    for match in reversed(club.running(championship)):
        club.finish(match)
        settle(league)
    assert is_sum_of_results(club, championship)
    assert sum(Fraction(points) for _, points, _ in club.standing(championship).values()) == 6


@rule("PL-347", "LG-208")
def test_a_result_nobody_told_of_is_found_by_the_sweep(club: Club, league: League):
    championship = club.started(4, rounds=1)
    settle(league)
    [match] = club.running(championship)
    club.finish(match, tell=False)
    league.look(sweep=False)
    assert club.running(championship) == [match]
    league.look(sweep=True)
    assert club.running(championship) == []
    assert is_sum_of_results(club, championship)
    club.tell(match, 9, "match.finished")        # the message comes after all
    settle(league)
    assert is_sum_of_results(club, championship)


@rule("LG-169", "LG-170", "PL-260")
def test_the_next_round_waits_for_the_last_match(club: Club, league: League):
    championship = club.started(8)
    settle(league)
    first, second = club.running(championship)
    club.finish(first)
    settle(league)
    assert club.round_of(championship) == 1
    club.finish(second)
    settle(league)
    assert club.round_of(championship) == 2
    assert len(club.running(championship)) == 2


@rule("LG-170")
def test_the_next_round_waits_for_the_break(club: Club, league: League):
    championship = club.started(4, break_ms=60_000)
    settle(league)
    club.finish(club.running(championship)[0])
    settle(league)
    assert club.round_of(championship) == 1
    club.database.execute("UPDATE rounds SET completed_at = completed_at - interval '1 minute'")
    settle(league)
    assert club.round_of(championship) == 2


@rule("LG-180", "LG-254", "LG-172")
def test_after_the_last_round_the_season_is_over_and_the_seed_is_shown(club: Club, league: League):
    championship = club.started(9, rounds=3, tables=(3, 3, 3))
    settle(league)
    while running := club.running(championship):
        for match in running:
            club.finish(match)
        settle(league)
    [row] = club.all("SELECT * FROM championships WHERE championship_id = %s", championship)
    assert (row["state"], row["seed_shown"], club.round_of(championship)) == ("finished", row["seed"].hex(), 3)
    assert is_sum_of_results(club, championship)
    met = club.all("SELECT count(*) AS n FROM appearances a JOIN appearances b USING (championship_id, round, table_no)"
                   " WHERE a.number < b.number GROUP BY a.number, b.number")
    assert [row["n"] for row in met] == [1] * 27


@rule("LG-213", "PL-248", "LG-207")
def test_a_voided_result_is_withdrawn_once(club: Club, league: League):
    championship = club.started(4, rounds=2)
    settle(league)
    [match] = club.running(championship)
    club.finish(match)
    settle(league)
    club.end(match, "voided")
    club.tell(match, 10, "match.voided")
    settle(league)
    assert set(club.standing(championship).values()) == {(1, "0/1", 0)}
    assert club.all("SELECT count(*) AS n FROM recorded_results WHERE withdrawn_version IS NOT NULL")[0]["n"] == 1
    assert is_sum_of_results(club, championship)


@rule("LG-213", "LG-212", "LG-169")
def test_an_aborted_match_counts_as_if_it_had_never_been_and_the_round_goes_on(club: Club, league: League):
    championship = club.started(4, rounds=2)
    settle(league)
    club.end(club.running(championship)[0], "aborted")
    settle(league)
    assert club.round_of(championship) == 2
    assert is_sum_of_results(club, championship)


@rule("LG-203", "PL-252")
def test_a_match_that_is_no_pairing_changes_nothing(club: Club, league: League):
    championship = club.started(4)
    settle(league)
    before = club.standing(championship)
    club.tell("m-somebody-elses", 9, "match.finished")
    club.tell(club.running(championship)[0], 2, "match.started")
    settle(league)
    assert club.standing(championship) == before
    assert club.all("SELECT count(*) AS n FROM outbox WHERE done_at IS NULL")[0]["n"] == 0


@rule("LG-202")
def test_a_record_that_cannot_be_is_not_counted_and_holds_up_no_other(club: Club, league: League):
    championship = club.started(8, rounds=1)
    settle(league)
    bad, good = club.running(championship)
    club.finish(bad, (1, 1, 2, 4))
    club.finish(good)
    settle(league)
    assert club.running(championship) == [bad]
    assert sorted(played for _, _, played in club.standing(championship).values()) == [0] * 4 + [1] * 4


@rule("LG-205", "LG-145", "LG-148", "PL-785")
def test_a_process_that_dies_between_effect_and_mark_is_repeated(club: Club, league: League, monkeypatch: pytest.MonkeyPatch):
    """The transaction is cut at every statement in turn; afterwards everything is there once."""
    championship = club.started(8, rounds=2)
    settle(league)
    for match in club.running(championship):
        club.finish(match)
    for cut in range(1, 40):
        if not _look_until(league, cut, monkeypatch):
            break
        assert is_sum_of_results_or_untouched(club, championship)
    assert cut > 10
    settle(league)
    assert club.round_of(championship) == 2
    assert club.all("SELECT count(*) AS n FROM recorded_results")[0]["n"] == 2
    assert is_sum_of_results(club, championship)


class Cut(BaseException):
    """Stands for the end of a process."""


def _look_until(league: League, cut: int, monkeypatch: pytest.MonkeyPatch) -> bool:
    """One look that is cut off at its n-th statement; False if it came to its end."""
    count = iter(range(1, 10_000))
    execute = psycopg.Connection.execute

    def counted_execute(self, *words, **more):
        if next(count) == cut:
            raise Cut
        return execute(self, *words, **more)

    with monkeypatch.context() as patch:
        patch.setattr(psycopg.Connection, "execute", counted_execute)
        try:
            league.look(sweep=True)
        except Cut:
            return True
    return False


def is_sum_of_results_or_untouched(club: Club, championship: str) -> bool:
    """What is recorded is in the standing: never one without the other."""
    recorded = club.all("SELECT count(*) AS n FROM recorded_seats")[0]["n"]
    return recorded == sum(played for _, _, played in club.standing(championship).values())


@rule("LG-809", "LG-1043")
def test_a_spoilt_projection_is_computed_again(club: Club, league: League):
    championship = club.started(4, rounds=1)
    settle(league)
    club.finish(club.running(championship)[0])
    settle(league)
    club.database.execute("UPDATE standings SET points_n = 99")
    club.database.execute("UPDATE championships SET as_of = 0")
    settle(league)
    assert is_sum_of_results(club, championship)


@rule("PL-815", "LG-102")
def test_the_league_may_touch_no_match_itself(club: Club, league: League):
    championship = club.started(4)
    settle(league)
    [match] = club.running(championship)
    with psycopg.connect(club.settings.database_of("league"), autocommit=True) as connection:
        for statement in ("UPDATE matches SET state = 'finished'", "INSERT INTO inbox_heads (match_id) VALUES ('m')", "SELECT * FROM match_states",
                          "UPDATE results SET step = 1", "SELECT * FROM seeds", "UPDATE championships SET planned_rounds = 1",
                          f"SELECT accept('{match}', NULL, NULL, 'order', NULL, NULL, NULL, '{{}}', NULL, now(), 'c', 1000, 9, NULL)"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(statement)


@rule("LG-254", "PL-815")
def test_the_gateway_cannot_read_the_seed_of_the_draws(club: Club):
    club.open(4)
    with psycopg.connect(club.settings.database_of("gateway"), autocommit=True) as connection:
        assert len(connection.execute("SELECT seed_hash FROM championships").fetchall()) == 1
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute("SELECT seed FROM championships")
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute("SELECT seat_pairing('m', 'c', 't', 1, 1, '{}')")
