"""What has been archived, and does it still lie there? `cupboard archive run|list|check`."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from typing import Any

from shared.desk import here
from shared.desk.replay import SQL
from shared.runtime.settings import Settings
from shared.runtime.store import Database
from shared.runtime.turn import archive

AT_ONCE = 100   # matches of one version in one go


def main(argv: list[str]) -> int:
    """Ends with 1 where `check` finds a file that is gone or changed."""
    wanted = _parser().parse_args(argv)
    settings = here.settings()
    database = Database(settings.database_url, settings, "archive", size=1)
    try:
        rows = list(ACTS[wanted.act](database, settings))
    finally:
        database.close()
    for row in rows:
        print(json.dumps(row, default=str) if wanted.json else "  ".join(f"{value}" for value in row.values()))
    return 1 if any(row.get("fault") for row in rows) else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="cupboard archive", description="Ended matches whose letters, views, state and steps lie in files.")
    acts = parser.add_subparsers(dest="act", required=True)
    acts.add_parser("run", help="archive now what the watches would archive, of every version; harmless to repeat")
    acts.add_parser("list", help="list what has been archived")
    acts.add_parser("check", help="read every file and compare it with the hash that was kept")
    for act in acts.choices.values():
        act.add_argument("--json", action="store_true", help="one JSON object a line")
    return parser


def run(database: Database, settings: Settings) -> Iterator[dict[str, Any]]:
    """PL-257 The whole backlog, by game and version."""
    for row in database.all(SQL.versions_ended):
        moved = 0
        while step := archive.archive_ripe(database, settings, [(row["game"], row["version"])], AT_ONCE):
            moved += step
        yield {"game": row["game"], "version": row["version"], "archived": moved}


def list_(database: Database, _settings: Settings) -> Iterator[dict[str, Any]]:
    yield from database.all(SQL.archives)


def check(database: Database, settings: Settings) -> Iterator[dict[str, Any]]:
    folder = archive.folder_of(settings)
    for row in database.all(SQL.archives):
        fault = ""
        try:
            archive.opened(folder, row["location"], row["hash"])
        except archive.ArchiveAway as error:
            fault = str(error)
        yield {"match": row["match"], "location": row["location"], "fault": fault}


ACTS = {"run": run, "list": list_, "check": check}
