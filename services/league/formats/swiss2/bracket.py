"""How good is a way to pair one bracket? The rules S1 to S17 as one whole number for each couple."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import NamedTuple

from services.league.formats.swiss2.cards import DOWN, STRONG, UP, Card, Plan, Wish, couple, may_meet, wish
from services.league.formats.swiss2.seating import seated

MOVED, RESIDENT, NEXT, REST = range(4)      # moved down into the bracket; of it; of the next score group; further down
BYE = -1


class Bracket(NamedTuple):
    """Those who are looked at together, in rank order, and what each is here."""

    cards: tuple[Card, ...]
    roles: tuple[int, ...]
    resting: frozenset[int]                 # indexes of those who may have the bye; empty when nobody needs it
    plan: Plan


Rule = Callable[[int, int], int]            # what a couple adds, of indexes in rank order


class Field(NamedTuple):
    """One rule: its name, a number above everything that can come together, and what a couple adds."""

    name: str
    size: int
    worth: Rule


def inside(bracket: Bracket, one: int, other: int) -> bool:
    return max(bracket.roles[one], bracket.roles[other]) <= RESIDENT


def couples(bracket: Bracket) -> Iterator[tuple[int, int]]:
    """LG-342 Everybody who may meet; nobody of the rest is looked at for anything but a complete round."""
    for one, card in enumerate(bracket.cards):
        for other in range(one + 1, len(bracket.cards)):
            if may_meet(card, bracket.cards[other], bracket.plan):
                yield one, other


def fields(bracket: Bracket) -> list[Field]:
    """LG-351 S3 to S16, most important first; S1 and S2 are kept by whoever may be chosen at all."""
    most = len(bracket.cards) // 2 + 1
    upper = sorted({card.points for card, role in zip(bracket.cards, bracket.roles, strict=True) if role <= RESIDENT}, reverse=True)
    lower = sorted({card.points for card, role in zip(bracket.cards, bracket.roles, strict=True) if role <= NEXT}, reverse=True)
    found: list[tuple[str, Rule]] = [("S3", partial(_paired, bracket))]
    found += [("S4", partial(_paired_at, bracket, points)) for points in upper]
    if NEXT in bracket.roles:
        found += [("S5", partial(_next, bracket)), *(("S5", partial(_next_at, bracket, points)) for points in lower)]
    if bracket.plan.apart:
        found.append(("soft", partial(_apart_kept, bracket)))
    first = [Field(name, 2 * most + 1, rule) for name, rule in found]
    return [*first, *([_bye(bracket)] if bracket.resting else []), *(Field(name, 2 * most + 1, rule) for name, rule in _later(bracket, upper))]


def _later(bracket: Bracket, upper: Sequence[Fraction]) -> Iterator[tuple[str, Rule]]:
    """S7 to S16."""
    wishes = [wish(card) for card in bracket.cards]
    if any(card.top for card in bracket.cards):
        yield "S7", partial(_difference, bracket, wishes)
        yield "S8", partial(_third_time, bracket)
    yield "S9", partial(_refused, bracket, wishes)
    yield "S10", partial(_strong, bracket, wishes)
    for back in (0, 1):
        yield f"S{11 + 2 * back}", partial(_down, bracket, back)
        yield f"S{12 + 2 * back}", partial(_up, bracket, back)
    for back in (0, 1):
        yield from ((f"S{15 + back}", rule) for rule in _differences(bracket, back, upper))


def weight(parts: Sequence[Field], one: int, other: int) -> int:
    whole = 0
    for part in parts:
        whole = whole * part.size + part.worth(one, other)
    return whole


def _bye(bracket: Bracket) -> Field:
    """S6 The bye goes to who has missed least; its couple is the only one that counts here."""
    most = max(card.unplayed for card in bracket.cards)
    return Field("S6", most + 2, lambda one, other: most + 1 - bracket.cards[other].unplayed if one == BYE else 0)


def _paired(bracket: Bracket, one: int, other: int) -> int:
    """S3."""
    return int(one != BYE and inside(bracket, one, other))


def _paired_at(bracket: Bracket, points: Fraction, one: int, other: int) -> int:
    """S4 Who has these points and is paired here is not moved down."""
    return _paired(bracket, one, other) and sum(bracket.cards[at].points == points for at in (one, other))


def _next(bracket: Bracket, one: int, other: int) -> int:
    """S5 A pair of the next bracket."""
    return int(one != BYE and max(bracket.roles[one], bracket.roles[other]) == NEXT)


def _next_at(bracket: Bracket, points: Fraction, one: int, other: int) -> int:
    return _next(bracket, one, other) and sum(bracket.cards[at].points == points for at in (one, other))


def _topscorers(bracket: Bracket, one: int, other: int) -> bool:
    return bracket.cards[one].top or bracket.cards[other].top


def _kept(bracket: Bracket, broken: Callable[[], bool], one: int, other: int) -> int:
    """The number of pairs is fixed by S3, so fewest pairs that break a rule are most pairs that keep it."""
    return int(_paired(bracket, one, other) == 1 and not broken())


def _apart_kept(bracket: Bracket, one: int, other: int) -> int:
    """LG-952 Soft constraints come after S5 and before all that follows."""
    return _kept(bracket, lambda: couple(bracket.cards[one], bracket.cards[other]) in bracket.plan.apart, one, other)


def _difference(bracket: Bracket, wishes: Sequence[Wish], one: int, other: int) -> int:
    """S7."""
    return _kept(bracket, lambda: _topscorers(bracket, one, other) and any(
        abs(wishes[at].difference + seat) > 2 for at, seat in _seats(bracket, one, other)), one, other)


def _third_time(bracket: Bracket, one: int, other: int) -> int:
    """S8."""
    return _kept(bracket, lambda: _topscorers(bracket, one, other) and any(
        bracket.cards[at].seats[-2:] == (seat, seat) for at, seat in _seats(bracket, one, other)), one, other)


def _seats(bracket: Bracket, one: int, other: int) -> tuple[tuple[int, int], ...]:
    first = seated(bracket.cards[one], bracket.cards[other], bracket.plan)[0]
    return tuple((at, 1 if bracket.cards[at].number == first else -1) for at in (one, other))


def _same(wishes: Sequence[Wish], one: int, other: int) -> bool:
    return bool(wishes[one].seat) and wishes[one].seat == wishes[other].seat


def _refused(bracket: Bracket, wishes: Sequence[Wish], one: int, other: int) -> int:
    """S9."""
    return _kept(bracket, lambda: _same(wishes, one, other), one, other)


def _strong(bracket: Bracket, wishes: Sequence[Wish], one: int, other: int) -> int:
    """S10 A strong wish gives way to a strong or an absolute one."""
    return _kept(bracket, lambda: _same(wishes, one, other) and min(wishes[one].strength, wishes[other].strength) == STRONG, one, other)


def _down(bracket: Bracket, back: int, one: int, other: int) -> int:
    """S11, S13 A resident who went down before and is paired here does not go down again."""
    return _paired(bracket, one, other) and sum(
        bracket.roles[at] == RESIDENT and bracket.cards[at].floats[back] == DOWN for at in (one, other))


def _is_up(bracket: Bracket, back: int, one: int, other: int) -> bool:
    """Residents with an upfloat who meet somebody moved down."""
    return bracket.roles[one] == MOVED and bracket.roles[other] == RESIDENT and bracket.cards[other].floats[back] == UP


def _up(bracket: Bracket, back: int, one: int, other: int) -> int:
    """S12, S14."""
    return _kept(bracket, lambda: _is_up(bracket, back, one, other), one, other)


def _differences(bracket: Bracket, back: int, upper: Sequence[Fraction]) -> Iterator[Rule]:
    """S15, S16 Compared from the highest points, then from the largest difference."""
    moved = [points for points in upper[:-1] if any(
        card.points == points and role == MOVED for card, role in zip(bracket.cards, bracket.roles, strict=True))]
    yield from (partial(_again, bracket, back, points) for points in moved)
    yield from (partial(_apart, bracket, back, points) for points in moved)


def _again(bracket: Bracket, back: int, points: Fraction, one: int, other: int) -> int:
    return _paired(bracket, one, other) and sum(
        bracket.roles[at] == MOVED and bracket.cards[at].floats[back] == DOWN and bracket.cards[at].points == points for at in (one, other))


def _apart(bracket: Bracket, back: int, points: Fraction, one: int, other: int) -> int:
    return _kept(bracket, lambda: bracket.cards[one].points == points and _is_up(bracket, back, one, other), one, other)


def moved_first(bracket: Bracket) -> list[Field]:
    """LG-353 S17, part 1: who of those moved down is paired, the lowest numbers first, and then with whom."""
    moved = [at for at, role in enumerate(bracket.roles) if role == MOVED]
    own = [at for at, role in enumerate(bracket.roles) if role == RESIDENT]
    place = {at: count for count, at in enumerate(own)}
    base = len(own) + 1
    order = {at: len(moved) - 1 - count for count, at in enumerate(moved)}
    return [
        Field("S17", 1 << (len(moved) + 1), lambda one, other: sum(
            1 << order[at] for at in (one, other) if at in order) if one != BYE and inside(bracket, one, other) else 0),
        Field("S17", base ** len(moved), lambda one, other: (base - 1 - place[other]) * base ** order[one]
              if one in order and other in place else 0),
    ] if moved else []


def in_halves(own: Sequence[int], pairs: int) -> list[Field]:
    """LG-354, LG-355 S17, parts 2 and 3, for those left over (indexes, in rank order) and the pairs they make."""
    place: Mapping[int, int] = {at: count for count, at in enumerate(own)}
    size = len(own)
    base = size + 1

    def of(rule: Callable[[int, int], int]) -> Rule:
        return lambda one, other: rule(place[one], place[other]) if one in place and other in place else 0

    return [
        Field("S17", pairs + 1, of(lambda up, _: int(up < pairs))),                                # fewer exchanges
        Field("S17", size * pairs + 1, of(lambda up, _: size - up)),                               # smaller difference of sums
        Field("S17", (pairs + 1) << pairs, of(lambda up, _: (1 << pairs) - (1 << up) if up < pairs else 0)),       # higher ones go down
        Field("S17", 1 << size, of(lambda up, _: 1 << (size - 1 - up) if up >= pairs else 0)),     # lower ones come up
        Field("S17", base ** size, of(lambda up, low: (base - 1 - low) * base ** (size - 1 - up))),
    ] if pairs else []


