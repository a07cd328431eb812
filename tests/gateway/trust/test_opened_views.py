"""Does a referee see what a seat sees only with a reason, a second person and everybody told (PL-151 to PL-157)?"""

from __future__ import annotations

from typing import Any

import pytest

from tests.gateway.conftest import NUMBERS, House, Player
from tests.ledger import rule

REASON = "seat 1 is said to be told the stones"


class Desk:
    """An organisation with one tournament, and a match of it."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.owner, self.first, self.second = (house.player() for _ in range(3))
        self.tournament = f"t-{next(NUMBERS)}"
        made = house.player(roles=("operator",)).post("/organisations", {"name": f"Club {next(NUMBERS)}", "zone": "UTC", "owner": self.owner.id})
        self.organisation = made.json["organisation"]
        house.do("INSERT INTO competitions (competition_id, kind, organisation_id, created_by, name, seed) VALUES (%s, 'tournament', %s, %s, 'Cup', '')",
                 self.tournament, self.organisation, self.owner.id)
        house.do("INSERT INTO officials (competition_id, account_id, given_by) VALUES (%s, %s, %s)", self.tournament, self.first.id, self.owner.id)
        house.do("INSERT INTO organisation_roles VALUES (%s, %s, 'referee', %s)", self.organisation, self.second.id, self.owner.id)

    def match(self, *players: Player, **wish: Any) -> str:
        match = self.house.match(*players, **wish)
        self.house.do("UPDATE matches SET championship = %s WHERE match_id = %s", self.tournament, match)
        return match


@pytest.fixture
def desk(house: House) -> Desk:
    return Desk(house)


def ask(player: Player, match: str, seat: int = 1, reason: str = REASON) -> Any:
    return player.post(f"/matches/{match}/opened-views", {"seat": seat, "reason": reason})


def opened(desk: Desk, match: str, seat: int = 1) -> str:
    """The address of a view that has been confirmed."""
    here = f"/matches/{match}/opened-views/{ask(desk.first, match, seat).json['number']}"
    confirmed = desk.second.post(f"{here}/confirm")
    assert (confirmed.status_code, confirmed.json["open"]) == (200, True)
    return here


@rule("PL-157", "PL-158")
def test_a_view_is_opened_by_two_people_and_the_audit_log_holds_both(desk: Desk, ada: Player, bob: Player):
    match = desk.match(ada, bob)
    assert ask(desk.first, match, reason="no").json["code"] == "reason_missing"
    assert ask(desk.first, match, seat=2).json["errors"][0]["pointer"] == "/seat"
    asked = ask(desk.first, match)
    assert (asked.status_code, asked.json["open"], asked.json["confirmed_by"], asked.json["reason"]) == (201, False, None, REASON)
    assert ask(desk.first, match).json["code"] == "already_decided"     # one is enough
    here = f"/matches/{match}/opened-views/{asked.json['number']}"
    for what in ("view", "text", "letters"):
        assert desk.first.get(f"{here}/{what}").json["code"] == "second_person_needed"
    assert desk.first.post(f"{here}/confirm").json["code"] == "same_person"
    for other in (ada, bob, desk.owner, desk.house.player(), desk.house.player("bot", owner=ada.id)):
        assert other.post(f"{here}/confirm").status_code == 403
    assert desk.second.post(f"{here}/confirm").json["confirmed_by"]["account"] == desk.second.id
    assert desk.second.post(f"{here}/confirm").json["code"] == "already_decided"
    assert desk.first.get(f"{here}/view").json["view"] == bob.get(f"/matches/{match}/view").json["view"]
    assert desk.first.get(f"{here}/text").json["text"] == bob.get(f"/matches/{match}/text").json["text"]
    acts = desk.house.all('SELECT what, who, reason FROM audit WHERE "on" = %s ORDER BY number', match)
    assert [(act["what"], act["who"]) for act in acts] == [
        ("match.view.asked", desk.first.id), ("match.view.opened", desk.second.id), ("match.view.looked", desk.first.id)]
    assert acts[0]["reason"] == acts[1]["reason"] == REASON


@rule("PL-157", "PL-156")
def test_it_is_open_for_one_person_one_seat_one_hour(desk: Desk, ada: Player, bob: Player):
    match, other = desk.match(ada, bob), desk.match(ada, bob)
    here = opened(desk, match)
    letters = desk.first.get(f"{here}/letters").json["items"]
    assert letters == bob.get(f"/matches/{match}/letters").json["items"]
    assert letters != ada.get(f"/matches/{match}/letters").json["items"]
    operator = desk.house.player(roles=("operator",))
    for somebody in (desk.second, operator):
        assert somebody.get(f"{here}/view").json["code"] == "not_found"
    assert desk.first.get(here.replace(match, other) + "/view").json["code"] == "not_found"
    for seat in ("0", "1"):     # the ordinary resources stay shut, also for the seat that is open
        for what in ("view", "text", "asks", "letters", "stream"):
            assert desk.first.get(f"/matches/{match}/{what}?seat={seat}").json["code"] == "not_your_seat"
        assert desk.first.get(f"/matches/{match}/replay?as={seat}").json["code"] == "not_yet"
    desk.house.do("UPDATE opened_views SET closes_at = closes_at - interval '61 minutes' WHERE match_id = %s", match)
    assert desk.first.get(f"{here}/view").json["code"] == "closed"
    assert ask(desk.first, match).status_code == 201        # asked anew, confirmed anew


@rule("PL-157", "PL-576")
def test_after_the_end_every_seat_is_told_who_looked_and_when(desk: Desk, ada: Player, bob: Player):
    match = desk.match(ada, bob, options={"rounds": 1})
    here, never = opened(desk, match), opened(desk, match, seat=0)
    for what in ("view", "text", "letters"):        # within a minute they are one look
        assert desk.first.get(f"{here}/{what}").status_code == 200
    desk.house.do("UPDATE opened_views SET last_look_at = last_look_at - interval '61 seconds', first_look_at = first_look_at - interval '61 seconds'")
    assert desk.first.get(f"{here}/view").status_code == 200
    waits = ask(desk.second, match, seat=0).json["number"]
    for player in (ada, bob, desk.house.nobody()):
        assert player.get(f"/matches/{match}/opened-views").json["code"] == "not_yet"
        assert player.post(f"/matches/{match}/opened-views", {"seat": 0, "reason": REASON}).status_code in {401, 403}
    assert len(desk.first.get(f"/matches/{match}/opened-views").json["items"]) == 3
    desk.house.play_out(match, ada, bob)
    for path in (here, never):
        assert desk.first.get(f"{path}/view").json["code"] == "wrong_state"      # it is all open now, to all
    assert desk.second.post(f"/matches/{match}/opened-views/{waits}/confirm").json["code"] == "wrong_state"
    for player in (ada, bob):
        [notice] = [one for one in player.get("/me/notices").json["items"] if one["kind"] == "opened_view"]
        assert (notice["match"], notice["facts"]["by"], notice["facts"]["seat"], notice["facts"]["looks"]) == (match, desk.first.name, 1, 2)
        assert notice["facts"]["first_look_at"] < notice["facts"]["last_look_at"]
    for player in (ada, bob, desk.house.nobody()):
        told = player.get(f"/matches/{match}/opened-views").json["items"]
        assert [(one["seat"], one["by"]["name"], one["confirmed_by"]["name"], one["looks"]) for one in told] == [
            (1, desk.first.name, desk.second.name, 2), (0, desk.first.name, desk.second.name, 0)]
        assert told[0]["first_look_at"]
        assert told[1]["first_look_at"] is None


@rule("PL-157", "PL-155", "PL-392")
def test_whoever_has_a_part_in_a_match_opens_nothing_in_it(desk: Desk, ada: Player, bob: Player):
    bot = desk.house.player("bot", owner=desk.second.id)
    playing, owning = desk.match(desk.first, ada), desk.match(ada, bot, opponents="mixed")
    assert ask(desk.first, playing).json["code"] == "own_match"
    assert ask(desk.second, owning).json["code"] == "own_match"
    number = ask(desk.second, playing).json["number"]
    assert desk.first.get(f"/matches/{playing}/opened-views").json["code"] == "not_yet"      # they do not even learn of it
    assert desk.second.get(f"/matches/{owning}/opened-views").json["code"] == "not_yet"
    assert desk.first.post(f"/matches/{playing}/opened-views/{number}/confirm").json["code"] == "own_match"
    elsewhere = desk.match(ada, bob)
    number = ask(desk.first, elsewhere, 0).json["number"]
    desk.house.do("UPDATE matches SET deal_group = 'd-opened' WHERE match_id IN (%s, %s)", elsewhere, playing)
    assert ask(desk.first, elsewhere).json["code"] == "own_match"        # who plays the same cards at another table
    assert desk.second.post(f"/matches/{elsewhere}/opened-views/{number}/confirm").status_code == 200
    assert desk.first.get(f"/matches/{elsewhere}/opened-views/{number}/view").json["code"] == "own_match"


@rule("PL-157", "PL-159")
def test_who_is_no_referee_any_more_looks_no_more(desk: Desk, ada: Player, bob: Player):
    match = desk.match(ada, bob)
    here = opened(desk, match)
    desk.house.do("DELETE FROM officials WHERE account_id = %s", desk.first.id)
    assert desk.first.get(f"{here}/view").json["code"] == "not_allowed"


@rule("PL-151", "PL-154")
def test_a_referee_of_a_tournament_or_of_its_organisation_referees_its_matches_and_no_others(desk: Desk, ada: Player, bob: Player):
    match, alien = desk.match(ada, bob), desk.house.match(ada, bob)
    order = {"kind": "extend", "ms": 1_000, "reason": "a fire alarm"}
    for referee in (desk.first, desk.second):
        assert referee.post(f"/matches/{match}/orders", order).status_code == 202
        assert referee.post(f"/matches/{alien}/orders", order).json["code"] == "not_allowed"
        assert ask(referee, alien).json["code"] == "not_allowed"
    assert desk.owner.post(f"/matches/{match}/orders", order).json["code"] == "not_allowed"      # LG-123: unless they appoint themselves
    private = desk.match(ada, visibility="private", start=False, seats=[{"kind": "me"}, {"kind": "invited", "account": bob.id}])
    assert desk.first.get(f"/matches/{private}").status_code == 200
    assert desk.house.player().get(f"/matches/{private}").json["code"] == "not_found"


@rule("PL-151")
def test_roles_in_an_organisation_add_up_and_hold_there_only(desk: Desk):
    here, other = f"/organisations/{desk.organisation}", Desk(desk.house)
    assert desk.owner.put(f"{here}/roles/{desk.first.id}", {"role": "organiser"}).status_code == 204
    assert desk.owner.put(f"{here}/roles/{desk.first.id}", {"role": "referee"}).status_code == 204
    assert desk.first.get(here).json["my_roles"] == ["organiser", "referee"]
    assert desk.first.put(f"{here}/guests/{desk.second.id}").status_code == 204
    assert desk.second.post(f"{here}/guests/{desk.second.id}/accept").status_code == 204     # a member: may be entered by the organisation
    for stranger in (desk.owner, desk.first):
        assert stranger.get(f"/organisations/{other.organisation}").json["my_roles"] == []
        assert stranger.put(f"/organisations/{other.organisation}/roles/{desk.first.id}", {"role": "organiser"}).json["code"] == "not_allowed"
        assert stranger.put(f"/organisations/{other.organisation}/guests/{desk.first.id}").json["code"] == "not_allowed"
    assert desk.owner.delete(f"{here}/roles/{desk.first.id}?role=referee").status_code == 204
    assert desk.first.get(here).json["my_roles"] == ["organiser"]
    assert desk.first.delete(f"{here}/roles/{desk.first.id}").status_code == 204
    assert desk.first.get(here).json["my_roles"] == []


@rule("PL-152")
def test_operators_change_things_auditors_read_them_and_nobody_else_does_either(house: House, bob: Player):
    scopes = ["operator:read", "operator:write", "league:referee", "match:read", "organisation:manage"]
    operator, auditor, moderator, person = (house.player(roles=roles, scopes=scopes) for roles in (("operator",), ("auditor",), ("moderator",), ()))
    suspension = f"/operator/accounts/{bob.id}/suspension"
    assert operator.post(suspension, {"reason": "selling points"}).status_code == 200
    for reader in (operator, auditor):
        [line] = reader.get(f"/operator/audit?on={bob.id}").json["items"]
        assert (line["what"], line["who"], line["reason"]) == ("account.suspend", operator.id, "selling points")
    for other in (moderator, person):
        assert other.get("/operator/audit").json["code"] == "not_allowed"
    for reader in (auditor, moderator, person):
        assert reader.delete(suspension, {"reason": "selling points"}).json["code"] == "not_allowed"
        assert reader.post("/organisations", {"name": "Mine", "zone": "UTC"}).json["code"] == "not_allowed"
    assert operator.delete(suspension, {"reason": "the appeal was heard"}).status_code == 200


@rule("PL-152", "PL-214")
def test_the_log_of_acts_is_read_page_by_page_and_its_hashes_with_it(house: House, bob: Player):
    operator = house.player(roles=("operator",))
    for _ in range(3):
        operator.post(f"/operator/accounts/{bob.id}/suspension", {"reason": "selling points"})
    first = operator.get(f"/operator/audit?on={bob.id}&what=account.suspend&limit=2").json
    rest = operator.get(f"/operator/audit?on={bob.id}&what=account.suspend&limit=2&cursor={first['next']}").json
    lines = [*first["items"], *rest["items"]]
    assert (len(lines), rest["next"]) == (3, None)
    assert [line["number"] for line in lines] == sorted((line["number"] for line in lines), reverse=True)
    assert all(len(line["chain"]) == 64 for line in lines)
