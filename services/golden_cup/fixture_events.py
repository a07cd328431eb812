"""What can happen in a match, at the end of the championship and in the final? All of it is public (GC-465)."""

from __future__ import annotations

from msgspec.structs import replace

from services.golden_cup.state import Fixture, Outcome, Penalty, Spot, Stage, State, Step, Total
from shared.kernel.game import Event, Seat


def _with_last(state: State, fixture: Fixture) -> State:
    """The match that is being played is the last one of the round so far."""
    return replace(state, fixtures=(*state.fixtures[:-1], fixture))


def _flipped(track: tuple[Spot, ...], attacker: Seat) -> tuple[Spot, ...]:
    """GC-430, GC-457 The opponent's Defense tokens that were counted."""
    return tuple(
        [
            replace(spot, flipped=True) if spot.token[:1] == "D" and not spot.flipped and spot.seat != attacker else spot
            for spot in track
        ]
    )


class LineUpsShown(Event, frozen=True):
    """GC-409, GC-411 All are turned over together and hold for this match."""

    line_ups: tuple[tuple[str, ...] | None, ...]  # None: a seat that does not play
    stage: Stage

    def change(self, state: State) -> State:
        teams = tuple(
            team if line_up is None else replace(team, line_up=line_up, answer=None)
            for team, line_up in zip(state.teams, self.line_ups, strict=True)
        )
        return replace(state, teams=teams, stage=self.stage)


class FixtureBegan(Event, frozen=True):
    """GC-401 to GC-403 Two teams fill the bag of a Field; `tokens` counts what is in it."""

    field: str
    seats: tuple[Seat, Seat]
    tokens: int
    end: int
    first: bool  # the Fields of the round before are cleared

    def change(self, state: State) -> State:
        before = () if self.first else state.fixtures
        return replace(state, fixtures=(*before, Fixture(self.field, self.seats, self.end, self.tokens)))


class BreakDrawn(Event, frozen=True):
    """GC-422."""

    field: str

    def change(self, state: State) -> State:
        fixture = state.fixtures[-1]
        return _with_last(state, replace(fixture, track=(*fixture.track, Spot(-1, ""))))


class DefenseDrawn(Event, frozen=True):
    """GC-423."""

    field: str
    seat: Seat
    token: str

    def change(self, state: State) -> State:
        fixture = state.fixtures[-1]
        return _with_last(state, replace(fixture, track=(*fixture.track, Spot(self.seat, self.token))))


class AttackBlocked(Event, frozen=True):
    """GC-429 to GC-431 The Attack token stays as it is, the counted Defense tokens are flipped."""

    field: str
    seat: Seat
    token: str
    value: int

    def change(self, state: State) -> State:
        fixture = state.fixtures[-1]
        spot = Spot(self.seat, self.token, outcome="blocked", value=self.value)
        return _with_last(state, replace(fixture, track=(*_flipped(fixture.track, self.seat), spot)))


class ShotMissed(Event, frozen=True):
    """GC-458 Nothing is flipped."""

    field: str
    seat: Seat
    token: str
    value: int
    slot: int
    champion: str
    dice: tuple[int, ...]

    def change(self, state: State) -> State:
        fixture = state.fixtures[-1]
        spot = Spot(self.seat, self.token, outcome="missed", value=self.value, slot=self.slot, dice=self.dice)
        return _with_last(state, replace(fixture, track=(*fixture.track, spot)))


class ShotScored(Event, frozen=True):
    """GC-456, GC-457 The Attack token is flipped, and so are the counted Defense tokens; no dice where none were needed."""

    field: str
    seat: Seat
    token: str
    value: int
    slot: int
    champion: str
    dice: tuple[int, ...]

    def change(self, state: State) -> State:
        fixture = state.fixtures[-1]
        spot = Spot(self.seat, self.token, flipped=True, outcome="scored", value=self.value, slot=self.slot, dice=self.dice)
        one, other = fixture.goals
        goals = (one + 1, other) if fixture.seats[0] == self.seat else (one, other + 1)
        track = (*_flipped(fixture.track, self.seat), spot)
        return _with_last(state, replace(fixture, track=track, goals=goals))


class Booed(Event, frozen=True):
    """GC-459 A base Champion shoots, and its owner loses Fame."""

    seat: Seat
    slot: int
    by: int

    def change(self, state: State) -> State:
        return state.with_team(self.seat, fame=state.teams[self.seat].fame + self.by)


class StepsPutOff(Event, frozen=True):
    """GC-475 What a score does to tokens waits until the matches are over."""

    seat: Seat
    champion: str
    steps: tuple[Step, ...]

    def change(self, state: State) -> State:
        return state.with_team(self.seat, put_off=(*state.teams[self.seat].put_off, *self.steps))


class PutOffDone(Event, frozen=True):
    """GC-475 Now the owner chooses."""

    seat: Seat
    tasks: tuple[Step, ...]

    def change(self, state: State) -> State:
        return state.with_team(self.seat, put_off=(), tasks=self.tasks)


class FixtureEnded(Event, frozen=True):
    """GC-480 to GC-485 The result, and the Fame of both sides."""

    field: str
    seats: tuple[Seat, Seat]
    goals: tuple[int, int]
    fame: tuple[int, int]

    def change(self, state: State) -> State:
        teams, automa = list(state.teams), state.automa
        for side, seat in enumerate(self.seats):
            own, other = self.goals[side], self.goals[1 - side]
            if seat < len(teams):
                team = teams[seat]
                teams[seat] = replace(
                    team,
                    fame=team.fame + self.fame[side],
                    wins=team.wins + (own > other),
                    draws=team.draws + (own == other),
                    goals=team.goals + own,
                )
            elif automa is not None:
                automa = replace(automa, fame=automa.fame + self.fame[side])
        played = (*state.played, Outcome(state.round, self.field, self.seats, self.goals))
        return replace(state, teams=tuple(teams), automa=automa, played=played)


class Totalled(Event, frozen=True):
    """GC-520 to GC-525 The four parts of every seat; all kept supporters are turned over."""

    totals: tuple[Total, ...]
    supporters: tuple[str, ...]

    def change(self, state: State) -> State:
        teams = tuple(
            replace(team, coins=total.coins, sponsors=(0, 0)) for team, total in zip(state.teams, self.totals, strict=True)
        )
        return replace(state, totals=self.totals, teams=teams)


class TieRolled(Event, frozen=True):
    """GC-530 A die for each seat that is still level."""

    seats: tuple[Seat, ...]
    faces: tuple[int, ...]


class FinalistsNamed(Event, frozen=True):
    """GC-527."""

    seats: tuple[Seat, Seat]

    def change(self, state: State) -> State:
        return replace(state, finalists=self.seats, stage="final")


class FinalPlayed(Event, frozen=True):
    """GC-563, GC-567 The result of the final."""

    seats: tuple[Seat, Seat]
    goals: tuple[int, int]


class FirstShooterDrawn(Event, frozen=True):
    """GC-584 Nobody is known to be the youngest."""

    seat: Seat


class PenaltyScored(Event, frozen=True):
    """GC-582."""

    seat: Seat
    slot: int
    champion: str
    dice: tuple[int, ...]

    def change(self, state: State) -> State:
        shot = Penalty(self.seat, self.slot, self.champion, self.dice, scored=True)
        return replace(state, penalties=(*state.penalties, shot))


class PenaltyMissed(Event, frozen=True):
    """GC-582."""

    seat: Seat
    slot: int
    champion: str
    dice: tuple[int, ...]

    def change(self, state: State) -> State:
        shot = Penalty(self.seat, self.slot, self.champion, self.dice, scored=False)
        return replace(state, penalties=(*state.penalties, shot))


class LotDrawn(Event, frozen=True):
    """GC-589 After a hundred cycles without a decision."""

    seat: Seat


class CupWon(Event, frozen=True):
    """GC-533, GC-563, GC-585 The Golden Cup has an owner."""

    seat: Seat

    def change(self, state: State) -> State:
        return replace(state, winner=self.seat, stage="over")
