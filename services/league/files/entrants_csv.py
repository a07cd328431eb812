"""Who is to be entered, by a file of comma-separated lines?"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from services.league.refusals import Refused

HEADER = ("account", "name", "team", "club", "country", "rating", "seed", "given_byes")


RATING = re.compile(r"-?[0-9]{1,6}(\.[0-9]{1,4})?")      # no powers: a short cell must not become a huge number
Fault = Callable[[], None]


class Entry(NamedTuple):
    """One line of the file."""

    account: str
    name: str = ""
    team: str = ""
    club: str = ""
    country: str = ""
    rating: Fraction | None = None
    seed: int | None = None
    given_byes: tuple[int, ...] = ()        # the rounds for which a bye was asked


class Change(NamedTuple):
    """LG-983 What an import would do."""

    new: tuple[Entry, ...]
    changed: tuple[Entry, ...]


def read(raw: bytes) -> tuple[Entry, ...]:
    """LG-981, LG-982 All lines, or `bad_file` that names every faulty line and column."""
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Refused("bad_file", "the file is not UTF-8", [f"byte {error.start}"]) from error
    lines = rows(text)
    header = [cell.strip() for cell in lines[0]] if lines else []
    unknown = [f"line 1, column {at}: {cell!r} is not known" for at, cell in enumerate(header, start=1) if cell not in HEADER]
    if unknown or "account" not in header or len(set(header)) < len(header):
        raise Refused("bad_file", "the first line must name the columns", unknown or ["line 1, column 1: each column once, with account"])
    faults: list[str] = []
    entries = [_entry(dict(zip(header, line, strict=False)), at, (header, line), faults) for at, line in enumerate(lines[1:], start=2) if line]
    _check(entries, faults)
    if faults:
        raise Refused("bad_file", "the file does not fit", faults)
    return tuple(entries)


def rows(text: str) -> list[list[str]]:
    """Lines may end in any of the usual ways."""
    try:
        return list(csv.reader(io.StringIO(text, newline="")))
    except csv.Error as error:
        raise Refused("bad_file", "the file has no comma-separated lines", [str(error)]) from error


def accounts(text: str) -> frozenset[str]:
    """Whom a file names, in whichever column; none of a file that cannot be read."""
    try:
        head, *lines = rows(text.removeprefix("\ufeff")) or [[]]
    except Refused:
        return frozenset()
    at = next((at for at, cell in enumerate(head) if cell.strip() == "account"), None)
    return frozenset(line[at].strip() for line in lines if at is not None and at < len(line))


def _entry(cells: Mapping[str, str], at: int, line: tuple[Sequence[str], Sequence[str]], faults: list[str]) -> Entry:
    header, given = line
    if len(given) != len(header):
        faults.append(f"line {at}, column {min(len(given), len(header)) + 1}: {len(given)} cells for {len(header)} columns")
    known = {name: cells.get(name, "").strip() for name in HEADER}

    def fault(name: str) -> None:
        faults.append(f"line {at}, column {header.index(name) + 1}: {known[name]!r} is not a {name}")

    if not known["account"]:
        fault("account")
    account, name, team, club, country = (known[column] for column in HEADER[:5])
    return Entry(account, name, team, club, country, _rating(known["rating"], lambda: fault("rating")),
                 _seed(known["seed"], lambda: fault("seed")), _rounds(known["given_byes"], lambda: fault("given_byes")))


def _rating(cell: str, fault: Fault) -> Fraction | None:
    if cell and not RATING.fullmatch(cell):
        fault()
        return None
    return Fraction(cell) if cell else None


def _seed(cell: str, fault: Fault) -> int | None:
    if cell and not (cell.isascii() and cell.isdigit() and int(cell)):
        fault()
        return None
    return int(cell) if cell else None


def _rounds(cell: str, fault: Fault) -> tuple[int, ...]:
    parts = cell.split()
    if any(not (part.isascii() and part.isdigit() and int(part)) for part in parts):
        fault()
        return ()
    return tuple(sorted({int(part) for part in parts}))


def _check(entries: Sequence[Entry], faults: list[str]) -> None:
    """Everybody once, and every seed once."""
    for name in ("account", "seed"):
        seen = set()
        for at, entry in enumerate(entries, start=2):
            value = getattr(entry, name)
            if value and value in seen:
                faults.append(f"line {at}: {name} {value} is there twice")
            seen.add(value)


def merged(known: Iterable[Entry], entries: Iterable[Entry], *, update: bool) -> Change:
    """LG-983 The same again changes nothing; other values are a conflict unless they are meant."""
    by_account = {entry.account: entry for entry in known}
    listed = list(entries)
    changed = [entry for entry in listed if entry.account in by_account and by_account[entry.account] != entry]
    if changed and not update:
        raise Refused("bad_file", "the file says other things than were entered", [entry.account for entry in changed])
    return Change(tuple(entry for entry in listed if entry.account not in by_account), tuple(changed))
