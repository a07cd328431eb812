"""How does a program get in: `cupboard token create|list|revoke`, by an operator at the machine."""

from __future__ import annotations

import argparse
from datetime import UTC, datetime, timedelta
from typing import Any

from services.gateway import accounts, tokens
from services.gateway.problems import Problem, invalid
from services.gateway.rights import SCOPES, Caller
from services.gateway.store import SQL, Store, Work
from shared.desk import here
from shared.desk.account import DONE, audited, refused, tell
from shared.desk.workshop.numbers import whole

LONGEST, LONGEST_LABEL = 365, 80     # days and letters, as over the API


def main(argv: list[str]) -> int:
    wanted = _parser().parse_args(argv)
    store = Store(here.settings("gateway"))
    try:
        tell(ACTS[wanted.act](store, wanted), as_json=wanted.json)
    except Problem as problem:
        return refused(problem)
    finally:
        store.close()
    return DONE


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="cupboard token", description="Makes, lists and revokes the tokens of an account; a token is shown once.")
    acts = parser.add_subparsers(dest="act", required=True)
    create = acts.add_parser("create", help="make a token and print it, once")
    create.add_argument("--scope", action="append", choices=SCOPES, default=[], help="not needed for bots")
    create.add_argument("--label", default="made at the command line")
    create.add_argument("--days", type=whole(1, LONGEST), default=90, help=f"after which it ends, 1 to {LONGEST} (default 90)")
    acts.add_parser("list", help="list the tokens that work")
    acts.add_parser("revoke", help="revoke a token, from its next request on").add_argument("token", help="its public id")
    for act in acts.choices.values():
        act.add_argument("name", help="of the account")
        act.add_argument("--json", action="store_true", help="tell it as JSON")
    return parser


def create(store: Store, wanted: argparse.Namespace) -> list[dict[str, Any]]:
    if not 1 <= len(wanted.label) <= LONGEST_LABEL:
        raise invalid("/label", f"a label has 1 to {LONGEST_LABEL} letters")
    with store.work() as work:
        row = _named(work, wanted.name)
        wish = {"label": wanted.label, "scopes": wanted.scope or ["match:read"], "ends_at": datetime.now(UTC) + timedelta(days=wanted.days)}
        made = tokens.make_token(work, row, wish, at_the_machine=True)
        audited(work, "token.create", row["account_id"], wanted.label, {"token": made["token"], "scopes": made["scopes"]})
    return [made]


def list_(store: Store, wanted: argparse.Namespace) -> list[dict[str, Any]]:
    with store.work() as work:
        row = _named(work, wanted.name)
    return tokens.tokens(store, Caller(row["account_id"]))


def revoke(store: Store, wanted: argparse.Namespace) -> list[dict[str, Any]]:
    with store.work() as work:
        row = _named(work, wanted.name)
        tokens.revoke(work, Caller(row["account_id"]), wanted.token)
        audited(work, "token.revoke", row["account_id"], "revoked at the command line", {"token": wanted.token})
    return [{"token": wanted.token, "revoked": True}]


def _named(work: Work, name: str) -> dict[str, Any]:
    row = work.one(SQL.account_named, name_key=accounts.name_key(name))
    if row is None or row["deleted_at"] is not None:
        raise Problem("not_found", sentence=f"no account is called {name!r}")
    return row


ACTS = {"create": create, "list": list_, "revoke": revoke}
