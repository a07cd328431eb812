"""Who may set up webhooks, is a secret shown once, and do owners see what has not arrived?"""

from __future__ import annotations

import base64
from collections.abc import Iterator
from typing import get_args

import pytest
from standardwebhooks.webhooks import Webhook

from services.gateway.competitions.hooks import KINDS, TYPES
from services.league.championship.events import AnyEvent as OfChampionships
from services.league.inbox.office import Office
from services.league.season.events import AnyEvent as OfSeasons
from services.league.tournament.events import EVENTS, HIDDEN
from tests.league.hooks.conftest import Post
from tests.league.hooks.receiver import Receiver
from tests.league.hooks.test_deliveries import signed_by
from tests.league.inbox.api import Api, code
from tests.league.inbox.conftest import ORG, Hall
from tests.ledger import rule

HOOKS = f"/organisations/{ORG}/hooks"


@pytest.fixture
def api(hall: Hall) -> Iterator[Api]:
    api = Api(hall, league=False)
    yield api
    api.close()


@pytest.fixture
def ada(api: Api) -> str:
    return api.token("ada", "webhook:manage")


def key_of(shown: str) -> bytes:
    return base64.b64decode(shown.removeprefix("whsec_"))


@rule("PL-591", "LG-1013")
def test_the_types_are_the_kinds_of_events_that_everybody_may_read():
    told = {"tournament": set(EVENTS) - HIDDEN, "championship": {one.__struct_config__.tag for one in get_args(OfChampionships)},
            "season": {one.__struct_config__.tag for one in get_args(OfSeasons)}}
    assert {kind: set(events.split()) for kind, events in KINDS.items()} == told
    assert "tournament.round_drafted" not in TYPES


@rule("LG-126", "LG-1013", "PL-591", "PL-592", "PL-817")
def test_a_webhook_is_made_by_officials_and_its_secret_is_shown_once(api: Api, ada: str, hall: Hall, receiver: Receiver):
    wish = {"address": receiver.url, "types": ["tournament.created"], "description": "our site"}
    assert code(api.call("POST", HOOKS, None, wish)) == (401, "not_signed_in")
    assert code(api.call("POST", HOOKS, api.token("ada", "league:run"), wish)) == (403, "scope_missing")
    assert code(api.call("POST", HOOKS, api.token("cy", "webhook:manage"), wish)) == (403, "not_allowed")
    assert code(api.call("POST", "/organisations/o-none/hooks", ada, wish)) == (404, "not_found")
    made = api.call("POST", HOOKS, ada, wish, **{"Idempotency-Key": "once"})
    assert made.status_code == 201, made.json
    assert code(api.call("POST", HOOKS, ada, wish, **{"Idempotency-Key": "once"})) == (409, "secret_shown_once")
    assert len(key_of(made.json["secret"])) == 32
    stored = bytes(hall.one("SELECT secret FROM hooks")["secret"])
    assert key_of(made.json["secret"]) not in stored
    [told] = api.call("GET", HOOKS, api.token("bo", "webhook:manage")).json["items"]
    assert (told["hook"], told["address"], told["types"], told["state"], told["undelivered"]) == (
        made.json["hook"], receiver.url, ["tournament.created"], "active", [])
    assert "secret" not in told
    acts = [one["entry"] for one in hall.all("SELECT entry FROM organisation_audit")]
    assert "make_hook" in acts[-1]
    assert receiver.url not in acts[-1]


@rule("PL-591", "PL-601", "PL-671")
def test_unknown_types_and_addresses_that_are_never_called_are_refused(api: Api, ada: str, hall: Hall):
    answer = api.call("POST", HOOKS, ada, {"address": "ftp://example.org", "types": ["tournament.created", "tournament.round_drafted", "match.step"]})
    assert code(answer) == (422, "bad_setting")
    assert [one["pointer"] for one in answer.json["errors"]] == ["/types/1", "/types/2", "/address"]
    assert hall.all("SELECT * FROM hooks") == []
    for number in range(20):
        assert api.call("POST", HOOKS, ada, {"address": f"https://example.org/{number}"}).status_code == 201
    assert code(api.call("POST", HOOKS, ada, {"address": "https://example.org/x"})) == (403, "quota")


@rule("PL-592")
def test_for_a_day_after_a_change_both_secrets_sign(api: Api, ada: str, hall: Hall, post: Post, office: Office, receiver: Receiver):
    made = api.call("POST", HOOKS, ada, {"address": receiver.url}).json
    new = api.call("POST", f"{HOOKS}/{made['hook']}/secret", ada).json
    assert new["secret"] != made["secret"]
    hall.made(office)
    post.all()
    [got] = receiver.got
    for secret in (made["secret"], new["secret"]):
        assert signed_by(got, key_of(secret))
        assert Webhook(secret).verify(got.body, dict(got.headers)) == got.facts         # somebody else's program agrees
    hall.do("UPDATE hooks SET old_until = clock_timestamp()")
    hall.made(office)
    post.all()
    assert not signed_by(receiver.got[-1], key_of(made["secret"]))
    assert signed_by(receiver.got[-1], key_of(new["secret"]))


@rule("LG-1015", "PL-598")
def test_owners_see_the_first_undelivered_event_resume_and_replay(api: Api, ada: str, hall: Hall, post: Post, office: Office, receiver: Receiver):
    hook = f"{HOOKS}/{api.call('POST', HOOKS, ada, {'address': receiver.url}).json['hook']}"
    tournament = hall.made(office)
    hall.field(tournament, office, 2)
    public = [number for number, kind in enumerate(hall.events(tournament), start=1) if kind != "drafted"]
    receiver.answers = [204, *[500] * 8]
    post.all()
    told = api.call("GET", hook, ada).json
    assert (told["state"], told["why"], told["undelivered"]) == ("paused", "attempts", [{"competition": tournament, "event": 2, "waiting": len(public) - 1}])
    assert api.call("PATCH", hook, ada, {"paused": False}).json["state"] == "active"
    post.all()
    assert [got.event for got in receiver.got if got.headers["cupboard-attempt"] in {"1", "9"}] == [1, 2, *public[1:]]
    receiver.got.clear()
    assert api.call("POST", f"{hook}/replays", ada, {"competition": tournament, "event": 3}).json["waiting"] == len(public) - 2
    post.all()
    assert receiver.events == public[2:]
    for competition, event in ((tournament, 300), ("t-none", 1)):
        assert code(api.call("POST", f"{hook}/replays", ada, {"competition": competition, "event": event})) == (422, "bad_setting")
    sent = api.call("GET", f"{hook}/deliveries?limit=2&state=done", ada).json
    assert [one["event"] for one in sent["items"]] == public[:-3:-1]
    assert api.call("GET", f"{hook}/deliveries?limit=2&state=done&cursor={sent['next']}", ada).json["items"][0]["event"] == public[-3]


@rule("PL-591", "PL-598", "LG-1015")
def test_a_webhook_is_tried_paused_changed_and_removed(api: Api, ada: str, hall: Hall, post: Post, office: Office, receiver: Receiver):
    name = api.call("POST", HOOKS, ada, {"address": f"{receiver.url}/old"}).json["hook"]
    hook = f"{HOOKS}/{name}"
    tried = api.call("POST", f"{hook}/test", ada)
    assert tried.status_code == 202
    post.all()
    [got] = receiver.got
    assert (got.facts["type"], got.facts["data"], got.headers["webhook-id"]) == ("endpoint.test", {"hook": name}, tried.json["delivery"])
    assert api.call("PATCH", hook, ada, {"paused": True, "address": f"{receiver.url}/new", "types": ["tournament.entered"]}).json["why"] == "owner"
    tournament = hall.made(office)
    hall.field(tournament, office, 2)
    post.all()
    assert len(receiver.got) == 1
    api.call("PATCH", hook, ada, {"paused": False})
    post.all()
    assert [(got.path, got.facts["type"]) for got in receiver.got[1:]] == [("/new", "tournament.entered")] * 2
    assert api.call("DELETE", hook, ada).status_code == 204
    assert code(api.call("GET", hook, ada)) == (404, "not_found")
    hall.made(office)
    assert post.deliveries(name) == []
    assert bytes(post.row(name)["secret"]) == b""
