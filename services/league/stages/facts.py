"""What may a stage look at, and what does it answer?"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol

from services.league.counting.possible import Interval
from services.league.record import Bye
from services.league.scoring import Seat
from services.league.stages.rules import StageRules
from services.league.ties.book import Book

OPEN, READY, RUNNING, REPORTED, CONFIRMED, WALKOVER, VOID = "open", "ready", "running", "reported", "confirmed", "walkover", "void"
COUNTED = frozenset({CONFIRMED, WALKOVER})                  # LG-209, LG-212
DONE = frozenset({CONFIRMED, WALKOVER, VOID})               # LG-169
STARTED = frozenset({RUNNING, REPORTED, CONFIRMED})         # LG-916 to LG-918
DEAD_END, NOT_ENOUGH, LATER = "dead_end", "not_enough_players", "later"
ACCEPTED, DECLINED = "accepted", "declined"
HARD, SOFT = "hard", "soft"

NO_NUMBERS: Mapping[int, int] = MappingProxyType({})
NO_NAMES: Mapping[int, str] = MappingProxyType({})
NO_VALUES: Mapping[int, Fraction] = MappingProxyType({})
NOTHING: Mapping[str, Any] = MappingProxyType({})
At = tuple[int, int]                    # round and table, both counted from 1


class Constraints(NamedTuple):
    """LG-951 Who is not to sit with whom. Each set names entrants of whom no two sit at one table.

    `same_club` and `same_team` are "", "hard", "soft", or a number: hard in the first so many rounds.
    """

    never: frozenset[frozenset[int]] = frozenset()
    soft: frozenset[frozenset[int]] = frozenset()
    same_club: str = ""
    same_team: str = ""
    salt: str = ""                      # LG-954 with block lists: their fingerprint cannot be guessed


class Meeting(NamedTuple):
    """One pairing of a round; `games` are its counting matches, in the order played, each in the order of its seats."""

    table: int
    numbers: tuple[int, ...]
    state: str = READY
    games: tuple[tuple[Seat, ...], ...] = ()
    place: str = ""
    kind: str = ""
    at: int = 0                         # ms at which it was decided: arena (LG-527) and ladder go by it


def is_begun(meeting: Meeting) -> bool:
    """LG-916, LG-918, LG-920 Something of it stands that a later pairing must not take away: a match, one of a series, a walkover."""
    return meeting.state in STARTED or meeting.state == WALKOVER or (meeting.state != VOID and bool(meeting.games))


class Played(NamedTuple):
    """A published round."""

    meetings: tuple[Meeting, ...] = ()
    byes: tuple[Bye, ...] = ()
    rests: tuple[int, ...] = ()


class Challenge(NamedTuple):
    """LG-542, LG-543 An answered challenge that has no pairing yet; at a larger table several are challenged."""

    challenger: int
    challenged: tuple[int, ...]
    at: int
    state: str = ACCEPTED


class Floor(NamedTuple):
    """What arena and ladder look at besides the rounds; times in milliseconds."""

    now: int = 0
    ends: int | None = None             # LG-525 of an arena
    since: Mapping[int, int] = NO_NUMBERS                       # LG-522 who waits, and since when
    challenges: tuple[Challenge, ...] = ()
    rungs: tuple[tuple[int, tuple[int, ...]], ...] = ()         # orders set by hand, each with the time from which it holds


class Facts(NamedTuple):
    """All a stage may look at."""

    stage: str                          # text used in draws: "<tournament>/<number>"
    rules: StageRules
    seed: bytes
    field: tuple[int, ...]              # every pairing number of the stage, best seed first
    available: frozenset[int]           # who can be paired in the next round
    gone: frozenset[int] = frozenset()          # withdrawn
    barred: frozenset[int] = frozenset()        # disqualified
    joined: Mapping[int, int] = NO_NUMBERS      # late entrants: their first round
    rounds: tuple[Played, ...] = ()             # published rounds, in order
    requested: tuple[Bye, ...] = ()             # byes asked for or given in the round to be drafted; their points are set by the stage
    clubs: Mapping[int, str] = NO_NAMES
    teams: Mapping[int, str] = NO_NAMES
    countries: Mapping[int, str] = NO_NAMES
    constraints: Constraints = Constraints()
    ratings: Mapping[int, Fraction] = NO_VALUES     # copies taken at entry closing, two decimals
    entered: Mapping[int, int] = NO_NUMBERS         # when, for `ERL`
    hard: Mapping[int, int] = NO_NUMBERS            # the hard seat, counted from 0, for each number of seats
    scores: bool = False                            # whether the game has an in-game score
    unranked: frozenset[int] = frozenset()          # LG-965 listed without a rank
    floor: Floor = Floor()


class Draft(NamedTuple):
    """One pairing to be made, in the order of seats; who is `absent` will not come, and the pairing is decided as it is made."""

    numbers: tuple[int, ...]
    place: str = ""
    why: Mapping[str, Any] = NOTHING    # LG-1023, plain JSON; `words(why)` says it in words
    absent: tuple[int, ...] = ()


class Drafted(NamedTuple):
    """A round to be made; the pairings are in the order of their tables."""

    pairings: tuple[Draft, ...] = ()
    byes: tuple[Bye, ...] = ()
    rests: tuple[int, ...] = ()
    notes: tuple[str, ...] = ()
    option: str = ""                    # LG-426 which way out of a dead end was taken
    why_byes: Mapping[int, str] = NO_NAMES      # LG-1023 the rule by which somebody has the allocated bye


class Over(NamedTuple):
    """The stage has no further round; it is finished when its last pairing is decided."""

    why: str = "played"                 # "played", "dead_end", "time"
    void_at: int | None = None          # LG-525 when what still runs becomes void


class Option(NamedTuple):
    """LG-422 One way out of a dead end, with its harm."""

    option: str
    harm: int                           # how many entrants or couples it touches
    words: str
    touched: tuple[tuple[int, ...], ...] = ()


class Waits(NamedTuple):
    """Why there is no round now: `dead_end`, `not_enough_players`, or `later` (arena, ladder: nothing to do at this beat)."""

    code: str
    options: tuple[Option, ...] = ()


class Forecast(NamedTuple):
    """LG-428 to LG-430 How many trials were paired and how many met a dead end; `to_be_seen` asks for an acknowledgement."""

    trials: int = 0
    dead_ends: int = 0
    to_be_seen: bool = False
    words: str = ""


class Level(NamedTuple):
    """One round of a plan: how many tables of each size, largest first, how many go on from each, how many have a bye or rest."""

    tables: tuple[At, ...]              # size and number of tables
    advance: int = 0
    byes: int = 0


class Plan(NamedTuple):
    """LG-322, LG-327, LG-482 What is shown before the start."""

    rounds: int | None = None           # none: no end is planned
    levels: tuple[Level, ...] = ()
    design: bool = False                # LG-321 every two entrants meet equally often
    least: int = 0                      # meetings of two entrants
    most: int = 0
    couples: Mapping[int, int] = NO_NUMBERS     # how many couples meet so often
    tables: tuple[int, int] = (0, 0)            # fewest and most of one entrant
    uneven: bool = False                # LG-328 the start needs `accept_imbalance`
    notes: tuple[str, ...] = ()


class Line(NamedTuple):
    """LG-801 One line of a standing, in the order shown."""

    number: int
    rank: int | None
    points: Fraction = Fraction(0)
    played: int = 0
    places: tuple[int, ...] = ()        # how often first, second, …
    ties: tuple[tuple[str, Fraction], ...] = ()
    decided: str = ""                   # the code that put it behind the one above; empty for the first and for a shared rank
    byes: Mapping[str, int] = NO_NUMBERS    # type: ignore[assignment]
    forfeits: int = 0
    seats: tuple[int, ...] = ()         # LG-298 times in each seat
    group: int = 0                      # counted from 1 where there are groups; ranks are those of the group


class Consequences(NamedTuple):
    """LG-915 to LG-918 What a correction would do besides changing the standing."""

    void: tuple[At, ...] = ()           # not started: they become void
    blocked: tuple[At, ...] = ()        # started or finished: they stand in the way, and are voided only by `void_later`
    again: tuple[tuple[int, Draft], ...] = ()   # made in their place, each with its round
    pair_again: int | None = None       # LG-916 this published round may be paired again
    words: tuple[str, ...] = ()


class Format(Protocol):
    """How a stage of one format goes; everything is computed from the facts alone."""

    def plan(self, facts: Facts, /) -> Plan: ...
    def draft(self, facts: Facts, option: str = "", /) -> Drafted | Over | Waits: ...
    def parallel(self, facts: Facts, /) -> bool: ...
    def lines(self, facts: Facts, /) -> tuple[Line, ...]: ...
    def book(self, facts: Facts, number: int, /) -> Book: ...
    def possible(self, facts: Facts, /) -> Mapping[int, Interval]: ...
    def consequences(self, facts: Facts, pairing: At, after: Meeting, /) -> Consequences: ...
    def bracket(self, facts: Facts, /) -> Mapping[str, Any] | None: ...
    def cross(self, facts: Facts, /) -> Mapping[str, Any] | None: ...
