"""How might a remote bot play this game? Every card is played before anything is bought, and all gold goes into bars at the end.

`ask` and `view` are JSON as the gateway sends them; `cupboard bot run` lets this file play.
"""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]
LATE = 5            # from this round on nuggets are kept for bars
ORDER = ("play_card", "turn_building", "use_token", "buy_card", "end_turn", "pass")      # of a turn; a village costs more than it brings
FIGHT = ("resolve_card", "copy_card", "finish_combat", "copy_nothing")
EFFECTS = ("remove_nugget", "pay", "pay_times", "choose_option", "take_character", "take_combat_card", "steal", "reactivate", "place_under",
           "let_conquer", "take_nothing", "decline")


def decide(ask: Json, view: Json) -> Json | None:
    """One of the choices; None leaves it to chance."""
    offered: dict[str, list[Json]] = {}
    for choice in ask["choices"]:
        offered.setdefault(choice["do"], []).append(choice["fields"])
    if "pass" in offered or "end_turn" in offered:
        return turn(offered, view)
    if "develop" in offered:
        return {"do": "develop", "card": values(offered["develop"][0]["card"])[-1], "side": "left"}     # a nugget in every round
    if "choose_enemy" in offered:
        return {"do": "choose_enemy", "space": easiest(values(offered["choose_enemy"][0]["space"]), view)}
    for do in (*FIGHT, *EFFECTS):
        if do in offered:
            return filled(do, offered[do])
    return None


def turn(offered: dict[str, list[Json]], view: Json) -> Json:
    """Bars as soon as nothing else will grow out of the gold any more."""
    if "buy_bar" in offered and (view["last_round"] or view["round"] >= LATE):
        return {"do": "buy_bar"}
    for do in ORDER:
        if do in offered and not (do == "buy_card" and view["round"] >= LATE):
            return filled(do, offered[do])
    return {"do": next(iter(offered))}


def filled(do: str, choices: list[Json]) -> Json:
    """The last of what a choice offers: of the higher cards, of the second power, of the greater number."""
    fields = choices[-1]
    return {"do": do, **{name: shape["most"] if shape["type"] == "number" else values(shape)[-1] for name, shape in fields.items()}}


def easiest(spaces: list[str], view: Json) -> str:
    """Where most sides are open; forests hide weaker enemies than mountains."""
    known = {space["id"]: space for space in view["spaces"]}
    return max(spaces, key=lambda name: (known[name]["kind"] == "forest", known[name]["open_sides"], name))


def values(shape: Json) -> list[Any]:
    return [member["value"] for member in shape["of"]]
