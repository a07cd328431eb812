"""How does a season stand, and who would play where next?"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from services.league.formats import seasons
from services.league.season.settings import Settings, fitting

DRAFT, RUNNING, ENDED, FINISHED = "draft", "running", "ended", "finished"
CHANGED = "changed"                                     # LG-568: the cause of a place that an organiser gave


class Table(Struct, frozen=True):
    """The tournament of one division."""

    tournament: str
    revision: int = 0                                   # of its final standing; 0 while it runs
    standing: tuple[str, ...] = ()                      # accounts, best first
    barred: tuple[str, ...] = ()


class Season(Struct, frozen=True):
    """The fold of all its events."""

    season: str
    organisation: str
    settings: Settings
    state: str = DRAFT
    version: int = 1
    tables: Mapping[int, Table] = {}                    # by level, the top one is 0
    staying_away: tuple[str, ...] = ()
    newcomers: Mapping[str, str] = {}                   # account -> rating, in order of entry
    changes: Mapping[str, tuple[int, str]] = {}         # account -> level and reason
    ended_at: int = 0                                   # since when all divisions are over
    places: tuple[tuple[str, int, str], ...] = ()       # account, level, cause; once they are settled


def is_over(state: Season) -> bool:
    return len(state.tables) == len(state.settings.divisions) and all(table.revision for table in state.tables.values())


def accounts(state: Season) -> frozenset[str]:
    """Who has played in it."""
    return frozenset(account for table in state.tables.values() for account in table.standing)


def computed(state: Season) -> tuple[seasons.Move, ...]:
    """LG-564 to LG-569 From the frozen standings and those who go on; the same inputs give the same moves."""
    divisions = [seasons.Division(state.tables[level].standing, one.size, one.up, one.down) for level, one in enumerate(state.settings.divisions)]
    barred = frozenset(account for table in state.tables.values() for account in table.barred)
    newcomers = tuple(account for account in state.newcomers if account not in accounts(state))
    fits = {account: fitting(state.settings, state.newcomers[account]) for account in newcomers}
    return seasons.moves(divisions, seasons.Change(accounts(state) - frozenset(state.staying_away), barred, newcomers, fits))


def proposed(state: Season) -> tuple[seasons.Move, ...]:
    """LG-568 The computed places with an organiser's changes over them."""
    return tuple(seasons.Move(move.entrant, state.changes[move.entrant][0], CHANGED) if move.entrant in state.changes else move
                 for move in computed(state))
