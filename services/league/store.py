"""What does the league ask Postgres? Its statements, by name, out of the files where they stand."""

from __future__ import annotations

from pathlib import Path

from shared.runtime.store import Queries

INBOX = Queries(Path(__file__).parent / "inbox" / "queries.sql")
TELLING = Queries(Path(__file__).parent / "inbox" / "telling.sql")
HIDDEN = Queries(Path(__file__).parent / "inbox" / "hidden" / "hidden.sql")
RATINGS = Queries(Path(__file__).parent / "inbox" / "ratings.sql")
