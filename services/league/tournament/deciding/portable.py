"""How does a whole tournament travel: `league-1`, its events as they happened?"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from services.league.draws import published
from services.league.kind import Decided, Scene
from services.league.refusals import Refused
from services.league.tournament import acts
from services.league.tournament.events import fold, reread
from services.league.tournament.events.appointments import AppointmentAnswered, AppointmentProposed
from services.league.tournament.events.base import Happened
from services.league.tournament.events.life import Created, Withheld
from services.league.tournament.events.rounds import RoundDrafted
from services.league.tournament.events.teams import LineUpSet
from services.league.tournament.state import FINISHED, State

FORM = "league-1"


def exported(state: State, scene: Scene) -> dict[str, Any]:
    """LG-985, LG-987 Settings, entrants, rounds, results, corrections and the seed after the end are all among the events."""
    events = [_shown(state, event) for event in scene.told()[:state.version]]
    lines = [msgspec.to_builtins(event, str_keys=True) for event in events]
    return {"form": FORM, "tournament": state.tournament, "version": state.version, "finished": state.life == FINISHED,
            "hash": digest(lines), "events": lines}


def _shown(state: State, event: Any) -> Any:
    """LG-163, LG-881 A draft that waits to be published stays with the officials, and what a table said about its time with the table."""
    if isinstance(event, AppointmentProposed | AppointmentAnswered):
        return Withheld(at=event.at)
    if isinstance(event, RoundDrafted) and state.stages[event.stage - 1].drafted is not None and len(state.stages[event.stage - 1].rounds) < event.round:
        return Withheld(at=event.at)
    if isinstance(event, LineUpSet) and len(state.stages[event.stage - 1].rounds) < event.round:
        return Withheld(at=event.at)
    return event


def digest(lines: Sequence[Any]) -> str:
    """The hash over all events, canonical."""
    return hashlib.sha256(msgspec.json.encode(msgspec.to_builtins(lines, str_keys=True), order="deterministic")).hexdigest()


def imported(act: acts.ImportExport) -> Decided:
    """LG-985 OP-48 Whole, with the right hash, and finished, so that no draw is left to be made."""
    document = act.document
    lines = document.get("events")
    if document.get("form") != FORM or not isinstance(lines, list) or not lines:
        raise Refused("bad_file", "not an export of a tournament", ["form"])
    if document.get("hash") != digest(lines):
        raise Refused("bad_file", "the file is not whole", ["hash"])
    state: State | None = None
    events: list[Happened] = []
    for at, line in enumerate(lines, start=1):
        try:
            event = reread(line)
            if at == 1:
                event = _first(event, act)
            state = fold(state, event)
        except (msgspec.ValidationError, AssertionError, LookupError, StopIteration, Refused) as error:
            raise Refused("bad_file", "an event does not fit", [f"event {at}"]) from error
        events.append(event)
    if state is None or state.life != FINISHED or not state.seed:
        raise Refused("bad_file", "only a finished tournament can be taken over", ["finished"])
    return Decided(tuple(events), seed=_seed(state))


def _first(event: Happened, act: acts.ImportExport) -> Created:
    if not isinstance(event, Created):
        raise Refused("bad_file", "the first event creates the tournament", ["event 1"])
    return replace(event, tournament=act.tournament, organisation=act.organisation, drawn_as=event.drawn_as or event.tournament)


def _seed(state: State) -> bytes:
    try:
        seed = bytes.fromhex(state.seed)
    except ValueError as error:
        raise Refused("bad_file", "the seed is no seed", ["seed"]) from error
    if published(seed) != state.seed_hash:
        raise Refused("bad_file", "the seed does not fit its hash", ["seed"])
    return seed
