"""Do block lists keep accounts apart, as far as they may, and without a word about whose they are?"""

import msgspec
import pytest
from msgspec.structs import replace

from services.league.kind import Kept
from tests.league.tournament.desk import MINUTE, Desk, account_at, refused, stage
from tests.ledger import rule

SWISS = stage("swiss", rounds=2)
ARENA, LADDER = stage("arena", length=3600), stage("ladder")


class Blocking(Desk):
    """A desk that knows who has blocked whom, and keeps what a round was made from."""

    def __init__(self, *stages, **others):
        self.blocked, self.made_from = set(), {}
        super().__init__(*stages, **others)

    def _scene(self, actor):
        return replace(super()._scene(actor), blocks=self.blocks, kept=lambda stage, number: self.made_from.get((stage, number), Kept()))

    def blocks(self, stage_number, number, accounts):
        places = {account: place for place, account in enumerate(accounts, start=1)}
        couples = frozenset(tuple(sorted(places[one] for one in two)) for two in self.blocked)
        self.made_from[stage_number, number] = Kept(couples, "salt" if couples else "")
        return self.made_from[stage_number, number]

    def begun(self, count):
        self.field(count)
        self.host("start", accept_imbalance=True)
        return self


def couples(desk, number=1):
    return {frozenset(seat["account"] for seat in one["seats"]) for one in desk.page(f"round/1/{number}")["pairings"]}


@rule("LG-951")
def test_in_public_tournaments_who_is_blocked_is_met_elsewhere():
    met = couples(Blocking(SWISS).begun(4))
    desk = Blocking(SWISS)
    desk.blocked = {tuple(one) for one in met}
    assert not couples(desk.begun(4)) & met


@rule("LG-951", "LG-954")
def test_where_there_is_nobody_else_they_meet_and_nobody_is_named():
    desk = Blocking(SWISS)
    desk.blocked = {("acc-001", "acc-002"), ("acc-003", "acc-001"), ("acc-001", "acc-004")}
    desk.begun(4)
    [why] = [one["explanation"] for one in desk.page("round/1/1")["pairings"] if "acc-001" in {seat["account"] for seat in one["seats"]}]
    assert why["dropped"] == ["constraint"]
    assert "acc-" not in str(why)


@rule("LG-951")
def test_a_private_tournament_asks_its_organisers_alone():
    met = couples(Blocking(SWISS, visibility="private").begun(4))
    desk = Blocking(SWISS, visibility="private")
    desk.blocked = {tuple(one) for one in met}
    assert couples(desk.begun(4)) == met


@rule("LG-951")
@pytest.mark.parametrize("visibility", ["public", "private"])
def test_in_an_arena_they_never_meet(visibility):
    desk = Blocking(ARENA, visibility=visibility)
    desk.blocked = {("acc-001", "acc-002")}
    desk.begun(2)
    for account in ("acc-001", "acc-002"):
        desk.own(account, "ready")
    desk.wait(10 * MINUTE)
    assert not desk.orders
    desk.blocked = set()
    desk.wait(10 * MINUTE)
    assert len(desk.orders) == 1


@rule("LG-951", "LG-954")
@pytest.mark.parametrize("blocker", [1, 2])
def test_on_a_ladder_neither_challenges_the_other_and_both_hear_the_same(blocker):
    desk = Blocking(LADDER).begun(3)
    first, second = account_at(desk, 1), account_at(desk, 2)
    desk.blocked = {(first, second) if blocker == 1 else (second, first)}
    with refused("out_of_reach") as caught:
        desk.own(second, "challenge", account=first)
    assert caught.value.named == ("constraint",)
    desk.own(account_at(desk, 3), "challenge", account=second)


@rule("LG-951", "LG-1022", "LG-954")
def test_a_round_is_explained_from_what_was_kept_and_its_events_do_not_tell_it():
    plain = Blocking(SWISS).begun(4)
    desk = Blocking(SWISS)
    desk.blocked = {tuple(one) for one in couples(plain)}
    desk.begun(4)
    kept = dict(desk.made_from)
    desk.blocked = set()
    desk.host("explain", stage=1, round=1)
    assert desk.answer["equal"]
    desk.made_from = {}
    desk.host("explain", stage=1, round=1)
    assert not desk.answer["equal"]
    assert kept[1, 1].salt == "salt"
    names = {name for event in desk.events for name in msgspec.to_builtins(event)}
    assert not names & {"blocks", "kept", "couples", "constraints", "salt"}
    assert [event.__struct_config__.tag for event in desk.events] == [event.__struct_config__.tag for event in plain.events]
