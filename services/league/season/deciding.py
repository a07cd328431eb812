"""What becomes of an act, and what happens by itself in a season?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from services.league.kind import ORGANISER, OWNER, SELF, Decided, Scene
from services.league.refusals import Refused
from services.league.season.acts import Add, AnyAct, Change, Create, GoOn, Join, Move, Publish, Remove, Settle
from services.league.season.events import Added, AnyEvent, Came, Counted, Created, Going, Moved, Published, Removed, Set, Settled
from services.league.season.settings import changed, checked
from services.league.season.state import DRAFT, ENDED, FINISHED, RUNNING, Season, accounts, proposed

SHORTEST = 10                                           # characters of a reason, as for corrections (LG-913)
PUBLISHED_AFTER = 7 * 86_400_000                        # ms: the moves are published as computed after a week


def decide(state: Season | None, act: AnyAct, scene: Scene) -> Decided:
    """OP-42, LG-561 to LG-569 One act; refused, or the event that carries it out."""
    own = isinstance(act, GoOn | Join) and SELF in scene.actor.roles
    if not own and not scene.actor.roles & {OWNER, ORGANISER}:
        raise Refused("not_allowed", "owners and organisers look after a season")
    if isinstance(act, Create):
        if state is not None:
            raise Refused("wrong_state", "there is such a season already", [state.state])
        return Decided((Created(season=act.season, organisation=act.organisation, settings=checked(act.settings), at=scene.at,
                                by=scene.actor.account),))
    if state is None:
        raise Refused("not_found", "there is no such season")
    if act.expected_version not in {None, state.version}:
        raise Refused("version_conflict", "the season has changed", [state.version])
    return Decided((_event(state, act, scene),))


def _event(state: Season, act: AnyAct, scene: Scene) -> AnyEvent:
    """An act has a meaning in one state only, or in any before the end."""
    if state.state == FINISHED:
        raise Refused("frozen", "the moves of this season are published")
    only, carried_out = ACTS[type(act)]
    if only:
        _need(state, only)
    return carried_out(state, act, scene)


def _changed(state: Season, act: Change, scene: Scene) -> Set:
    return Set(settings=changed(state.settings, act.changes), at=scene.at, by=scene.actor.account)


def _need(state: Season, wanted: str) -> None:
    if state.state != wanted:
        raise Refused("wrong_state", f"only while the season is {wanted}", [state.state])


def _added(state: Season, act: Add, scene: Scene) -> Added:
    if not act.game:
        raise Refused("not_found", f"there is no tournament {act.tournament}")
    if not 0 <= act.level < len(state.settings.divisions) or act.level in state.tables:
        raise Refused("bad_setting", "level: one of the divisions, and one without a tournament", ["level"])
    if any(table.tournament == act.tournament for table in state.tables.values()):
        raise Refused("bad_setting", f"{act.tournament} is a division already", ["tournament"])
    return Added(tournament=act.tournament, level=act.level, at=scene.at, by=scene.actor.account)


def _removed(state: Season, act: Remove, scene: Scene) -> Removed:
    if all(table.tournament != act.tournament for table in state.tables.values()):
        raise Refused("not_found", f"{act.tournament} is no division here")
    return Removed(tournament=act.tournament, reason=act.reason, at=scene.at, by=scene.actor.account)


def _published(state: Season, _: Publish, scene: Scene) -> Published:
    missing = [one.name for level, one in enumerate(state.settings.divisions) if level not in state.tables]
    if missing:
        raise Refused("wrong_state", f"without a tournament: {', '.join(missing)}", missing)
    return Published(at=scene.at, by=scene.actor.account)


def _going(state: Season, act: GoOn, scene: Scene) -> Going:
    """LG-564 Said while it is played; after the end only by those who have played."""
    account = act.account or scene.actor.account
    if state.state == DRAFT:
        raise Refused("wrong_state", "the season has not begun", [state.state])
    if account not in accounts(state) and state.state == ENDED:
        raise Refused("not_found", f"{account} has not played in this season")
    return Going(account=account, on=act.yes, at=scene.at, by=scene.actor.account)


def _came(state: Season, act: Join, scene: Scene) -> Came:
    account = act.account or scene.actor.account
    if account in state.newcomers or account in accounts(state):
        raise Refused("already_entered", f"{account} is known here", [account])
    person = scene.people.get(account)
    return Came(account=account, rating=person.rating if person else "", at=scene.at, by=scene.actor.account)


def _moved(state: Season, act: Move, scene: Scene) -> Moved:
    """LG-568 With a reason, and not above what a division can hold."""
    if len(act.reason.strip()) < SHORTEST:
        raise Refused("reason_missing", f"a reason of at least {SHORTEST} characters")
    if act.account not in {move.entrant for move in proposed(state)}:
        raise Refused("not_found", f"{act.account} does not play next season")
    if not 0 <= act.level < len(state.settings.divisions):
        raise Refused("bad_setting", "level: one of the divisions", ["level"])
    return Moved(account=act.account, level=act.level, reason=act.reason, at=scene.at, by=scene.actor.account)


def _settled(state: Season, _: Settle | None, scene: Scene) -> Settled:
    return Settled(places=tuple((move.entrant, move.level, move.cause) for move in proposed(state)), at=scene.at, by=scene.actor.account)


ACTS: Mapping[type, tuple[str, Callable[[Season, Any, Scene], AnyEvent]]] = {
    Change: (DRAFT, _changed), Add: (DRAFT, _added), Remove: (DRAFT, _removed), Publish: (DRAFT, _published), GoOn: ("", _going), Join: ("", _came),
    Move: (ENDED, _moved), Settle: (ENDED, _settled),
}


def advance(state: Season, scene: Scene) -> tuple[AnyEvent, ...]:
    """LG-564 Frozen standings are counted; a week after the last one the moves are published as they are."""
    if due(state) is not None and scene.at >= (due(state) or 0):
        return (_settled(state, None, scene),)
    return tuple(_new_standings(state, scene)) if state.state in {RUNNING, ENDED} else ()


def due(state: Season) -> int | None:
    return state.ended_at + PUBLISHED_AFTER if state.state == ENDED else None


def _new_standings(state: Season, scene: Scene) -> Iterator[Counted]:
    for table in state.tables.values():
        final = scene.frozen.get(table.tournament)
        if final is not None and final["revision"] > table.revision:
            places, barred = final["places"], tuple(final["barred"])
            standing = tuple(sorted(places, key=lambda account: (places[account], account)))
            yield Counted(tournament=table.tournament, revision=final["revision"], standing=(*standing, *barred), barred=barred, at=scene.at)
