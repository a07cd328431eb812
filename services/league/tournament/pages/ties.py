"""How did the tie-break values of one entrant come about?"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from services.league.kind import Scene
from services.league.refusals import Refused
from services.league.scoring import shown
from services.league.stages.composed import Composed, composed
from services.league.stages.rules import tie_version
from services.league.ties.rounds import Share
from services.league.tournament.events.rounds import lines_of
from services.league.tournament.facts import as_frozen, facts, format_of, line_of
from services.league.tournament.looking import account_of, number_in, stage_of
from services.league.tournament.pages.teams import named
from services.league.tournament.state import FINISHED, PLANNED, Stage, State


def ties(state: State, stage_number: int, account: str, scene: Scene) -> dict[str, Any]:
    """LG-771 Every tie-break of an entrant in a stage as it stands, or as it was frozen (LG-806)."""
    stage = stage_of(state, stage_number)
    number = number_in(stage, state, account)
    if stage.state == PLANNED or number is None:
        raise Refused("not_found", "nobody of this account plays in the stage" if number is None else "the stage has not begun", [account])
    found = as_frozen(state, stage, scene.seed) if stage.state == FINISHED else facts(state, stage, scene.seed, scene.at)
    made = format_of(state, stage)
    lines = [line_of(line) for line in stage.lines or lines_of(made.lines(found))]
    line = next(one for one in lines if one.number == number)
    return {
        "stage": stage.number, "version": state.version, "revision": stage.revision, "frozen": stage.state == FINISHED, "tie_version": tie_version(found.rules),
        "number": number, "account": account, **named(state, stage, number), "rank": line.rank, "points": str(line.points), "points_shown": shown(line.points),
        "played": line.played, "decided": line.decided, "group": line.group or None,
        "ties": [_tie(state, stage, one) for one in composed(found, made.book(found, number), lines, number)]}


def _tie(state: State, stage: Stage, one: Composed) -> dict[str, Any]:
    return {"code": one.code, "used": one.used, **_value("value", "shown", one.value), "how": one.how, "among": one.among,
            "rounds": [_round(state, stage, share) for share in one.rounds]}


def _round(state: State, stage: Stage, share: Share) -> dict[str, Any]:
    against = [{"number": number, "account": account_of(state, stage, number), **named(state, stage, number)} for number in share.opponents]
    return {"round": share.round, "kind": share.kind, **_value("contribution", "contribution_shown", share.value), "left_out": share.left_out,
            "virtual": share.virtual, "opponents": against}


def _value(exact: str, rounded: str, value: Fraction | None) -> dict[str, str | None]:
    """LG-726."""
    return {exact: None, rounded: None} if value is None else {exact: str(value), rounded: shown(value)}
