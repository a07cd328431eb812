"""How does somebody show twice who they are? A password, and a code of the half minute from a device of theirs (PL-126)."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as NotEncoded
from datetime import timedelta
from pathlib import Path
from typing import Any

import pyotp
import segno

from services.gateway import accounts
from services.gateway.edge.gate import Gate
from services.gateway.problems import Problem, fault
from services.gateway.rights import Caller
from services.gateway.store import SQL as ROWS
from services.gateway.store import Work
from shared.runtime.outward import seal, unseal
from shared.runtime.settings import Settings
from shared.runtime.store import Queries, Row

SQL = Queries(Path(__file__).with_name("second_factor.sql"))
ISSUER = "Cupboard"
STEP_S, NEARBY = 30, (0, -1, 1)         # RFC 6238: a clock may be half a minute wrong, and so may be whoever types
HALFWAY = timedelta(minutes=5)          # between password and code
LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"
RECOVERY_CODES, GROUPS, GROUP = 10, 4, 4
ALREADY = "The second factor is on already; switch it off first."


# Signing in ------------------------------------------------------------------------------------------------------------


def demand(gate: Gate, row: Row, code: str | None) -> None:
    """After the password: returns if the account has no second factor, or if the code is good; it is then spent."""
    if row["second_factor"] != "on":
        return
    if code is None:
        raise Problem("code_needed", begun=_halfway(gate, row))
    spend(gate, row["account_id"], code)


def resumed(gate: Gate, begun: str, code: str) -> Row:
    """The second step alone, with what the first one gave: the account, if the code is good."""
    account, version = _read_halfway(gate, begun)
    row = gate.store.one(ROWS.account_by_id, account=account)
    if row is None or row["version"] != version:
        raise Problem("bad_credentials")
    if row["suspended_at"] is not None:
        raise Problem("suspended")
    spend(gate, account, code)
    return row


def spend(gate: Gate, account: str, code: str) -> None:
    """PL-125 Tries are limited as those of a password are, but from wherever they come: only who knows the password gets here."""
    with gate.store.work() as work:
        problem = _tried(work, gate, account, code)
    if problem is not None:     # the failure is on disk before it is told
        raise problem


def _tried(work: Work, gate: Gate, account: str, code: str) -> Problem | None:
    row = work.one(SQL.factor_locked, account=account)
    if row is None:
        return Problem("not_found")
    tries = {"name_key": f"code of {account}", "address": ""}
    lately = work.one(ROWS.sign_in_failures_lately, **tries, minutes=accounts.MINUTES)
    if lately is not None and lately["failures"] >= accounts.FAILURES:
        return Problem("rate_limited", retry_after=max(1, int(lately["wait_s"])))
    if _fits(work, gate, account, row, code):
        work.do(ROWS.sign_in_failures_forgotten, **tries)
        return None
    work.one(ROWS.sign_in_failed, **tries)
    return Problem("code_needed", errors=[fault("/one_time_code", "this code is wrong, too old, or has been used")])


def _fits(work: Work, gate: Gate, account: str, row: Row, code: str) -> bool:
    """A code works once: the half minute it belongs to is later than that of any code used before."""
    plain = "".join(code.split()).replace("-", "").lower()
    if not (plain.isascii() and plain.isdigit()):
        return bool(work.do(SQL.recovery_code_spent, account=account, hash=_hash(plain)))
    totp = pyotp.TOTP(_secret(gate.settings, account, row["secret"]))
    now = int(gate.clock.now().timestamp()) // STEP_S
    fitting = [now + away for away in NEARBY if hmac.compare_digest(totp.generate_otp(now + away), plain)]
    if not fitting or fitting[0] <= row["last_step"]:
        return False
    work.do(SQL.step_spent, account=account, step=fitting[0])
    return True


def _halfway(gate: Gate, row: Row) -> str:
    """Says, for five minutes, that the password was right: no substitute for the code, and void once the password has changed."""
    told = f"{row['account_id']} {row['version']} {int((gate.clock.now() + HALFWAY).timestamp())}".encode()
    return urlsafe_b64encode(told + _signed(gate, told)).decode()


def _read_halfway(gate: Gate, begun: str) -> tuple[str, int]:
    try:
        raw = urlsafe_b64decode(begun.encode("ascii"))
    except (NotEncoded, ValueError) as error:
        raise Problem("bad_credentials") from error
    told, signed = raw[:-32], raw[-32:]
    if not hmac.compare_digest(_signed(gate, told), signed):
        raise Problem("bad_credentials")
    account, version, until = told.decode().split()
    if int(until) < gate.clock.now().timestamp():
        raise Problem("bad_credentials")
    return account, int(version)


def _signed(gate: Gate, told: bytes) -> bytes:
    return hmac.digest(gate.sign_key, b"halfway|" + told, "sha256")


# Setting it up, and being rid of it ----------------------------------------------------------------------------------------


def standing(gate: Gate, caller: Caller) -> dict[str, Any]:
    """Whether it is on, off, or needed for the account's roles to count."""
    row = gate.store.one(SQL.factor_of, account=caller.id) or {"on_since": None, "recovery_codes": 0}
    return {"second_factor": accounts.me(gate.store, caller)["second_factor"], "on_since": accounts.at(row["on_since"]),
            "recovery_codes": row["recovery_codes"]}


def begin(gate: Gate, caller: Caller, password: str) -> dict[str, Any]:
    """A new secret, shown this once; it counts from the first code on."""
    row = accounts.known(gate.store, caller.name, password, caller.address)
    secret = pyotp.random_base32()
    with gate.store.work() as work:
        if not work.do(SQL.factor_begun, account=caller.id, secret=seal(gate.settings, _whose(caller.id), secret.encode())):
            raise Problem("already_decided", sentence=ALREADY)
    return told_secret(row["name"], secret)


def told_secret(name: str, secret: str) -> dict[str, Any]:
    """The secret as devices read it: by hand, by an address, by a picture."""
    address = pyotp.TOTP(secret).provisioning_uri(name=name, issuer_name=ISSUER)
    return {"secret": secret, "address": address, "picture": segno.make(address, error="m").svg_inline(scale=4, border=4, light="#fff", dark="#000", omitsize=True)}


def confirm(gate: Gate, caller: Caller, code: str, agent: str) -> tuple[list[str], str]:
    """The first code: from now on it is asked for; the recovery codes, and a new session in the place of all others (PL-129)."""
    row = gate.store.one(SQL.factor_of, account=caller.id)
    if row is None or row["on_since"] is not None:
        raise Problem("already_decided", sentence=ALREADY) if row else Problem("not_found")
    spend(gate, caller.id, code)
    with gate.store.work() as work:
        if not work.do(SQL.factor_on, account=caller.id):
            raise Problem("already_decided", sentence=ALREADY)
        return _new_codes(work, caller.id), _renewed(work, caller.id, agent)


def codes_again(gate: Gate, caller: Caller, password: str, code: str) -> list[str]:
    """Ten new recovery codes; those before work no longer."""
    _prove_both(gate, caller, password, code)
    with gate.store.work() as work:
        return _new_codes(work, caller.id)


def end(gate: Gate, caller: Caller, password: str, code: str, agent: str) -> str:
    """Off: takes password and code, and ends every other session."""
    _prove_both(gate, caller, password, code)
    with gate.store.work() as work:
        forget(work, caller.id)
        return _renewed(work, caller.id, agent)


def forget(work: Work, account: str) -> bool:
    """Everything of it; whether there was one."""
    work.do(SQL.recovery_codes_gone, account=account)
    return bool(work.do(SQL.factor_gone, account=account))


def _prove_both(gate: Gate, caller: Caller, password: str, code: str) -> None:
    row = accounts.known(gate.store, caller.name, password, caller.address)
    if row["second_factor"] != "on":
        raise Problem("not_found")
    spend(gate, caller.id, code)


def _renewed(work: Work, account: str, agent: str) -> str:
    work.do(ROWS.sessions_forgotten, account=account)
    return accounts.new_session(work, account, agent)


def _new_codes(work: Work, account: str) -> list[str]:
    """Each has 80 random bits, so that a plain hash keeps it."""
    work.do(SQL.recovery_codes_gone, account=account)
    codes = ["-".join("".join(secrets.choice(LETTERS) for _ in range(GROUP)) for _ in range(GROUPS)) for _ in range(RECOVERY_CODES)]
    for code in codes:
        work.do(SQL.recovery_code_made, account=account, hash=_hash(code.replace("-", "")))
    return codes


def _hash(plain: str) -> bytes:
    return hashlib.sha256(plain.encode()).digest()


def _secret(settings: Settings, account: str, stored: bytes) -> str:
    return unseal(settings, _whose(account), bytes(stored)).decode()


def _whose(account: str) -> str:
    """PL-817 What the encrypted secret is bound to."""
    return f"second factor of {account}"

