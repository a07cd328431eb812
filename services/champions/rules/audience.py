"""The audience: what its votes weigh, what may be shown, and what its members score."""

from __future__ import annotations

from services.champions.commands import CountPresent, Start
from services.champions.events import Ended, Opened, StartCalled, VotersCounted
from services.champions.state import CHAMPION_POLLS, POLLS, SYMBOLS, Options, State
from shared.kernel.dice import Dice
from shared.kernel.game import Seat, Table

LEAST_VOTERS = 3  # CH-524
ATTEMPTS = 3


def shown_totals(options: Options, totals: tuple[int, int]) -> tuple[int, int] | None:
    """CH-511 Below the quorum there is no influence and nothing is shown; a crowd's quorum is 1 (CH-524)."""
    return totals if sum(totals) >= (1 if options.crowd else options.quorum) else None


def influence(options: Options, totals: tuple[int, int]) -> tuple[int, int]:
    """CH-507 to CH-509 What is added to the players' votes for circle and triangle."""
    circle, triangle = totals
    if shown_totals(options, totals) is None:
        return 0, 0
    if options.crowd or options.audience == "equal":
        return totals
    if options.audience == "bloc":
        return int(circle > triangle), int(triangle > circle)
    return 0, 0


def poll_points(state: State) -> dict[str, dict[str, int]]:
    """CH-512 Of every question whose result is known, what each answer is worth to a member."""
    points: dict[str, dict[str, int]] = {}
    for duels, keys, champion in zip((*state.history, state.duels), POLLS, CHAMPION_POLLS, strict=False):
        for duel, key in zip(duels, keys, strict=True):
            if duel.winner >= 0:
                points[key] = {SYMBOLS[duel.contestants.index(duel.winner)]: duel.points}
        if duels[-1].winner >= 0:
            points[champion] = {str(duels[-1].winner + 1): state.bonus}
    return points


def start(table: Table, _seat: Seat, _command: Start, _dice: Dice) -> None:
    """CH-524 The host asks to begin; the voters are counted."""
    table.tell(StartCalled())


def count_present(table: Table, _seat: Seat, command: CountPresent, _dice: Dice) -> None:
    """CH-524 Three voters at least; with fewer the host may try again twice, or until the clock ends the waiting."""
    last = table.state.clock_out or table.state.attempt == ATTEMPTS
    table.tell(VotersCounted(command.present))
    if command.present >= LEAST_VOTERS:
        table.tell(Opened("names"))
    elif last:
        table.tell(Ended(unfinished=True))
