"""What does an event change in a championship?"""

from __future__ import annotations

from msgspec.structs import replace

from services.league.championship.events import Added, AnyEvent, Counted, Created, Finished, Published, Removed, Set
from services.league.championship.state import FINISHED, RUNNING, Championship, Cup


def fold(state: Championship | None, event: AnyEvent) -> Championship:
    """LG-804 Each event makes the next version."""
    if isinstance(event, Created):
        return Championship(event.championship, event.organisation, event.settings, event.seed_hash)
    if state is None:
        raise ValueError("a championship begins with `created`")
    return _folded(replace(state, version=state.version + 1), event)


def _folded(state: Championship, event: AnyEvent) -> Championship:
    match event:
        case Set():
            return replace(state, settings=event.settings)
        case Added():
            cup = Cup(event.tournament, event.game, event.weight, state.added + 1)
            return replace(state, cups=(*state.cups, cup), added=state.added + 1)
        case Removed():
            return replace(state, cups=tuple(cup for cup in state.cups if cup.tournament != event.tournament), revision=state.revision + 1)
        case Published():
            return replace(state, state=RUNNING)
        case Counted():
            return replace(state, cups=tuple(_ended(cup, event) for cup in state.cups), revision=state.revision + 1)
        case Finished():
            return replace(state, state=FINISHED, winners=event.winners, seed=event.seed)
        case _:
            raise ValueError(f"{type(event).__name__} happens once")


def _ended(cup: Cup, event: Counted) -> Cup:
    if cup.tournament != event.tournament:
        return cup
    return replace(cup, revision=event.revision, finished_at=event.finished_at, places=event.places, barred=event.barred, tables=event.tables)
