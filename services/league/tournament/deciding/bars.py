"""Which constraints can no round keep, and who shows it?"""

from __future__ import annotations

from msgspec.structs import replace

from services.league.stages.constraints import impossible as found_impossible
from services.league.tournament import shelf
from services.league.tournament.facts import facts
from services.league.tournament.looking import running
from services.league.tournament.state import ENTERED, Bars, State

MOST = 2_000                                    # entrants for whom it is worked out


def impossible(state: State, bars: Bars) -> tuple[str, ...]:
    """LG-953 A smallest set of entrants that shows it, by account; before the start for those who have entered so far."""
    stage = running(state) or replace(state.stages[0], field=(), numbers={})
    if not stage.field:
        places = tuple(place for place, one in enumerate(shelf.every(state.entrants)) if one.state == ENTERED)
        stage = replace(stage, field=places, numbers={place: number for number, place in enumerate(places, start=1)})
    if not 1 < len(stage.field) <= MOST:
        return ()
    found = facts(replace(state, bars=bars), stage, bytes(32))
    return tuple(shelf.at(state.entrants, stage.field[number - 1]).account for number in found_impossible(found))
