"""What lies on the table? Boards, Market, map, village, bank, what is being carried out, and in solo the Dummy Noble."""

from __future__ import annotations

from typing import Annotated, Literal, TypeVar

from msgspec import Meta, Struct
from msgspec.structs import replace

from shared.kernel.game import Seat

Item = TypeVar("Item")

Stage = Literal["draft", "development", "actions", "dummy", "marker", "over"]
Side = Literal["left", "right"]
Coat = Literal["blue", "yellow", "red", "green"]
Noble = Literal["ariane", "charles", "blaze", "jade"]
FrameKind = Literal["card", "building", "token", "village", "tile", "combat", "marker", "dummy", "row"]

COATS: tuple[Coat, ...] = ("blue", "yellow", "red", "green")
SIDES: tuple[Side, ...] = ("left", "right")
GOLD_PLACES = ("gold_1", "gold_2", "gold_3", "gold_4")
PILES = ("pile_left", "pile_right")
SLOTS = {place: slot for slot, place in enumerate(GOLD_PLACES)}
DUMMY_SPACES = ("human", "elf", "dwarf", "building")


class Options(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """D19 What the owner of a table may choose."""

    dummy: Noble | None = None  # the solo opponent; nobody named: Ariane
    noble: Literal["random", "chosen"] = "random"  # GB-605
    max_rounds: Annotated[int, Meta(ge=0, le=1000)] = 30  # GB-165


class Board(Struct, frozen=True, gc=False):
    """GB-125 What lies before one seat."""

    coat: Coat = "blue"
    bars: int = 0
    nuggets: int = 0
    material: int = 0
    deck: tuple[str, ...] = ()  # from the top
    hand: tuple[str, ...] = ()  # in the order of the pack
    played: tuple[str, ...] = ()  # the Game area, in the order of play
    buildings: tuple[str, ...] = ()
    turned: tuple[str, ...] = ()  # of the Buildings
    left: tuple[str, ...] = ()  # under the Production area
    right: tuple[str, ...] = ()
    placing: str = ""  # GB-184: chosen, and not shown yet
    side: Side = "left"
    army: tuple[str, ...] = ()  # the Combat deck, from the top
    exhausted: tuple[str, ...] = ()  # GB-465: Combat cards of earlier Combats of the round
    tokens: tuple[str, ...] = ()
    territories: tuple[str, ...] = ()
    passed: bool = False
    turns: int = 0  # in this round (GB-710)
    gone: bool = False


class Space(Struct, frozen=True, gc=False):
    """GB-448 A space of the board, its sides, and the tiles on it, the upper one first."""

    id: str
    kind: str
    neighbours: tuple[int, ...]
    land: int
    water: int
    cow: bool
    row: int
    column: int
    tiles: tuple[str, ...] = ()
    up: bool = False  # the upper tile lies face up (GB-445)


class CombatCard(Struct, frozen=True, gc=False):
    """A card drawn into the Combat."""

    card: str
    done: bool = False  # GB-471: resolved
    gone: bool = False  # GB-479: sacrificed


class Combat(Struct, frozen=True, gc=False):
    """The Combat that is fought now."""

    space: int
    enemy: str
    needs: int
    strength: int
    cards: tuple[CombatCard, ...] = ()
    lost: bool = False


class Frame(Struct, frozen=True, gc=False):
    """A power that is being carried out: how far it has come, so that a question may interrupt it."""

    kind: FrameKind
    power: str
    card: int = -1  # the place of a card in play, or of a Combat card in the Combat: which copy acts
    option: int = 0  # 0: not chosen yet
    times: int = -1  # how often the right side of an arrow is carried out; -1: nothing paid yet
    step: int = 0  # the next effect
    left: int = -1  # how often this effect is still to be carried out; -1: not begun
    count: int = 0  # GB-709: powers set off so far in the turn of the Dummy Noble


class Pending(Struct, frozen=True, gc=False):
    """The question that interrupts a power, and its possible answers."""

    seat: Seat
    question: str
    about: str  # the card, tile or token that asks
    targets: tuple[str, ...] = ()
    default: str = ""


class Dummy(Struct, frozen=True, gc=False):
    """GB-604 The Dummy Noble."""

    noble: Noble
    coat: Coat
    bars: int = 0
    nuggets: int = 0
    material: int = 0
    human: tuple[str, ...] = ()  # the cards under each space
    elf: tuple[str, ...] = ()
    dwarf: tuple[str, ...] = ()
    building: tuple[str, ...] = ()
    territories: tuple[str, ...] = ()
    card: str = ""  # taken, and not placed yet (GB-646)

    def under(self, space: str) -> tuple[str, ...]:
        cards: tuple[str, ...] = getattr(self, space)
        return cards


class State(Struct, frozen=True, gc=False):
    """The whole table."""

    options: Options
    boards: tuple[Board, ...]
    stage: Stage = "draft"
    round: int = 0
    first: Seat = 0
    turn: Seat = 0
    actions: int = 0  # main actions used in this turn
    ended: bool = False  # this turn is over
    activations: int = 0  # in this turn (GB-708)
    market: tuple[str, ...] = ("", "", "", "")
    pile: tuple[str, ...] = ()
    buried: int = 0  # GB-139: how many cards at the bottom of the pile everybody has seen
    armies: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())  # the two Combat piles of the Market
    villages: tuple[str, str] = ("a", "a")  # the sides that are up
    spaces: tuple[Space, ...] = ()
    unused: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())  # GB-131: forests and mountains that went to the box unseen
    bank: tuple[str, ...] = ()  # face-down magic tokens
    used: tuple[str, ...] = ()  # face-up magic tokens
    box: tuple[str, ...] = ()  # GB-257
    nobles: tuple[str, ...] = ()  # revealed and not taken
    taken: tuple[str, ...] = ()  # GB-157: per seat
    dice: tuple[int, ...] = ()  # the faces of the last roll
    revealed: tuple[str, ...] = ()  # GB-666: spaces whose tiles were turned up without a fight, in this order
    stack: tuple[Frame, ...] = ()
    pending: Pending | None = None
    combat: Combat | None = None
    dummy: Dummy | None = None
    lost: bool = False  # GB-631, GB-705
    end_bars: int = 10  # GB-541: as the pack has it

    def with_board(self, seat: Seat, **changes: object) -> State:
        boards = list(self.boards)
        boards[seat] = replace(boards[seat], **changes)
        return replace(self, boards=tuple(boards))

    def seats(self) -> range:
        return range(len(self.boards))

    def is_solo(self) -> bool:
        return self.dummy is not None

    def card_at(self, place: str) -> str:
        """What lies open at a place of the Market; empty if nothing does."""
        slot = SLOTS.get(place)
        if slot is not None:
            return self.market[slot]
        pile = self.armies[place == PILES[1]]
        return pile[0] if pile else ""

    def open_sides(self, space: int) -> int:
        """GB-449 to GB-452 Land, and neighbours with no tile left; water never, and the Cow-Dragon's space never."""
        there, spaces = self.spaces[space], self.spaces
        return there.land + len([other for other in there.neighbours if not spaces[other].tiles and not spaces[other].cow])

    def most_bars(self) -> int:
        most = max([board.bars for board in self.boards])
        return max(most, self.dummy.bars) if self.dummy else most

    def is_last_round(self) -> bool:
        """GB-165, GB-541 Somebody has enough bars, or there are to be no more rounds."""
        return self.most_bars() >= self.end_bars or 0 < self.options.max_rounds <= self.round


def put(items: tuple[Item, ...], index: int, item: Item) -> tuple[Item, ...]:
    """The items with one of them exchanged."""
    changed = list(items)
    changed[index] = item
    return tuple(changed)


def without(items: tuple[Item, ...], item: Item) -> tuple[Item, ...]:
    """The items without the first one like this."""
    index = items.index(item)
    return items[:index] + items[index + 1 :]
