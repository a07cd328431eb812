"""After a backup was restored: does everything that is sent again say that it was sent before?"""

from __future__ import annotations

from services.league.inbox.office import Office
from tests.league.hooks.conftest import Post
from tests.league.hooks.receiver import Receiver
from tests.league.inbox.conftest import Hall, settle
from tests.ledger import rule

KEPT = ("hook_deliveries", "hook_lines")


def backed_up(hall: Hall) -> None:
    for table in KEPT:
        hall.do(f"CREATE TABLE kept_{table} AS TABLE {table}")


def restored(hall: Hall) -> None:
    for table in KEPT:
        hall.do(f"DELETE FROM {table}")
        hall.do(f"INSERT INTO {table} SELECT * FROM kept_{table}")


def public(hall: Hall, tournament: str) -> list[int]:
    """The events that endpoints are told of."""
    rows = hall.all("SELECT number FROM competition_events WHERE competition_id = %s AND NOT hidden ORDER BY number", tournament)
    return [row["number"] for row in rows]


@rule("LG-1045")
def test_nothing_is_sent_twice_that_its_receiver_cannot_recognise(hall: Hall, office: Office, post: Post, receiver: Receiver):
    post.hook(receiver)
    tournament = hall.made(office)
    hall.field(tournament, office, 3)
    backed_up(hall)
    post.all()
    sent = {got.headers["webhook-id"]: (got.event, got.body) for got in receiver.got}
    assert [number for number, _ in sent.values()] == public(hall, tournament)

    restored(hall)
    receiver.got.clear()
    post.all()
    again = {got.headers["webhook-id"]: (got.event, got.body) for got in receiver.got}
    assert again == sent, "whoever remembers ids has everything once"

    for match in hall.open_matches(tournament):
        hall.finish(match)
    settle(office)
    post.all()
    later = [got for got in receiver.got if got.headers["webhook-id"] not in sent]
    assert [got.event for got in later] == public(hall, tournament)[len(sent):]
    assert later
