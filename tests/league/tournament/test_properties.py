"""What holds for every tournament, whatever happens in it?"""

import random
from fractions import Fraction

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from services.league.kind import Actor, Scene
from services.league.refusals import Refused
from services.league.tournament.acts import RecordMatch, SeatEnded
from services.league.tournament.bench import lines, running
from services.league.tournament.deciding.results import record
from services.league.tournament.doors import TOURNAMENT
from services.league.tournament.shelf import every
from services.league.tournament.state import State
from tests.league.tournament.desk import THREE, TWO, Desk, stage
from tests.ledger import rule

FEW = settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
FORMS = [stage("swiss", rounds=3), stage("swiss", THREE, rounds=2), stage("round_robin"), stage("elimination"), stage("double_elimination"),
         stage("swiss", {"least": 3, "most": 5, "preferred": 4}, rounds=2), stage("groups", groups={"count": 2}), stage("arena", length=120)]
WORDS = ["end", "end", "end", "end", "withdraw", "return", "forfeit", "void", "replay", "wait", "wait", "disqualify", "correct", "pause", "resume",
         "late", "started", "extend", "end_again"]


def acted(desk, word, dice):
    """Something that may be asked at any moment; what is refused changes nothing."""
    matches, before = desk.open(), desk.digest()
    account = f"acc-{dice.randrange(1, 10):03d}"
    place, numbers, match = dice.choice(matches) if matches else ("1/1/1", (1, 2), "m-1")
    order = [1 + at for at in range(len(numbers))]
    dice.shuffle(order)
    doings = {
        "end": lambda: desk.end(match, order), "withdraw": lambda: desk.own(account, "withdraw"), "return": lambda: desk.own(account, "return"),
        "end_again": lambda: desk.end(f"m-{dice.randrange(1, 9)}", order), "wait": lambda: desk.wait(dice.choice([1_000, 60_000, 400_000])),
        "forfeit": lambda: desk.referee("forfeit", pairing=place, accounts=list(desk.orders[-1].accounts[:1]), reason="gone"),
        "void": lambda: desk.referee("void", pairing=place, reason="server fault"), "pause": lambda: desk.host("pause"),
        "replay": lambda: desk.referee("replay", pairing=place, reason="agreed"), "resume": lambda: desk.host("resume"),
        "disqualify": lambda: desk.referee("disqualify", account=account, reason="cheating"),
        "correct": lambda: desk.referee("correct", correction={"pairing": "1/1/1", "void": True}, reason="it was all wrong", void_later=True,
                                        expected_version=desk.state.version),
        "late": lambda: desk.own(desk.person(f"late-{dice.randrange(3)}"), "enter"), "started": lambda: desk.league("started", match=match),
        "extend": lambda: desk.host("extend", pairing=place, until=desk.at + 9_000_000, reason="slow"),
    }
    try:
        doings[word]()
    except Refused:
        assert desk.digest() == before


def sound(desk):
    """What must be so at every version."""
    state = desk.state
    assert state.version == len(desk.events)
    for one in state.stages:
        for made in one.rounds:
            seated = [number for pairing in every(made.pairings) if pairing.state != "void" for number in pairing.numbers]
            had = [bye.number for bye in made.byes]
            if state.settings.stages[one.number - 1].format != "arena":
                assert len(set(seated)) == len(seated), "nobody sits twice in a round"
                assert not set(seated) & set(had)
            assert all(match for pairing in every(made.pairings) for match in [pairing.match] if pairing.state in {"ready", "running"})
    assert len({order.match for order in desk.orders}) == len(desk.orders)


@rule("LG-802", "LG-150", "LG-148")
@FEW
@given(st.integers(0, 2**32), st.sampled_from(FORMS))
def test_the_fold_of_all_events_is_the_state_whatever_happened(seed, form):
    dice = random.Random(seed)
    desk = Desk(form)
    desk.field(dice.randrange(4, 10))
    desk.host("start", accept_imbalance=True)
    for _ in range(40):
        acted(desk, dice.choice(WORDS), dice)
        sound(desk)
    again = desk.past(desk.state.version)
    assert msgspec.json.encode(again) == msgspec.json.encode(desk.state)
    stored = TOURNAMENT.state(msgspec.json.encode(desk.state))
    scene = desk._scene(Actor())
    assert TOURNAMENT.pages(stored, 0, scene) == TOURNAMENT.pages(desk.state, 0, scene)
    assert TOURNAMENT.advance(stored, scene) == ()


@rule("LG-803")
@FEW
@given(st.integers(0, 2**32), st.sampled_from(FORMS[:6]))
def test_the_order_of_arrival_has_no_effect_on_the_standing(seed, form):
    standings = []
    for order in (1, 2):
        dice, strength = random.Random(order), random.Random(seed)
        desk = Desk(form)
        desk.field(8)
        desk.host("start", accept_imbalance=True)
        power = {number: strength.random() for number in range(1, 9)}
        desk.play(dice, better=power.get)
        standings.append([(line["number"], line["rank"], line["points"], line["ties"]) for line in desk.page("standing/1")["lines"]])
    assert standings[0] == standings[1]


@rule("LG-272", "LG-175")
@pytest.mark.parametrize("count", [0, 1, 2, 3, 4, 5, 7, 11, 24, 53, 300])
@pytest.mark.parametrize("form", [
    stage("swiss", rounds=1), stage("swiss", THREE, rounds=1), stage("swiss", {"least": 5, "most": 6, "preferred": 6}, rounds=1),
    stage("elimination", {"least": 3, "most": 5, "preferred": 4}, advance=2)], ids=["two", "three", "five", "tables"])
def test_no_field_size_is_an_error(form, count):
    desk = Desk(form)
    desk.field(count)
    try:
        desk.host("start", accept_imbalance=True)
    except Refused as refused:
        codes = [refused.code]
    else:
        codes = []
    if codes:
        assert codes == ["not_enough_players"]
        assert count < 5
        return
    seated = sum(len(order.accounts) for order in desk.orders)
    page = desk.page("round/1/1") if desk.stage().rounds else {"byes": [], "rests": []}
    assert seated + len(page["byes"]) + len(page["rests"]) == count


@rule("LG-723", "LG-652")
@FEW
@given(st.integers(0, 2**32), st.sampled_from([TWO, THREE, {"least": 3, "most": 5, "preferred": 4}]), st.integers(6, 14))
def test_the_points_of_a_table_add_up_and_those_of_a_round_with_its_byes(seed, seats, count):
    desk = Desk(stage("swiss", seats, rounds=2))
    desk.field(count)
    desk.host("start")
    desk.play(random.Random(seed))
    byes = tables = Fraction(0)
    for number in range(1, len(desk.stage().rounds) + 1):
        page = desk.page(f"round/1/{number}")
        byes += sum(Fraction(one["points"]) for one in page["byes"])
        for one in page["pairings"]:
            worth = sum(Fraction(seat["points"]) for seat in one["seats"])
            assert worth == Fraction(len(one["seats"]), 2)
            tables += worth
    assert sum(Fraction(line["points"]) for line in desk.page("standing/1")["lines"]) == tables + byes


@rule("LG-804", "LG-809")
def test_pages_that_changed_since_a_version_are_all_that_changed():
    desk = Desk(stage("swiss", rounds=3))
    desk.field(8)
    desk.host("start")
    shown: dict[tuple[str, int], object] = {}
    seen = 0
    dice = random.Random(5)
    for word in ["end", "end", "withdraw", "started", "forfeit", "end", "wait", "wait", "end", "end", "void", "correct", "end", "wait", "late", "end"]:
        acted(desk, word, dice)
        scene = desk._scene(Actor())
        shown |= {(page.name, page.part): page.body for page in TOURNAMENT.pages(desk.state, seen, scene)}
        seen = desk.state.version
        whole = {(page.name, page.part): page.body for page in TOURNAMENT.pages(desk.state, 0, scene)}
        for name, body in whole.items():
            if name[0].startswith(("round/", "entrants", "standing/")):
                assert {key: value for key, value in shown[name].items() if key != "version"} == {
                    key: value for key, value in body.items() if key != "version"}, name


@rule("LG-1032")
def test_a_result_in_a_large_field_copies_little():
    """No time is measured here: `make bench` prints it. What is copied is one part of 500 tables and one of the round's."""
    state = running(4_000)
    scene = Scene(2, Actor())
    act = RecordMatch(match="m-7", ended="finished", seats=(SeatEnded(0, 1), SeatEnded(1, 2)))
    after = state
    for event in record(state, act, scene).events:
        after = TOURNAMENT.fold(after, event)
    before, now = state.stages[0].rounds[0].pairings, after.stages[0].rounds[0].pairings
    assert [one is other for one, other in zip(before, now, strict=True)] == [False, True, True, True]
    assert after.entrants is state.entrants
    assert after.stages[0].numbers is state.stages[0].numbers
    assert TOURNAMENT.advance(after, scene) == ()
    assert [line[:10] for line in lines((40,))] == ["One result"]


def test_an_event_is_read_as_it_was_written():
    desk = Desk(stage("elimination"))
    desk.field(5)
    desk.host("start")
    desk.play()
    for event in desk.events:
        body = msgspec.to_builtins(event, str_keys=True)
        assert TOURNAMENT.event(body.pop("kind"), body) == event
    assert isinstance(TOURNAMENT.state(msgspec.json.encode(desk.state)), State)
