"""How do results become ratings? Entry after entry in order of recording; what was corrected is computed again at its old place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from psycopg.types.json import Json

from services.league.counting.rating import Chair, Key, Match, Rating, recomputed
from services.league.counting.rating import Row as Change
from services.league.kind import RatedMatch
from services.league.store import RATINGS
from shared.runtime.store import Database, Row, Transaction

RULE = "openskill-bt-1"
AT_ONCE = 500       # entries of the record in one transaction, when it is computed again
Known = Mapping[tuple[int, str, str], Row]


def write_ratings(transaction: Transaction, competition: str, game: str | None, rated: Sequence[RatedMatch]) -> None:
    """LG-205, LG-850 In the transaction of the results; the row of the game orders them."""
    news = {one.match: one for one in rated}
    if not news or game is None:
        return
    head = _locked(transaction, game)
    there = {row["match_id"]: row for row in transaction.all(RATINGS.recorded, matches=list(news))}
    last, stale, fresh = head["last"], head["stale_from"], []
    for match_id, one in news.items():
        old = there.get(match_id)
        if old is None and one.rated:
            last += 1
            fresh.append(last)
            transaction.do(RATINGS.record, game=game, number=last, match=match_id, competition=competition, chairs=Json(_chairs(one)))
        elif old is not None and (old["chairs"], old["rated"]) != (_chairs(one), one.rated):
            stale = min(stale or old["number"], old["number"])
            transaction.do(RATINGS.change_record, game=game, number=old["number"], chairs=Json(_chairs(one)), rated=one.rated)
    transaction.do(RATINGS.move_head, game=game, last=last, stale=stale)
    if stale is None and fresh:
        _compute(transaction, game, transaction.all(RATINGS.record_between, game=game, first=fresh[0], last=fresh[-1]))


def recompute(database: Database, game: str) -> bool:
    """LG-852 One stretch of the record from the corrected entry on; False when all of it is as it should be."""
    with database.transaction() as transaction:
        head = _locked(transaction, game)
        if head["stale_from"] is None:
            return False
        rows = transaction.all(RATINGS.record_from, game=game, first=head["stale_from"], most=AT_ONCE)
        if rows:
            _compute(transaction, game, rows)
        following = rows[-1]["number"] + 1 if len(rows) == AT_ONCE else None
        transaction.do(RATINGS.move_head, game=game, last=head["last"], stale=following)
        return following is not None


def _locked(transaction: Transaction, game: str) -> Row:
    transaction.do(RATINGS.begin_head, game=game)
    head = transaction.one(RATINGS.lock_head, game=game)
    assert head is not None
    return head


def _chairs(match: RatedMatch) -> list[dict[str, Any]]:
    return [{"account": seat.account, "place": seat.place, "bot": seat.bot, "how": seat.how} for seat in match.seats]


def match_of(row: Row) -> Match:
    """LG-849 A leaver is whoever did not stay to the end, however it went."""
    hows = {"played": "played", "no_show": "no_show", "absent": "no_show"}
    chairs = [Chair(one["account"], one["place"], one["bot"], hows.get(one["how"], "left")) for one in row["chairs"]]
    return Match(str(row["number"]), row["game"], tuple(chairs), row["rated"])


def _compute(transaction: Transaction, game: str, rows: Sequence[Row]) -> None:
    """These entries from what was before them; what comes out as it was is not written again."""
    accounts = sorted({one["account"] for row in rows for one in row["chairs"]})
    first, last = rows[0]["number"], rows[-1]["number"]
    before = transaction.all(RATINGS.before, game=game, accounts=accounts, first=first)
    start: dict[Key, Rating] = {(row["account_id"], game, row["pool"]): Rating(row["mu"], row["sigma"]) for row in before}
    counts: dict[Key, int] = {(row["account_id"], game, row["pool"]): row["matches"] for row in before}
    changes, now = recomputed((match_of(row) for row in rows), start)
    known = {(row["number"], row["account_id"], row["pool"]): row for row in transaction.all(RATINGS.entries_between, game=game, first=first, last=last)}
    transaction.do(RATINGS.add_entries, game=game, rule=RULE, rows=Json([*_entries(changes, known), *_withdrawn(changes, known)]))
    for change in changes:
        counts[change.account, game, change.pool] = counts.get((change.account, game, change.pool), 0) + 1
    _write_now(transaction, game, accounts, (now, counts, {**_lasts(before, game), **{(one.account, game, one.pool): int(one.match) for one in changes}}))


def _lasts(before: Iterable[Row], game: str) -> dict[Key, int]:
    return {(row["account_id"], game, row["pool"]): row["number"] for row in before}


def _entries(changes: Iterable[Change], known: Known) -> Iterable[dict[str, Any]]:
    for one in changes:
        old = known.get((int(one.match), one.account, one.pool))
        values = {"mu_before": one.before.mu, "sigma_before": one.before.sigma, "mu_after": one.after.mu, "sigma_after": one.after.sigma, "counted": True}
        if old is None or any(old[name] != value for name, value in values.items()):
            yield {"number": int(one.match), "account": one.account, "pool": one.pool, "revision": old["revision"] + 1 if old else 1, **values}


def _withdrawn(changes: Iterable[Change], known: Known) -> Iterable[dict[str, Any]]:
    """LG-853 Entries that no longer count stay, and a newer revision says so."""
    still = {(int(one.match), one.account, one.pool) for one in changes}
    for (number, account, pool), old in known.items():
        if old["counted"] and (number, account, pool) not in still:
            yield {"number": number, "account": account, "pool": pool, "revision": old["revision"] + 1, "counted": False,
                   **{name: old[name] for name in ("mu_before", "sigma_before", "mu_after", "sigma_after")}}


def _write_now(transaction: Transaction, game: str, accounts: Sequence[str], after: tuple[Mapping[Key, Rating], Mapping[Key, int], Mapping[Key, int]]) -> None:
    """Where everybody stands who is in these entries; whoever has no rated match left has no rating."""
    now, counts, lasts = after
    rows = [{"account": key[0], "pool": key[2], "mu": value.mu, "sigma": value.sigma, "matches": counts[key], "last": lasts[key]}
            for key, value in now.items() if counts.get(key)]
    transaction.do(RATINGS.put_ratings, game=game, rows=Json(rows))
    held = {(row["account"], row["pool"]) for row in rows}
    gone = [{"account": account, "pool": pool} for account in accounts for pool in ("human", "open") if (account, pool) not in held]
    transaction.do(RATINGS.drop_ratings, game=game, rows=Json(gone))


