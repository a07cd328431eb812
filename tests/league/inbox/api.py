"""How do tests speak to the league over HTTP? Callers with tokens before a gateway, and a league that runs beside it."""

from __future__ import annotations

import itertools
import threading
from typing import Any

from psycopg.types.json import Jsonb

from services.gateway.app import create_app
from services.gateway.store import Store
from services.gateway.tokens import make_token
from services.league.tasks import League
from tests.league.inbox.conftest import GAME, ORG, Hall

KEYS = itertools.count(1)
TWO = {"least": 2, "most": 2, "preferred": 2}
SCOPES = ("league:read", "league:enter", "league:run", "league:referee", "organisation:manage")
CUP = {"name": "Autumn cup", "game": GAME, "opponents": "mixed", "stages": [{"format": "swiss", "rounds": 2, "seats": TWO}],
       "playing": {"clock": {"preset": "quick"}}, "schedule": {"round_break": "0 minutes"}}


class Api:
    """Ada owns the club, Bo organises in it; Cy, Dee and Ada's robot play; Op is the host."""

    def __init__(self, hall: Hall, *, league: bool = True) -> None:
        self.hall = hall
        hall.do("UPDATE games SET presets = %s", Jsonb({"quick": {"throw": 15}}))
        for name in ("ada", "bo", "cy", "dee", "op"):
            hall.account(name, "person")
        hall.account("robot")
        hall.do("UPDATE accounts SET owner_id = 'ada' WHERE account_id = 'robot'")
        hall.do("UPDATE accounts SET roles = '{operator}' WHERE account_id = 'op'")
        hall.do("INSERT INTO organisation_roles VALUES (%s, 'ada', 'owner', 'host'), (%s, 'bo', 'organiser', 'ada')", ORG, ORG)
        self.app = create_app(hall.settings, attended=False)
        self._store = Store(hall.settings)
        self._tokens: dict[str, str] = {}
        self.league = League(hall.settings)
        self._thread = threading.Thread(target=self.league.run, daemon=True)
        if league:
            self._thread.start()

    def token(self, account: str, *scopes: str, **more: Any) -> str:
        with self._store.work() as work:
            row = work.one("SELECT * FROM accounts WHERE account_id = %(account)s", account=account)
            wanted = scopes or (*SCOPES, *(("operator:write",) if account == "op" else ()))
            return make_token(work, row, {"label": "test", "scopes": list(wanted), **more}, at_the_machine=True)["secret"]

    def call(self, method: str, path: str, who: str | None = None, body: object = None, **headers: str) -> Any:
        if who is not None:
            token = who if who.startswith("lg_") else self._tokens.get(who) or self.token(who)
            if not who.startswith("lg_"):
                self._tokens[who] = token
            headers["Authorization"] = f"Bearer {token}"
        if method != "GET":
            headers.setdefault("Idempotency-Key", f"k-{next(KEYS)}")
        more = {"json": body if body is not None else {}} if method in {"POST", "PUT", "PATCH"} else {}
        return self.app.test_client(use_cookies=False).open(f"/api/v1{path}", method=method, headers=headers, **more)

    def made(self, who: str = "ada", **changes: object) -> str:
        answer = self.call("POST", "/tournaments", who, {"organisation": ORG, "settings": {**CUP, **changes}})
        assert answer.status_code == 201, answer.json
        return str(answer.json["tournament"])

    def act(self, tournament: str, kind: str, who: str = "ada", **facts: object) -> Any:
        return self.call("POST", f"/tournaments/{tournament}/acts", who, {"kind": kind, **facts})

    def opened(self, *entrants: str, **changes: object) -> str:
        """A tournament open for entry, with these entrants."""
        tournament = self.made(**changes)
        assert self.act(tournament, "open", forecast_seen=True).status_code == 200
        for name in entrants:
            answer = self.act(tournament, "enter", name)
            assert answer.status_code == 200, answer.json
        return tournament

    def close(self) -> None:
        self.league.stop()
        if self._thread.ident is not None:
            self._thread.join(10)
        self._store.close()
        self.app.extensions["gate"].close()


def code(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json["code"]
