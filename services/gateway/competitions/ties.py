"""How did an entrant's tie-breaks come about? Asked of the league once for each version, and kept for whoever asks again."""

from __future__ import annotations

import orjson

from services.gateway.competitions import acts
from services.gateway.competitions.deeds import TOURNAMENT
from services.gateway.competitions.pages import tag
from services.gateway.competitions.paper import Paper, paper, sent
from services.gateway.competitions.sight import Seen, roles_for
from services.gateway.edge.gate import Gate
from services.gateway.edge.idempotency import Answer
from services.gateway.problems import Problem
from services.gateway.rights import Caller

Wanted = tuple[int, str, int | None]        # stage, account, version


def told(gate: Gate, caller: Caller, found: Seen, wanted: Wanted, known: str) -> Answer:
    """LG-771, LG-804, LG-810 At the version that the caller may know of, or at an earlier one; that never changes, but for names."""
    stage, account, as_of = wanted
    roles_for(gate.store, caller, found, TOURNAMENT["ties"], None)      # also of who is told what is kept
    version = as_of or found.version
    if version > found.version:
        raise Problem("malformed", status=acts.STATUSES["malformed"])
    stamp = tag(version)
    if stamp["ETag"] in known:
        return Answer(304, None, stamp)
    said = sent(gate.store, _asked(gate, caller, found, (stage, account, version)), {found.row["kind"]: found.id, "version": version})
    return Answer(200, orjson.Fragment(said), stamp)


def _asked(gate: Gate, caller: Caller, found: Seen, wanted: tuple[int, str, int]) -> Paper:
    stage, account, version = wanted
    place = (found.id, "ties", stage, account)
    kept: Paper | None = gate.kept.get(place, version)
    if kept is None:
        answer = acts.ask(gate, caller, found, ("ties", {"stage": stage, "account": account, "as_of": version}))
        kept = paper(answer, version, version, 0)
        gate.kept.keep(place, version, kept)
    return kept
