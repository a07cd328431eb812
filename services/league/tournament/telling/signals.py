"""What should a referee have a look at? Patterns between two accounts, counted from what happened; a signal is no verdict and changes nothing."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import combinations
from math import exp, sqrt
from typing import Any, NamedTuple

from services.league.counting.rating import BETA
from services.league.scoring import by_model
from services.league.stages import table_of
from services.league.stages.rules import scoring
from services.league.tournament import shelf
from services.league.tournament.facts import meeting_of
from services.league.tournament.looking import At, account_of, entrant, rules_of
from services.league.tournament.state import State

LEAST = 3                   # tables that two must have shared, and that each must have played without the other
MORE = Fraction(5, 4)       # of what each takes without the other
IN_TURN = 2                 # tables at which each has won with the other in last place
FAR = 3.0                   # standard deviations
SPREAD = 2 * BETA           # of the difference of two ratings and of how well both play on a day
Couple = tuple[str, str]


class Table(NamedTuple):
    """A table that was played: places, and points as shares of an even table (1 is as much as everybody gets on average)."""

    pairing: str
    places: Mapping[str, int]
    shares: Mapping[str, Fraction]

    def first(self, account: str) -> bool:
        return self.places[account] == min(self.places.values())

    def last(self, account: str) -> bool:
        return self.places[account] == max(self.places.values())


def signals(state: State) -> list[dict[str, Any]]:
    """LG-955 All there are, the couples in order of their ids."""
    tables = list(played(state))
    met = Counter(couple for table in tables for couple in combinations(sorted(table.places), 2))
    often = {couple for couple, times in met.items() if times >= LEAST}
    shared: dict[Couple, list[Table]] = defaultdict(list)
    of_account: dict[str, list[Table]] = defaultdict(list)
    concerned = {account for couple in often for account in couple}
    for table in tables:
        for couple in combinations(sorted(concerned & table.places.keys()), 2):
            if couple in often:
                shared[couple].append(table)
        for account in concerned & table.places.keys():
            of_account[account].append(table)
    found = []
    for couple in sorted(often):
        found += [*together(couple, shared[couple], of_account), *in_turn(couple, shared[couple]), *unexpected(state, couple, shared[couple])]
    return found


def played(state: State) -> Iterator[Table]:
    """Confirmed tables to which at least two came."""
    for stage in state.stages:
        rules = rules_of(state.settings, stage)
        for one in stage.rounds:
            for pairing in shelf.every(one.pairings):
                table = table_of(rules, meeting_of(pairing)) if pairing.state == "confirmed" else ()
                came = [seat for seat in table if seat.how != "no_show"]
                if len(came) < 2:
                    continue
                gained = by_model(table, scoring(rules), rules.model)
                whole = sum(gained.values(), Fraction(0))
                names = {seat.number: account_of(state, stage, seat.number) for seat in came}
                yield Table(str(At(stage.number, one.number, pairing.table)), {names[seat.number]: seat.place for seat in came},
                            {names[seat.number]: gained[seat.number] * len(table) / whole if whole else Fraction(1) for seat in came})


def together(couple: Couple, shared: list[Table], of_account: Mapping[str, list[Table]]) -> Iterator[dict[str, Any]]:
    """LG-955 At tables of three or more both take clearly more when they sit together than each takes without the other."""
    large = [table for table in shared if len(table.places) > 2]
    apart = {one: [table for table in of_account[one] if len(table.places) > 2 and not set(couple) <= table.places.keys()] for one in couple}
    if len(large) < LEAST or min(map(len, apart.values())) < LEAST:
        return
    with_other = {one: _mean(one, large) for one in couple}
    without = {one: _mean(one, apart[one]) for one in couple}
    if all(with_other[one] >= MORE * max(without[one], Fraction(1, 2)) for one in couple):
        yield _signal("together", couple, large, {
            "with_each_other": {one: str(share) for one, share in with_other.items()}, "without": {one: str(share) for one, share in without.items()},
            "words": f"At {len(large)} tables of three or more these two took {_percent(with_other)} of an even share when they sat together, "
                     f"and {_percent(without)} without each other."})


def in_turn(couple: Couple, shared: list[Table]) -> Iterator[dict[str, Any]]:
    """LG-955 At tables of three or more each has won repeatedly with the other in last place."""
    large = [table for table in shared if len(table.places) > 2]
    wins = [[table for table in large if table.first(one) and table.last(other)] for one, other in (couple, couple[::-1])]
    if min(map(len, wins)) >= IN_TURN:
        yield _signal("in_turn", couple, wins[0] + wins[1], {
            "words": f"At tables of three or more each of them won with the other in last place: {len(wins[0])} and {len(wins[1])} times."})


def unexpected(state: State, couple: Couple, shared: list[Table]) -> Iterator[dict[str, Any]]:
    """LG-955 Who ends before whom is far from what their ratings let expect."""
    ratings = [found.rating if (found := entrant(state, account)) else "" for account in couple]
    if not all(ratings):
        return
    chance = 1 / (1 + exp((float(ratings[1]) - float(ratings[0])) / SPREAD))
    one, other = couple
    score = sum(1.0 if table.places[one] < table.places[other] else 0.5 if table.places[one] == table.places[other] else 0.0 for table in shared)
    expected = len(shared) * chance
    if abs(score - expected) >= FAR * sqrt(len(shared) * chance * (1 - chance)):
        yield _signal("unexpected", couple, shared, {
            "score": score, "expected": round(expected, 2),
            "words": f"In {len(shared)} results between these two the first came out ahead {score:g} times; by their ratings {expected:.2f} was to be expected."})


def _signal(kind: str, couple: Couple, tables: list[Table], facts: dict[str, Any]) -> dict[str, Any]:
    return {"signal": kind, "accounts": list(couple), "pairings": [table.pairing for table in tables], **facts}


def _mean(account: str, tables: list[Table]) -> Fraction:
    return sum((table.shares[account] for table in tables), Fraction(0)) / len(tables)


def _percent(shares: Mapping[str, Fraction]) -> str:
    return " and ".join(f"{round(share * 100)} %" for share in shares.values())
