"""What can be read of a season?"""

from __future__ import annotations

from typing import Any

import msgspec

from services.league.kind import Page, Scene
from services.league.season.state import ENDED, FINISHED, Season, proposed


def pages(state: Season, since: int, _: Scene) -> tuple[Page, ...]:
    """LG-568, LG-1001 The divisions with their tournaments, and the moves as soon as there are any."""
    if since >= state.version:
        return ()
    return (Page("head", 0, head(state)), *((Page("moves", 0, _moves(state)),) if state.state in {ENDED, FINISHED} else ()))


def head(state: Season) -> dict[str, Any]:
    return {
        "season": state.season, "organisation": state.organisation, "name": state.settings.name, "state": state.state, "version": state.version,
        "visibility": state.settings.visibility, "settings": msgspec.to_builtins(state.settings), "newcomers": list(state.newcomers),
        "staying_away": list(state.staying_away),
        "divisions": [_division(state, level) for level in range(len(state.settings.divisions))],
    }


def _division(state: Season, level: int) -> dict[str, Any]:
    division, table = state.settings.divisions[level], state.tables.get(level)
    return {"level": level, "name": division.name, "size": division.size, "up": division.up, "down": division.down,
            "tournament": table.tournament if table else None, "state": "finished" if table and table.revision else "running" if table else "missing"}


def _moves(state: Season) -> dict[str, Any]:
    """LG-568 Who plays where next, why, and what an organiser has changed."""
    before = {account: level for level, table in state.tables.items() for account in table.standing}
    places = state.places or tuple((move.entrant, move.level, move.cause) for move in proposed(state))
    lines = [{"account": account, "from": before.get(account), "to": level, "cause": cause,
              "reason": state.changes.get(account, (0, ""))[1]} for account, level, cause in places]
    return {"published": state.state == FINISHED, "lines": sorted(lines, key=lambda line: line["to"])}
