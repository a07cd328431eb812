"""What puts one of two entrants with equal points ahead? Codes in order, each looking only at those still equal."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from fractions import Fraction

from services.league.scoring import PLAYED, Seat

Tables = Sequence[Sequence[Seat]]
Values = dict[int, Fraction]
Code = Callable[[Collection[int], Tables], Values]


def seats_won(place: int) -> Code:
    """LG-750 `P1`, `P2`: how often this place by play; who shares k places has a k-th of each."""

    def count(group: Collection[int], tables: Tables) -> Values:
        values = dict.fromkeys(group, Fraction(0))
        for table in tables:
            for seat in table:
                if seat.number in values and seat.how == PLAYED:
                    values[seat.number] += _share(seat, table, place)
        return values

    return count


def _share(seat: Seat, table: Sequence[Seat], place: int) -> Fraction:
    sharing = sum(other.place == seat.place for other in table)
    return Fraction(seat.place <= place < seat.place + sharing, sharing)


def head_to_head(group: Collection[int], tables: Tables) -> Values:
    """LG-748 `H2H`: how often ahead of others of the group, less how often behind, over the tables they shared."""
    values = dict.fromkeys(group, Fraction(0))
    for table in tables:
        among = [seat for seat in table if seat.number in values]
        for seat in among:
            values[seat.number] += sum((seat.place < other.place) - (seat.place > other.place) for other in among)
    return values


CODES: dict[str, Code] = {"P1": seats_won(1), "P2": seats_won(2), "H2H": head_to_head}
