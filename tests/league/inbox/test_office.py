"""Is every act decided once and in order, every event numbered and chained, every match made once, whatever happens meanwhile?"""

from __future__ import annotations

import hashlib
import json
import threading
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest
from msgspec.structs import replace

from services.league.inbox.memory import folded
from services.league.inbox.office import Office
from tests.league.inbox.conftest import KINDS, ORG, Hall, play, settle
from tests.league.inbox.duels import DUELS
from tests.ledger import rule


@rule("LG-147", "LG-1011", "LG-145")
def test_acts_are_decided_in_order_and_each_has_one_outcome(hall: Hall, office: Office):
    competition = hall.made(office)
    ada, bo = hall.account("ada"), hall.account("bo")
    acts = [hall.act(competition, "enter", by=ada), hall.act(competition, "enter", by=ada), hall.act(competition, "start"),
            hall.act(competition, "enter", by=bo), hall.act(competition, "nonsense")]
    office.drain(competition)
    told = [hall.outcome(act) for act in acts]
    assert [(one["state"], one["code"], one["events"]) for one in told] == [
        ("done", None, 1), ("refused", "already_entered", 0), ("done", None, 1), ("refused", "entry_closed", 0), ("refused", "malformed", 0)]
    assert told[1]["named"] == ["ada"]
    assert hall.events(competition) == ["created", "entered", "begun", "finished"]
    assert (hall.row(competition)["version"], hall.row(competition)["pages_version"], hall.row(competition)["state"]) == (4, 4, "finished")


@rule("LG-150", "LG-145")
def test_a_refused_act_changes_nothing(hall: Hall, office: Office):
    competition = hall.made(office)
    before = hall.row(competition), hall.all("SELECT * FROM competition_pages")
    act = hall.act(competition, "enter", {"odd": 1})
    office.drain(competition)
    assert hall.outcome(act)["code"] == "malformed"
    after = hall.row(competition)
    assert {**after, "done_arrival": 0} == {**before[0], "done_arrival": 0}
    assert hall.all("SELECT * FROM competition_pages") == before[1]
    assert hall.all("SELECT * FROM competition_events WHERE number > 1") == []


@rule("LG-103", "LG-277")
def test_a_competition_that_could_not_be_made_is_seen_by_nobody(hall: Hall, office: Office):
    competition = hall.made(office, name="bad")
    assert (hall.row(competition)["version"], hall.all("SELECT * FROM competition_pages")) == (0, [])
    assert hall.one("SELECT code FROM competition_acts")["code"] == "bad_setting"


@rule("LG-942", "LG-943")
def test_events_are_a_chain_that_shows_every_change(hall: Hall, office: Office):
    competition = hall.made(office)
    hall.field(competition, office, 3)
    before = "0" * 64
    for number, row in enumerate(hall.all("SELECT * FROM competition_events WHERE competition_id = %s ORDER BY number", competition), start=1):
        line = json.dumps({"body": row["body"], "kind": row["kind"], "n": number}, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        assert (row["number"], row["previous_hash"]) == (number, before)
        assert row["hash"] == hashlib.sha256(f"{before}\n{line}".encode()).hexdigest()
        before = row["hash"]
    with psycopg.connect(hall.settings.database_of("league"), autocommit=True) as connection:
        for statement in ("UPDATE competition_events SET body = ''", "DELETE FROM competition_events", "UPDATE organisation_audit SET entry = ''",
                          "DELETE FROM organisation_audit", "DELETE FROM competition_acts", "UPDATE rating_entries SET mu_after = 99"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(statement)


@rule("LG-943", "LG-941", "E-50")
def test_the_audit_log_is_hashed_as_the_ledger_says(hall: Hall, office: Office):
    """E-50 The worked example."""
    for act, reason in (("void", "server fault"), ("replay", "agreed")):
        hall.one("SELECT chained(%s, NULL, 'acc-17', %s)", ORG, json.dumps({"act": act, "pairing": "p-204", "reason": reason, "who": "acc-17"}))
    rows = hall.all("SELECT number, hash FROM organisation_audit ORDER BY number")
    assert [row["hash"] for row in rows] == ["8088da9e1cb9ffb95bace9327f3bc1d406a951ac91eb8988fd6704b6cf373305",
                                             "1850b8d33c7c104685fdfe84e7b270c998e7440f6a0fb381c245ad6954fd6af2"]


@rule("LG-941", "LG-103")
def test_acts_of_officials_are_noted_and_those_of_players_are_not(hall: Hall, office: Office):
    competition = hall.made(office)
    hall.field(competition, office, 2)
    rows = hall.all("SELECT subject, account_id, entry FROM organisation_audit ORDER BY number")
    assert [(json.loads(row["entry"])["act"], row["account_id"], row["subject"]) for row in rows] == [
        ("create", "host", competition), ("start", "host", competition)]


@rule("LG-165", "LG-167", "PL-255", "LG-146")
def test_each_pairing_gets_one_match_that_is_told_to_start(hall: Hall, office: Office):
    competition = hall.made(office)
    accounts = hall.field(competition, office, 4)
    matches = hall.all("SELECT m.*, h.last_arrival FROM matches m JOIN inbox_heads h USING (match_id) ORDER BY origin_key")
    assert [(row["origin"], row["origin_key"], row["championship"], row["seats"], row["opponents"], row["last_arrival"]) for row in matches] == [
        (competition, f"1/1/{table}/1", competition, 2, "bots", 1) for table in (1, 2)]
    assert sorted(row["account_id"] for row in hall.all("SELECT account_id FROM seats WHERE kind = 'held' AND ready")) == accounts
    assert [row["kind"] for row in hall.all("SELECT kind FROM inbox")] == ["start", "start"]


@rule("LG-166", "LG-171", "LG-167")
def test_several_processes_and_a_double_press_start_a_round_once(hall: Hall, office: Office):
    competitions = [hall.made(office) for _ in range(3)]
    for competition in competitions:
        for number in range(4):
            hall.act(competition, "enter", by=hall.account(f"{competition}-{number}"), roles=("self",))
        for _ in range(2):
            hall.act(competition, "start")
    offices = [Office(hall.settings, KINDS) for _ in range(3)]
    with ThreadPoolExecutor(3) as pool:
        list(pool.map(settle, offices))
    for one in offices:
        one.database.close()
    for competition in competitions:
        assert hall.events(competition).count("paired") == 1
        assert len(hall.open_matches(competition)) == 2
    assert hall.one("SELECT count(*) AS n FROM matches")["n"] == 6


@rule("LG-165", "LG-167", "LG-146")
def test_where_seeds_run_out_the_rest_of_the_matches_comes_later(hall: Hall, office: Office):
    hall.do("DELETE FROM seed_list WHERE number > 3")
    large, small = hall.made(office), hall.made(office)
    hall.field(large, office, 8)
    hall.field(small, office, 2)
    assert (len(hall.open_matches(large)), hall.events(small)) == (3, ["created", "entered", "entered", "begun", "drafted", "paired"])
    hall.do("INSERT INTO seed_list (number, commitment) SELECT n, 'c' || n FROM generate_series(101, 120) n")
    settle(office)
    assert (len(hall.open_matches(large)), len(hall.open_matches(small))) == (4, 1)


@rule("LG-205", "LG-204", "LG-203", "PL-346", "E-63")
def test_a_record_delivered_again_counts_once_and_a_stranger_not_at_all(hall: Hall, office: Office):
    competition = hall.made(office)
    hall.field(competition, office, 4)
    first, second = hall.open_matches(competition)
    hall.finish(first)
    for step, topic in ((9, "match.finished"), (9, "match.finished"), (11, "match.finished"), (2, "match.started")):
        hall.tell(first, step, topic)
    hall.tell("m-of-somebody", 9, "match.finished")
    settle(office)
    assert hall.events(competition).count("recorded") == 1
    assert hall.one("SELECT count(*) AS n FROM competition_acts WHERE kind = 'record'")["n"] == 1
    assert hall.one("SELECT count(*) AS n FROM outbox WHERE done_at IS NULL")["n"] == 0
    assert hall.open_matches(competition) == [second]


@rule("LG-208", "PL-347", "LG-149")
def test_an_end_that_nobody_told_of_is_found_by_the_sweep(hall: Hall, office: Office):
    competition = hall.made(office)
    hall.field(competition, office, 2)
    [match] = hall.open_matches(competition)
    hall.finish(match, tell=False)
    settle(office, sweep=False)
    assert "recorded" not in hall.events(competition)
    settle(office)
    assert hall.events(competition)[-2:] == ["recorded", "finished"]
    hall.tell(match, 9, "match.finished")        # the message comes after all
    settle(office)
    assert hall.events(competition).count("recorded") == 1


@rule("LG-171", "LG-872", "LG-884", "LG-886")
def test_what_is_due_happens_once_however_late(hall: Hall, office: Office):
    competition = hall.made(office, **{"break": 3_600_000})
    hall.field(competition, office, 4)
    for match in hall.open_matches(competition):
        hall.finish(match)
    settle(office)
    assert hall.events(competition).count("paired") == 1
    row = hall.row(competition)
    assert (row["due_at"] - hall.one("SELECT clock_timestamp() AS now")["now"]).total_seconds() > 3_500
    hall.do("UPDATE competitions SET due_at = clock_timestamp() - interval '3 days'")        # a timer that comes too early does nothing
    settle(office)
    assert hall.events(competition).count("paired") == 1
    with ThreadPoolExecutor(2) as pool:      # an hour later, two schedulers
        offices = [Office(hall.settings, {"tournament": DUELS._replace(advance=_an_hour_later)}) for _ in range(2)]
        hall.do("UPDATE competitions SET due_at = clock_timestamp() - interval '1 minute'")
        list(pool.map(settle, offices))
    for one in offices:
        one.database.close()
    assert hall.events(competition).count("paired") == 2


def _an_hour_later(state, scene):
    return DUELS.advance(state, replace(scene, at=scene.at + 3_600_000))


@rule("LG-205", "LG-145", "LG-148", "LG-1044")
def test_a_process_that_dies_at_any_statement_is_repeated(hall: Hall, office: Office, monkeypatch: pytest.MonkeyPatch):
    competition = hall.made(office)
    hall.field(competition, office, 4)
    for match in hall.open_matches(competition):
        hall.finish(match)
    for cut in range(1, 200):
        if not _looked_until(office, cut, monkeypatch):
            break
        assert _is_whole(hall, competition)
    assert cut > 20
    settle(office)
    assert hall.events(competition).count("recorded") == 2
    assert hall.events(competition).count("paired") == 2
    assert len(hall.open_matches(competition)) == 2
    assert _is_whole(hall, competition)


class Cut(BaseException):
    """Stands for the end of a process."""


def _looked_until(office: Office, cut: int, monkeypatch: pytest.MonkeyPatch) -> bool:
    """One look that is cut off at its n-th statement; False if it came to its end."""
    count = iter(range(1, 100_000))
    execute, here = psycopg.Connection.execute, threading.get_ident()

    def counted(self, *words, **more):
        if threading.get_ident() == here and next(count) == cut:      # what other tests have left running lives on
            raise Cut
        return execute(self, *words, **more)

    with monkeypatch.context() as patch:
        patch.setattr(psycopg.Connection, "execute", counted)
        try:
            settle(office)
        except Cut:
            return True
    return False


def _is_whole(hall: Hall, competition: str) -> bool:
    """Events, pages and orders belong to one version, and the events are all there."""
    row = hall.row(competition)
    rows = hall.all("SELECT number, kind, body FROM competition_events WHERE competition_id = %s ORDER BY number", competition)
    state = folded(DUELS, None, rows)
    paired = sum(len(one) for one in state.rounds)
    ordered = hall.one("SELECT count(*) AS n FROM competition_matches WHERE competition_id = %s", competition)["n"]
    return row["version"] == row["pages_version"] == len(rows) == state.version and paired == ordered


@rule("LG-802", "LG-1021")
def test_a_fresh_process_knows_the_same(hall: Hall, office: Office):
    competition = hall.made(office)
    hall.field(competition, office, 5)
    play(hall, office, competition)
    other = Office(hall.settings, KINDS)
    assert other._state(hall.row(competition)) == office._state(hall.row(competition))
    other.database.close()
    assert hall.events(competition)[-1] == "finished"
    assert [line["points"] for line in hall.page(competition, "standing/1")["lines"]] == ["4", "3", "2", "1", "0"]


@rule("LG-804")
def test_a_page_can_be_read_as_it_was_at_a_version(hall: Hall, office: Office):
    competition = hall.made(office)
    hall.field(competition, office, 3)
    play(hall, office, competition)
    begun = hall.events(competition).index("paired") + 1
    asked = hall.act(competition, "page_at", {"name": "standing/1", "version": begun})
    beyond = hall.act(competition, "page_at", {"name": "standing/1", "version": 999})
    version = hall.row(competition)["version"]
    office.drain(competition)
    assert [line["points"] for line in hall.outcome(asked)["answer"][0]["body"]["lines"]] == ["0", "0", "0"]
    assert hall.outcome(beyond)["code"] == "malformed"
    assert hall.row(competition)["version"] == version


def test_a_fault_of_the_rules_stops_one_act_of_somebody_and_nothing_else(hall: Hall, office: Office):
    competition = hall.made(office)
    failed = hall.act(competition, "fail")
    after = hall.act(competition, "enter", by=hall.account("ada"))
    office.drain(competition)
    assert (hall.outcome(failed)["code"], hall.outcome(after)["state"]) == ("internal", "done")


@rule("LG-1035")
def test_a_fault_of_the_league_holds_up_one_competition_until_it_is_mended(hall: Hall, office: Office):
    broken, sound = hall.made(office, broken=True), hall.made(office)
    for competition in (broken, sound):
        hall.field(competition, office, 3)
        play(hall, office, competition)
    assert hall.events(sound)[-1] == "finished"
    row = hall.row(broken)
    assert row["fault"] == "advance: ZeroDivisionError: a fault of the rules"
    assert hall.events(broken)[-1] == "paired"
    waiting = hall.one("SELECT count(*) AS n FROM competition_acts WHERE competition_id = %s AND state = 'waiting'", broken)["n"]
    assert waiting > 0
    mended = Office(hall.settings, {"tournament": DUELS._replace(advance=lambda state, scene: DUELS.advance(
        state if not state.settings else _sound(state), scene))})
    hall.do("UPDATE competitions SET due_at = clock_timestamp()")
    play(hall, mended, broken)
    mended.database.close()
    assert (hall.events(broken)[-1], hall.row(broken)["fault"]) == ("finished", None)


def _sound(state):
    return replace(state, settings={**state.settings, "broken": False})


@rule("LG-213", "LG-179")
def test_orders_to_matches_go_out_once_and_unmade_ones_are_never_made(hall: Hall, office: Office):
    hall.do("DELETE FROM seed_list WHERE number > 1")
    competition = hall.made(office)
    hall.field(competition, office, 4)
    ordered = [row["match_id"] for row in hall.all("SELECT match_id FROM competition_matches ORDER BY pairing")]
    for match in ordered:
        hall.act(competition, "void", {"match": match, "reason": "a wrong field"})
    settle(office)
    assert [(row["match_id"], row["kind"]) for row in hall.all("SELECT match_id, kind FROM inbox ORDER BY match_id, arrival")] == [
        (ordered[0], "start"), (ordered[0], "order")]
    assert json.loads(hall.one("SELECT body FROM inbox WHERE kind = 'order'")["body"])["kind"] == "void"
    hall.do("INSERT INTO seed_list (number, commitment) VALUES (900, 'c900'), (901, 'c901'), (902, 'c902')")
    settle(office)
    made = hall.all("SELECT match_id, stopped_at FROM competition_matches WHERE event <= 8 ORDER BY pairing")
    assert [row["stopped_at"] is None for row in made] == [True, False]
    assert hall.one("SELECT count(*) AS n FROM matches WHERE match_id = %s", ordered[1])["n"] == 0


@rule("LG-130")
def test_a_competition_on_hold_stands_still(hall: Hall, office: Office):
    competition = hall.made(office)
    hall.do("UPDATE competitions SET held = true")
    act = hall.act(competition, "enter", by=hall.account("ada"))
    settle(office)
    assert hall.outcome(act)["state"] == "waiting"
    hall.do("UPDATE competitions SET held = false")
    settle(office)
    assert hall.outcome(act)["state"] == "done"


@rule("LG-1032", "LG-805")
def test_pages_of_a_large_field_are_written_once_a_second_and_at_milestones(hall: Hall, office: Office, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("services.league.inbox.office.LARGE", 3)
    seen: list[bool] = []
    kind = office.kinds["tournament"]
    office.kinds = {"tournament": kind._replace(pages=lambda state, since, scene: seen.append(scene.whole) or kind.pages(state, since, scene))}
    competition = hall.made(office)
    hall.field(competition, office, 4)
    assert hall.row(competition)["pages_version"] == hall.row(competition)["version"]     # a round was published
    first, second = hall.open_matches(competition)
    hall.finish(first)
    settle(office)
    behind = hall.row(competition)
    assert behind["pages_version"] < behind["version"]
    hall.do("UPDATE competitions SET pages_at = clock_timestamp() - interval '2 seconds'")
    settle(office)
    assert hall.row(competition)["pages_version"] == behind["version"]
    hall.finish(second)
    settle(office)
    after = hall.row(competition)
    assert after["pages_version"] == after["version"] > behind["version"]
    assert all(seen)
    monkeypatch.setattr("services.league.inbox.office.HUGE", 3)
    hall.finish(hall.open_matches(competition)[0])
    settle(office)
    part = hall.row(competition)
    assert (seen[-1], part["pages_version"] < part["version"]) == (False, True)
    assert hall.page(competition, "head")["version"] == part["version"]         # what is quickly made is there at once


@rule("LG-102", "PL-815", "LG-254")
def test_what_each_role_must_not_do_is_denied(hall: Hall, office: Office):
    hall.made(office)
    denied = {
        "gateway": ("SELECT seed FROM competitions", "UPDATE competitions SET version = 9", "INSERT INTO competition_events DEFAULT VALUES",
                    "UPDATE competition_acts SET state = 'done'", "UPDATE competition_pages SET body = ''", "SELECT make_matches('t', 1)",
                    "DELETE FROM organisation_audit", "UPDATE ratings SET mu = 99"),
        "stream": ("SELECT seed FROM competitions", "SELECT * FROM competition_acts", "SELECT * FROM competition_pages"),
        "league": ("SELECT * FROM match_states", "INSERT INTO matches (match_id) VALUES ('m')", "UPDATE officials SET role = 'referee'",
                   "INSERT INTO competitions (competition_id) VALUES ('t')")}
    for role, statements in denied.items():
        with psycopg.connect(hall.settings.database_of(role), autocommit=True) as connection:
            for statement in statements:
                with pytest.raises(psycopg.errors.InsufficientPrivilege):
                    connection.execute(statement)
