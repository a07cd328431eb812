"""What do championships read of a tournament that is over?"""

from __future__ import annotations

from collections.abc import Iterator

from services.league.kind import Page
from services.league.stages import table_of
from services.league.tournament import shelf
from services.league.tournament.facts import meeting_of
from services.league.tournament.looking import account_of, rules_of
from services.league.tournament.ranks import overall
from services.league.tournament.state import DISQUALIFIED, FINISHED, WITHDRAWN, Stage, State


def final(state: State) -> Iterator[Page]:
    """LG-602, LG-606, LG-612 Places, who is barred or has withdrawn, and who came where at every table; anew with each revision."""
    if state.life != FINISHED:
        return
    yield Page("final", 0, {
        "tournament": state.tournament, "game": state.settings.game, "revision": state.revision, "finished_at": state.finished_at,
        "places": overall(state), "barred": _those(state, DISQUALIFIED), "withdrawn": _those(state, WITHDRAWN),
        "tables": [table for stage in state.stages for table in _tables(state, stage)]})


def _those(state: State, how: str) -> list[str]:
    return [one.account for one in shelf.every(state.entrants) if one.state == how]


def _tables(state: State, stage: Stage) -> Iterator[dict[str, int]]:
    rules = rules_of(state.settings, stage)
    for one in stage.rounds:
        for pairing in shelf.every(one.pairings):
            table = table_of(rules, meeting_of(pairing)) if pairing.state == "confirmed" else ()
            came = [seat for seat in table if seat.how != "no_show"]
            if len(came) > 1:
                yield {account_of(state, stage, seat.number): seat.place for seat in came}
