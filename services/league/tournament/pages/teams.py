"""How are teams shown: their members, their boards, what their members' points come to?"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from services.league.kind import Page
from services.league.scoring import by_model, shown
from services.league.stages.rules import StageRules, scoring
from services.league.stages.series import points_of
from services.league.stages.teams import Team, best_sum
from services.league.tournament.facts import meeting_of, seats_of
from services.league.tournament.looking import account_of, entrant_of
from services.league.tournament.state import Board, Entrant, FrozenLine, Pairing, Stage, State


def about(one: Entrant) -> dict[str, Any]:
    """LG-971 What a line says of the team; nothing of somebody who plays alone."""
    if not one.members:
        return {"captain": one.captain} if one.captain else {}
    return {"captain": one.account, "members": [{"account": member.account, "kind": member.kind} for member in one.members],
            "reserves": [{"account": member.account, "kind": member.kind} for member in one.reserves]}


def named(state: State, stage: Stage, number: int) -> dict[str, str]:
    """The name of the team beside the account of its captain."""
    one = entrant_of(state, stage, number)
    return {"team": one.team} if one.members else {}


def team_names(state: State, stage: Stage) -> dict[str, str]:
    """By number as text, for brackets and cross tables."""
    found = ((number, entrant_of(state, stage, number)) for number in range(1, len(stage.field) + 1) if state.settings.by_boards)
    return {str(number): one.team for number, one in found if one.members}


def boards(rules: StageRules, pairing: Pairing) -> dict[str, Any]:
    """LG-972 Nothing where no teams meet."""
    return {"boards": [board_line(rules, pairing, board) for board in pairing.boards]} if pairing.boards else {}


def board_line(rules: StageRules, pairing: Pairing, board: Board) -> dict[str, Any]:
    game = board.game
    gained = by_model(seats_of(game), scoring(rules), rules.model) if game else {}
    seats = []
    for at, number in enumerate(board.numbers):
        seat, worth = (game.seats[at] if game else None), gained.get(number)
        seats.append({"number": number, "account": board.accounts[at], "place": seat.place if seat else None, "score": seat.score if seat else None,
                      "how": seat.how if seat else None, "points": None if worth is None else str(worth),
                      "points_shown": None if worth is None else shown(worth)})
    waits = "running" if board.running else "ready"
    return {"board": board.board, "match": board.match, "state": "decided" if game else "void" if pairing.state == "void" else waits, "seats": seats}


def board_points(rules: StageRules, pairing: Pairing) -> dict[int, str]:
    """LG-972 What each team has at its boards, once the pairing is decided."""
    if not pairing.boards or pairing.state not in {"confirmed", "walkover"}:
        return {}
    return {number: str(worth) for number, worth in points_of(rules, meeting_of(pairing).games).items()}


def team_standing(state: State, stage: Stage, lines: tuple[FrozenLine, ...]) -> Iterator[Page]:
    """LG-974 By the sum of the best members; equal sums share a rank."""
    if state.settings.teams is None or not state.settings.by_members:
        return
    best = state.settings.teams.boards
    points = {account_of(state, stage, line.number): Fraction(line.points) for line in lines}
    members: dict[tuple[str, str], list[str]] = {}
    for line in lines:
        one = entrant_of(state, stage, line.number)
        members.setdefault((one.captain, one.team), []).append(one.account)
    sums = {key: best_sum(points, Team(0, tuple(accounts), key[0]), best) for key, accounts in members.items()}
    order = sorted(members, key=lambda key: (-sums[key], key[1]))
    yield Page(f"teams/{stage.number}", 0, {"stage": stage.number, "best": best, "lines": [{
        "rank": 1 + sum(other > sums[key] for other in sums.values()), "team": key[1], "captain": key[0], "points": str(sums[key]), "points_shown": shown(sums[key]),
        "members": [{"account": account, "points": str(points[account]), "counts": at < best}
                    for at, account in enumerate(sorted(members[key], key=lambda one: (-points[one], one)))]} for key in order]})
