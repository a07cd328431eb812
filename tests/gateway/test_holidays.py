"""How does somebody take a holiday, and which matches hear of it? And which hours may a match have?"""

from __future__ import annotations

import pytest

from services.gateway.store import SQL
from shared.desk.verify import verified
from tests.gateway.conftest import House, Player
from tests.laws.pebbles.game import GAME
from tests.ledger import rule

HOUR, DAY = 3_600_000, 86_400_000
SLOW = {"preset": "none", "limit_ms": 2 * DAY}


def rest(player: Player, days: int):
    return player.patch("/me", {"holidays": {"days": days}}, headers={"If-Match": player.get("/me").headers["ETag"]})


def holidays(player: Player) -> dict:
    return player.get("/me").json["holidays"]


def due(house: House, match: str, seat: int = 0):
    return house.one("SELECT due_at FROM asks WHERE match_id = %s AND seat = %s", match, seat)["due_at"]


def orders(house: House, match: str) -> list:
    return [row["body"] for row in house.rows(match) if row["kind"] == "order"]


@rule("PL-504", "PL-503")
def test_a_holiday_stops_the_clocks_of_matches_by_correspondence_and_all_seats_see_it(house: House, ada: Player, bob: Player):
    slow, other, quick = house.match(ada, bob, clock=SLOW), house.match(ada, bob, clock={**SLOW, "holidays": False}), house.match(ada, bob, clock={"preset": "quick"})
    before = {match: due(house, match) for match in (slow, other, quick)}
    told = rest(ada, 5)
    assert (told.status_code, told.json["holidays"]["left"]) == (200, 23)
    assert house.rows(slow)[-1]["outcome"] is None            # told in the transaction of the holiday itself
    house.work()
    assert {match: (due(house, match) - at).days for match, at in before.items()} == {slow: 5, other: 0, quick: 0}
    assert [len(orders(house, match)) for match in (slow, other, quick)] == [1, 0, 0]
    seen = bob.get(f"/matches/{slow}/view").json["clocks"]["seats"]
    assert [seat.get("away_until") for seat in seen] == [holidays(ada)["ends_at"], None]
    letter = bob.get(f"/matches/{slow}/letters").json["items"][-1]
    assert (letter["order"]["kind"], letter["order"]["target"]) == ("holiday", 0)


@rule("PL-504")
def test_a_holiday_that_ends_sooner_gives_back_its_time_and_the_days_that_have_not_begun(house: House, ada: Player, bob: Player):
    match = house.match(ada, bob, clock=SLOW)
    before = due(house, match)
    rest(ada, 5)
    house.work()
    house.do("UPDATE holidays SET begins_at = begins_at - interval '30 hours', ends_at = ends_at - interval '30 hours' WHERE account_id = %s", ada.id)
    assert (rest(ada, 0).status_code, holidays(ada)) == (200, {"days": 28, "left": 26, "begins_at": None, "ends_at": None})
    house.work()
    assert 0 <= (due(house, match) - before).total_seconds() < 60
    assert rest(ada, 0).json["code"] == "wrong_state"


@rule("PL-504")
def test_a_year_has_so_many_days_and_one_holiday_at_a_time(house: House, ada: Player):
    refused = rest(ada, 29)
    assert (refused.status_code, refused.json["errors"][0]["pointer"]) == (422, "/holidays/days")
    assert rest(ada, 3).status_code == 200
    assert rest(ada, 1).json["code"] == "wrong_state"
    assert rest(ada, 0).status_code == 200
    assert holidays(ada)["left"] == 27
    house.do("UPDATE holidays SET year = year - 1 WHERE account_id = %s", ada.id)
    assert holidays(ada)["left"] == 28
    assert ada.get("/me/export").status_code in {200, 401, 403}


@rule("PL-504", "PL-135")
def test_an_account_that_is_deleted_leaves_no_holidays(house: House, ada: Player):
    rest(ada, 3)
    with house.gate.work() as work:
        work.do(SQL.account_deleted, account=ada.id, name="former player")
    assert house.all("SELECT FROM holidays WHERE account_id = %s", ada.id) == []


@rule("PL-504")
def test_bots_take_no_holidays(house: House, ada: Player):
    bot = house.player("bot", owner=ada.id, scopes=["account:read", "account:write"])
    assert rest(bot, 2).json["code"] == "not_allowed"


@rule("PL-504", "PL-494")
def test_days_are_those_of_the_calendar_of_the_account(house: House, ada: Player):
    ada.patch("/me", {"zone": "Europe/Rome"}, headers={"If-Match": ada.get("/me").headers["ETag"]})
    rest(ada, 28)
    row = house.one("SELECT begins_at AT TIME ZONE 'Europe/Rome' AS begins, ends_at AT TIME ZONE 'Europe/Rome' AS ends FROM holidays WHERE account_id = %s", ada.id)
    assert (row["ends"] - row["begins"]).total_seconds() == 28 * 86_400


@rule("PL-504", "PL-413", "PL-622")
def test_a_match_with_holidays_is_carried_out_again_from_its_record(house: House, ada: Player, bob: Player):
    match = house.match(ada, bob, clock=SLOW)
    for days in (5, 0):
        rest(ada, days)
        house.work()
    house.play_out(match, ada, bob)
    record = ada.get(f"/matches/{match}/record").data.decode()
    assert record.count('"holiday"') == 2
    assert not [finding for finding in verified({"pebbles": GAME}, record) if finding.difference]


@rule("PL-504")
def test_a_match_that_starts_in_a_holiday_hears_of_it_at_once(house: House, ada: Player, bob: Player):
    rest(ada, 5)
    match = house.match(ada, bob, clock=SLOW)
    row = house.one("SELECT s.due_at - h.ends_at AS left FROM asks s, holidays h WHERE s.match_id = %s AND s.seat = 0 AND h.account_id = %s", match, ada.id)
    assert row["left"].total_seconds() == 2 * 86_400
    assert len(orders(house, house.match(bob, ada, clock={"preset": "quick"}))) == 0


@rule("PL-504")
def test_a_match_that_is_about_to_start_and_one_that_stands_hear_of_it_too(house: House, ada: Player, bob: Player):
    paused, starting = house.match(ada, bob, clock=SLOW), house.match(ada, bob, clock=SLOW, start=False)
    for player in (ada, bob):
        player.post(f"/matches/{paused}/proposals" if player is ada else f"/matches/{paused}/proposals/1/answers",
                    {"kind": "pause"} if player is ada else {"answer": "yes"})
        player.post(f"/matches/{starting}/ready", {"ready": True})
    rest(ada, 2)
    house.work()
    assert [len(orders(house, match)) for match in (paused, starting)] == [1, 1]
    assert due(house, paused) is None
    bob.post(f"/matches/{paused}/proposals", {"kind": "resume"})
    house.work()
    for match in (paused, starting):
        assert 4 * 86_400 - 60 < house.one("SELECT extract(epoch FROM due_at - now())::float AS left FROM asks WHERE match_id = %s AND seat = 0", match)["left"] <= 4 * 86_400


@rule("PL-504", "PL-490")
def test_no_time_out_passes_a_holiday_and_no_holiday_undoes_what_is_due(house: House, ada: Player, bob: Player):
    match = house.match(ada, bob, clock=SLOW)
    house.do("UPDATE asks SET due_at = now() - interval '10 seconds' WHERE match_id = %s AND seat = 0", match)
    rest(ada, 2)
    took = house.one("SELECT accept_own(%s, 'timeout', 0, ask, '{}', due_at, 0, 'c-x') AS arrival FROM asks WHERE match_id = %s AND seat = 0", match, match)
    assert took["arrival"] is None


@rule("PL-504")
def test_the_settings_say_how_many_days_a_year_has(house: House, ada: Player):
    assert holidays(ada)["days"] == house.settings.holiday_days == 28


@rule("PL-493", "PL-107")
@pytest.mark.parametrize(("hours", "pointer"), [
    ({"opens": "08:00", "closes": "08:30"}, "/clock/hours"), ({"opens": "8", "closes": "22:00"}, "/clock/hours/opens"),
    ({"opens": "08:00", "closes": "22:00", "zone": "Europe/Nowhere"}, "/clock/hours/zone"), ({"opens": "08:00"}, "/clock/hours/closes"),
])
def test_hours_that_cannot_be_are_refused_with_their_field(ada: Player, hours: dict, pointer: str):
    refused = ada.post("/matches", {"game": "pebbles", "seats": [{"kind": "me"}, {"kind": "open"}], "clock": {"hours": hours}})
    assert (refused.status_code, refused.json["errors"][0]["pointer"]) == (422, pointer)


@rule("PL-493", "PL-497")
def test_the_due_time_that_is_told_is_computed_with_the_hours(house: House, ada: Player, bob: Player):
    match = house.match(ada, bob, clock={"preset": "none", "limit_ms": 30 * HOUR, "hours": {"opens": "08:00", "closes": "22:00", "zone": "Europe/Rome"}})
    assert ada.get(f"/matches/{match}").json["clock"]["hours"] == {"opens": "08:00", "closes": "22:00", "zone": "Europe/Rome"}
    (ask,) = [ask for ask in ada.get(f"/matches/{match}/asks").json["items"] if ask["needed"]]
    span = house.one("SELECT (due_at AT TIME ZONE 'Europe/Rome')::time BETWEEN '08:00' AND '22:00' AS inside, due_at - opened_at AS left FROM asks "
                     "WHERE match_id = %s AND seat = 0", match)
    assert ask["due_at"] == bob.get(f"/matches/{match}/view").json["clocks"]["seats"][0]["due_at"]
    assert span["inside"]
    assert span["left"].total_seconds() > 46 * 3600            # two nights lie between


@rule("PL-578", "PL-576")
def test_a_reminder_is_among_the_notices_as_long_as_its_ask_is_open(house: House, ada: Player, bob: Player):
    match = house.match(ada, bob, clock=SLOW)
    ask = house.open_ask(match)
    house.do("UPDATE asks SET remind_at = now() - interval '1 second' WHERE match_id = %s", match)
    house.worker.database.one("SELECT remind(%(match)s, 0, %(ask)s)", match=match, ask=ask["ask"])
    (notice,) = ada.get("/me/notices").json["items"]
    assert (notice["kind"], notice["match"], notice["facts"]["due"]) == ("answer_due", match, int(ask["due_at"].timestamp() * 1000))
    ada.command(match, ask["ask"], {"do": "rest"})
    house.work()
    assert ada.get("/me/notices").json["items"] == []
