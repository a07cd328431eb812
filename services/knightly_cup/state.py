"""What lies on the table? The map, the knights and what they own, the Bank's tokens, and what is still to be decided."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Literal, TypeVar

from msgspec import Meta, Struct
from msgspec.structs import replace

from shared.kernel.game import Seat

Item = TypeVar("Item")
Stage = Literal["aces", "laying", "roll", "walk", "land", "over"]
Last = Literal["began", "stepped", "waited", "jumped"]

SUITS = ("clubs", "diamonds", "hearts", "spades")
COLOURS = {"clubs": "black", "diamonds": "red", "hearts": "red", "spades": "black"}  # KC-138
DIRECTIONS = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}
CENTRE = "0,0"
NOBODY: Seat = -3  # who laid the centre card, and who stands behind an unclaimed Guardian


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """What the host of a table may choose."""

    first: Literal[0, 1, 2, 3, 4] = 0  # KC-107: the seat, counted from 1; 0: drawn
    turn_cap_rounds: Annotated[int, Meta(ge=20, le=500)] = 60  # KC-901
    combat_round_cap: Annotated[int, Meta(ge=5, le=200)] = 30  # KC-546
    trade_offer_cap: Annotated[int, Meta(ge=1, le=20)] = 5  # KC-806
    unclaimed_guardian_dice: Annotated[int, Meta(ge=3, le=5)] = 4  # KC-721
    memory_aid: bool = True  # KC-203
    language: Annotated[str, Meta(pattern="^[a-z]{2}$")] = "en"  # of the promises that are suggested
    talk: Annotated[  # KC-809, PL-557: the service says what talk the match has, and promises go with free talk alone
        Literal["off", "phrases", "free"], Meta(extra_json_schema={"from_match": "talk"})
    ] = "free"


class Kind(Struct, frozen=True):
    """KC-132 to KC-137 What the legend says of a rank."""

    type: str  # monster, merchant, temple, gateway, fortress, elves
    strength: int = 0


class Good(Struct, frozen=True):
    """An item as the pack describes it, its effects added up."""

    price: int
    sold_at: str
    sellable: bool
    move_dice: int = 1
    combat_dice: int = 0
    rerolls: int = 0


class Numbers(Struct, frozen=True):
    """The numbers of the pack and of this table."""

    starting_coins: int = 5
    beg_limit: int = 5
    toll: int = 1
    bribe_opening: int = 5
    small_purse: int = 5
    base_dice: int = 2
    most_dice: int = 5
    kept_dice: int = 3
    home_dice: int = 1
    guardian_dice: int = 1
    turn_cap_rounds: int = 60
    combat_round_cap: int = 30
    trade_offer_cap: int = 5
    unclaimed_guardian_dice: int = 4
    memory_aid: bool = True


class Printed(Struct, frozen=True):
    """What the pack says: the legend by rank, the items, the pairs of Gateways, the numbers."""

    legend: dict[str, Kind] = {}
    goods: dict[str, Good] = {}
    pairs: dict[str, str] = {}
    numbers: Numbers = Numbers()


class Hoard(Struct, frozen=True):
    """KC-556 What losers left on a card."""

    coins: int = 0
    items: tuple[str, ...] = ()


class Knight(Struct, frozen=True):
    """A player's knight and everything she owns (KC-109)."""

    suit: str = ""
    at: int = -1  # the place on the map, by the order of laying
    coins: int = 0
    items: tuple[str, ...] = ()
    standards: tuple[str, ...] = ()
    begged: bool = False
    claims: bool = True  # KC-834: in force
    wish: bool = True  # from the next turn on
    won: int = 0  # KC-904
    resigned: bool = False


class Roll(Struct, frozen=True):
    """KC-110 Dice as they lie on the table."""

    what: str  # movement, monster, defence, attack
    seat: Seat  # NOBODY: a monster, or an unclaimed Guardian
    faces: tuple[int, ...]
    score: int
    again: bool = False  # KC-601


class Turn(Struct, frozen=True):
    """How far the turn has come."""

    seat: Seat = 0
    moves: int = 0
    last: Last = "began"
    entered: bool = False  # came to this card in this turn (KC-348)
    settled: tuple[Seat, ...] = ()
    challenged: tuple[Seat, ...] = ()
    bribed: tuple[Seat, ...] = ()
    denied: tuple[Seat, ...] = ()  # KC-846: won a bidding
    traded: tuple[Seat, ...] = ()  # with whom, once per trade
    offered: tuple[Seat, ...] = ()  # KC-806: with whom, once per offer at this stop
    visited: int = -1  # the place of the one visit
    swapped: int = -1  # KC-772: the place that elves left face down
    ending: bool = False


class Combat(Struct, frozen=True):
    """A combat between the active knight and a knight or a Guardian."""

    foe: Seat
    guardian: bool = False
    round: int = 1
    reverse: bool = False  # the other side attacks back
    rerolled: tuple[int, int] = (0, 0)  # KC-601: of the active knight, of the other side
    held: bool = False  # the attack failed; the defender decides


class Bidding(Struct, frozen=True, tag="bidding"):
    """KC-844 A bribe is open; `seat` decides."""

    seat: Seat
    foe: Seat
    bid: int
    by: Seat


class Offer(Struct, frozen=True, tag="offer"):
    """KC-803 What `by` gives and takes; `seat` decides."""

    seat: Seat
    by: Seat
    give: dict[str, int]
    take: dict[str, int]
    promise: str = ""


class Held(Struct, frozen=True, tag="held"):
    """KC-536 The side that held decides whether to attack back."""

    seat: Seat


class Spoils(Struct, frozen=True, tag="spoils"):
    """KC-571 The winner takes something."""

    seat: Seat
    loser: Seat
    dies: bool


class Penalty(Struct, frozen=True, tag="penalty"):
    """KC-551 The defeated knight gives something up."""

    seat: Seat


class ElvesTake(Struct, frozen=True, tag="elves_take"):
    """KC-762."""

    seat: Seat


class ElvesGive(Struct, frozen=True, tag="elves_give"):
    """KC-765."""

    seat: Seat


class ElvesSwap(Struct, frozen=True, tag="elves_swap"):
    """KC-767."""

    seat: Seat


class NextOpponent(Struct, frozen=True, tag="next_opponent"):
    """KC-883."""

    seat: Seat


Pending = Bidding | Offer | Held | Spoils | Penalty | ElvesTake | ElvesGive | ElvesSwap | NextOpponent


class Swap(Struct, frozen=True):
    """KC-768 Where elves went; nobody but the seat knows."""

    seat: Seat
    here: int
    there: int


class State(Struct, frozen=True):
    """The whole table; what belongs to places goes by the order of laying, what belongs to seats by seat."""

    options: Options
    knights: tuple[Knight, ...]
    hands: tuple[tuple[str, ...], ...]
    memory: tuple[tuple[str, ...], ...]  # KC-204: per seat and place the face last known; empty: none
    doubts: tuple[tuple[int, ...], ...]  # per seat the places whose remembered face may be stale
    printed: Printed = Printed()
    first: Seat = 0
    stage: Stage = "aces"
    round: int = 0
    spots: tuple[str, ...] = ()
    layers: tuple[Seat, ...] = ()
    cards: tuple[str, ...] = ()
    up: tuple[bool, ...] = ()
    stocks: tuple[tuple[str, ...], ...] = ()
    hoards: tuple[Hoard, ...] = ()
    aside: tuple[str, ...] = ()
    supply: dict[str, int] = {}  # KC-170
    stores: dict[str, int] = {}  # KC-169: Standards in the Fortresses
    swaps: tuple[Swap, ...] = ()
    turn: Turn = Turn()
    rolls: tuple[Roll, ...] = ()
    combat: Combat | None = None
    pending: Pending | None = None
    beaten: tuple[Seat, ...] | None = None  # KC-883: in a running Ultimate Challenge
    left: tuple[Seat, ...] = ()  # in the order of resigning
    winner: Seat = NOBODY  # KC-102, KC-913; NOBODY at the cap

    def seats(self) -> range:
        return range(len(self.knights))

    def staying(self) -> tuple[Seat, ...]:
        """KC-913 The seats that have not resigned."""
        return tuple(seat for seat, knight in enumerate(self.knights) if not knight.resigned)

    def others(self, seat: Seat) -> tuple[Seat, ...]:
        """The enemy knights, clockwise."""
        return tuple((seat + step) % len(self.knights) for step in range(1, len(self.knights)))

    def here(self) -> int:
        """The place of the active knight."""
        return self.knights[self.turn.seat].at

    def met(self) -> tuple[Seat, ...]:
        """KC-331 The enemy knights on the active knight's card."""
        active = self.turn.seat
        place = self.knights[active].at
        return tuple([seat for seat, knight in enumerate(self.knights) if knight.at == place and seat != active])

    def kind(self, place: int) -> Kind:
        """KC-137."""
        return self.printed.legend[self.cards[place].partition("_")[0]]

    def is_home(self, place: int, seat: Seat) -> bool:
        """KC-861, KC-863 A face-up card of the home suit."""
        return self.up[place] and self.cards[place].endswith("_" + self.knights[seat].suit)

    def where(self, kind: str, suit: str) -> int:
        """The place of the one card of this type and suit."""
        ranks = [rank for rank, known in self.printed.legend.items() if known.type == kind]
        return next((self.cards.index(card) for rank in ranks if (card := f"{rank}_{suit}") in self.cards), -1)

    def owner(self, suit: str) -> Seat:
        """KC-131 Whose home suit it is; NOBODY: unclaimed."""
        return next((seat for seat, knight in enumerate(self.knights) if knight.suit == suit), NOBODY)

    def shelter(self, seat: Seat) -> str:
        """KC-831 to KC-838 The type of the card that shelters the knight; empty: nothing does."""
        knight = self.knights[seat]
        if not knight.claims or not self.up[knight.at]:
            return ""
        match self.kind(knight.at).type:
            case "temple":
                return "temple"
            case "fortress" if self.cards[knight.at].endswith("_" + knight.suit):
                return "fortress"
        return ""

    def barring(self) -> tuple[Seat, ...]:
        """KC-341, KC-346 to KC-349, KC-351 The knights that must be settled with before the next step."""
        turn = self.turn
        if not turn.entered:
            return ()
        return tuple([seat for seat in self.met() if seat not in turn.settled and not self.shelter(seat)])

    def fight_dice(self, seat: Seat, more: int = 0) -> int:
        """KC-211, KC-215, KC-216 The base dice, the items once each, the situation; never more than the most."""
        numbers, goods = self.printed.numbers, self.printed.goods
        owned = sum([goods[item].combat_dice for item in set(self.knights[seat].items)])
        return min(numbers.most_dice, numbers.base_dice + owned + more)

    def hunt_dice(self, seat: Seat) -> int:
        """KC-211, KC-502 Against the monster where she stands: one die more on a card of the home suit."""
        return self.fight_dice(seat, self.printed.numbers.home_dice if self.is_home(self.knights[seat].at, seat) else 0)

    def guard_dice(self, suit: str) -> int:
        """KC-712, KC-721, KC-912."""
        owner, numbers = self.owner(suit), self.printed.numbers
        return numbers.unclaimed_guardian_dice if owner == NOBODY else self.fight_dice(owner, numbers.guardian_dice)

    def rerolls(self, seat: Seat) -> int:
        """KC-601, KC-713."""
        items = () if seat == NOBODY else self.knights[seat].items
        return max((self.printed.goods[item].rerolls for item in items), default=0)

    def toll(self) -> int:
        """KC-734."""
        return 0 if self.is_home(self.here(), self.turn.seat) else self.printed.numbers.toll

    def exit(self) -> int:
        """KC-731 to KC-742 Where a jump leads now; -1: there is none."""
        here, turn = self.here(), self.turn
        if turn.last not in {"stepped", "waited"} or not self.up[here] or self.kind(here).type != "gateway":
            return -1
        if self.knights[turn.seat].coins < self.toll() or self.barring():
            return -1
        there = self.where("gateway", self.printed.pairs[self.cards[here].partition("_")[2]])
        return there if there >= 0 and self.up[there] else -1

    def merit(self, seat: Seat) -> tuple[int, int, int]:
        """KC-902 to KC-905 Kinds of Standards, wealth, combats won."""
        knight, goods = self.knights[seat], self.printed.goods
        return len(knight.standards), knight.coins + sum(goods[item].price for item in knight.items), knight.won

    def with_knight(self, seat: Seat, **changes: object) -> State:
        return replace(self, knights=put(self.knights, seat, replace(self.knights[seat], **changes)))


def empty(seats: int, options: Options) -> State:
    """The table before anything lies on it."""
    nothing: tuple[tuple[str, ...], ...] = ((),) * seats
    return State(options, (Knight(),) * seats, nothing, nothing, ((),) * seats)


def put(items: tuple[Item, ...], index: int, item: Item) -> tuple[Item, ...]:
    """The items with one of them exchanged."""
    return (*items[:index], item, *items[index + 1 :])


def without(items: tuple[str, ...], *gone: str) -> tuple[str, ...]:
    """The items but for these, one token for each."""
    left = list(items)
    for item in gone:
        left.remove(item)
    return tuple(left)


def added(items: tuple[str, ...], *more: str) -> tuple[str, ...]:
    return tuple(sorted((*items, *more)))


@lru_cache(maxsize=64)
def exits(spots: tuple[str, ...]) -> tuple[dict[str, int], ...]:
    """KC-322 to KC-324 For every place the directions that lead to a card, and to which."""
    found = {spot: place for place, spot in enumerate(spots)}
    return tuple({way: found[near] for way, near in _around(spot) if near in found} for spot in spots)


def free_spots(spots: tuple[str, ...]) -> tuple[str, ...]:
    """KC-162, KC-163 Where a card may be laid, row by row."""
    near = {other for spot in spots for _, other in _around(spot)} - set(spots)
    return tuple(sorted(near, key=row_by_row))


def row_by_row(spot: str) -> tuple[int, int]:
    x, y = spot.split(",")
    return int(y), int(x)


@lru_cache(maxsize=4096)
def _around(spot: str) -> tuple[tuple[str, str], ...]:
    x, y = map(int, spot.split(","))
    return tuple((way, f"{x + right},{y + down}") for way, (right, down) in DIRECTIONS.items())
