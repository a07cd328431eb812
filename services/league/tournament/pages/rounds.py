"""Who meets whom in a round, and how did it end?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from services.league.kind import Page
from services.league.scoring import by_model, shown
from services.league.stages import table_of
from services.league.stages.rules import StageRules, scoring
from services.league.stages.words import bye_words, words
from services.league.tournament.facts import meeting_of
from services.league.tournament.looking import account_of, rules_of
from services.league.tournament.pages.teams import board_points, boards, named
from services.league.tournament.shelf import Chunk, at
from services.league.tournament.state import GivenBye, Pairing, Round, Stage, State

EMPTY: Chunk[Pairing] = Chunk(0, ())
BYES = {"allocated": "bye", "half": "half bye", "zero": "bye without points", "absent": "absent", "full": "full bye", "given_half": "half bye given",
        "late": "not yet entered"}


def rounds(state: State, stage: Stage, since: int) -> Iterator[Page]:
    """LG-1006 Published rounds, 500 tables a part; only the parts that changed."""
    for one in stage.rounds:
        yield from _parts(state, stage, one, since, f"round/{stage.number}/{one.number}")
        if one.appointments and one.version > since:
            yield Page(f"appointments/{stage.number}/{one.number}", 0, {
                "stage": stage.number, "round": one.number, "items": [_appointment(state, stage, one, table) for table in sorted(one.appointments)]})


def _appointment(state: State, stage: Stage, one: Round, table: int) -> dict[str, Any]:
    """LG-881 For those at the table and for officials only; the time that all have agreed to is public."""
    said, pairing = one.appointments[table], at(one.pairings, table - 1)
    return {"pairing": f"{stage.number}/{one.number}/{table}", "table": table, "number": said.number, "start": said.start, "by": said.by, "state": said.state,
            "agreed": {"accounts": [account_of(state, stage, number) for number in said.agreed]}, "fixed": said.fixed or None,
            "accounts": [account_of(state, stage, number) for number in pairing.numbers]}


def drafted(state: State, stage: Stage, since: int) -> Iterator[Page]:
    """LG-163 For officials only."""
    if stage.drafted is not None:
        yield from _parts(state, stage, stage.drafted, since, f"drafted/{stage.number}/{stage.drafted.number}")


def _parts(state: State, stage: Stage, one: Round, since: int, name: str) -> Iterator[Page]:
    rules = rules_of(state.settings, stage)
    for part, chunk in enumerate(one.pairings or (EMPTY,)):
        if max(chunk.version, one.version) > since:
            body = _head(state, stage, one) if part == 0 else {"stage": stage.number, "round": one.number, "state": one.state}
            yield Page(name, part, {**body, "pairings": [pairing_line(state, stage, rules, one, pairing) for pairing in chunk.items]})


def _head(state: State, stage: Stage, one: Round) -> dict[str, Any]:
    return {
        "stage": stage.number, "round": one.number, "state": one.state, "published_at": one.published_at or None,
        "completed_at": one.completed_at or None, "deadline": one.deadline, "byes": [bye_line(state, stage, bye) for bye in one.byes],
        "rests": [without(state, stage, number) for number in one.rests], "absent": [without(state, stage, number) for number in one.absent],
        "inputs_hash": one.inputs_hash, "notes": list(one.notes), "option": one.option or None,
    }


def without(state: State, stage: Stage, number: int) -> dict[str, Any]:
    """Somebody who has no table in a round."""
    return {"number": number, "account": account_of(state, stage, number), **named(state, stage, number)}


def bye_line(state: State, stage: Stage, bye: GivenBye) -> dict[str, Any]:
    said = bye_words(bye.reason)
    return {**without(state, stage, bye.number), "kind": bye.kind, "points": bye.points,
            "points_shown": shown(bye.worth), "reason": "" if said else bye.reason,
            "words": said or f"No. {bye.number}: {BYES.get(bye.kind, bye.kind)}, {bye.points} points."}


def pairing_line(state: State, stage: Stage, rules: StageRules, one: Round, pairing: Pairing) -> dict[str, Any]:
    """LG-1004, LG-1024 One table; its line of text says all that the rest says in fields."""
    seats = seat_lines(state, stage, rules, pairing)
    return {
        "pairing": f"{stage.number}/{one.number}/{pairing.table}", "table": pairing.table, "place": pairing.place, "state": pairing.state,
        "kind": pairing.kind, "match": pairing.match or (pairing.games[-1].match if pairing.games else ""),
        "matches": [game.match for game in pairing.games if game.match] + list(pairing.under_way), **boards(rules, pairing),
        "games": [[{"number": seat.number, "place": seat.place, "score": seat.score, "how": seat.how} for seat in game.seats] for game in pairing.games],
        "seats": seats, "text": text_of(one, pairing, seats), "explanation": {**pairing.why, "words": words(pairing.why)},
        "corrected": pairing.corrected, "flag": pairing.flag, "reason": pairing.reason,
        "deadline": one.extended.get(pairing.table, one.deadline), "decided_at": pairing.decided_at or None,
        "starts_at": (one.appointments[pairing.table].fixed or None) if pairing.table in one.appointments else None,
        "reports": [{"account": report.account, "places": report.places} for report in pairing.reports],
    }


def seat_lines(state: State, stage: Stage, rules: StageRules, pairing: Pairing) -> list[dict[str, Any]]:
    table = table_of(rules, meeting_of(pairing)) if pairing.state in {"confirmed", "walkover"} else ()
    gained = by_model(table, scoring(rules), rules.model) if table else {}
    known = {seat.number: seat for seat in table}
    sums = board_points(rules, pairing)
    lines = []
    for number in pairing.numbers:
        seat, worth = known.get(number), gained.get(number)
        lines.append({
            "number": number, "account": account_of(state, stage, number), "place": seat.place if seat else None, "score": seat.score if seat else None,
            "how": seat.how if seat else None, "points": None if worth is None else str(worth),
            "points_shown": None if worth is None else shown(worth), **named(state, stage, number),
            **({"board_points": sums.get(number)} if pairing.boards else {})})
    return lines


def text_of(one: Round, pairing: Pairing, seats: list[dict[str, Any]]) -> str:
    """LG-1004 For screen readers and plain clients."""
    who = ", ".join(" ".join(filter(None, [f"no. {seat['number']}", seat.get("team", "")])) for seat in seats)
    return f"Round {one.number}, table {pairing.table}: {who}. {_outcome(pairing, seats)}"


def _outcome(pairing: Pairing, seats: list[Mapping[str, Any]] | list[dict[str, Any]]) -> str:
    match pairing.state:
        case "confirmed" | "walkover":
            order = sorted((seat for seat in seats if seat["place"]), key=lambda seat: seat["place"])
            said = "; ".join(f"{seat['place']}. no. {seat['number']} ({seat['points']} points{_boards(seat)}{_how(seat['how'])})" for seat in order)
            return f"{'Walkover' if pairing.state == 'walkover' else 'Result'}: {said}."
        case "void":
            return "Void."
        case "reported":
            return "A result is reported." if pairing.flag != "disputed" else "The result is disputed."
        case "running":
            return "The match runs."
        case _:
            return "Not started."


def _boards(seat: Mapping[str, Any]) -> str:
    return f", {seat['board_points']} at the boards" if seat.get("board_points") else ""


def _how(how: str) -> str:
    return "" if how == "played" else f", {how.replace('_', ' ')}"
