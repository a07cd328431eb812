"""What may pure code look at besides the state? The card of the game, the people it asks for, fresh ids, the time."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec

from services.league.counting.rating import HUMAN, OPEN, Rating, hundredths
from services.league.inbox.deciding import Asked
from services.league.kind import Card, Person, Scene
from services.league.store import INBOX
from shared.runtime.store import Database, Row

KINDS = {"service": "automation"}       # LG-127
PEOPLE_ONLY = "humans"
FORMER = "former player"


def scene_of(database: Database, row: Row, acts: Iterable[Asked], counted: Iterable[str]) -> Scene:
    """All of it but time, actor and people, which differ from act to act."""
    wishes = [act.body.get("settings") or act.body.get("changes") or {} for act in acts]
    wish: Mapping[str, Any] = next((one for one in wishes if isinstance(one, Mapping) and "game" in one), {})
    game = wish.get("game", row["game"])
    return Scene(
        at=row["now"], seed=bytes(row["seed"]), next_seed=secrets.token_bytes(32), card=card_of(database, game, _options(wish)),
        fresh=fresh_id, frozen=frozen_of(database, counted))


def _options(wish: Mapping[str, Any]) -> Mapping[str, Any]:
    """Those of the game, on which its numbers of seats may rest."""
    playing = wish.get("playing")
    options = playing.get("options") if isinstance(playing, Mapping) else wish.get("options")
    return options if isinstance(options, Mapping) else {}


def card_of(database: Database, game: Any, options: Mapping[str, Any]) -> Card | None:
    """LG-101 All that the league knows of a game; None where it is not played here."""
    rows = database.all(INBOX.card, game=game) if isinstance(game, str) else []
    if not rows:
        return None
    newest = rows[-1]
    cases = [case["seats"] for case in newest["seats"].get("when", ()) if options.get(case["option"]) == case["is"]]
    allowed = set(cases[0]).intersection(*cases) if cases else newest["seats"].get("default", ())
    return Card(newest["game"], tuple(str(row["version"]) for row in rows), frozenset(allowed), has_score=True, levels=tuple(newest["bots"]))


def frozen_of(database: Database, counted: Iterable[str]) -> Mapping[str, Any]:
    """LG-602 Final standings only."""
    tournaments = sorted(set(counted))
    rows = database.all(INBOX.final_pages, tournaments=tournaments) if tournaments else []
    return {row["competition_id"]: msgspec.json.decode(row["body"]) for row in rows}


def people_of(database: Database, row: Row, opponents: str) -> Callable[[frozenset[str]], Mapping[str, Person]]:
    """Looks up the accounts that are asked for, each once in one look at a competition; what it says of their ratings, everybody may know (LG-810)."""
    known: dict[str, Person] = {}
    held: list[int | None] = []
    pool = HUMAN if opponents == PEOPLE_ONLY else OPEN

    def found(accounts: frozenset[str]) -> Mapping[str, Person]:
        if missing := sorted(accounts - known.keys()):
            if not held:
                held.append((database.one(INBOX.rating_held, game=row["game"]) or {})["first"])
            rows = database.all(INBOX.people, accounts=missing, organisation=row["organisation_id"], game=row["game"], pool=pool, first=held[0])
            known.update((one["account_id"], _person(one)) for one in rows)
        return known

    return found


def _person(row: Row) -> Person:
    rating = "" if row["mu"] is None else f"{float(hundredths(Rating(row['mu'], row['sigma']))):.2f}"
    return Person(
        row["account_id"], FORMER if row["gone"] else row["name"], KINDS.get(row["kind"], str(row["kind"])), row["owner_id"] or "",
        row["suspended"] or row["gone"], rating, row["matches"] or 0, row["member"], row["invited"])


def fresh_id(kind: str) -> str:
    """PL-217 Tells nothing about anything."""
    return f"{kind}-{secrets.token_urlsafe(15)}"
