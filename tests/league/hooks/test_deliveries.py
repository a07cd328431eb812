"""Does every event reach every endpoint that wants it: once it was committed, in order, with the same bytes however often?"""

from __future__ import annotations

import base64
import hmac
import os
import signal
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path

import psycopg
import pytest

from services.league.inbox.office import Office
from services.relay import line
from services.relay.calling import Reply
from services.relay.signing import signature
from services.relay.tasks import Relay
from shared.runtime.settings import environment_name
from tests.league.hooks.conftest import AT_ONCE, SECRET, Post
from tests.league.hooks.receiver import Got, Receiver
from tests.league.inbox.conftest import Hall, play
from tests.ledger import rule

EX_33 = (b'{"type":"match.finished","timestamp":"2027-02-03T10:15:30Z","data":{"match":"m-demo-1","step":58}}',
         base64.b64decode("QEFCQ0RFRkdISUpLTE1OT1BRUlNUVVZXWFlaW1xdXl8="))


def signed_by(got: Got, secret: bytes) -> bool:
    text = f"{got.headers['webhook-id']}.{got.headers['webhook-timestamp']}.".encode() + got.body
    wanted = "v1," + base64.b64encode(hmac.digest(secret, text, "sha256")).decode()
    return wanted in got.headers["webhook-signature"].split(" ")


def later(hall: Hall) -> None:
    """Every line is due now, whatever it waits for."""
    hall.do("UPDATE hook_lines SET due_at = clock_timestamp() WHERE due_at IS NOT NULL")


@rule("PL-592", "EX-33")
def test_a_signature_is_that_of_the_ledger():
    body, secret = EX_33
    assert signature("msg_4tq9", body, secret, 1801649735) == "v1,EiZJ7n3YC1TNsC/Mpt7APffeDbHkWbAxltYOHRckqSw="
    assert signature("msg_4tq9", body, secret, 1801650035) == "v1,0EwBJ+/8+WY4oOzft2eHHtZeWt4JYETfYj/fA9iRzEg="


@rule("LG-1011", "LG-1013", "LG-1014", "PL-594", "PL-595", "LG-145", "PL-106")
def test_a_whole_tournament_arrives_in_order_with_its_numbers_and_nothing_hidden(hall: Hall, office: Office, post: Post, receiver: Receiver):
    post.hook(receiver)
    tournament = hall.made(office)
    accounts = hall.field(tournament, office, 3)
    play(hall, office, tournament)
    post.all()
    kinds = hall.events(tournament)
    public = [number for number, kind in enumerate(kinds, start=1) if kind != "drafted"]
    assert "drafted" in kinds
    assert receiver.events == public
    assert [got.facts["type"] for got in receiver.got] == [f"tournament.{kind}" for kind in kinds if kind != "drafted"]
    second = receiver.got[1]
    assert second.body.decode() == ('{"type":"tournament.entered","timestamp":"' + second.facts["timestamp"] + '","data":{"tournament":"' + tournament
                                    + '","organisation":"o-1","event":2,"account":"' + accounts[0] + '"}}')
    assert max(len(got.body) for got in receiver.got) < 20_000
    assert all(signed_by(got, SECRET) for got in receiver.got)
    assert len({got.headers["webhook-id"] for got in receiver.got}) == len(public)
    assert {one["state"] for one in post.deliveries()} == {"done"}


@rule("PL-591")
def test_an_endpoint_is_told_what_it_asked_for(hall: Hall, office: Office, post: Post, receiver: Receiver):
    post.hook(receiver, ["tournament.entered", "tournament.finished", "season.created"])
    tournament = hall.made(office)
    hall.field(tournament, office, 2)
    play(hall, office, tournament)
    post.all()
    assert [got.facts["type"].partition(".")[2] for got in receiver.got] == ["entered", "entered", "finished"]


@rule("LG-1013", "LG-1014", "PL-593", "PL-595", "PL-597")
def test_a_failed_delivery_holds_up_its_own_tournament_and_comes_again_as_the_same_bytes(hall: Hall, office: Office, post: Post, receiver: Receiver):
    post.hook(receiver)
    tournament = hall.made(office)
    hall.account("ada")
    hall.act(tournament, "enter", by="ada")
    office.drain(tournament)
    receiver.answers = [502, 500]
    assert post.round(line.PAUSES) == 1
    assert post.round(line.PAUSES) == 0                 # the next try is later, and event 2 waits behind it
    other = hall.made(office)
    assert post.round(line.PAUSES) == 1
    assert receiver.got[-1].facts["data"]["tournament"] == other
    receiver.answers = []
    for _ in range(3):
        later(hall)
        post.round(line.PAUSES)
    mine = [got for got in receiver.got if got.facts["data"]["tournament"] == tournament]
    assert [got.event for got in mine] == [1, 1, 2]
    assert (mine[0].body, mine[0].headers["webhook-id"]) == (mine[1].body, mine[1].headers["webhook-id"])
    assert [got.headers["cupboard-attempt"] for got in mine] == ["1", "2", "1"]


@rule("PL-597")
def test_the_attempts_follow_the_schedule_with_a_tenth_at_most_added():
    hours = 3600.0
    for tries, usual in enumerate([5, 300, 1800, 2 * hours, 5 * hours, 10 * hours, 14 * hours, 20 * hours, 24 * hours], start=1):
        waits = {line.wait(tries, Reply(500, "status")) for _ in range(50)}
        assert usual <= min(waits)
        assert max(waits) <= 1.1 * usual
        assert len(waits) > 1


@rule("PL-596")
@pytest.mark.parametrize("case", [
    (503, {"Retry-After": "900"}, "status", 900), (429, {"Retry-After": "Fri, 01 Jan 2100 00:00:00 GMT"}, "status", 86_000), (500, {"Retry-After": "soon"}, "status", 5),
    (302, {"Location": "/elsewhere"}, "redirect", 5), (404, {}, "status", 5)])
def test_only_2xx_has_arrived_and_a_receiver_may_ask_for_time(hall: Hall, office: Office, post: Post, receiver: Receiver, case: tuple):
    status, headers, reason, least = case
    post.hook(receiver)
    hall.made(office)
    receiver.answers = [(status, headers)]
    post.round(line.PAUSES)
    [one] = post.deliveries()
    assert (one["state"], one["status"], one["reason"]) == ("waiting", status, reason)
    due = hall.one("SELECT extract(epoch FROM l.due_at - d.tried_at)::float AS wait FROM hook_lines l JOIN hook_deliveries d USING (hook_id)")
    assert due["wait"] >= least
    assert [got.path for got in receiver.got] == ["/hook"]          # followed nowhere


@rule("PL-596", "PL-598")
def test_a_receiver_that_is_gone_is_not_asked_again(hall: Hall, office: Office, post: Post, receiver: Receiver):
    post.hook(receiver)
    hall.made(office)
    receiver.answers = [410]
    post.all()
    assert (post.row()["state"], post.row()["why"], len(receiver.got)) == ("paused", "gone", 1)


@rule("LG-1015", "PL-598")
def test_after_eight_attempts_it_is_paused_and_goes_on_in_order_when_it_is_resumed(hall: Hall, office: Office, post: Post, receiver: Receiver):
    post.hook(receiver)
    tournament = hall.made(office)
    receiver.answers = [500] * 9
    post.all()
    assert (post.row()["state"], post.row()["why"], len(receiver.got)) == ("paused", "attempts", 8)
    hall.field(tournament, office, 2)
    post.all()
    assert len(receiver.got) == 8                       # kept, not sent
    [told] = hall.all("SELECT * FROM notices")
    assert (told["account_id"], told["kind"], told["facts"]["why"]) == ("host", "hook_paused", "attempts")
    assert hall.one("SELECT min(number) AS n FROM hook_deliveries WHERE state = 'waiting'")["n"] == 1
    receiver.answers = []
    hall.do("UPDATE hook_lines SET tries = 0, due_at = clock_timestamp()")
    hall.do("UPDATE hooks SET state = 'active', failures = 0")
    post.all()
    assert receiver.events[8:] == [number for number, kind in enumerate(hall.events(tournament), start=1) if kind != "drafted"]
    assert [got.headers["cupboard-attempt"] for got in receiver.got[:9]] == [str(number) for number in range(1, 10)]


@rule("PL-598")
def test_failures_in_a_row_over_all_competitions_pause_it_too(hall: Hall, office: Office, post: Post, receiver: Receiver):
    post.settings = replace(post.settings, webhook_pause_after=5)
    post.hook(receiver)
    for _ in range(5):
        hall.made(office)
    receiver.answers = [500, 500, 500, 204, *[500] * 20]
    post.all()
    assert (post.row()["state"], post.row()["why"], post.row()["failures"]) == ("paused", "failures", 5)
    assert len(receiver.got) == 9


@rule("LG-1015", "PL-593", "PL-598")
def test_a_replay_sends_the_same_bytes_from_any_event_on_even_if_they_were_put_away(hall: Hall, office: Office, post: Post, receiver: Receiver):
    post.hook(receiver)
    tournament = hall.made(office)
    hall.field(tournament, office, 3)
    post.all()
    first = {got.event: got for got in receiver.got}
    hall.do("UPDATE hook_deliveries SET done_at = done_at - interval '1 year'")
    line.tidy(post.database)
    assert post.deliveries() == []
    receiver.got.clear()
    assert hall.one("SELECT replay_hook('w-1', %s, 3) AS n", tournament)["n"] == len(first) - 2
    post.all()
    assert receiver.events == [number for number in first if number >= 3]
    assert all((got.body, got.headers["webhook-id"]) == (first[got.event].body, first[got.event].headers["webhook-id"]) for got in receiver.got)
    assert hall.one("SELECT replay_hook('w-1', %s, 300) AS n", tournament)["n"] is None


@rule("LG-1015")
def test_a_replay_leaves_out_what_waits_before_it(hall: Hall, office: Office, post: Post, receiver: Receiver):
    post.hook(receiver)
    tournament = hall.made(office)
    hall.field(tournament, office, 2)
    receiver.answers = [500]
    post.round(line.PAUSES)
    hall.one("SELECT replay_hook('w-1', %s, 2)", tournament)
    post.all()
    assert receiver.events[1:] == [number for number, kind in enumerate(hall.events(tournament), start=1) if kind != "drafted"][1:]
    assert [one["state"] for one in post.deliveries()][:2] == ["left_out", "done"]


@rule("PL-600", "LG-1014")
def test_two_relays_never_send_the_same_attempt_and_keep_the_order(hall: Hall, office: Office, post: Post, receiver: Receiver):
    post.hook(receiver)
    post.hook(receiver, name="w-2", path="/second")
    tournaments = [hall.made(office) for _ in range(4)]
    for tournament in tournaments:
        hall.field(tournament, office, 2)
    relays, stopping = [Relay(post.settings, AT_ONCE) for _ in range(2)], threading.Event()
    threads = [threading.Thread(target=relay.run, args=(stopping,)) for relay in relays]
    for thread in threads:
        thread.start()
    wanted = 2 * sum(1 for tournament in tournaments for kind in hall.events(tournament) if kind != "drafted")
    assert all(receiver.arrived.acquire(timeout=10) for _ in range(wanted))
    stopping.set()
    for thread in threads:
        thread.join(10)
    assert len(receiver.got) == wanted
    assert {got.headers["cupboard-attempt"] for got in receiver.got} == {"1"}
    for path in ("/hook", "/second"):
        for tournament in tournaments:
            events = [got.event for got in receiver.got if got.path == path and got.facts["data"]["tournament"] == tournament]
            assert events == sorted(set(events))


KILLED = """
import os, signal, threading
from services.relay import line
from services.relay.tasks import Relay
from shared.runtime.settings import read
line.mark = lambda *facts: os.kill(os.getpid(), signal.SIGKILL)
Relay(read(process="relay")).run(threading.Event())
"""


@rule("PL-600", "PL-593")
def test_a_relay_that_is_killed_between_sending_and_marking_sends_again_with_the_same_id(hall: Hall, office: Office, post: Post, receiver: Receiver):
    post.hook(receiver)
    hall.made(office)
    environ = {**os.environ, "CUPBOARD_LOCAL": "1", "CUPBOARD_WEBHOOK_LOCAL": "1", "DATABASE_URL": post.settings.database_url,
               "PYTHONPATH": str(Path(__file__).parents[3])}
    killed = subprocess.run([sys.executable, "-c", KILLED], env=environ, timeout=20, check=False, capture_output=True)
    assert killed.returncode == -signal.SIGKILL
    assert len(receiver.got) == 1
    assert post.round() == 0                            # its lease holds
    later(hall)
    [one] = post.take()
    later(hall)                                         # and one that is too slow may mark nothing any more
    [again] = post.take()
    assert not line.mark(post.database, post.settings, one, Reply(204))
    assert line.mark(post.database, post.settings, again, post.send(again))
    assert [got.headers["cupboard-attempt"] for got in receiver.got] == ["1", "3"]
    assert len({(got.headers["webhook-id"], got.body) for got in receiver.got}) == 1


@rule("PL-348", "PL-765", "PL-600")
def test_the_relay_of_an_installation_starts_sends_and_ends_when_asked(hall: Hall, office: Office, post: Post, receiver: Receiver):
    post.hook(receiver)
    tournament = hall.made(office)
    environ = {**os.environ, "CUPBOARD_LOCAL": "1", "CUPBOARD_WEBHOOK_LOCAL": "1", "DATABASE_URL": post.settings.database_url,
               environment_name("redis_url"): post.settings.redis_url}
    process = subprocess.Popen([sys.executable, "-m", "shared.desk.cli", "serve", "relay"], env=environ, cwd=Path(__file__).parents[3],
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        assert receiver.arrived.acquire(timeout=15)
    finally:
        process.send_signal(signal.SIGTERM)
    said = process.communicate(timeout=10)[0]
    assert (process.returncode, receiver.got[0].facts["data"]["tournament"]) == (0, tournament), said
    assert "msg_" not in said


@rule("PL-591", "LG-145")
def test_removing_an_endpoint_never_makes_an_act_fail(hall: Hall, office: Office, post: Post, receiver: Receiver):
    post.hook(receiver)
    tournament = hall.made(office)
    hall.do("UPDATE hooks SET state = 'removed', secret = ''")
    hall.field(tournament, office, 2)
    assert "begun" in hall.events(tournament)
    assert [one["number"] for one in post.deliveries()] == [1]
    assert post.round() == 0


@rule("PL-594", "LG-810")
def test_nothing_is_sent_before_onlookers_may_know_of_it(hall: Hall, office: Office, post: Post, receiver: Receiver):
    post.hook(receiver)
    tournament = hall.made(office)
    hall.field(tournament, office, 2)
    hall.do("UPDATE competitions SET shown_version = 2")
    post.all()
    assert receiver.events == [1, 2]
    assert hall.one("SELECT tries, due_at > clock_timestamp() AS later FROM hook_lines") == {"tries": 0, "later": True}
    hall.do("UPDATE competitions SET shown_version = NULL")
    later(hall)
    post.all()
    assert receiver.events == [number for number, kind in enumerate(hall.events(tournament), start=1) if kind != "drafted"]


@rule("PL-815")
def test_the_relay_may_do_nothing_else(post: Post):
    denied = ["SELECT * FROM competitions", "SELECT * FROM competition_events", "SELECT * FROM accounts", "SELECT * FROM notices",
              "UPDATE hooks SET address = ''", "UPDATE hook_deliveries SET body = ''", "INSERT INTO hooks (hook_id) VALUES ('x')"]
    with psycopg.connect(post.settings.database_of("relay"), autocommit=True) as connection:
        for statement in denied:
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(statement)
    with psycopg.connect(post.settings.database_of("gateway"), autocommit=True) as connection, pytest.raises(psycopg.errors.InsufficientPrivilege):
        connection.execute("SELECT secret FROM hooks")
