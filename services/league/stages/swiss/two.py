"""How is a round of Swiss for two made, and what is there to choose when none can be made?"""

from __future__ import annotations

from collections.abc import Sequence

from services.league.draws import drawn
from services.league.formats.swiss2 import dead_ends
from services.league.formats.swiss2.cards import Card, Plan, cards
from services.league.formats.swiss2.forecast import Forecast as Trials
from services.league.formats.swiss2.forecast import forecast as trials
from services.league.formats.swiss2.forecast import is_safe
from services.league.formats.swiss2.pairing import Paired, pair
from services.league.record import ALLOCATED
from services.league.refusals import Refused
from services.league.stages import counts
from services.league.stages.facts import DEAD_END, HARD, SOFT, Draft, Drafted, Facts, Forecast, Option, Over, Waits
from services.league.stages.rules import scoring
from services.league.stages.swiss.explained import TwoSeats, bye_rule

FIRST_SEAT, SECOND_SEAT = "first", "second"


def plan_of(facts: Facts, bye: int | None) -> Plan:
    """LG-372, LG-951 What the pairing is asked: the drawn first seat, constraints, and a bye that a referee has moved."""
    number = len(facts.rounds) + 1
    seat = facts.rules.initial_seat or drawn(facts.seed, "seat", facts.stage, (FIRST_SEAT, SECOND_SEAT))[0]
    return Plan(number, facts.rules.rounds or number, seat == FIRST_SEAT, counts.apart(facts, HARD, number), counts.apart(facts, SOFT, number), bye=bye)


def made(facts: Facts, pool: Sequence[int], option: str) -> Drafted | Over | Waits:
    """LG-341 to LG-373, LG-421, LG-426 The round of these entrants; requested byes are added by whoever asks."""
    given = next((bye.number for bye in facts.requested if bye.kind == ALLOCATED and bye.number in pool), None)
    plan = plan_of(facts, given)
    found = cards(pool, counts.records(facts), scoring(facts.rules), plan)
    if option:
        return _chosen(facts, found, plan, option)
    try:
        return _drafted(facts, found, plan, pair(found, plan))
    except Refused as refused:
        if refused.code != "no_pairing":
            raise
    if facts.rules.dead_end == "finish":
        return Over(DEAD_END)
    ways = dead_ends.options(found, plan, dead_ends.last_meetings(counts.records(facts)))
    if facts.rules.dead_end == "relax":
        return _taken(facts, found, ways[0])
    return Waits(DEAD_END, tuple(_told(way) for way in ways))


def _chosen(facts: Facts, found: Sequence[Card], plan: Plan, option: str) -> Drafted | Over:
    """LG-426 What a person chose, as long as it is on offer."""
    ways = {way.kind: way for way in dead_ends.options(found, plan, dead_ends.last_meetings(counts.records(facts)))}
    if option not in ways:
        raise Refused("wrong_state", f"there is no option {option} now", sorted(ways))
    return _taken(facts, found, ways[option])


def _taken(facts: Facts, found: Sequence[Card], way: dead_ends.Option) -> Drafted | Over:
    if way.plan is None:
        return Over(DEAD_END)
    drafted = _drafted(facts, found, way.plan, pair(found, way.plan))
    return drafted._replace(option=way.kind, notes=(*drafted.notes, _told(way).words))


def _told(way: dead_ends.Option) -> Option:
    """LG-422 An option with its harm, in words."""
    couples = ", ".join(f"{one}-{other}" for one, other in way.harmed)
    match way.kind:
        case dead_ends.SEATS:
            return Option(way.kind, len(way.harmed), f"claims to a seat are refused in {len(way.harmed)} pairings: {couples}", way.harmed)
        case dead_ends.BYE:
            return Option(way.kind, 1, f"no. {way.entrant} has a second bye", ((way.entrant or 0,),))
        case dead_ends.REPEATS:
            return Option(way.kind, len(way.harmed), f"{len(way.harmed)} couples meet again: {couples}", way.harmed)
        case _:
            return Option(way.kind, 0, "the stage is finished with the rounds that were played")


def _drafted(facts: Facts, found: Sequence[Card], plan: Plan, paired: Paired) -> Drafted:
    why = TwoSeats(found, plan)
    drafts = tuple(Draft(table, why=why.of(table)) for table in paired.tables)
    dropped = sum("dropped" in draft.why for draft in drafts)
    notes = (f"{dropped} wishes to keep entrants apart could not be kept",) if dropped else ()
    if paired.bye is None:
        return Drafted(drafts, notes=notes)
    rule = "given" if plan.bye == paired.bye and any(bye.kind == ALLOCATED for bye in facts.requested) else bye_rule(
        next(card for card in found if card.number == paired.bye), found)
    return Drafted(drafts, (counts.bye_of(facts.rules, paired.bye, ALLOCATED),), notes=notes, why_byes={paired.bye: rule})


def forecast(facts: Facts, size: int) -> Forecast:
    """LG-428 to LG-430 For the expected or the real field, from the seed of the stage."""
    rounds = facts.rules.rounds or 1
    if is_safe(size, rounds):
        return Forecast(words=f"{rounds} rounds with {size} entrants cannot run out of fresh opponents; no trials were needed")
    found: Trials = trials(size, rounds, facts.seed, scoring(facts.rules), facts.rules.trials)
    return Forecast(found.trials, found.dead_ends, found.to_be_seen, f"{found.dead_ends} of {found.trials} trial tournaments met a dead end")
