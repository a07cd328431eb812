"""Who is strongest, and do the ratings follow from the record? `cupboard ratings show|recompute`."""

from __future__ import annotations

import argparse
import time

from shared.desk import here
from shared.desk.replay import SQL
from shared.runtime.store import Database

LOOK_S = 0.5


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="cupboard ratings", description="Shows the strongest accounts, or has all ratings computed again from the record.")
    ways = parser.add_subparsers(dest="way", required=True)
    shown = ways.add_parser("show", help="the strongest in a game")
    shown.add_argument("game")
    shown.add_argument("--pool", choices=["human", "open"], default="open")
    shown.add_argument("--most", type=int, default=25)
    again = ways.add_parser("recompute", help="compute every rating again, from the first match on; the league must run")
    again.add_argument("--game", help="only this game")
    wanted = parser.parse_args(argv)
    settings = here.settings()
    database = Database(settings.database_url, settings, "ratings", size=1)
    try:
        return show(database, wanted) if wanted.way == "show" else recompute(database, wanted.game)
    finally:
        database.close()


def show(database: Database, wanted: argparse.Namespace) -> int:
    for place, row in enumerate(database.all(SQL.strongest, game=wanted.game, pool=wanted.pool, most=wanted.most), start=1):
        print(f"{place:>4}  {row['mu'] - 3 * row['sigma']:>8.2f}  {row['mu']:>7.2f}  {row['matches']:>6}  {row['name']}")
    return 0


def recompute(database: Database, game: str | None) -> int:
    """LG-852, OP-50 The same values, since each follows from the record; what differs gets a new revision."""
    before = database.one(SQL.rating_revisions, game=game) or {"revisions": 0}
    games = database.do(SQL.ratings_from_the_start, game=game)
    while waiting := database.all(SQL.ratings_stale, game=game):
        print("\r" + "  ".join(f"{row['game']} {row['stale_from']} of {row['last']}" for row in waiting), end="", flush=True)
        time.sleep(LOOK_S)
    after = database.one(SQL.rating_revisions, game=game) or before
    print(f"\r{games} games computed again; {after['revisions'] - before['revisions']} entries were different")
    return 0
