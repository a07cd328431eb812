"""How strong is somebody, and who is strongest? What the league has reckoned, with two decimals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from services.gateway.accounts import at
from services.gateway.competitions.sight import SQL
from services.gateway.edge.cursors import Cursor
from services.gateway.edge.gate import Gate
from services.gateway.problems import Problem
from services.gateway.rights import Caller
from shared.runtime.store import Row

LEAST_MATCHES = 10      # LG-845


def held(gate: Gate) -> dict[str, int]:
    """LG-810, PL-419 Before a spectator delay has passed ratings stand, for everybody and in the whole game, where they stood before: what comes
    later is reckoned from what may not be known yet.
    """
    return {row["game"]: row["first"] for row in gate.store.all(SQL.ratings_held)}


def leaders(gate: Gate, caller: Caller, game: str, asked: Mapping[str, Any]) -> dict[str, Any]:
    """LG-845, LG-846 By rank value; of two that are level the one with the lower id first."""
    cursor = Cursor(gate.sign_key, f"ratings {game}", caller.account, asked)
    after = cursor.read(asked.get("cursor")) or (None, None)
    first = held(gate).get(game)
    query, more = (SQL.leaders, {}) if first is None else (SQL.leaders_before, {"first": first})
    rows = gate.store.all(query, game=game, pool=asked["pool"], least=LEAST_MATCHES, after=after[0], after_id=after[1], most=asked["limit"] + 1, **more)
    items = [({"account": row["account"], "name": row["name"], "kind": row["kind"], "matches": row["matches"], **shown(row)},
              (row["mu"] - 3 * row["sigma"], row["account"])) for row in rows]
    return cursor.page(items, asked["limit"])


def of_account(gate: Gate, account: str) -> dict[str, Any]:
    """LG-847 Each game and pool, and over all games on offer; a game never played counts as 0."""
    if gate.store.one(SQL.known_account, target=account) is None:
        raise Problem("not_found")
    rows = ratings_of(gate, account)
    games = [row["game"] for row in gate.store.all(SQL.games_on_offer)]
    overall = {}
    for pool in ("human", "open"):
        values = {row["game"]: row["mu"] - 3 * row["sigma"] for row in rows if row["pool"] == pool}
        overall[pool] = f"{sum(values.get(game, 0.0) for game in games) / len(games):.2f}" if games and values else None
    return {"account": account, "items": [{"game": row["game"], "pool": row["pool"], "matches": row["matches"], **shown(row)} for row in rows],
            "overall": overall}


def ratings_of(gate: Gate, account: str) -> list[Row]:
    late = held(gate)
    rows = [row for row in gate.store.all(SQL.ratings_of, account=account) if row["game"] not in late]
    rows += [row for game, first in late.items() for row in gate.store.all(SQL.ratings_before, account=account, game=game, first=first)]
    return sorted(rows, key=lambda row: (row["game"], row["pool"]))


def history(gate: Gate, account: str, game: str, asked: Mapping[str, Any]) -> dict[str, Any]:
    """LG-851 What each rated match changed, newest first."""
    rows = gate.store.all(SQL.rating_history, account=account, game=game, pool=asked["pool"], before=asked.get("before"), first=held(gate).get(game),
                          most=asked["limit"] + 1)
    items = [{"number": row["number"], "match": row["match"], "tournament": row["tournament"], "at": at(row["at"]), "rule_version": row["rule_version"],
              "counted": row["counted"], "revision": row["revision"], "before": shown({"mu": row["mu_before"], "sigma": row["sigma_before"]}),
              "after": shown({"mu": row["mu_after"], "sigma": row["sigma_after"]})} for row in rows[:asked["limit"]]]
    return {"items": items, "next": items[-1]["number"] if len(rows) > asked["limit"] else None}


def shown(row: Row) -> dict[str, str]:
    return {"estimate": f"{row['mu']:.2f}", "rank_value": f"{row['mu'] - 3 * row['sigma']:.2f}"}
