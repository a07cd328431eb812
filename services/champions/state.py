"""What lies on the table? Contestant tiles, duel cards, boards, and what is still face down."""

from __future__ import annotations

from typing import Annotated, Literal, TypeVar

from msgspec import Meta, Struct

from shared.kernel.game import Seat

Item = TypeVar("Item")

Symbol = Literal["circle", "triangle"]
Space = Literal["open", "circled", "crossed"]
Stage = Literal[
    "gathering", "names", "clash", "check", "replacement", "prediction", "discussion", "vote", "count", "reveal", "over"
]
SECRET_STAGES = frozenset({"clash", "replacement"})  # CH-164: whose answer is awaited stays hidden

SYMBOLS: tuple[Symbol, Symbol] = ("circle", "triangle")
DUELS = ("qf1", "qf2", "qf3", "qf4", "sf1", "sf2", "final")  # CH-106, CH-241: in this order
POLLS = (  # CH-505: the audience's questions, one per duel and round
    ("r1.qf1", "r1.qf2", "r1.qf3", "r1.qf4", "r1.sf1", "r1.sf2", "r1.final"),
    ("r2.qf1", "r2.qf2", "r2.qf3", "r2.qf4", "r2.sf1", "r2.sf2", "r2.final"),
)
CHAMPION_POLLS = ("r1.champion", "r2.champion")  # CH-504
NAME_POLLS = ("r1.names", "r2.names")  # CH-523
START_POLLS = ("start.1", "start.2", "start.3")  # CH-524
STAGE_OF = ("quarter_final",) * 4 + ("semi_final",) * 2 + ("final",)
FEEDS = ((4, 0), (4, 1), (5, 0), (5, 1), (6, 0), (6, 1))  # CH-275: winner of a duel -> next duel, place
TILES = 8
NOBODY: Seat = -3  # the writer of a tile that no seat writes (CH-523, CH-524)
ABSENT_AFTER = 2  # CH-406
WAITING, READY, PASSED = 0, 1, 2  # not ready; ready by its own act; the clock ran out or the seat has left


class Options(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """What the host of a table may choose."""

    policy: Annotated[  # CH-446: `open` at private tables only, and there by default
        Literal["open", "known", "sheets"], Meta(extra_json_schema={"private_only": ["open"], "private_default": "open"})
    ] = "known"
    language: Annotated[str, Meta(pattern="^[a-z]{2}$")] = "en"  # CH-413
    reveal_authors: bool = False  # CH-131
    players: tuple[str, ...] = ()  # CH-447: the names of those at the table, as far as the service knows them
    audience: Literal["off", "shadow", "bloc", "equal"] = "off"  # CH-501, CH-506
    quorum: Annotated[int, Meta(ge=1, le=100)] = 5  # CH-511
    most_members: Annotated[int, Meta(ge=1, le=5000)] = 500  # CH-502
    nominations: Annotated[int, Meta(ge=0, le=4)] = 0  # CH-523: tiles drawn from approved nominations
    crowd: bool = False  # CH-524

    def has_audience(self) -> bool:
        return self.crowd or self.audience != "off"

    def nominated(self) -> int:
        """CH-523, CH-526 The tiles that nominations take; without an audience nobody nominates."""
        return self.nominations if self.has_audience() else 0

    def not_allowed(self) -> tuple[str, ...]:
        """CH-447 The names of those at the table, unless the policy is open."""
        return () if self.policy == "open" else self.players


class Situation(Struct, frozen=True, gc=False):
    """One side of a duel card: "Who …?", and the symbol that decides a tie (CH-273)."""

    text: str
    tie: Symbol


class Duel(Struct, frozen=True, gc=False):
    """A duel card on the table, its two places, and what became of it in this round."""

    card: int
    points: int  # CH-304
    situation: Situation
    reverse: Situation | None  # CH-109: hidden until it is turned over
    contestants: tuple[int, int] = (-1, -1)  # circle above, triangle below; -1: still free
    votes: tuple[str, ...] = ()  # per seat, once revealed; empty: abstained
    audience: tuple[int, int] | None = None  # CH-515: totals, where they may be shown
    counted: tuple[int, int] | None = None  # the votes for circle and triangle that decided
    winner: int = -1
    by_symbol: bool = False


class Tile(Struct, frozen=True, gc=False):
    """A contestant tile; once placed, its index says where: 0 and 1 at the first quarter-final, and so on."""

    writer: Seat
    name: str = ""
    former: str = ""  # the name that clashed or was erased
    asked: bool = False  # its writer owes another name
    lapsed: bool = False  # its writer let the clock run out
    fresh: bool = False  # CH-165: replaced, and not yet shown
    clashes: int = 0  # in the present writing
    replaced: int = 0  # CH-167
    settled: bool = False  # CH-167: the check of this tile has ended
    masked: bool = False  # CH-450
    nominated: bool = False  # CH-523
    filled: bool = False  # CH-131: nobody at the table has written its name


class Marks(Struct, frozen=True, gc=False):
    """CH-162, CH-448 What a seat does not know, and what it reports."""

    unknown: tuple[int, ...] = ()
    reported: tuple[int, ...] = ()


class Board(Struct, frozen=True, gc=False):
    """CH-301 The Score side of a board."""

    spaces: tuple[Space, ...] = ("open",) * 7
    bonus: Space = "open"
    rounds: tuple[int, ...] = ()


class State(Struct, frozen=True, gc=False):
    """The whole table; tuples of one entry per seat go by seat number."""

    options: Options
    boards: tuple[Board, ...]
    ready: tuple[int, ...]
    missed: tuple[int, ...]  # CH-406: clocks missed in a row, save those of replacements
    strikes: tuple[int, ...]  # CH-449: names reported and removed
    sheets: tuple[str, ...]  # titles
    votes: tuple[str, ...]
    champions: tuple[int, ...]  # -1: none
    notes: tuple[tuple[int, ...], ...]  # per duel the winner expected, -1: none
    marks: tuple[Marks, ...]
    left: tuple[Seat, ...] = ()  # in the order of leaving
    stage: Stage = "names"
    clock_out: bool = False  # the clock of this stage has run out (phases, CH-517)
    round: int = 1
    duel: int = 0
    bonus: int = 0  # CH-306
    duels: tuple[Duel, ...] = ()
    tiles: tuple[Tile, ...] = ()
    placed: bool = False
    writing: int = 0  # comparisons of names so far in this round
    checking: tuple[int, ...] = ()  # CH-166: the tiles that are checked now
    barred: tuple[str, ...] = ()  # CH-168, CH-342
    shares: tuple[int, ...] = ()  # CH-121: tiles per seat
    first_shares: tuple[int, ...] = ()  # those of round 1, which decide about those of round 2 (CH-343)
    past: tuple[Tile, ...] = ()  # the tiles of round 1
    history: tuple[tuple[Duel, ...], ...] = ()  # the duels of round 1
    approved: tuple[str, ...] = ()  # CH-523
    revealed: tuple[int, ...] = ()  # CH-321: predictions, once shown
    called: bool = False  # CH-524: the host has asked to start
    attempt: int = 1
    unfinished: bool = False  # CH-408

    def seats(self) -> range:
        return range(len(self.boards))

    def staying(self) -> tuple[Seat, ...]:
        """CH-408 The seats that have not left."""
        return tuple(seat for seat in self.seats() if seat not in self.left)

    def is_absent(self, seat: Seat) -> bool:
        """CH-406 Nobody waits for this seat."""
        return self.missed[seat] >= ABSENT_AFTER or seat in self.left

    def own_tiles(self, seat: Seat) -> tuple[int, ...]:
        """The tiles a seat writes or wrote; only this seat may learn it (CH-130)."""
        return tuple([index for index, tile in enumerate(self.tiles) if tile.writer == seat])

    def free_tiles(self) -> tuple[int, ...]:
        """CH-524 The tiles of a crowd that its host may name."""
        return tuple([index for index, tile in enumerate(self.tiles) if tile.writer == NOBODY and not tile.nominated])

    def key(self) -> str:
        """Tells the rounds apart in the names of questions and polls."""
        return ("r1", "r2")[self.round - 1]

    def duel_key(self) -> str:
        return POLLS[self.round - 1][self.duel]

    def is_counting(self) -> bool:
        """CH-519, CH-524 The answers of the audience are counted now, in one step."""
        return self.stage == "count" or (self.stage == "gathering" and (self.called or self.clock_out))

    def score_of(self, seat: Seat) -> int:
        """CH-308, CH-372 The rounds that are scored, and what is circled since."""
        board = self.boards[seat]
        if len(board.rounds) == self.round:
            return sum(board.rounds)
        return sum(board.rounds) + self.round_score(seat)

    def round_score(self, seat: Seat) -> int:
        """CH-324 The sum of the circled values."""
        board = self.boards[seat]
        circled = sum(duel.points for duel, space in zip(self.duels, board.spaces, strict=True) if space == "circled")
        return circled + (self.bonus if board.bonus == "circled" else 0)

    def contestant(self, index: int) -> str:
        """CH-143, CH-450 The name as everybody sees it; empty while it is being replaced."""
        tile = self.tiles[index]
        if tile.masked:
            return f"Contestant {index + 1}"
        return "" if tile.fresh else tile.name


def empty(seats: int, options: Options) -> State:
    """The table before anything lies on it."""
    return State(
        options=options,
        boards=(Board(),) * seats,
        ready=(WAITING,) * seats,
        missed=(0,) * seats,
        strikes=(0,) * seats,
        sheets=("",) * seats,
        votes=("",) * seats,
        champions=(-1,) * seats,
        notes=((-1,) * 7,) * seats,
        marks=(Marks(),) * seats,
    )


def put(items: tuple[Item, ...], index: int, item: Item) -> tuple[Item, ...]:
    """The items with one of them exchanged."""
    return (*items[:index], item, *items[index + 1 :])


def sound(state: State) -> list[str]:
    """Complaints: a tile lost, a name twice, a duel that nobody could have won, a board that says too much."""
    complaints = [f"{len(state.tiles)} tiles"] if len(state.tiles) != TILES else []
    names = [tile.name for tile in state.tiles if tile.name and not tile.fresh]
    if state.placed and len(set(names)) != len(names):
        complaints.append("two contestants carry the same name")
    odd = [duel for duel in state.duels if duel.winner >= 0 and duel.winner not in duel.contestants]
    complaints += [f"card {duel.card} was won by a contestant that was not there" for duel in odd]
    most = sum(duel.points for duel in state.duels) + state.bonus
    complaints += [f"seat {seat} has too many points" for seat in state.seats() if state.round_score(seat) > most]
    return complaints + _places(state)


def _places(state: State) -> list[str]:
    """CH-275 Every place after the quarter-finals holds the winner that belongs there."""
    wrong = []
    for duel, (target, place) in enumerate(FEEDS):
        if state.duels[target].contestants[place] != state.duels[duel].winner:
            wrong.append(f"place {place} of {DUELS[target]} does not hold the winner of {DUELS[duel]}")
    return wrong
