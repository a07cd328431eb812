"""How is a power said? Labels made from its effects, so that a replaced card is described as it is."""

from __future__ import annotations

from services.goldblivion.content import COMBAT, GOLD, POWERS, PRICES, ROWS, SOLO, TILES
from services.goldblivion.content.effects import Ability, Effect, Fight, Option, Reactivate
from services.goldblivion.content.grammar import BADGES
from shared.kernel.choices import Label


def power(ability: Ability) -> Label:
    """A whole power, both sides of a red dashed line."""
    first, *second = (option(one) for one in ability)
    return Label("power_or", first=first, second=second[0]) if second else first


def option(one: Option) -> Label:
    """One side of it."""
    effects = tuple(effect(each) for each in one.effects)
    if one.cost is None:
        return Label("power_free", effects=effects)
    key = "power_often" if one.cost.unlimited else "power_paid"
    return Label(key, cost=Label(f"cost_{one.cost.kind}", n=one.cost.n), effects=effects)


def row(effects: tuple[Effect, ...]) -> Label:
    """A row of powers of a solo board."""
    return Label("power_free", effects=tuple(effect(each) for each in effects))


def effect(one: Effect) -> Label:
    """One symbol."""
    key = str(one.__struct_config__.tag)
    match one:
        case Reactivate(group=group):
            return Label("does_righting" if group == "building" else "does_reactivate", badge=Label(f"badge_{group}"))
        case Fight(plus=plus, draw=draw) if plus and draw:
            return Label("does_combat_more", n=plus, draw=draw)
        case Fight(plus=plus, draw=draw) if plus or draw:
            return Label("does_combat_plus" if plus else "does_combat_draw", n=plus or draw)
    n, per = getattr(one, "n", 0), getattr(one, "per", "")
    key += "_one" if n == 1 else ""
    return Label(f"does_{key}_per", n=n, badge=Label(f"badge_{per}")) if per else Label(f"does_{key}", n=n)


def face(thing: str) -> Label:
    """All that is printed on a card, a token, a tile, a village side or a solo board, as the words of the pack repeat it."""
    if thing in TILES:
        tile = TILES[thing]
        return Label("face_tile", kind=Label(f"kind_{tile.kind}"), strength=tile.strength, power=power(POWERS[thing]))
    if thing in GOLD:
        badges = tuple(Label(f"badge_{badge}") for badge in GOLD[thing].badges)
        return Label("face_card", badges=badges, price=price(thing), power=power(POWERS[thing]))
    if thing in COMBAT:
        return Label("face_combat", price=price(thing), power=power(POWERS[thing]))
    if thing in POWERS:
        return power(POWERS[thing])
    return _solo_face(thing.removesuffix("_board"))


def price(card: str) -> Label:
    """What it costs; starting cards and Nobles cannot be bought."""
    kind = (GOLD.get(card) or COMBAT[card]).kind
    if kind in {"start", "noble"}:
        return Label("price_none")
    return Label("price_material" if kind == "building" else "price_nuggets", n=PRICES[card])


def _solo_face(noble: str) -> Label:
    board = SOLO[noble]
    facts = {space: row(ROWS[f"{noble}_{space}"]) for space in (*BADGES, "magic")}
    gain = (
        Label("cost_nuggets", n=board.material_gain)
        if board.material_to == "nuggets"
        else Label("bars_for", n=board.material_gain)
    )
    key = "face_solo_double" if board.double else "face_solo"
    return Label(key, nuggets=board.nugget_rate, material=board.material_rate, gain=gain, **facts)
