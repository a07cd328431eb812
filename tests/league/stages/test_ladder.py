"""Does a ladder move as its matches say, and who may challenge whom?"""

import pytest

from services.league.refusals import Refused
from services.league.scoring import Seat
from services.league.stages import FORMATS, Challenge, Waits
from services.league.stages.facts import CONFIRMED, DECLINED, RUNNING, VOID, Floor, Meeting, Played
from services.league.stages.ladder import checked_challenge, rungs
from services.league.stages.rules import Seats
from services.league.stages.words import words
from tests.league.stages.playing import TWO, drafted, published, ranks, rules, stage
from tests.ledger import rule

FORM = FORMATS["ladder"]
A, B, C, D, E, F, G, H = range(1, 9)
DAY = 86_400_000


def ladder(seats: Seats = TWO, **more):
    return stage(rules("ladder", seats, **more), 8)


def won(facts, challenger: int, order: tuple[int, ...], at: int, state: str = CONFIRMED):
    """A match that ended in this order."""
    games = (tuple(Seat(number, place) for place, number in enumerate(order, start=1)),)
    meeting = Meeting(1, order, state, games, f"challenge/{challenger}", at=at)
    return facts._replace(rounds=(*facts.rounds, Played((meeting,))))


def asked(facts, *challenges):
    return facts._replace(floor=facts.floor._replace(challenges=challenges))


@rule("LG-541", "LG-544", "LG-545", "LG-546")
def test_moves_of_the_worked_example():
    assert rungs(won(ladder(), F, (F, C), 1)) == (A, B, F, C, D, E, G, H)
    assert rungs(won(ladder(move="swap"), F, (F, C), 1)) == (A, B, F, D, E, C, G, H)
    assert rungs(won(ladder(Seats(2, 4, 4)), D, (G, B, E, D), 1)) == (A, G, C, B, E, F, D, H)
    assert rungs(won(ladder(), F, (C, F), 1)) == tuple(range(1, 9))
    assert rungs(won(ladder(), F, (F, C), 1, VOID)) == tuple(range(1, 9))


@rule("LG-541", "LG-227", "LG-235")
def test_newcomers_stand_at_the_bottom_and_who_has_left_stands_nowhere():
    facts = won(ladder(), F, (F, C), 1)
    facts = facts._replace(field=(*facts.field, 9), available=frozenset(range(1, 10)), gone=frozenset({B}))
    assert rungs(facts) == (A, F, C, D, E, G, H, 9)
    assert ranks(facts) == {A: 1, F: 2, C: 3, D: 4, E: 5, G: 6, H: 7, 9: 8, B: None}


@rule("LG-542", "LG-547")
@pytest.mark.parametrize(("one", "other", "code"), [(F, B, "out_of_reach"), (B, C, "out_of_reach"), (H, G, "engaged"), (D, C, "engaged"), (E, D, "too_soon")])
def test_challenges_that_may_not_be(one, other, code):
    facts = won(ladder(), E, (D, E), 10 * DAY)
    facts = facts._replace(rounds=(*facts.rounds, Played((Meeting(1, (G, F), RUNNING, place=f"challenge/{G}"),))))
    with pytest.raises(Refused) as refused:
        checked_challenge(facts, Challenge(one, (other,), 11 * DAY), [Challenge(C, (A,), 11 * DAY)])
    assert refused.value.code == code


@rule("LG-542", "LG-547")
def test_challenges_that_may_be():
    facts = won(ladder(), E, (D, E), 10 * DAY)
    wanted = Challenge(E, (D,), 17 * DAY)
    assert checked_challenge(facts, wanted, []) == wanted
    assert checked_challenge(facts, Challenge(F, (C,), 0), []).challenger == F


@rule("LG-543", "LG-546")
def test_an_answered_challenge_becomes_a_pairing():
    facts = asked(ladder(), Challenge(F, (C,), 5), Challenge(H, (G,), 6, DECLINED), Challenge(D, (C,), 7))
    found = drafted(facts)
    assert [(set(one.numbers), one.absent, one.place) for one in found.pairings] == [({F, C}, (), "challenge/6"), ({H, G}, (G,), "challenge/8")]
    assert words(found.pairings[0].why) == "No. 6 challenges from rung 6 to rung 3."
    assert "lost" in words(found.pairings[1].why)
    after = published(facts, found)
    assert rungs(after) == (A, B, C, D, E, F, H, G)
    assert FORM.draft(asked(after)) == Waits("later")
    assert FORM.parallel(facts)


@rule("LG-544", "LG-803")
def test_moves_follow_the_time_of_the_results_not_the_order_of_rounds():
    first, second = (F, (F, C), 20), (C, (C, B), 10)
    facts = won(won(ladder(), *first), *second)
    assert rungs(facts) == (A, F, C, B, D, E, G, H)


@rule("LG-925")
def test_rungs_may_be_set_by_hand():
    facts = won(won(ladder(), F, (F, C), 10), F, (F, A), 30)
    by_hand = facts._replace(floor=Floor(rungs=((20, (H, A, B, C, D, E, F, G)),)))
    assert rungs(by_hand) == (H, F, A, B, C, D, E, G)
    partly = facts._replace(floor=Floor(rungs=((20, (H, A)),)))
    assert rungs(partly)[:3] == (H, F, A)


@rule("LG-925", "LG-922")
def test_a_match_whose_rungs_were_used_cannot_be_corrected():
    facts = won(ladder(), F, (F, C), 10)
    meeting = facts.rounds[0].meetings[0]
    other = meeting._replace(games=((Seat(C, 1), Seat(F, 2)),))
    assert FORM.consequences(facts, (1, 1), other).blocked == ()
    used = won(facts, F, (F, A), 20)
    found = FORM.consequences(used, (1, 1), other)
    assert found.blocked == ((2, 1),)
    assert "used" in found.words[0]
    apart = won(facts, H, (H, G), 20)
    assert FORM.consequences(apart, (1, 1), other).blocked == ()


@rule("LG-822")
def test_anybody_may_come_anywhere():
    assert set(FORM.possible(ladder()).values()) == {(1, 8)}
    assert FORM.plan(ladder()).rounds is None
    assert FORM.bracket(ladder()) is None
    assert FORM.cross(ladder()) is None
