"""What may a pack of GOLDblivion hold? Its shape and its ranges; faults.py looks for what these alone do not find."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

Race = Literal["elf", "human", "dwarf", "building"]
Price = Annotated[int, Meta(ge=0, le=20)]
Copies = Annotated[int, Meta(ge=1, le=20)]
Positive = Annotated[int, Meta(ge=1, le=1000)]
Limit = Annotated[int, Meta(ge=5, le=3600)]
Id = Annotated[str, Meta(pattern="^[A-Za-z][A-Za-z0-9_]*$")]


class About(Struct, frozen=True, forbid_unknown_fields=True):
    """Which pack this is."""

    id: str
    version: int


class GoldCard(Struct, frozen=True, forbid_unknown_fields=True):
    """GB-331 A card with a blue back."""

    id: Id
    kind: Literal["start", "noble", "character", "building"]
    badges: Annotated[tuple[Race, ...], Meta(min_length=1, max_length=2)]
    ability: str
    copies: Annotated[int, Meta(ge=1, le=8)]
    price: Price = 0
    price_kind: Literal["nuggets", "material"] = "nuggets"


class GoldCards(Struct, frozen=True, forbid_unknown_fields=True):
    """All GOLDblivion cards."""

    cards: tuple[GoldCard, ...]


class CombatCard(Struct, frozen=True, forbid_unknown_fields=True):
    """A card with a red back."""

    id: Id
    kind: Literal["start", "market"]
    ability: str
    copies: Copies
    price: Price = 0


class CombatCards(Struct, frozen=True, forbid_unknown_fields=True):
    """All Combat cards."""

    cards: tuple[CombatCard, ...]


class Token(Struct, frozen=True, forbid_unknown_fields=True):
    """A magic token."""

    id: Id
    ability: str


class Tokens(Struct, frozen=True, forbid_unknown_fields=True):
    """All magic tokens."""

    tokens: Annotated[tuple[Token, ...], Meta(min_length=1)]


class VillageTile(Struct, frozen=True, forbid_unknown_fields=True):
    """GB-135 A village tile with its two sides."""

    id: Literal["village_nugget", "village_material"]
    place: Literal["left", "right"]
    a: str
    b: str


class VillageTiles(Struct, frozen=True, forbid_unknown_fields=True):
    """The two village tiles."""

    tiles: Annotated[tuple[VillageTile, ...], Meta(min_length=2, max_length=2)]


class TerritoryTile(Struct, frozen=True, forbid_unknown_fields=True):
    """A territory with its enemy and its reward."""

    id: Id
    kind: Literal["forest", "mountain", "cow_dragon"]
    copies: Copies
    strength: Annotated[int, Meta(ge=1, le=20)]
    reward: str


class TerritoryTiles(Struct, frozen=True, forbid_unknown_fields=True):
    """All territories and the Cow-Dragon."""

    tiles: tuple[TerritoryTile, ...]


class BoardSpace(Struct, frozen=True, forbid_unknown_fields=True):
    """GB-448 A space of the board with its six sides."""

    id: Id
    kind: Literal["forest", "mountain"]
    neighbours: tuple[str, ...]
    land: Annotated[int, Meta(ge=0, le=6)]
    water: Annotated[int, Meta(ge=0, le=6)]
    double: bool
    cow: bool
    row: int
    column: int


class BoardSpaces(Struct, frozen=True, forbid_unknown_fields=True):
    """The board."""

    spaces: tuple[BoardSpace, ...]


class Face(Struct, frozen=True, forbid_unknown_fields=True):
    """GB-377, GB-642 One face of the dice."""

    bonus: str
    dummy: str
    slot: Annotated[int, Meta(ge=0, le=3)]


class Faces(Struct, frozen=True, forbid_unknown_fields=True):
    """The dice."""

    faces: Annotated[tuple[Face, ...], Meta(min_length=6, max_length=6)]


class SoloBoard(Struct, frozen=True, forbid_unknown_fields=True):
    """GB-674 The board of a Dummy Noble."""

    id: Literal["ariane", "charles", "blaze", "jade"]
    level: Literal["easy", "normal", "hard"]
    coat: Literal["blue", "yellow", "red", "green"]
    nugget_rate: Annotated[int, Meta(ge=1, le=20)]
    material_rate: Annotated[int, Meta(ge=1, le=20)]
    material_to: Literal["bars", "nuggets"]
    material_gain: Annotated[int, Meta(ge=1, le=20)]
    material_first: bool
    magic: str
    human: str
    elf: str
    dwarf: str
    building: str
    double: bool


class SoloBoards(Struct, frozen=True, forbid_unknown_fields=True):
    """The four Dummy Nobles."""

    boards: Annotated[tuple[SoloBoard, ...], Meta(min_length=4, max_length=4)]


class Constants(Struct, frozen=True, forbid_unknown_fields=True):
    """The numbers of the rulebook."""

    hand: Positive
    main_actions: Positive
    solo_main_actions: Positive
    bar_price: Positive
    end_bars: Positive
    most_material: Positive
    most_tokens: Positive
    market: Annotated[int, Meta(ge=4, le=4)]
    marker: Positive
    cards_per_nugget: Positive
    cards_per_material: Positive
    solo_double: Positive
    max_rounds: Annotated[int, Meta(ge=0, le=1000)]
    most_turns: Positive
    most_activations: Positive


class Clocks(Struct, frozen=True, forbid_unknown_fields=True):
    """The limits of one preset."""

    turn: Limit
    choice: Limit
    combat: Limit
    develop: Limit
    noble: Limit


class Presets(Struct, frozen=True, forbid_unknown_fields=True):
    """All presets."""

    quick: Clocks
    normal: Clocks
    relaxed: Clocks


class Base(Struct, frozen=True):
    """The files of the pack."""

    pack: About
    gold_cards: GoldCards
    combat_cards: CombatCards
    magic_tokens: Tokens
    village_tiles: VillageTiles
    territory_tiles: TerritoryTiles
    board: BoardSpaces
    dice: Faces
    solo_boards: SoloBoards
    constants: Constants
    clocks: Presets
