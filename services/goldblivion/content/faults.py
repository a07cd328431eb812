"""What is wrong with a pack? Sums, grammar, neighbours and doubles; a bad pack is refused as a whole (GB-707)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator

from services.goldblivion.content.effects import (
    Ability,
    Bars,
    Copy,
    Dice,
    DrawCombat,
    Effect,
    Fight,
    FreeCharacter,
    FreeCombat,
    Magic,
    Material,
    Nuggets,
    Sacrifice,
    Strength,
)
from services.goldblivion.content.grammar import NotUnderstood, ability_of, row_of
from services.goldblivion.content.shapes import (
    Base,
    BoardSpace,
    CombatCard,
    Face,
    GoldCard,
    SoloBoard,
    VillageTile,
)
from shared.kernel.content import Pack, PackError

SEATS = 4
SOLO = ("ariane", "charles", "blaze", "jade")
COMBAT_ONLY = (Strength, DrawCombat, Copy, Sacrifice)
OF_TILES = (Nuggets, Material, Bars, Dice, Magic, FreeCombat, FreeCharacter)
HAND = 5


def checked(pack: Pack[Base]) -> Pack[Base]:
    """GB-707 The pack, if nothing is wrong with it; raises PackError with every fault."""
    if found := list(faults(pack.content)):
        raise PackError("\n".join(found))
    return pack


def faults(base: Base) -> Iterator[str]:
    """GB-707 What types and ranges alone do not find."""
    ids = [card.id for card in base.gold_cards.cards] + [card.id for card in base.combat_cards.cards]
    ids += [token.id for token in base.magic_tokens.tokens] + [tile.id for tile in base.village_tiles.tiles]
    ids += [tile.id for tile in base.territory_tiles.tiles]
    yield from (f"{one} is there twice" for one, count in Counter(ids).items() if count > 1)
    yield from (f"gold_cards: {fault}" for fault in _gold_faults(base.gold_cards.cards))
    yield from (f"combat_cards: {fault}" for fault in _combat_faults(base.combat_cards.cards))
    for token in base.magic_tokens.tokens:
        yield from _ability_faults(f"magic_tokens: {token.id}", token.ability, _of_cards)
    yield from _village_faults(base.village_tiles.tiles)
    yield from _tile_faults(base)
    yield from (f"board: {fault}" for fault in _space_faults(base.board.spaces))
    yield from _dice_faults(base.dice.faces)
    yield from _solo_faults(base.solo_boards.boards)


def _gold_faults(cards: tuple[GoldCard, ...]) -> Iterator[str]:
    counts = Counter(card.kind for card in cards for _ in range(card.copies))
    starting = counts["start"]
    yield from [f"{starting} starting cards a seat, but a hand needs {HAND}"] if starting < HAND else []
    yield from [f"{counts['noble']} Nobles, at least {SEATS + 1} are needed"] if counts["noble"] <= SEATS else []
    yield from [f"{counts['character']} Characters, at least 4 are needed"] if counts["character"] < 4 else []
    for card in cards:
        yield from _ability_faults(card.id, card.ability, _of_cards)
        building = card.kind == "building"
        if building != ("building" in card.badges) or (building and len(card.badges) > 1):
            yield f"{card.id}: a Building has the badge building and no other, a Character has races"
        if card.kind in {"character", "building"} and building != (card.price_kind == "material"):
            yield f"{card.id}: Characters are paid in nuggets, Buildings in material"
        if building and card.price > 4:
            yield f"{card.id}: nobody holds more than 4 material"


def _combat_faults(cards: tuple[CombatCard, ...]) -> Iterator[str]:
    market = sum(card.copies for card in cards if card.kind == "market")
    if market < 2 or market % 2:
        yield f"{market} cards cannot be split into two equal piles"
    for card in cards:
        yield from _ability_faults(card.id, card.ability, _of_combat_cards)
        if not any(word in card.ability for word in ("strength", "copy")):
            yield f"{card.id}: neither strength nor copy"


def _village_faults(tiles: tuple[VillageTile, ...]) -> Iterator[str]:
    if {tile.place for tile in tiles} != {"left", "right"}:
        yield "village_tiles: one stands on the left, one on the right"
    for tile in tiles:
        for side in (tile.a, tile.b):
            yield from _ability_faults(f"village_tiles: {tile.id}", side, _of_villages)


def _tile_faults(base: Base) -> Iterator[str]:
    tiles, spaces = base.territory_tiles.tiles, base.board.spaces
    for tile in tiles:
        yield from _ability_faults(f"territory_tiles: {tile.id}", tile.reward, _of_tiles)
    for kind in ("forest", "mountain"):
        there = sum(tile.copies for tile in tiles if tile.kind == kind)
        needed = sum(1 + space.double for space in spaces if space.kind == kind)
        if there < needed:
            yield f"territory_tiles: {there} of {kind}, the board needs {needed}"
    if [(tile.id, tile.copies) for tile in tiles if tile.kind == "cow_dragon"] != [("cow_dragon", 1)]:
        yield "territory_tiles: there is exactly one cow_dragon"


def _space_faults(spaces: tuple[BoardSpace, ...]) -> Iterator[str]:
    at = {space.id: space for space in spaces}
    yield from ["two spaces have one name"] if len(at) < len(spaces) else []
    for space in spaces:
        if len({space.id, *space.neighbours}) <= len(space.neighbours):
            yield f"{space.id} has a neighbour twice, or itself"
        if len(space.neighbours) + space.land + space.water != 6:
            yield f"{space.id} does not have six sides"
        for other in space.neighbours:
            if other not in at or space.id not in at[other].neighbours:
                yield f"{space.id} and {other} are not neighbours of each other"
    if sum(space.cow for space in spaces) != 1:
        yield "the Cow-Dragon lives on exactly one space"
    if not any(space.land for space in spaces):
        yield "no space has an open side"


def _dice_faults(faces: tuple[Face, ...]) -> Iterator[str]:
    if {face.slot for face in faces} != {0, 1, 2, 3}:
        yield "dice: every Market space is pointed at"
    for number, face in enumerate(faces, start=1):
        yield from _ability_faults(f"dice: face {number}", face.bonus, _of_faces)
        yield from _row_faults(f"dice: face {number}", face.dummy)
        if "d-dice" in face.dummy or len(face.dummy.split(", ")) > 1:
            yield f"dice: face {number}: one gain, or the magic powers"


def _solo_faults(boards: tuple[SoloBoard, ...]) -> Iterator[str]:
    if {board.id for board in boards} != set(SOLO):
        yield f"solo_boards: one each of {', '.join(SOLO)}"
    for board in boards:
        for row in (board.magic, board.human, board.elf, board.dwarf, board.building):
            yield from _row_faults(f"solo_boards: {board.id}", row)


def _ability_faults(where: str, text: str, allowed: Callable[[Ability], str]) -> Iterator[str]:
    try:
        ability = ability_of(text)
    except NotUnderstood as error:
        yield f"{where}: {error}"
        return
    if any(_is_of_dummy(effect) for effect in _effects(ability)):
        yield f"{where}: {text!r} is only for the Dummy Noble"
    elif fault := allowed(ability):
        yield f"{where}: {text!r}: {fault}"


def _row_faults(where: str, text: str) -> Iterator[str]:
    try:
        strange = [effect for effect in row_of(text) if not _is_of_dummy(effect)]
    except NotUnderstood as error:
        yield f"{where}: {error}"
        return
    if strange:
        yield f"{where}: {text!r} is not for the Dummy Noble"


def _effects(ability: Ability) -> Iterable[Effect]:
    return (effect for option in ability for effect in option.effects)


def _is_of_dummy(effect: Effect) -> bool:
    return str(effect.__struct_config__.tag).startswith("d-")


def _of_cards(ability: Ability) -> str:
    return "only for Combat cards" if any(isinstance(effect, COMBAT_ONLY) for effect in _effects(ability)) else ""


def _of_combat_cards(ability: Ability) -> str:
    if any(isinstance(effect, Fight) for effect in _effects(ability)):
        return "a Combat card starts no Combat"
    return "no green arrow" if any(option.cost and option.cost.unlimited for option in ability) else ""


def _of_villages(ability: Ability) -> str:
    if len(ability) != 1 or ability[0].cost is None:
        return "a village has one power, behind a cost"
    fights = any(isinstance(effect, Fight) for effect in _effects(ability))
    return "not on a tile" if fights else _of_cards(ability)


def _of_tiles(ability: Ability) -> str:
    if len(ability) != 1 or ability[0].cost:
        return "a reward has no choice and no cost"
    plain = all(isinstance(effect, OF_TILES) and not getattr(effect, "per", "") for effect in ability[0].effects)
    return "" if plain else "not on a tile"


def _of_faces(ability: Ability) -> str:
    gains = all(isinstance(effect, Nuggets | Material | Magic | Bars) for effect in _effects(ability))
    return _of_tiles(ability) or ("" if gains else "not on a die")
