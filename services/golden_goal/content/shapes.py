"""What may a pack of Golden Goal hold? Shape, ranges and sums; a bad pack is refused as a whole, with a list of its faults."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Literal

from msgspec import Meta, Struct

from services.golden_goal.content import effects
from services.golden_goal.content.effects import AnyEffect, Effect, Role, branches
from shared.kernel.content import Pack, PackError

Money = Annotated[int, Meta(ge=0, multiple_of=100_000)]
Price = Annotated[int, Meta(ge=100_000, multiple_of=100_000)]
Limit = Annotated[int, Meta(ge=5, le=600)]
Box = Literal["win", "draw", "loss"]
CORNERS = ("start_end", "match_takings", "capital_increase", "goalmouth_scramble")
RANK = {"loss": 0, "draw": 1, "win": 2}
SEATS = ("2", "3", "4", "5", "6")
LASTING = (effects.RoleMod, effects.VisitMod, effects.ResultMod, effects.TakingsMod, effects.Block)


class About(Struct, frozen=True, forbid_unknown_fields=True):
    """Which pack this is."""

    id: str
    version: int


class Place(Struct, frozen=True, forbid_unknown_fields=True):
    """A square of the ring."""

    index: int
    kind: Literal["corner", "team", "event"]
    corner: Literal["start_end", "match_takings", "capital_increase", "goalmouth_scramble"] | None = None
    deck: Literal["football", "non_football"] | None = None
    tile: str | None = None

    @property
    def what(self) -> str:
        return {"corner": self.corner, "team": self.tile, "event": self.deck}[self.kind] or ""


class Ring(Struct, frozen=True, forbid_unknown_fields=True):
    """GG-151."""

    squares: Annotated[tuple[Place, ...], Meta(min_length=32, max_length=60)]


class Tile(Struct, frozen=True, forbid_unknown_fields=True):
    """A team tile."""

    id: Annotated[str, Meta(pattern="^[a-z_]{3,40}$")]
    nation: Annotated[str, Meta(pattern="^[a-z_]{2,30}$")]
    role: Role
    price: Annotated[int, Meta(ge=400_000, le=6_000_000, multiple_of=200_000)]
    goal_actions: Annotated[int, Meta(ge=1, le=5)]


class Tiles(Struct, frozen=True, forbid_unknown_fields=True):
    """All team tiles."""

    tiles: Annotated[tuple[Tile, ...], Meta(min_length=24, max_length=24)]


class Boxes(Struct, frozen=True, forbid_unknown_fields=True):
    """GG-306 One column of the result table."""

    number: int
    green: Box
    yellow: Box
    red: Box


class Results(Struct, frozen=True, forbid_unknown_fields=True):
    """GG-307 The result table, and how far the track goes."""

    x: Annotated[int, Meta(ge=5, le=20)]
    columns: tuple[Boxes, ...]


class Length(Struct, frozen=True, forbid_unknown_fields=True):
    """GG-121 One length of the game."""

    target: Annotated[int, Meta(ge=5, le=60)]
    cups: Annotated[tuple[int, ...], Meta(min_length=4, max_length=4)]
    match_cap: Annotated[int, Meta(ge=5, le=60)]


class Lengths(Struct, frozen=True, forbid_unknown_fields=True):
    """GG-121."""

    short: Length
    standard: Length
    long: Length


class PerResult(Struct, frozen=True, forbid_unknown_fields=True):
    """A number for each result."""

    win: Annotated[int, Meta(ge=0)]
    draw: Annotated[int, Meta(ge=0)]
    loss: Annotated[int, Meta(ge=0)]


class Economy(Struct, frozen=True, forbid_unknown_fields=True):
    """Money, tokens, and what a player starts with."""

    goal_action: Price
    most_goal_actions: Annotated[int, Meta(ge=0, le=9)]
    token: Price
    token_sold: Money
    tokens: Annotated[int, Meta(ge=0, le=20)]
    raise_by: Price
    pip: Money
    most_goal_bet: Annotated[int, Meta(ge=1, le=9)]
    most_money_bet: Price
    goal_action_debt: Price
    bank: Money
    cups: Annotated[tuple[Money, ...], Meta(min_length=4, max_length=4)]
    takings: PerResult
    result: PerResult
    capital: dict[str, Money]
    tiles: dict[str, Annotated[tuple[Role, ...], Meta(max_length=4)]]


class EventCard(Struct, frozen=True, forbid_unknown_fields=True):
    """An event card; its title and its text stand with the words."""

    id: Annotated[str, Meta(pattern="^[A-Z][A-Z0-9]{1,5}$")]
    tone: Literal["+", "-", "±"]
    effects: Annotated[tuple[AnyEffect, ...], Meta(min_length=1)]


class Events(Struct, frozen=True, forbid_unknown_fields=True):
    """A deck."""

    cards: Annotated[tuple[EventCard, ...], Meta(min_length=15, max_length=40)]


class Clocks(Struct, frozen=True, forbid_unknown_fields=True):
    """GG-631 The limits of one preset."""

    roll: Limit
    reroll: Limit
    goal_actions: Limit
    green: Limit
    place_cup: Limit
    tokens: Limit
    purchase: Limit
    demand: Limit
    bid: Limit
    bet: Limit
    card: Limit
    react: Limit
    offside: Limit
    double: Limit
    answer: Limit
    free: Limit
    shortfall: Limit
    live_auction: Limit


class Presets(Struct, frozen=True, forbid_unknown_fields=True):
    """GG-631."""

    quick: Clocks
    normal: Clocks
    relaxed: Clocks


class Base(Struct, frozen=True):
    """The files of the pack."""

    pack: About
    board: Ring
    tiles: Tiles
    results: Results
    presets: Lengths
    economy: Economy
    events_football: Events
    events_non_football: Events
    clocks: Presets


def checked(pack: Pack[Base]) -> Pack[Base]:
    """The pack, if nothing is wrong with it; raises PackError with every fault."""
    if found := list(faults(pack.content)):
        raise PackError("\n".join(found))
    return pack


def faults(base: Base) -> Iterator[str]:
    """What types and ranges alone do not find."""
    yield from (f"board.toml: {fault}" for fault in _board_faults(base))
    yield from (f"tiles.toml: {fault}" for fault in _tile_faults(base.tiles.tiles))
    yield from (f"results.toml: {fault}" for fault in _result_faults(base.results))
    yield from (f"presets.toml: {fault}" for fault in _length_faults(base.presets))
    yield from (f"economy.toml: {fault}" for fault in _economy_faults(base.economy))
    yield from (f"events: {fault}" for fault in _card_faults(base))


def _board_faults(base: Base) -> Iterator[str]:
    squares = base.board.squares
    if len(squares) % 4:
        yield f"{len(squares)} squares; a multiple of 4 is needed"
    yield from (f"square {place.index} stands where {n} should" for n, place in enumerate(squares) if place.index != n)
    yield from (f"square {place.index} does not say what is on it" for place in squares if not place.what)
    corners = {place.index: place.corner for place in squares if place.kind == "corner"}
    quarter = len(squares) // 4
    if (
        sorted(corners) != [0, quarter, 2 * quarter, 3 * quarter]
        or set(corners.values()) != set(CORNERS)
        or corners[0] != CORNERS[0]
    ):
        yield "the four corners stand at 0 (start_end), a quarter, half and three quarters of the ring"
    placed = [place.tile or "" for place in squares if place.kind == "team"]
    yield from (f"{tile} has two squares" for tile in _doubles(placed))
    if set(placed) != {tile.id for tile in base.tiles.tiles}:
        yield "every tile of tiles.toml has a square, and no other tile has one"
    decks = {place.deck for place in squares if place.kind == "event"}
    yield from (f"no square draws from the deck {deck}" for deck in ("football", "non_football") if deck not in decks)


def _tile_faults(tiles: tuple[Tile, ...]) -> Iterator[str]:
    yield from (f"{tile} is there twice" for tile in _doubles(tile.id for tile in tiles))
    yield from (
        f"{tile.id} must be called {tile.nation}_{tile.role}" for tile in tiles if tile.id != f"{tile.nation}_{tile.role}"
    )
    if len({tile.nation for tile in tiles}) != 8:
        yield "eight nations are needed"


def _result_faults(results: Results) -> Iterator[str]:
    """GG-308 Green is never worse than yellow, yellow never worse than red, a higher number never worse than a lower one."""
    if [column.number for column in results.columns] != list(range(-results.x, results.x + 1)):
        yield f"one column for each number from {-results.x} to {results.x}, in this order"
    for column in results.columns:
        if not RANK[column.green] >= RANK[column.yellow] >= RANK[column.red]:
            yield f"column {column.number}: a colour is worse than the next one"
    for before, after in zip(results.columns, results.columns[1:], strict=False):
        if any(RANK[getattr(after, colour)] < RANK[getattr(before, colour)] for colour in ("green", "yellow", "red")):
            yield f"column {after.number} is worse than the one before it"


def _length_faults(lengths: Lengths) -> Iterator[str]:
    for name in ("short", "standard", "long"):
        length: Length = getattr(lengths, name)
        if list(length.cups) != sorted(set(length.cups)) or length.cups[0] < 1 or length.cups[-1] >= length.target:
            yield f"{name}: the thresholds of the cups rise strictly from 1 and stay below the target"


def _economy_faults(economy: Economy) -> Iterator[str]:
    for part, table in (("capital", set(economy.capital)), ("tiles", set(economy.tiles))):
        if table != set(SEATS):
            yield f"{part}: there for {sorted(table)}, needed for 2 to 6 players"
    for seats, roles in economy.tiles.items():
        if any(int(seats) * roles.count(role) > 8 for role in set(roles)):
            yield f"tiles: {seats} players need more than the 8 tiles of a role"
    for seats, capital in economy.capital.items():
        if int(seats) * capital > economy.bank:
            yield f"capital: {seats} players get more than the Bank has"


def _card_faults(base: Base) -> Iterator[str]:
    cards = (*base.events_football.cards, *base.events_non_football.cards)
    yield from (f"{card} is there twice" for card in _doubles(card.id for card in cards))
    for card in cards:
        yield from (f"{card.id}: {fault}" for fault in _list_faults(card.effects))
        if len([*_all(card.effects)]) > 1 and any(isinstance(effect, effects.Keep) for effect in _all(card.effects)):
            yield f"{card.id}: a kept card does nothing else (GG-574)"
    every = [[*_all(card.effects)] for card in cards]
    if sum(isinstance(effect, effects.Suspend) for listed in every for effect in listed) < 4:
        yield "at least 4 suspensions are needed"
    if sum(isinstance(effect, LASTING) for listed in every for effect in listed) < 6:
        yield "at least 6 effects that last until the match ends are needed"
    if sum(any(isinstance(effect, effects.Points) for effect in listed) for listed in every) > 5:
        yield "no more than 5 cards may change points"


def _list_faults(listed: tuple[Effect, ...]) -> Iterator[str]:
    """A move ends its list (GG-559); a number that changes nothing is a slip."""
    for place, effect in enumerate(listed):
        if isinstance(effect, effects.Move | effects.MoveTo) and place < len(listed) - 1:
            yield "a move is the last effect of its card or branch"
        if getattr(effect, "n", 1) == 0 or (isinstance(effect, effects.TakingsMod) and not effect.half and not effect.add):
            yield "an effect that changes nothing"
        if isinstance(effect, effects.Suspend) and effect.pick == "drawer" and effect.who not in {"chosen", "marker_top"}:
            yield "the drawer picks a tile of one chosen opponent only"
        if isinstance(effect, effects.TakingsMod) and effect.half and effect.add:
            yield "an income is either changed by a sum or halved (GG-565)"
        if isinstance(effect, effects.Choose) and all(_has_price(branch) for branch in branches(effect)):
            yield "one branch of a choice costs no money, for those who have none (GG-570)"
        for branch in branches(effect):
            yield from _list_faults(branch)
            if place < len(listed) - 1 and any(isinstance(inner, effects.Move | effects.MoveTo) for inner in _all(branch)):
                yield "nothing may follow an effect that may move the pawn"


def _has_price(branch: tuple[Effect, ...]) -> bool:
    return any(isinstance(effect, effects.Cash) and effect.n < 0 for effect in branch)


def _all(listed: tuple[Effect, ...]) -> Iterator[Effect]:
    for effect in listed:
        yield effect
        for branch in branches(effect):
            yield from _all(branch)


def _doubles(items: Iterable[str]) -> list[str]:
    seen: set[str] = set()
    return sorted({item for item in items if item in seen or seen.add(item)})  # type: ignore[func-returns-value]
