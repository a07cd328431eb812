"""What is known of a tournament? Nothing but what its events have told."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from msgspec import Struct

from services.league.kind import Card
from services.league.tournament.settings import Settings
from services.league.tournament.shelf import Book, Chunk

DRAFT, OPEN, CLOSED, RUNNING, FINISHED, CANCELLED = "draft", "open", "closed", "running", "finished", "cancelled"     # LG-161
PLANNED = "planned"                                                                                                    # LG-162
ENTERED, WAITING, WITHDRAWN, DISQUALIFIED = "entered", "waiting", "withdrawn", "disqualified"
DRAFTED, PUBLISHED, COMPLETE = "drafted", "published", "complete"                                                      # LG-163
DEAD_END, NOT_ENOUGH, NEEDS_REFEREE = "dead_end", "not_enough_players", "needs_referee"
OVER = frozenset({"confirmed", "walkover", "void"})                                                                    # LG-169
REPLACED = "replaced by a correction"                                                                                   # LG-917
HAND, FORFEIT, DOUBLE, REPLAY = "by_hand", "forfeit", "double_forfeit", "replay"                                       # LG-676


class Member(Struct, frozen=True):
    """LG-971 One account of a team."""

    account: str
    kind: str = "person"
    owner: str = ""


class Entrant(Struct, frozen=True):
    """Who takes part, and what was copied when they entered or when entry closed (LG-105)."""

    account: str
    entered_at: int
    state: str = ENTERED
    kind: str = "person"
    owner: str = ""
    rating: str = ""
    club: str = ""
    team: str = ""
    country: str = ""
    seed: int | None = None                     # as an imported list has it
    mixed: bool = False                         # LG-962 knows that people and bots play together
    checked_in: bool = False
    no_shows: int = 0
    barred_at: int | None = None
    barred_from: str = ENTERED                  # what a disqualification took away
    entered_as: str = ""                        # the account that this one replaces (LG-230)
    captain: str = ""                           # of the team that this account plays for, where members sit at tables on their own
    members: tuple[Member, ...] = ()            # LG-971 of a team that meets on boards, in their order; its account is its captain's
    reserves: tuple[Member, ...] = ()

    @property
    def kinds(self) -> frozenset[str]:
        """Whether people or bots play for this entrant."""
        return frozenset(member.kind for member in (*self.members, *self.reserves)) or frozenset({self.kind})


class Place(Struct, frozen=True):
    """One seat of a finished match, in the order of seats."""

    number: int
    place: int
    score: int = 0
    how: str = "played"
    step: int = 0                               # at which the seat was left


class Game(Struct, frozen=True):
    """One counting match of a pairing; without a match id it was decided by hand."""

    seats: tuple[Place, ...]
    match: str = ""
    kind: str = ""                              # "", by_hand, forfeit, double_forfeit
    rated: bool = True
    at: int = 0


class Report(Struct, frozen=True):
    """LG-210 What one account says of its own match: places by account."""

    account: str
    places: dict[str, int]
    at: int


class Board(Struct, frozen=True):
    """LG-972 One board of two teams; numbers and accounts in the order of seats, nobody is an empty name."""

    board: int
    numbers: tuple[int, int]
    accounts: tuple[str, str]
    match: str = ""
    running: bool = False
    game: Game | None = None                    # once it is decided
    again: int = 0                              # how often it was ordered again


class Pairing(Struct, frozen=True):
    """Who meets whom; the table number is its place in the round, counted from 1."""

    table: int
    numbers: tuple[int, ...]                    # in the order of seats
    state: str = "ready"
    place: str = ""                             # in a bracket
    kind: str = ""
    match: str = ""                             # the one that runs now
    since: int = 0                              # when that one was ordered
    seated: tuple[int, ...] = ()                # its seats, where they are not those of the first (LG-297)
    overdue: bool = False                       # LG-878 the deadline has passed
    games: tuple[Game, ...] = ()
    why: dict[str, Any] = {}
    reports: tuple[Report, ...] = ()
    flag: str = ""                              # why a referee must look at it
    reason: str = ""
    decided_at: int = 0
    deadline: int | None = None                 # where it is another one than the round's
    corrected: bool = False
    void_before: tuple[str, ...] = ()           # matches that no longer count
    boards: tuple[Board, ...] = ()              # LG-972 of two teams; `games` has their results once all are there

    @property
    def under_way(self) -> tuple[str, ...]:
        """The matches that are still to end."""
        if self.state in OVER:
            return ()
        return (*filter(None, [self.match]), *(board.match for board in self.boards if board.match and board.game is None))


class Appointment(Struct, frozen=True):
    """LG-881 What those at a table say about when they will play."""

    number: int                                 # of the proposal, counted from 1
    start: int                                  # proposed
    by: str
    agreed: tuple[int, ...]                     # pairing numbers
    state: str = "proposed"                     # proposed, agreed, declined
    fixed: int = 0                              # the start that all have agreed to; it holds until another one does


class GivenBye(Struct, frozen=True):
    """LG-651 A round without a table; points are a fraction as text."""

    number: int
    kind: str
    points: str = "0"
    reason: str = ""

    @property
    def worth(self) -> Fraction:
        return Fraction(self.points)


class Round(Struct, frozen=True, eq=False):
    """One round of a stage."""

    number: int
    version: int                                # of the last change besides the pairings
    pairings: tuple[Chunk[Pairing], ...] = ()
    matches: Book = Book()                      # match -> table
    byes: tuple[GivenBye, ...] = ()
    rests: tuple[int, ...] = ()
    absent: tuple[int, ...] = ()
    state: str = PUBLISHED
    drafted_at: int = 0
    cut_off: int = 0
    published_at: int = 0
    completed_at: int = 0
    deadline: int | None = None
    inputs_hash: str = ""
    made: int = 0                               # the version that told it first; what it was computed from is the one before
    option: str = ""                            # LG-426
    notes: tuple[str, ...] = ()
    extended: dict[int, int] = {}               # deadlines of single tables
    open_reports: dict[int, int] = {}           # tables with a reported result, and since when
    appointments: dict[int, Appointment] = {}   # the last one of each table
    formers: dict[str, Round] = {}              # LG-921 by correction, the rounds in whose place it was paired again


class Way(Struct, frozen=True):
    """LG-422 One way out of a dead end."""

    option: str
    harm: int
    words: str


class FrozenLine(Struct, frozen=True):
    """LG-503, LG-806 A line of a frozen standing; fractions as text."""

    number: int
    rank: int | None
    points: str
    played: int
    places: tuple[int, ...] = ()
    ties: tuple[tuple[str, str], ...] = ()
    decided: str = ""
    byes: dict[str, int] = {}
    forfeits: int = 0
    seats: tuple[int, ...] = ()
    group: int = 0


class Challenge(Struct, frozen=True):
    """LG-542 Somebody asks somebody above for a match."""

    challenger: int
    challenged: tuple[int, ...]
    at: int
    state: str = "asked"                        # asked, accepted, declined


class Stage(Struct, frozen=True, eq=False):
    """A format with its own rounds and standing."""

    number: int
    version: int
    state: str = PLANNED
    waits: str = ""
    ways: tuple[Way, ...] = ()
    waits_since: int = 0
    planned_rounds: int | None = None
    field: tuple[int, ...] = ()                 # places on the shelf of entrants, by pairing number from 1
    numbers: dict[int, int] = {}                # the other way round
    joined: dict[int, int] = {}                 # late entrants: number -> first round
    rounds: tuple[Round, ...] = ()
    drafted: Round | None = None
    fickle: tuple[int, ...] = ()                # LG-232 who withdrew or returned since the draft
    asked: dict[int, dict[int, str]] = {}       # round -> number -> bye asked for
    given: dict[int, dict[int, GivenBye]] = {}  # round -> number -> bye given by a referee
    draining: bool = False
    over: str = ""                              # why there are no more rounds
    void_at: int | None = None
    lines: tuple[FrozenLine, ...] = ()
    revision: int = 0
    removed: tuple[int, ...] = ()               # gone when the standing was frozen
    started_at: int = 0
    finished_at: int = 0
    look_at: int | None = None                  # arena, ladder: the next beat
    ready: dict[int, int] = {}                  # arena: who is free, since when
    challenges: tuple[Challenge, ...] = ()
    rungs: tuple[tuple[int, tuple[int, ...]], ...] = ()
    line_ups: dict[int, dict[str, tuple[str, ...]]] = {}        # LG-971 round -> captain -> accounts by board


class Correction(Struct, frozen=True):
    """LG-911 to LG-923 A fact that was changed, and back."""

    id: str
    stage: int
    pairing: str
    before: dict[str, Any]
    after: dict[str, Any]
    reason: str
    by: str
    at: int
    state: str = "applied"                      # waiting, applied, rejected, lapsed, undone
    undo_of: str = ""
    second_by: str = ""
    effects: dict[str, Any] = {}


class Bars(Struct, frozen=True):
    """LG-951 Who is not to sit with whom, by account."""

    never: tuple[tuple[str, ...], ...] = ()
    soft: tuple[tuple[str, ...], ...] = ()
    same_club: str = ""
    same_team: str = ""


class State(Struct, frozen=True, eq=False):
    """All of it."""

    tournament: str
    organisation: str
    settings: Settings
    card: Card
    seed_hash: str
    version: int = 0
    drawn_as: str = ""                          # LG-985 its name in all draws, where it was taken over
    life: str = DRAFT
    created_at: int = 0
    paused_at: int | None = None
    with_clocks: bool = False
    entrants: tuple[Chunk[Entrant], ...] = ()
    book: Book = Book()                         # account -> place on the shelf
    counted: int = 0                            # of those entered, without the waiting list
    queue: tuple[str, ...] = ()                 # LG-224
    invited: dict[str, str] = {}                # account -> asked, accepted
    seeds: tuple[str, ...] = ()                 # accounts in the order of seeding
    numbered: int = 0                           # the version at which numbers changed last
    old_seeds: tuple[tuple[str, str], ...] = () # LG-256 seeds and their hashes
    seed: str = ""                              # shown at the end
    forecast: dict[str, Any] = {}
    bars: Bars = Bars()
    stages: tuple[Stage, ...] = ()
    corrections: tuple[Correction, ...] = ()
    warnings: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()              # matches that are not rated (LG-853)
    winners: tuple[str, ...] = ()
    why_no_winner: str = ""
    finished_at: int = 0
    revision: int = 0
    imported: tuple[str, ...] = ()              # LG-983 hashes of files
