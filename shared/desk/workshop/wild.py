"""What if people do everything that people do? Random play with late answers, leavers, the host, the clock and a crowd."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from shared.kernel.dice import Dice, step_dice
from shared.kernel.game import AUDIENCE, HOST, Command, Event, Game, Refused, Seat
from shared.kernel.match import MOST_STEPS, Ask, Match, answer, approved, begin, leave, overdue, phase_over, time_out


class Moment(NamedTuple):
    """One step of a match: who did what, and the match before and after it."""

    before: Match[Any] | None
    after: Match[Any]
    act: str  # begin, answer, time_out, phase or leave
    seat: Seat | None
    command: Command | None
    events: tuple[Event, ...]


class DeadEnd(AssertionError):
    """PL-362 A match that is not over and waits for nothing."""


Act = tuple[str, Seat | None, Command | None]


def wild(game: Game, seats: int, options: Any, key: bytes) -> Iterator[Moment]:
    """A whole match, step by step; raises DeadEnd, or RuntimeError if it does not end."""
    chance = Dice(key, "wild|")
    leavers = chance.below(3) == 0
    match, events = begin(game, seats, options, step_dice(key, 1))
    yield Moment(None, match, "begin", None, None, events)
    while game.result(match.state) is None:
        if match.step >= MOST_STEPS:
            raise RuntimeError(f"{game.name}: no end after {match.step} steps")
        act = _act(game, match, chance, leavers=leavers)
        before = match
        match, events = carry_out(game, before, act, step_dice(key, before.step + 1))
        yield Moment(before, match, *act, events)


def carry_out(game: Game, match: Match[Any], act: Act, dice: Dice) -> tuple[Match[Any], tuple[Event, ...]]:
    """One act of any kind."""
    match act:
        case "phase", _, _:
            return phase_over(game, match, dice)
        case "time_out", int(seat), _:
            return time_out(game, match, seat, dice)
        case "leave", int(seat), _:
            return leave(game, match, seat, "left", dice)
        case "answer", int(seat), Command() as command:
            return answer(game, match, seat, command, dice)
    raise ValueError(f"no such act: {act}")


def any_answer(game: Game, match: Match[Any], seat: Seat, chance: Dice) -> Command | None:
    """Some command that is on offer to the seat; None if there is none, or if its texts are refused again and again."""
    choices = game.legal(match.state, seat)
    for _ in range(8 if choices else 0):
        command: Command = chance.pick(choices).sample(chance)
        try:
            return approved(game, match.state, seat, command, choices)
        except Refused as refusal:
            if refusal.code == "not_a_choice":
                raise
    return None


def _act(game: Game, match: Match[Any], chance: Dice, *, leavers: bool) -> Act:
    poll = game.poll(match.state)
    if poll is not None and poll.closed:
        return "answer", AUDIENCE, _counted(game, match, chance)
    absent = overdue(game, match)
    if absent is not None and (_is_gone(match, absent) or chance.below(4)):
        return "time_out", absent, None
    for percent, odd in ((3 if leavers else 0, _leaves), (5, _late), (12, _unneeded), (8, _by_host), (6, _by_clock)):
        act = odd(game, match, chance) if chance.below(100) < percent else None
        if act is not None:
            return act
    return _answered(game, match, chance) or _by_clock(game, match, chance) or _stuck(game, match)


def _answered(game: Game, match: Match[Any], chance: Dice) -> Act | None:
    return _some_answer(game, match, chance, [ask for ask in match.asks if ask.question.needed]) or _late(game, match, chance)


def _unneeded(game: Game, match: Match[Any], chance: Dice) -> Act | None:
    return _some_answer(game, match, chance, [ask for ask in match.asks if not ask.question.needed])


def _late(_game: Game, match: Match[Any], chance: Dice) -> Act | None:
    awaited = match.awaited()
    return ("time_out", chance.pick(awaited), None) if awaited else None


def _by_host(game: Game, match: Match[Any], chance: Dice) -> Act | None:
    command = any_answer(game, match, HOST, chance)
    return ("answer", HOST, command) if command else None


def _by_clock(_game: Game, match: Match[Any], _chance: Dice) -> Act | None:
    return ("phase", None, None) if match.armed else None


def _leaves(_game: Game, match: Match[Any], chance: Dice) -> Act | None:
    here = [seat for seat in range(len(match.missed)) if not _is_gone(match, seat)]
    return ("leave", chance.pick(here), None) if here else None


def _is_gone(match: Match[Any], seat: Seat) -> bool:
    return any(gone.seat == seat for gone in match.gone)


def _some_answer(game: Game, match: Match[Any], chance: Dice, asks: Sequence[Ask]) -> Act | None:
    here = [ask.seat for ask in asks if not _is_gone(match, ask.seat)]
    seat = chance.pick(here) if here else None
    command = None if seat is None else any_answer(game, match, seat, chance)
    return ("answer", seat, command) if command else None


def _counted(game: Game, match: Match[Any], chance: Dice) -> Command:
    said = any_answer(game, match, AUDIENCE, chance) if chance.below(4) else None
    return said or game.default(match.state, AUDIENCE)


def _stuck(game: Game, match: Match[Any]) -> Act:
    raise DeadEnd(f"{game.name}, step {match.step}: nobody is asked, no clock runs, and there is no result")
