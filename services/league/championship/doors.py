"""Start here: a championship as the league process runs it."""

from __future__ import annotations

from functools import partial

import msgspec

from services.league.championship.acts import AnyAct
from services.league.championship.deciding import advance, decide
from services.league.championship.events import AnyEvent
from services.league.championship.fold import fold
from services.league.championship.pages import pages
from services.league.championship.state import Championship
from services.league.kind import Kind
from services.league.reading import act_of, event_of


def counts(state: Championship) -> tuple[str, ...]:
    return tuple(cup.tournament for cup in state.cups)


def nobody(*_: object) -> frozenset[str]:
    """Who enters and plays is the tournaments' affair."""
    return frozenset()


def nothing(*_: object) -> tuple[()]:
    """A championship has no matches of its own."""
    return ()


def never(_: object) -> None:
    """No clock ends anything here: a final standing that is new wakes it."""


CHAMPIONSHIP = Kind(
    name="championship", act=partial(act_of, AnyAct), event=partial(event_of, AnyEvent), state=lambda raw: msgspec.json.decode(raw, type=Championship), needs=nobody,
    decide=decide, fold=fold, advance=advance, due=never, pages=pages, orders=nothing, stops=nothing, counts=counts, ratings=nothing,
    milestones=frozenset({"counted", "removed", "finished"}),
)
