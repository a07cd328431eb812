"""How is one part of a page sent to thousands of readers? Its text is read and taken apart once for each writing of it; names are of now."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import orjson

from services.gateway.accounts import FORMER
from services.gateway.competitions.sight import SQL
from services.gateway.edge.gate import Gate
from services.gateway.store import Store
from shared.runtime.store import Row

ONE, SEVERAL = frozenset({"account", "owner", "by", "who"}), frozenset({"accounts", "winners", "waiting"})
OVER = ("version", "next", "people", "tournament", "championship", "season")       # said anew for each reader
Place = tuple[str, str, int]        # competition, name, part


class Paper(NamedTuple):
    """A part of a page: what it says, without what is said anew, and whom it speaks of."""

    text: bytes
    accounts: list[str]
    version: int
    stamp: int
    last: int


def paper(said: Mapping[str, Any], version: int, stamp: int, last: int) -> Paper:
    own = {name: value for name, value in said.items() if name not in OVER}
    return Paper(orjson.dumps(own), sorted(set(accounts_in(own))), version, stamp, last)


def of_row(row: Row | None) -> Paper | None:
    return None if row is None else paper(orjson.loads(row["body"]), row["version"], row["stamp"], row["last_part"])


def stored(gate: Gate, place: Place) -> Paper | None:
    """LG-1034 As it lies there now; a page that is written again, be it at the same version, is another one."""
    where = dict(zip(("competition", "name", "part"), place, strict=True))
    mark = gate.store.one(SQL.page_mark, **where)
    if mark is None:
        return None
    known: Paper | None = gate.kept.get(place, mark["written"])
    if known is None:
        row = gate.store.one(SQL.page_text, **where)
        if row is None:
            return None
        known = paper(orjson.loads(row["body"]), row["version"], row["version"], 0)
        gate.kept.keep(place, row["written"], known)
    return known._replace(last=mark["last_part"])


def sent(store: Store, known: Paper, more: Mapping[str, Any]) -> bytes:
    """LG-946, LG-961, LG-963 With names as of now, bots marked and with their owners."""
    row = store.one(SQL.people, accounts=known.accounts, former=FORMER) if known.accounts else None
    rest = orjson.dumps({**more, "people": orjson.Fragment(row["people"] if row else "{}")})
    return rest if known.text == b"{}" else known.text[:-1] + b"," + rest[1:]


def accounts_in(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for name, inner in value.items():
            if name in ONE and isinstance(inner, str):
                yield inner
            elif name in SEVERAL and isinstance(inner, list):
                yield from (one for one in inner if isinstance(one, str))
                yield from accounts_in([one for one in inner if not isinstance(one, str)])
            elif name in {"places", "given"} and isinstance(inner, dict):
                yield from inner
            elif name == "accounts" and isinstance(inner, dict):        # by pairing number, as brackets have them
                yield from inner.values()
            else:
                yield from accounts_in(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from accounts_in(inner)
