"""Does every request and every answer keep the HTTP rules?"""

from __future__ import annotations

import json
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from services.gateway.edge import idempotency
from services.gateway.problems import CODES, Problem
from shared.runtime.store import FateUnknown, Unavailable
from tests.gateway.conftest import API, NUMBERS, House, Player
from tests.gateway.test_accounts import PASSWORD, name
from tests.ledger import rule

SEATS = [{"kind": "me"}, {"kind": "open"}]
WISH: dict[str, Any] = {"game": "pebbles", "seats": SEATS}
# The table "Problem codes" of the ledger.
LEDGER = {
    400: "malformed key_missing bad_cursor token_in_url", 401: "not_signed_in bad_credentials code_needed bad_token",
    403: "not_allowed scope_missing scope_too_wide suspended csrf not_your_seat own_match blocked muted consent_missing quota",
    404: "not_found", 410: "invitation_gone link_used",
    409: "stale_ask ask_ahead ask_taken too_late changed_meanwhile wrong_state match_over match_paused match_stuck not_full not_offered seat_taken "
         "already_seated name_taken last_owner key_in_use secret_shown_once second_person_needed same_person not_yet closed audience_off "
         "audience_full upgrade_differs no_worker no_version",
    428: "precondition_missing", 413: "too_large", 415: "media_type",
    422: "invalid key_reused not_a_choice too_long seats_out_of_range option_unknown set_refused too_many weak_password address_refused "
         "text_refused talk_off reason_missing too_old",
    429: "rate_limited match_busy too_many_streams", 500: "internal", 503: "unavailable fate_unknown queue_old draining",
}


@rule("PL-205")
def test_the_codes_are_those_of_the_ledger():
    listed = {code: status for status, codes in LEDGER.items() for code in codes.split()}
    assert {code: CODES[code].status for code in listed} == listed      # the league's specification adds codes of its own
    for row in CODES.values():
        assert set(row.titles) == set(row.texts) == {"en", "it"}
        assert row.titles["en"] != row.titles["it"]


@pytest.mark.parametrize(("raw", "code"), [
    (b"{", "malformed"), (b'{"ask":1,"ask":2}', "malformed"), (b'{"ask":NaN}', "malformed"), (b'{"ask":Infinity}', "malformed"),
    (b'{"a":{"b":1,"b":2}}', "malformed"), (b"\xff\xfe", "malformed"), (b'{"a":"\\ud800"}', "malformed"), (b'{"a":123456789012345678901234567890}', "malformed"),
    (b'{"a":' + b"[" * 20 + b"]" * 20 + b"}", "malformed"), (b"[" * 9000 + b"]" * 9000, "too_large"), (b"[" * 8000 + b"]" * 8000, "malformed"),
    (b'{"a":' + b"[" * 18 + b"]" * 18 + b"}", "invalid"), (b"", "malformed"),
])
@rule("PL-201", "PL-813")
def test_bodies_are_read_strictly(ada: Player, raw: bytes, code: str):
    answer = ada.post("/matches/m-x/commands", raw)
    assert answer.json["code"] == code
    assert answer.status_code == CODES[code].status


@rule("PL-201")
def test_only_json_in_utf8_is_read(ada: Player):
    for media in ("text/plain", "application/x-www-form-urlencoded", "application/json; charset=latin-1", "multipart/form-data"):
        answer = ada.ask("POST", f"{API}/matches", b'{"game":"pebbles"}', content_type=media)
        assert (answer.status_code, answer.json["code"]) == (415, "media_type")
    assert ada.ask("POST", f"{API}/matches", json.dumps(WISH).encode(), content_type="application/json; charset=UTF-8").status_code == 201


@rule("PL-201", "PL-813")
def test_bodies_over_the_limit_are_not_read(house: House, ada: Player):
    command = ada.post("/matches/m-x/commands", b'{"a":"' + b"x" * house.settings.command_bytes + b'"}')
    other = ada.post("/matches", b'{"a":"' + b"x" * house.settings.body_bytes + b'"}')
    for answer in (command, other):
        assert (answer.status_code, answer.json["code"]) == (413, "too_large")


@rule("PL-204", "PL-220")
def test_every_error_is_a_problem_with_all_members(house: House, ada: Player, nobody: Player):
    answers = [nobody.get("/nowhere"), nobody.get("/matches/m-nope"), ada.post("/matches", {}), nobody.get("/me"), ada.put("/matches", {}),
               ada.post("/matches/m-x/commands", b"{"), house.client().get("/health/nowhere"), ada.get("/matches?limit=0")]
    for answer in answers:
        assert answer.mimetype == "application/problem+json"
        told = answer.json
        assert {"type", "title", "status", "detail", "instance", "code", "request_id"} <= told.keys()
        assert told["status"] == answer.status_code
        assert told["type"] == f"/problems/{told['code']}"
        assert told["code"] in CODES
        assert told["request_id"] == answer.headers["X-Request-Id"]
        assert all({"pointer", "detail"} <= one.keys() for one in told.get("errors", []))
    assert answers[2].json["errors"]
    assert {one["pointer"] for one in answers[2].json["errors"]} == {"/game", "/seats"}


@rule("PL-205")
def test_titles_and_details_follow_the_language(nobody: Player):
    italian = nobody.get("/me", headers={"Accept-Language": "de, it;q=0.8, en;q=0.5"})
    english = nobody.get("/me", headers={"Accept-Language": "fr"})
    assert (italian.json["title"], english.json["title"]) == ("Accedi prima", "Sign in first")
    assert italian.json["code"] == english.json["code"]
    assert italian.headers["Content-Language"] == "it"


@rule("PL-205")
def test_the_type_of_a_problem_is_a_page(house: House):
    for code in CODES:
        page = house.client().get(f"/problems/{code}", headers={"Accept": "text/html"})
        assert page.status_code == 200
        assert code in page.text
    assert house.client().get("/problems/unheard", headers={"Accept": "application/json"}).status_code == 404
    assert len(house.client().get("/problems", headers={"Accept": "application/json"}).json["items"]) == len(CODES)
    assert "stale_ask" in house.client().get("/problems", headers={"Accept": "text/html"}).text


@pytest.mark.parametrize("key", ["", " ", "a b", "x" * 129, '""', "ü"])
@rule("PL-206")
def test_every_write_needs_a_key(house: House, ada: Player, key: str):
    for path in ("/matches", "/matches/m-x/commands"):
        sent = {"Authorization": f"Bearer {ada.token}", **({"Idempotency-Key": key} if key.isascii() else {})}
        answer = house.client().post(API + path, json={}, headers=sent)
        assert (answer.status_code, answer.json["code"]) == (400, "key_missing")


@rule("PL-206")
def test_sign_in_sign_out_and_tickets_need_no_key(house: House, ada: Player):
    person = name()
    house.nobody().post("/accounts", {"name": person, "password": PASSWORD})
    client = house.app.test_client()
    base = {"base_url": "http://localhost:8000"}
    assert client.post(f"{API}/sessions", json={"name": person, "password": PASSWORD}, **base).status_code == 201
    ours = {"Sec-Fetch-Site": "same-origin"}
    assert client.post(f"{API}/stream-tickets", json={"stream": "/api/v1/me/stream"}, headers=ours, **base).status_code == 201
    assert client.delete(f"{API}/sessions/this", headers=ours, **base).status_code == 204


@rule("PL-207", "PL-208", "PL-212")
def test_a_key_belongs_to_account_method_and_path(house: House, ada: Player, bob: Player):
    first = ada.post("/matches", WISH, key="one")
    again = ada.post("/matches", dict(reversed(WISH.items())), key="one")
    other = bob.post("/matches", WISH, key="one")
    elsewhere = ada.post(f"/matches/{first.json['match']}/invitations", {"uses": 2}, key="one")
    assert again.json == first.json
    assert again.status_code == 201
    assert again.headers["Idempotency-Replayed"] == "true"
    assert again.headers["ETag"] == first.headers["ETag"]
    assert again.headers["Location"] == first.headers["Location"]
    assert other.json["match"] != first.json["match"]
    assert elsewhere.status_code == 201
    assert house.one("SELECT count(*) AS n FROM matches WHERE host_id = %s", ada.id)["n"] == 1


@rule("PL-209")
def test_a_key_used_for_another_body_is_refused(house: House, ada: Player):
    ada.post("/matches", WISH, key="one")
    other = ada.post("/matches", {**WISH, "visibility": "unlisted"}, key="one")
    assert (other.status_code, other.json["code"]) == (422, "key_reused")
    assert house.one("SELECT count(*) AS n FROM matches WHERE host_id = %s", ada.id)["n"] == 1


@rule("PL-211")
def test_a_refused_request_does_not_use_up_its_key(ada: Player):
    assert ada.post("/matches", {**WISH, "options": {"wings": 2}}, key="one").json["code"] == "option_unknown"
    assert ada.post("/matches", WISH, key="one").status_code == 201


@rule("PL-210")
def test_parallel_repeats_get_one_answer(house: House, ada: Player):
    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(lambda _: ada.post("/matches", WISH, key="race"), range(6)))
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.json["match"] for answer in answers}) == 1
    assert [answer.headers.get("Idempotency-Replayed") for answer in answers].count("true") == 5


@rule("PL-210")
def test_a_repeat_waits_and_then_says_that_the_key_is_in_use(house: House, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(type(idempotency.SQL), "patience", "SELECT set_config('lock_timeout', '300ms', true)", raising=False)
    begun, end = threading.Event(), threading.Event()
    request = idempotency.Once(f"a-{next(NUMBERS)}", "POST", "/x", "one", b"hash")

    def slow(_: object) -> idempotency.Answer:
        begun.set()
        end.wait(5)
        return idempotency.Answer(201, {"made": 1})
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(idempotency.once, house.gate.store, request, 60, slow)
        begun.wait(5)
        with pytest.raises(Problem, match="key_in_use") as refused:
            idempotency.once(house.gate.store, request, 60, slow)
        end.set()
        assert refused.value.retry_after == 1
        assert first.result()[0].status == 201
    answer, work = idempotency.once(house.gate.store, request, 60, slow)
    assert (answer.status, answer.body, work) == (201, {"made": 1}, None)


@rule("PL-210")
def test_the_wait_of_a_repeat_is_5_seconds():
    assert "'5s'" in idempotency.SQL.patience


@rule("PL-211", "PL-221")
def test_faults_of_ours_are_told_apart_and_not_stored(house: House, ada: Player, monkeypatch: pytest.MonkeyPatch):
    from services.gateway import matches
    for error, code in ((Unavailable("x"), "unavailable"), (FateUnknown("x"), "fate_unknown"), (RuntimeError("a planted detail"), "internal")):
        with monkeypatch.context() as patched:
            patched.setattr(matches, "create", _raising(error))
            answer = ada.post("/matches", WISH, key=f"f-{code}")
        assert (answer.status_code, answer.json["code"]) == (500 if code == "internal" else 503, code)
        assert "planted" not in answer.text
        assert (code == "internal" or answer.headers["Retry-After"])
        assert ada.post("/matches", WISH, key=f"f-{code}").status_code == 201
    assert "same" in CODES["fate_unknown"].texts["en"]
    assert "Idempotency-Key" in CODES["fate_unknown"].texts["en"]


def _raising(error: Exception) -> Any:
    def act(*_: object) -> None:
        raise error
    return act


@rule("PL-221", "PL-101")
def test_a_connection_lost_while_committing_leaves_the_fate_unknown_and_the_repeat_finds_out(house: House):
    def lost() -> None:
        with house.gate.store.work() as work:
            work.do("INSERT INTO pulses VALUES ('lost', 'test', now())")
            house.do("SELECT pg_terminate_backend(%s)", work.connection.info.backend_pid)
            work.connection.pgconn.finish()
    with pytest.raises(FateUnknown):
        lost()
    assert house.one("SELECT count(*) AS n FROM pulses WHERE process = 'lost'")["n"] == 0


@rule("PL-101")
def test_connections_lost_while_nobody_used_them_are_noticed(house: House, ada: Player, match: str):
    for path in (f"/matches/{match}/view", "/me"):
        house.do("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'cupboard-gateway' AND datname = current_database()")
        assert ada.get(path).status_code == 200
    house.do("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'cupboard-gateway' AND datname = current_database()")
    assert ada.post("/matches", WISH).status_code == 201


@rule("PL-213")
def test_patch_needs_the_etag(ada: Player):
    made = ada.post("/matches", WISH)
    path = f"/matches/{made.json['match']}"
    assert (ada.patch(path, {"visibility": "private"}).status_code, ada.patch(path, {"visibility": "private"}).json["code"]) == (428, "precondition_missing")
    for wrong in ('"77"', "nonsense", "*"):
        answer = ada.patch(path, {"visibility": "private"}, headers={"If-Match": wrong})
        assert (answer.status_code, answer.json["code"]) == (412, "changed_meanwhile")
    right = ada.patch(path, {"visibility": "private"}, headers={"If-Match": made.headers["ETag"]})
    assert right.json["visibility"] == "private"
    assert right.headers["ETag"] != made.headers["ETag"] == '"1"'


@rule("PL-214", "PL-215")
def test_paging_shows_every_row_once_whatever_is_inserted(ada: Player, bob: Player):
    there = {ada.post("/matches", WISH).json["match"] for _ in range(7)}
    seen: list[str] = []
    cursor = ""
    while True:
        page = ada.get(f"/matches?account={ada.id}&limit=2{cursor}").json
        seen += [row["match"] for row in page["items"]]
        ada.post("/matches", WISH)
        if page["next"] is None:
            break
        cursor = f"&cursor={page['next']}"
    assert set(seen) & there == there
    assert len(seen) == len(set(seen)) == 7


@rule("PL-214")
def test_a_cursor_fits_one_list_of_one_reader_and_cannot_be_altered(ada: Player, bob: Player):
    for _ in range(3):
        ada.post("/matches", WISH)
    cursor = ada.get(f"/matches?account={ada.id}&limit=1").json["next"]
    assert ada.get(f"/matches?account={ada.id}&limit=2&cursor={cursor}").status_code == 200
    altered = cursor[:-2] + ("AA" if cursor[-2:] != "AA" else "BB")
    foreign = [(ada, f"/matches?account={ada.id}&cursor={altered}"), (bob, f"/matches?account={ada.id}&cursor={cursor}"),
               (ada, f"/matches?cursor={cursor}"), (ada, f"/seed-commitments?cursor={cursor}"), (ada, "/matches?cursor=%C3%A4")]
    for player, path in foreign:
        answer = player.get(path)
        assert (answer.status_code, answer.json["code"]) == (400, "bad_cursor"), path


@pytest.mark.parametrize("limit", ["0", "101", "ten", "-1", "1.5"])
@rule("PL-214")
def test_a_page_has_1_to_100_rows(nobody: Player, limit: str):
    assert nobody.get(f"/matches?limit={limit}").json["errors"][0]["pointer"] == "/limit"
    assert nobody.get("/matches?limit=1&limit=2").json["code"] == "invalid"
    assert nobody.get("/matches?wings=2").json["code"] == "invalid"


@rule("PL-216", "PL-217")
def test_times_and_ids_have_their_forms(house: House, ada: Player, bob: Player, match: str):
    import re
    told = ada.get(f"/matches/{match}").json
    times = [told[field] for field in ("created_at", "started_at")] + [ada.get("/me").json["created_at"]]
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", time_) for time_ in times)
    ids = [told["match"], house.rows(match)[0]["command_id"], ada.post("/bots", {"name": f"bot-{next(NUMBERS)}"}).json["bot"]]
    assert all(re.fullmatch(r"[A-Za-z0-9_-]{1,40}", one) for one in ids)
    assert not isinstance(told["clock"]["bank_ms"], float)


@rule("PL-218")
def test_what_may_not_be_known_is_as_what_does_not_exist(house: House, ada: Player, bob: Player, nobody: Player):
    hidden = house.match(ada, start=False, visibility="private", seats=SEATS)
    for player in (bob, nobody):
        for path in ("", "/view", "/asks", "/letters", "/replay", "/record", "/proof", "/result", "/text", "/stream", "/audience"):
            known, unknown = player.get(f"/matches/{hidden}{path}"), player.get(f"/matches/m-0000{path}")
            assert (known.status_code, known.json["code"]) == (404, "not_found") == (unknown.status_code, unknown.json["code"]), path
            assert known.json["detail"] == unknown.json["detail"]
        assert hidden not in player.get("/matches?limit=100").text
    for path, body in (("/commands", {"ask": 1, "command": {"do": "rest"}}), ("/seats", {}), ("/resignations", {"sure": True}), ("/invitations", {}),
                       ("/ready", {"ready": True}), ("/orders", {"kind": "pause", "reason": "because"}), ("/contributions", {"value": "1"}),
                       ("/proposals", {"kind": "pause"}), ("/command-batches", {"ask": 1, "commands": [{"do": "rest"}]}), ("/start", None)):
        assert bob.post(f"/matches/{hidden}{path}", body).json["code"] == "not_found", path
    assert ada.get(f"/matches/{hidden}").status_code == 200


@rule("PL-220")
def test_request_id_and_trace_come_back_and_the_trace_goes_with_the_row(house: House, ada: Player, bob: Player, match: str):
    trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    answer = ada.get("/games", headers={"X-Request-Id": "mine-7", "traceparent": trace})
    assert (answer.headers["X-Request-Id"], answer.headers["traceparent"]) == ("mine-7", trace)
    assert ada.get("/games", headers={"X-Request-Id": "not valid!"}).headers["X-Request-Id"].startswith("r-")
    ask = house.open_ask(match)
    [ada, bob][ask["seat"]].command(match, ask["ask"], {"do": "rest"}, headers={"traceparent": trace})
    assert house.rows(match)[-1]["trace"] == trace


@rule("PL-812")
def test_no_answer_shows_a_stored_row_whole(house: House, ada: Player, match: str):
    for path in ("/me", f"/matches/{match}", "/matches", "/games", f"/accounts/{ada.name}"):
        text = ada.get(path).text
        for word in ("password_hash", "name_key", "row_version", "secret_hash", "form_token", "session_hash"):
            assert word not in text, (path, word)


@rule("PL-814")
def test_pages_allow_no_foreign_script_no_frame_and_no_sniffing(house: House):
    page = house.client().get("/docs")
    policy = page.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert "connect-src 'self' http://127.0.0.1:8001" in policy
    assert page.headers["X-Content-Type-Options"] == "nosniff"
    assert page.headers["Referrer-Policy"] == "same-origin"
    assert "<script" not in page.text
    assert "style=" not in page.text
    assert "http://" not in page.text.replace("http://127.0.0.1", "")
    assert house.client().get(f"{API}/games").headers["X-Content-Type-Options"] == "nosniff"
