"""What can be wrong with a pack of Golden Cup besides its shape? Everything is told at once, and the pack refused (GC-847)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from services.golden_cup.content.shapes import (
    Add,
    AtLeast,
    Bag,
    Base,
    Champion,
    Drop,
    DropChampion,
    Effect,
    Fame,
    Improve,
    Modify,
    MoreDice,
    OnDefend,
    OnDevelop,
    OnIncome,
    OnOpponentAttack,
    OnOwnAttack,
    OnPlayIcon,
    OnScore,
    PerIcon,
    ScoreAtOnce,
    Sponsor,
    Supporter,
)
from shared.kernel.content import Pack, PackError

SIZES = {"bronze": range(1, 37), "silver": range(37, 71), "gold": range(71, 103)}
TAGS = {"1-6": 1, "1-2": 1, "3-4": 3, "5-6": 5}
TABLES = (("1-2", 1), ("3-4", 2), ("5-6", 3))  # which tiles join the first one, and on how many Fields
TEAM_OPS = (Fame, Sponsor, Improve, Add, Drop, DropChampion)
TRIGGERED_OPS = (Fame, Sponsor, Improve, Add)
SIGNS: dict[type, int] = {OnDefend: 1, OnOpponentAttack: -1, OnOwnAttack: 1}  # GC-763, GC-764, GC-718: of the change of an attack


def checked(pack: Pack[Base]) -> Pack[Base]:
    """GC-847 The pack, if nothing is wrong with it; raises PackError with every fault."""
    if found := list(faults(pack.content)):
        raise PackError("\n".join(found))
    return pack


def faults(base: Base) -> Iterator[str]:
    """GC-847 What types and ranges alone do not find."""
    yield from (f"champions.toml: {fault}" for fault in _deck_faults(base.champions))
    for name, champion in base.champions.items():
        yield from (f"champions.toml: {name}: {fault}" for fault in _champion_faults(champion, base.board.icons))
    if len(base.supporters) != 16:
        yield f"supporters.toml: {len(base.supporters)} cards, not 16"
    for name, supporter in base.supporters.items():
        yield from (f"supporters.toml: {name}: {fault}" for fault in _supporter_faults(supporter, base.board.icons))
    yield from (f"match_tiles.toml: {fault}" for fault in _tile_faults(base))
    yield from (f"tokens.toml: {fault}" for fault in _token_faults(base))
    yield from (f"automa.toml: {fault}" for fault in _automa_faults(base))
    yield from (f"board.toml: {fault}" for fault in _board_faults(base))


def _deck_faults(champions: dict[str, Champion]) -> Iterator[str]:
    numbers = Counter(champion.number for champion in champions.values())
    yield from (f"number {number} is there {count} times" for number, count in numbers.items() if count > 1)
    for deck, wanted in SIZES.items():
        found = {champion.number for champion in champions.values() if champion.deck == deck}
        if found != set(wanted):
            yield f"{deck}: {len(found)} cards, not the numbers {wanted[0]} to {wanted[-1]}"


def _champion_faults(champion: Champion, icons: tuple[str, ...]) -> Iterator[str]:
    yield from (f"no such icon: {icon}" for icon in champion.icons if icon not in icons)
    for number, effect in enumerate(champion.effects, start=1):
        if (effect.type == "permanent") != (effect.trigger is not None):
            yield f"effect {number}: a permanent effect has a trigger, and no other one has"
            continue
        allowed = _allowed(effect)
        yield from (
            f"effect {number}: {op.__struct_config__.tag} may not stand here" for op in effect.ops if not isinstance(op, allowed)
        )
        yield from (f"effect {number}: no such icon: {icon}" for icon in _icons_of(effect) if icon not in icons)
        yield from (f"effect {number}: a change of {op.n} helps the wrong side" for op in _wrong_changes(effect))


def _allowed(effect: Effect) -> tuple[type, ...]:
    """Which ops an effect of this type may have."""
    match effect.type:
        case "immediate":
            return TEAM_OPS
        case "shooting":
            return (MoreDice, ScoreAtOnce, Fame, Sponsor)
        case "endgame":
            return (Fame,)
        case "permanent":
            return _allowed_by_trigger(effect)


def _allowed_by_trigger(effect: Effect) -> tuple[type, ...]:
    if isinstance(effect.trigger, OnIncome):
        return (Bag,)
    if isinstance(effect.trigger, OnScore):
        return (*TRIGGERED_OPS, Drop)
    return TRIGGERED_OPS if isinstance(effect.trigger, OnPlayIcon | OnDevelop) else (Modify,)


def _wrong_changes(effect: Effect) -> Iterator[Modify]:
    """A defence and an own attack count up, a penalty of the opponent's attacks counts down."""
    sign = SIGNS.get(type(effect.trigger), 0)
    return (op for op in effect.ops if isinstance(op, Modify) and op.n * sign <= 0)


def _icons_of(effect: Effect) -> Iterator[str]:
    if isinstance(effect.trigger, OnPlayIcon):
        yield effect.trigger.icon
    if isinstance(effect.per, PerIcon):
        yield effect.per.icon
    if isinstance(effect.condition, AtLeast):
        yield from effect.condition.icons


def _supporter_faults(supporter: Supporter, icons: tuple[str, ...]) -> Iterator[str]:
    wanted = {"icon": "icon", "cards": "deck", "cards_with": "type", "tokens": "kind"}.get(supporter.metric)
    for part in ("icon", "deck", "type", "kind"):
        if (getattr(supporter, part) is not None) != (part == wanted):
            yield f"{supporter.metric} {'needs' if part == wanted else 'has no'} {part}"
    if supporter.icon is not None and supporter.icon not in icons:
        yield f"no such icon: {supporter.icon}"


def _tile_faults(base: Base) -> Iterator[str]:
    tags = Counter(tile.tag for tile in base.match_tiles.values())
    if tags != TAGS:
        yield f"{dict(tags)}, not {TAGS}"
        return
    for tag, fields in TABLES:
        names = sorted(base.board.field.fields[:fields])
        tiles = [tile for tile in base.match_tiles.values() if tile.tag in {"1-6", tag}]
        for round_ in range(6):
            if sorted(tile.fields[round_] for tile in tiles) != sorted(names * 2):
                yield f"1-6 and {tag}, round {round_ + 1}: every Field must stand on two tiles"


def _token_faults(base: Base) -> Iterator[str]:
    tokens = base.tokens
    if sum(tokens.attack) != 14 or sum(tokens.defense) != 13:
        yield "not 14 Attack and 13 Defense tokens"
    for token, count in Counter(tokens.start).items():
        mix = tokens.attack if token[0] == "A" else tokens.defense
        if count > mix[int(token[1]) - 1]:
            yield f"{count} {token} at the start, more than there are"


def _automa_faults(base: Base) -> Iterator[str]:
    automa = base.automa
    if len(automa.start) + len(automa.pool) != 11:
        yield f"{len(automa.start) + len(automa.pool)} tokens, not 11"
    if not {"A4", "D1"} <= set(automa.start):
        yield "an A4 and a D1 must be among the start tokens"
    for level, spaces in automa.extra.items():
        if automa.draw_to_team + len(automa.board_spaces) + len(spaces) > len(automa.pool):
            yield f"{level}: more tokens to draw than there are"
    for part, levels in (("extra", set(automa.extra)), ("scout", set(automa.scout))):
        if levels != {"amateur", "pro", "legend"}:
            yield f"{part}: needs amateur, pro and legend"


def _board_faults(base: Base) -> Iterator[str]:
    board = base.board
    for name, numbers in (("field.end_space", board.field.end_space), ("stadium_coins", board.stadium_coins)):
        if list(numbers) != sorted(numbers):
            yield f"{name} may not decrease"
    if len(set(board.icons)) != 5 or len(set(board.field.fields)) != 3:
        yield "icons and fields may not be there twice"
    if board.start_space >= len(board.finance_fame):
        yield "start_space lies behind the Finance track"
