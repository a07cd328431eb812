"""Where does an organisation want to be told what happens in its competitions? Endpoints, their secrets, and what was sent to them (OP-51)."""

from __future__ import annotations

import base64
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import orjson
from psycopg.types.json import Jsonb

from services.gateway.accounts import at, new_id
from services.gateway.competitions.deeds import OFFICIALS
from services.gateway.competitions.organisations import note
from services.gateway.competitions.sight import SQL as ROWS
from services.gateway.competitions.sight import refuse_bound, refuse_unless
from services.gateway.edge.cursors import Cursor
from services.gateway.edge.gate import Gate
from services.gateway.problems import Problem, fault
from services.gateway.rights import Caller
from services.gateway.store import Store, Work
from shared.runtime.outward import AddressRefused, seal, target_of
from shared.runtime.settings import Settings
from shared.runtime.store import Queries, Row

SQL = Queries(Path(__file__).with_name("hooks.sql"))
MANAGE = "webhook:manage"
MOST = 20                   # PL-671: of one organisation
SHOWN = 50                  # competitions with something undelivered
MARK = "whsec_"
TRIAL = "endpoint.test"
# PL-591 What can be asked for: the kinds of events that everybody who sees a competition may read.
KINDS: Mapping[str, str] = {
    "tournament": """answered bye_asked bye_given cancelled challenged checked_in closed consented constrained corrected correction_proposed
        correction_settled created details_changed disqualified draining entered extended finished flagged imported invitation_accepted invited
        lifted look_again match_ordered moved_up no_show not_counted opened outage_recorded overdue paused rating_excluded readied record_refused
        recorded reopened reported resumed returned round_completed round_published rounds_planned ruled rungs_set seed_replaced seeded
        settings_changed stage_finished stage_goes_on stage_over stage_started stage_waits started substituted warned way_chosen winners_named
        withdrawn withheld""",
    "championship": "added counted created finished published removed set",
    "season": "added came counted created going moved published removed set settled",
}
TYPES = frozenset(f"{kind}.{event}" for kind, events in KINDS.items() for event in events.split())


def make(work: Work, caller: Caller, organisation: str, wish: Mapping[str, Any], settings: Settings) -> dict[str, Any]:
    """PL-591 A new endpoint; its secret is in this answer and nowhere else."""
    _official(work, caller, organisation)
    _checked(wish, settings)
    work.one(ROWS.organisation_locked, organisation=organisation)
    if len(work.all(SQL.hooks, organisation=organisation)) >= MOST:
        raise Problem("quota", quota="webhooks")
    hook, (shown, sealed) = new_id("w"), {}, 
    return {}
