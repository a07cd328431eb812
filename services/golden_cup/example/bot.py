"""How might a remote bot play this game? It spends its coins: champions first, then the stadium, then training; and lines up all it has.

`ask` and `view` are JSON as the gateway sends them; `cupboard bot run` lets this file play.
"""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]
EARLY = 3           # rounds in which coins are better put into what brings more of them
SLOTS = 4           # as many champions play; what comes after them sits on the bench
BEST_FIRST = ("4", "3", "2", "1")       # the last slot shoots most often


def decide(ask: Json, view: Json) -> Json | None:
    """One of the choices; None leaves it to chance."""
    offered = {choice["do"]: choice["fields"] for choice in ask["choices"]}
    if "line_up" in offered:
        return {"do": "line_up", "slots": line_up(offered["line_up"]["slots"])}
    if "end_campaign" in offered:
        return purchase(offered, view)
    if "discard" in offered:
        shape = offered["discard"]["champions"]
        return {"do": "discard", "champions": values(shape)[:shape["least"]]}
    for do, field, best in (("improve_token", "token", min), ("discard_token", "token", min), ("take_lower", "token", max)):
        if do in offered:
            return {"do": do, field: best(values(offered[do][field]), key=token_worth)}
    return None


def purchase(offered: Json, view: Json) -> Json:
    """The first of these that can be paid; what cannot is not on offer."""
    own = view["seats"][view["own"]["seat"]]
    wishes: list[Json] = []
    if "play_champion" in offered and len(own["champions"]) < 2 * SLOTS:
        wishes.append({"do": "play_champion", "champion": values(offered["play_champion"]["champion"])[-1]})
    if "develop_stadium" in offered and view["round"] <= EARLY:
        wishes.append({"do": "develop_stadium"})
    if "train" in offered:
        wishes.append({"do": "train", "token": max(values(offered["train"]["token"]), key=token_worth)})
    if "learn" in offered:
        kinds = values(offered["learn"]["kind"])
        wishes.append({"do": "learn", "kind": "attack" if "attack" in kinds else kinds[0]})
    return wishes[0] if wishes else {"do": "end_campaign"}


def token_worth(token: str) -> tuple[int, bool]:
    """Tokens are called A1 to D4: goals win, and so attack goes before defence of the same value."""
    return int(token[1]), token.startswith("A")


def line_up(shape: Json) -> dict[str, str]:
    """The newest champions, which come from the highest deck, on the best slots."""
    slots = [slot for slot in BEST_FIRST if slot in shape["slots"]] or shape["slots"]
    return dict(zip(slots, reversed(values(shape)), strict=False))


def values(shape: Json) -> list[Any]:
    return [member["value"] for member in shape["of"]]
