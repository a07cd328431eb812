"""Start here: a championship as the league process runs it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from services.league.championship.acts import AnyAct
from services.league.championship.deciding import advance, decide
from services.league.championship.events import AnyEvent
from services.league.championship.fold import fold
from services.league.championship.pages import pages
from services.league.championship.state import Championship
from services.league.kind import Kind
from services.league.refusals import Refused


def act(kind: str, body: Mapping[str, Any]) -> AnyAct:
    """PL-218 Unknown acts and fields are refused, by name."""
    try:
        return msgspec.convert({**body, "kind": kind}, AnyAct)      # type: ignore[no-any-return]
    except msgspec.ValidationError as error:
        raise Refused("malformed", str(error), [str(error)]) from None


def event(kind: str, body: Mapping[str, Any]) -> AnyEvent:
    return msgspec.convert({**body, "kind": kind}, AnyEvent)        # type: ignore[no-any-return]


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
    name="championship", act=act, event=event, state=lambda raw: msgspec.json.decode(raw, type=Championship), needs=nobody,
    decide=decide, fold=fold, advance=advance, due=never, pages=pages, orders=nothing, stops=nothing, counts=counts, ratings=nothing,
    milestones=frozenset({"counted", "removed", "finished"}),
)
