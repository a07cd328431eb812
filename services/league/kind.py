"""What must a kind of competition offer so that the league can run it? Values and functions, all of them pure.

A competition is played like a match: an act comes in, the kind refuses it or answers with events, and the state is nothing but the
fold of the events. The league process stores, orders and rings; it knows no rule of any kind.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from msgspec import Struct

OWNER, ORGANISER, REFEREE, SELF, HOST = "owner", "organiser", "referee", "self", "host"
LEAGUE = ""                                     # the account of what happens by itself: timers and finish records


class Event(Struct, frozen=True, kw_only=True, tag_field="kind"):
    """Something that happened; its number is its place in the list of the competition's events."""

    at: int                                     # milliseconds since the epoch
    by: str = LEAGUE                            # whose act it was


class Act(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind"):
    """Something that is asked of a competition."""

    expected_version: int | None = None         # LG-144


class Actor(Struct, frozen=True):
    """Who acts, as the gateway knows it."""

    account: str = LEAGUE
    roles: frozenset[str] = frozenset()


class Person(Struct, frozen=True):
    """An account as the league may know it."""

    account: str
    name: str = ""
    kind: str = "person"                        # or "bot", or "automation" (LG-127)
    owner: str = ""                             # of a bot
    suspended: bool = False
    rating: str = ""                            # rank value with two decimals; empty if unrated
    matches: int = 0                            # rated ones in this game
    member: bool = False                        # of the organisation
    invited: bool = False                       # LG-222: has accepted the organisation's standing invitation


class Card(Struct, frozen=True):
    """LG-101 All that the league knows of a game."""

    name: str
    versions: tuple[str, ...]
    seats: frozenset[int]
    hard: dict[int, tuple[int, ...]] = {}       # by number of seats: from easiest to hardest
    has_score: bool = False
    levels: tuple[str, ...] = ()                # of the automaton


def _no_ids(kind: str) -> str:
    raise LookupError(f"no fresh id of kind {kind} here")


def _no_past(version: int) -> Any:
    raise LookupError(f"version {version} is not at hand")


class Kept(NamedTuple):
    """LG-951, LG-954 Couples of pairing numbers that block lists ask to keep apart, and what makes their fingerprint tell nothing."""

    couples: frozenset[tuple[int, int]] = frozenset()
    salt: str = ""


def _nobody_blocks(_stage: int, _round: int, _accounts: Sequence[str]) -> Kept:
    return Kept()


def _nothing_kept(_stage: int, _round: int) -> Kept:
    return Kept()


class Scene(Struct, frozen=True):
    """Everything pure code may look at besides the state."""

    at: int
    actor: Actor = Actor()
    seed: bytes = b""                           # 32 bytes; never in events or pages before they may be shown
    next_seed: bytes = b""                      # 32 fresh bytes, for a new seed (LG-256)
    card: Card | None = None                    # None: there is no such game
    people: Mapping[str, Person] = MappingProxyType({})             # those that `needs` asked for
    fresh: Callable[[str], str] = _no_ids       # a fresh id of a kind: "m" for a match, "x" for a correction
    past: Callable[[int], Any] = _no_past       # the state as it was at a version (LG-1022)
    told: Callable[[], tuple[Any, ...]] = tuple # all events so far (LG-985)
    frozen: Mapping[str, Any] = MappingProxyType({})                # championships: final standings of counted tournaments
    whole: bool = True                          # pages: also what takes long in a large field (LG-1032)
    blocks: Callable[[int, int, Sequence[str]], Kept] = _nobody_blocks      # for a round of a stage, of accounts by pairing number
    kept: Callable[[int, int], Kept] = _nothing_kept                        # what it was when that round was made (LG-1022)


class Decided(Struct, frozen=True):
    """What an act leads to."""

    events: tuple[Event, ...] = ()              # none for a question
    answer: Any = None                          # what the asker reads, plain JSON
    seed: bytes | None = None                   # a new seed, to be stored with the events


class Page(Struct, frozen=True):
    """A document projected from the state; parts of 500 lines. Names that begin with "drafted/" are for officials only."""

    name: str
    part: int
    body: Mapping[str, Any]


class MatchOrder(Struct, frozen=True):
    """LG-167, LG-710 A match to be made, once for this id."""

    match: str
    pairing: str                                # "stage/round/table/number"
    accounts: tuple[str, ...]                   # by seat
    game: str
    game_version: str
    options: Mapping[str, Any] = {}             # of the game
    clock: Mapping[str, Any] = {}
    visibility: str = "public"
    opponents: str = "humans"                   # LG-961
    leaver: str = "automaton"                   # LG-702
    level: str = ""                             # of the automaton
    no_show_after: int = 0                      # milliseconds, as all spans here
    leave_after: int = 2                        # missed turns in a row
    return_window: int = 0
    deadline: int | None = None
    rated: bool = True
    dice: str = ""                              # LG-728: entrants with the same word here have the same dice
    delay: int = 0                              # LG-810: for onlookers
    talk: str = "off"                           # PL-556


class RatedSeat(Struct, frozen=True):
    """How one account ended in a match."""

    account: str
    place: int
    how: str
    bot: bool = False


class RatedMatch(Struct, frozen=True):
    """LG-205, LG-848 What ratings learn of a match; a later one for the same match replaces it."""

    match: str
    seats: tuple[RatedSeat, ...]
    rated: bool                                 # False withdraws it


class Sat(Struct, frozen=True):
    """LG-1005 One account at one table, as it stands."""

    pairing: str                                # "stage/round/table"
    account: str
    state: str
    match: str = ""                             # LG-168: the one that counts
    kind: str = ""
    seats: int = 0
    place: int | None = None
    how: str = ""
    points: str = ""                            # a fraction
    corrected: bool = False
    decided_at: int = 0


class Seating(NamedTuple):
    """Rows that take the place of what was known of these tables, and of these rounds ("stage/round")."""

    rows: tuple[Sat, ...] = ()
    tables: tuple[str, ...] = ()
    rounds: tuple[str, ...] = ()


class Notice(Struct, frozen=True):
    """LG-1016 What an account is told; without a cause of its own the event is the cause."""

    account: str
    kind: str
    pairing: str = ""
    match: str = ""
    facts: Mapping[str, Any] = {}
    cause: str = ""


def _nobody_sits(_state: Any, _events: Sequence[Any]) -> Seating:
    return Seating()


def _nobody_is_told(_state: Any, _event: Any) -> tuple[Notice, ...]:
    return ()


def _no_moment(_state: Any, _now: int) -> int | None:
    return None


def _at_once(_state: Any) -> int:
    return 0


class Kind(NamedTuple):
    """A kind of competition, as a value."""

    name: str                                                       # "tournament" or "championship"
    act: Callable[[str, Mapping[str, Any]], Any]                    # Refused("malformed", ...) names the faults
    event: Callable[[str, Mapping[str, Any]], Any]                  # a stored event, read again
    state: Callable[[bytes], Any]                                   # a stored state (JSON), read again
    needs: Callable[[Any, Any], frozenset[str]]                     # state, act or None for `advance`: whose Person the scene must hold
    decide: Callable[[Any, Any, Scene], Decided]                    # state (None before `create`), act; raises Refused
    fold: Callable[[Any, Any], Any]                                 # state (None before the first event), event
    advance: Callable[[Any, Scene], tuple[Event, ...]]              # what happens by itself now; called again until it gives nothing
    due: Callable[[Any], int | None]                                # when `advance` must look again; None: only after the next act
    pages: Callable[[Any, int, Scene], tuple[Page, ...]]            # all that changed since that version (0: all)
    orders: Callable[[Any, Any], tuple[MatchOrder, ...]]            # state after the event, event
    stops: Callable[[Any, Any], tuple[tuple[str, str], ...]]        # the same: (match, "void" | "pause" | "resume" | "forfeit:ACCOUNT")
    counts: Callable[[Any], tuple[str, ...]]                        # the tournaments a championship counts; none for a tournament
    ratings: Callable[[Any, Any], tuple[RatedMatch, ...]]           # state after the event, event
    hidden: frozenset[str] = frozenset()                            # kinds of events that only officials may read
    milestones: frozenset[str] = frozenset()                        # kinds of events after which pages are always written
    seating: Callable[[Any, Sequence[Any]], Seating] = _nobody_sits                 # state after the events, events
    notices: Callable[[Any, Any], tuple[Notice, ...]] = _nobody_is_told             # state after the event, event
    reminders: Callable[[Any, int], tuple[Notice, ...]] = _nobody_is_told           # state, now (LG-888)
    next_reminder: Callable[[Any, int], int | None] = _no_moment                    # the first moment after now
    delay: Callable[[Any], int] = _at_once                          # milliseconds after which onlookers may know what happens (LG-810)
