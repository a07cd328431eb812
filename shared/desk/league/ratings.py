"""Who is strongest, and do the ratings follow from the record? `cupboard ratings show|recompute`."""

from __future__ import annotations

import argparse
import json
import sys
import time

from shared.desk import here
from shared.desk.replay import SQL
from shared.desk.workshop.numbers import whole
from shared.runtime.store import Database

LOOK_S = 0.5
DONE, REFUSED = 0, 1


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="cupboard ratings", description="Shows the strongest accounts, or has all ratings computed again from the record.")
    ways = parser.add_subparsers(dest="way", required=True)
    shown = ways.add_parser("show", help="the strongest in a game")
    shown.add_argument("game")
    shown.add_argument("--pool", choices=["human", "open"], default="open")
    shown.add_argument("--most", type=whole(1), default=25)
    again = ways.add_parser("recompute", help="compute every rating again, from the first match on; the league must run")
    again.add_argument("--game", help="only this game")
    for way in (shown, again):
        way.add_argument("--json", action="store_true", help="tell it as JSON")
    wanted = parser.parse_args(argv)
    settings = here.settings()
    database = Database(settings.database_url, settings, "ratings", size=1)
    try:
        return show(database, wanted) if wanted.way == "show" else recompute(database, wanted)
    finally:
        database.close()


def show(database: Database, wanted: argparse.Namespace) -> int:
    if not _known(database, wanted.game):
        return REFUSED
    rows = database.all(SQL.strongest, game=wanted.game, pool=wanted.pool, most=wanted.most)
    if wanted.json:
        print(json.dumps([{**row, "shown": row["mu"] - 3 * row["sigma"]} for row in rows]))
        return DONE
    for place, row in enumerate(rows, start=1):
        print(f"{place:>4}  {row['mu'] - 3 * row['sigma']:>8.2f}  {row['mu']:>7.2f}  {row['matches']:>6}  {row['name']}")
    return DONE


def recompute(database: Database, wanted: argparse.Namespace) -> int:
    """LG-852, OP-50 The same values, since each follows from the record; what differs gets a new revision."""
    game = wanted.game
    if game is not None and not _known(database, game):
        return REFUSED
    before = database.one(SQL.rating_revisions, game=game) or {"revisions": 0}
    games = database.do(SQL.ratings_from_the_start, game=game)
    while waiting := database.all(SQL.ratings_stale, game=game):
        print("\r" + "  ".join(f"{row['game']} {row['stale_from']} of {row['last']}" for row in waiting), end="", file=sys.stderr, flush=True)
        time.sleep(LOOK_S)
    after = database.one(SQL.rating_revisions, game=game) or before
    different = after["revisions"] - before["revisions"]
    print(json.dumps({"games": games, "different": different}) if wanted.json else f"{games} games computed again; {different} entries were different")
    return DONE


def _known(database: Database, game: str) -> bool:
    """Whether a worker has ever told of this game; says so where none has."""
    names = [row["game"] for row in database.all(SQL.game_names)]
    if game not in names:
        print(f"cupboard: no game is called {game!r}; there are: {', '.join(names) or 'none yet'}", file=sys.stderr)
    return game in names
