"""Does a referee see patterns between two accounts, and nothing where there is none?"""

import itertools
import random

import pytest

from services.league.tournament.telling.signals import signals
from tests.league.tournament.desk import THREE, Desk, account_at, refused, running, stage
from tests.ledger import rule

ROUNDS = 8


def multi(count=9, rounds=ROUNDS, **people):
    return running(stage("round_robin", THREE, rounds=rounds), count, **people)


def played(desk, places_of):
    """Every table as this function places its accounts: from a list of accounts to a list of places."""
    for _ in range(1_000):
        matches = desk.open()
        if not matches:
            if desk.state.life != "running" or desk.until_due() is None:
                return desk
            continue
        _, numbers, match = matches[0]
        desk.end(match, places_of([account_at(desk, number) for number in numbers]))
    raise AssertionError("it never ends")


def by(strength):
    return lambda accounts: [1 + sum(strength(other, accounts) > strength(one, accounts) for other in accounts) for one in accounts]


def found(desk):
    return {(one["signal"], *one["accounts"]) for one in signals(desk.state)}


@rule("LG-955")
def test_fair_play_gives_no_signal():
    dice = random.Random(5)
    desk = played(multi(), by(lambda one, accounts: dice.random()))
    assert {kind for kind, *_ in found(desk)} <= {"in_turn"}
    strong = played(multi(), by(lambda one, accounts: one))             # the better one always wins: strength is no collusion
    assert found(strong) == set()


@rule("LG-955")
def test_two_who_are_better_together_than_apart_are_seen():
    pair = {"acc-001", "acc-002"}
    dice = random.Random(1)

    def strength(one, accounts):
        helped = 5 if pair <= set(accounts) else -5
        return dice.random() + (helped if one in pair else 0)

    desk = played(multi(count=5, rounds=20), by(strength))
    [signal] = [one for one in signals(desk.state) if one["signal"] == "together"]
    assert signal["accounts"] == sorted(pair)
    assert len(signal["pairings"]) >= 3
    assert "tables of three or more" in signal["words"]
    assert signal["pairings"][0].count("/") == 2


@rule("LG-955")
def test_two_who_win_in_turn_with_the_other_last_are_seen():
    pair, times = ["acc-001", "acc-002"], itertools.count()

    def places(accounts):
        if not set(pair) <= set(accounts):
            return by(lambda one, others: others.index(one))(accounts)
        winner = pair[next(times) % 2]
        return [1 if one == winner else 3 if one in pair else 2 for one in accounts]

    desk = played(multi(count=5, rounds=20), places)
    assert ("in_turn", *pair) in found(desk)


@rule("LG-955")
@pytest.mark.parametrize(("sign", "seen"), [(1, False), (-1, True)])
def test_results_far_from_the_ratings_are_seen(sign, seen):
    desk = Desk(stage("round_robin", THREE, rounds=20))
    desk.host("open", forecast_seen=True)
    ratings = {desk.person(f"acc-{number}", rating=f"{number * 10}.00"): number for number in range(1, 6)}
    for account in ratings:
        desk.own(account, "enter")
    desk.host("close")
    desk.host("start", accept_imbalance=True)
    played(desk, by(lambda one, accounts: sign * ratings[one]))
    unexpected = [one for one in signals(desk.state) if one["signal"] == "unexpected"]
    assert bool(unexpected) == seen
    assert not seen or ["acc-1", "acc-5"] in [one["accounts"] for one in unexpected]


@rule("LG-955")
def test_signals_are_for_referees_and_change_nothing():
    desk = multi()
    version = desk.state.version
    desk.referee("signals")
    assert desk.answer == {"version": version, "items": []}
    assert desk.state.version == version
    with refused("not_allowed"):
        desk.host("signals")
