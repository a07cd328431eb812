"""What does a mail say? Short and plain text in the reader's language, links, and nothing that is not for everybody at the table."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from email.message import EmailMessage
from email.policy import EmailPolicy
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from shared.runtime.settings import Settings
from shared.runtime.store import Row

WORDS: Mapping[str, Any] = tomllib.loads(Path(__file__).with_name("words.toml").read_text("utf-8"))
ASKED_FOR = ("confirm", "reset")        # what somebody waits for: neither stopped nor held back
SHOWN = 20                              # questions in one mail
WHOLE = {"list-unsubscribe", "message-id"}      # headers that other programs read letter by letter


class Unfolded(EmailPolicy):
    """As the standard library writes mails, but for long addresses in headers, which it would encode."""

    def fold(self, name: str, value: str) -> str:
        return f"{name}: {value}{self.linesep}" if name.lower() in WHOLE else super().fold(name, value)

    def fold_binary(self, name: str, value: str) -> bytes:
        return self.fold(name, value).encode("ascii") if name.lower() in WHOLE else super().fold_binary(name, value)


POLICY = Unfolded(linesep="\r\n")


def letter(settings: Settings, mail: Row, reader: Row, code: str = "", turns: Sequence[Row] = ()) -> EmailMessage:
    """The same mail for the same row: its Message-ID tells a second copy from a second mail."""
    words = WORDS.get(reader["language"], WORDS["en"])
    made = EmailMessage(policy=POLICY)
    made["From"] = settings.mail_from
    made["To"] = reader["code_for"] if mail["kind"] == "confirm" else reader["address"]
    made["Subject"] = subject(words[mail["kind"]], reader, turns)
    made["Date"] = mail["made_at"]
    made["Message-ID"] = f"<{mail['mail_id']}@{urlsplit(settings.origin).hostname}>"
    made["Auto-Submitted"] = "auto-generated"
    foot = [words["foot"].format(site=settings.origin)]
    if mail["kind"] not in ASKED_FOR:
        stop = f"{settings.origin}/mail/stop/{reader['stop_code']}.{mail['kind']}"
        made["List-Unsubscribe"] = f"<{stop}>"
        made["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
        foot = [words["stop"].format(address=stop), words["settings"].format(address=f"{settings.origin}/account"), *foot]
    said = [words["hello"].format(name=reader["name"]), *_said(settings, words[mail["kind"]], {**reader, "kind": mail["kind"], "code": code}, turns)]
    made.set_content("\n\n".join([*said, "-- \n" + "\n".join(foot)]) + "\n", cte="quoted-printable")
    made["Content-Language"] = reader["language"]
    return made


def subject(words: Mapping[str, str], reader: Row, turns: Sequence[Row]) -> str:
    plain = words["several"].format(count=len(turns)) if len(turns) > 1 else words["subject"]
    return f"{plain}: {one_line(reader['competition'])}" if reader["competition"] else plain


def _said(settings: Settings, words: Mapping[str, str], reader: Row, turns: Sequence[Row]) -> list[str]:
    match reader["kind"]:
        case "confirm":
            return [words["text"].format(name=reader["name"]), f"{settings.origin}/mail/confirm/{reader['code']}", words["after"]]
        case "reset":
            return [words["text"].format(name=reader["name"]), f"{settings.origin}/reset/{reader['code']}", words["after"]]
        case "your_turn":
            more = [words["more"].format(count=len(turns) - SHOWN, address=f"{settings.origin}/my")] if len(turns) > SHOWN else []
            return [words["text"], *(_turn(settings, words, one, reader["zone"]) for one in turns[:SHOWN]), *more]
        case _:
            return [_sentence(words, reader), *_links(settings, reader)]


def _turn(settings: Settings, words: Mapping[str, str], one: Row, zone: str) -> str:
    line = words["open_end"].format(title=one["title"]) if one["due_at"] is None else words["turn"].format(title=one["title"], due=moment(one["due_at"], zone))
    return f"{line}\n{settings.origin}/matches/{one['match']}"


def _sentence(words: Mapping[str, str], reader: Row) -> str:
    facts = reader["facts"] or {}
    if facts.get("bye") and "bye" in words and "round" in facts:
        return words["bye"].format(round=facts["round"])
    deadline = facts.get("deadline")
    return words["text"].format(deadline=moment(datetime.fromtimestamp(deadline / 1000, UTC), reader["zone"]) if deadline else "")


def _links(settings: Settings, reader: Row) -> list[str]:
    """LG-168 The match that counts, and the competition it belongs to."""
    match = [f"{settings.origin}/matches/{reader['match']}"] if reader["match"] else []
    if not reader["competition_id"]:
        return match
    return [*match, f"{one_line(reader['competition'])}\n{settings.origin}/{reader['competition_kind']}s/{reader['competition_id']}"]


def one_line(name: str) -> str:
    return " ".join(name.split())


def moment(at: datetime, zone: str) -> str:
    return f"{at.astimezone(zone_of(zone)):%Y-%m-%d %H:%M} ({zone})"


def zone_of(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ValueError, KeyError, OSError):      # the time tables of this machine know fewer zones
        return ZoneInfo("UTC")
