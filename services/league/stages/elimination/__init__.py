"""Which elimination is meant: the bracket of two, or the tables of three to eight?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from services.league.counting.possible import Interval
from services.league.formats.elimination import spread
from services.league.stages.elimination import tables, two
from services.league.stages.facts import At, Consequences, Drafted, Facts, Format, Line, Meeting, Over, Plan, Waits
from services.league.ties.book import Book


def _of(facts: Facts) -> Format:
    return two if facts.rules.two else tables


def _seeded(facts: Facts) -> Facts:
    """LG-259 A bracket with those of one kind apart; who is whose club is known when the stage starts and does not change."""
    kinds = {"team": facts.teams, "club": facts.clubs, "country": facts.countries}.get(facts.rules.separate_by)
    if not kinds or not facts.rules.two or len(facts.field) < 2:
        return facts
    return facts._replace(field=spread(facts.field, kinds, facts.rules.protected))


def plan(facts: Facts) -> Plan:
    """LG-441, LG-481."""
    return _of(facts).plan(facts)


def draft(facts: Facts, option: str = "") -> Drafted | Over | Waits:
    """LG-443, LG-484."""
    return _of(facts).draft(_seeded(facts), option)


def parallel(facts: Facts) -> bool:
    return _of(facts).parallel(facts)


def lines(facts: Facts) -> tuple[Line, ...]:
    """LG-445, LG-487."""
    return _of(facts).lines(_seeded(facts))


def book(facts: Facts, number: int) -> Book:
    return _of(facts).book(facts, number)


def possible(facts: Facts) -> Mapping[int, Interval]:
    """LG-826."""
    return _of(facts).possible(_seeded(facts))


def consequences(facts: Facts, pairing: At, after: Meeting) -> Consequences:
    """LG-917, LG-918."""
    return _of(facts).consequences(_seeded(facts), pairing, after)


def bracket(facts: Facts) -> Mapping[str, Any] | None:
    return _of(facts).bracket(_seeded(facts))


def cross(facts: Facts) -> Mapping[str, Any] | None:
    return _of(facts).cross(facts)
