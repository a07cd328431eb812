"""Who has an account here, and what becomes of it: `cupboard account create|list|roles|suspend|reset|second-factor`, by an operator at the machine."""

from __future__ import annotations

import argparse
import getpass
import json
import os
import sys
from typing import Any

from services.gateway import accounts
from services.gateway.orders import note, reasoned
from services.gateway.problems import Problem
from services.gateway.store import SQL, Store, Work
from services.gateway.trust import second_factor
from shared.desk import here
from shared.desk.workshop.numbers import MANY, measure, whole
from shared.runtime.settings import Settings

DONE, REFUSED = 0, 1
ROLES = ("operator", "moderator", "auditor")
HOUR = 3_600.0
LONGEST_GRACE = 30 * 24.0        # hours, as for CUPBOARD_SUSPENSION_GRACE


def main(argv: list[str]) -> int:
    wanted = _parser().parse_args(argv)
    settings = here.settings("gateway")
    store = Store(settings)
    try:
        tell(ACTS[wanted.act](store, settings, wanted), as_json=wanted.json)
    except Problem as problem:
        return refused(problem)
    finally:
        store.close()
    return DONE


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="cupboard account", description="Opens, lists, suspends and mends accounts; every change is audited.")
    acts = parser.add_subparsers(dest="act", required=True)
    create = acts.add_parser("create", help="open an account; the password is read from the terminal or from standard input")
    create.add_argument("name")
    create.add_argument("--kind", choices=["person", "service"], default="person")
    create.add_argument("--role", action="append", choices=ROLES, default=[])
    acts.add_parser("list", help="list the accounts").add_argument("--most", type=whole(1), default=1_000, help=f"at most so many, 1 to {MANY}")
    roles = acts.add_parser("roles", help="give an account exactly these roles")
    roles.add_argument("--role", action="append", choices=ROLES, default=[])
    suspend = acts.add_parser("suspend", help="suspend an account, or lift that")
    suspend.add_argument("--lift", action="store_true")
    suspend.add_argument("--grace", type=measure(0, LONGEST_GRACE), metavar="HOURS", help="after which its seats are left; else as CUPBOARD_SUSPENSION_GRACE says")
    suspend.add_argument("--leave", action="store_true", help="no grace: its seats are left now")
    reset = acts.add_parser("reset", help="print a link with which a new password can be set, once, within 30 minutes")
    factor = acts.add_parser("second-factor", help="take the second factor off an account whose owner has lost it; all its sessions end")
    for act in (roles, suspend, reset, factor):
        act.add_argument("name")
        act.add_argument("--reason", required=True, help="kept in the audit log")
    for act in acts.choices.values():
        act.add_argument("--json", action="store_true", help="tell it as JSON")
    return parser


def create(store: Store, _settings: Settings, wanted: argparse.Namespace) -> list[dict[str, Any]]:
    password = None if wanted.kind == "service" else _password()
    with store.work() as work:
        told = accounts.open_account(work, {"name": wanted.name, "password": password}, kind=wanted.kind)
        if wanted.role:
            work.do(SQL.roles_given, account=told["account"], roles=wanted.role)
        audited(work, "account.create", told["account"], "made at the command line", {"kind": wanted.kind, "roles": wanted.role})
        made = work.one(SQL.account_by_id, account=told["account"])
    return [accounts.account_told(made) if made else told]


def list_(store: Store, _settings: Settings, wanted: argparse.Namespace) -> list[dict[str, Any]]:
    return [{**accounts.account_told(row), "suspended": row["suspended_at"] is not None} for row in store.all(SQL.accounts_listed, most=wanted.most)]


def roles(store: Store, _settings: Settings, wanted: argparse.Namespace) -> list[dict[str, Any]]:
    """PL-159 In force at the next request; browsers get a new session, as their rights have changed."""
    with store.work() as work:
        row = _named(work, wanted)
        work.do(SQL.roles_given, account=row["account_id"], roles=wanted.role)
        work.do(SQL.sessions_forgotten, account=row["account_id"])
        audited(work, "account.roles", row["account_id"], wanted.reason, {"roles": wanted.role})
    return [{"account": row["account_id"], "name": row["name"], "roles": wanted.role}]


def suspend(store: Store, settings: Settings, wanted: argparse.Namespace) -> list[dict[str, Any]]:
    """PL-137"""
    grace = 0.0 if wanted.leave else settings.suspension_grace if wanted.grace is None else wanted.grace * HOUR
    with store.work() as work:
        row = _named(work, wanted)
        told = accounts.lift(work, row["account_id"]) if wanted.lift else accounts.suspend(work, row["account_id"], grace)
        audited(work, "account.lift" if wanted.lift else "account.suspend", row["account_id"], wanted.reason, told)
    return [{"name": row["name"], **told}]


def reset(store: Store, settings: Settings, wanted: argparse.Namespace) -> list[dict[str, Any]]:
    """PL-140"""
    with store.work() as work:
        row = _named(work, wanted)
        code = accounts.new_reset(work, row["account_id"])
        audited(work, "account.reset", row["account_id"], wanted.reason, {})
    return [{"account": row["account_id"], "name": row["name"], "link": f"{settings.origin}/reset/{code}"}]


def second_factor_off(store: Store, _settings: Settings, wanted: argparse.Namespace) -> list[dict[str, Any]]:
    """PL-126 By somebody who knows that it is the owner who asks; roles of the account wait until there is a new one."""
    with store.work() as work:
        row = _named(work, wanted)
        if not second_factor.forget(work, row["account_id"]):
            raise Problem("not_found", sentence=f"{row['name']} has no second factor")
        work.do(SQL.sessions_forgotten, account=row["account_id"])
        audited(work, "account.second_factor_off", row["account_id"], wanted.reason, {})
    return [{"account": row["account_id"], "name": row["name"], "second_factor": "off"}]


def _named(work: Work, wanted: argparse.Namespace) -> dict[str, Any]:
    reasoned(wanted.reason)
    row = work.one(SQL.account_named, name_key=accounts.name_key(wanted.name))
    if row is None or row["deleted_at"] is not None:
        raise Problem("not_found", sentence=f"no account is called {wanted.name!r}")
    return row


def audited(work: Work, what: str, on: str, reason: str, after: dict[str, Any]) -> None:
    """PL-158 In the transaction of the act; the person is the one signed in at this machine."""
    note(work, {"who": f"command line: {os.environ.get('SUDO_USER') or getpass.getuser()}", "what": what, "on": on, "reason": reason}, after=after)


def refused(problem: Problem) -> int:
    """In words, with each thing that is wrong."""
    named = "".join(f"\n  {one['detail']}" for one in problem.errors)
    print(f"{problem.name}: {problem.facts.get('sentence') or problem.detail()}{named}", file=sys.stderr)
    return REFUSED


def _password() -> str:
    return getpass.getpass("Password: ") if sys.stdin.isatty() else sys.stdin.readline().rstrip("\n")


def tell(rows: list[dict[str, Any]], *, as_json: bool) -> None:
    if as_json:
        print(json.dumps(rows))
        return
    for row in rows:
        print("  ".join(f"{name}={value if not isinstance(value, list) else ','.join(value)}" for name, value in row.items() if value not in (None, [])))


ACTS = {"create": create, "list": list_, "roles": roles, "suspend": suspend, "reset": reset, "second-factor": second_factor_off}
