"""Who leads a championship over several games?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from types import MappingProxyType
from typing import NamedTuple

from services.league.refusals import Refused

LINEAR, TABLE, BEATEN = "linear", "table", "beaten"
ORDER = ("places", "games", "H2H", "best_game", "gross", "latest", "draw")     # LG-612
NONE: Mapping[str, Fraction] = MappingProxyType({})


class Tournament(NamedTuple):
    """LG-601 A counted tournament: its frozen places by account, who was disqualified, and how much it weighs."""

    name: str
    game: str
    places: Mapping[str, int]
    weight: Fraction = Fraction(1)
    barred: frozenset[str] = frozenset()
    finished: bool = True


class Settings(NamedTuple):
    """How a championship counts."""

    method: str = LINEAR
    table: tuple[Fraction, ...] = ()
    drop: int = 0
    best_per_game: int | None = None
    least_field: int = 4
    least_tournaments: int = 0
    least_games: int = 0
    announced: int = 0                      # LG-609; 0 while it is not known
    ties: tuple[str, ...] = ORDER


class Result(NamedTuple):
    """What one tournament brought to one account."""

    tournament: str
    game: str
    points: Fraction
    place: int | None
    sharing: int = 1
    barred: bool = False
    kept: bool = True


class Line(NamedTuple):
    """A line of the championship; without a rank where too little was played (LG-610)."""

    account: str
    rank: int | None
    net: Fraction
    gross: Fraction
    results: tuple[Result, ...]
    decided: str = ""                       # what put it behind the one above; empty for the first and for a shared rank


Meetings = Sequence[Mapping[str, int]]      # the places at each table of the counted tournaments


def points(place: int, sharing: int, field: int, settings: Settings) -> Fraction:
    """LG-603 to LG-605 The exact mean over the places that are shared, without the weight."""
    if settings.method == BEATEN:
        return field - place - sharing + 1 + Fraction(sharing - 1, 2)
    return sum((_at(covered, field, settings) for covered in range(place, place + sharing)), Fraction(0)) / sharing


def _at(place: int, field: int, settings: Settings) -> Fraction:
    if settings.method == TABLE:
        return settings.table[place - 1] if place <= len(settings.table) else Fraction(0)
    return Fraction(100 * (field - place), field - 1) if field > 1 else Fraction(100)


def results(account: str, tournaments: Sequence[Tournament], settings: Settings) -> tuple[Result, ...]:
    """LG-602, LG-606 to LG-609 Everything that counts for an account, with what is dropped marked."""
    finished = [one for one in tournaments if one.finished]
    found = [_result(account, one, settings) for one in finished]
    return _marked(found, _dropped(found, _drops(len(finished), settings), settings.best_per_game), settings.best_per_game)


def _marked(found: Sequence[Result], dropped: Collection[int], best: int | None) -> tuple[Result, ...]:
    """LG-608 What is kept after the drops and, of each game, only the best."""
    beyond = () if best is None else frozenset(_beyond(found, [at for at in range(len(found)) if at not in dropped], best))
    return tuple(one._replace(kept=at not in dropped and at not in beyond) for at, one in enumerate(found))


def _result(account: str, tournament: Tournament, settings: Settings) -> Result:
    place, field = tournament.places.get(account), len(tournament.places)
    barred = account in tournament.barred
    if place is None or barred:
        return Result(tournament.name, tournament.game, Fraction(0), None, barred=barred)
    sharing = sum(other == place for other in tournament.places.values())
    worth = points(place, sharing, field, settings) * tournament.weight if field >= settings.least_field else Fraction(0)
    return Result(tournament.name, tournament.game, worth, place, sharing)


def _drops(finished: int, settings: Settings) -> int:
    """LG-609 Fewer while tournaments are outstanding."""
    return max(0, finished - max(settings.announced, finished) + settings.drop)


def _dropped(found: Sequence[Result], count: int, best: int | None) -> frozenset[int]:
    """LG-608 The lowest; a disqualification never. Which of several that are equally low, the order of the tournaments does not say: those without
    which most is left, of points, then of games with points, then of points in the best game.
    """
    able = sorted((one.points, at) for at, one in enumerate(found) if not one.barred)
    chosen = frozenset(at for _, at in able[:count])
    worth = max((found[at].points for at in chosen), default=Fraction(0))
    lower = frozenset(at for value, at in able if value < worth)
    equal = [at for value, at in able if value == worth]
    if not worth or len(lower) + len(equal) == len(chosen):
        return chosen
    ways = [lower | {*_cheapest(found, lower, equal, (best, spared))[:count - len(lower)]} for spared in sorted({found[at].game for at in equal})]
    return max(ways, key=lambda way: _left(_marked(found, way, best)))


def _cheapest(found: Sequence[Result], lower: Collection[int], equal: Sequence[int], rules: tuple[int | None, str]) -> list[int]:
    """Equally low ones in the order in which they cost least: what is beyond the best of its game, what is not the last of its game, the rest; those
    of the game that is spared behind the others.
    """
    best, spared = rules
    costs: dict[int, int] = {}
    for game in {found[at].game for at in equal}:
        own = [at for at in equal if found[at].game == game]
        there = sum(one.game == game and not one.barred and at not in lower for at, one in enumerate(found))
        places = there if best is None else max(0, best - sum(one.game == game and one.barred for one in found))
        for number, at in enumerate(own, start=1):
            costs[at] = 0 if number <= there - places else 2 if number == there else 1
    return sorted(equal, key=lambda at: (costs[at], found[at].game == spared, at))


def _left(found: Sequence[Result]) -> tuple[Fraction, int, Fraction]:
    """LG-612 What can part two by what is kept."""
    return net(found), _games(found), max(_by_game(found).values(), default=Fraction(0))


def _beyond(found: Sequence[Result], left: Sequence[int], best: int) -> Iterator[int]:
    for game in sorted({found[at].game for at in left}):
        own = sorted((at for at in left if found[at].game == game and not found[at].barred), key=lambda at: (-found[at].points, at))
        barred = sum(found[at].barred for at in left if found[at].game == game)
        yield from own[max(0, best - barred):]


def net(found: Sequence[Result]) -> Fraction:
    return sum((one.points for one in found if one.kept), Fraction(0))


def gross(found: Sequence[Result]) -> Fraction:
    return sum((one.points for one in found), Fraction(0))


def standing(tournaments: Sequence[Tournament], settings: Settings, meetings: Meetings = (), lots: Mapping[str, int] | None = None) -> tuple[
        Line, ...]:
    """LG-602, LG-610, LG-612 The whole table; with a draw nobody stays level."""
    accounts = sorted({account for one in tournaments if one.finished for account in (*one.places, *one.barred)})
    known = {account: results(account, tournaments, settings) for account in accounts}
    ranked = [account for account in accounts if is_ranked(known[account], settings)]
    values = _tie_breaks(known, settings.ties, (meetings, lots or {}))
    lines, rank = [], 1
    for group, decided in _groups(ranked, values):
        lines += [_line(account, rank, known[account], "" if at else decided) for at, account in enumerate(group)]
        rank += len(group)
    behind = sorted((account for account in accounts if account not in ranked), key=lambda account: (-net(known[account]), account))
    return (*lines, *(_line(account, None, known[account]) for account in behind))


def _line(account: str, rank: int | None, found: tuple[Result, ...], decided: str = "") -> Line:
    return Line(account, rank, net(found), gross(found), found, decided)


def is_ranked(found: Sequence[Result], settings: Settings) -> bool:
    """LG-610."""
    played = [one for one in found if one.place is not None]
    return len(played) >= settings.least_tournaments and len({one.game for one in played}) >= settings.least_games


Known = Mapping[str, tuple[Result, ...]]
Values = Callable[[Sequence[str]], Mapping[str, Fraction]]


def _groups(ranked: Sequence[str], tie_breaks: Iterator[tuple[str, Values]]) -> list[tuple[list[str], str]]:
    """LG-612 Net points, then each tie-break among those still level; with each group what put it behind the one before."""
    groups = [(list(ranked), "")] if ranked else []
    for code, values in tie_breaks:
        groups = [part for group, decided in groups for part in _parted(group, decided, (code, values))]
    return groups


def _parted(group: list[str], decided: str, tie_break: tuple[str, Values]) -> list[tuple[list[str], str]]:
    if len(group) == 1:
        return [(group, decided)]
    code, values = tie_break
    found = values(group)
    order = sorted(group, key=lambda account: (-found[account], account))
    parts = [list(equal) for _, equal in groupby(order, key=lambda account: found[account])]
    return [(part, code if at else decided) for at, part in enumerate(parts)]


def _tie_breaks(known: Known, names: Sequence[str], extra: tuple[Meetings, Mapping[str, int]]) -> Iterator[tuple[str, Values]]:
    yield "points", _each(known, net)
    for name in names:
        yield from ((name, values) for values in _values(name, known, extra))


def _each(known: Known, worth: Callable[[tuple[Result, ...]], Fraction]) -> Values:
    return lambda group: {account: worth(known[account]) for account in group}


def _values(name: str, known: Known, extra: tuple[Meetings, Mapping[str, int]]) -> Iterator[Values]:
    """LG-612 One tie-break, some in several steps: first places, then second ones and so on; the latest tournament, then the one before."""
    meetings, lots = extra
    match name:
        case "places":
            worst = max((one.place + one.sharing for found in known.values() for one in found if one.place), default=1)
            yield from (_each(known, lambda found, place=place: _times(found, place)) for place in range(1, worst))     # type: ignore[misc]
        case "games":
            yield _each(known, lambda found: Fraction(_games(found)))
        case "H2H":
            yield lambda group: head_to_head(group, meetings)
        case "best_game":
            yield _each(known, lambda found: max(_by_game(found).values(), default=Fraction(0)))
        case "gross":
            yield _each(known, gross)
        case "latest":
            count = max((len(found) for found in known.values()), default=0)
            yield from (_each(known, lambda found, at=at: found[at].points) for at in range(count - 1, -1, -1))         # type: ignore[misc]
        case "draw":
            yield lambda group: {account: Fraction(-lots.get(account, 0)) for account in group}


def _times(found: Sequence[Result], place: int) -> Fraction:
    """How often at this place; who shares k places has a k-th of each."""
    return sum((Fraction(1, one.sharing) for one in found if one.place is not None and one.place <= place < one.place + one.sharing), Fraction(0))


def _games(found: Sequence[Result]) -> int:
    return len({one.game for one in found if one.kept and one.points > 0})


def _by_game(found: Sequence[Result]) -> dict[str, Fraction]:
    sums: dict[str, Fraction] = {}
    for one in found:
        if one.kept:
            sums[one.game] = sums.get(one.game, Fraction(0)) + one.points
    return sums


def head_to_head(group: Sequence[str], meetings: Meetings) -> dict[str, Fraction]:
    """LG-612 `H2H` at all tables that members of the group shared."""
    counted: Counter[str] = Counter(dict.fromkeys(group, 0))
    for table in meetings:
        among = [(account, place) for account, place in table.items() if account in counted]
        for account, place in among:
            counted[account] += sum((place < other) - (place > other) for _, other in among)
    return {account: Fraction(counted[account]) for account in group}


def sub_table(game: str, tournaments: Sequence[Tournament], settings: Settings, meetings: Meetings = ()) -> tuple[Line, ...]:
    """LG-611 The results in one game, with a title of their own; parted as the whole table is, but without the draw."""
    own = [one for one in tournaments if one.game == game]
    return standing(own, settings._replace(drop=0, least_tournaments=0, least_games=0, announced=0), meetings)


def check_tie_breaks(names: Sequence[str]) -> None:
    """LG-613 Only places, counts and shared tables; scores of different games say nothing about each other."""
    wrong = [name for name in names if name not in ORDER]
    if wrong:
        raise Refused("bad_setting", f"{', '.join(wrong)} cannot decide over several games")
