"""What is each tie-break code worth for an entrant?"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from fractions import Fraction
from functools import partial
from statistics import mean

from services.league.record import REQUESTED, Part, is_forfeit_win, is_played, opponents
from services.league.refusals import Refused
from services.league.scoring import PLAYED, first_place, margins, scale_for
from services.league.ties.book import Book, added, contributions, cut, drawn_last, weighed
from services.league.ties.groups import among, common, direct

Values = Mapping[int, Fraction]
Code = Callable[[Collection[int], Book], Values]
SWISS, ROUND_ROBIN, ARENA, LADDER, ELIMINATION = "swiss", "round_robin", "arena", "ladder", "elimination"
BASE = 10**9                            # above all points of a round, so that `LAST` is one number


def each(worth: Callable[[Book, int], Fraction | int]) -> Code:
    """A code that looks at one entrant at a time."""
    return lambda group, found: {number: value if isinstance(value := worth(found, number), Fraction) else Fraction(value) for number in group}


def parts(found: Book, number: int) -> list[Part]:
    return [part for part in found.rows[number] if part is not None]


def played(found: Book, number: int) -> list[Part]:
    return [part for part in parts(found, number) if is_played(part)]


def _place(part: Part) -> tuple[int, int]:
    """The place, and how many share it."""
    place = part.table[part.seat].place
    return place, sum(seat.place == place for seat in part.table)


def _by_play(part: Part) -> bool:
    return part.table[part.seat].how == PLAYED


def _win(found: Book, number: int) -> int:
    return sum(part.points >= (scale_for(len(part.table), found.rules.scales)[0] if part.table else first_place(found.rules))
               for part in parts(found, number))


def _won(found: Book, number: int) -> int:
    return sum(_place(part) == (1, 1) and _by_play(part) for part in played(found, number))


def _places(wanted: int, found: Book, number: int) -> Fraction:
    shares = (_place(part) for part in played(found, number) if _by_play(part))
    return sum((Fraction(place <= wanted < place + sharing, sharing) for place, sharing in shares), Fraction(0))


def _hard(found: Book, part: Part) -> bool:
    return found.facts.hard.get(len(part.table)) == part.seat


def _progress(left_out: int, found: Book, number: int) -> Fraction:
    row = found.rows[number]
    return added(Fraction(part.points.numerator * max(0, len(row) - max(at, left_out)), part.points.denominator)
                 for at, part in enumerate(row) if part is not None and part.points)


def _buchholz(lowest: int, highest: int, found: Book, number: int) -> Fraction:
    return cut(contributions(found, number), lowest, highest)


def _fore(group: Collection[int], found: Book) -> Values:
    last = drawn_last(found)
    return {number: cut(contributions(last, number), 0) for number in group}


def _of_opponents(found: Book, number: int) -> Fraction:
    values = [_buchholz(0, 0, found, other) for part in played(found, number) for other in opponents(part)]
    return mean(values) if values else Fraction(0)


def _sonneborn(lowest: int, found: Book, number: int) -> Fraction:
    return cut(weighed(found, number), lowest)


def _koya(found: Book, number: int) -> Fraction:
    half = (found.facts.matches or found.facts.rounds) * first_place(found.rules) / 2
    return sum((part.points for part in played(found, number) if found.totals[opponents(part)[0]] >= half), Fraction(0))


def _ratings(left_out: int, found: Book, number: int) -> Fraction:
    copies = found.facts.ratings
    values = sorted(Fraction(sum(copies.get(other, 0) for other in opponents(part)), len(opponents(part))) for part in played(found, number))
    kept = values[left_out:]
    return mean(kept) if kept else Fraction(0)


def _differences(found: Book, number: int) -> Fraction:
    return sum((margins(part.table, found.rules.margin_cap)[number] for part in played(found, number)), Fraction(0))


def _scores(found: Book, number: int) -> int:
    return sum(part.table[part.seat].score for part in played(found, number))


def _last(found: Book, number: int) -> Fraction:
    points = [part.points if part else Fraction(0) for part in reversed(found.rows[number])]
    return sum((worth / BASE**at for at, worth in enumerate(points)), Fraction(0))


def _reported(found: Book, number: int) -> int:
    return sum(part.kind not in REQUESTED and (not part.table or is_played(part) or is_forfeit_win(part))
               for part in parts(found, number))


SIMPLE: dict[str, Code] = {
    "WIN": each(_win), "WON": each(_won),
    "HS": each(lambda found, number: sum(_hard(found, part) for part in played(found, number))),
    "HW": each(lambda found, number: sum(_hard(found, part) and _place(part) == (1, 1) for part in played(found, number))),
    "PS": each(partial(_progress, 0)), "BH": each(partial(_buchholz, 0, 0)), "FB": _fore, "AOB": each(_of_opponents),
    "SB": each(partial(_sonneborn, 0)), "KO": each(_koya), "ARO": each(partial(_ratings, 0)), "SD": each(_differences), "SF": each(_scores),
    "GP": each(lambda found, number: found.facts.game_points.get(number, Fraction(0))), "LAST": each(_last), "REP": each(_reported),
    "RTG": each(lambda found, number: found.facts.ratings.get(number, 0)), "SEED": each(lambda _, number: -number),
    "ERL": each(lambda found, number: -found.facts.entered.get(number, 0)), "LOT": each(lambda found, number: -found.facts.lots.get(number, 0)),
    "DE": direct, "H2H": among, "CO": common,
}
CUT: dict[str, Callable[[int], Code]] = {
    "PS-C": lambda count: each(partial(_progress, count)), "BH-C": lambda count: each(partial(_buchholz, count, 0)),
    "BH-M": lambda count: each(partial(_buchholz, count, count)), "SB-C": lambda count: each(partial(_sonneborn, count)),
    "ARO-C": lambda count: each(partial(_ratings, count)), "P": lambda count: each(partial(_places, count)),
}


def code(name: str) -> Code:
    """LG-750 The code of this name, with its number if it has one."""
    if name in SIMPLE:
        return SIMPLE[name]
    stem = name.rstrip("0123456789")
    if stem not in CUT or stem == name or int(name[len(stem):]) < 1:
        raise Refused("bad_setting", f"there is no tie-break {name}")
    return CUT[stem](int(name[len(stem):]))


ALL = frozenset({SWISS, ROUND_ROBIN, ARENA, LADDER, ELIMINATION})
FORMATS: dict[str, frozenset[str]] = {
    "PS": ALL - {ELIMINATION}, "PS-C": ALL - {ELIMINATION}, "BH": frozenset({SWISS, ARENA}), "BH-C": frozenset({SWISS}),
    "BH-M": frozenset({SWISS}), "FB": frozenset({SWISS}), "AOB": frozenset({SWISS}), "SB": ALL - {ELIMINATION}, "SB-C": ALL - {ELIMINATION},
    "KO": frozenset({ROUND_ROBIN}), "REP": frozenset({SWISS}),
}
WITH_SCORE = frozenset({"SD", "SF"})


def defaults(kind: str, seats: int, *, scores: bool) -> tuple[str, ...]:
    """LG-742 The list that a stage has unless it says otherwise."""
    if kind == ELIMINATION:
        return ()
    listed: tuple[str, ...] = ("P1", "P2", "H2H", "BH", "SD", "LOT")
    if seats == 2:
        listed = ("BH-C1", "BH", "SB", "PS", "WON", "LOT") if kind == SWISS else ("DE", "WON", "SB", "SD", "LOT")
    return tuple(name for name in listed if scores or name not in WITH_SCORE)


def checked(names: Collection[str], kind: str, seats: int, *, scores: bool) -> tuple[str, ...]:
    """LG-772 The list, or `bad_setting` for a code outside its formats; at tables of three and more `BH` and `AOB` are at home everywhere."""
    for name in names:
        code(name)
        stem = name.rstrip("0123456789")
        at_home = FORMATS.get(stem, ALL)
        if seats > 2 and stem in {"BH", "BH-C", "BH-M", "AOB"}:
            at_home = ALL
        fits = kind in at_home and (scores or stem not in WITH_SCORE) and (seats > 2 or stem != "H2H") and (seats == 2 or stem != "KO")
        if not fits:
            raise Refused("bad_setting", f"the tie-break {name} has no meaning here")
    return tuple(names)
