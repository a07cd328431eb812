"""How does a match come about, and does it start once, full and fairly?"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests.gateway.conftest import NUMBERS, House, Player
from tests.ledger import rule

SEATS: list[dict[str, Any]] = [{"kind": "me"}, {"kind": "open"}]
WISH: dict[str, Any] = {"game": "pebbles", "seats": SEATS}


def lobby(house: House, host: Player, **wish: Any) -> str:
    return house.match(host, start=False, **{"seats": SEATS, **wish})


@rule("PL-232", "PL-233")
def test_the_answer_shows_every_default_and_the_commitment(house: House, ada: Player):
    told = ada.post("/matches", WISH).json
    assert told["options"] == {"rounds": 3, "crowd": False}
    assert told["clock"] == {"preset": "normal", "limit_ms": None, "bank_ms": 0, "increment_ms": 0, "bank_max_ms": 0, "cap_ms": None, "no_show_ms": None,
                             "most_timeouts": None, "most_failures": 3, "policy": "credit", "hours": None, "holidays": True, "reminder_ms": None}
    assert {name: told[name] for name in ("visibility", "opponents", "talk", "take_back", "rated", "state", "onlooker_delay", "fill_with_bots")} == {
        "visibility": "public", "opponents": "persons", "talk": "off", "take_back": "none", "rated": False, "state": "open",
        "onlooker_delay": {"seconds": 0, "steps": 0}, "fill_with_bots": False}
    assert told["version"] == 1
    assert len(told["pack"]) == 64
    row = house.one("SELECT * FROM seed_list WHERE number = %s", told["seed"]["number"])
    assert (row["commitment"], row["used_by"]) == (told["seed"]["commitment"], told["match"])


@rule("PL-613")
def test_each_match_takes_the_lowest_unused_seed_number(house: House, ada: Player):
    lowest = house.one("SELECT min(number) AS n FROM seed_list WHERE used_by IS NULL")["n"]
    taken = [ada.post("/matches", WISH).json["seed"]["number"] for _ in range(3)]
    assert taken == sorted(taken)
    assert taken[0] == lowest


@rule("PL-611")
def test_the_list_of_commitments_is_public_and_pages(house: House, nobody: Player):
    page = nobody.get("/seed-commitments?limit=3").json
    assert [row["number"] for row in page["items"]] == sorted(row["number"] for row in page["items"])
    assert page["next"]
    after = nobody.get(f"/seed-commitments?limit=3&cursor={page['next']}").json["items"]
    assert after[0]["number"] > page["items"][-1]["number"]
    assert "seed" not in after[0]
    assert nobody.get("/seed-commitments?from=7&limit=1").json["items"][0]["number"] >= 7


@rule("PL-109")
def test_only_with_a_number_of_seats_that_the_game_allows(ada: Player):
    for count in (1, 5):
        answer = ada.post("/matches", {"game": "pebbles", "seats": SEATS[:1] + [{"kind": "open"}] * (count - 1)})
        assert (answer.status_code, answer.json["code"], answer.json["allowed"]) == (422, "seats_out_of_range", [2, 3, 4])


@rule("PL-232")
def test_options_are_checked_by_the_games_own_schema(ada: Player):
    unknown = ada.post("/matches", {**WISH, "options": {"wings": 2}})
    assert (unknown.status_code, unknown.json["code"], unknown.json["errors"][0]["pointer"]) == (422, "option_unknown", "/options/wings")
    wrong = ada.post("/matches", {**WISH, "options": {"rounds": 9}})
    assert (wrong.json["code"], wrong.json["errors"][0]["pointer"]) == ("invalid", "/options/rounds")
    assert ada.post("/matches", {**WISH, "options": {"rounds": 2}, "organisation": None, "substitutes": False}).json["options"]["rounds"] == 2


@pytest.mark.parametrize(("wish", "pointer"), [
    ({"clock": {"preset": "hasty"}}, "/clock/preset"), ({"clock": {"bank_ms": 9, "bank_max_ms": 3}}, "/clock/bank_max_ms"),
    ({"clock": {"limit_ms": -1}}, "/clock/limit_ms"), ({"talk": "loud"}, "/talk"), ({"take_back": "own"}, "/take_back"),
    ({"organisation": "o-1"}, "/organisation"), ({"substitutes": "perhaps"}, "/substitutes"), ({"visibility": "secret"}, "/visibility"), ({"rated": "yes"}, "/rated"), ({"rated": 1}, "/rated"),
    ({"rated": True, "one_screen": True}, "/rated"), ({"onlooker_delay": {"seconds": -1}}, "/onlooker_delay/seconds"),
    ({"planned_at": "2020-01-01T00:00:00Z"}, "/planned_at"), ({"planned_at": "2099-01-01T00:00:00Z"}, "/planned_at"),
    ({"planned_at": "2027-01-01T00:00:00"}, "/planned_at"), ({"seats": [{"kind": "me"}, {"kind": "bot"}]}, "/seats/1"),
    ({"seats": [{"kind": "me"}, {"kind": "open", "account": "a-1"}]}, "/seats/1"), ({"seats": [{"kind": "throne"}]}, "/seats/0/kind"),
    ({"seats": [{"kind": "me"}, {"kind": "invited", "account": "a-nobody"}]}, "/seats/1/account"),
])
@rule("PL-232", "PL-481", "PL-485")
def test_what_cannot_be_is_told_by_its_field(ada: Player, wish: dict[str, Any], pointer: str):
    answer = ada.post("/matches", {**WISH, **wish})
    assert (answer.status_code, answer.json["code"], answer.json["errors"][0]["pointer"]) == (422, "invalid", pointer)


@rule("PL-635")
def test_a_game_that_is_not_offered_has_no_version(house: House, ada: Player):
    assert ada.post("/matches", {**WISH, "game": "chess"}).json["code"] == "no_version"
    assert ada.post("/matches", {**WISH, "stage": "draft"}).json["code"] == "not_allowed"
    assert ada.post("/matches", {**WISH, "pack": "0" * 64}).json["code"] == "no_version"


@rule("PL-234")
def test_a_seat_is_open_invited_held_or_a_bots(house: House, ada: Player, bob: Player):
    bot = house.player("bot", owner=ada.id)
    seats = [{"kind": "open"}, {"kind": "invited", "account": bob.id}, {"kind": "held", "account": bot.id}, {"kind": "bot", "level": "random"}]
    told = ada.post("/matches", {"game": "pebbles", "seats": seats, "opponents": "mixed"}).json
    assert [seat["kind"] for seat in told["seats"]] == ["open", "invited", "held", "bot"]
    assert told["host"]["account"] == ada.id
    assert [seat["bot_level"] for seat in told["seats"]] == [None, None, None, "random"]
    stranger = ada.post("/matches", {"game": "pebbles", "seats": [{"kind": "me"}, {"kind": "held", "account": bob.id}]})
    assert stranger.status_code == 403     # nobody is seated without being asked
    seat = ada.put(f"/matches/{told['match']}/seats/0", {"level": "random"})
    assert (seat.status_code, seat.json["kind"]) == (200, "bot")
    assert ada.put(f"/matches/{told['match']}/seats/9", {"level": "random"}).status_code == 404
    assert bob.put(f"/matches/{told['match']}/seats/0", {"level": "random"}).json["code"] == "not_allowed"


@rule("PL-528")
def test_a_person_never_sits_with_a_bot_unawares(house: House, ada: Player, bob: Player):
    bot = house.player("bot", owner=ada.id)
    persons = lobby(house, ada)
    assert bot.post(f"/matches/{persons}/seats", {}).json["code"] == "not_allowed"
    assert ada.put(f"/matches/{persons}/seats/1", {"level": "random"}).json["code"] == "not_allowed"
    bots = ada.post("/matches", {"game": "pebbles", "seats": [{"kind": "open"}, {"kind": "open"}], "opponents": "bots"}).json["match"]
    assert bob.post(f"/matches/{bots}/seats", {}).json["code"] == "not_allowed"
    assert bot.post(f"/matches/{bots}/seats", {}).status_code == 201


@rule("PL-235", "EX-26")
def test_of_two_who_take_the_last_seat_one_gets_it(house: House, ada: Player):
    for _ in range(4):
        match = lobby(house, ada)
        rivals = [house.player(), house.player(), house.player()]
        with ThreadPoolExecutor(3) as pool:
            answers = list(pool.map(lambda player, match=match: player.post(f"/matches/{match}/seats", {}), rivals))
        assert sorted((answer.status_code, answer.json.get("code")) for answer in answers) == [(201, None), (409, "seat_taken"), (409, "seat_taken")]


@rule("PL-236")
def test_an_account_sits_once_except_on_one_screen(house: House, ada: Player):
    match = house.match(ada, start=False, seats=[{"kind": "me"}, {"kind": "open"}, {"kind": "open"}])
    assert ada.post(f"/matches/{match}/seats", {}).json["code"] == "already_seated"
    twice = ada.post("/matches", {"game": "pebbles", "seats": [{"kind": "me"}, {"kind": "me"}]})
    assert twice.json["code"] == "already_seated"
    screen = house.match(ada, start=False, one_screen=True, seats=[{"kind": "me"}, {"kind": "open"}])
    assert ada.post(f"/matches/{screen}/seats", {"seat": 1}).status_code == 201


@rule("PL-237")
def test_an_invitation_of_one_account(house: House, ada: Player, bob: Player):
    match = lobby(house, ada, visibility="private")
    code = ada.post(f"/matches/{match}/invitations", {"account": bob.id}).json["code"]
    assert house.player().post(f"/invitations/{code}/accept").json["code"] == "not_found"
    assert [row["code"] for row in bob.get("/me/invitations").json["items"]] == [code]
    first, second = bob.post(f"/invitations/{code}/accept"), bob.post(f"/invitations/{code}/accept")
    assert first.status_code == second.status_code == 200
    assert first.json["seat"] == second.json["seat"] == 1
    assert house.one("SELECT uses_left FROM invitations WHERE code = %s", code)["uses_left"] == 0


@rule("PL-237")
def test_a_link_has_uses_and_an_end_and_can_be_withdrawn(house: House, ada: Player, bob: Player):
    match = house.match(ada, start=False, visibility="private", seats=[{"kind": "me"}] + [{"kind": "open"}] * 3)
    assert bob.get(f"/matches/{match}").status_code == 404
    link = ada.post(f"/matches/{match}/invitations", {"uses": 1}).json["code"]
    assert bob.post(f"/invitations/{link}/accept").status_code == 200
    used = house.player().post(f"/invitations/{link}/accept")
    assert (used.status_code, used.json["code"]) == (410, "invitation_gone")
    other = ada.post(f"/matches/{match}/invitations", {"uses": 5}).json["code"]
    assert ada.delete(f"/matches/{match}/invitations/{other}").status_code == 204
    assert house.player().post(f"/invitations/{other}/accept").json["code"] == "invitation_gone"
    late = ada.post(f"/matches/{match}/invitations", {"uses": 5}).json["code"]
    house.do("UPDATE invitations SET ends_at = now() WHERE code = %s", late)
    assert house.player().post(f"/matches/{match}/seats", {"invitation": late}).json["code"] == "invitation_gone"
    past = ada.post(f"/matches/{match}/invitations", {"ends_at": "2020-01-01T00:00:00Z"})
    assert past.json["errors"][0]["pointer"] == "/ends_at"


@rule("PL-237")
def test_who_declines_is_no_longer_invited(house: House, ada: Player, bob: Player):
    match = lobby(house, ada)
    code = ada.post(f"/matches/{match}/invitations", {"account": bob.id}).json["code"]
    assert bob.post(f"/invitations/{code}/decline").status_code == 204
    assert bob.get("/me/invitations").json["items"] == []
    assert bob.post(f"/invitations/{code}/accept").json["code"] == "invitation_gone"


@rule("PL-238")
def test_before_the_start_a_holder_leaves_and_the_host_removes(house: House, ada: Player, bob: Player):
    match = lobby(house, ada)
    bob.post(f"/matches/{match}/seats", {})
    assert house.player().delete(f"/matches/{match}/seats/1").json["code"] in {"not_allowed", "not_your_seat"}
    assert bob.delete(f"/matches/{match}/seats/1").status_code == 204
    assert ada.get(f"/matches/{match}").json["seats"][1]["kind"] == "open"
    bob.post(f"/matches/{match}/seats", {})
    assert ada.delete(f"/matches/{match}/seats/1").status_code == 204
    running = house.match(ada, bob)
    gone = bob.delete(f"/matches/{running}/seats/1")
    assert (gone.status_code, gone.json["code"]) == (409, "wrong_state")


@rule("PL-239", "PL-240")
def test_the_last_who_is_ready_starts_the_match_once(house: House, ada: Player, bob: Player):
    match = lobby(house, ada)
    assert ada.post(f"/matches/{match}/ready", {"ready": True}).json["starting"] is False
    bob.post(f"/matches/{match}/seats", {})
    assert ada.post(f"/matches/{match}/ready", {"ready": False}).json["starting"] is False
    assert bob.post(f"/matches/{match}/ready", {"ready": True}).json["starting"] is False
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda _: ada.post(f"/matches/{match}/ready", {"ready": True}), range(4)))
    assert sorted(answer.status_code for answer in answers) == [202, 409, 409, 409]
    assert [row["kind"] for row in house.rows(match)] == ["start"]
    assert ada.put(f"/matches/{match}/seats/1", {"account": bob.id}).json["code"] == "wrong_state"     # it is starting
    house.work()
    told = ada.get(f"/matches/{match}").json
    assert (told["state"], told["step"]) == ("running", 1)
    assert told["started_at"]
    assert house.one("SELECT count(*) AS n FROM timers WHERE match_id = %s AND kind IN ('expiry', 'planned_start')", match)["n"] == 0


@rule("PL-239")
def test_the_host_starts_a_full_match(house: House, ada: Player, bob: Player):
    match = lobby(house, ada)
    early = ada.post(f"/matches/{match}/start")
    assert (early.status_code, early.json["code"]) == (409, "not_full")
    bob.post(f"/matches/{match}/seats", {})
    assert bob.post(f"/matches/{match}/start").json["code"] == "not_allowed"
    assert ada.post(f"/matches/{match}/start").status_code == 202
    assert ada.post(f"/matches/{match}/start").json["code"] == "wrong_state"


@rule("PL-239")
def test_a_match_of_bots_starts_at_once(house: House, ada: Player):
    told = ada.post("/matches", {"game": "pebbles", "seats": [{"kind": "bot", "level": "random"}] * 2, "opponents": "bots"}).json
    assert [row["kind"] for row in house.rows(told["match"])] == ["start"]


@rule("PL-242")
def test_open_seats_go_to_bots_where_the_host_allowed_it(house: House, ada: Player):
    match = lobby(house, ada, opponents="mixed", fill_with_bots=True)
    assert ada.get(f"/matches/{match}").json["fill_with_bots"] is True
    assert ada.post(f"/matches/{match}/start").status_code == 202
    house.work()
    assert ada.get(f"/matches/{match}").json["seats"][1]["kind"] == "bot"


@rule("PL-239", "PL-241", "PL-486")
def test_open_matches_have_timers_for_their_plan_and_their_end(house: House, ada: Player):
    planned = (datetime.now(UTC) + timedelta(hours=3)).replace(microsecond=0)
    made = ada.post("/matches", {**WISH, "planned_at": planned.isoformat()})
    match = made.json["match"]
    timers = {row["kind"]: row["due_at"] for row in house.all("SELECT * FROM timers WHERE match_id = %s", match)}
    assert timers["planned_start"] == planned
    assert abs((timers["expiry"] - planned).total_seconds() - house.settings.open_match_life) < 2
    answer = ada.patch(f"/matches/{match}", {"planned_at": None}, headers={"If-Match": made.headers["ETag"]})
    assert answer.json["planned_at"] is None
    assert {row["kind"] for row in house.all("SELECT * FROM timers WHERE match_id = %s", match)} == {"expiry"}


@rule("PL-231")
def test_what_is_for_open_matches_is_refused_in_others(house: House, ada: Player, bob: Player, match: str):
    etag = {"If-Match": ada.get(f"/matches/{match}").headers["ETag"]}
    answers = [ada.post(f"/matches/{match}/seats", {}), ada.post(f"/matches/{match}/ready", {"ready": True}), ada.post(f"/matches/{match}/start"),
               ada.post(f"/matches/{match}/contributions", {"value": "0"}), ada.patch(f"/matches/{match}", {"visibility": "private"}, headers=etag),
               ada.post(f"/matches/{match}/invitations", {}), ada.put(f"/matches/{match}/seats/1", {"account": bob.id})]
    assert {(answer.status_code, answer.json["code"]) for answer in answers} == {(409, "wrong_state")}
    waiting = lobby(house, ada)
    for path, body in (("/commands", {"ask": 1, "command": {"do": "rest"}}), ("/resignations", {"sure": True}), ("/proposals", {"kind": "pause"})):
        assert ada.post(f"/matches/{waiting}{path}", body).json["code"] == "wrong_state"


@rule("PL-614")
def test_contributions_are_hidden_until_the_start_and_public_after_it(house: House, ada: Player, bob: Player):
    match = lobby(house, ada)
    bob.post(f"/matches/{match}/seats", {})
    assert ada.post(f"/matches/{match}/contributions", {"value": "0BadCafe"}).status_code == 200
    for wrong in ("", "xyz", "0" * 65):
        assert ada.post(f"/matches/{match}/contributions", {"value": wrong}).json["errors"][0]["pointer"] == "/value"
    assert house.player().post(f"/matches/{match}/contributions", {"value": "1"}).json["code"] == "not_your_seat"
    assert [seat["contribution"] for seat in bob.get(f"/matches/{match}").json["seats"]] == [None, None]
    for player in (ada, bob):
        player.post(f"/matches/{match}/ready", {"ready": True})
    house.work()
    assert [seat["contribution"] for seat in bob.get(f"/matches/{match}").json["seats"]] == ["0badcafe", "-"]


@rule("PL-614", "PL-238")
def test_a_contribution_goes_with_its_holder(house: House, ada: Player, bob: Player):
    match = lobby(house, ada)
    bob.post(f"/matches/{match}/seats", {})
    bob.post(f"/matches/{match}/contributions", {"value": "77"})
    bob.delete(f"/matches/{match}/seats/1")
    assert house.one("SELECT contribution FROM seats WHERE match_id = %s AND seat = 1", match)["contribution"] is None


@rule("PL-252")
def test_a_rematch_is_a_new_match_that_names_the_old_one(house: House, ada: Player, bob: Player, match: str):
    assert ada.post("/matches", {**WISH, "rematch_of": match}).json["code"] == "wrong_state"
    house.do("UPDATE matches SET state = 'aborted' WHERE match_id = %s", match)
    again = ada.post("/matches", {**WISH, "rematch_of": match})
    assert again.json["rematch_of"] == match
    assert again.json["match"] != match
    assert ada.post("/matches", {**WISH, "rematch_of": "m-none"}).json["code"] == "not_found"


@rule("PL-254", "PL-255", "EX-27")
def test_a_set_is_made_whole_or_not_at_all_and_only_once(house: House, ada: Player, bob: Player):
    league = house.player("service")
    ada.put(f"/me/blocks/{bob.id}")
    origin = f"cup-{next(NUMBERS)}"
    wishes: list[dict[str, Any]] = [
        {"game": "pebbles", "origin": origin, "origin_key": f"1/{number}", "seats": [{"kind": "held", "account": ada.id}, {"kind": "open"}]} for number in range(12)]
    broken = [dict(wish) for wish in wishes]
    broken[6]["options"] = {"wings": 1}
    broken[8]["seats"] = [{"kind": "open"}] * 9
    broken[9]["ranking"] = [1]
    refused = league.post("/match-sets", {"matches": broken})
    assert (refused.status_code, refused.json["code"]) == (422, "set_refused")
    assert [(one["pointer"], one["code"]) for one in refused.json["errors"]] == [
        ("/matches/6", "option_unknown"), ("/matches/8", "seats_out_of_range"), ("/matches/9", "invalid")]
    assert house.one("SELECT count(*) AS n FROM matches WHERE origin = %s", origin)["n"] == 0
    made, again = league.post("/match-sets", {"matches": wishes}), league.post("/match-sets", {"matches": wishes})
    assert (made.status_code, again.status_code) == (201, 200)
    assert [row["match"] for row in made.json["items"]] == [row["match"] for row in again.json["items"]]
    assert len(made.json["items"]) == 12


@rule("PL-255")
def test_two_who_press_the_button_make_one_match(house: House):
    one, other = house.player("service"), house.player("service")
    wish = {"game": "pebbles", "origin": f"cup-{next(NUMBERS)}", "origin_key": "1/1", "seats": [{"kind": "open"}] * 2}
    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(lambda player: player.post("/match-sets", {"matches": [wish]}), (one, other)))
    assert sorted(answer.status_code for answer in answers) == [200, 201]
    assert answers[0].json["items"][0]["match"] == answers[1].json["items"][0]["match"]


@rule("PL-255", "PL-239")
def test_what_runs_leagues_seats_players_and_they_start_at_once(house: House, ada: Player, bob: Player):
    league = house.player("service")
    wish = {"game": "pebbles", "origin": f"cup-{next(NUMBERS)}", "origin_key": "1/1",
            "seats": [{"kind": "held", "account": ada.id}, {"kind": "held", "account": bob.id}]}
    match = league.post("/match-sets", {"matches": [wish]}).json["items"][0]["match"]
    assert [row["kind"] for row in house.rows(match)] == ["start"]
    assert ada.post("/matches", {**WISH, "origin": "mine", "origin_key": "1"}).json["code"] in {"not_allowed", "scope_missing"}


@rule("PL-418", "PL-218")
def test_visibility_decides_who_finds_and_who_sees(house: House, ada: Player, bob: Player, nobody: Player):
    shown = {visibility: lobby(house, ada, visibility=visibility) for visibility in ("public", "unlisted", "private")}
    listed = {row["match"] for row in nobody.get(f"/matches?account={ada.id}").json["items"]}
    own = {row["match"] for row in ada.get("/me/matches").json["items"]}
    assert listed == {shown["public"]}
    assert own == set(shown.values())
    assert [nobody.get(f"/matches/{match}").status_code for match in shown.values()] == [200, 200, 404]
    assert bob.post(f"/matches/{shown['private']}/seats", {}).status_code == 404


@rule("PL-232")
def test_games_are_told_with_all_that_a_creator_may_choose(house: House, nobody: Player):
    told = next(game for game in nobody.get("/games").json["items"] if game["game"] == "pebbles")
    assert told["seats"]["default"] == [2, 3, 4]
    assert "rounds" in str(told["options"])
    assert "normal" in told["clocks"]
    assert "random" in told["bots"]
    assert nobody.get("/games/pebbles").json == told
    assert nobody.get("/games/chess").status_code == 404
    version = nobody.get("/games/pebbles/versions/1").json
    assert {"commands", "events", "view"} <= version["schemas"].keys()
    assert nobody.get("/games/pebbles/versions/9").status_code == 404
    assert nobody.get(f"/packs/{told['pack']}").json["words"]["en"]
    assert nobody.get("/packs/00").status_code == 404
