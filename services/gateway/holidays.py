"""When does an account rest from its matches by correspondence, and how much of that is left this year (PL-504)?"""

from __future__ import annotations

from typing import Any

from services.gateway.accounts import at
from services.gateway.problems import Problem, invalid
from services.gateway.store import SQL, Store, Work
from shared.runtime.store import Row
from shared.runtime.turn.hours import days_after, local, ms_of


def told(store: Store | Work, account: str, yearly: int) -> dict[str, Any]:
    """The holiday that lasts, if one does, and the days that are left of this year's, by the account's own calendar."""
    row = _known(store, account)
    begins, ends = (row["begins_at"], row["ends_at"]) if row["lasts"] else (None, None)
    return {"holidays": {"days": yearly, "left": _left(row, yearly), "begins_at": at(begins), "ends_at": at(ends)}}


def change(work: Work, account: str, days: int, yearly: int) -> None:
    """So many days from now on, or none: the holiday that lasts ends now. Its matches hear of it in the same transaction."""
    row = _known(work, account)
    if row["kind"] != "person":
        raise Problem("not_allowed")
    if row["lasts"] == (days > 0):
        raise Problem("wrong_state")
    if days > _left(row, yearly):
        raise invalid("/holidays/days", f"of this year's days so many are left: {_left(row, yearly)}")
    begins = row["now"] if days else row["begins_at"]
    ends = days_after(ms_of(begins), days, _zone(row)) if days else ms_of(row["now"])
    work.do(SQL.holiday_set, account=account, begins=begins, ends=ends, days=days or _begun(row), year=local(ms_of(begins), _zone(row)).year)
    for match in work.all(SQL.holiday_told, account=account, at=row["now"], ends=ends):
        work.bells.append((match["game"], match["version"], match["match_id"], match["arrival"]))


def _known(store: Store | Work, account: str) -> Row:
    row = store.one(SQL.holidays_of, account=account)
    if row is None:
        raise Problem("not_found")
    return row


def _left(row: Row, yearly: int) -> int:
    taken = row["taken"].get(str(local(ms_of(row["now"]), _zone(row)).year), 0)
    return max(0, yearly - int(taken))


def _begun(row: Row) -> int:
    """Days that have begun: those are gone when a holiday ends sooner."""
    days = 1
    while days_after(ms_of(row["begins_at"]), days, _zone(row)) < ms_of(row["now"]):
        days += 1
    return days


def _zone(row: Row) -> str:
    return str(row["about"].get("zone", "UTC"))
