"""When has a bot failed, and what becomes of its seat and of the result (PL-525 to PL-527)? Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from shared.kernel.game import Game, Seat
from shared.kernel.match import Gone, Match, Placing, Played, placings
from shared.runtime.turn.house import House, without_vacant

BOT_FAILED = "bot_failed"
REFUSALS = 3  # PL-525: so many refused answers to one ask are a failure


def refused_once_more(house: House, seat: Seat, ask: int) -> House:
    """PL-525 The refusals of one ask; those of an earlier one are forgotten."""
    return replace(house, refusals={**house.refusals, str(seat): (ask, refusals_of(house, seat, ask) + 1)})


def refusals_of(house: House, seat: Seat, ask: int) -> int:
    number, count = house.refusals.get(str(seat), (ask, 0))
    return count if number == ask else 0


def failed_once_more(house: House, seat: Seat) -> House:
    """PL-526 The failures of a whole match."""
    return replace(house, failures={**house.failures, str(seat): house.failures.get(str(seat), 0) + 1})


def failed(match: Match[Any], seat: Seat, ask: int) -> Played:
    """PL-526 Nobody is behind this seat any more, from the step on at which its ask was put; it stays in play, and answers by default."""
    return replace(match, step=match.step + 1, gone=(*match.gone, Gone(seat, ask, BOT_FAILED))), ()


def placed(game: Game, match: Match[Any], house: House) -> tuple[Placing, ...] | None:
    """The result once there is one."""
    return result_of(game, without_vacant(match, house))


def result_of(game: Game, match: Match[Any]) -> tuple[Placing, ...] | None:
    """PL-527 Once every seat is gone and a bot was the last one to fail, the match is over; otherwise when the game says so."""
    gone = {entry.seat: entry for entry in match.gone}
    if len(gone) < len(match.missed) or match.gone[-1].how != BOT_FAILED:
        return placings(game, match)
    scores, together = game.score(match.state), len({entry.step for entry in gone.values()}) == 1

    def place(seat: Seat) -> int:
        return len(gone) if together else 1 + sum(other.step > gone[seat].step for other in gone.values())

    return tuple(Placing(seat, place(seat), place(seat), scores.get(seat, 0), gone[seat].how) for seat in sorted(gone))


def all_failed(lines: Sequence[Placing]) -> bool:
    """PL-527 Nobody has won: a referee must look at it."""
    return all(line.how == BOT_FAILED and line.place == len(lines) for line in lines)
