"""How is the league looked after at the machine? `cupboard league list|show|act|export|organisation|hold`: the same acts as over the API."""

from __future__ import annotations

import argparse
import json
import sys
import uuid
from collections.abc import Mapping
from typing import Any

import orjson

from services.gateway.accounts import name_key
from services.gateway.api.league.shapes import LIVES
from services.gateway.competitions import acts, organisations, pages
from services.gateway.competitions.sight import SQL, Seen, seen
from services.gateway.edge.gate import Gate
from services.gateway.problems import Problem
from services.gateway.rights import Caller
from services.gateway.store import SQL as ACCOUNTS
from services.gateway.store import Store
from shared.desk import here
from shared.desk.account import audited, refused
from shared.desk.workshop.numbers import whole
from shared.runtime.settings import Settings

DONE, WRONG_USE, MOST = 0, 2, 100
KINDS = {"t": "tournament", "k": "championship", "s": "season"}
STATES = {"tournament": LIVES, "championship": ("draft", "running", "finished"), "season": ("draft", "running", "ended", "finished")}
AT_THE_MACHINE = Caller("", "", roles=frozenset({"operator"}))      # who sees every competition, and is no account


class NotWritten(ValueError):
    """A field that is not written NAME=VALUE, or a state that this kind does not have."""


def main(argv: list[str]) -> int:
    wanted = _parser().parse_args(argv)
    gate = Gate(here.settings())
    try:
        print(WAYS[wanted.way](gate, wanted))
    except NotWritten as wrong:
        print(f"cupboard: {wrong}", file=sys.stderr)
        return WRONG_USE
    except Problem as problem:
        return refused(problem)
    finally:
        gate.close()
    return DONE


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="cupboard league", description="Lists, shows and exports competitions, and acts in them; the league must run for acts.")
    ways = parser.add_subparsers(dest="way", required=True)
    listed = ways.add_parser("list", help="the newest competitions")
    listed.add_argument("--kind", choices=list(KINDS.values()), default="tournament")
    listed.add_argument("--state", choices=sorted({state for states in STATES.values() for state in states}))
    shown = ways.add_parser("show", help="one page of a competition as JSON")
    acted = ways.add_parser("act", help="ask something of a competition in the name of an account")
    exported = ways.add_parser("export", help="print an export")
    held = ways.add_parser("hold", help="hold a competition, or let it go on")
    for way in (shown, acted, exported, held):
        way.add_argument("id")
    shown.add_argument("--page", default="head", help="head, entrants, round/1/2, standing/1, bracket/1, … (default head)")
    acted.add_argument("kind", help="enter, start, correct, …")
    acted.add_argument("fields", nargs="*", metavar="FIELD=VALUE", help="a value that is JSON counts as such")
    acted.add_argument("--as", dest="who", required=True, metavar="ACCOUNT", help="the name of the account that acts")
    exported.add_argument("--form", choices=["json", "csv", "trf16"], default="json")
    exported.add_argument("--what", choices=["standings", "pairings", "results", "cross"], default="standings")
    exported.add_argument("--stage", type=whole(1), default=1)
    exported.add_argument("--round", type=whole(1))
    held.add_argument("--release", action="store_true")
    held.add_argument("--reason", required=True)
    founded = ways.add_parser("organisation", help="found an organisation, or give it one more owner; prints its id")
    founded.add_argument("name")
    founded.add_argument("--owner", required=True, metavar="ACCOUNT")
    founded.add_argument("--zone", default="UTC")
    for way in (listed, held, founded):
        way.add_argument("--json", action="store_true", help="tell it as JSON")
    for way in (shown, acted, exported):
        way.add_argument("--json", action="store_true", help="changes nothing: what it tells is JSON, or the form asked for")
    return parser


def organisation(settings: Settings, name: str, owner_name: str, zone: str = "UTC") -> str:
    """OP-01 The id of the organisation of this name, of which this account is an owner from now on."""
    store = Store(settings)
    try:
        with store.work() as work:
            owner = named(store, owner_name)
            row = work.one(SQL.organisation_named, key=name_key(name))
            if row is None:
                found = organisations.founded(work, name, zone, owner, owner)
            else:
                found = str(row["organisation_id"])
                if work.do(SQL.role_given, organisation=found, target=owner, role="owner", account=owner):
                    organisations.note(work, (found, None), owner, {"act": "give_role", "role": "owner", "account": owner})
            audited(work, "organisation.owner", found, "named at the command line", {"owner": owner})
        return found
    finally:
        store.close()


def named(store: Store, name: str) -> str:
    row = store.one(ACCOUNTS.account_named, name_key=name_key(name))
    if row is None or row["deleted_at"] is not None:
        raise Problem("not_found", sentence=f"no account is called {name!r}")
    return str(row["account_id"])


def found(gate: Gate, caller: Caller, name: str) -> Seen:
    return seen(gate.store, caller, KINDS.get(name[:1], "tournament"), name)


def _list(gate: Gate, wanted: argparse.Namespace) -> str:
    if wanted.state not in {None, *STATES[wanted.kind]}:
        raise NotWritten(f"a {wanted.kind} is never {wanted.state}; its states are {', '.join(STATES[wanted.kind])}")
    items = pages.listed(gate, AT_THE_MACHINE, wanted.kind, {"state": wanted.state, "limit": MOST})["items"]
    if wanted.json:
        return orjson.dumps(items).decode()
    return "\n".join(f"{one[wanted.kind]}  {one['state']:<9}  {one['entrants']:>6}  {one['game'] or '-':<14}  {one['name']}" for one in items) or "there is none"


def _show(gate: Gate, wanted: argparse.Namespace) -> str:
    one = found(gate, AT_THE_MACHINE, wanted.id)
    said = pages.head(gate, AT_THE_MACHINE, one) if wanted.page == "head" else pages.page(gate, AT_THE_MACHINE, one, wanted.page, {})
    return json.dumps(orjson.loads(orjson.dumps(said.body)), indent=2)


def _act(gate: Gate, wanted: argparse.Namespace) -> str:
    account = named(gate.store, wanted.who)
    row = gate.store.one(ACCOUNTS.account_by_id, account=account)
    assert row is not None
    caller = Caller(account, row["name"], row["kind"])
    body = {"kind": wanted.kind, **_fields(wanted.fields)}
    said = acts.do(gate, caller, found(gate, caller, wanted.id), body, ("POST", "command line", str(uuid.uuid4())))
    return json.dumps(acts.told_of(acts.waited(gate, said.body["act"], acts.WAIT_S)), indent=2)


def _fields(given: list[str]) -> Mapping[str, Any]:
    """`round=3` is a number, `account=a-7` a text."""
    parts = [one.partition("=") for one in given]
    if bad := [name for name, equals, _ in parts if not equals]:
        raise NotWritten(f"{bad[0]}: fields are written NAME=VALUE")
    return {name: _value(text) for name, _, text in parts}


def _value(text: str) -> Any:
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        return text


def _export(gate: Gate, wanted: argparse.Namespace) -> str:
    asked = {"form": wanted.form, "what": wanted.what, "stage": wanted.stage, **({"round": wanted.round} if wanted.round else {})}
    answer = acts.ask(gate, AT_THE_MACHINE, found(gate, AT_THE_MACHINE, wanted.id), ("export", asked))
    return acts.exported(answer).decode()


def _hold(gate: Gate, wanted: argparse.Namespace) -> str:
    one = found(gate, AT_THE_MACHINE, wanted.id)
    with gate.store.work() as work:
        organisations.hold(work, AT_THE_MACHINE, one, {"held": not wanted.release, "reason": wanted.reason})
        audited(work, "competition.release" if wanted.release else "competition.hold", wanted.id, wanted.reason, {})
    if wanted.json:
        return json.dumps({wanted.id: {"held": not wanted.release}})
    return "goes on" if wanted.release else "on hold"


def _organisation(gate: Gate, wanted: argparse.Namespace) -> str:
    name = organisation(gate.settings, wanted.name, wanted.owner, wanted.zone)
    return json.dumps({"organisation": name}) if wanted.json else name


WAYS = {"list": _list, "show": _show, "act": _act, "export": _export, "hold": _hold, "organisation": _organisation}
