"""Over HTTP: is a championship made only as it may be, entered by whom it may be, started once, and told exactly?"""

import itertools
from collections.abc import Iterator

import pytest
from psycopg.types.json import Jsonb

from services.gateway.app import create_app
from services.gateway.competitions.reading import shown
from services.gateway.store import Store
from services.gateway.tokens import make_token
from services.league.standings import Fraction
from services.league.tasks import League
from tests.league.conftest import GAME, Club, settle
from tests.ledger import rule

KEYS = itertools.count(1)
WISH = {"name": "Autumn cup", "game": GAME, "rounds": 2, "seats": {"least": 3, "most": 4}, "opponents": "mixed", "clock": {"preset": "quick"}}


class Api:
    """Callers with tokens, and what the gateway says to them."""

    def __init__(self, club: Club) -> None:
        self.club = club
        self.client = create_app(club.settings, attended=False).test_client()
        self._store = Store(club.settings)
        club.database.execute("UPDATE games SET seats = %s, presets = %s, options = %s", (
            Jsonb({"default": [2, 3, 4, 5], "when": []}), Jsonb({"quick": {"throw": 15}}), Jsonb({"type": "object", "properties": {}, "additionalProperties": False})))
        self._tokens: dict[str, str] = {}

    def account(self, name: str, kind: str = "person", owner: str | None = None) -> str:
        self.club.database.execute("INSERT INTO accounts (account_id, name, name_key, kind, owner_id) VALUES (%s, %s, %s, %s, %s)",
                                   (name, name, name, kind, owner))
        return name

    def token(self, account: str, *scopes: str) -> str:
        with self._store.work() as work:
            row = work.one("SELECT * FROM accounts WHERE account_id = %(account)s", account=account)
            return make_token(work, row, {"label": "test", "scopes": scopes or ["league:read", "league:enter", "league:run"]})["secret"]

    def call(self, method: str, path: str, who: str | None = None, body: object = None, **headers: str):
        if who is not None:
            token = who if who.startswith("lg_") else self._tokens.setdefault(who, "") or self.token(who)
            self._tokens.setdefault(who, token)
            headers["Authorization"] = f"Bearer {token}"
        if method != "GET":
            headers.setdefault("Idempotency-Key", f"k-{next(KEYS)}")
        more = {"json": body if body is not None else {}} if method in {"POST", "PUT"} else {}
        return self.client.open(f"/api/v1{path}", method=method, headers=headers, **more)

    def made(self, **wish: object) -> str:
        answer = self.call("POST", "/championships", "ada", {**WISH, **wish})
        assert answer.status_code == 201, answer.json
        return answer.json["championship"]

    def close(self) -> None:
        self._store.close()
        self.client.application.extensions["gate"].close()


@pytest.fixture
def api(club: Club) -> Iterator[Api]:
    api = Api(club)
    for name in ("ada", "bo", "cy", "dee"):
        api.account(name)
    api.account("robot", "bot", "ada")
    yield api
    api.close()


def code(answer) -> tuple[int, str]:
    return answer.status_code, answer.json["code"]


@rule("LG-106", "LG-254", "PL-232", "PL-216")
def test_the_answer_shows_every_default(api: Api):
    answer = api.call("POST", "/championships", "ada", WISH)
    told = answer.json
    assert answer.status_code == 201
    assert answer.headers["Location"] == f"/api/v1/championships/{told['championship']}"
    assert (told["seats"], told["points"], told["state"], told["game_version"], told["version"]) == ({"least": 3, "most": 4, "preferred": 4}, {}, "open", 1, 1)
    assert (told["organiser"], told["seed"], len(told["seed_hash"])) == ({"account": "ada", "name": "ada"}, None, 64)
    assert told["clock"]["preset"] == "quick"
    assert api.call("GET", f"/championships/{told['championship']}").json == told
    assert [item["championship"] for item in api.call("GET", "/championships?state=open").json["items"]] == [told["championship"]]
    assert api.call("GET", "/championships?game=other").json == {"items": [], "next": None}


@rule("LG-277", "LG-102", "PL-107", "PL-485")
@pytest.mark.parametrize(("change", "status", "problem"), [
    ({"seats": {"least": 3, "most": 6}}, 422, "bad_setting"), ({"seats": {"least": 4, "most": 3}}, 422, "bad_setting"),
    ({"points": {"3": ["3", "2", "1"]}}, 422, "bad_setting"), ({"points": {"3": ["1", "2", "3"], "4": ["3", "2", "1", "0"]}}, 422, "bad_setting"),
    ({"points": {"3": ["x"], "4": []}}, 422, "invalid"), ({"rounds": 65}, 422, "invalid"), ({"rounds": "2"}, 422, "invalid"),
    ({"winner": "ada"}, 422, "invalid"), ({"options": {"odd": 1}}, 422, "option_unknown"), ({"clock": {"preset": "none"}}, 422, "invalid"),
    ({"game": "chess"}, 409, "no_version"), ({"name": ""}, 422, "invalid")])
def test_what_does_not_fit_is_refused_and_stores_nothing(api: Api, change: dict, status: int, problem: str):
    assert code(api.call("POST", "/championships", "ada", {**WISH, **change})) == (status, problem)
    assert api.call("GET", "/championships").json["items"] == []


@rule("LG-126", "LG-131", "PL-174", "PL-206")
def test_who_may_make_and_run_a_championship(api: Api):
    assert code(api.call("POST", "/championships", None, WISH)) == (401, "not_signed_in")
    assert code(api.call("POST", "/championships", api.token("ada", "league:read"), WISH)) == (403, "scope_missing")
    assert code(api.call("POST", "/championships", api.token("robot"), WISH)) == (403, "scope_missing")
    championship = api.made()
    assert code(api.call("POST", f"/championships/{championship}/start", "bo")) == (403, "not_allowed")
    assert code(api.call("POST", "/championships/t-nothing/start", "bo")) == (404, "not_found")
    assert code(api.call("GET", "/championships/t-nothing")) == (404, "not_found")
    assert code(api.call("GET", "/championships/t-nothing/standings")) == (404, "not_found")
    assert code(api.client.post("/api/v1/championships", json=WISH, headers={"Authorization": f"Bearer {api.token('ada')}"})) == (400, "key_missing")


@rule("LG-142", "LG-143", "PL-208", "PL-209")
def test_the_same_key_makes_one_championship(api: Api):
    first = api.call("POST", "/championships", "ada", WISH, **{"Idempotency-Key": "one"})
    again = api.call("POST", "/championships", "ada", WISH, **{"Idempotency-Key": "one"})
    assert again.json == first.json
    assert again.headers["Idempotency-Replayed"] == "true"
    assert code(api.call("POST", "/championships", "ada", {**WISH, "rounds": 3}, **{"Idempotency-Key": "one"})) == (422, "key_reused")
    assert len(api.call("GET", "/championships").json["items"]) == 1


@rule("LG-222", "LG-223", "LG-128", "LG-235")
def test_who_may_enter(api: Api):
    championship = api.made()
    path = f"/championships/{championship}/entrants"
    assert api.call("POST", path, "bo").status_code == 201
    assert code(api.call("POST", path, "bo")) == (409, "already_entered")
    assert code(api.call("POST", path, "bo", {"account": "cy"})) == (409, "no_consent")
    assert code(api.call("POST", path, "bo", {"account": "robot"})) == (409, "no_consent")
    assert code(api.call("POST", path, "bo", {"account": "nobody"})) == (404, "not_found")
    assert api.call("POST", path, "ada", {"account": "robot"}).status_code == 201
    assert code(api.call("POST", path, api.token("robot"))) == (409, "already_entered")
    assert api.call("DELETE", f"{path}/robot", api.token("robot")).status_code == 204
    assert api.call("POST", path, api.token("robot")).status_code == 201
    assert code(api.call("DELETE", f"{path}/bo", "cy")) == (409, "no_consent")
    assert api.call("DELETE", f"{path}/bo", "bo").status_code == 204
    assert code(api.call("DELETE", f"{path}/bo", "bo")) == (404, "not_found")
    told = {item["account"]: (item["state"], item["kind"], item["owner"]) for item in api.call("GET", path).json["items"]}
    assert told == {"bo": ("withdrawn", "person", None), "robot": ("entered", "bot", "ada")}
    assert api.call("GET", f"/championships/{championship}").json["entrants"] == 1


@rule("LG-225", "LG-127", "LG-961", "PL-528")
def test_only_the_kinds_it_is_for_take_part(api: Api):
    api.account("machine", "service")
    persons, bots = api.made(opponents="persons"), api.made(opponents="bots")
    answer = api.call("POST", f"/championships/{persons}/entrants", "ada", {"account": "robot"})
    assert code(answer) == (409, "not_eligible")
    assert len(answer.json["errors"]) == 1
    assert code(api.call("POST", f"/championships/{bots}/entrants", "bo")) == (409, "not_eligible")
    assert code(api.call("POST", f"/championships/{persons}/entrants", "machine")) == (409, "not_eligible")


@rule("PL-214", "PL-215")
def test_lists_go_on_with_a_cursor(api: Api):
    for number in range(5):
        api.made(name=f"Cup {number}")
    championship = api.made(name="Last")
    for name in ("ada", "bo", "cy"):
        api.call("POST", f"/championships/{championship}/entrants", name)
    for path, expected in (("/championships?limit=2", 6), (f"/championships/{championship}/entrants?limit=2", 3)):
        found, following = [], ""
        while True:
            page = api.call("GET", path + following).json
            found += page["items"]
            if page["next"] is None:
                break
            following = f"&cursor={page['next']}"
        assert len(found) == len({str(item) for item in found}) == expected
    assert code(api.call("GET", f"/championships?limit=2&cursor={'x' * 40}")) == (400, "bad_cursor")


@rule("LG-166", "LG-221", "PL-255")
def test_from_entry_to_the_last_standing(api: Api, league: League):
    championship = api.made(rounds=1, round_break_ms=0, points={"3": ["5", "5/2", "0"], "4": ["5", "3", "2", "0"]})
    path = f"/championships/{championship}"
    for name in ("ada", "bo"):
        api.call("POST", f"{path}/entrants", name)
    assert code(api.call("POST", f"{path}/start", "ada")) == (409, "not_enough_players")
    api.call("POST", f"{path}/entrants", "cy")
    for _ in range(2):
        assert api.call("POST", f"{path}/start", "ada").json["state"] == "running"
    assert code(api.call("POST", f"{path}/entrants", "dee")) == (409, "entry_closed")
    assert code(api.call("DELETE", f"{path}/entrants/cy", "cy")) == (409, "wrong_state")
    settle(league)
    [one] = api.call("GET", f"{path}/rounds").json["items"]
    [table] = one["pairings"]
    assert (one["round"], one["state"], table["state"], table["match_state"]) == (1, "published", "running", "open")
    assert sorted(seat["name"] for seat in table["seats"]) == ["ada", "bo", "cy"]
    assert api.call("GET", f"{path}/standings").json["open_pairings"] == 1
    api.club.finish(table["match"], (1, 1, 3))
    settle(league)
    told = api.call("GET", path).json
    assert (told["state"], told["open_pairings"], len(told["seed"])) == ("finished", 0, 64)
    standing = api.call("GET", f"{path}/standings").json
    assert (standing["as_of"], standing["state"]) == (told["version"], "finished")
    assert [(line["rank"], line["points"], line["points_shown"], line["decided"]) for line in standing["items"]] == [
        (1, "15/4", "3.75", ""), (1, "15/4", "3.75", ""), (3, "0", "0", "points")]
    [table] = api.call("GET", f"{path}/rounds").json["items"][0]["pairings"]
    assert [(seat["place"], seat["points"], seat["how"]) for seat in table["seats"]] == [(1, "15/4", "played"), (1, "15/4", "played"), (3, "0", "played")]
    assert code(api.call("POST", f"{path}/start", "ada")) == (409, "wrong_state")


@rule("PL-175")
def test_a_token_bound_elsewhere_does_nothing_here(api: Api):
    championship, other = api.made(), api.made()
    with api._store.work() as work:
        row = work.one("SELECT * FROM accounts WHERE account_id = 'bo'")
        wish = {"label": "bound", "scopes": ["league:enter", "league:run"], "bound_to": {"championship": other}}
        token = make_token(work, row, wish)["secret"]
    assert code(api.call("POST", f"/championships/{championship}/entrants", token)) == (403, "not_allowed")
    assert code(api.call("POST", "/championships", token, WISH)) == (403, "not_allowed")
    assert api.call("POST", f"/championships/{other}/entrants", token).status_code == 201


@rule("LG-726")
@pytest.mark.parametrize(("points", "told"), [("13/3", "4.3333"), ("11575/44", "263.0682"), ("1/32", "0.0312"), ("-7/3", "-2.3333"), ("10", "10"), ("0", "0")])
def test_how_points_are_shown(points: str, told: str):
    assert shown(Fraction(points)) == told
