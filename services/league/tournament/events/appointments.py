"""What can happen between those who look for a time to play at?"""

from __future__ import annotations

from msgspec.structs import replace

from services.league.tournament.events.results import OfPairing
from services.league.tournament.looking import pairing_at, round_of, stage_of, with_round
from services.league.tournament.state import Appointment, State


class AppointmentProposed(OfPairing, frozen=True, kw_only=True, tag="appointment_proposed"):
    """LG-881 A new proposal takes the place of the one before; what was agreed holds until it is agreed too."""

    number: int
    start: int
    account: str
    seat: int                                   # the pairing number of who proposes

    def change(self, state: State) -> State:
        before = round_of(stage_of(state, self.where.stage), self.where.round).appointments.get(self.where.table)
        made = Appointment(self.number, self.start, self.account, (self.seat,), fixed=before.fixed if before else 0)
        return _with(state, self, made)


class AppointmentAnswered(OfPairing, frozen=True, kw_only=True, tag="appointment_answered"):
    """LG-881 All must accept."""

    number: int
    account: str
    seat: int
    yes: bool

    def change(self, state: State) -> State:
        known = round_of(stage_of(state, self.where.stage), self.where.round).appointments[self.where.table]
        if not self.yes:
            return _with(state, self, replace(known, state="declined"))
        agreed = (*known.agreed, self.seat)
        if not set(pairing_at(state, self.where).numbers) <= set(agreed):
            return _with(state, self, replace(known, agreed=agreed))
        return _with(state, self, replace(known, agreed=agreed, state="agreed", fixed=known.start))


def _with(state: State, event: OfPairing, appointment: Appointment) -> State:
    where = event.where
    one = round_of(stage_of(state, where.stage), where.round)
    return with_round(state, where.stage, where.round, appointments={**one.appointments, where.table: appointment})
