"""What becomes of a text that somebody reports, and of an account that says such things (PL-559)?"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any

from services.gateway.accounts import at, name_key
from services.gateway.edge.cursors import Cursor
from services.gateway.orders import audit, reasoned
from services.gateway.problems import Problem
from services.gateway.rights import Caller, authorize, match_thing, may_see
from services.gateway.store import SQL, Store, Work
from services.gateway.talk import checks
from services.gateway.talk.rooms import refuse_room
from shared.runtime.store import Row


def report(work: Work, caller: Caller, text: str, reason: str) -> dict[str, Any]:
    """Everybody who can read a text may report it, once."""
    row = _text(work, text)
    thing = may_see(work, caller, row["match_id"])
    authorize(caller, "talk.write", thing)
    refuse_room(caller, thing, row["room"], reading=True)
    work.do(SQL.reported, text=text, account=caller.account, reason=checks.cleaned(reason))
    return {"text": text, "accepted": True}


def reports(store: Store, caller: Caller, asked: Mapping[str, Any], cursor: Cursor, language: str) -> dict[str, Any]:
    """What waits for a moderator, the text that has waited longest first."""
    authorize(caller, "talk.moderate")
    after = cursor.read(asked.get("cursor"))
    rows = store.all(SQL.reports_waiting, after=after[0] if after else 0, most=asked["limit"] + 1)
    return cursor.page([(_told(row, language), (row["number"],)) for row in rows], asked["limit"])


def _told(row: Row, language: str) -> dict[str, Any]:
    words = checks.phrase(row["phrase"], language) if row["phrase"] else row["words"]
    return {"text": row["text_id"], "match": row["match_id"], "room": row["room"], "account": {name: row[name] for name in ("account", "name", "kind")},
            "at": at(row["at"]), "words": words, "hidden": row["hidden_at"] is not None, "silenced_until": at(row["silenced_until"]), "reports": row["reports"]}


def decide(work: Work, caller: Caller, text: str, kind: str, reason: str) -> dict[str, Any]:
    """Hidden, shown again, or left as it is; its reports are settled with it. The audit row says which text, never its words."""
    row = _text(work, text)
    authorize(caller, "talk.moderate")
    if match_thing(work, caller, row["match_id"]).mine:
        raise Problem("own_match")      # PL-155 also of those who keep order
    if kind != "keep":
        work.do(SQL.text_hidden, text=text, hidden=kind == "hide")
    work.do(SQL.reports_settled, text=text)
    audit(work, caller, f"talk.{kind}", text, reasoned(reason), after={"match": row["match_id"], "account": row["account"]})
    return {"text": text, "hidden": kind == "hide" or (kind == "keep" and row["hidden_at"] is not None)}


def silence(work: Work, caller: Caller, account: str, seconds: int, reason: str) -> dict[str, Any]:
    """For a time, everywhere; a new silence takes the place of the old one."""
    authorize(caller, "talk.moderate")
    if account == caller.account or work.one(SQL.account_by_id, account=account) is None:
        raise Problem("not_found")
    row = work.one(SQL.silenced, account=account, seconds=seconds)
    told = {"account": account, "until": at(row["until"]) if row else None}
    audit(work, caller, "account.silence", account, reasoned(reason), after=told)
    return told


def unsilence(work: Work, caller: Caller, account: str, reason: str) -> dict[str, Any]:
    """Taken back before its time."""
    authorize(caller, "talk.moderate")
    if not work.do(SQL.silence_ended, account=account):
        raise Problem("not_found")
    audit(work, caller, "account.unsilence", account, reasoned(reason))
    return {"account": account, "until": None}


def mask(work: Work, caller: Caller, account: str, reason: str) -> dict[str, Any]:
    """Everybody sees another name from now on, which nobody can choose; its holder still signs in by the old one."""
    authorize(caller, "talk.moderate")
    if account == caller.account or work.one(SQL.account_by_id, account=account) is None:
        raise Problem("not_found")
    name = f"player~{secrets.token_hex(4)}"
    if work.one(SQL.name_masked, account=account, name=name, key=name_key(name)) is None:
        raise Problem("wrong_state")
    audit(work, caller, "account.mask", account, reasoned(reason), after={"name": name})
    return {"account": account, "name": name}


def unmask(work: Work, caller: Caller, account: str, reason: str) -> dict[str, Any]:
    """The old name again."""
    authorize(caller, "talk.moderate")
    row = work.one(SQL.name_unmasked, account=account)
    if row is None:
        raise Problem("wrong_state")
    audit(work, caller, "account.unmask", account, reasoned(reason))
    return {"account": account, "name": row["name"]}


def _text(work: Work, text: str) -> Row:
    row = work.one(SQL.text_by_id, text=text)
    if row is None:
        raise Problem("not_found")
    return row
