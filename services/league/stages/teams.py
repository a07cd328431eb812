"""How do teams meet: who sits at which board, and what do the boards come to?"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from services.league.record import NO_SHOW
from services.league.refusals import Refused
from services.league.scoring import Rules, Seat, scored

MOST_MEMBERS = 12


class Team(NamedTuple):
    """LG-971 Accounts in board order, reserves behind them, and who speaks for the team."""

    number: int
    members: tuple[str, ...]
    captain: str
    reserves: tuple[str, ...] = ()


class Board(NamedTuple):
    """One board of a pairing, counted from 1: the teams' numbers and accounts in the order of seats; nobody is an empty name."""

    board: int
    numbers: tuple[int, int]
    accounts: tuple[str, str]


class Result(NamedTuple):
    """LG-972 What the boards came to."""

    board_points: Mapping[int, Fraction]
    table: tuple[Seat, ...]             # the pairing as one table of two teams: match points follow from it


def checked(team: Team) -> Team:
    """LG-971 1 to 12 accounts, each once, the captain among them."""
    everybody = (*team.members, *team.reserves)
    faults = []
    if not 1 <= len(everybody) <= MOST_MEMBERS:
        faults.append(f"a team has 1 to {MOST_MEMBERS} accounts")
    if len(set(everybody)) < len(everybody):
        faults.append("somebody is named twice")
    if team.captain not in everybody:
        faults.append("the captain is not in the team")
    if faults:
        raise Refused("bad_setting", "; ".join(faults), faults)
    return team


def line_up(team: Team, boards: int, asked: Sequence[str] | None, last: Sequence[str] = (), here: Collection[str] | None = None) -> tuple[str, ...]:
    """LG-971 Who sits at the boards at the cut-off: as asked, else as last time, else in board order; an empty name is a missing board."""
    known = (*team.members, *team.reserves)
    if asked is not None:
        if len(asked) > boards or len(set(asked)) < len(asked) or not set(asked) <= set(known):
            raise Refused("bad_setting", f"a line-up names up to {boards} members, each once", list(asked))
        return _filled(tuple(asked), boards)
    present = [account for account in known if here is None or account in here]
    if last and all(account in present for account in last if account):
        return _filled(tuple(last[:boards]), boards)
    return _filled(tuple(present[:boards]), boards)


def _filled(names: tuple[str, ...], boards: int) -> tuple[str, ...]:
    return (*names, *("",) * (boards - len(names)))


def boards_of(numbers: tuple[int, int], one: Sequence[str], other: Sequence[str]) -> tuple[Board, ...]:
    """LG-972 Board i meets board i, and the seats alternate from board to board; the first team sits first at board 1."""
    return tuple(Board(at, numbers, (mine, theirs)) if at % 2 else Board(at, numbers[::-1], (theirs, mine))
                 for at, (mine, theirs) in enumerate(zip(one, other, strict=True), start=1))


def missing(board: Board) -> tuple[Seat, ...] | None:
    """LG-973 The result of a board at which somebody is missing, or nothing where it is to be played."""
    if all(board.accounts):
        return None
    return tuple(Seat(number, 1 if account or not any(board.accounts) else 2, how="played" if account else NO_SHOW)
                 for number, account in zip(board.numbers, board.accounts, strict=True))


def result(numbers: tuple[int, int], boards: Sequence[Sequence[Seat]], rules: Rules) -> Result:
    """LG-972, LG-973 Board points, and the pairing that they make: a win, a draw, a loss, or a forfeit of who has too few boards."""
    sums = dict.fromkeys(numbers, Fraction(0))
    for board in boards:
        for number, worth in scored(board, rules).items():
            sums[number] += worth
    short = {number for number in numbers if 2 * _present(number, boards) < len(boards)}
    if short:
        seats = tuple(Seat(number, 2 if number in short and len(short) < 2 else 1, how=NO_SHOW if number in short else "played") for number in numbers)
        return Result(sums, seats)
    return Result(sums, tuple(Seat(number, 1 + sum(other > sums[number] for other in sums.values())) for number in numbers))


def _present(number: int, boards: Sequence[Sequence[Seat]]) -> int:
    return sum(seat.number == number and seat.how != NO_SHOW for board in boards for seat in board)


def best_sum(points: Mapping[str, Fraction], team: Team, count: int) -> Fraction:
    """LG-974 At larger tables a team has the sum of its best members' points."""
    own = sorted((points.get(account, Fraction(0)) for account in (*team.members, *team.reserves)), reverse=True)
    return sum(own[:count], Fraction(0))


def rated(boards: Sequence[Board], results: Sequence[Sequence[Seat]]) -> tuple[tuple[tuple[str, int], ...], ...]:
    """LG-975 The boards that are rated, as accounts with their places; a team has no rating."""
    return tuple(tuple((account, seat.place) for account, seat in zip(board.accounts, seats, strict=True))
                 for board, seats in zip(boards, results, strict=True) if all(board.accounts) and all(seat.how != NO_SHOW for seat in seats))
