"""What can go wrong, in a closed list of codes, and how is it told (PL-204, PL-205)?"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

LANGUAGES = ("en", "it")
MEDIA = "application/problem+json"
# PL-213: the code of a stale command also names a stale resource, which HTTP gives a status of its own.
STALE_RESOURCE = 412


@dataclass(frozen=True, slots=True)
class Code:
    """One line of the list: what a code means, in every language."""

    name: str
    status: int
    titles: Mapping[str, str]
    texts: Mapping[str, str]


def _codes() -> dict[str, Code]:
    rows = tomllib.loads((Path(__file__).parent / "words" / "problems.toml").read_text("utf-8"))
    return {
        name: Code(name, row["status"], {one: row[one][0] for one in LANGUAGES}, {one: row[one][1] for one in LANGUAGES})
        for name, row in rows.items()
    }


CODES: Mapping[str, Code] = _codes()
# Every route can answer these.
GENERAL = (
    "malformed", "invalid", "media_type", "too_large", "not_signed_in", "bad_token", "scope_missing", "suspended", "csrf",
    "not_allowed", "not_found", "key_missing", "key_reused", "key_in_use", "rate_limited", "quota", "token_in_url", "unavailable",
    "fate_unknown", "draining", "internal",
)


class Problem(Exception):
    """Why a request is not carried out; `facts` become members of the answer and fill the words of its detail."""

    def __init__(self, code: str, *, errors: Sequence[Mapping[str, Any]] = (), status: int | None = None,
                 retry_after: int | None = None, **facts: Any) -> None:
        super().__init__(code)
        self.code = CODES[code]
        self.errors = tuple(errors)
        self.status = status or self.code.status
        self.retry_after = retry_after
        self.headers: dict[str, str] = {}
        self.facts = facts if retry_after is None else {"retry_after": retry_after, **facts}

    @property
    def name(self) -> str:
        return self.code.name

    def title(self, language: str = "en") -> str:
        return self.code.titles[language]

    def detail(self, language: str = "en") -> str:
        return self.code.texts[language].format_map(_Facts(self.facts))

    def body(self, instance: str, request_id: str, language: str = "en") -> dict[str, Any]:
        """RFC 9457, with the members of PL-204."""
        told: dict[str, Any] = {
            "type": f"/problems/{self.name}", "title": self.title(language), "status": self.status,
            "detail": self.detail(language), "instance": instance, "code": self.name, "request_id": request_id,
        }
        if self.errors:
            told["errors"] = list(self.errors)
        return {**told, **{name: fact for name, fact in self.facts.items() if name not in told}}


class _Facts(dict[str, Any]):
    def __missing__(self, name: str) -> str:
        return "…"

    def __getitem__(self, name: str) -> Any:
        value = super().__getitem__(name)
        return ", ".join(map(str, value)) if isinstance(value, list | tuple) else value


def fault(pointer: str, detail: str, **more: Any) -> dict[str, Any]:
    """One entry of `errors`: a JSON pointer and what is wrong there."""
    return {"pointer": pointer, "detail": detail, **more}


def invalid(pointer: str, detail: str) -> Problem:
    """One field that is not as it should be."""
    return Problem("invalid", errors=[fault(pointer, detail)])


def spoken(wish: str) -> str:
    """The language of an Accept-Language header that fits best; English where none does."""
    wanted = []
    for position, part in enumerate(wish.split(",")):
        tag, _, weight = part.strip().partition(";q=")
        wanted.append((-_weight(weight), position, tag.split("-")[0].lower()))
    return next((tag for weight, _, tag in sorted(wanted) if weight and tag in LANGUAGES), LANGUAGES[0])


def _weight(written: str) -> float:
    try:
        return float(written or 1)
    except ValueError:
        return 0.0
