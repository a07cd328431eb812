"""Is what nobody would send on purpose told by its field, and never a fault of ours?"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from werkzeug.datastructures import MultiDict

from services.gateway.edge.signing_in import refuse_foreign
from services.gateway.problems import Problem
from services.gateway.web.forms import command_of, number
from tests.gateway.conftest import House, Player
from tests.gateway.test_accounts import PASSWORD, opened
from tests.ledger import rule

SEATS = [{"kind": "me"}, {"kind": "open"}]
WISH: dict[str, Any] = {"game": "pebbles", "seats": SEATS, "clock": {"preset": "none"}}


@pytest.mark.parametrize("wish", ["wait=\xb2", "wait=\u0665".encode().decode("latin-1"), "wait=-1", "wait=1.5", "wait", "respond-async, wait="])
@rule("PL-299", "PL-102", "PL-204")
def test_a_wish_to_wait_that_is_none_does_not_hide_that_a_command_was_accepted(house: House, ada: Player, bob: Player, match: str, wish: str):
    ask = house.open_ask(match)
    answer = [ada, bob][ask["seat"]].command(match, ask["ask"], {"do": "rest"}, headers={"Prefer": wish})
    assert (answer.status_code, answer.json["arrival"]) == (202, 2)


@pytest.mark.parametrize("moment", ["9999-12-31T23:59:59-12:00", "9999-12-31T23:59:59Z", "0001-01-01T00:00:00+12:00", "2027-02-03T10:00:00"])
@rule("PL-204", "PL-216")
def test_times_that_cannot_be_said_in_utc_are_no_times(ada: Player, moment: str):
    made = ada.post("/matches", WISH)
    path = f"/matches/{made.json['match']}"
    answers = [ada.post(f"{path}/invitations", {"ends_at": moment}), ada.post("/matches", {**WISH, "planned_at": moment}),
               ada.patch(path, {"planned_at": moment}, headers={"If-Match": made.headers["ETag"]})]
    told = [(answer.status_code, answer.json["code"], answer.json["errors"][0]["pointer"]) for answer in answers]
    assert told == [(422, "invalid", "/ends_at"), (422, "invalid", "/planned_at"), (422, "invalid", "/planned_at")]


@pytest.mark.parametrize("number", ["1_0", "%2B5", "%205", "%D9%A5", "5.0", "0x5"])
@rule("PL-214", "PL-204")
def test_a_number_in_an_address_is_digits(nobody: Player, number: str):
    answer = nobody.get(f"/matches?limit={number}")
    assert (answer.status_code, answer.json["errors"][0]["pointer"]) == (422, "/limit")


@rule("PL-239", "PL-241")
def test_a_planned_start_that_is_moved_takes_the_end_of_the_waiting_with_it(house: House, ada: Player):
    life = timedelta(seconds=house.settings.open_match_life)
    made = ada.post("/matches", WISH)
    planned = (datetime.now(UTC) + 2 * life).replace(microsecond=0)
    moved = ada.patch(f"/matches/{made.json['match']}", {"planned_at": planned.isoformat()}, headers={"If-Match": made.headers["ETag"]})
    assert datetime.fromisoformat(moved.json["expires_at"]) == planned + life
    assert house.one("SELECT due_at FROM timers WHERE match_id = %s AND kind = 'expiry'", made.json["match"])["due_at"] == planned + life
    later = {"planned_at": (planned + timedelta(days=365)).isoformat()}
    refused = ada.patch(f"/matches/{made.json['match']}", later, headers={"If-Match": moved.headers["ETag"]})
    assert (refused.status_code, refused.json["errors"][0]["pointer"]) == (422, "/planned_at")


@rule("PL-202", "PL-213")
def test_the_document_names_the_statuses_and_members_that_are_answered(house: House, ada: Player, bob: Player, match: str):
    document = house.nobody().ask("GET", "/openapi.json").json
    assert "changed_meanwhile" in document["paths"]["/api/v1/me"]["patch"]["responses"]["412"]["description"]
    asked = [ada, bob][house.open_ask(match)["seat"]]
    for path, shape in ((f"/matches/{match}/asks", "AskOut"), ("/me/asks", "AskOut"), (f"/matches/{match}/letters", "LetterOut")):
        named = document["components"]["schemas"][shape]["properties"].keys()
        assert all(item.keys() <= named for item in asked.get(path).json["items"]), path


@rule("PL-178")
def test_a_token_in_an_address_is_found_behind_percents_too(house: House, ada: Player):
    assert ada.token is not None
    answer = house.nobody().get("/games?token=" + ada.token.replace("_", "%5F"))
    assert (answer.status_code, answer.json["code"]) == (400, "token_in_url")


@rule("PL-131")
def test_an_origin_without_words_is_not_our_own(house: House):
    for headers in ({"Origin": ""}, {}, {"Origin": "null"}):
        with house.app.test_request_context(base_url="http://league.example", headers=headers), pytest.raises(Problem, match="csrf"):
            refuse_foreign(house.gate)


@pytest.mark.parametrize("zone", ["Middle/Earth", "../UTC", "/etc/passwd", ""])
@rule("PL-494", "PL-204")
def test_a_zone_is_one_that_the_time_tables_know(ada: Player, zone: str):
    etag = {"If-Match": ada.get("/me").headers["ETag"]}
    refused = ada.patch("/me", {"zone": zone}, headers=etag)
    assert (refused.status_code, refused.json["errors"][0]["pointer"]) == (422, "/zone")
    assert ada.patch("/me", {"zone": "Europe/Rome"}, headers=etag).json["zone"] == "Europe/Rome"


# Pages -------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("referer", "status"), [
    ("http://localhost:8000/sign-in", 401), ("http://localhost:8000", 401), ("http://localhost:8000.evil.example/", 403), ("", 403), ("http://[", 403),
])
@rule("PL-131")
def test_a_form_came_from_this_site_and_not_from_one_that_begins_like_it(house: House, referer: str, status: int):
    answer = house.client().post("/sign-in", data={"name": "nobody-here", "password": PASSWORD}, headers={"Referer": referer}, base_url="http://localhost:8000")
    assert answer.status_code == status


@pytest.mark.parametrize(("to", "place"), [
    ("/my?said=saved", "/my?said=saved"), ("/\t/evil.example", "/"), ("/\n/evil.example", "/"), ("//evil.example", "/"), ("/\\evil.example", "/"),
    ("https://evil.example", "/"), ("/a\\..\\b", "/"),
])
@rule("PL-131", "PL-814")
def test_signing_in_leads_to_a_page_of_this_site(house: House, to: str, place: str):
    sent = {"name": opened(house), "password": PASSWORD, "next": to}
    answer = house.client().post("/sign-in", data=sent, headers={"Sec-Fetch-Site": "same-origin"}, base_url="http://localhost:8000")
    assert (answer.status_code, answer.headers["Location"]) == (303, place)


@rule("PL-701", "PL-107")
def test_signs_that_count_as_digits_are_no_numbers(house: House, match: str):
    assert house.client().get(f"/matches/{match}?seat=%C2%B2").status_code == 200
    for written in ("\u00b2", "--5", "-", "1_0"):
        assert command_of(MultiDict({"do": "bid", "number:bid": written})) == {"do": "bid", "bid": written}
        with house.app.test_request_context("/", method="POST", data={"seat": written}):
            assert number("seat") is None
    assert command_of(MultiDict({"do": "bid", "number:bid": "-12"})) == {"do": "bid", "bid": -12}


@pytest.mark.parametrize("name", ["arrange", "arrange:slots", "goods:deal", "goods:deal:take"])
@rule("PL-204", "PL-107")
def test_inputs_that_no_form_has_are_refused(name: str):
    with pytest.raises(Problem, match="malformed"):
        command_of(MultiDict({"do": "deal", name: "7"}))
