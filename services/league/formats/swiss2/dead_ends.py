"""What can be done when no pairing keeps the hard rules? The options in their order, each with its harm."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from services.league.formats.swiss2.cards import Card, Couple, Plan, couple, may_meet, may_rest, ranked, seats_clash, wish
from services.league.formats.swiss2.pairing import Paired, completes, pair
from services.league.formats.swiss2.seating import seated
from services.league.matching import heaviest
from services.league.record import Record, present, started
from services.league.refusals import Refused

SEATS, BYE, REPEATS, FINISH = "seats", "second_bye", "repeats", "finish"
NOBODY = -1


class Option(NamedTuple):
    """One way on: what is let go, for whom, and the plan under which the round can be paired."""

    kind: str
    harmed: tuple[Couple, ...] = ()
    entrant: int | None = None
    plan: Plan | None = None


def last_meetings(records: Sequence[Record]) -> dict[Couple, int]:
    """LG-425 The round in which a couple met last."""
    tables = [(number, table) for number, record in enumerate(records, start=1) for table in record.tables if started(table)]
    return {pair: number for number, table in tables for pair in combinations(sorted(seat.number for seat in present(table)), 2)}


def options(field: Iterable[Card], plan: Plan, meetings: Mapping[Couple, int]) -> tuple[Option, ...]:
    """LG-422 All that are possible; finishing always is."""
    order = ranked(field)
    found = (_seats(order, plan), _second_bye(order, plan), _repeats(order, plan, meetings))
    return (*(option for option in found if option is not None), Option(FINISH))


def relaxed(field: Iterable[Card], plan: Plan, meetings: Mapping[Couple, int]) -> tuple[Option, Paired | None]:
    """LG-426 The first option that gives a pairing, and the pairing; nothing is paired where only finishing is left."""
    order = ranked(field)
    first = options(order, plan, meetings)[0]
    return first, pair(order, first.plan) if first.plan is not None else None


def round_or_option(field: Iterable[Card], plan: Plan, meetings: Mapping[Couple, int]) -> tuple[Option | None, Paired | None]:
    """LG-421 The round under the hard rules if there is one, else what `relax` makes of it."""
    order = ranked(field)
    try:
        return None, pair(order, plan)
    except Refused as refused:
        if refused.code != "no_pairing":
            raise
    return relaxed(order, plan, meetings)


def _seats(order: Sequence[Card], plan: Plan) -> Option | None:
    """LG-423 Seats may be refused; the least sum of seat differences afterwards is taken."""
    fresh = [(one, other) for one, other in combinations(order, 2) if couple(one, other) not in plan.never and other.number not in one.met]
    chosen = _cheapest(order, plan, {couple(one, other): _differences(one, other, plan) for one, other in fresh})
    if chosen is None:
        return None
    clashing = frozenset(couple(one, other) for one, other in fresh if couple(one, other) in chosen and seats_clash(one, other))
    return Option(SEATS, tuple(sorted(clashing)), None, plan._replace(allowed=clashing)) if clashing else None


def _differences(one: Card, other: Card, plan: Plan) -> int:
    first = seated(one, other, plan)[0]
    return sum(abs(wish(card).difference + (1 if card.number == first else -1)) for card in (one, other))


def _second_bye(order: Sequence[Card], plan: Plan) -> Option | None:
    """LG-424 Among those who may not have it, who has had fewest, has the lowest points, missed least and ranks lowest."""
    if len(order) % 2 == 0 or plan.bye is not None:
        return None
    barred = [(card.byes, card.points, card.unplayed, -at, card) for at, card in enumerate(order) if not may_rest(card, plan)]
    for *_, card in sorted(barred, key=lambda row: row[:4]):
        given = plan._replace(bye=card.number)
        if completes(order, frozenset({card.number}), given):
            return Option(BYE, (), card.number, given)
    return None


def _repeats(order: Sequence[Card], plan: Plan, meetings: Mapping[Couple, int]) -> Option | None:
    """LG-425 The fewest, none of the last round if that can be, then those whose last meeting is longest ago."""
    base = len(order) + 1
    prices: dict[Couple, int] = {}
    for one, other in combinations(order, 2):
        pair_of = couple(one, other)
        fresh = plan._replace(allowed=plan.allowed | {pair_of}) if other.number in one.met and not seats_clash(one, other) else plan
        if may_meet(one, other, fresh):
            at = meetings.get(pair_of, 0)
            prices[pair_of] = base ** plan.number + base ** (at - 1) if at else 0
    chosen = _cheapest(order, plan, prices)
    if chosen is None:
        return None
    again = frozenset(pair_of for pair_of in chosen if pair_of in meetings)
    return Option(REPEATS, tuple(sorted(again)), None, plan._replace(allowed=again)) if again else None


def _cheapest(order: Sequence[Card], plan: Plan, prices: Mapping[Couple, int]) -> frozenset[Couple] | None:
    """The pairs of a complete round at the least price altogether; nothing if there is no complete round."""
    edges = [(one, other, -price) for (one, other), price in prices.items()]
    if len(order) % 2:
        edges += [(NOBODY, card.number, 0) for card in order if may_rest(card, plan)]
    found = heaviest(edges, full=True)
    if len(found) < len(order) + len(order) % 2:
        return None
    return frozenset((one, other) for one, other in found.items() if NOBODY < one < other)
