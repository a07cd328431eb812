"""How might a remote bot play this game? It walks to the nearest card that promises something, fights what it can beat, and shops.

`ask` and `view` are JSON as the gateway sends them; `cupboard bot run` lets this file play.
"""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]
WAYS = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}
PRIZES = ("begin_ultimate_challenge", "recover_standard", "take_standard", "take_item", "take_coins", "attack_back", "beg", "flip")
MEEK = ("pay_coins", "refuse_offer", "claim_asylum", "back_down", "end_combat", "take_nothing")
PER_DIE = 2.2       # how strong a monster each die may be trusted with


def decide(ask: Json, view: Json) -> Json | None:
    """One of the choices; None leaves it to chance."""
    offered = {choice["do"]: choice["fields"] for choice in ask["choices"]}
    own = view["knights"][view["you"]]
    for do in PRIZES:
        if do in offered:
            return filled(do, offered[do])
    if "end_turn" in offered:
        return on_card(offered, view, own)
    if "stop" in offered:
        return on_the_way(offered, view, own)
    for do in MEEK:
        if do in offered:
            return filled(do, offered[do])
    return None


def on_card(offered: Json, view: Json, own: Json) -> Json:
    """What the card is good for: a fight that is likely won, a Fortress, the dearest item."""
    card = next((spot["card"] for spot in view["spots"] if spot["place"] == own["at"]), None)
    if "fight_monster" in offered and card and beatable(card, own):
        return {"do": "fight_monster"}
    if "storm" in offered and own["dice"] >= 3:
        return {"do": "storm"}
    useful = [item for item in values(offered["buy_item"]["item"]) if item not in own["items"]] if "buy_item" in offered else []
    if useful:
        return {"do": "buy_item", "item": max(useful, key=lambda item: (view["goods"][item]["combat_dice"], view["goods"][item]["price"]))}
    return {"do": "end_turn"}


def on_the_way(offered: Json, view: Json, own: Json) -> Json:
    """One step towards the nearest goal; where none can be reached, stop."""
    way = first_step(view, own)
    if "step" in offered and way in values(offered["step"]["direction"]):
        return {"do": "step", "direction": way}
    return {"do": "stop"}


def first_step(view: Json, own: Json) -> str:
    """Breadth first over the map, around other knights."""
    spots = {(spot["x"], spot["y"]): spot for spot in view["spots"]}
    start = next(at for at, spot in spots.items() if spot["place"] == own["at"])
    barred = {knight["at"] for knight in view["knights"] if knight["seat"] != view["you"]}
    queue, known = [(start, "")], {start}
    for (x, y), first in queue:
        if first and promises(spots[x, y], view, own):
            return first
        for way, (right, down) in WAYS.items():
            near = (x + right, y + down)
            if near in spots and near not in known and spots[near]["place"] not in barred:
                known.add(near)
                queue.append((near, first or way))
    return ""


def promises(spot: Json, view: Json, own: Json) -> bool:
    card = spot["card"] or spot["known"]
    if card is None:
        return True         # who knows what lies there
    prices = [good["price"] for item, good in view["goods"].items() if item not in own["items"] and good["sold_at"] == card["type"]]
    shop = bool(prices) and own["coins"] >= min(prices)
    home = card["suit"] == own["suit"] and len(own["standards"]) == len(view["stores"])
    fortress = card["type"] == "fortress" and (home or (card["suit"] not in own["standards"] and own["dice"] >= 3))
    return shop or fortress or (card["type"] == "monster" and beatable(card, own))


def beatable(card: Json, own: Json) -> bool:
    return bool(card["strength"] <= PER_DIE * own["dice"])


def filled(do: str, fields: Json) -> Json:
    """The last of what is offered: the dearest, or the most."""
    return {"do": do, **{name: shape["most"] if shape["type"] == "number" else values(shape)[-1] for name, shape in fields.items()}}


def values(shape: Json) -> list[Any]:
    return [member["value"] for member in shape["of"]]
