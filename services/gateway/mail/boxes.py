"""Which address is confirmed, what comes by mail and when not, and how is a lost password found again (PL-576, PL-577, PL-140)?"""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Mapping
from typing import Any

from services.gateway import accounts
from services.gateway.problems import Problem
from services.gateway.rights import Caller
from services.gateway.store import SQL, Store, Work
from shared.runtime.outward import seal
from shared.runtime.settings import Settings

# What can come by mail: the kinds of notices, and that it is one's turn.
KINDS = ("your_turn", "answer_due", "pairing_published", "match_started", "deadline_near", "result_recorded", "correction", "withdrawn", "opened_view",
         "hook_paused")
AN_HOUR = {"confirm": 5, "reset": 3}    # mails of a kind for one account or to one address; whoever wants more, waits
STOP = re.compile(r"([\w-]{20,60})\.(\w{1,40})")
HOUR_S = 3_600


def is_on(settings: Settings) -> bool:
    return bool(settings.mail_from)


def told(store: Store | Work, account: str) -> dict[str, Any]:
    """What an account has chosen, beside its other settings."""
    row = store.one(SQL.mailbox_of, account=account)
    if row is None:
        raise Problem("not_found")
    quiet = None if row["quiet_from"] is None else {"from": _written(row["quiet_from"]), "to": _written(row["quiet_to"])}
    return {"mail_confirmed": row["confirmed"], "quiet_hours": quiet, "notices": {"mail": [kind for kind in KINDS if kind in row["kinds"]]}}


def guard(work: Work, caller: Caller, settings: Settings, wish: Mapping[str, Any]) -> bool:
    """Whether there is a new address, to which links that open the account will go: it takes a browser and the password."""
    row = work.one(SQL.account_by_id, account=caller.id)
    if row is None or wish.get("mail") is None or wish["mail"] == row["mail"] or not is_on(settings):
        return False
    if caller.session is None:
        raise Problem("not_allowed")
    if row["password_hash"] is not None and not accounts.fits(wish.get("old_password", ""), row["password_hash"]):
        raise Problem("bad_credentials")
    return True


def change(work: Work, account: str, wish: Mapping[str, Any]) -> None:
    """PL-576 Kinds, and quiet hours by the clocks of the account's zone."""
    if not {"quiet_hours", "notices"} & wish.keys():
        return
    row = work.one(SQL.mailbox_of, account=account)
    if row is None:
        raise Problem("not_found")
    begins, ends = row["quiet_from"], row["quiet_to"]
    if "quiet_hours" in wish:
        quiet = wish["quiet_hours"]
        begins, ends = (None, None) if quiet is None else (_minutes(quiet["from"]), _minutes(quiet["to"]))
    kinds = wish["notices"]["mail"] if "notices" in wish else row["kinds"]
    work.do(SQL.mailbox_changed, account=account, kinds=sorted(set(kinds)), quiet_from=begins, quiet_to=ends, stop_code=_new_code())


def ask_to_confirm(work: Work, account: str, settings: Settings) -> bool:
    """A link to the account's address; False where that has had its share of them."""
    row = work.one(SQL.mailbox_of, account=account)
    if not is_on(settings) or row is None or row["mail"] is None or row["confirmed"] or not _may(work, "confirm", account, row["mail"]):
        return False
    code = _new_code()
    work.do(SQL.mailbox_asked, account=account, hash=_hash(code), mail=row["mail"], stop_code=_new_code())
    _owe(work, account, "confirm", code, settings)
    return True


def ask_again(work: Work, caller: Caller, settings: Settings) -> None:
    if not is_on(settings):
        raise Problem("not_found")
    if not ask_to_confirm(work, caller.id, settings) and not told(work, caller.id)["mail_confirmed"]:
        raise Problem("rate_limited", retry_after=HOUR_S)


def confirm(work: Work, code: str) -> None:
    if work.one(SQL.mailbox_confirmed, hash=_hash(code)) is None:
        raise Problem("link_used")


def stop(work: Work, code: str) -> None:
    """RFC 8058 No more mails of that kind, whoever is signed in; twice is the same as once."""
    parts = STOP.fullmatch(code)
    if parts is None or parts[2] not in KINDS or work.one(SQL.mailbox_stopped, stop_code=parts[1], kind=parts[2]) is None:
        raise Problem("not_found")


def send_reset(work: Work, settings: Settings, name: str | None, mail: str | None) -> bool:
    """PL-140 A link to each confirmed address that is meant; the asker is never told whether there is one."""
    if not is_on(settings):
        return False
    found = work.all(SQL.accounts_to_reset, name_key=accounts.name_key(name) if name else None, mail=mail)
    for row in found:
        if _may(work, "reset", row["account_id"], row["mail"]):
            _owe(work, row["account_id"], "reset", accounts.new_reset(work, row["account_id"]), settings)
    return bool(found)


def _owe(work: Work, account: str, kind: str, code: str, settings: Settings) -> None:
    """The code waits encrypted, for the relay alone."""
    work.do(SQL.mail_owed, account=account, kind=kind, sealed=seal(settings, f"mail {account}", code.encode()))


def _may(work: Work, kind: str, account: str, mail: str) -> bool:
    row = work.one(SQL.mails_lately, kind=kind, account=account, mail=mail)
    return row is not None and row["mails"] < AN_HOUR[kind]


def _new_code() -> str:
    return secrets.token_urlsafe(24)


def _hash(code: str) -> bytes:
    return hashlib.sha256(code.encode()).digest()


def _minutes(written: str) -> int:
    return int(written[:2]) * 60 + int(written[3:])


def _written(minutes: int) -> str:
    return f"{minutes // 60:02}:{minutes % 60:02}"
