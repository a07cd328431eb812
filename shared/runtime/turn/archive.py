"""Where do the rows of a match go some time after its end, and how do they come back? Into one compressed file each (PL-257)."""

from __future__ import annotations

import base64
import functools
import gzip
import hashlib
import hmac
import os
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from shared.runtime.settings import Settings
from shared.runtime.store import Database, Row, Transaction, Unavailable
from shared.runtime.turn import seeds
from shared.runtime.turn.writing import SQL

OPENED = 16     # files that a process keeps at hand


class ArchiveAway(Unavailable):
    """The file of a match is not where it should be, or is not the one that was written."""


class Shown(msgspec.Struct, frozen=True):
    """What readers may be given of a file; steps and state beside it are sealed, since lasting secrets are among them."""

    match: str
    step: int
    views: dict[str, Any]
    letters: list[dict[str, Any]]
    sealed: str

    def letters_of(self, reader: int, after: int, most: int) -> list[Row]:
        """As the queries of the same name: `reader` 0 stands for the letters without masks."""
        later = (letter for letter in self.letters if letter["step"] > after)
        return [{"step": letter["step"], "body": letter["bodies"][reader - 1] if reader else letter["open"]} for letter, _ in zip(later, range(most), strict=False)]


def archive_ripe(database: Database, settings: Settings, games: Sequence[tuple[str, int]], most: int = 20) -> int:
    """Moves the longest ended matches of these games and versions; how many."""
    return sum(
        archive(database, settings, row["match_id"])
        for game, version in games
        for row in database.all(SQL.ripe, game=game, version=version, kept=settings.letters_kept, most=most)
    )


def archive(database: Database, settings: Settings, match_id: str) -> bool:
    """PL-257 The file is written and on disk before any row goes; repeated, it writes the same file or finds nothing to do."""
    with database.transaction() as transaction:
        if transaction.do(SQL.lock_free, match_id=match_id) == 0:
            return False    # somebody is at it
        found = transaction.one(SQL.rows_to_archive, match_id=match_id)
        if found is None:
            return False
        written = _packed(settings, match_id, found)
        digest = hashlib.sha256(written).hexdigest()
        location = f"{match_id}.{digest[:16]}.json.gz"
        _write_down(folder_of(settings), location, written)
        moved = transaction.one(SQL.archive_rows, match_id=match_id, step=found["step"], location=location, hash=digest, size=len(written))
        return moved is not None and bool(moved["moved"])


def bring_back(transaction: Transaction, settings: Settings, match_id: str) -> None:
    """The rows as they were, for whoever holds the match's lock: a finished match may still be voided (PL-248). The file stays."""
    place = transaction.one(SQL.archive_of, match_id=match_id)
    if place is None:
        return
    shown = opened(folder_of(settings), place["location"], place["hash"])
    kept = _kept(settings, shown)
    transaction.do(SQL.bring_back_rows, letters=_text(shown.letters), steps=_text(kept["steps"]))
    transaction.do(SQL.bring_back_views, match_id=match_id, views=_text(shown.views))
    transaction.do(SQL.bring_back_state, match_id=match_id, match=kept["match"], house=kept["house"])


def steps_of(database: Database, settings: Settings, match_id: str) -> list[Row]:
    """The steps of an archived match as the table would give them; none where it is not archived."""
    place = database.one(SQL.archive_of, match_id=match_id)
    if place is None:
        return []
    steps: list[Row] = _kept(settings, opened(folder_of(settings), place["location"], place["hash"]))["steps"]
    hashes = ("salt", "state_hash", "chain")
    return [step | {name: bytes.fromhex(step[name].removeprefix("\\x")) for name in hashes} for step in steps]


def folder_of(settings: Settings) -> Path:
    return Path(settings.archive_folder or Path(settings.folder) / "archive")


@functools.lru_cache(maxsize=OPENED)
def opened(folder: Path, location: str, digest: str) -> Shown:
    """A file that is what it was when it was written; else ArchiveAway."""
    try:
        written = (folder / location).read_bytes()
    except OSError as error:
        raise ArchiveAway(f"{location}: {type(error).__name__}") from error
    if hashlib.sha256(written).hexdigest() != digest:
        raise ArchiveAway(f"{location} is not what was written")
    return msgspec.json.decode(gzip.decompress(written), type=Shown)


def _packed(settings: Settings, match_id: str, found: Row) -> bytes:
    kept = zlib.compress(f'{{"match":{found["match"]},"house":{found["house"]},"steps":{found["steps"]}}}'.encode())
    sealed = base64.b64encode(_sealed(settings, match_id, kept)).decode()
    shown = f'{{"match":"{match_id}","step":{found["step"]},"views":{found["views"]},"letters":{found["letters"]},"sealed":"{sealed}"}}'
    return gzip.compress(shown.encode(), mtime=0)


def _sealed(settings: Settings, match_id: str, kept: bytes) -> bytes:
    """Under the master key; the nonce comes of what is sealed, so that a repeat writes the same bytes and no nonce serves twice."""
    key = seeds.key_for(settings, "archive")
    nonce = hmac.digest(key, match_id.encode() + kept, "sha256")[:12]
    return nonce + AESGCM(key).encrypt(nonce, kept, match_id.encode())


def _kept(settings: Settings, shown: Shown) -> dict[str, Any]:
    raw = base64.b64decode(shown.sealed)
    kept = AESGCM(seeds.key_for(settings, "archive")).decrypt(raw[:12], raw[12:], shown.match.encode())
    read: dict[str, Any] = msgspec.json.decode(zlib.decompress(kept))
    return read


def _write_down(folder: Path, name: str, written: bytes) -> None:
    """Whole or not at all: under another name first, then on disk, then under its own, and that on disk as well."""
    folder.mkdir(parents=True, exist_ok=True)
    unfinished = folder / f".{name}.{os.getpid()}"
    with unfinished.open("wb") as file:
        file.write(written)
        file.flush()
        os.fsync(file.fileno())
    unfinished.replace(folder / name)
    directory = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(directory)
    finally:
        os.close(directory)


def _text(rows: Any) -> str:
    return msgspec.json.encode(rows).decode()
