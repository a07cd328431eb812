"""Where does a list go on? Opaque signed cursors that fit one list of one caller (PL-214)."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
from collections.abc import Mapping, Sequence
from typing import Any

from services.gateway.problems import Problem

TAG = 12
IGNORED = frozenset({"cursor", "limit"})


class Cursor:
    """The cursor of one list: its path, its filters and who reads it are part of the signature."""

    def __init__(self, sign_key: bytes, name: str, reader: str | None, asked: Mapping[str, Any]) -> None:
        filters = sorted((key, str(value)) for key, value in asked.items() if key not in IGNORED)
        self._context = json.dumps([name, reader, filters]).encode()
        self._key = sign_key

    def write(self, place: Sequence[Any]) -> str:
        said = json.dumps(place).encode()
        return base64.urlsafe_b64encode(self._tag(said) + said).decode().rstrip("=")

    def read(self, written: str | None) -> list[Any] | None:
        if written is None:
            return None
        try:
            whole = base64.b64decode(written + "=" * (-len(written) % 4), altchars=b"-_", validate=True)
        except (binascii.Error, ValueError) as error:
            raise Problem("bad_cursor") from error
        if not hmac.compare_digest(whole[:TAG], self._tag(whole[TAG:])):
            raise Problem("bad_cursor")
        place: list[Any] = json.loads(whole[TAG:])
        return place

    def page(self, rows: Sequence[tuple[Any, Sequence[Any]]], limit: int) -> dict[str, Any]:
        """`items` and `next`, from one row more than asked for, each with its place."""
        shown = rows[:limit]
        return {"items": [item for item, _ in shown], "next": self.write(shown[-1][1]) if len(rows) > limit else None}

    def _tag(self, said: bytes) -> bytes:
        return hmac.new(self._key, self._context + b"\0" + said, hashlib.sha256).digest()[:TAG]
