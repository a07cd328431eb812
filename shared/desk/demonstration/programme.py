"""Which tournaments make up the demonstration? One for each game on offer, in different formats, by what its tables allow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from shared.desk.bot.client import Json

Stages = list[dict[str, Any]]
IN_A_GROUP = 4
BANK = 120_000      # ms per match: a demonstration that was stopped and begun again is no failure of its bots


class Format(NamedTuple):
    """A way to play, and the table sizes that a game must have for it."""

    name: str
    least: int
    most: int

    def stages(self, rounds: int, bots: int) -> Stages:
        seats = {"least": self.least, "most": self.most, "preferred": (self.least + self.most + 1) // 2}
        match self.name:
            case "cup":
                groups = {"count": max(2, bots // IN_A_GROUP)}
                return [{"format": "groups", "name": "Groups", "seats": seats, "groups": groups},
                        {"format": "elimination", "name": "Final", "seats": seats, "takes": {"first": 1, "count": 1}}]
            case "knockout":
                return [{"format": "elimination", "seats": seats, "advance": 2}]
            case _:
                return [{"format": self.name, "seats": seats, "rounds": rounds}]


FORMATS = (Format("round_robin", 4, 6), Format("swiss", 2, 2), Format("cup", 2, 2), Format("swiss", 3, 4), Format("knockout", 3, 4))
WORDS = {"round_robin": "round robin", "swiss": "Swiss", "cup": "groups and final", "knockout": "knock-out"}


class Cup(NamedTuple):
    """One tournament of the demonstration."""

    game: Json
    format: Format
    rounds: int
    bots: int

    def settings(self, pace: float) -> Json:
        presets = [preset for preset, limits in self.game["clocks"].items() if limits]
        preset = "quick" if "quick" in presets else presets[0]
        return {
            "name": f"{self.game['title']} {WORDS[self.format.name]}", "game": self.game["game"], "game_version": str(self.game["version"]),
            "opponents": "bots", "stages": self.format.stages(self.rounds, self.bots), "playing": {"clock": {"preset": preset, "bank_ms": BANK}},
            "schedule": {"round_break": f"{max(1, int(3 * pace))} seconds"},
        }


def cups(games: Sequence[Json], rounds: int, bots: int) -> list[Cup]:
    """Each game gets a format that nobody else has, the pickiest game first; when all are taken they are given out again."""
    fitting = {game["game"]: [one for one in FORMATS if fits(game, one)] for game in games}
    free, found = list(FORMATS), []
    for game in sorted(games, key=lambda game: (len(fitting[game["game"]]), game["game"])):
        wanted = [one for one in free if one in fitting[game["game"]]] or fitting[game["game"]]
        if wanted:
            found.append(Cup(game, wanted[0], rounds, bots))
            free = [one for one in free if one != wanted[0]]
    return found


def one_cup(games: Sequence[Json], name: str | None, rounds: int, bots: int) -> Cup:
    """A Swiss of one game, at tables of two where it can be."""
    for game in games:
        swiss = [one for one in FORMATS if one.name == "swiss" and fits(game, one)] or [one for one in FORMATS if fits(game, one)]
        if name in {None, game["game"]} and swiss:
            return Cup(game, swiss[0], rounds, bots)
    raise SystemExit(f"cupboard: no game {name or ''} that could be played")


def fits(game: Json, one: Format) -> bool:
    return set(range(one.least, one.most + 1)) <= set(game["seats"]["default"])
