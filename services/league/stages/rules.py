"""What may be set for a stage, within which limits, and what do the pure formats read of it?"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from typing import Annotated, Literal

from msgspec import Meta, Struct

from services.league.refusals import Refused
from services.league.scoring import Rules, Scale, bye_points, draw_points, first_place, scale_for
from services.league.tables import Limits
from services.league.ties.book import PLAIN, VIRTUAL_2
from services.league.ties.codes import ARENA, ELIMINATION, LADDER, ROUND_ROBIN, SWISS, checked, defaults

FormatName = Literal["round_robin", "swiss", "elimination", "double_elimination", "groups", "arena", "ladder"]
Worth = Annotated[str, Meta(pattern=r"^(\d{1,6}(/\d{1,4})?|\d{1,4}\.\d{1,2})?$")]       # "1", "1/2", "0.5"; empty: as the rules say
Count = Annotated[int, Meta(ge=1, le=131_072)]
SeatCount = Annotated[int, Meta(ge=1, le=8)]
MOST_IN_ROUND_ROBIN = 200
MOST_ROUNDS = 64
ARENA_CODES = ("P1", "P2", "MEAN", "SOONER", "LOT")     # LG-527; the third and fourth are an arena's own
KINDS = {"round_robin": ROUND_ROBIN, "swiss": SWISS, "elimination": ELIMINATION, "double_elimination": ELIMINATION, "arena": ARENA, "ladder": LADDER,
         "groups": ROUND_ROBIN}


class Seats(Struct, frozen=True, forbid_unknown_fields=True):
    """`table_min`, `table_max`, `table_preferred`."""

    least: SeatCount
    most: SeatCount
    preferred: SeatCount


class Takes(Struct, frozen=True, forbid_unknown_fields=True):
    """LG-503, LG-505, LG-506 Whom a later stage takes from the frozen standing of the one before: of each group, or of the whole stage."""

    stage: Annotated[int, Meta(ge=0, le=16)] = 0            # 0: the one before; final B takes from the same groups as final A
    first: Count = 1
    count: Count = 2
    best_next: Annotated[int, Meta(ge=0, le=1_000)] = 0     # so many of the rank behind, compared over the groups


class Groups(Struct, frozen=True, forbid_unknown_fields=True):
    """LG-501, LG-502 How many groups, how they are filled, and what is played in them."""

    count: Annotated[int, Meta(ge=1, le=1_024)]
    method: Literal["snake", "pots", "list"] = "snake"
    listed: tuple[tuple[int, ...], ...] = ()                # pairing numbers, for `list`
    format: Literal["round_robin", "swiss"] = "round_robin"


class Card(Struct, frozen=True):
    """LG-101 What a stage must know of the game."""

    seats: tuple[int, ...]
    scores: bool = False


class StageRules(Struct, frozen=True, forbid_unknown_fields=True):
    """LG-106 Everything that is set for one stage; an empty or missing value means what the ledger says."""

    format: FormatName
    seats: Seats
    name: str = ""
    rounds: Annotated[int, Meta(ge=1, le=MOST_ROUNDS)] | None = None    # Swiss, greedy round robin; elsewhere as the schedule has
    takes: Takes | None = None                                  # of the stage before
    # points
    points: tuple[tuple[Worth, ...], ...] = ()                  # one list for each table size, by its length
    draw: Worth = ""
    bye_points: Worth = ""
    leaver_points: Worth = ""
    model: Literal["places", "margin", "raw"] = "places"        # `wdl` is `places` at two seats
    margin_cap: Annotated[int, Meta(ge=0)] | None = None
    ties: tuple[str, ...] | None = None
    tie_version: Literal["", "plain-1", "virtual-1", "virtual-2"] = ""
    # entry and byes
    half_byes: Annotated[int, Meta(ge=0, le=MOST_ROUNDS)] = 1
    late_entry_until: Annotated[int, Meta(ge=0, le=MOST_ROUNDS)] | None = None
    late_points: Worth = "0"
    separate_by: Literal["", "team", "club", "country"] = ""
    protected: Annotated[int, Meta(ge=0)] = 0
    # Swiss
    dead_end: Literal["ask", "relax", "finish"] = "ask"
    priority: Literal["repeats_first", "brackets_first"] = "repeats_first"
    initial_seat: Literal["", "first", "second"] = ""           # drawn, unless set
    trials: Annotated[int, Meta(ge=50, le=2_000)] = 200
    # round robin
    double: bool = False
    any_order: bool = False
    open_matches: Annotated[int, Meta(ge=1, le=64)] = 3
    # series and elimination
    best_of: Annotated[int, Meta(ge=1, le=99)] = 1
    deciders: Annotated[int, Meta(ge=0, le=9)] = 2
    third_place: bool = False
    advance: Annotated[int, Meta(ge=1, le=7)] = 1
    cut_tie: Literal["seed", "decider", "all"] = "seed"
    groups: Groups | None = None
    # arena and ladder; all times are in seconds
    beat: Annotated[int, Meta(ge=1, le=3_600)] = 5
    max_wait: Annotated[int, Meta(ge=1, le=86_400)] = 60
    length: Annotated[int, Meta(ge=60, le=30 * 86_400)] | None = None   # of an arena from its start; none: until somebody ends it
    drain: Annotated[int, Meta(ge=0, le=7 * 86_400)] = 1_800
    reach: Annotated[int, Meta(ge=1, le=1_000)] = 3
    cool_down: Annotated[int, Meta(ge=0)] = 7 * 86_400
    answer_time: Annotated[int, Meta(ge=60)] = 2 * 86_400
    move: Literal["insert", "swap"] = "insert"
    # teams
    boards: Annotated[int, Meta(ge=1, le=12)] = 1
    # a score board (LG-728)
    same_dice: bool = False

    @property
    def two(self) -> bool:
        """Tables of two and nothing else."""
        return self.seats.most == 2


def limits(rules: StageRules) -> Limits:
    return Limits(max(2, rules.seats.least), rules.seats.most, rules.seats.preferred)


def worth(text: str) -> Fraction | None:
    return Fraction(text) if text else None


def scoring(rules: StageRules) -> Rules:
    """LG-721 to LG-724 The points of a stage as the pure parts read them."""
    scales: dict[int, Scale] = {len(one): tuple(map(Fraction, one)) for one in rules.points}
    return Rules(scales, rules.seats.preferred, worth(rules.draw), worth(rules.bye_points), worth(rules.leaver_points), rules.margin_cap, rules.model)


def kind_of(rules: StageRules) -> str:
    """Under which of the ledger's formats a stage counts its tie-breaks."""
    inner = rules.groups.format if rules.format == "groups" and rules.groups else rules.format
    return KINDS[inner]


def codes(rules: StageRules, *, scores: bool) -> tuple[str, ...]:
    """LG-527, LG-742 The list of tie-breaks, the default one where none is set."""
    kind = kind_of(rules)
    if kind == ARENA and rules.ties is None:
        return ARENA_CODES
    return rules.ties if rules.ties is not None else defaults(kind, rules.seats.most, scores=scores)


def tie_version(rules: StageRules) -> str:
    return rules.tie_version or (VIRTUAL_2 if kind_of(rules) == SWISS else PLAIN)


def checked_rules(rules: StageRules, card: Card) -> StageRules:
    """LG-277, LG-772 The rules, or `bad_setting` with every fault named."""
    faults = [*_seat_faults(rules, card), *_point_faults(rules), *_format_faults(rules)]
    try:
        checked(rules.ties or (), kind_of(rules), rules.seats.most, scores=card.scores)
    except Refused as refused:
        faults.append(f"ties: {refused}")
    if faults:
        raise Refused("bad_setting", "; ".join(faults), faults)
    return rules


def _seat_faults(rules: StageRules, card: Card) -> Iterator[str]:
    seats = rules.seats
    if not seats.least <= seats.preferred <= seats.most:
        yield "seats: least, preferred and most must rise"
    if seats.least not in card.seats or seats.most not in card.seats:
        yield f"seats: the game is for {', '.join(map(str, card.seats))}"
    if seats.most < 2:
        yield "seats: a table with one seat decides nothing"
    if seats.most > 2 and rules.format == "double_elimination":
        yield "seats: double elimination is for two"


def _point_faults(rules: StageRules) -> Iterator[str]:
    lists = {len(one): tuple(map(Fraction, one)) for one in rules.points if all(one)}
    if len(lists) < len(rules.points):
        yield "points: one list for each table size"
    for size, scale in lists.items():
        if any(one < other for one, other in pairwise(scale)) or max(scale, default=0) > 1_000:
            yield f"points: those for {size} seats rise with the place or are above 1000"
    missing = [size for size in range(max(2, rules.seats.least), rules.seats.most + 1) if lists and size not in lists]
    if missing:
        yield f"points: no list for {', '.join(map(str, missing))} seats"
    elif rules.seats.least <= rules.seats.preferred <= rules.seats.most:
        yield from _single_faults(rules)


def _single_faults(rules: StageRules) -> Iterator[str]:
    found = scoring(rules)
    first, last = first_place(found), scale_for(found.preferred, found.scales)[-1]
    if rules.draw and not last <= draw_points(found) <= first:
        yield "draw: between loss and win"
    if bye_points(found) > first:
        yield "bye_points: at most those of a first place"
    if Fraction(rules.late_points or 0) > draw_points(found):
        yield "late_points: at most those of a draw"
    if rules.model != "places" and rules.two and rules.draw:
        yield "draw: has no meaning where scores are added"


def _format_faults(rules: StageRules) -> Iterator[str]:
    if rules.format == "swiss" and rules.rounds is None:
        yield "rounds: a Swiss says how many"
    if rules.format == "groups" and rules.groups is None:
        yield "groups: how many"
    if rules.format == "groups" and rules.groups and rules.groups.format == "swiss" and rules.rounds is None:
        yield "rounds: a Swiss says how many"
    if rules.groups and rules.groups.method == "list" and len(rules.groups.listed) != rules.groups.count:
        yield "groups: the list has another number of groups"
    if rules.format == "elimination" and not rules.two and rules.advance >= max(2, rules.seats.least):
        yield "advance: fewer than sit at the smallest table"
    if rules.rounds is not None and rules.half_byes > rules.rounds:
        yield "half_byes: at most one a round"
