"""What is written when a match ends, and what of it may be shown: results, records, proofs, the audience's count."""

import hashlib
import json
from dataclasses import replace

import msgspec
import pytest

from shared.kernel.dice import Dice, commitment, match_key, step_dice
from shared.runtime.worker import Worker
from tests.invariants import look_at
from tests.laws.pebbles.commands import Cheer, NameHeap
from tests.laws.pebbles.game import GAME
from tests.ledger import rule
from tests.turn.test_pipeline import DONE, HIDE, REST


def lines_of(hall, match: str) -> list[dict]:
    return [json.loads(line) for line in hall.one("SELECT record FROM records WHERE match_id = %s", match)["record"].splitlines()]


@pytest.fixture
def match(hall, worker) -> str:
    match = hall.match(2, options={"rounds": 1}, clock={"preset": "quick"})
    worker.look()
    return match


def played(hall, worker, match: str) -> None:
    """To the end of its one round; seat 0 names nothing, seat 1 names its heap."""
    hall.post(match, 1, 1, {"do": "name_heap", "name": "Beck"})
    worker.look()
    hall.post(match, 0, 1, {"do": "throw", "dice": 2})
    worker.look()
    hall.post(match, 1, 3, REST)
    worker.look()
    for seat in (0, 1):
        hall.post(match, seat, 4, HIDE)
    worker.look()
    hall.own(match, "order", body={"kind": "advance", "by": "host"})
    worker.look()


@rule("PL-249", "PL-250", "PL-331")
def test_the_result_is_written_with_the_last_step(settings, hall, worker, match):
    played(hall, worker, match)
    result, (step, *_) = hall.one("SELECT * FROM results"), hall.steps(match)[::-1]
    assert (result["match_id"], result["step"], result["voided_at"]) == (match, step["step"], None)
    seats = hall.all("SELECT r.seat, r.place, r.how, r.account_id = s.account_id AS own FROM result_seats r JOIN seats s USING (match_id, seat) ORDER BY seat")
    assert [(row["seat"], row["how"], row["own"]) for row in seats] == [(0, "played", True), (1, "played", True)]
    assert [row["topic"] for row in hall.all("SELECT topic FROM outbox ORDER BY number")] == ["match.started", "match.finished"]
    assert hall.state(match) == "finished"
    assert hall.all("SELECT FROM asks") == hall.all("SELECT FROM timers") == []


@rule("PL-251", "EX-39")
def test_several_ends_make_one_result(hall, worker, match):
    for seat in (1, 0):
        hall.post(match, seat, None, {}, kind="resign")
    hall.own(match, "order", body={"kind": "disqualify", "by": "referee", "target": 0})
    worker.look()
    assert hall.outcomes(match)[1:] == [DONE, ("refused", "match_over"), ("refused", "wrong_state")]
    assert [(row["seat"], row["place"], row["how"]) for row in hall.all("SELECT * FROM result_seats ORDER BY seat")] == [(0, 1, "played"), (1, 2, "resigned")]
    assert [row["how"] for row in hall.all("SELECT how FROM seats WHERE match_id = %s ORDER BY seat", match)] == [None, "resigned"]
    assert hall.one("SELECT count(*) AS told FROM outbox WHERE topic = 'match.finished'")["told"] == 1


@rule("PL-248", "PL-258")
def test_a_voided_result_is_withdrawn_and_told_once(hall, worker, match):
    hall.post(match, 1, None, {}, kind="resign")
    worker.look()
    for _ in range(2):
        hall.own(match, "order", body={"kind": "void", "by": "referee", "reason": "a bug"})
    worker.look()
    assert hall.state(match) == "voided"
    assert hall.one("SELECT voided_at IS NOT NULL AS gone FROM results")["gone"]
    assert hall.one("SELECT count(*) AS told FROM outbox WHERE topic = 'match.voided'")["told"] == 1


@rule("PL-247", "PL-249")
def test_an_aborted_match_has_no_result(hall, worker, match):
    hall.post(match, 0, None, {"kind": "abort", "answer": "propose"}, kind="proposal")
    hall.post(match, 1, None, {"kind": "abort", "answer": "yes"}, kind="proposal")
    worker.look()
    assert hall.state(match) == "aborted"
    assert hall.all("SELECT FROM results") == []


@rule("PL-252")
def test_a_result_is_addressed_by_its_match_alone(hall, worker, match):
    accounts = [row["account_id"] for row in hall.all("SELECT account_id FROM seats WHERE match_id = %s ORDER BY seat", match)]
    again = hall.match(2, options={"rounds": 1})
    for seat, account in enumerate(accounts):
        hall.connection.execute("UPDATE seats SET account_id = %s WHERE match_id = %s AND seat = %s", (account, again, seat))
    worker.look()
    hall.post(match, 1, None, {}, kind="resign")
    worker.look()
    assert hall.state(again) == "running"
    assert [row["match_id"] for row in hall.all("SELECT match_id FROM results")] == [match]


# Record and proof -------------------------------------------------------------------------------------------------------


@rule("PL-411", "PL-417", "PL-623")
def test_the_record_holds_every_step_and_its_chain(hall, worker, match):
    played(hall, worker, match)
    opening, *steps, end = lines_of(hall, match)
    assert [line["step"] for line in steps] == [step["step"] for step in hall.steps(match)]
    chain = ""
    for line in steps:
        salt = bytes.fromhex(line["salt"])
        told = json.dumps(line["command"]).encode()
        command = msgspec.json.encode(GAME.read_command(told)) if line["kind"] in {"command", "timeout"} else told.replace(b" ", b"")
        assert hashlib.sha256(salt + command).hexdigest() == line["command_hash"]
        parts = chain, str(line["step"]), line["command_hash"], line["events_hash"], line["state_hash"]
        chain = hashlib.sha256("|".join(parts).encode()).hexdigest()
        assert chain == line["chain"]
    assert end["chain"] == chain
    assert [seat["place"] for seat in end["result"]]
    assert opening["state"] == "finished"


@rule("PL-622", "PL-612", "PL-615", "PL-616", "EX-35")
def test_commitment_key_and_every_draw_can_be_computed_again(hall, worker, match):
    played(hall, worker, match)
    proof = hall.one("SELECT proof FROM records")["proof"]
    seed = bytes.fromhex(proof["seed"])
    assert commitment(proof["seed_number"], seed) == hall.one("SELECT commitment FROM seed_list")["commitment"]
    key = match_key(seed, match, "pebbles", 1, GAME.pack_hash, proof["contributions"])
    assert key.hex() == proof["key"]
    for line in proof["steps"]:
        dice: Dice = step_dice(key, line["step"])
        assert [[n, dice.below(n)] for n, _ in line["draws"]] == line["draws"]
    assert sum(len(line["draws"]) for line in proof["steps"]) > 10


@rule("PL-621", "PL-385", "PL-620")
def test_nothing_of_seed_key_or_state_hash_is_told_while_a_match_runs(settings, hall, worker, match):
    hall.post(match, 0, 1, {"do": "throw", "dice": 3})
    worker.look()
    assert hall.all("SELECT FROM records") == []
    told = " ".join(row["text"] for row in hall.all(
        "SELECT array_to_string(bodies, ' ') AS text FROM letters UNION ALL SELECT array_to_string(bodies || texts, ' ') FROM views "
        "UNION ALL SELECT body FROM asks UNION ALL SELECT body::text FROM outbox"))
    for step in hall.steps(match):
        for secret in (step["state_hash"], step["chain"], step["salt"]):
            assert bytes(secret).hex() not in told
    state = json.loads(hall.one("SELECT match FROM match_states")["match"])["state"]
    assert json.dumps(state["bag"], separators=(",", ":")) not in told
    sealed = bytes(hall.one("SELECT seed FROM seeds")["seed"])
    assert len(sealed) > 32 + 12


@rule("PL-383", "PL-381")
def test_each_reader_gets_a_letter_of_its_own(hall, worker, match):
    letter = hall.one("SELECT bodies FROM letters WHERE step = 1")["bodies"]
    learned = [[event for event in json.loads(body)["events"] if event["what"] == "number_learned"] for body in letter]
    assert [[event["number"] is not None for event in events] for events in learned] == [[False, False], [True, False], [False, True]]
    assert [json.loads(body)["ask"] is not None for body in letter] == [False, True, True]


@rule("PL-381", "PL-417")
def test_letters_without_masks_are_read_only_once_the_match_has_ended(hall, worker, match):
    assert hall.all("SELECT * FROM opened(%s, 0, 100)", match) == []
    played(hall, worker, match)
    assert [row["step"] for row in hall.all("SELECT * FROM opened(%s, 0, 100)", match)] == [step["step"] for step in hall.steps(match)]


@rule("PL-497", "PL-351")
def test_letters_tell_due_time_and_bank_and_nobody_has_to_guess(hall, worker, match):
    letter = json.loads(hall.one("SELECT bodies FROM letters WHERE step = 1")["bodies"][1])
    assert letter["ask"]["due_at"] == letter["clocks"]["seats"][0]["due_at"]
    assert letter["clocks"]["seats"] == [{"seat": 0, "bank_ms": 0, "due_at": letter["ask"]["due_at"]}, {"seat": 1, "bank_ms": 0, "due_at": None}]
    assert letter["ask"]["on_timeout"] == {"do": "rest"}


@rule("EX-38", "PL-390")
def test_what_stays_secret_is_a_salted_hash_in_the_record(hall, worker, match, monkeypatch):
    monkeypatch.setattr(NameHeap, "secret", True)
    played(hall, worker, match)
    _, *steps, _ = lines_of(hall, match)
    secret = [line for line in steps if line["command"] is None]
    assert [(line["seat"], line["ask"], line["salt"]) for line in secret] == [(None, None, None)]
    assert all(line["salt"] is None for line in steps)
    assert "Beck" not in json.dumps([line["command"] for line in steps])
    stored = hall.steps(match)[secret[0]["step"] - 1]
    assert hashlib.sha256(bytes(stored["salt"]) + stored["command"].encode()).hexdigest() == secret[0]["command_hash"]


@rule("PL-412", "PL-413", "PL-414")
@pytest.mark.parametrize("change", [
    "UPDATE steps SET events = replace(events, '\"dice\"', '\"dices\"') || ' ' WHERE step = 3",
    "UPDATE steps SET command = '{\"do\":\"rest\"}' WHERE step = 3",
    "UPDATE steps SET chain = '\\x00' WHERE step = 2",
    "UPDATE match_states SET match = replace(match, 'Beck', 'Bach')",
    "UPDATE views SET bodies[1] = bodies[2]",
    "UPDATE letters SET bodies[1] = bodies[2] WHERE step = 1",
    "DELETE FROM letters WHERE step = 2",
    "UPDATE inbox SET arrival = 90 WHERE arrival = 5",
    "UPDATE inbox SET outcome = NULL WHERE arrival = 3",
    "DELETE FROM result_seats; DELETE FROM results",
    "UPDATE result_seats SET place = 3 - place, score = 7",
    "INSERT INTO outbox (match_id, step, topic, body) SELECT match_id, 9, 'match.finished', '{}' FROM matches",
])
def test_the_checker_sees_every_change(settings, hall, worker, match, change):
    played(hall, worker, match)
    assert look_at(settings, [GAME])[1] == []
    with hall.connection.transaction():
        tables = ("steps", "match_states", "views", "letters", "inbox", "result_seats", "results", "outbox")
        for table in tables:
            hall.connection.execute(f"CREATE TABLE kept_{table} AS SELECT * FROM {table}")
    for statement in change.split(";"):
        hall.connection.execute(statement)
    assert look_at(settings, [GAME])[1] != []
    for table in ("result_seats", *tables):
        hall.connection.execute(f"DELETE FROM {table}")
    for table in (*tables[:5], "results", "result_seats"):
        hall.connection.execute(f"INSERT INTO {table} SELECT * FROM kept_{table}")
    hall.connection.execute("INSERT INTO outbox (match_id, step, topic, body) SELECT match_id, step, topic, body FROM kept_outbox ORDER BY number")


# The audience --------------------------------------------------------------------------------------------------------------


def answer(hall, match: str, member: str, text: str) -> str:
    return hall.one("SELECT store_answer(%s, 'cheer', %s, %s) AS code", match, member, text)["code"]


@rule("EX-37", "PL-567", "PL-566", "PL-103")
def test_stored_answers_are_counted_once_in_the_step_that_closes_the_question(settings, hall):
    totals = []

    def counted(state, found):
        totals.append(dict(found))
        return Cheer(int(max(found, key=found.get)))

    worker = Worker(replace(GAME, counted=counted), settings)
    match = hall.match(2, options={"rounds": 1, "crowd": True})
    worker.look()
    for seat, ask in ((0, 1), (1, 2)):
        hall.post(match, seat, ask, REST)
        worker.look()
    assert answer(hall, match, "m0", "1") == "closed"
    for seat in (0, 1):
        hall.post(match, seat, 3, HIDE)
    worker.look()
    for number in range(41):
        assert answer(hall, match, f"m{number}", "1" if number < 20 else "0") == ""
    for number in (20, 21, 22):
        answer(hall, match, f"m{number}", "1")
    for number in range(5):
        assert answer(hall, match, f"m{number}", "1") == ""
    assert answer(hall, match, "m1", "7") == "not_a_choice"
    for number in range(41, 50):
        assert answer(hall, match, f"m{number}", "0") == ""
        hall.connection.execute("INSERT INTO audience_members (match_id, member, left_at) VALUES (%s, %s, now())", (match, f"m{number}"))
    hall.own(match, "order", body={"kind": "advance", "by": "host"})
    worker.look()
    worker.look()
    assert totals == [{"1": 23, "0": 18}]
    assert [step["command"] for step in hall.steps(match) if step["kind"] == "count"] == ['{"do":"cheer","heap":1}']
    assert answer(hall, match, "m2", "0") == "closed"
    worker.database.close()
