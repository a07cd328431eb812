"""What does an event change in a season?"""

from __future__ import annotations

from msgspec.structs import replace

from services.league.season.events import Added, AnyEvent, Came, Counted, Created, Going, Moved, Published, Removed, Set, Settled
from services.league.season.state import ENDED, FINISHED, RUNNING, Season, Table, is_over


def fold(state: Season | None, event: AnyEvent) -> Season:
    """LG-804 Each event makes the next version."""
    if isinstance(event, Created):
        return Season(event.season, event.organisation, event.settings)
    if state is None:
        raise ValueError("a season begins with `created`")
    return _folded(replace(state, version=state.version + 1), event)


def _folded(state: Season, event: AnyEvent) -> Season:
    match event:
        case Set():
            return replace(state, settings=event.settings)
        case Added():
            return replace(state, tables={**state.tables, event.level: Table(event.tournament)})
        case Removed():
            return replace(state, tables={level: table for level, table in state.tables.items() if table.tournament != event.tournament})
        case Published():
            return replace(state, state=RUNNING)
        case Counted():
            return _counted(state, event)
        case Going():
            away = tuple(account for account in state.staying_away if account != event.account)
            return replace(state, staying_away=away if event.on else (*away, event.account))
        case Came():
            return replace(state, newcomers={**state.newcomers, event.account: event.rating})
        case Moved():
            return replace(state, changes={**state.changes, event.account: (event.level, event.reason)})
        case Settled():
            return replace(state, state=FINISHED, places=event.places)
        case _:
            raise ValueError(f"{type(event).__name__} happens once")


def _counted(state: Season, event: Counted) -> Season:
    """A corrected standing takes back the changes that an organiser made to what was computed from the old one."""
    table = Table(event.tournament, event.revision, event.standing, event.barred)
    tables = {level: table if known.tournament == event.tournament else known for level, known in state.tables.items()}
    after = replace(state, tables=tables, changes={})
    return replace(after, state=ENDED, ended_at=event.at) if is_over(after) else after
