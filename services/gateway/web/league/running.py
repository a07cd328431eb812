"""The desk of those who run a tournament: every act as a form, corrections with what they would change."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from werkzeug.wrappers import Response

from services.gateway.web.blueprint import for_members, form, pages
from services.gateway.web.forms import number, sent_key, text
from services.gateway.web.frame import page
from services.gateway.web.inner import ask, items, look, must
from services.gateway.web.league.doing import done
from services.gateway.web.league.fields import (
    Acts,
    Reader,
    account,
    accounts,
    act_of,
    byes,
    entrants_csv,
    facts_of,
    flag,
    groups,
    moment,
    places,
    several,
    unknown,
)
from services.gateway.web.league.organisation import log_of
from services.gateway.web.league.telling import answer_words, names_of
from services.gateway.web.league.tournament import at, head

REASON: Mapping[str, Reader] = {"reason": text}
WHO: Mapping[str, Reader] = {"account": text}
OF_ALL: Acts = {
    "set": {"changes": facts_of}, "open": {"forecast_seen": flag}, "close": {}, "start": {"accept_imbalance": flag}, "publish": {},
    "pause": {"with_clocks": flag}, "resume": {}, "pair_again": REASON, "choose": {"option": text}, "end": {"drain": flag}, "cancel": REASON,
    "seed": {"order": accounts, **REASON}, "new_seed": REASON, "import_entrants": {"csv": entrants_csv, "dry_run": flag, "update": flag},
    "constrain": {"never": groups, "soft": groups, "same_club": text, "same_team": text}, "upload": {"tables": groups, "byes": byes, **REASON},
    "set_rungs": {"order": accounts, **REASON},
}
OF_ONE: Acts = {
    "invite": {"account": account}, "enter": {"accounts": accounts, "club": text, "country": text}, "withdraw": {**WHO, **REASON}, "return": WHO,
    "substitute": {**WHO, "by": account, **REASON}, "disqualify": {**WHO, "annul": text, **REASON}, "lift": {**WHO, **REASON},
    "give_bye": {**WHO, "round": number, "bye": text, **REASON}, "swap": {**WHO, "other": text, **REASON},
}
TABLE: Mapping[str, Reader] = {"pairing": text, "board": number, **REASON}
OF_TABLE: Acts = {
    "result": {**TABLE, "places": places}, "forfeit": {**TABLE, "accounts": several}, "void": {"pairing": text, **REASON}, "replay": TABLE,
    "extend": {"pairing": text, "until": moment, **REASON}, "rating_only": {"match": text, **REASON}, "confirm": {"correction_id": text, "yes": flag},
    "undo": {"correction_id": text, "record_only": flag, "void_later": flag, **REASON},
}
ACTS: Acts = {**OF_ALL, **OF_ONE, **OF_TABLE}
SEEN = frozenset({"choose", "start", "publish", "pair_again", "swap", "upload", "seed", "end", "undo", "confirm"})   # LG-144: these rest on what somebody saw


def wish_of(kind: str) -> dict[str, Any]:
    """LG-144 The act that a form means, with the version on which it rests."""
    seen = {"expected_version": number("version")} if kind in SEEN and number("version") is not None else {}
    return act_of(kind, ACTS) | seen


@pages.get("/tournaments/<tournament>/run")
@for_members
def run_page(tournament: str) -> Response:
    return page("tournament/run.html", **desk(tournament))


def desk(tournament: str, **more: Any) -> dict[str, Any]:
    """What there is to be decided."""
    facts = head(tournament, shown="run", **more)
    stage = facts["current"]
    draft = look(at(tournament, "stages", stage["number"], "rounds", stage["round"] + 1, "draft"))
    told = must(look(at(tournament, "entrants")))
    entrants = [(one["account"], told["people"].get(one["account"], {}).get("name", one["account"]), one["state"]) for one in told["items"]]
    return facts | {"draft": draft.facts if draft.good else None, "apart": apart(facts["one"].get("bars") or {}), "entrants": sorted(entrants, key=lambda one: one[1].casefold()),
                    "officials": items(look(at(tournament, "officials"))), "answer": facts.get("answer")}


def apart(bars: dict[str, Any]) -> dict[str, Any]:
    """LG-951 Who is not to meet, by names, and what would be left of it without each line."""
    lists = {kind: bars.get(kind) or [] for kind in ("never", "soft")}
    names = names_of([one for groups in lists.values() for group in groups for one in group])
    told = {kind: [", ".join(names.get(one, one) for one in group) for group in groups] for kind, groups in lists.items()}
    both = {kind: bars.get(kind) or "" for kind in ("same_club", "same_team")}
    by_id = {kind: [", ".join(group) for group in groups] for kind, groups in lists.items()}
    lines = [{"kind": kind, "words": words, "without": both | {one: "\n".join(_without(texts, at if one == kind else None)) for one, texts in by_id.items()}}
             for kind, groups in told.items() for at, words in enumerate(groups)]
    return {"lines": lines, "typed": both | {kind: "\n".join(groups) for kind, groups in told.items()}, **both}


def _without(texts: list[str], left_out: int | None) -> list[str]:
    return [one for place, one in enumerate(texts) if place != left_out]


@form("/tournaments/<tournament>/run")
def run_tournament(tournament: str) -> Response:
    wish = wish_of(text("act"))
    if refusal := unknown():
        return page("tournament/run.html", refusal["status"], **desk(tournament, refusal=refusal))
    said = ask("POST", at(tournament, "acts"), wish, key=sent_key())
    answer = said.facts.get("answer") if said.good else None
    if answer:
        return page("tournament/run.html", **desk(tournament, answer=answer_words(text("act"), answer, dry=flag("dry_run"))))
    back = text("back") if text("back").startswith(at(tournament)) else at(tournament, "run")
    return done(said, back, text("act")) or page("tournament/run.html", said.status, **desk(tournament, refusal=said.facts))


@form("/tournaments/<tournament>/officials")
def name_referee(tournament: str) -> Response:
    """LG-123 Referees are named, and taken back, by organisers."""
    method, where = "DELETE" if flag("remove") else "PUT", at(tournament, "officials", account("name"))
    if refusal := unknown():
        return page("tournament/run.html", refusal["status"], **desk(tournament, refusal=refusal))
    said = ask(method, where, key=sent_key())
    return done(said, at(tournament, "run"), "official") or page("tournament/run.html", said.status, **desk(tournament, refusal=said.facts))


@pages.get("/tournaments/<tournament>/log")
@for_members
def tournament_log(tournament: str) -> Response:
    """LG-945 Officials read it whole, everybody else their own entries."""
    facts = head(tournament, shown="run")
    return page("tournament/desk/log.html", **facts, log=log_of(at(tournament), facts["one"]["officials"]))


@pages.get("/tournaments/<tournament>/signals")
@for_members
def signals_page(tournament: str) -> Response:
    """What a referee should have a look at; a signal is no verdict."""
    return page("tournament/desk/signals.html", **head(tournament, shown="run"), signals=must(look(at(tournament, "signals"))))


@form("/tournaments/<tournament>/rounds/<int:stage>/<int:number>/explain")
def explain_round(tournament: str, stage: int, number: int) -> Response:
    """LG-1022 The round computed again from what was known when it was made."""
    said = ask("POST", at(tournament, "acts"), {"kind": "explain", "stage": stage, "round": number}, key=sent_key())
    told = must(look(at(tournament, "stages", stage, "rounds", number)))
    return page("tournament/round.html", said.status, **head(tournament, shown="rounds", refusal=None if said.good else said.facts), round=told, drafted=False,
                again=said.facts.get("answer") if said.good else None)
