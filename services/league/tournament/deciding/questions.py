"""What is answered without anything happening: plan, forecast, explanation, exports?"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from msgspec.structs import replace

from services.league.files import tables_csv, trf16
from services.league.kind import Decided, Scene
from services.league.record import Record
from services.league.refusals import Refused
from services.league.scoring import shown
from services.league.stages import counts
from services.league.stages.facts import Drafted
from services.league.stages.rules import scoring
from services.league.standings import Line
from services.league.tournament import acts, shelf
from services.league.tournament.deciding import forecasting, stages
from services.league.tournament.deciding.portable import exported
from services.league.tournament.facts import facts
from services.league.tournament.looking import account_of, entrant_of, round_of, rules_of, stage_of
from services.league.tournament.pages import ties as paper
from services.league.tournament.state import Round, Stage, State


def plan(state: State, act: acts.PlanAct, scene: Scene) -> Decided:
    """LG-322, LG-327, LG-328, LG-482 OP-17 Of the stage that comes next, for the field there is or is expected."""
    stage = next((one for one in state.stages if one.state != "finished"), state.stages[-1])
    found = forecasting.plan_of(state, stage, scene, act.entrants)
    sizes = sorted({size for level in found.levels for size, _ in level.tables}, reverse=True)
    return Decided((), {
        "stage": stage.number, "rounds": found.rounds, "levels": [one._asdict() for one in found.levels], "table_sizes": sizes,
        "tables": {"least": found.tables[0], "most": found.tables[1]}, "imbalance": found.uneven, "design": found.design,
        "meetings": {"least": found.least, "most": found.most, "couples": {str(times): count for times, count in found.couples.items()}},
        "words": list(found.notes)})


def forecast(state: State, act: acts.ForecastAct, scene: Scene) -> Decided:
    """LG-428 to LG-430 OP-17."""
    found = forecasting.forecast(state, scene, act.entrants)
    share = Fraction(found["dead_ends"], max(1, found["trials"]))
    return Decided((), {"share": str(share), "share_shown": shown(share), "trials": found["trials"], "safe": not found["to_be_seen"],
                        "to_be_seen": found["to_be_seen"], "field": found["field"], "words": found["words"]})


def explain(state: State, act: acts.Explain, scene: Scene) -> Decided:
    """LG-1022 OP-56 The round computed again from what was known when it was made."""
    one = round_of(stage_of(state, act.stage), act.round)
    before: State = scene.past(one.made - 1)
    known = stage_of(before, act.stage)
    stage = replace(known, rounds=known.rounds[:act.round - 1])
    then = replace(scene, at=one.cut_off, blocks=lambda stage, number, _accounts: scene.kept(stage, number))
    found, made = stages.asked(before, stage, then, one.option)
    tables = [list(draft.numbers) for draft in made.pairings] if isinstance(made, Drafted) else []
    stored = [list(pairing.numbers) for pairing in shelf.every(one.pairings)]
    return Decided((), {"equal": tables == stored and stages.fingerprint(found) == one.inputs_hash, "stored": stored, "computed": tables,
                        "inputs_hash": one.inputs_hash, "computed_hash": stages.fingerprint(found), "version": one.made - 1})


def ties(state: State, act: acts.Ties, scene: Scene) -> Decided:
    """LG-771, LG-804 As it stands, or as it was at a version that the asker may know of."""
    if act.as_of is not None and not 0 < act.as_of <= state.version:
        raise Refused("malformed", "there is no such version", [state.version])
    then: State = state if act.as_of in {None, state.version} else scene.past(act.as_of)
    return Decided((), paper.ties(then, act.stage, act.account, scene))


def export(state: State, act: acts.Export, scene: Scene) -> Decided:
    """LG-984 to LG-987 OP-47 Made at a version, and named by it."""
    if act.form == "json":
        return Decided((), exported(state, scene))
    stage = stage_of(state, act.stage)
    if stage.state == "planned":
        raise Refused("not_exportable", "the stage has not begun", [act.stage])
    upto = len(stage.rounds) if act.round is None else round_of(stage, act.round).number
    text = trf(state, stage, scene, upto) if act.form == "trf16" else csv(state, stage, scene, (act.what, upto))
    name = f"{state.tournament}-{act.stage}-{act.what if act.form == 'csv' else 'trf16'}-v{state.version}.{'csv' if act.form == 'csv' else 'trf'}"
    return Decided((), {"version": state.version, "name": name, "text": text})


def records(state: State, stage: Stage, scene: Scene, upto: int) -> tuple[Record, ...]:
    return counts.records(facts(state, stage, scene.seed))[:upto]


def csv(state: State, stage: Stage, scene: Scene, asked: tuple[str, int]) -> str:
    what, upto = asked
    names = {number: account_of(state, stage, number) for number in range(1, len(stage.field) + 1)}
    if what == "standings":
        lines = [Line(one.number, one.rank or 0, Fraction(one.points), one.played, one.places,
                      tuple((code, Fraction(value)) for code, value in one.ties), one.decided) for one in stages.standing(state, stage, scene.seed)]
        return tables_csv.standing(lines, names)
    if what == "pairings":
        return tables_csv.pairings([pairing.numbers for pairing in shelf.every(_round(stage, upto).pairings)], names) if upto else ""
    found = records(state, stage, scene, upto)
    if what == "results":
        return tables_csv.results(found, scoring(rules_of(state.settings, stage)), names)
    return tables_csv.cross_table(sorted(names), found, names)


def _round(stage: Stage, number: int) -> Round:
    return round_of(stage, number)


def trf(state: State, stage: Stage, scene: Scene, upto: int) -> str:
    """LG-986."""
    rules = rules_of(state.settings, stage)
    if rules.best_of > 1 or rules.boards > 1 or not rules.two:
        raise Refused("not_exportable", "TRF16 knows single matches at tables of two only", [stage.number])
    found = tuple(trf16.Entrant(number, one.account, int(Fraction(one.rating or 0)))
                  for number in range(1, len(stage.field) + 1) for one in [entrant_of(state, stage, number)])
    made = trf16.Stage(state.settings.name, found, records(state, stage, scene, upto), stage.planned_rounds or len(stage.rounds))
    ranks: dict[int, int] | None = None
    if upto == len(stage.rounds):
        lines: list[Any] = [line for line in stages.standing(state, stage, scene.seed) if line.rank is not None]
        ranks = {line.number: line.rank for line in lines} if len(lines) == len(stage.field) else None
    return trf16.written(made, scoring(rules), ranks)
