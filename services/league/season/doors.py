"""Start here: a season as the league process runs it."""

from __future__ import annotations

from functools import partial

import msgspec

from services.league.kind import Kind
from services.league.reading import act_of, event_of
from services.league.season.acts import AnyAct, GoOn, Join
from services.league.season.deciding import advance, decide, due
from services.league.season.events import AnyEvent
from services.league.season.fold import fold
from services.league.season.pages import pages
from services.league.season.state import Season


def needs(_: Season | None, asked: AnyAct | None) -> frozenset[str]:
    """A newcomer's rating."""
    return frozenset({asked.account}) if isinstance(asked, GoOn | Join) and asked.account else frozenset()


def nothing(*_: object) -> tuple[()]:
    """Its divisions are tournaments, which have the matches."""
    return ()


def counts(state: Season) -> tuple[str, ...]:
    return tuple(table.tournament for table in state.tables.values())


SEASON = Kind(
    name="season", act=partial(act_of, AnyAct), event=partial(event_of, AnyEvent), state=lambda raw: msgspec.json.decode(raw, type=Season),
    needs=needs, decide=decide, fold=fold, advance=advance, due=due, pages=pages, orders=nothing, stops=nothing, counts=counts, ratings=nothing, milestones=frozenset({"counted", "settled"}),
)
