"""What can be read of a championship?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

import msgspec

from services.league.championship.reach import intervals
from services.league.championship.state import FINISHED, Championship, Cup, game_lines, lines, outstanding
from services.league.counting.championship import Line, Result
from services.league.counting.possible import Interval
from services.league.kind import Page, Scene
from services.league.scoring import shown

LINES = 500


def pages(state: Championship, since: int, _: Scene) -> tuple[Page, ...]:
    """LG-614, LG-1001 All of them are made anew: one more tournament may move every line."""
    if since >= state.version:
        return ()
    found = [Page("head", 0, head(state)), *_table("standing", state, lines(state, bytes.fromhex(state.seed)),
                                                {} if state.state == FINISHED else intervals(state))]
    for game in sorted({cup.game for cup in state.cups}):
        found += _table(f"game/{game}", state, game_lines(state, game), {})
    return tuple(found)


def head(state: Championship) -> dict[str, Any]:
    return {
        "championship": state.championship, "organisation": state.organisation, "name": state.settings.name, "state": state.state,
        "visibility": state.settings.visibility, "version": state.version, "revision": state.revision, "settings": msgspec.to_builtins(state.settings),
        "tournaments": [_cup(cup, state) for cup in state.cups], "outstanding": outstanding(state), "winners": list(state.winners),
        "seed_hash": state.seed_hash, "seed": state.seed or None,
    }


def _cup(cup: Cup, state: Championship) -> dict[str, Any]:
    ranked = len(cup.places)
    return {"tournament": cup.tournament, "number": cup.number, "game": cup.game, "weight": cup.weight, "state": "finished" if cup.is_over else "running",
            "revision": cup.revision, "finished_at": cup.finished_at or None, "ranked": ranked,
            "too_small": cup.is_over and ranked < state.settings.least_field}                                   # LG-606


def _table(name: str, state: Championship, found: Sequence[Line], reach: dict[str, Interval]) -> Iterator[Page]:
    for part, first in enumerate(range(0, max(1, len(found)), LINES)):
        rows = [_line(line, reach) for line in found[first:first + LINES]]
        yield Page(name, part, {"revision": state.revision, "outstanding": outstanding(state), "lines": rows})


def _line(line: Line, reach: dict[str, Interval]) -> dict[str, Any]:
    interval = reach.get(line.account)
    return {
        "rank": line.rank, "account": line.account, **_points("net", line.net), **_points("gross", line.gross),
        "results": [_result(one) for one in line.results], "decided": line.decided,
        "possible": {"best": interval.best, "worst": interval.worst} if interval and line.rank else None,
    }


def _result(result: Result) -> dict[str, Any]:
    """LG-605, LG-609 A place that is shared shows all the places it covers; what is dropped is marked."""
    last = result.place + result.sharing - 1 if result.place else None
    return {"tournament": result.tournament, "game": result.game, "place_from": result.place, "place_to": last, **_points("points", result.points),
            "dropped": not result.kept, "kind": "disqualified" if result.barred else "ranked" if result.place else "missed"}


def _points(name: str, value: Fraction) -> dict[str, str]:
    """LG-726"""
    return {name: str(value), f"{name}_shown": shown(value)}
