"""In which order have all stages together put everybody, and from which stage does one take its field?"""

from __future__ import annotations

from collections.abc import Sequence

from services.league.tournament.looking import account_of, rules_of
from services.league.tournament.state import FINISHED, FrozenLine, Stage, State


def source_of(state: State, stage: Stage) -> Stage | None:
    """LG-503, LG-505 The stage whose frozen standing is read; several finals read the same one."""
    takes = rules_of(state.settings, stage).takes
    number = (takes.stage if takes else 0) or stage.number - 1
    return state.stages[number - 1] if 0 < number < stage.number else None


def families(state: State) -> list[list[Stage]]:
    """Stages that read the same standing, the latest first."""
    found: dict[int, list[Stage]] = {}
    for stage in state.stages:
        source = source_of(state, stage)
        found.setdefault(source.number if source else 0, []).append(stage)
    return [found[number] for number in sorted(found, reverse=True)]


def overall(state: State) -> dict[str, int]:
    """LG-505 The places of everybody with a rank: final A, then final B, then those who went no further."""
    places: dict[str, int] = {}
    for family in families(state):
        for stage in family:
            if stage.state == FINISHED:
                _behind(places, [(line, account_of(state, stage, line.number)) for line in stage.lines])
    return places


def _behind(places: dict[str, int], lines: Sequence[tuple[FrozenLine, str]]) -> None:
    """Equal ranks share a place, counted on from those who have one."""
    fresh = [(line.rank, account) for line, account in lines if line.rank is not None and account not in places]
    before = len(places)
    ranks = sorted(rank for rank, _ in fresh)
    first: dict[int, int] = {}
    for at, rank in enumerate(ranks):
        first.setdefault(rank, before + at + 1)
    places.update({account: first[rank] for rank, account in fresh})


def winners_of(state: State) -> tuple[tuple[str, ...], str]:
    """LG-180, LG-448, LG-808 Everybody with rank 1 in the last stage that was finished, or in final A of several, or why nobody."""
    family = next((one for one in families(state) if any(stage.state == FINISHED and stage.lines for stage in one)), None)
    stage = next((one for one in family or () if one.state == FINISHED and one.lines), None)
    if stage is None:
        return (), "nothing was played"
    first = tuple(account_of(state, stage, line.number) for line in stage.lines if line.rank == 1 and line.group in {0, 1})
    return first, "" if first else "nobody has rank 1"
