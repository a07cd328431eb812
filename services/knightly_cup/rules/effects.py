"""What does an item do? The effects of the pack, added up for one item."""

from __future__ import annotations

from msgspec import to_builtins
from msgspec.structs import replace

from services.knightly_cup.content.effects import CombatDice, Effect, MoveDice, RerollOwnLoss
from services.knightly_cup.content.shapes import Base, Item
from services.knightly_cup.state import Good, Kind, Numbers, Options, Printed


def printed(base: Base, options: Options) -> Printed:
    """PL-352 What the pack says, with the numbers that this table has chosen for itself; sorted, as it is after it was stored."""
    chosen = {name: value for name, value in to_builtins(options).items() if name not in {"first", "language", "talk"}}
    pairs = [*base.gateways.pairs, *(pair[::-1] for pair in base.gateways.pairs)]
    return Printed(
        legend={
            entry.rank: Kind(entry.type, entry.strength or 0) for entry in sorted(base.legend.ranks, key=lambda entry: entry.rank)
        },
        goods={item.id: good_of(item) for item in sorted(base.items.items, key=lambda item: item.id)},
        pairs=dict(sorted(pairs)),
        numbers=Numbers(**{**to_builtins(base.settings), **chosen}),
    )


def good_of(item: Item) -> Good:
    """KC-231 to KC-234."""
    good = Good(item.price, item.sold_at, item.sellable)
    for effect in item.effects:
        good = _with_effect(good, effect)
    return good


def _with_effect(good: Good, effect: Effect) -> Good:
    match effect:
        case MoveDice(count):
            return replace(good, move_dice=count)
        case CombatDice(bonus):
            return replace(good, combat_dice=bonus)
        case RerollOwnLoss(times):
            return replace(good, rerolls=times)
