"""The match of a Field: the bag, the draws, attacks, shots and the result."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from services.golden_cup import content
from services.golden_cup.content.counting import applied, effect_at
from services.golden_cup.content.shapes import Add, Drop, Fame, Improve, Sponsor
from services.golden_cup.fixture_events import (
    AttackBlocked,
    Booed,
    BreakDrawn,
    DefenseDrawn,
    FixtureBegan,
    FixtureEnded,
    ShotMissed,
    ShotScored,
    StepsPutOff,
)
from services.golden_cup.rules import fame
from services.golden_cup.rules.effects import step_of
from services.golden_cup.rules.sides import AUTOMA, Shooter, Side, shot, side_of
from services.golden_cup.state import BREAK, TOKENS, Fixture, State
from shared.kernel.dice import Dice
from shared.kernel.game import Seat, Table

Bag = list[tuple[Seat, str]]


@dataclass(slots=True)
class Pitch:
    """A match while it is played: both sides, and the values of their active Defense tokens."""

    field: str
    seats: tuple[Seat, Seat]
    sides: tuple[Side, Side]
    active: tuple[list[int], list[int]]
    final: bool  # GC-565: nothing but the score counts


def pairs(state: State) -> list[tuple[str, tuple[Seat, Seat]]]:
    """GC-150, GC-151, GC-400 Every Field of the round with its two teams."""
    found = []
    for field in content.BOARD.field.fields:
        here = [seat for seat, fields in enumerate(state.schedule) if fields[state.round - 1] == field]
        if here:
            found.append((field, (here[0], here[1])))
    return found


def play_round(table: Table, dice: Dice) -> None:
    """GC-158, GC-409 All matches of the round, each by itself."""
    for number, (field, seats) in enumerate(pairs(table.state)):
        fixture = play(table, field, seats, dice, first=number == 0)
        table.tell(FixtureEnded(field, seats, fixture.goals, fame_for(table.state, fixture)))


def play(table: Table, field: str, seats: tuple[Seat, Seat], dice: Dice, *, first: bool) -> Fixture:
    """GC-420, GC-421, GC-432 to GC-437, GC-485 Draw token by token to the last space or to the end of the bag."""
    state: State = table.state
    bag = filled(state, seats)
    end = content.BOARD.field.end_space[state.round - 1]
    table.tell(FixtureBegan(field, seats, len(bag), end, first))
    sides = (side_for(state, seats[0]), side_for(state, seats[1]))
    pitch = Pitch(field, seats, sides, ([], []), final=state.stage == "final")
    for _ in range(min(end, len(bag))):
        lay(table, pitch, bag.pop(dice.below(len(bag))), dice)
    fixtures: tuple[Fixture, ...] = table.state.fixtures
    return fixtures[-1]


def filled(state: State, seats: tuple[Seat, Seat]) -> Bag:
    """GC-401 to GC-403 The team tokens of both, the Automa's too, and the Break tokens of the Field."""
    bag = [(seat, token) for seat in seats for token in one_by_one(state.tokens_of(seat))]
    return bag + [(BREAK, "")] * content.BOARD.field.break_tokens


@lru_cache(maxsize=65536)
def one_by_one(counts: tuple[int, ...]) -> tuple[str, ...]:
    """The tokens that are counted."""
    return tuple(token for token, count in zip(TOKENS, counts, strict=True) for _ in range(count))


def side_for(state: State, seat: Seat) -> Side:
    """GC-607, GC-610 The Automa has no champions."""
    return side_of(state.teams[seat]) if seat < len(state.teams) else AUTOMA


def lay(table: Table, pitch: Pitch, drawn: tuple[Seat, str], dice: Dice) -> None:
    """GC-422 to GC-424 One token on the track; an attack is resolved before the next draw."""
    seat, token = drawn
    if seat == BREAK:
        table.tell(BreakDrawn(pitch.field))
    elif token[0] == "D":
        table.tell(DefenseDrawn(pitch.field, seat, token))
        pitch.active[pitch.seats.index(seat)].append(int(token[1]))
    else:
        attack(table, pitch, seat, token, dice)


def attack(table: Table, pitch: Pitch, seat: Seat, token: str, dice: Dice) -> None:
    """GC-424, GC-429, GC-450 Blocked, or a shot of the champion in the slot of that number."""
    own = pitch.seats.index(seat)
    counted = pitch.active[1 - own]
    value = value_of(int(token[1]), pitch.sides[own], pitch.sides[1 - own], counted)
    if value <= 0:
        counted.clear()
        table.tell(AttackBlocked(pitch.field, seat, token, value))
    else:
        shoot(table, pitch, seat, (token, value), dice)


def value_of(token: int, own: Side, other: Side, counted: list[int]) -> int:
    """GC-425 to GC-428 The token, own bonuses, less the opponent's active Defense and what its champions take away."""
    guard = other.guard + other.guard_per_token * len(counted) if counted else 0
    return token + own.attack + other.against - sum(counted) - guard


def shoot(table: Table, pitch: Pitch, seat: Seat, attacking: tuple[str, int], dice: Dice) -> None:
    """GC-451 to GC-459 The shooting effect, the roll, the score, and the boos for a base Champion."""
    token, value = attacking
    own, slot = pitch.seats.index(seat), min(value, 4)
    shooter = pitch.sides[own].shooters[slot - 1]
    if not pitch.final and seat < len(table.state.teams):
        _before_the_roll(table, seat, slot, shooter)
    faces, scored = shot(shooter, slot, dice)
    if scored:
        pitch.active[1 - own].clear()
        table.tell(ShotScored(pitch.field, seat, token, value, slot, shooter.champion, faces))
        if not pitch.final:
            _after_a_score(table, seat, pitch.sides[own])
    else:
        table.tell(ShotMissed(pitch.field, seat, token, value, slot, shooter.champion, faces))


def _before_the_roll(table: Table, seat: Seat, slot: int, shooter: Shooter) -> None:
    """GC-451, GC-459, GC-463, GC-501 What the shot brings whether it scores or not."""
    if not shooter.champion:
        lost = max(content.BOARD.boo_fame, -table.state.teams[seat].fame)
        table.tell(Booed(seat, slot, lost))
    for gift, n, often in shooter.gifts:
        if gift == "fame":
            fame.gain(table, seat, shooter.champion, n * often)
        else:
            fame.sponsor(table, seat, shooter.champion, n, often)


def _after_a_score(table: Table, seat: Seat, side: Side) -> None:
    """GC-464, GC-475 Fame and Sponsor tokens at once; what is done to tokens waits."""
    for place in side.on_score:
        name, often = place[0], applied(place, table.state.teams[seat].champions)
        for op in effect_at(place).ops if often else ():
            match op:
                case Fame(n):
                    fame.gain(table, seat, name, n * often)
                case Sponsor(n):
                    fame.sponsor(table, seat, name, n, often)
                case Improve() | Add() | Drop():
                    table.tell(StepsPutOff(seat, name, (step_of(name, op, often),)))
                case _:
                    raise ValueError(f"{name}: {op} cannot follow a score")


def fame_for(state: State, fixture: Fixture) -> tuple[int, int]:
    """GC-480 to GC-484, GC-612, GC-648, GC-649 A draw, or the Scout level of the winner and the difference."""
    one, other = fixture.goals
    if one == other:
        gained = [content.BOARD.draw_fame] * 2
    else:
        winner = 0 if one > other else 1
        gained = [0, 0]
        gained[winner] = content.BOARD.scout_win_bonus[scout_of(state, fixture.seats[winner])] + abs(one - other)
    solo = len(state.teams) == 1
    first, second = (gain if solo or seat < len(state.teams) else 0 for seat, gain in zip(fixture.seats, gained, strict=True))
    return first, second


def scout_of(state: State, seat: Seat) -> int:
    """GC-484, GC-656 The level after this round's campaign; the Automa's is fixed."""
    if seat < len(state.teams):
        return state.teams[seat].scout
    return state.automa.scout if state.automa else 0
