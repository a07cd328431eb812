"""Has this request been made before, and what was its answer (PL-206 to PL-212, PL-182)?"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from psycopg import errors

from services.gateway.problems import Problem
from services.gateway.store import SQL, Store, Work

VISIBLE = re.compile(r"[\x21-\x7e]{1,128}")
REPLAYED = {"Idempotency-Replayed": "true"}


@dataclass(frozen=True, slots=True)
class Answer:
    """What a route says: `secret_of` names what was made if the body shows a secret, which is then never stored."""

    status: int
    body: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)
    secret_of: str | None = None


@dataclass(frozen=True, slots=True)
class Once:
    """What makes a request the same request: who, what, where, which key, and a hash of what it says."""

    who: str
    method: str
    path: str
    key: str
    body_hash: bytes


def key_of(header: str | None) -> str:
    """PL-206 The key, without surrounding quotes."""
    key = (header or "").strip()
    if len(key) >= 2 and key[0] == key[-1] == '"':
        key = key[1:-1]
    if VISIBLE.fullmatch(key) is None:
        raise Problem("key_missing")
    return key


def hash_of(canonical: bytes, sign_key: bytes) -> bytes:
    """Keyed, since a body may hold a password that a plain hash would let somebody guess."""
    return hmac.new(sign_key, canonical, hashlib.sha256).digest()


def once(store: Store, request: Once, keep_s: float, act: Callable[[Work], Answer]) -> tuple[Answer, Work | None]:
    """Carries out `act` in one transaction with the row of its key; a repeat gets the first answer, without a second effect."""
    facts = {"who": request.who, "method": request.method, "path": request.path, "key": request.key}
    with store.work() as work:
        work.one(SQL.patience)
        try:
            begun = work.do(SQL.key_taken, **facts, hash=request.body_hash, keep=keep_s)
        except (errors.LockNotAvailable, errors.QueryCanceled) as error:    # PL-210 the first one is still under way
            raise Problem("key_in_use", retry_after=1) from error
        if not begun:
            return _again(work, request, facts), None
        answer = act(work)
        stored = answer.secret_of is None
        work.do(SQL.key_answered, **facts, status=answer.status, headers=json.dumps(dict(answer.headers)),
                body=json.dumps(answer.body) if stored else None, secret=answer.secret_of)
    return answer, work


def _again(work: Work, request: Once, facts: Mapping[str, Any]) -> Answer:
    row = work.one(SQL.key_seen, **facts)
    if row is None:     # its time ended this very moment
        raise Problem("key_in_use", retry_after=1)
    if not hmac.compare_digest(bytes(row["body_hash"]), request.body_hash):
        raise Problem("key_reused")
    if row["secret_of"] is not None:
        raise Problem("secret_shown_once", id=row["secret_of"])
    return Answer(row["status"], json.loads(row["body"]), {**row["headers"], **REPLAYED})
