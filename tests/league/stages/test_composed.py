"""Do the rounds of every tie-break come to the value in the standing, in every format, whatever happened?"""

import random
from fractions import Fraction

import pytest

from services.league.record import Bye
from services.league.scoring import PLAYED, Seat
from services.league.stages import FORMATS
from services.league.stages.composed import PER_MATCH, composed
from services.league.stages.facts import Floor, Played
from services.league.stages.rules import Groups, Seats
from services.league.ties.codes import BASE
from services.league.ties.rounds import CERTAIN, COMPARED, FIXED, IN_TURN, MEAN, MOMENT, SUM
from tests.league.stages.playing import by_chance, by_list, drafted, published, rules, run, stage, with_meeting
from tests.ledger import rule

F = Fraction
THREE = Seats(3, 4, 4)
EVERYWHERE = ("WIN", "WON", "P1", "P2", "HS", "HW", "ARO", "ARO-C1", "SD", "SF", "GP", "LAST", "RTG", "SEED", "ERL", "DE", "CO", "PS", "PS-C1", "SB", "SB-C1", "LOT")
BUCHHOLZ = ("BH", "BH-C1", "BH-M1", "FB", "AOB", "REP")
HARD = {2: 1, 3: 2, 4: 3}


def by_dice(seed):
    """Random places with shared ones, scores, and somebody who does not come or leaves now and then."""
    dice = random.Random(seed)

    def decide(numbers, _round):
        strength = {number: dice.randrange(4) for number in numbers}
        hows = {number: dice.choices((PLAYED, "left", "no_show"), (12, 1, 1))[0] for number in numbers}
        if all(how != PLAYED for how in hows.values()):
            hows[numbers[0]] = PLAYED
        keys = {number: (hows[number] == PLAYED, strength[number]) for number in numbers}
        return [Seat(number, 1 + sum(other > keys[number] for other in keys.values()), strength[number] * 3, hows[number]) for number in numbers]

    return decide


def made(name, seed, ties, size=9, **more):
    """A stage under way, with byes of every kind that the format has; its last table may still be open."""
    dice = random.Random(seed)
    if seed % 2:        # what compares comes first, while many are level
        ties = tuple(sorted(ties, key=lambda one: one not in COMPARED))
    facts = stage(rules(name, ties=ties, **more), size, hard=HARD, scores=True, entered={number: 1_000 * number for number in range(1, size + 1)},
                  ratings={number: F(dice.randrange(5, 40)) for number in range(1, size + 1)})
    for at in range(dice.randrange(2, 6)):
        if name == "swiss":
            facts = facts._replace(requested=(Bye(dice.randrange(1, size + 1), dice.choice(("half", "zero", "full"))),))
        found = FORMATS[name].draft(facts)
        if not hasattr(found, "pairings"):
            break
        facts = published(facts, found, by_dice(seed * 10 + at))
    if dice.random() < 0.4:
        facts = with_meeting(facts, len(facts.rounds), 1, state="running", games=())
    return facts


def arena(seed, ties=None):
    facts = stage(rules("arena", length=3_600, ties=ties), 7, hard=HARD, scores=True, floor=Floor(0, 3_600_000, since=dict.fromkeys(range(1, 8), 0)))
    for at in range(4):
        facts = published(facts, drafted(facts), by_dice(seed * 10 + at))
    return facts._replace(rounds=(*facts.rounds, Played()))


def parts(facts):
    form = FORMATS[facts.rules.format]
    lines = form.lines(facts)
    return [(line, form.book(facts, line.number), composed(facts, form.book(facts, line.number), lines, line.number)) for line in lines]


def value_of(one, line, rounds):
    """What the contributions come to, by the words of `how`."""
    kept = [share for share in one.rounds if not share.left_out]
    values = [share.value for share in kept]
    match one.how:
        case "sum":
            return sum(values, F(0))
        case "mean":
            return sum(values, F(0)) / max(1, len(values))
        case "per_match":
            return sum(values, F(0)) / max(1, line.played)
        case "in_turn":
            return sum((share.value / BASE**(rounds - share.round) for share in kept), F(0))
    return None


FIELDS = {
    "swiss of two": lambda seed: made("swiss", seed, (*EVERYWHERE, *BUCHHOLZ), rounds=5, tie_version=("plain-1", "virtual-1", "virtual-2")[seed % 3]),
    "swiss of four": lambda seed: made("swiss", seed, (*EVERYWHERE, *BUCHHOLZ, "H2H"), 11, rounds=5, seats=THREE),
    "series": lambda seed: made("swiss", seed, ("GP", "DE", "BH"), rounds=4, best_of=3),
    "round robin": lambda seed: made("round_robin", seed, (*EVERYWHERE, "KO"), 7, double=seed % 3 == 1),
    "round robin of four": lambda seed: made("round_robin", seed, (*EVERYWHERE, "H2H", "BH", "AOB"), 9, seats=THREE, rounds=4),
    "groups": lambda seed: made("groups", seed, (*EVERYWHERE, "KO"), 11, groups=Groups(2)),
    "arena": arena, "arena with a list": lambda seed: arena(seed, EVERYWHERE),
}


@rule("LG-771", "LG-743")
@pytest.mark.parametrize("field", FIELDS)
def test_the_contributions_come_to_the_value_of_the_standing(field):
    ways = set()
    for seed in range(12):
        facts = FIELDS[field](seed)
        if field == "round robin" and seed % 3 == 0:
            facts = facts._replace(gone=frozenset({seed % 7 + 1}))
        for line, kept, found in parts(facts):
            assert [(one.code, one.value) for one in found if one.used] == list(line.ties)
            for one in found:
                ways.add(one.how)
                if one.value is not None and one.how in {SUM, MEAN, PER_MATCH, IN_TURN}:
                    assert value_of(one, line, len(kept.rows[line.number])) == one.value, (seed, line.number, one)
    assert SUM in ways
    assert ways <= {SUM, MEAN, PER_MATCH, IN_TURN, CERTAIN, FIXED, MOMENT}


@rule("LG-743", "LG-771")
def test_a_code_that_compares_does_so_in_the_group_as_it_was_at_its_turn():
    """Five have equal points; after the wins only 1, 2 and 3 are level, and only what they did against each other counts."""
    facts = run(stage(rules("round_robin", ties=("SEED", "DE")), 4), by_list("1=2 1=3 1=4 2=3 2=4 3=4"))
    assert all(found[1].value is None and found[1].rounds == () for _, _, found in parts(facts))
    facts = run(stage(rules("round_robin", ties=("DE",)), 4), by_list("1=2 1=3 1=4 2=3 2=4 3=4"))
    assert [(found[0].among, [share.value for share in found[0].rounds]) for _, _, found in parts(facts)] == [(4, [F(1, 2)] * 3)] * 4
    facts = run(stage(rules("round_robin", ties=("WON", "DE")), 5), by_list("1-2 2-3 3-1 1=4 2=4 3=4 1=5 2=5 3=5 4=5"))
    of_the_first = next(found for line, _, found in parts(facts) if line.number == 1)
    level = {other for share in of_the_first[1].rounds if not share.left_out for other in share.opponents}
    assert (of_the_first[0].among, of_the_first[1].among, level) == (5, 3, {2, 3})


@rule("LG-747", "LG-771")
def test_where_meetings_are_missing_the_value_says_only_who_is_ahead_for_certain():
    facts = run(stage(rules("swiss", rounds=3, ties=("DE",)), 16), by_chance(2))
    assert CERTAIN in {one.how for _, _, found in parts(facts) for one in found if one.used}


@rule("LG-234", "LG-770", "LG-771")
def test_rests_open_tables_and_matches_that_count_no_more_are_told_as_left_out():
    facts = run(stage(rules("round_robin", ties=("SB",)), 5), rounds=4)
    facts = with_meeting(facts, 4, 1, state="running", games=())
    playing = facts.rounds[3].meetings[0].numbers
    told = {line.number: {share.round: (share.kind, share.left_out) for share in found[0].rounds} for line, _, found in parts(facts)}
    assert {told[number][4] for number in playing} == {("open", True)}
    for at, one in enumerate(facts.rounds, start=1):
        assert {told[number][at] for number in one.rests} == {("rest", True)}
    early = run(stage(rules("round_robin", ties=("SB",)), 6), rounds=2)._replace(gone=frozenset({6}))
    against = {number for one in early.rounds for meeting in one.meetings if 6 in meeting.numbers for number in meeting.numbers} - {6}
    for line, _, found in parts(early):
        kinds = [share.kind for share in found[0].rounds]
        assert ("removed" in kinds) == (line.number in {*against, 6})


@rule("LG-229", "LG-771")
def test_rounds_before_an_entry_are_told_as_such():
    facts = run(stage(rules("swiss", rounds=3, ties=("BH",)), 6)._replace(joined={6: 2}, available=frozenset(range(1, 6))), rounds=1)
    facts = run(facts._replace(available=frozenset(range(1, 7))), rounds=1)
    [found] = [found for line, _, found in parts(facts) if line.number == 6]
    assert (found[0].rounds[0].round, found[0].rounds[0].kind) == (1, "late")


@rule("LG-527", "LG-771")
def test_an_arena_tells_its_mean_by_what_each_match_brought():
    for line, _, found in parts(arena(3)):
        by_code = {one.code: one for one in found}
        assert (by_code["MEAN"].how, by_code["SOONER"].how) == (PER_MATCH, MOMENT)
        assert by_code["MEAN"].value == dict(line.ties)["MEAN"]
        assert by_code["SOONER"].rounds == ()


@rule("LG-771", "LG-445")
def test_a_bracket_and_a_ladder_rank_by_no_tie_break():
    facts = run(stage(rules("elimination", ties=("WON",)), 4))
    assert {found[0].used for _, _, found in parts(facts)} == {False}
    assert [found[0].value for _, _, found in parts(facts)] == [2, 1, 0, 0]
