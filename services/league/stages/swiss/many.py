"""How is a round of Swiss at tables of three to eight made?"""

from __future__ import annotations

from collections.abc import Sequence

from services.league.formats.swissn.cards import Card, Plan, cards, field_of, past_of
from services.league.formats.swissn.seating import Seated, seat
from services.league.record import ALLOCATED
from services.league.refusals import Refused
from services.league.stages import counts
from services.league.stages.facts import DEAD_END, HARD, SOFT, Draft, Drafted, Facts, Option, Over, Waits
from services.league.stages.rules import limits, scoring
from services.league.stages.swiss.explained import of_table

FINISH = "finish"


def made(facts: Facts, pool: Sequence[int], option: str) -> Drafted | Over | Waits:
    """LG-391 to LG-405, LG-427, LG-654, LG-657 The round of these entrants; only hard constraints can make it impossible."""
    if option == FINISH:
        return Over(DEAD_END)
    given = tuple(bye.number for bye in facts.requested if bye.kind == ALLOCATED and bye.number in pool)
    records, number = counts.records(facts), len(facts.rounds) + 1
    plan = Plan(number, facts.rules.rounds or number, limits(facts.rules), facts.rules.priority, counts.apart(facts, HARD, number),
                past_of(records), counts.apart(facts, SOFT, number))
    found = cards([one for one in pool if one not in given], records, scoring(facts.rules))
    try:
        return _drafted(facts, (found, plan), seat(found, plan), given)
    except Refused as refused:
        if refused.code != "no_pairing":
            raise
    if facts.rules.dead_end == "ask":
        return Waits(DEAD_END, (Option(FINISH, 0, "the stage is finished with the rounds that were played"),))
    return Over(DEAD_END)


def _drafted(facts: Facts, asked: tuple[Sequence[Card], Plan], seated: Seated, given: Sequence[int]) -> Drafted:
    found, plan = asked
    field = field_of([card for card in found if card.number not in seated.byes], plan)
    place = {card.number: at for at, card in enumerate(field.cards)}
    drafts = tuple(Draft(table, why=of_table(field, sorted(place[number] for number in table))) for table in seated.tables)
    byes = tuple(counts.bye_of(facts.rules, number, ALLOCATED) for number in sorted({*seated.byes, *given}))
    names = ("constraints broken", "repeats", "steps", "pulled up again", "wishes not kept")
    order = (0, 2, 1, 3, 4) if plan.priority == "brackets_first" else (0, 1, 2, 3, 4)
    values = ", ".join(f"{names[at]}: {value}" for at, value in zip(order, seated.costs, strict=True))
    why = {bye.number: "given" if bye.number in given else "lowest" for bye in byes}
    return Drafted(drafts, byes, notes=(values,), why_byes=why)
