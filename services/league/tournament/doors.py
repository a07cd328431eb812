"""Through which functions does the league run tournaments?"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from services.league.files import entrants_csv
from services.league.kind import Decided, Kind, Scene
from services.league.refusals import Refused
from services.league.tournament import acts, events
from services.league.tournament import pages as paper
from services.league.tournament.advance import advance, due
from services.league.tournament.deciding import (
    appointments,
    discipline,
    entry,
    floor,
    life,
    questions,
    results,
    rounds,
)
from services.league.tournament.deciding.corrections import asked as corrections
from services.league.tournament.deciding.portable import imported
from services.league.tournament.deciding.teams import entering, playing
from services.league.tournament.deciding.teams import lists as team_lists
from services.league.tournament.deciding.teams.entering import check_captain
from services.league.tournament.legal import check, check_role
from services.league.tournament.orders import orders, ratings, stops
from services.league.tournament.shelf import every
from services.league.tournament.shown import QUESTIONS, as_shown, delay
from services.league.tournament.state import State
from services.league.tournament.telling.notices import next_reminder, notices, reminders
from services.league.tournament.telling.seating import seating
from services.league.tournament.telling.signals import signals

Decider = Callable[[State, Any, Scene], Decided]
DECIDERS: Mapping[type[acts.Asked], Decider] = {
    acts.Set: life.change,
    acts.Open: life.open_entry,
    acts.Close: lambda state, _act, scene: life.close(state, scene),
    acts.Seed: life.seed,
    acts.NewSeed: life.new_seed,
    acts.Constrain: life.constrain,
    acts.Pause: life.pause,
    acts.Resume: lambda state, _act, scene: life.resume(state, scene),
    acts.Outage: lambda _state, act, scene: life.outage(act, scene),
    acts.End: life.end,
    acts.Cancel: lambda _state, act, scene: life.cancel(act, scene),
    acts.Enter: entering.enter,
    acts.LineUp: entering.line_up,
    acts.Withdraw: entry.withdraw,
    acts.Return: entering.back,
    acts.CheckIn: entry.check_in,
    acts.Consent: entry.consent,
    acts.RequestBye: entry.request_bye,
    acts.GiveBye: entry.give_bye,
    acts.Substitute: entering.substitute,
    acts.Invite: entry.invite,
    acts.AcceptInvitation: entry.accept_invitation,
    acts.Start: rounds.begin,
    acts.Publish: rounds.publish,
    acts.PairAgain: rounds.pair_again,
    acts.Upload: rounds.upload,
    acts.Swap: rounds.swap,
    acts.Choose: rounds.choose,
    acts.MatchStarted: playing.started,
    acts.RecordMatch: playing.record,
    acts.Report: results.report,
    acts.Result: playing.result,
    acts.Forfeit: playing.forfeit,
    acts.Void: results.void,
    acts.Replay: playing.replay,
    acts.Extend: results.extend,
    acts.Appoint: appointments.appoint,
    acts.Agree: appointments.agree,
    acts.RatingOnly: results.rating_only,
    acts.ImportEntrants: team_lists.import_entrants,
    acts.Ready: floor.ready,
    acts.Rest: floor.rest,
    acts.ChallengeAct: floor.challenge,
    acts.Answer: floor.answer,
    acts.SetRungs: floor.set_rungs,
    acts.PlanAct: questions.plan,
    acts.ForecastAct: questions.forecast,
    acts.Explain: questions.explain,
    acts.Ties: questions.ties,
    acts.Export: questions.export,
    acts.Signals: lambda state, _act, _scene: Decided((), {"version": state.version, "items": signals(state)}),
    acts.Disqualify: discipline.disqualify,
    acts.Lift: discipline.lift,
    acts.Preview: corrections.preview,
    acts.Correct: corrections.correct,
    acts.Confirm: corrections.confirm,
    acts.Undo: corrections.undo,
}


def decide(state: State | None, act: acts.Asked, scene: Scene) -> Decided:
    """LG-131, LG-150 What an act leads to, or why it leads to nothing."""
    if state is None:
        check_role(act, scene)
        if isinstance(act, acts.Create):
            return life.create(act, scene)
        if isinstance(act, acts.ImportExport):
            return imported(act)
        raise Refused("not_found", "there is no such tournament", [])
    check(state, act, scene)
    if state.settings.by_boards:
        check_captain(state, act, scene)
    if type(act) not in DECIDERS:
        raise Refused("wrong_state", "it exists already", [state.life])
    return DECIDERS[type(act)](as_shown(state, scene) if type(act) in QUESTIONS else state, act, scene)


def needs(state: State | None, act: acts.Asked | None) -> frozenset[str]:
    """Whose Person an act rests on: those it names, and everybody when entry closes (LG-105)."""
    if state is not None and (isinstance(act, acts.Close) or (act is None and state.life == "open" and due(state) is not None)):
        return frozenset(one.account for one in every(state.entrants))
    names = {getattr(act, name, "") for name in ("account", "by", "challenger")}
    names |= {one for name in ("accounts", "members", "reserves") for one in getattr(act, name, ())}
    if isinstance(act, acts.ImportEntrants):
        names |= entrants_csv.accounts(act.csv)
    return frozenset(name for name in names if name)


def no_counts(_state: State) -> tuple[str, ...]:
    """A tournament counts no others."""
    return ()


TOURNAMENT = Kind(
    name="tournament", act=acts.read, event=events.read, state=msgspec.json.Decoder(State).decode, needs=needs, decide=decide, fold=events.fold,
    advance=advance, due=due, pages=paper.pages, orders=orders, stops=stops, counts=no_counts, ratings=ratings, hidden=events.HIDDEN,
    milestones=events.MILESTONES, seating=seating, notices=notices, reminders=reminders, next_reminder=next_reminder, delay=delay)
