"""Does the API document say what the gateway does, and does every route keep out whom it should?"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings

from services.gateway.edge.document import spec
from services.gateway.edge.routes import Door, Routes
from services.gateway.problems import CODES, GENERAL
from services.gateway.rights import SCOPES, Caller, Thing, authorize
from tests.gateway.conftest import API, House, Player
from tests.ledger import rule

V1 = Path(__file__).with_name("v1.txt")
UNSAFE = {"post", "put", "patch", "delete"}


@pytest.fixture(scope="module")
def document(house: House) -> dict[str, Any]:
    with house.app.app_context():
        return spec(house.app)


def operations(document: dict[str, Any]) -> list[tuple[str, str, dict[str, Any]]]:
    return [(method, path, operation) for path, methods in document["paths"].items() for method, operation in methods.items() if method != "parameters"]


def body_of(operation: dict[str, Any]) -> dict[str, Any]:
    """What it says of its body: JSON, or a form where another standard asks for one."""
    return next(iter(operation.get("requestBody", {}).get("content", {}).values()), {})


@rule("PL-202")
def test_every_route_is_in_the_document_and_no_other(house: House, document: dict[str, Any]):
    def plain(path: str) -> str:
        return re.sub(r"<[^>]*?(\w+)>", r"{\1}", path)
    routes = {(method.lower(), plain(str(one))) for one in house.app.url_map.iter_rules() for method in one.methods
              if str(one).startswith(API) and method not in {"HEAD", "OPTIONS"}}
    assert {(method, path) for method, path, _ in operations(document)} == routes
    assert document["openapi"].startswith("3.1")


@rule("PL-202", "PL-174")
def test_every_operation_has_scopes_codes_examples_and_words(document: dict[str, Any]):
    for method, path, operation in operations(document):
        where = f"{method} {path}"
        assert set(operation["x-scopes"]) <= set(SCOPES), where
        assert set(GENERAL) <= set(operation["x-problem-codes"]) <= set(CODES), where
        assert operation.get("summary"), where
        assert operation["security"], where
        bodies = [content for status, answer in operation["responses"].items() if status < "300" for content in answer.get("content", {}).values()]
        assert all(content.get("example") is not None for content in bodies), where
        if "requestBody" in operation:
            assert body_of(operation).get("example") is not None, where
        assert bodies or {"204", "303", "307"} & operation["responses"].keys(), where
        keys = [one for one in operation.get("parameters", []) if one.get("name") == "Idempotency-Key"]
        exempt = path.endswith(("/sessions", "/sessions/{session}", "/sessions/codes", "/stream-tickets", "/oauth/token", "/oauth/revoke")) or "/me/second-factor" in path
        assert bool(keys) == (method in UNSAFE and not exempt), where


@rule("PL-202")
def test_examples_fit_their_schemas(document: dict[str, Any]):
    def validator(schema: dict[str, Any]) -> Any:
        return jsonschema_rs.Draft202012Validator({**schema, "components": document["components"]})
    for method, path, operation in operations(document):
        contents = [body_of(operation),
                    *(content for status, answer in operation["responses"].items() if status < "300" for content in answer.get("content", {}).values())]
        for content in filter(None, contents):
            if "schema" in content and "$ref" in content["schema"]:
                faults = [error.message for error in validator(content["schema"]).iter_errors(content["example"])]
                assert not faults, (method, path, faults)


@rule("PL-202")
def test_the_document_and_its_page_are_served_without_anything_from_elsewhere(house: House, document: dict[str, Any]):
    client = house.client()
    assert client.get("/openapi.json").json == document
    page = client.get("/docs").text
    for method, path, _ in operations(document):
        assert f'id="{method.upper()}{path}"' in page
    assert not re.search(r"(src|href)=\"(https?:)?//", page)
    assert client.get("/docs.css").mimetype == "text/css"


@rule("PL-219")
def test_within_v1_nothing_is_taken_away(document: dict[str, Any]):
    """v1.txt holds every operation with its fields as they were published; a line or a word of it that is missing breaks clients."""
    now = {line.split(" :: ")[0]: set(line.split(" :: ")[1].split()) for line in published(document)}
    for line in V1.read_text("utf-8").splitlines():
        operation, _, words = line.partition(" :: ")
        assert set(words.split()) <= now.get(operation, set()), f"{operation} lost {set(words.split()) - now.get(operation, set())}"


def published(document: dict[str, Any]) -> list[str]:
    """One line per operation: what it takes (<) and what it gives (>)."""
    lines = []
    for method, path, operation in operations(document):
        taken = fields(document, body_of(operation).get("schema", {}))
        taken += [one["name"] for one in operation.get("parameters", []) if one["in"] == "query"]
        given = [field for status, answer in operation["responses"].items() if status < "300"
                 for content in answer.get("content", {}).values() for field in fields(document, content.get("schema", {}))]
        words = [*(f"<{name}" for name in sorted(taken)), *(f">{name}" for name in sorted(set(given)))]
        lines.append(f"{method.upper()} {path} :: {' '.join(words)}")
    return sorted(lines)


def fields(document: dict[str, Any], schema: dict[str, Any]) -> list[str]:
    named = document["components"]["schemas"].get(schema.get("$ref", "").rpartition("/")[2], schema)
    items = named.get("properties", {}).get("items", {}).get("items")
    return fields(document, items) if items else list(named.get("properties", {}))


@rule("PL-111", "PL-624")
def test_the_document_prints_what_is_promised_and_what_is_not(document: dict[str, Any]):
    words = document["info"]["description"]
    for limit in ("on disk in Postgres", "synchronous standby", "fsync", "edits in the database", "does not know"):
        assert limit in words


@rule("PL-811")
def test_what_has_no_right_is_denied():
    with pytest.raises(Exception, match="not_allowed"):
        authorize(Caller("a-1", kind="person", roles=frozenset({"operator"})), "match.cheat", Thing())
    with pytest.raises(KeyError):
        Routes("x", "x").at("GET", "/x", Door("match.cheat"))


# What a route needs so that a role may get past its rights; everything else is told no.
ROLES = ("nobody", "stranger", "holder", "host", "bot", "service", "operator", "reader")
NOT_IN = {401, 403, 404}


@pytest.fixture(scope="module")
def cast(house: House) -> dict[str, Player]:
    host = house.player()
    return {"nobody": house.nobody(), "stranger": house.player(), "holder": house.player(), "host": host, "bot": house.player("bot", owner=host.id),
            "service": house.player("service"), "operator": house.player(roles=("operator",)), "reader": house.player(scopes=["league:read"])}


@rule("PL-811", "PL-218", "PL-156")
def test_every_route_with_every_role_on_a_private_match(house: House, document: dict[str, Any], cast: dict[str, Player]):
    """Nobody who is not in a private match learns of it by any route, whatever he sends."""
    private = house.match(cast["host"], start=False, visibility="private",
                          seats=[{"kind": "me"}, {"kind": "invited", "account": cast["holder"].id}])
    assert cast["holder"].post(f"/matches/{private}/seats", {}).status_code == 201
    assert cast["host"].post(f"/matches/{private}/start").status_code == 202
    house.work()
    command = house.rows(private)[0]["command_id"]
    for method, path, operation in operations(document):
        if "{match}" not in path:
            continue
        for role in ("nobody", "stranger", "bot", "service", "reader"):
            answer = walk(cast[role], method, path, operation, {"match": private, "command": command, "seat": "0", "number": "1", "code": "i-x", "question": "q"})
            assert answer.status_code in NOT_IN, (role, method, path, answer.status_code, answer.text)
            assert private not in answer.text.replace(answer.json["instance"], ""), (role, method, path)


@rule("PL-811", "PL-174")
def test_every_route_with_every_role_asks_for_its_scope(house: House, document: dict[str, Any], cast: dict[str, Player]):
    facts = {"match": "m-none", "command": "c-x", "seat": "0", "number": "1", "code": "x", "question": "q", "account": "a-x", "session": "s-x",
             "token": "t-x", "bot": "a-x", "name": "nobody-here", "game": "none", "pack": "00", "championship": "c-none", "round": "1", "cursor": "x"}
    for method, path, operation in operations(document):
        public = {} in operation["security"]
        sessions_only = operation["security"] == [{"session": []}]
        guest = walk(cast["nobody"], method, path, operation, facts)
        reader = walk(cast["reader"], method, path, operation, facts)
        assert max(guest.status_code, reader.status_code) < 500, (method, path, guest.text)
        if not public:
            assert guest.json["code"] == "not_signed_in", (method, path, guest.text)
            expected = "not_allowed" if sessions_only else "scope_missing"
            if "league:read" not in operation["x-scopes"] and (sessions_only or operation["x-scopes"]):
                assert reader.json["code"] == expected, (method, path, reader.text)


@rule("PL-811", "PL-154")
def test_only_the_host_and_referees_do_what_is_theirs(house: House, cast: dict[str, Player]):
    match = house.match(cast["host"], cast["holder"], start=False)
    allowed = {"host", "operator"}
    for role, player in cast.items():
        answer = player.post(f"/matches/{match}/invitations", {"uses": 1})
        assert (answer.status_code == 201) == (role in allowed), (role, answer.text)
    running = house.match(cast["host"], cast["holder"])
    for role, player in cast.items():
        answer = player.post(f"/matches/{running}/orders", {"kind": "extend", "ms": 1000, "reason": "a long reason"})
        assert (answer.status_code == 202) == (role == "operator"), (role, answer.text)


def walk(player: Player, method: str, path: str, operation: dict[str, Any], facts: dict[str, str]) -> Any:
    """One request as the document describes it, with its own example as body."""
    filled = re.sub(r"\{(\w+)\}", lambda part: facts.get(part[1], "1"), path)
    body = body_of(operation).get("example")
    headers = {"If-Match": '"1"'} if any(one.get("name") == "If-Match" for one in operation.get("parameters", [])) else {}
    return player.ask(method.upper(), filled, body, headers=headers)


@rule("PL-107", "PL-201", "PL-813")
def test_generated_requests_break_nothing(house: House, ada: Player):
    """A few seconds of requests made from the document: no fault of ours, and only codes from the list."""
    schema = schemathesis.openapi.from_wsgi("/openapi.json", house.app)

    for found in schema.get_all_operations():
        assert hasattr(found, "ok"), found.err()
        try_out(found.ok(), ada)


def try_out(operation: Any, ada: Player) -> None:
    @settings(max_examples=4, deadline=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck), derandomize=True, database=None)
    @given(case=operation.as_strategy())
    def run(case: Any) -> None:
        case.headers = {**dict(case.headers or {}), "Authorization": f"Bearer {ada.token}"}
        answer = case.call()
        assert answer.status_code < 500, (case.method, case.formatted_path, answer.text)
        if answer.status_code >= 400:
            told = answer.json()
            assert told.get("code") in CODES or (told["error"] and "/oauth/" in case.path)
    run()
