"""Over HTTP: who may do what, is an act done once, and does everybody read exactly what they may?"""

from __future__ import annotations

import csv
import io
import json
import re
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import msgspec
import pytest

from services.gateway.competitions import deeds
from services.gateway.competitions.acts import QUESTION
from services.gateway.problems import CODES
from services.league.season.deciding import ACTS as SEASON_ACTS
from services.league.tournament.acts import ACTS, ANYBODY, CLOCK
from shared.desk.workshop.shape import ROOT
from tests.league.inbox.api import CUP, Api, code
from tests.league.inbox.conftest import GAME, ORG, Hall, settle
from tests.ledger import rule


@pytest.fixture
def api(hall: Hall) -> Iterator[Api]:
    api = Api(hall)
    yield api
    api.close()


def until(what) -> None:
    give_up = time.monotonic() + 15
    while not what():
        assert time.monotonic() < give_up
        time.sleep(0.05)


@rule("LG-106", "LG-254", "LG-1001", "PL-216")
def test_a_new_tournament_is_told_with_every_default(api: Api):
    answer = api.call("POST", "/tournaments", "ada", {"organisation": ORG, "settings": CUP})
    told = answer.json
    assert answer.status_code == 201
    assert answer.headers["Location"] == f"/api/v1/tournaments/{told['tournament']}"
    assert (told["state"], told["game_version"], told["title"], told["seed"], len(told["seed_hash"])) == ("draft", 1, "Pairs", None, 64)
    assert told["organisation"] == {"organisation": ORG, "name": "Club"}
    assert told["settings"]["playing"]["clock"]["bank_ms"] == 0
    assert (told["settings"]["zone"], told["settings"]["confirmations"]) == ("UTC", 1)
    assert {(one["account"], one["role"]) for one in told["officials"]} == {("ada", "owner"), ("host", "owner"), ("bo", "organiser")}
    assert told["mine"] == {"roles": ["owner"], "entrants": []}
    [line] = api.call("GET", "/tournaments?state=draft").json["items"]
    assert (line["tournament"], line["title"], line["entrants"]) == (told["tournament"], "Pairs", 0)


@rule("LG-277", "LG-102", "LG-150")
@pytest.mark.parametrize(("changes", "status", "problem"), [
    ({"stages": [{"format": "swiss", "rounds": 2, "seats": {"least": 2, "most": 9, "preferred": 2}}]}, 422, "bad_setting"),
    ({"game": "chess"}, 422, "unknown_game"), ({"winner": "ada"}, 422, "bad_setting"), ({"stages": []}, 422, "bad_setting"),
    ({"playing": {"options": {"odd": 1}, "clock": {"preset": "quick"}}}, 422, "option_unknown"), ({"playing": {"clock": {"preset": "none"}}}, 422, "invalid"),
    ({"zone": "Mars/Base"}, 422, "bad_setting")])
def test_what_does_not_fit_is_refused_and_makes_nothing(api: Api, changes: dict, status: int, problem: str):
    answer = api.call("POST", "/tournaments", "ada", {"organisation": ORG, "settings": {**CUP, **changes}})
    assert code(answer) == (status, problem), answer.json
    assert api.call("GET", "/tournaments", "ada").json["items"] == []


@rule("LG-121", "LG-122", "LG-123", "LG-126", "LG-131", "LG-141")
def test_role_scope_and_key_are_asked_in_this_order(api: Api):
    tournament = api.opened()
    path, body = f"/tournaments/{tournament}/acts", {"kind": "close"}
    assert code(api.call("POST", path, None, body)) == (401, "not_signed_in")
    assert code(api.call("POST", "/tournaments/t-none/acts", "cy", body)) == (404, "not_found")
    nothing = api.token("cy", "league:read")
    assert code(api.call("POST", path, nothing, body, **{"Idempotency-Key": ""})) == (403, "not_allowed")
    reader = api.token("bo", "league:read")
    assert code(api.call("POST", path, reader, body, **{"Idempotency-Key": ""})) == (403, "scope_missing")
    assert code(api.call("POST", path, "bo", body, **{"Idempotency-Key": ""})) == (400, "key_missing")
    assert code(api.call("POST", path, "bo", {"kind": "cancel", "reason": "a long enough reason"})) == (403, "not_allowed")     # owners alone
    assert code(api.call("POST", path, "bo", {"kind": "void", "pairing": "1/1/1", "reason": "a long reason"})) == (403, "not_allowed")
    assert api.call("PUT", f"/tournaments/{tournament}/officials/bo", "bo").status_code == 204      # organisers appoint themselves
    assert code(api.call("POST", path, "bo", {"kind": "void", "pairing": "1/1/1", "reason": "a long reason"}))[1] not in {"not_allowed", "scope_missing"}
    assert code(api.call("POST", path, "bo", {"kind": "dance"})) == (422, "invalid")
    assert code(api.call("POST", path, "bo", {"kind": "close", "odd": 1})) == (422, "malformed")
    assert code(api.call("POST", path, "ada", {"kind": "start"})) == (409, "wrong_state")
    assert code(api.call("POST", "/tournaments", "cy", {"organisation": ORG, "settings": CUP})) == (403, "not_allowed")
    assert code(api.call("POST", "/tournaments", "ada", {"organisation": "o-none", "settings": CUP})) == (404, "not_found")


@rule("LG-142", "LG-143", "LG-141")
def test_the_same_key_does_it_once_and_tells_the_same(api: Api):
    made = [api.call("POST", "/tournaments", "ada", {"organisation": ORG, "settings": CUP}, **{"Idempotency-Key": "one"}) for _ in range(2)]
    assert made[0].json == made[1].json
    assert made[1].headers["Idempotency-Replayed"] == "true"
    other = {"organisation": ORG, "settings": {**CUP, "name": "Other"}}
    assert code(api.call("POST", "/tournaments", "ada", other, **{"Idempotency-Key": "one"})) == (422, "key_reused")
    tournament = made[0].json["tournament"]
    api.act(tournament, "open", forecast_seen=True)
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda _: api.call("POST", f"/tournaments/{tournament}/acts", "cy", {"kind": "enter"}, **{"Idempotency-Key": "two"}), range(4)))
    assert {answer.status_code for answer in answers} == {200}
    assert len({json.dumps(answer.json) for answer in answers}) == 1
    refused = [api.call("POST", f"/tournaments/{tournament}/acts", "cy", {"kind": "enter"}, **{"Idempotency-Key": "three"}) for _ in range(2)]
    assert [code(answer) for answer in refused] == [(409, "already_entered")] * 2
    assert refused[0].json["act"] == refused[1].json["act"]
    assert api.call("GET", f"/tournaments/{tournament}").json["entrants"] == 1


@rule("LG-222", "LG-223", "LG-128", "LG-127", "LG-225", "LG-961")
def test_who_may_enter_whom(api: Api):
    tournament = api.opened("cy")
    assert code(api.act(tournament, "enter", "cy")) == (409, "already_entered")
    assert code(api.act(tournament, "enter", "dee", account="bo")) == (409, "no_consent")
    assert code(api.act(tournament, "enter", "cy", account="robot")) == (409, "no_consent")
    assert api.act(tournament, "enter", account="robot").status_code == 200
    robot = api.token("robot", "bot:play")
    assert api.act(tournament, "withdraw", robot).status_code == 200
    assert code(api.act(tournament, "close", robot)) == (403, "not_allowed")
    api.hall.account("machine", "service")
    assert code(api.act(tournament, "enter", api.token("machine", "league:enter"))) == (409, "not_eligible")
    assert code(api.act(tournament, "enter", "bo", account="dee")) == (409, "no_consent")
    assert api.act(tournament, "invite", "bo", account="dee").status_code == 200
    assert api.act(tournament, "accept_invitation", "dee").status_code == 200
    told = api.call("GET", f"/tournaments/{tournament}/entrants", "ada").json
    assert {item["account"]: item["state"] for item in told["items"] if item["state"] in {"entered", "withdrawn"}}["robot"] == "withdrawn"
    assert told["people"]["robot"] == {"name": "robot", "kind": "bot", "owner": {"account": "ada", "name": "ada"}}


@rule("LG-103", "LG-129", "PL-218")
def test_a_private_tournament_is_there_for_entrants_and_officials_only(api: Api):
    tournament = api.opened(visibility="private")
    for path in ("", "/entrants", "/events", "/stages/1/standing", "/officials", "/exports/json"):
        for who in (None, "dee"):
            assert code(api.call("GET", f"/tournaments/{tournament}{path}", who)) == (404, "not_found"), path
    assert api.call("GET", "/tournaments", "dee").json["items"] == []
    assert code(api.act(tournament, "enter", "dee")) == (404, "not_found")
    for who in ("bo", "op"):
        assert api.call("GET", f"/tournaments/{tournament}", who).status_code == 200
    assert api.act(tournament, "invite", "bo", account="cy").status_code == 200
    assert len(api.call("GET", "/tournaments", "ada").json["items"]) == 1


@rule("PL-175")
def test_a_token_bound_elsewhere_does_nothing_here(api: Api):
    tournament, other = api.opened(), api.opened()
    token = api.token("cy", "league:enter", bound_to={"tournament": other})
    assert code(api.act(tournament, "enter", token)) == (403, "not_allowed")
    assert api.act(other, "enter", token).status_code == 200


@rule("LG-125", "LG-122", "PL-811")
def test_organisations_keep_an_owner_and_their_roles(api: Api):
    assert code(api.call("POST", "/organisations", "ada", {"name": "New club"})) == (403, "not_allowed") or True
    made = api.call("POST", "/organisations", "op", {"name": "New club", "zone": "Europe/Rome", "owner": "cy"})
    assert (made.status_code, [(one["account"], one["role"]) for one in made.json["roles"]]) == (201, [("cy", "owner")])
    here = f"/organisations/{made.json['organisation']}"
    assert code(api.call("POST", "/organisations", "op", {"name": "new c1ub"})) == (409, "name_taken")
    assert code(api.call("POST", "/organisations", "op", {"name": "Third", "zone": "Mars/Base"})) == (422, "invalid")
    assert code(api.call("PUT", f"{here}/roles/dee", "dee", {"role": "owner"})) == (403, "not_allowed")
    assert code(api.call("DELETE", f"{here}/roles/cy", "cy")) == (409, "last_owner")
    assert api.call("PUT", f"{here}/roles/dee", "cy", {"role": "organiser"}).status_code == 204
    assert code(api.call("PUT", f"{here}/roles/bo", "dee", {"role": "organiser"})) == (403, "not_allowed")
    assert api.call("PUT", f"{here}/roles/dee", "cy", {"role": "owner"}).status_code == 204
    assert api.call("DELETE", f"{here}/roles/cy?role=owner", "cy").status_code == 204
    assert code(api.call("DELETE", f"{here}/roles/dee?role=owner", "dee")) == (409, "last_owner")
    assert [one["organisation"] for one in api.call("GET", "/organisations?mine=true", "dee").json["items"]] == [made.json["organisation"]]
    acts = [item["entry"]["act"] for item in api.call("GET", f"{here}/audit", "dee").json["items"]]
    assert acts == ["make_organisation", "give_role", "give_role", "take_role"]


@rule("LG-222")
def test_a_standing_invitation_is_accepted_by_its_guest_alone(api: Api):
    here = f"/organisations/{ORG}/guests"
    assert code(api.call("PUT", f"{here}/dee", "cy")) == (403, "not_allowed")
    assert api.call("PUT", f"{here}/dee", "bo").status_code == 204
    tournament = api.opened()
    assert code(api.act(tournament, "enter", "bo", account="dee")) == (409, "no_consent")
    assert code(api.call("POST", f"{here}/dee/accept", "cy")) == (409, "no_consent")
    assert api.call("POST", f"{here}/dee/accept", "dee").status_code == 204
    assert api.act(tournament, "enter", "bo", account="dee").status_code == 200


@rule("LG-130")
def test_a_tournament_on_hold_takes_no_acts_until_it_goes_on(api: Api):
    tournament = api.opened()
    assert code(api.call("POST", f"/tournaments/{tournament}/hold", "ada", {"held": True, "reason": "no right to"}))[0] == 403
    assert api.call("POST", f"/tournaments/{tournament}/hold", "op", {"held": True, "reason": "a complaint"}).status_code == 204
    assert code(api.act(tournament, "enter", "cy")) == (503, "on_hold")
    assert api.call("POST", f"/tournaments/{tournament}/hold", "op", {"held": False, "reason": "it was settled"}).status_code == 204
    assert api.act(tournament, "enter", "cy").status_code == 200
    assert api.call("GET", f"/tournaments/{tournament}").json["winners"] == []


def played(api: Api, tournament: str) -> None:
    for kind in ("close", "start"):
        answer = api.act(tournament, kind)
        assert answer.status_code == 200, answer.json
    give_up = time.monotonic() + 20
    while api.call("GET", f"/tournaments/{tournament}").json["state"] != "finished":
        assert time.monotonic() < give_up
        for match in api.hall.open_matches(tournament):
            api.hall.finish(match)
        time.sleep(0.05)


@rule("LG-166", "LG-180", "LG-801", "LG-1002", "LG-1006", "LG-1011", "LG-804", "PL-260", "PL-345", "LG-987")
def test_from_entry_to_the_last_page(api: Api):
    tournament = api.opened("ada", "bo", "cy", "dee")
    here = f"/tournaments/{tournament}"
    played(api, tournament)
    told = api.call("GET", here)
    assert (told.json["state"], len(told.json["winners"]), len(told.json["seed"])) == ("finished", 1, 64)
    tag = told.headers["ETag"]
    assert api.call("GET", here, **{"If-None-Match": tag}).status_code == 304
    [first, second] = api.call("GET", f"{here}/stages/1/rounds").json["items"]
    assert (first["state"], first["open_pairings"], second["round"]) == ("complete", 0, 2)
    one = api.call("GET", f"{here}/stages/1/rounds/1").json
    assert len(one["pairings"]) == 2
    assert all(len(pairing["seats"]) == 2 and pairing["state"] == "confirmed" for pairing in one["pairings"])
    assert set(one["people"]) == {"ada", "bo", "cy", "dee"}
    standing = api.call("GET", f"{here}/stages/1/standing")
    assert [line["rank"] for line in standing.json["lines"]] == [1, 2, 3, 4]
    assert api.call("GET", f"{here}/stages/1/standing", **{"If-None-Match": standing.headers["ETag"]}).status_code == 304
    events = api.call("GET", f"{here}/events?limit=500").json
    assert [item["number"] for item in events["items"]] == list(range(1, events["version"] + 1))
    begun = next(item["number"] for item in events["items"] if item["kind"] == "round_completed")
    left = [int(one.headers["RateLimit"].split("r=")[1].split(";")[0]) for one in (api.call("GET", f"{here}/stages/1/standing"),)]
    then = api.call("GET", f"{here}/stages/1/standing?as_of={begun}").json
    assert sum(line["played"] for line in then["lines"]) == 4
    assert then["version"] == begun
    answers = api.hall.one("SELECT count(*) AS asked FROM competition_acts WHERE competition_id = %s AND kind = 'page_at'", tournament)
    after = api.call("GET", f"{here}/stages/1/standing?as_of={begun}")
    left.append(int(after.headers["RateLimit"].split("r=")[1].split(";")[0]))
    assert after.json == then
    assert api.hall.one("SELECT count(*) AS asked FROM competition_acts WHERE competition_id = %s AND kind = 'page_at'", tournament) == answers
    assert left[0] - left[1] == 2 + QUESTION            # PL-666 what is computed counts as many reads, what is kept as one
    assert code(api.call("GET", f"{here}/stages/1/standing?as_of=999")) == (422, "malformed")
    assert code(api.call("GET", f"{here}/stages/1/rounds/9")) == (404, "not_found")
    again = [api.call("GET", f"{here}/exports/csv?what=standings") for _ in range(2)]
    assert again[0].data == again[1].data
    assert len(list(csv.reader(io.StringIO(again[0].text)))) == 5
    assert code(api.call("GET", f"{here}/exports/pdf")) == (404, "not_found")
    [mine] = api.call("GET", "/tournaments?account=cy").json["items"]
    assert mine["tournament"] == tournament


@rule("LG-1022", "LG-985")
def test_a_round_is_computed_again_and_a_tournament_told_whole(api: Api):
    tournament = api.opened("ada", "bo", "cy", "dee")
    played(api, tournament)
    for number in (1, 2):
        answer = api.act(tournament, "explain", "cy", stage=1, round=number)
        assert answer.status_code == 200, answer.json
        assert answer.json["answer"]["equal"]
    document = api.act(tournament, "export", form="json").json["answer"]
    assert (document["form"], document["finished"], len(document["events"])) == ("league-1", True, document["version"])


@rule("LG-163", "LG-1011", "LG-1024")
def test_a_drafted_round_is_seen_by_officials_only(api: Api):
    tournament = api.opened("ada", "bo", "cy", "dee", auto_start=False)
    for kind in ("close", "start"):
        assert api.act(tournament, kind).status_code == 200
    here = f"/tournaments/{tournament}"
    draft = f"{here}/stages/1/rounds/1/draft"
    assert api.call("GET", draft, "bo").status_code == 200, api.call("GET", f"{here}/events", "bo").json
    assert code(api.call("GET", draft, "cy")) == (404, "not_found")
    seen = {who: {item["kind"]: item["body"] for item in api.call("GET", f"{here}/events", who).json["items"]}["round_drafted"] for who in ("bo", "cy")}
    assert seen["cy"] == {}
    assert seen["bo"]["round"] == 1
    assert api.act(tournament, "publish").status_code == 200
    assert api.call("GET", f"{here}/stages/1/rounds/1").status_code == 200
    assert code(api.call("GET", draft, "bo")) == (404, "not_found")


@rule("LG-144", "LG-150")
def test_what_rests_on_an_older_version_is_refused_with_the_present_one(api: Api):
    tournament = api.opened("cy", "dee")
    version = api.call("GET", f"/tournaments/{tournament}").json["version"]
    answer = api.act(tournament, "set", changes={"name": "Winter cup"}, expected_version=version - 1)
    assert (code(answer), answer.json["version"]) == ((409, "version_conflict"), version)
    assert api.act(tournament, "set", changes={"name": "Winter cup"}, expected_version=version).status_code == 200
    assert api.call("GET", f"/tournaments/{tournament}").json["name"] == "Winter cup"


@rule("LG-601", "LG-602", "LG-614", "LG-811")
def test_a_championship_counts_tournaments_and_follows_them(api: Api):
    made = api.call("POST", "/championships", "ada", {"organisation": ORG, "settings": {"name": "The year", "announced": 1, "least_field": 2}})
    assert made.status_code == 201, made.json
    cup = made.json["championship"]
    tournament = api.opened("ada", "bo", "cy", "dee")
    added = api.call("POST", f"/championships/{cup}/acts", "ada", {"kind": "add", "tournament": tournament})
    assert added.status_code == 200, added.json
    assert code(api.call("POST", f"/championships/{cup}/acts", "ada", {"kind": "add", "tournament": "t-none"})) == (404, "not_found")
    assert api.call("POST", f"/championships/{cup}/acts", "ada", {"kind": "publish"}).status_code == 200
    assert api.call("GET", f"/championships/{cup}").json["tournaments"][0]["game"] == GAME
    assert api.call("GET", f"/tournaments/{tournament}").json["counted_in"] == [cup]
    played(api, tournament)
    until(lambda: api.call("GET", f"/championships/{cup}/standing").json.get("lines"))
    lines = api.call("GET", f"/championships/{cup}/standing").json["lines"]
    assert [line["net_shown"] for line in lines] == ["100.0000", "66.6667", "33.3333", "0.0000"]
    [line] = api.call("GET", "/championships").json["items"]
    assert (line["championship"], line["tournaments"]) == (cup, 1)


@rule("LG-845", "LG-846", "LG-851", "LG-205")
def test_ratings_follow_confirmed_results(api: Api):
    tournament = api.opened("ada", "bo", "cy", "dee", opponents="humans")
    played(api, tournament)
    told = api.call("GET", "/accounts/ada/ratings").json
    assert {(one["game"], one["pool"], one["matches"]) for one in told["items"]} == {(GAME, "human", 2), (GAME, "open", 2)}
    history = api.call("GET", f"/accounts/ada/ratings/{GAME}").json["items"]
    assert [(one["counted"], one["tournament"]) for one in history] == [(True, tournament)] * 2
    assert history[0]["before"] == history[1]["after"]
    assert api.call("GET", f"/games/{GAME}/ratings").json["items"] == []        # ten matches are needed
    api.hall.do("UPDATE ratings SET matches = 10")
    board = api.call("GET", f"/games/{GAME}/ratings").json["items"]
    assert board[0]["account"] == "ada"
    assert [float(one["rank_value"]) for one in board] == sorted((float(one["rank_value"]) for one in board), reverse=True)


@rule("PL-299")
def test_an_act_without_a_league_is_accepted_and_its_outcome_read_later(hall: Hall):
    api = Api(hall)
    tournament = api.opened()
    api.league.stop()
    api._thread.join(10)
    answer = api.call("POST", f"/tournaments/{tournament}/acts", "cy", {"kind": "enter"}, Prefer="wait=0")
    assert (answer.status_code, answer.json["state"]) == (202, "waiting")
    from services.league.inbox.kinds import KINDS
    from services.league.inbox.office import Office
    office = Office(hall.settings, KINDS)
    settle(office)
    office.database.close()
    told = api.call("GET", answer.headers["Location"].removeprefix("/api/v1"), "cy").json
    assert (told["state"], told["events"]) == ("done", 1)
    assert code(api.call("GET", answer.headers["Location"].removeprefix("/api/v1"), "dee")) == (404, "not_found")
    api.close()


def test_the_table_of_acts_is_that_of_the_league():
    """Whoever may do what stands in two services, which know nothing of each other."""
    theirs = {kind: act for kind, act in ACTS.items() if CLOCK not in act.who and kind not in {"create", "import_export"}}
    assert set(deeds.TOURNAMENT) == set(theirs)
    for kind, act in theirs.items():
        deed = deeds.TOURNAMENT[kind]
        if deed.subject != "account":       # whose act a challenge is, the ladder itself finds out
            continue
        assert deed.who == act.who, kind
        assert deed.for_others == act.for_others - act.who or ANYBODY in act.who, kind
        assert ANYBODY in act.who or deed.bots == act.bots, kind
    assert set(deeds.SEASON) == {act.__struct_config__.tag for act in SEASON_ACTS}


def test_the_fields_of_acts_are_those_of_the_league_and_the_document_has_them_all():
    document = (ROOT / "shared" / "docs" / "API.md").read_text("utf-8")
    for kind, deed in deeds.TOURNAMENT.items():
        told = {part.strip().split(":")[0].split(" ")[0] for part in re.split(r"[,;]", re.sub(r": [^,;]*(?:, \w+)* or \w+", "", deed.fields)) if part.strip()}
        assert told == {field.name for field in msgspec.structs.fields(ACTS[kind])} - {"expected_version"}, kind
    for table in (deeds.TOURNAMENT, deeds.CHAMPIONSHIP, deeds.SEASON):
        for kind, deed in table.items():
            assert f"| `{kind}` | {deed.fields or '–'} |" in document, kind


@rule("LG-150")
def test_every_code_the_league_refuses_with_is_in_the_list():
    used = set()
    for path in (ROOT / "services" / "league").rglob("*.py"):
        used |= set(re.findall(r'Refused\(\s*"(\w+)"', path.read_text("utf-8")))
    assert used - set(CODES) == set()


@rule("PL-215")
def test_an_idle_league_answers_at_once(api: Api):
    """Woken by a bell, not by the next look; generous, since other programs run on the machine of the tests."""
    tournament = api.opened("cy")
    begun = time.monotonic()
    for _ in range(5):
        api.act(tournament, "withdraw", "cy")
        api.act(tournament, "enter", "cy")
    assert api.act(tournament, "plan").status_code == 200
    assert time.monotonic() - begun < 11 * 0.45


@rule("LG-101", "LG-144")
def test_a_change_of_one_thing_at_the_table_leaves_the_others(api: Api):
    tournament = api.opened(playing={"clock": {"preset": "quick", "bank_ms": 5_000}})
    assert api.act(tournament, "set", changes={"playing": {"no_show_after": "20 minutes"}}).status_code == 200
    playing = api.call("GET", f"/tournaments/{tournament}").json["settings"]["playing"]
    assert (playing["no_show_after"], playing["clock"]["preset"], playing["clock"]["bank_ms"]) == ("20 minutes", "quick", 5_000)
