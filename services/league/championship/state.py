"""How does a championship stand: what counts, what has been counted, and in which revision?"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from msgspec import Struct

from services.league.championship.settings import Settings, as_counted
from services.league.counting import championship as counting
from services.league.draws import drawn

DRAFT, RUNNING, FINISHED = "draft", "running", "finished"


class Cup(Struct, frozen=True):
    """One tournament that counts."""

    tournament: str
    game: str
    weight: str
    number: int                                         # in the order of adding
    revision: int = 0                                   # of its final standing; 0 while it is not finished
    finished_at: int = 0
    places: Mapping[str, int] = {}
    barred: tuple[str, ...] = ()
    tables: tuple[Mapping[str, int], ...] = ()

    @property
    def is_over(self) -> bool:
        return self.revision > 0


class Championship(Struct, frozen=True):
    """The fold of all its events."""

    championship: str
    organisation: str
    settings: Settings
    seed_hash: str
    state: str = DRAFT
    version: int = 1
    revision: int = 0                                   # LG-614: one more with each standing counted or corrected
    cups: tuple[Cup, ...] = ()
    added: int = 0                                      # how many were ever added
    winners: tuple[str, ...] = ()
    seed: str = ""                                      # hexadecimal, once the last draw is over


def cup_of(state: Championship, tournament: str) -> Cup | None:
    return next((cup for cup in state.cups if cup.tournament == tournament), None)


def outstanding(state: Championship) -> int:
    """LG-609 How many of the announced tournaments are still to come or to end."""
    over = sum(cup.is_over for cup in state.cups)
    return max(state.settings.announced, len(state.cups)) - over


def in_order(state: Championship) -> tuple[Cup, ...]:
    """As they ended, since the latest one decides first (LG-612); those that run come last."""
    return tuple(sorted(state.cups, key=lambda cup: (not cup.is_over, cup.finished_at, cup.number)))


def counted(state: Championship) -> tuple[counting.Tournament, ...]:
    """LG-602 What counting reads; a tournament without a final standing adds nothing."""
    return tuple(counting.Tournament(cup.tournament, cup.game, cup.places, Fraction(cup.weight), frozenset(cup.barred), cup.is_over)
                 for cup in in_order(state))


def lines(state: Championship, seed: bytes) -> tuple[counting.Line, ...]:
    """LG-602 to LG-612 The whole table; chance decides between equals at the end only, so that nobody knows it before."""
    tournaments = counted(state)
    meetings = tuple(table for cup in state.cups for table in cup.tables)
    return counting.standing(tournaments, announced(state), meetings, lots(state, seed) if seed else None)


def announced(state: Championship) -> counting.Settings:
    """Who adds more than was announced has announced more; while nobody has said how many, what has been added is known."""
    return as_counted(state.settings)._replace(announced=max(state.settings.announced, len(state.cups)))


def lots(state: Championship, seed: bytes) -> dict[str, int]:
    """LG-253 The draw among those who are equal to the end."""
    accounts = {account for cup in state.cups for account in (*cup.places, *cup.barred)}
    return {account: at for at, account in enumerate(drawn(seed, "lot", state.championship, accounts))}


def game_lines(state: Championship, game: str) -> tuple[counting.Line, ...]:
    """LG-611 The results in one game."""
    meetings = tuple(table for cup in state.cups if cup.game == game for table in cup.tables)
    return counting.sub_table(game, counted(state), as_counted(state.settings), meetings)
