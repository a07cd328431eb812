"""How does a stage of each format go? One adapter for each over the pure formats; all are asked with the same facts."""

from __future__ import annotations

from collections.abc import Mapping

from services.league.stages import arena, elimination, groups, ladder, round_robin, swiss
from services.league.stages.facts import (
    Challenge,
    Consequences,
    Constraints,
    Draft,
    Drafted,
    Facts,
    Floor,
    Forecast,
    Format,
    Level,
    Line,
    Meeting,
    Option,
    Over,
    Plan,
    Played,
    Waits,
)
from services.league.stages.groups import qualified
from services.league.stages.rules import StageRules, checked_rules
from services.league.stages.series import further, table_of

FORMATS: Mapping[str, Format] = {
    "round_robin": round_robin, "swiss": swiss, "elimination": elimination, "double_elimination": elimination,
    "groups": groups, "arena": arena, "ladder": ladder,
}


def forecast(facts: Facts, size: int) -> Forecast:
    """LG-428 Whether a stage with so many entrants may meet a dead end; only Swiss can."""
    return swiss.forecast(facts, size) if facts.rules.format == "swiss" else Forecast()


__all__ = [
    "FORMATS", "Challenge", "Consequences", "Constraints", "Draft", "Drafted", "Facts", "Floor", "Forecast", "Format", "Level", "Line",
    "Meeting", "Option", "Over", "Plan", "Played", "StageRules", "Waits", "checked_rules", "forecast", "further", "qualified", "table_of",
]
