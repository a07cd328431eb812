"""Which programs of other people are known here, and whom have people let in (PL-179)?"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from services.gateway.accounts import TAKEN, at, name_key, new_id
from services.gateway.competitions.organisations import OWNERS, note
from services.gateway.competitions.sight import SQL as ROWS
from services.gateway.competitions.sight import refuse_unless
from services.gateway.problems import Problem, fault, invalid
from services.gateway.rights import Caller
from services.gateway.store import Store, Work
from shared.runtime.store import Queries, Row

SQL = Queries(Path(__file__).with_name("clients.sql"))
MOST = 20                   # PL-671: that one account sees to
# What RFC 3986 lets stand in a path and a query; no user, no fragment, nothing that two programs could read differently.
REST = r"(?::[0-9]{1,5})?(?:/[\w.~!$&'()*+,;=:@%/-]*)?(?:\?[\w.~!$&'()*+,;=:@%/?-]*)?"
HOST = r"[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*"
WEB = re.compile(rf"https://{HOST}{REST}", re.ASCII)
OWN_MACHINE = re.compile(rf"http://(?:127\.0\.0\.1|\[::1\]){REST}", re.ASCII)      # RFC 8252: programs that run beside the browser


def make(work: Work, caller: Caller, wish: Mapping[str, Any]) -> dict[str, Any]:
    """A program in one's own name, or in that of an organisation that one owns. It gets an id and no secret."""
    name, client, organisation = _checked_name(wish["name"]), new_id("p"), wish.get("organisation")
    _refuse_addresses(wish)
    work.one(SQL.owner_held, account=caller.id)
    if organisation is not None:
        _refuse_stranger(work, caller, organisation)
    if len(work.all(SQL.clients_of, account=caller.id)) >= MOST:
        raise Problem("quota", quota="clients")
    redirects = list(dict.fromkeys(wish["redirects"]))
    made = work.one(SQL.client_made, client=client, account=caller.id, organisation=organisation, name=name, key=name_key(name),
                    homepage=wish["homepage"], redirects=redirects)
    if made is None:
        raise _taken()
    if organisation is not None:
        note(work, (organisation, None), caller.id, {"act": "register_client", "client": client, "name": name})
    return next(told(row) for row in work.all(SQL.clients_of, account=caller.id) if row["client_id"] == client)


def listed(store: Store, caller: Caller) -> list[dict[str, Any]]:
    return [told(row) for row in store.all(SQL.clients_of, account=caller.id)]


def remove(work: Work, caller: Caller, client: str) -> None:
    """PL-177 Whatever it was let do ends with it."""
    found = [row for row in work.all(SQL.clients_of, account=caller.id) if row["client_id"] == client]
    if not found or not work.do(SQL.client_gone, client=client):
        raise Problem("not_found")
    if found[0]["organisation_id"] is not None:
        note(work, (found[0]["organisation_id"], None), caller.id, {"act": "remove_client", "client": client, "name": found[0]["name"]})


def expel(work: Work, client: str) -> dict[str, Any]:
    """By an operator, whoever it belongs to; what it was stands in the log of acts."""
    row = work.one(SQL.client, client=client)
    if row is None or not work.do(SQL.client_gone, client=client):
        raise Problem("not_found")
    return {"name": row["name"], "homepage": row["homepage"], "owner": row["owner_name"]}


def told(row: Row) -> dict[str, Any]:
    """A program as those see it who see to it."""
    return {"client": row["client_id"], "name": row["name"], "homepage": row["homepage"], "redirects": row["redirects"],
            "organisation": row["organisation_id"], "people": row["people"], "created_at": at(row["created_at"])}


def known(store: Store, client: str) -> Row | None:
    """A program that may ask for something."""
    row = store.one(SQL.client, client=client) if "\0" not in client else None
    return row if row is not None and not row["barred"] else None


def let_in(store: Store, caller: Caller) -> list[dict[str, Any]]:
    """The programs that may act for the caller."""
    return [{"client": row["client_id"], "name": row["name"], "homepage": row["homepage"], "scopes": sorted(row["scopes"]),
             "granted_at": at(row["granted_at"]), "ends_at": at(row["ends_at"]), "used_on": row["used_on"].isoformat() if row["used_on"] else None}
            for row in store.all(SQL.let_in, account=caller.id)]


def put_out(work: Work, caller: Caller, client: str) -> None:
    """PL-177 From the next request on it can do nothing for the caller."""
    if not work.do(SQL.put_out, client=client, account=caller.id):
        raise Problem("not_found")


def _checked_name(wish: str) -> str:
    """PL-122 What people are asked to trust: readable, unlike any other, and not the name of the site."""
    name = " ".join(unicodedata.normalize("NFKC", wish).split())
    if not 3 <= len(name) <= 60 or any(unicodedata.category(letter)[0] == "C" for letter in name):
        raise invalid("/name", "3 to 60 letters and signs")
    if name_key(name) in TAKEN or name_key("cupboard") in name_key(name):
        raise _taken()
    return name


def _taken() -> Problem:
    return Problem("name_taken", errors=[fault("/name", "another program has this name, or one that looks like it, or it is reserved")])


def _refuse_addresses(wish: Mapping[str, Any]) -> None:
    if WEB.fullmatch(wish["homepage"]) is None:
        raise invalid("/homepage", "an address that begins with https://")
    wrong = [place for place, address in enumerate(wish["redirects"]) if not WEB.fullmatch(address) and not OWN_MACHINE.fullmatch(address)]
    if wrong:
        raise Problem("invalid", errors=[fault(f"/redirects/{place}", "https://… or, for a program on the person's own machine, http://127.0.0.1… or "
                                               "http://[::1]…; without user and fragment") for place in wrong])


def _refuse_stranger(work: Work, caller: Caller, organisation: str) -> None:
    row = work.one(ROWS.organisation, organisation=organisation, account=caller.account)
    if row is None:
        raise Problem("not_found")
    refuse_unless(caller, frozenset(row["roles"]), OWNERS, "organisation:manage")
