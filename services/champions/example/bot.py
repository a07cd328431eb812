"""How might a remote bot play this game? With the crowd: it bets on a contestant whose symbols decide ties, and votes for it.

`ask` and `view` are JSON as the gateway sends them; `cupboard bot run` lets this file play.
"""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]
PATHS = ((0, 4), (1, 4), (2, 5), (3, 5))  # from each quarter-final to its semi-final; the final is the last of seven duels


def decide(ask: Json, view: Json) -> Json | None:
    """One of the choices; None leaves it to chance."""
    offered = {choice["do"]: choice["fields"] for choice in ask["choices"]}
    if "vote" in offered:
        return {"do": "vote", "symbol": best_symbol(view)}
    if "choose_champion" in offered:
        if view["own"]["champion"] is not None and "confirm_prediction" in offered:
            return {"do": "confirm_prediction"}
        free = [member["value"] for member in offered["choose_champion"]["contestant"]["of"]]
        return {"do": "choose_champion", "contestant": max(free, key=lambda number: (ties_on_its_way(view, number), -number))}
    if "write_name" in offered:
        fields = offered["write_name"]
        blank = [tile["tile"] for tile in view["own"]["tiles"] if not tile["name"]]
        tiles = [member["value"] for member in fields["tile"]["of"]]
        tile = next((number for number in blank if number in tiles), tiles[0])
        return {"do": "write_name", "tile": tile, "name": fresh_name(view, fields["name"]["suggestions"], tile)}
    if "check_names" in offered:
        return {"do": "check_names", "unknown": [], "report": []}
    return None


def best_symbol(view: Json) -> str:
    """For the own champion if it is in this duel, else for whoever wins a tie."""
    duel = next(duel for duel in view["duels"] if duel["id"] == view["duel"])
    champion = view["own"]["champion"]
    for symbol in ("circle", "triangle"):
        if champion is not None and duel[symbol] == champion:
            return symbol
    return str(duel["tie"])


def ties_on_its_way(view: Json, number: int) -> float:
    """In how many duels on its way to the title a contestant would stand on the symbol that wins ties; early ones count more."""
    index = number - 1
    quarter, semi = PATHS[index // 2]
    way = ((quarter, index % 2), (semi, quarter % 2), (6, semi % 2))
    return sum(weight for weight, (duel, place) in zip((1.0, 0.8, 0.6), way, strict=True) if view["duels"][duel]["tie"] == ("circle", "triangle")[place])


def fresh_name(view: Json, suggestions: list[str], tile: int) -> str:
    """A suggestion that nobody used in round 1; each of the own tiles begins to look at another place."""
    free = [name for name in suggestions if name not in view["used"] and name not in {own["name"] for own in view["own"]["tiles"]}]
    seat = view["you"] or 0
    return free[(7 * seat + 3 * tile) % len(free)] if free else f"Nobody {seat + 1}{tile}"
