"""Tournaments over HTTP: made and run by acts, read as pages."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from flask import Response, request
from marshmallow import Schema

from services.gateway.api.league import shapes, told
from services.gateway.api.reading import sent_on
from services.gateway.api.schemas import listed
from services.gateway.competitions import acts, organisations, pages, ties
from services.gateway.competitions.deeds import TOURNAMENT, codes_of
from services.gateway.competitions.sight import seen
from services.gateway.edge.idempotency import Answer
from services.gateway.edge.routes import Call, Door, Routes, raw
from services.gateway.problems import Problem

routes = Routes("tournaments", __name__, description="Tournaments: acts go in, the league decides, pages come out")

KIND, HERE = "tournament", "/tournaments/<string:tournament>"
STAGE = f"{HERE}/stages/<int(max=64):stage>"
ROUND = f"{STAGE}/rounds/<int(max=100000):number>"
SETTING = ("bad_setting", "unknown_game", "option_unknown", "bad_file", "on_hold")
ACT = Door("competition.act", takes=shapes.ActIn, gives=shapes.ActOut, also=(202,), codes=(*codes_of(TOURNAMENT), "on_hold", "option_unknown"),
           late=True)
STREAM = Door("competition.see", asks=shapes.StreamAsked, status=307, codes=("too_many_streams",), bucket="streams")
READ = Door("competition.see", also=(304,), codes=("bad_cursor",))
MEDIA = {"csv": "text/csv; charset=utf-8", "json": "application/json", "trf16": "text/plain; charset=utf-8"}


def read(example: Any, asks: type[Schema] = shapes.PageAsked) -> Door:
    return replace(READ, example=example, asks=asks)


@routes.at("GET", "/tournaments", Door("competition.see", asks=shapes.CompetitionsAsked, gives=listed(shapes.CompetitionLine), codes=("bad_cursor",)))
def tournaments(call: Call) -> Any:
    """The tournaments of this installation that the caller may know of, newest first."""
    return pages.listed(call.gate, call.caller, KIND, call.query)


@routes.at("POST", "/tournaments", Door("competition.make", takes=shapes.TournamentIn, status=201, also=(202,), codes=SETTING, example=shapes.HEAD, late=True))
def make_tournament(call: Call) -> Any:
    """Make a tournament of an organisation, by its owners and organisers; it is a draft until it is opened."""
    return told.create(call, KIND)


@routes.at("GET", HERE, replace(READ, example=shapes.HEAD))
def tournament(call: Call, tournament: str) -> Any:
    """One tournament: settings, stages, officials, what is next, and the caller's part in it."""
    return told.unless_known(pages.head(call.gate, call.caller, seen(call.gate.store, call.caller, KIND, tournament)))


@routes.at("POST", f"{HERE}/acts", ACT)
def act_in_tournament(call: Call, tournament: str) -> Any:
    """Ask something of a tournament: enter, start, correct, … The answer waits for the league's decision."""
    return told.act(call, KIND, tournament)


@routes.at("GET", f"{HERE}/acts/<string:act>", Door("competition.act", gives=shapes.ActOut, codes=(*codes_of(TOURNAMENT), "on_hold")))
def act_of_tournament(call: Call, tournament: str, act: str) -> Any:
    """What became of an act; a refusal is told as it was then."""
    return told.outcome(call, KIND, tournament, act)


@routes.at("GET", f"{HERE}/entrants", read(shapes.ENTRANTS))
def tournament_entrants(call: Call, tournament: str) -> Any:
    """Who takes part, 500 at a time."""
    return told.page(call, KIND, tournament, "entrants")


@routes.at("GET", f"{STAGE}/rounds", Door("competition.see", example=shapes.ROUNDS))
def rounds(call: Call, tournament: str, stage: int) -> Any:
    """The published rounds of a stage."""
    return pages.rounds(call.gate, seen(call.gate.store, call.caller, KIND, tournament), stage)


@routes.at("GET", ROUND, read(shapes.ROUND))
def round_of_tournament(call: Call, tournament: str, stage: int, number: int) -> Any:
    """A round: tables, seats, results, byes, and why it was paired so; 500 tables at a time."""
    return told.page(call, KIND, tournament, f"round/{stage}/{number}")


@routes.at("GET", f"{ROUND}/draft", read(shapes.ROUND))
def drafted_round(call: Call, tournament: str, stage: int, number: int) -> Any:
    """A round that has not been published, for officials."""
    return told.page(call, KIND, tournament, f"drafted/{stage}/{number}")


@routes.at("GET", f"{ROUND}/appointments", Door("competition.see", example={"stage": 1, "round": 2, "items": []}))
def appointments_of_round(call: Call, tournament: str, stage: int, number: int) -> Any:
    """When tables have proposed to play: all of them for officials, the caller's own for everybody else."""
    return pages.appointments(call.gate, call.caller, seen(call.gate.store, call.caller, KIND, tournament), stage, number)


@routes.at("GET", f"{STAGE}/standing", read(shapes.STANDING, shapes.StandingAsked))
def standing(call: Call, tournament: str, stage: int) -> Any:
    """The standing of a stage, 500 lines at a time; with `as_of` as it was at that version."""
    return told.page(call, KIND, tournament, f"standing/{stage}")


@routes.at("GET", f"{STAGE}/ties", Door("competition.see", asks=shapes.TiesAsked, also=(304,), example=shapes.TIES))
def ties_of_entrant(call: Call, tournament: str, stage: int) -> Any:
    """Every tie-break of one entrant, round by round: what it adds, against whom, and what was left out."""
    found = seen(call.gate.store, call.caller, KIND, tournament)
    return ties.told(call.gate, call.caller, found, (stage, call.query["account"], call.query.get("as_of")), request.headers.get("If-None-Match", ""))


@routes.at("GET", f"{STAGE}/teams", read({"best": 2, "lines": [], "version": 31, "people": {}}))
def team_standing(call: Call, tournament: str, stage: int) -> Any:
    """LG-974 Teams by the points of their best members, where members sit at tables of their own."""
    return told.page(call, KIND, tournament, f"teams/{stage}")


@routes.at("GET", f"{STAGE}/bracket", read({"sides": [], "version": 31, "people": {}}))
def bracket(call: Call, tournament: str, stage: int) -> Any:
    """The bracket of an elimination, side by side and round by round."""
    return told.page(call, KIND, tournament, f"bracket/{stage}")


@routes.at("GET", f"{STAGE}/cross-table", read({"numbers": [], "rows": [], "version": 31, "people": {}}))
def cross_table(call: Call, tournament: str, stage: int) -> Any:
    """Everybody against everybody, where there are not too many."""
    return told.page(call, KIND, tournament, f"cross/{stage}")


@routes.at("GET", f"{STAGE}/ladder", read({"rungs": [], "challenges": [], "version": 31, "people": {}}))
def ladder(call: Call, tournament: str, stage: int) -> Any:
    """The rungs of a ladder and the open challenges."""
    return told.page(call, KIND, tournament, f"ladder/{stage}")


@routes.at("GET", f"{HERE}/events", Door("competition.see", asks=shapes.EventsAsked, example=shapes.EVENTS))
def tournament_events(call: Call, tournament: str) -> Any:
    """Everything that happened, numbered from 1 without gaps."""
    found = seen(call.gate.store, call.caller, KIND, tournament)
    return pages.events(call.gate, found, call.query["after"], call.query["limit"])


@routes.at("GET", f"{HERE}/stream", STREAM)
def tournament_stream(call: Call, tournament: str) -> Response:
    """SSE or NDJSON of what happens in a tournament, from any event on. Answered by the stream process."""
    seen(call.gate.store, call.caller, KIND, tournament)
    return sent_on(call)


@routes.at("GET", f"{HERE}/exports/<string:form>", Door("competition.see", asks=shapes.ExportAsked, also=(304,), codes=("not_exportable",),
                                                        example={"form": "league-1", "version": 31}))
def export(call: Call, tournament: str, form: str) -> Response | Answer:
    """The tournament as a file: json holds everything, csv one table, trf16 a stage of two seats."""
    found = seen(call.gate.store, call.caller, KIND, tournament)
    tag = pages.tag(found.version)
    if told.unless_known(Answer(200, None, tag)).status == 304:
        return Answer(304, None, tag)
    if form not in MEDIA:
        raise Problem("not_found")
    body = acts.exported(acts.ask(call.gate, call.caller, found, ("export", {"form": form, **call.query})))
    return raw(body, media=MEDIA[form], ETag=tag["ETag"], Content_Disposition=f'attachment; filename="{tournament}-{found.version}.{form}"')


@routes.at("GET", f"{HERE}/signals", Door("competition.act", example=shapes.SIGNALS))
def signals(call: Call, tournament: str) -> Any:
    """What a referee should have a look at, counted from the results; a signal is no verdict and changes nothing."""
    found = seen(call.gate.store, call.caller, KIND, tournament)
    return pages.with_names(call.gate.store, acts.ask(call.gate, call.caller, found, ("signals", {})))


@routes.at("GET", f"{HERE}/officials", Door("competition.see", gives=shapes.OfficialsOut))
def officials(call: Call, tournament: str) -> Any:
    """Its referees, and who runs its organisation."""
    return {"items": pages.officials(call.gate, seen(call.gate.store, call.caller, KIND, tournament))}


@routes.at("PUT", f"{HERE}/officials/<string:account>", Door("competition.officials"))
def appoint(call: Call, tournament: str, account: str) -> None:
    """Make an account a referee of this tournament."""
    organisations.appoint(call.work, call.caller, seen(call.work, call.caller, KIND, tournament), account)


@routes.at("DELETE", f"{HERE}/officials/<string:account>", Door("competition.officials"))
def dismiss(call: Call, tournament: str, account: str) -> None:
    """Take the role of referee back, or lay one's own down."""
    organisations.dismiss(call.work, call.caller, seen(call.work, call.caller, KIND, tournament), account)


@routes.at("GET", f"{HERE}/audit", Door("competition.act", asks=shapes.LogAsked, example=shapes.LOG))
def tournament_audit(call: Call, tournament: str) -> Any:
    """The log of what officials did; everybody else reads their own entries."""
    found = seen(call.gate.store, call.caller, KIND, tournament)
    return organisations.log(call.gate, call.caller, found.row["organisation_id"], found, call.query["after"])


@routes.at("POST", f"{HERE}/hold", Door("operator.write", takes=shapes.HoldIn, codes=("reason_missing",)))
def hold_tournament(call: Call, tournament: str) -> None:
    """Hold a tournament as the host of the installation, or let it go on."""
    organisations.hold(call.work, call.caller, seen(call.work, call.caller, KIND, tournament), call.body)
