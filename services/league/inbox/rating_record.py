"""How do results become ratings? Entry after entry in order of recording; what was corrected is computed again at its old place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from psycopg.types.json import Json

from services.league.counting.rating import HUMAN, OPEN, Chair, Key, Match, Rating, recomputed
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
        _add(transaction, game, transaction.all(RATINGS.record_between, game=game, first=fresh[0], last=fresh[-1]))


def recompute(database: Database, game: str) -> bool:
    """LG-852 One stretch of the record from the corrected entry on; False when all of it is as it should be."""
    with database.transaction() as transaction:
        head = _locked(transaction, game)
        if head["stale_from"] is None:
            return False
        rows = transaction.all(RATINGS.record_from, game=game, first=head["stale_from"], most=AT_ONCE)
        if rows:
            _compute_again(transaction, game, rows)
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


def _add(transaction: Transaction, game: str, rows: Sequence[Row]) -> None:
    """LG-850 New entries, from where everybody stands."""
    accounts = sorted({one["account"] for row in rows for one in row["chairs"]})
    there = {(row["account_id"], game, row["pool"]): row for row in transaction.all(RATINGS.present, game=game, accounts=accounts)}
    start = {key: Rating(row["mu"], row["sigma"]) for key, row in there.items()}
    matches: Counter[Key] = Counter({key: row["matches"] for key, row in there.items()})
    lasts: dict[Key, int] = {}
    changes, now = recomputed(map(match_of, rows), start)
    for one in changes:
        key = one.account, game, one.pool
        matches[key] += 1
        lasts[key] = int(one.match)
    transaction.do(RATINGS.add_entries, game=game, rule=RULE, rows=Json([*_entries(changes, {})]))
    transaction.do(RATINGS.put_ratings, game=game, rows=Json([
        {"account": key[0], "pool": key[2], "mu": now[key].mu, "sigma": now[key].sigma, "matches": matches[key], "last": last} for key, last in lasts.items()]))


def _compute_again(transaction: Transaction, game: str, rows: Sequence[Row]) -> None:
    """These entries from what was before them; what comes out as it was is not written again. Whoever comes again in a later entry stands where
    they stood until that one is computed, and everybody else where these entries leave them, also those who are no longer in them.
    """
    first, last = rows[0]["number"], rows[-1]["number"]
    known = {(row["number"], row["account_id"], row["pool"]): row for row in transaction.all(RATINGS.entries_between, game=game, first=first, last=last)}
    accounts = sorted({one["account"] for row in rows for one in row["chairs"]} | {account for _, account, _ in known})
    before = transaction.all(RATINGS.before, game=game, accounts=accounts, first=first)
    start: dict[Key, Rating] = {(row["account_id"], game, row["pool"]): Rating(row["mu"], row["sigma"]) for row in before if row["mu"] is not None}
    changes, _ = recomputed(map(match_of, rows), start)
    transaction.do(RATINGS.add_entries, game=game, rule=RULE, rows=Json([*_entries(changes, known), *_withdrawn(changes, known)]))
    later = {(row["account_id"], row["pool"]) for row in before if row["newest"] > last}
    ended = Json([{"account": account, "pool": pool} for account in accounts for pool in (HUMAN, OPEN) if (account, pool) not in later])
    transaction.do(RATINGS.put_again, game=game, rows=ended)
    transaction.do(RATINGS.drop_unrated, game=game, rows=ended)


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
