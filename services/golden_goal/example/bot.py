"""How might a remote bot play this game? A careful owner: it buys what it can pay and still has something left, and sells only what it must.

`ask` and `view` are JSON as the gateway sends them; `cupboard bot run` lets this file play.
"""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]
RESERVE = 1_000_000         # stays in the purse for the next match
PLAIN = ("roll", "keep_roll", "pass_dice", "let_happen", "refuse_deal", "decline_bet", "hold_back", "leave_colour")     # when nothing is better
EACH_GOAL = 3               # goal actions are bought up to so many


def decide(ask: Json, view: Json) -> Json | None:
    """One of the choices; None leaves it to chance."""
    offered = {choice["do"]: choice["fields"] for choice in ask["choices"]}
    own = view["seats"][view["you"]]
    cash = own["cash"] or 0
    if "turn_green" in offered:
        return {"do": "turn_green", "by": values(offered["turn_green"]["by"])[0]}
    if "buy_goal_actions" in offered:
        return {"do": "buy_goal_actions", "count": goal_actions(offered["buy_goal_actions"]["count"]["most"], cash)}
    if "give_up" in offered:
        square = view["squares"][own["square"]]
        wanted = "buy_tile" in offered and cash - square["price"] >= reserve(square, own, view)
        return {"do": "buy_tile" if wanted else "give_up"}
    if "pass_bid" in offered:
        return bid(offered, view, own, cash)
    if "let_buy" in offered:
        square = square_of(view["now"][-1]["thing"], view)
        wanted = "demand_auction" in offered and square is not None and sisters(square, own, view) == 2 and cash > square["price"] + RESERVE
        return {"do": "demand_auction" if wanted else "let_buy"}
    if "buy_tokens" in offered:
        shape = offered["buy_tokens"]["kinds"]
        wanted = "die_token" in values(shape) and cash > 3 * RESERVE and shape["most"] > 0
        return {"do": "buy_tokens", "kinds": ["die_token"] if wanted else values(shape)[:shape["least"]]}
    for do in PLAIN:
        if do in offered:
            return {"do": do}
    if set(offered) == {"sell_tile"}:
        return {"do": "sell_tile", "tile": min(values(offered["sell_tile"]["tile"]), key=lambda tile: sale(tile, own, view))}
    return None


def goal_actions(most: int, cash: int) -> int:
    """As many as half of what is above the reserve pays for, at half a million or so each."""
    return max(0, min(most, EACH_GOAL, (cash - RESERVE // 2) // RESERVE))


def bid(offered: Json, view: Json, own: Json, cash: int) -> Json:
    """The least bid while the thing is worth it: a tile its price, more if it goes with others."""
    square = square_of(view["now"][-1]["thing"], view)
    limit = square["price"] * (1.0, 1.3, 2.2)[min(2, sisters(square, own, view))] if square else 1.5 * RESERVE
    if "bid" in offered and offered["bid"]["amount"]["least"] <= min(limit, cash - RESERVE):
        return {"do": "bid", "amount": offered["bid"]["amount"]["least"]}
    return {"do": "pass_bid"}


def reserve(square: Json, own: Json, view: Json) -> int:
    """The third tile of a nation is worth the last banknote."""
    return 0 if sisters(square, own, view) == 2 else RESERVE


def sisters(square: Json, own: Json, view: Json) -> int:
    """How many tiles of the same nation one has already."""
    nations = {other["what"]: other["nation"] for other in view["squares"]}
    return sum(nations.get(tile) == square["nation"] and tile != square["what"] for tile in own["tiles"])


def sale(tile: str, own: Json, view: Json) -> tuple[int, int]:
    square = square_of(tile, view)
    return (0, 0) if square is None else (sisters(square, own, view), square["price"])


def square_of(thing: str, view: Json) -> Json | None:
    return next((square for square in view["squares"] if square["what"] == thing), None)


def values(shape: Json) -> list[Any]:
    return [member["value"] for member in shape["of"]]
