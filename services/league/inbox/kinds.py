"""Which kinds of competitions does the league run? Adding one means adding a row here."""

from __future__ import annotations

from collections.abc import Mapping

from services.league.championship import CHAMPIONSHIP
from services.league.kind import Kind
from services.league.season import SEASON
from services.league.tournament import TOURNAMENT

KINDS: Mapping[str, Kind] = {kind.name: kind for kind in (TOURNAMENT, CHAMPIONSHIP, SEASON)}
