"""What lies on the table? The board, the players' goods and markers, cups, decks, and what is being resolved."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from shared.kernel.game import Seat

Face = Literal["", "green", "yellow", "red"]
Stage = Literal["before", "rolled", "after", "end", "over"]
Role = Literal["defence", "midfield", "attack"]

BANK: Seat = -1
ROLES: tuple[Role, ...] = ("defence", "midfield", "attack")
CUPS = ("bronze", "silver", "gold", "diamond")
COLOURS = ("red", "blue", "green", "yellow", "purple", "white")
DECKS = ("football", "non_football")
NOTE = 100_000  # GG-118: the smallest banknote
MOST_CARDS = 3  # GG-261
MOST_OFFERS = 10  # GG-461


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """GG-121 What the creator of a table may choose."""

    length: Literal["short", "standard", "long"] = "standard"
    gifts: bool = False  # GG-460
    capital_goal_bet_needs_marker: bool = True  # GG-287
    live_auctions: bool = False  # GG-211
    hidden_cash: bool = False  # GG-635
    finite_bank: bool = False  # GG-122
    colours: tuple[str, ...] = ()  # GG-102: by seat, as far as they were picked


class Square(Struct, frozen=True):
    """One square of the ring."""

    kind: Literal["corner", "team", "event"]
    what: str  # the corner, the deck, or the tile


class Column(Struct, frozen=True):
    """GG-306 The box of each colour of the outcome die at one number of the track."""

    number: int
    green: str
    yellow: str
    red: str


class Board(Struct, frozen=True):
    """What is printed on the board, and the numbers of the length that was picked."""

    squares: tuple[Square, ...] = ()
    tiles: tuple[str, ...] = ()  # in the order of their squares
    prices: dict[str, int] = {}  # by tile
    goals: dict[str, int] = {}  # by tile
    columns: tuple[Column, ...] = ()
    x: int = 10  # GG-232
    target: int = 16  # GG-611
    thresholds: tuple[int, ...] = (3, 6, 9, 12)  # GG-375
    cap: int = 20  # GG-616
    bank: int = 0  # GG-122: all the money there is; 0 without limit
    tokens: int = 6  # of each kind
    token_sold: int = 500_000  # GG-482
    raise_by: int = NOTE  # GG-203


class Modifiers(Struct, frozen=True):
    """GG-524 Penalties and bonuses of a player that last until its match ends."""

    defence: int = 0
    midfield: int = 0
    attack: int = 0
    visit: int = 0
    result: int = 0
    takings: int = 0
    halved: int = 0
    buying_ban: bool = False
    token_ban: bool = False
    missing: int = 0  # turns to miss


NONE = Modifiers()


class Player(Struct, frozen=True):
    """What a player has; `walked` is the signed distance since the start (GG-157)."""

    colour: str = ""
    cash: int = 0
    tiles: tuple[str, ...] = ()
    marker: int = 0
    points: int = 0
    walked: int = 0
    matches: int = 0  # finished ones (GG-336)
    die_tokens: int = 0
    event_tokens: int = 0
    kept: tuple[str, ...] = ()  # GG-591
    modifiers: Modifiers = NONE
    leaving: bool = False  # GG-633: defaults answer until the turn is over
    left: bool = False


class Cup(Struct, frozen=True):
    """Where a cup lies: with whom and on which team; ceded cups wait for their auction (GG-401)."""

    holder: Seat = BANK
    team: str = ""
    ceded: bool = False


class Deck(Struct, frozen=True):
    """GG-114 An event deck: the part nobody knows, then the cards put to its bottom in an order everybody saw."""

    hidden: tuple[str, ...] = ()
    known: tuple[str, ...] = ()

    def count(self) -> int:
        return len(self.hidden) + len(self.known)


class Deal(Struct, frozen=True):
    """GG-452 What changes hands between the active player and a partner: numbers by lot."""

    partner: Seat
    give: dict[str, int]
    take: dict[str, int]


class Part(Struct, frozen=True):
    """GG-264 One effect of a card for one player, settled before the reactions; tiles it may hit where it hits one."""

    number: int
    seat: Seat
    tiles: tuple[str, ...] = ()


class Arrival(Struct, frozen=True, tag="arrival"):
    """The square of arrival is still to be carried out."""


class Purchase(Struct, frozen=True, tag="purchase"):
    """GG-172 Buy, or give up?"""

    tile: str
    price: int


class Demand(Struct, frozen=True, tag="demand"):
    """GG-177 Does the owner of the other two tiles demand a reserved auction?"""

    tile: str
    price: int
    owner: Seat


class Auction(Struct, frozen=True, tag="auction"):
    """GG-201 The first of `bidders` is to bid; whoever passes is taken out."""

    kind: Literal["open", "reserved", "own", "ceded"]
    item: str
    seller: Seat
    bidders: tuple[Seat, ...]
    opening: int
    bid: int = 0
    high: Seat = BANK
    number: int = 0  # of bids so far


class MatchEnd(Struct, frozen=True, tag="match_end"):
    """GG-301 The steps of the active player's end of match."""

    step: int = 1
    bought: bool = False
    before: int = 0  # points before the result
    result: str = ""


class Outcome(Struct, frozen=True, tag="outcome"):
    """GG-431 A roll of the outcome die that its roller may still turn green."""

    seat: Seat
    face: Face
    purpose: str


class Visit(Struct, frozen=True, tag="visit"):
    """GG-231 Step 0: the visitor's card; step 1: the owner's; then the markers move."""

    tile: str
    owner: Seat
    step: int = 0
    doubled: bool = False


class Bonus(Struct, frozen=True, tag="bonus"):
    """GG-411 A cup bonus is due."""

    owner: Seat
    cups: int


class Card(Struct, frozen=True, tag="card"):
    """GG-255 An event card: effects still to be settled, then reactions, then parts to be carried out."""

    card: str
    todo: tuple[int, ...] = ()
    parts: tuple[Part, ...] = ()
    target: Seat = BANK  # chosen, while its tile is being chosen
    stage: Literal["settle", "react", "apply"] = "settle"
    reactors: tuple[Seat, ...] = ()
    reactions: tuple[str | None, ...] = ()  # by reactor; None: not answered
    cancelled: tuple[Seat, ...] = ()


class Pick(Struct, frozen=True, tag="pick"):
    """GG-561 The owner picks the tile that is suspended."""

    seat: Seat
    tiles: tuple[str, ...]


class Scouting(Struct, frozen=True, tag="scouting"):
    """GG-573 The drawer may buy one unowned tile."""

    percent: int


class Bet(Struct, frozen=True, tag="bet"):
    """GG-284 Nothing is staked yet while both are 0."""

    goals: int = 0
    money: int = 0


class Shortfall(Struct, frozen=True, tag="shortfall"):
    """GG-502 A player who has too little sells."""

    seat: Seat
    amount: int
    to: tuple[Seat, ...] = ()  # the Bank if nobody


class Place(Struct, frozen=True, tag="place"):
    """GG-392, GG-395 The holder says on which team a cup lies."""

    seat: Seat
    cup: str


class Offer(Struct, frozen=True, tag="offer"):
    """GG-454 The partner answers."""

    deal: Deal


Task = (
    Arrival
    | Purchase
    | Demand
    | Auction
    | MatchEnd
    | Outcome
    | Visit
    | Bonus
    | Card
    | Pick
    | Scouting
    | Bet
    | Shortfall
    | Place
    | Offer
)


class State(Struct, frozen=True):
    """The whole table; the last of `stack` is resolved first."""

    options: Options
    players: tuple[Player, ...]
    board: Board = Board()
    cups: dict[str, Cup] = {}
    suspended: tuple[str, ...] = ()
    football: Deck = Deck()
    non_football: Deck = Deck()
    first: Seat = 0
    turn: Seat = 0
    round: int = 0
    stage: Stage = "before"
    stack: tuple[Task, ...] = ()
    roll: tuple[int, ...] = ()
    face: Face = ""  # of the outcome die, until it has been read
    drawn: tuple[str, ...] = ()  # cards of this turn
    offers: int = 0  # GG-461
    last_round: bool = False  # GG-612

    def seats(self) -> range:
        return range(len(self.players))

    def staying(self) -> tuple[Seat, ...]:
        return tuple(seat for seat, player in enumerate(self.players) if not player.left and not player.leaving)

    def in_order(self, start: Seat) -> tuple[Seat, ...]:
        """GG-117 The players that have not left, clockwise from `start`."""
        players = self.players
        order = circle(len(players), start)
        for player in players:
            if player.left:
                return tuple(seat for seat in order if not players[seat].left)
        return order

    def after(self, seat: Seat) -> tuple[Seat, ...]:
        """The other players clockwise."""
        return self.in_order(seat)[not self.players[seat].left :]

    def with_player(self, seat: Seat, **changes: object) -> State:
        players = self.players
        player = replace(players[seat], **changes)
        return replace(self, players=(*players[:seat], player, *players[seat + 1 :]))

    def push(self, task: Task) -> State:
        return replace(self, stack=(*self.stack, task))

    def pop(self) -> State:
        return replace(self, stack=self.stack[:-1])

    def swap(self, task: Task) -> State:
        return replace(self, stack=(*self.stack[:-1], task))

    def square_of(self, seat: Seat) -> int:
        return self.players[seat].walked % len(self.board.squares)

    def owner_of(self, tile: str) -> Seat:
        for seat, player in enumerate(self.players):
            if tile in player.tiles:
                return seat
        return BANK

    def supply(self, kind: str) -> int:
        """GG-113 Tokens of a kind that nobody has."""
        name = f"{kind}_tokens"
        return self.board.tokens - sum(int(getattr(player, name)) for player in self.players)

    def bank_holds(self, amount: int) -> int:
        """GG-122 As much of this amount as the Bank can pay."""
        if not self.board.bank:
            return amount
        return max(0, min(amount, self.board.bank - sum(player.cash for player in self.players)))

    def cups_of(self, seat: Seat) -> tuple[str, ...]:
        """GG-401 The cups a player holds; those that wait to be ceded do not count."""
        cups = self.cups
        return tuple([name for name in CUPS if cups[name].holder == seat and not cups[name].ceded])

    def cups_on(self, seat: Seat, nation: str) -> int:
        return sum(cup.holder == seat and cup.team == nation for cup in self.cups.values())

    def teams_of(self, seat: Seat) -> tuple[str, ...]:
        """GG-351 The nations of which a player has all three tiles."""
        return complete(self.players[seat].tiles)

    def wealth_of(self, seat: Seat) -> int:
        """GG-615 Cash, half the price of all tiles, and what the tokens would bring."""
        player, board = self.players[seat], self.board
        tokens = player.die_tokens + player.event_tokens
        return player.cash + sum(board.prices[tile] // 2 for tile in player.tiles) + tokens * board.token_sold

    def deck(self, name: str) -> Deck:
        return self.football if name == "football" else self.non_football


@lru_cache(maxsize=64)
def circle(seats: int, start: Seat) -> tuple[Seat, ...]:
    return (*range(start, seats), *range(start))


@lru_cache(maxsize=65536)
def complete(tiles: tuple[str, ...]) -> tuple[str, ...]:
    nations = sorted({nation_of(tile) for tile in tiles})
    return tuple(nation for nation in nations if all(f"{nation}_{role}" in tiles for role in ROLES))


@lru_cache(maxsize=256)
def nation_of(tile: str) -> str:
    return tile.rpartition("_")[0]


@lru_cache(maxsize=256)
def role_of(tile: str) -> str:
    return tile.rpartition("_")[2]


def empty(seats: int, options: Options) -> State:
    """The table before anything lies on it."""
    return State(options, (Player(),) * seats)
