"""What lies on the table? Teams, decks, the Automa, the fields with their tracks, and the cup at the end."""

from __future__ import annotations

from operator import add
from typing import Annotated, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from shared.kernel.game import Seat

Stage = Literal["supporters", "discard", "campaign", "line_up", "fixtures", "final", "penalties", "over"]
SECRET_STAGES = frozenset({"supporters", "discard", "line_up", "final", "penalties"})  # GC-120, GC-204, GC-409: all at once

ROUNDS = 6  # GC-200
BREAK: Seat = -1  # whose token a Break token is
NO_LINE_UP = ("", "", "", "")  # GC-405: four base Champions
SLOTS = ("1", "2", "3", "4")  # slot 4 is the slot 4+
LEVELS = ("bronze", "silver", "gold")
KINDS = ("attack", "defense")
TOKENS = ("A1", "A2", "A3", "A4", "D1", "D2", "D3", "D4")  # in the order of all counts of tokens
INDEX = {token: index for index, token in enumerate(TOKENS)}
FIRST = {"attack": 0, "defense": 4}  # where the counts of a kind begin
NO_TOKENS = (0,) * 8


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """What the host of a table may choose."""

    level: Literal["amateur", "pro", "legend"] = "amateur"  # GC-641
    youngest_seat: Annotated[int, Meta(ge=0, le=5)] | None = None  # GC-584


class Block(Struct, frozen=True, gc=False, tag_field="task", tag="block"):
    """GC-349 An effect block of a champion that is still to be started."""

    champion: str
    effect: int


class Step(Struct, frozen=True, gc=False, tag_field="task", tag="step"):
    """GC-363 One op of a block, to be done `times` times; `champion` is empty where an action of the campaign does it."""

    champion: str
    does: Literal["fame", "sponsor", "improve", "add", "drop", "drop_champion"]
    kind: str = ""
    n: int = 0
    times: int = 1


Task = Block | Step


class Team(Struct, frozen=True, gc=False):
    """What one seat has."""

    hand: tuple[str, ...] = ()
    champions: tuple[str, ...] = ()  # GC-352: in the order of playing
    tokens: tuple[int, ...] = NO_TOKENS
    supply: tuple[int, ...] = NO_TOKENS
    fame: int = 0
    scout: int = 0  # an index of LEVELS
    stadium: int = 0
    coins: int = 0
    sponsors: tuple[int, int] = (0, 0)  # +1 and -1
    offered: tuple[str, ...] = ()
    supporter: str = ""
    answer: tuple[str, ...] | None = None  # discards or line-up, until all are in
    discarded: int = 0  # how many cards of the hand, the last time
    line_up: tuple[str, ...] = NO_LINE_UP
    ended: bool = False  # the campaign of this round
    tasks: tuple[Task, ...] = ()  # GC-842
    put_off: tuple[Step, ...] = ()  # GC-475
    wins: int = 0
    draws: int = 0
    goals: int = 0
    left: bool = False

    def has_bought(self) -> bool:
        """GC-237, GC-241 The campaign is over: by its own word, or without coins and with no choice open."""
        return self.ended or not (self.coins or self.tasks)

    def tokens_of(self, kind: str) -> tuple[str, ...]:
        """The different tokens of a kind in the team, the lowest first."""
        first = FIRST[kind]
        return tuple(TOKENS[index] for index in range(first, first + 4) if self.tokens[index])

    def improvable(self, kind: str, n: int) -> tuple[str, ...]:
        """GC-302 to GC-304 The tokens that can be improved by `n`."""
        first = FIRST[kind]
        tokens, supply = self.tokens, self.supply
        return tuple(TOKENS[first + value] for value in range(3) if tokens[first + value] and supply[first + min(value + n, 3)])

    def addable(self, kind: str, value: int) -> tuple[str, ...]:
        """GC-309, GC-310 The exact token alone if it is there, else all lower ones, the highest first."""
        first = FIRST[kind]
        if self.supply[first + value - 1]:
            return (TOKENS[first + value - 1],)
        return tuple(TOKENS[first + lower] for lower in range(value - 2, -1, -1) if self.supply[first + lower])


class DeckPile(Struct, frozen=True, gc=False):
    """One of the three decks: its cards from the top, its discard pile, and what was discarded openly."""

    cards: tuple[str, ...] = ()
    pile: tuple[str, ...] = ()
    shown: tuple[str, ...] = ()  # GC-805

    def is_empty(self) -> bool:
        return not (self.cards or self.pile or self.shown)


class Automa(Struct, frozen=True, gc=False):
    """GC-600, GC-642 The Automa; its seat number is the one after the last seat."""

    tokens: tuple[int, ...]
    spaces: tuple[tuple[str, ...], ...]  # GC-606: what waits on the spaces 1 to 6 of the Championship board
    fame: int = 0
    scout: int = 0


class Spot(Struct, frozen=True, gc=False):
    """GC-421 A token on the track and what came of it."""

    seat: Seat
    token: str  # empty: a Break token
    flipped: bool = False
    outcome: Literal["", "blocked", "missed", "scored"] = ""
    value: int = 0
    slot: int = 0
    dice: tuple[int, ...] = ()


class Fixture(Struct, frozen=True, gc=False):
    """The match of one Field; `bag` counts the tokens that went into it."""

    field: str
    seats: tuple[Seat, Seat]
    end: int
    bag: int
    track: tuple[Spot, ...] = ()
    goals: tuple[int, int] = (0, 0)


class Outcome(Struct, frozen=True, gc=False):
    """A match that was played."""

    round: int
    field: str
    seats: tuple[Seat, Seat]
    goals: tuple[int, int]


class Total(Struct, frozen=True, gc=False):
    """GC-521 to GC-524 The four parts of the end."""

    fame: int
    champions: int
    coins: int
    finance: int
    supporter: int
    total: int


class Penalty(Struct, frozen=True, gc=False):
    """GC-582 A shot of the shoot-out."""

    seat: Seat
    slot: int
    champion: str
    dice: tuple[int, ...]
    scored: bool


class Printed(Struct, frozen=True, gc=False):
    """What the boards show to everybody."""

    faces: tuple[tuple[int, ...], ...]
    end_space: tuple[int, ...]
    stadium_coins: tuple[int, ...]
    stadium_cost: tuple[int, ...]
    win_bonus: tuple[int, ...]
    finance_fame: tuple[int, ...]


class State(Struct, frozen=True, gc=False):
    """The whole table; tuples of one entry per seat go by seat number."""

    options: Options
    teams: tuple[Team, ...]
    stage: Stage = "supporters"
    round: int = 1
    decks: tuple[DeckPile, ...] = (DeckPile(),) * 3
    box: tuple[str, ...] = ()  # GC-121: supporters that nobody was offered
    automa: Automa | None = None
    tiles: tuple[str, ...] = ()  # one per seat, the Automa last
    schedule: tuple[tuple[str, ...], ...] = ()  # the Fields of the rounds, per seat
    printed: Printed | None = None
    fixtures: tuple[Fixture, ...] = ()  # of this round, or the final
    played: tuple[Outcome, ...] = ()
    totals: tuple[Total, ...] = ()  # GC-520: once the championship has ended
    finalists: tuple[Seat, ...] = ()
    penalties: tuple[Penalty, ...] = ()
    winner: Seat | None = None

    def with_team(self, seat: Seat, **changes: object) -> State:
        teams = list(self.teams)
        teams[seat] = replace(teams[seat], **changes)
        return replace(self, teams=tuple(teams))

    def seats(self) -> range:
        return range(len(self.teams))

    def playing(self) -> tuple[Seat, ...]:
        """GC-409, GC-560 The seats with a line-up to choose: everybody, in the final the finalists."""
        if self.stage in {"final", "penalties"}:
            return tuple(seat for seat in self.finalists if seat < len(self.teams))
        return tuple(self.seats())

    def others(self, seat: Seat, champion: str) -> tuple[str, ...]:
        """GC-355 The champions of a seat that may be discarded for this one."""
        return tuple(name for name in self.teams[seat].champions if name != champion)

    def tokens_of(self, seat: Seat) -> tuple[int, ...]:
        """The team tokens of a seat or of the Automa."""
        if seat < len(self.teams):
            return self.teams[seat].tokens
        assert self.automa is not None
        return self.automa.tokens

    def fame_of(self, seat: Seat) -> int:
        """GC-504, GC-652 The total once it is known; before that the Fame held."""
        if seat < len(self.teams):
            return self.totals[seat].total if self.totals else self.teams[seat].fame
        return self.automa.fame if self.automa else 0


def empty(seats: int, options: Options) -> State:
    """The table before anything lies on it."""
    return State(options, (Team(),) * seats)


def moved(counts: tuple[int, ...], token: str, by: int) -> tuple[int, ...]:
    """The counts with more or fewer of one token."""
    index = INDEX[token]
    return (*counts[:index], counts[index] + by, *counts[index + 1 :])


def sound(state: State) -> list[str]:
    """Complaints: a card lost or doubled, a token lost, Fame, coins or a line-up that cannot be (GC-315, GC-501, GC-846)."""
    everywhere = [card for deck in state.decks for card in (*deck.cards, *deck.pile, *deck.shown)]
    everywhere += [card for team in state.teams for card in (*team.hand, *team.champions)]
    complaints = [] if len(everywhere) == len(set(everywhere)) else ["a champion is there twice"]
    if state.printed is not None and len(everywhere) != 102:
        complaints.append(f"{len(everywhere)} champions")
    if len({tuple(map(add, team.tokens, team.supply)) for team in state.teams}) > 1:
        complaints.append("not the same tokens for every seat")
    for seat, team in enumerate(state.teams):
        complaints += [f"seat {seat}: {fault}" for fault in _team_faults(team)]
    return complaints


def _team_faults(team: Team) -> list[str]:
    faults = []
    if sum(team.tokens[:4] + team.supply[:4]) != 14 or sum(team.tokens[4:] + team.supply[4:]) != 13:
        faults.append("not 14 Attack and 13 Defense tokens")
    if min((*team.tokens, *team.supply, *team.sponsors, team.fame, team.coins)) < 0:
        faults.append("fewer than none of something")
    if not set(team.answer or ()) - {""} <= {*team.hand, *team.champions}:
        faults.append("an answer with cards of somebody else")
    lined_up = [name for name in team.line_up if name]
    if len(lined_up) != len(set(lined_up)):
        faults.append("a champion in two slots")
    if team.supporter and team.supporter not in team.offered:
        faults.append("a supporter that was not offered")
    return faults
