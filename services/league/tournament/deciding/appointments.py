"""When do those at a table play, if that is theirs to say?"""

from __future__ import annotations

from collections.abc import Iterator

from services.league.kind import Decided, Scene
from services.league.refusals import Refused
from services.league.tournament import acts, shelf
from services.league.tournament.deciding.results import asked_pairing
from services.league.tournament.events.appointments import AppointmentAnswered, AppointmentProposed
from services.league.tournament.events.results import MatchOrdered
from services.league.tournament.looking import At, number_in, open_rounds, round_of, running
from services.league.tournament.state import Appointment, Pairing, Round, Stage, State


def appoint(state: State, act: acts.Appoint, scene: Scene) -> Decided:
    """LG-881 OP-36 A proposal, to which its proposer has agreed."""
    where, one, seat = _at_table(state, act, scene)
    _inside(one, where, act.start, scene)
    before = one.appointments.get(where.table)
    return Decided((AppointmentProposed(at=scene.at, by=scene.actor.account, pairing=str(where), number=before.number + 1 if before else 1,
                                        start=act.start, account=act.account or scene.actor.account, seat=seat),))


def agree(state: State, act: acts.Agree, scene: Scene) -> Decided:
    """LG-881 OP-36 Yes or no to the proposal that is open; saying yes twice is saying it once."""
    where, one, seat = _at_table(state, act, scene)
    known = one.appointments.get(where.table)
    if known is None or known.number != act.number or known.state != "proposed":
        raise Refused("wrong_state", "this proposal is not open", [known.number if known else 0])
    if act.yes and seat in known.agreed:
        return Decided()
    if act.yes:
        _inside(one, where, known.start, scene)
    return Decided((AppointmentAnswered(at=scene.at, by=scene.actor.account, pairing=str(where), number=known.number,
                                        account=act.account or scene.actor.account, seat=seat, yes=act.yes),))


def _at_table(state: State, act: acts.Appoint | acts.Agree, scene: Scene) -> tuple[At, Round, int]:
    """Only those who sit there, and only as long as nothing has begun."""
    where, stage, pairing = asked_pairing(state, act.pairing)
    if not state.settings.appointments or not is_unmet(pairing):
        raise Refused("wrong_state", "no time can be agreed here", [pairing.state])
    account = act.account or scene.actor.account
    seat = number_in(stage, state, account)
    if seat is None or seat not in pairing.numbers:
        raise Refused("not_allowed", "only who sits there agrees on a time", [account])
    return where, round_of(stage, where.round), seat


def _inside(one: Round, where: At, start: int, scene: Scene) -> None:
    until = one.extended.get(where.table, one.deadline)
    if start < scene.at or (until is not None and start >= until):
        raise Refused("outside_round", "the start must lie between now and the deadline", [scene.at, until])


def is_unmet(pairing: Pairing) -> bool:
    return pairing.state == "ready" and not pairing.match and not pairing.games


def fixed(stage: Stage) -> Iterator[tuple[At, Pairing, Appointment]]:
    """Tables whose time is agreed and has not been kept yet."""
    for one in open_rounds(stage):
        for table, appointment in one.appointments.items():
            pairing = shelf.at(one.pairings, table - 1)
            if appointment.fixed and is_unmet(pairing):
                yield At(stage.number, one.number, table), pairing, appointment


def met(state: State, scene: Scene) -> Iterator[MatchOrdered]:
    """LG-881 The match is made when its time comes, so that the no-show clock starts at the appointment."""
    stage = running(state)
    if stage is None or state.paused_at is not None or state.settings.reporting:
        return
    for where, pairing, appointment in fixed(stage):
        if scene.at >= appointment.fixed:
            yield MatchOrdered(at=scene.at, pairing=str(where), match=scene.fresh("m"), number=1, numbers=pairing.numbers)
