"""Which pages have changed, and how are they stored? All of them at one version, with what lists show copied out of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import msgspec
from psycopg.types.json import Json

from services.league.kind import Page
from services.league.store import INBOX
from shared.runtime.store import Transaction

COPIED = ("name", "game", "game_version", "visibility", "state", "entrants")
AT_ONCE, MOST_TEXT = 50, 2_000_000      # pages and characters in one statement
ROUND = "round/"    # once a round is published, it is a draft no longer


class Pages(NamedTuple):
    """What is to be written, of which version; not `whole` where pages that take long to compute are left for later."""

    made: Sequence[Page]
    texts: Sequence[str]
    version: int
    whole: bool


def ready(made: Sequence[Page], version: int, *, whole: bool = True) -> Pages:
    """As text already, since a transaction waits for nothing that can be done before it."""
    return Pages(made, [msgspec.json.encode(page.body, order="deterministic").decode() for page in made], version, whole)


def _stretches(rows: Sequence[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    """So many at once as one statement can take in a moment."""
    stretch: list[dict[str, Any]] = []
    for row in rows:
        stretch.append(row)
        if len(stretch) >= AT_ONCE or sum(len(one["body"]) for one in stretch) > MOST_TEXT:
            yield stretch
            stretch = []
    if stretch:
        yield stretch


def put_pages(transaction: Transaction, competition: str, pages: Pages) -> None:
    """LG-804 Pages are there with their version or not at all, and an older one never comes over a newer one."""
    rows = [{"name": page.name, "part": page.part, "body": text} for page, text in zip(pages.made, pages.texts, strict=True) if page.body]
    gone = [{"name": page.name, "part": page.part} for page in pages.made if not page.body]
    for stretch in _stretches(rows):
        transaction.do(INBOX.put_pages, competition=competition, version=pages.version, rows=Json(stretch))
    gone += [{"name": f"drafted/{page.name.removeprefix(ROUND)}", "part": page.part} for page in pages.made if page.name.startswith(ROUND) and page.body]
    if gone:
        transaction.do(INBOX.drop_pages, competition=competition, rows=Json(gone))


def write_pages(transaction: Transaction, competition: str, pages: Pages) -> None:
    """LG-804 The pages of the present, and what lists and championships read out of them."""
    put_pages(transaction, competition, pages)
    for page in pages.made:
        if page.name == "entrants" and page.body.get("items"):
            lines = entrant_lines(page.body["items"])
            transaction.do(INBOX.put_entrants, competition=competition, rows=Json(lines))
    transaction.do(INBOX.pages_are, competition=competition, version=pages.version if pages.whole else None, **_copied(pages.made))
    if any(page.name == "final" for page in pages.made):
        transaction.do(INBOX.wake_championships, competition=competition)


def entrant_lines(items: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Who takes part, once each; members of a team see its tournaments too, and only its captain acts for it."""
    rows: dict[str, dict[str, Any]] = {}
    for item in sorted(items, key=lambda one: str(one.get("state")) == "entered"):
        for member in (*item.get("members", ()), *item.get("reserves", ())):
            state = "member" if item["state"] in {"entered", "waiting"} else item["state"]
            rows[member["account"]] = {"account": member["account"], "number": item.get("number"), "state": state}
        rows[item["account"]] = {name: item.get(name) for name in ("account", "number", "state")}
    return list(rows.values())


def _copied(pages: Sequence[Page]) -> dict[str, Any]:
    head = next((page.body for page in pages if page.name == "head" and page.part == 0), {})
    copied = {name: head.get(name) for name in COPIED}
    version = str(copied["game_version"] or "")
    return copied | {"game_version": int(version) if version.isdigit() else None}
