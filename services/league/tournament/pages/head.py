"""What does the head of a tournament's page say?"""

from __future__ import annotations

from typing import Any

import msgspec

from services.league.kind import Page, Scene
from services.league.stages.rules import codes, tie_version
from services.league.tournament.advance import due
from services.league.tournament.looking import all_open, entrant, rules_of
from services.league.tournament.state import NEEDS_REFEREE, Correction, Stage, State


def head(state: State, scene: Scene) -> Page:
    """LG-1001 Everything that is true of the tournament as a whole."""
    settings = state.settings
    return Page("head", 0, {
        "tournament": state.tournament, "name": settings.name, "organisation": state.organisation, "game": settings.game,
        "game_version": settings.game_version, "state": state.life, "paused": state.paused_at is not None, "zone": settings.zone,
        "opponents": settings.opponents, "rated": settings.rated, "visibility": settings.visibility, "settings": msgspec.to_builtins(settings),
        "seed_hash": state.seed_hash, "seed": state.seed or None, "old_seeds": [list(two) for two in state.old_seeds], "version": state.version,
        "entrants": state.counted, "waiting": len(state.queue), "winners": list(state.winners), "teams": winning_teams(state), "why_no_winner": state.why_no_winner,
        "next_at": due(state), "stages": [stage_head(state, stage) for stage in state.stages], "forecast": state.forecast,
        "corrections": [correction(one) for one in state.corrections], "warnings": list(state.warnings), "created_at": state.created_at,
        "finished_at": state.finished_at or None, "seen_at": scene.at, "bars": msgspec.to_builtins(state.bars)})


def winning_teams(state: State) -> dict[str, str]:
    """LG-971 By captain, where teams have won."""
    found = ((account, entrant(state, account)) for account in state.winners)
    return {account: one.team for account, one in found if one is not None and one.members}


def stage_head(state: State, stage: Stage) -> dict[str, Any]:
    rules = rules_of(state.settings, stage)
    open_ones = all_open(stage)
    flagged = [pairing.flag for pairing in open_ones if pairing.flag]
    return {
        "number": stage.number, "name": rules.name, "format": rules.format, "seats": msgspec.to_builtins(rules.seats), "state": stage.state,
        "waits": stage.waits or (NEEDS_REFEREE if flagged else None), "flags": sorted(set(flagged)),
        "options": [msgspec.to_builtins(way) for way in stage.ways], "planned_rounds": stage.planned_rounds, "round": len(stage.rounds),
        "drafted": stage.drafted.number if stage.drafted else None, "open_pairings": len(open_ones), "field": len(stage.field),
        "ties": list(codes(rules, scores=state.card.has_score)), "tie_version": tie_version(rules), "rules": msgspec.to_builtins(rules),
        "over": stage.over or None, "revision": stage.revision, "ready": sorted(stage.ready),
    }


def correction(one: Correction) -> dict[str, Any]:
    """LG-922 Old value, new value, time and reason."""
    return {"id": one.id, "stage": one.stage, "pairing": one.pairing, "before": one.before, "after": one.after, "reason": one.reason, "at": one.at,
            "by": one.by, "state": one.state, "undo_of": one.undo_of, "second_by": one.second_by}
