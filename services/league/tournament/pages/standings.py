"""How does a stage stand: as a table, as a bracket, as a cross table, as a ladder?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from services.league.counting.possible import Interval
from services.league.kind import Page, Scene
from services.league.scoring import shown
from services.league.stages import counts
from services.league.stages.facts import Facts
from services.league.stages.rules import codes, tie_version
from services.league.tournament.events.rounds import lines_of
from services.league.tournament.facts import facts, format_of
from services.league.tournament.looking import account_of, entrant_of, open_places, rules_of
from services.league.tournament.pages.teams import team_names, team_standing
from services.league.tournament.shelf import PART
from services.league.tournament.state import FINISHED, PLANNED, FrozenLine, Stage, State

FORESEEN = 2_000                                # entrants for whom possible ranks are worked out


def standings(state: State, stage: Stage, since: int, scene: Scene) -> Iterator[Page]:
    """LG-801 to LG-809 A frozen standing changes with its revision only."""
    if stage.state == PLANNED or (stage.state == FINISHED and stage.version <= since):
        return
    if not scene.whole and len(stage.field) > FORESEEN:
        return                                  # LG-1032: not after every result
    found = facts(state, stage, scene.seed, scene.at)
    lines = stage.lines or lines_of(format_of(state, stage).lines(found))
    yield from standing(state, stage, lines, found)
    yield from drawn(state, stage, found)
    yield from team_standing(state, stage, lines)
    if rules_of(state.settings, stage).format == "ladder":
        yield ladder(state, stage, lines)


def standing(state: State, stage: Stage, lines: tuple[FrozenLine, ...], found: Facts) -> Iterator[Page]:
    rules = rules_of(state.settings, stage)
    possible: Mapping[int, Interval] = {}
    if stage.state != FINISHED and len(stage.field) <= FORESEEN:
        possible = format_of(state, stage).possible(found)
    top = {
        "stage": stage.number, "version": state.version, "revision": stage.revision, "frozen": stage.state == FINISHED,
        "open_pairings": sum(1 for _ in open_places(stage)), "codes": list(codes(rules, scores=state.card.has_score)), "tie_version": tie_version(rules),
        "repeats": counts.repeats(found), "seat_difference": counts.seat_difference(found),
    }
    for part, start in enumerate(range(0, max(1, len(lines)), PART)):
        body = [standing_line(state, stage, line, possible.get(line.number), found) for line in lines[start:start + PART]]
        yield Page(f"standing/{stage.number}", part, {**top, "lines": body})


def standing_line(state: State, stage: Stage, line: FrozenLine, reach: Interval | None, found: Facts) -> dict[str, Any]:
    one = entrant_of(state, stage, line.number)
    return {
        "rank": line.rank, "number": line.number, "account": one.account, "points": line.points, "points_shown": shown(Fraction(line.points)),
        "played": line.played, "places": list(line.places), "decided": line.decided, "byes": line.byes, "forfeits": line.forfeits,
        "ties": [{"code": code, "value": value, "shown": shown(Fraction(value))} for code, value in line.ties],
        "state": one.state, "kind": one.kind, **({"team": one.team} if one.members else {}), "seats": list(line.seats), "group": line.group or None,
        "possible": None if reach is None else {"best": reach.best, "worst": reach.worst, "mark": mark(state, stage, reach, found)},
    }


def mark(state: State, stage: Stage, reach: Interval, found: Facts) -> str:
    """LG-825 Winner, qualified, out, or still open."""
    following = [rules.takes for rules in state.settings.stages[stage.number:] if rules.takes is not None]
    if reach.worst == 1:
        return "winner" if not following else "qualified"
    if not following or found.rules.format == "groups":
        return ""
    places = max(takes.first + takes.count - 1 for takes in following)
    return "qualified" if reach.worst <= places else "out" if reach.best > places else ""


def drawn(state: State, stage: Stage, found: Facts) -> Iterator[Page]:
    """LG-1001, LG-1004 Bracket and cross table, where the format has them; accounts stand beside the numbers."""
    made = format_of(state, stage)
    cross = made.cross(found) if len(found.field) <= counts.LARGEST_CROSS else None
    for name, body in (("bracket", made.bracket(found)), ("cross", cross)):
        if body is not None:
            accounts = {str(number): account_of(state, stage, number) for number in found.field}
            yield Page(f"{name}/{stage.number}", 0, {"stage": stage.number, **body, "accounts": accounts, "teams": team_names(state, stage)})


def ladder(state: State, stage: Stage, lines: tuple[FrozenLine, ...]) -> Page:
    order = sorted((line for line in lines if line.rank is not None), key=lambda line: line.rank or 0)
    return Page(f"ladder/{stage.number}", 0, {
        "rungs": [{"rung": line.rank, "number": line.number, "account": account_of(state, stage, line.number)} for line in order],
        "challenges": [{"challenger": account_of(state, stage, one.challenger), "challenged": [account_of(state, stage, number) for number in one.challenged],
                        "at": one.at, "state": one.state} for one in stage.challenges]})
