"""What becomes of an act, and what happens by itself?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from services.league.championship.acts import Add, AnyAct, Change, Create, Finish, Publish, Remove
from services.league.championship.events import Added, AnyEvent, Counted, Created, Finished, Published, Removed, Set
from services.league.championship.fold import fold
from services.league.championship.settings import changed, checked
from services.league.championship.state import DRAFT, FINISHED, RUNNING, Championship, cup_of, lines, outstanding
from services.league.draws import published
from services.league.kind import ORGANISER, OWNER, Decided, Scene
from services.league.refusals import Refused

SHORTEST = 10                                           # characters of a reason, as for corrections (LG-913)
LATER = frozenset({"name", "titles", "announced"})      # what may still be set once others rely on the rest


def decide(state: Championship | None, act: AnyAct, scene: Scene) -> Decided:
    """OP-43 One act; refused, or the events that carry it out."""
    if not scene.actor.roles & {OWNER, ORGANISER}:
        raise Refused("not_allowed", "owners and organisers look after a championship")
    if isinstance(act, Create):
        return Decided((_created(state, act, scene),))
    if state is None:
        raise Refused("not_found", "there is no such championship")
    if act.expected_version not in {None, state.version}:
        raise Refused("version_conflict", "the championship has changed", [state.version])
    return Decided((_event(state, act, scene),))


def _created(state: Championship | None, act: Create, scene: Scene) -> Created:
    if state is not None:
        raise Refused("wrong_state", "there is such a championship already", [state.state])
    return Created(championship=act.championship, organisation=act.organisation, settings=checked(act.settings),
                   seed_hash=published(scene.seed), at=scene.at, by=scene.actor.account)


def _event(state: Championship, act: AnyAct, scene: Scene) -> AnyEvent:
    if state.state == FINISHED:
        raise Refused("frozen", "the championship is finished")
    at, by = scene.at, scene.actor.account
    match act:
        case Change():
            _refuse_frozen(state, frozenset(act.changes))
            return Set(settings=changed(state.settings, act.changes), at=at, by=by)
        case Add():
            _refuse_unfounded(state, act.reason, scene)
            _refuse_unknown(state, act)
            return Added(tournament=act.tournament, game=act.game, weight=act.weight, reason=act.reason, at=at, by=by)
        case Remove():
            _refuse_unfounded(state, act.reason, scene)
            if cup_of(state, act.tournament) is None:
                raise Refused("not_found", f"{act.tournament} does not count here")
            return Removed(tournament=act.tournament, reason=act.reason, at=at, by=by)
        case Publish():
            if state.state != DRAFT:
                raise Refused("wrong_state", "it has been published", [state.state])
            return Published(at=at, by=by)
        case Finish():
            return _finish(state, act, scene)
        case _:
            raise Refused("malformed", "no such act")


def _refuse_frozen(state: Championship, names: frozenset[str]) -> None:
    """LG-106 What others rely on is fixed from the publication on."""
    if state.state != DRAFT and names - LATER:
        raise Refused("frozen", f"fixed since the championship was published: {', '.join(sorted(names - LATER))}", sorted(names - LATER))


def _refuse_unfounded(state: Championship, reason: str, scene: Scene) -> None:
    """LG-617 After the publication it takes an owner and a reason."""
    if state.state == DRAFT:
        return
    if OWNER not in scene.actor.roles:
        raise Refused("not_allowed", "only an owner changes what counts after the publication")
    _refuse_short(reason)


def _refuse_short(reason: str) -> None:
    if len(reason.strip()) < SHORTEST:
        raise Refused("reason_missing", f"a reason of at least {SHORTEST} characters")


def _refuse_unknown(state: Championship, act: Add) -> None:
    if not act.game:
        raise Refused("not_found", f"there is no tournament {act.tournament}")
    if cup_of(state, act.tournament) is not None:
        raise Refused("bad_setting", f"{act.tournament} counts already")


def _finish(state: Championship, act: Finish, scene: Scene) -> Finished:
    """LG-602 Who ends it while tournaments are outstanding says why: these will never count."""
    if state.state != RUNNING:
        raise Refused("wrong_state", "it is not running", [state.state])
    if outstanding(state) > 0:
        _refuse_short(act.reason)
    return finished(state, scene, act.reason)


def finished(state: Championship, scene: Scene, reason: str = "") -> Finished:
    """LG-180 Who has rank 1 is champion; the draw among equals is made now, and its seed may be shown."""
    first = tuple(line.account for line in lines(state, scene.seed) if line.rank == 1)
    return Finished(winners=first, seed=scene.seed.hex(), reason=reason, at=scene.at, by=scene.actor.account)


def advance(state: Championship, scene: Scene) -> tuple[AnyEvent, ...]:
    """LG-614 Final standings that are new are counted; with the last announced one the championship is over."""
    events: list[AnyEvent] = list(_new_standings(state, scene))
    after = state
    for event in events:
        after = fold(after, event)
    complete = state.state == RUNNING and after.settings.announced > 0 and outstanding(after) == 0
    if complete or (state.state == FINISHED and events):
        events.append(finished(after, scene, "" if complete else "a counted tournament was corrected"))
    return tuple(events)


def _new_standings(state: Championship, scene: Scene) -> Iterator[Counted]:
    """LG-602 Once the championship is finished, only corrections of what it has counted."""
    for cup in state.cups if state.state != DRAFT else ():
        if state.state == FINISHED and not cup.is_over:
            continue
        final = scene.frozen.get(cup.tournament)
        if final is not None and final["revision"] > cup.revision:
            yield Counted(tournament=cup.tournament, revision=final["revision"], finished_at=final["finished_at"], places=_ranked(final),
                          barred=tuple(final["barred"]), tables=tuple(final["tables"]), at=scene.at)


def _ranked(final: Mapping[str, Any]) -> dict[str, int]:
    """LG-606 Who has withdrawn or is disqualified has no place; those behind move up."""
    gone = {*final.get("withdrawn", ()), *final["barred"]}
    order = sorted((place, account) for account, place in final["places"].items() if account not in gone)
    first: dict[int, int] = {}
    for at, (place, _) in enumerate(order, start=1):
        first.setdefault(place, at)
    return {account: first[place] for place, account in order}
