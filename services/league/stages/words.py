"""How is the reason for a pairing said in words?"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from services.league.stages.swiss.explained import BYES, RULES, SEATS

Why = Mapping[str, Any]


def words(why: Why) -> str:
    """LG-1024 One or several sentences; nobody's constraint is named (LG-954)."""
    said = SAID.get(str(why.get("rule", "")))
    parts = [said(why)] if said else []
    if why.get("seat") in SEATS:
        parts.append(f"Seats: {SEATS[why['seat']]}.")
    if why.get("dropped"):
        parts.append("A constraint could not be kept.")
    return " ".join(parts)


def bye_words(rule: str) -> str:
    """LG-1024 Why somebody has the bye."""
    return f"Bye: {BYES[rule]}." if rule in BYES else ""


def _two(why: Why) -> str:
    one, other = why["points"]
    bracket = f"Both have {one} points." if one == other else f"{one} points meet {other}: the first moved down to the next score group."
    repeat = " The two have met before: no round without a repeat was possible." if why.get("repeat") else ""
    gave = "".join(f" Gave way: {RULES[rule]} ({rule})." for rule in why.get("gives", ()) if rule in RULES)
    return bracket + repeat + gave


def _many(why: Why) -> str:
    pulled = why.get("pulled_up", ())
    moved = f" Pulled up: {', '.join(f'no. {number}' for number in pulled)}." if pulled else ""
    repeats = f" {why['repeats']} earlier meetings at this table." if why["repeats"] else " Nobody here has met before."
    return f"A table of the score group {why['level']}.{moved}{repeats}"


def _schedule(why: Why) -> str:
    if why.get("left"):
        return f"By the schedule; no. {', '.join(map(str, why['left']))} has left and loses without play."
    missing = why.get("without", ())
    return "By the schedule" + (f", without no. {', '.join(map(str, missing))}." if missing else ".")


def _bracket(why: Why) -> str:
    return f"Place {why['at']} of the bracket" + (f", from {' and '.join(why['from'])}." if why.get("from") else ".")


def _tables(why: Why) -> str:
    again = why.get("again", 0)
    return f"Dealt by place in the last match, then seed; the best {why['advance']} go on." * bool(why.get("advance")) + (
        "The final table." * (not why.get("advance"))) + (f" {again} who sat together last time could not be parted." if again else "")


def _arena(why: Why) -> str:
    return "Neighbours in points among those who wait." + (" The two have just met; nobody else was near." if why.get("again") else "")


def _challenge(why: Why) -> str:
    lost = " It was not taken up and is lost." if why.get("declined") else ""
    return f"No. {why['challenger']} challenges from rung {why['rungs'][0]} to rung {why['rungs'][-1]}.{lost}"


SAID: dict[str, Callable[[Why], str]] = {
    "swiss2": _two, "swissn": _many, "schedule": _schedule, "bracket": _bracket, "tables": _tables, "arena": _arena, "challenge": _challenge,
}
