"""What can be read of championships? Plain facts, for the API and for pages alike."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import ROUND_HALF_EVEN, Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

from services.gateway.accounts import at
from services.gateway.edge.cursors import Cursor
from services.gateway.problems import Problem
from services.gateway.store import Store, Work
from shared.runtime.store import Queries, Row

SQL = Queries(Path(__file__).with_name("queries.sql"))
MOST_ENTRANTS = 1_000
MOST_ROUNDS = 64
Place = tuple[str, str] | None
EVERY: Mapping[str, Any] = {"championship": None, "game": None, "state": None, "account": None, "before": None, "before_id": None, "most": 1}


def championship(store: Store | Work, name: str) -> dict[str, Any]:
    """A championship as everybody may know it."""
    rows = store.all(SQL.listed, **{**EVERY, "championship": name})
    if not rows:
        raise Problem("not_found")
    return told(rows[0])


def listed(store: Store, asked: Mapping[str, Any], cursor: Cursor) -> dict[str, Any]:
    """PL-214 Newest first."""
    after = cursor.read(asked.get("cursor"))
    facts = {"game": asked.get("game"), "state": asked.get("state"), "account": asked.get("account"), "most": asked["limit"] + 1}
    facts |= {"before": after[0], "before_id": after[1]} if after else {}
    rows = store.all(SQL.listed, **{**EVERY, **facts})
    return cursor.page([(told(row), (row["created_at"].isoformat(), row["championship_id"])) for row in rows], asked["limit"])


def told(row: Row) -> dict[str, Any]:
    return {
        "championship": row["championship_id"], "name": row["name"], "organiser": {"account": row["organiser_id"], "name": row["organiser_name"]},
        "game": row["game"], "title": row["title"], "game_version": row["game_version"], "format": row["format"], "rounds": row["planned_rounds"],
        "seats": {"least": row["table_min"], "most": row["table_max"], "preferred": row["table_preferred"]}, "points": row["points"],
        "options": row["options"], "clock": row["clock"], "opponents": row["opponents"], "round_break_ms": row["round_break_ms"],
        "seed_hash": row["seed_hash"], "seed": row["seed_shown"], "state": row["state"], "version": row["version"], "as_of": row["as_of"],
        "entrants": row["entrants"], "round": row["round"], "open_pairings": row["open_pairings"], "created_at": at(row["created_at"]),
        "started_at": at(row["started_at"]), "ended_at": at(row["ended_at"]),
    }


def entrants(store: Store | Work, name: str, after: Place = None, most: int = MOST_ENTRANTS) -> list[dict[str, Any]]:
    """Everybody who has entered, in that order, also those who have withdrawn."""
    _refuse_unknown(store, name)
    moment, account = after or (None, None)
    rows = store.all(SQL.entrants, championship=name, after=moment, after_id=account, most=most)
    return [{**row, "entered_at": at(row["entered_at"]), "place": (row["entered_at"].isoformat(), row["account"])} for row in rows]


def rounds(store: Store | Work, name: str, after: int = 0, most: int = MOST_ROUNDS) -> list[dict[str, Any]]:
    """Each round with its tables: who sits where, and what became of it."""
    _refuse_unknown(store, name)
    rows = store.all(SQL.rounds, championship=name, after=after, most=most)
    return [{**row, "published_at": at(row["published_at"]), "completed_at": at(row["completed_at"]), "pairings": [_pairing(one) for one in row["pairings"]]}
            for row in rows]


def _pairing(pairing: Mapping[str, Any]) -> dict[str, Any]:
    return {**pairing, "seats": [{**_without_parts(seat), "points": exact(seat)} for seat in pairing["seats"]]}


def standings(store: Store | Work, name: str) -> dict[str, Any]:
    """LG-801, LG-807 The whole table at one version, marked with the number of pairings that are still open."""
    row = store.one(SQL.standings, championship=name)
    if row is None:
        raise Problem("not_found")
    return {"championship": row["championship"], "state": row["state"], "as_of": row["as_of"], "open_pairings": row["open_pairings"],
            "items": [_line(line) for line in row["lines"]]}


def _line(line: Mapping[str, Any]) -> dict[str, Any]:
    ties = [{"code": code, "value": value} for code, value in line["ties"]]
    return {**_without_parts(line), "points": exact(line), "points_shown": shown(Fraction(line["points_n"], line["points_d"])), "ties": ties}


def _without_parts(facts: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in facts.items() if name not in {"points_n", "points_d"}}


def exact(facts: Mapping[str, Any]) -> str | None:
    """PL-216 Points as a fraction in lowest terms, such as 10/3."""
    return None if facts["points_n"] is None else str(Fraction(facts["points_n"], facts["points_d"]))


def shown(points: Fraction) -> str:
    """LG-726 At most four decimals, half to even; no rank depends on it."""
    rounded = (Decimal(points.numerator) / Decimal(points.denominator)).quantize(Decimal("0.0001"), ROUND_HALF_EVEN)
    return f"{rounded.normalize():f}"


def _refuse_unknown(store: Store | Work, name: str) -> None:
    """PL-218"""
    championship(store, name)
