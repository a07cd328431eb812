"""Does a championship count final standings, and nothing else, from its first act to its champion?"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.league.championship import CHAMPIONSHIP as KIND
from services.league.kind import Actor, Scene
from services.league.refusals import Refused
from tests.league.kept import Kept
from tests.ledger import rule

SEED = bytes(range(32))
ABC = {"ada": 1, "bo": 2, "cy": 3, "dee": 4}


class Desk(Kept):
    """One championship and its list of events, as the league process keeps them."""

    KIND = KIND

    def __init__(self, **wish: Any) -> None:
        super().__init__()
        self.ask("create", {"championship": "k-1", "organisation": "o-1", "settings": {"name": "Five games", **wish}})

    def ask(self, kind: str, body: Mapping[str, Any] | None = None, *, role: str = "owner") -> None:
        decided = KIND.decide(self.state, KIND.act(kind, body or {}), self.scene(role))
        self.fold(decided.events)

    def scene(self, role: str = "") -> Scene:
        return Scene(at=len(self.events), actor=Actor("acc-1", frozenset({role})), seed=SEED, frozen=self.frozen)

    def add(self, *tournaments: str) -> None:
        for tournament in tournaments:
            self.ask("add", {"tournament": tournament, "game": tournament.partition("-")[0]})

    def end(self, tournament: str, places: Mapping[str, int], *, revision: int = 1, **more: Any) -> None:
        """A tournament's final standing becomes known."""
        self.frozen[tournament] = {"revision": revision, "finished_at": len(self.events), "places": places, "barred": [], "tables": [], **more}
        self.advance()

    def lines(self, name: str = "standing") -> list[tuple[Any, str, str]]:
        return [(line["rank"], line["account"], line["net"]) for line in self.page(name)["lines"]]


def running(*tournaments: str, **wish: Any) -> Desk:
    desk = Desk(**wish)
    desk.add(*tournaments)
    desk.ask("publish")
    return desk


@rule("LG-601", "LG-602", "LG-603")
def test_only_final_standings_count_each_with_its_weight():
    desk = Desk()
    desk.add("chess-1")
    desk.ask("add", {"tournament": "go-1", "game": "go", "weight": "1/2"})
    desk.ask("publish")
    assert desk.lines() == []
    desk.end("go-1", ABC)
    assert desk.lines() == [(1, "ada", "50"), (2, "bo", "100/3"), (3, "cy", "50/3"), (4, "dee", "0")]
    assert [cup["state"] for cup in desk.page("head")["tournaments"]] == ["running", "finished"]


@rule("LG-606")
def test_a_small_field_is_marked_and_the_barred_are_not_ranked():
    desk = running("chess-1", "chess-2")
    desk.end("chess-1", {"ada": 1, "bo": 2, "cy": 3}, barred=["dee"])
    assert desk.lines()[0] == (1, "ada", "0")
    assert desk.page("head")["tournaments"][0]["too_small"]
    desk.end("chess-2", ABC)
    kinds = {line["account"]: [one["kind"] for one in line["results"]] for line in desk.page("standing")["lines"]}
    assert kinds["dee"] == ["disqualified", "ranked"]


@rule("LG-606", "LG-603")
def test_who_has_withdrawn_gets_nothing_and_those_behind_move_up():
    desk = running("chess-1")
    desk.end("chess-1", {"ada": 1, "bo": 2, "cy": 2, "dee": 4, "eva": 5, "fay": 6, "gus": 6}, withdrawn=["bo"], barred=["fay"])
    assert desk.lines() == [(1, "ada", "100"), (2, "cy", "75"), (3, "dee", "50"), (4, "eva", "25"), (5, "gus", "0"), (6, "fay", "0")]
    [result] = next(line["results"] for line in desk.page("standing")["lines"] if line["account"] == "fay")
    assert result["kind"] == "disqualified"


@rule("LG-609")
def test_gross_and_net_are_shown_and_what_is_dropped_is_marked():
    desk = running("a-1", "b-1", announced=2, drop=1)
    desk.end("a-1", {"ada": 2, "bo": 1, "cy": 3, "dee": 4})
    assert not any(one["dropped"] for line in desk.page("standing")["lines"] for one in line["results"])
    desk.end("b-1", ABC)
    ada = next(line for line in desk.page("standing")["lines"] if line["account"] == "ada")
    assert (ada["net"], ada["gross"], ada["net_shown"], ada["gross_shown"]) == ("100", "500/3", "100.0000", "166.6667")
    assert [one["dropped"] for one in ada["results"]] == [True, False]


@rule("LG-611")
def test_each_game_has_its_own_table():
    desk = running("a-1", "b-1", titles={"a": "Master of A"})
    desk.end("a-1", ABC)
    desk.end("b-1", {"dee": 1, "cy": 2, "bo": 3, "ada": 4})
    assert desk.lines("game/b")[0] == (1, "dee", "100")
    assert desk.page("head")["settings"]["titles"] == {"a": "Master of A"}


@rule("LG-611", "LG-612")
def test_who_came_before_whom_decides_in_the_table_of_a_game_too():
    desk = running("a-1", "a-2", "b-1", ties=["H2H", "latest"])
    desk.end("a-1", ABC, tables=[{"ada": 1, "bo": 2}])
    desk.end("a-2", {**ABC, "ada": 2, "bo": 1})
    desk.end("b-1", ABC, tables=[{"bo": 1, "ada": 2}, {"bo": 1, "ada": 2}])
    assert [account for _, account, _ in desk.lines("game/a")[:2]] == ["ada", "bo"]


@rule("LG-612")
def test_equal_totals_are_parted_in_the_order_that_is_set():
    places = ({"ada": 1, "bo": 2, "cy": 3, "dee": 4}, {"ada": 3, "bo": 2, "cy": 1, "dee": 4})
    tables = [{"bo": 1, "ada": 2}]

    def leaders(*ties: str) -> list[str]:
        desk = running("a-1", "b-1", ties=list(ties))
        desk.end("a-1", places[0], tables=tables)
        desk.end("b-1", places[1])
        return [account for _, account, _ in desk.lines()[:2]]

    assert leaders("H2H", "latest") == ["bo", "cy"]
    assert leaders("latest") == ["cy", "bo"]
    assert leaders("places", "latest") == ["cy", "ada"]


@rule("LG-612", "LG-613")
def test_scores_of_different_games_cannot_part_anybody():
    with pytest.raises(Refused) as refused:
        Desk(ties=["SD"])
    assert refused.value.code == "bad_setting"


@rule("LG-614")
def test_a_correction_makes_a_new_revision_and_the_earlier_one_can_be_computed_again():
    desk = running("a-1", announced=1)
    desk.end("a-1", ABC)
    before, known = desk.lines(), list(desk.events)
    assert (desk.page("head")["revision"], desk.state.winners) == (1, ("ada",))
    desk.end("a-1", {**ABC, "ada": 2, "bo": 1}, revision=2)
    assert (desk.page("head")["revision"], desk.state.winners) == (2, ("bo",))
    again = None
    for event in known:
        again = KIND.fold(again, event)
    bodies = {page.name: page.body for page in KIND.pages(again, 0, desk.scene())}
    assert [(line["rank"], line["account"], line["net"]) for line in bodies["standing"]["lines"]] == before


@rule("LG-617")
def test_after_the_publication_a_change_takes_an_owner_and_a_reason():
    desk = running("a-1")
    for role, reason, code in (("organiser", "a good reason", "not_allowed"), ("owner", "", "reason_missing"), ("owner", "short", "reason_missing")):
        with pytest.raises(Refused) as refused:
            desk.ask("remove", {"tournament": "a-1", "reason": reason}, role=role)
        assert refused.value.code == code
    desk.ask("remove", {"tournament": "a-1", "reason": "held twice by mistake"})
    assert KIND.counts(desk.state) == ()


@rule("LG-617")
def test_nothing_is_added_or_removed_once_it_is_finished():
    desk = running("a-1", announced=1)
    desk.end("a-1", ABC)
    for kind, body in (("add", {"tournament": "b-1", "game": "b"}), ("remove", {"tournament": "a-1", "reason": "a good reason"}), ("finish", {})):
        with pytest.raises(Refused) as refused:
            desk.ask(kind, body)
        assert refused.value.code == "frozen"


@rule("LG-106")
def test_the_way_of_counting_is_fixed_at_the_publication():
    desk = Desk()
    desk.ask("set", {"changes": {"drop": 1}})
    desk.ask("publish")
    desk.ask("set", {"changes": {"announced": 3}})
    with pytest.raises(Refused) as refused:
        desk.ask("set", {"changes": {"method": "beaten"}})
    assert (refused.value.code, refused.value.named) == ("frozen", ("method",))
    assert (desk.state.settings.drop, desk.state.settings.announced) == (1, 3)


@rule("LG-180", "LG-602")
def test_ending_it_early_takes_a_reason_and_what_comes_later_counts_no_more():
    desk = running("a-1", "b-1")
    desk.end("a-1", ABC)
    with pytest.raises(Refused) as refused:
        desk.ask("finish", role="organiser")
    assert refused.value.code == "reason_missing"
    desk.ask("finish", {"reason": "the second one was called off"}, role="organiser")
    assert (desk.state.state, desk.state.winners, desk.page("head")["seed"]) == ("finished", ("ada",), SEED.hex())
    before = desk.lines()
    desk.end("b-1", {"dee": 1, "cy": 2, "bo": 3, "ada": 4})
    assert (desk.lines(), desk.state.winners) == (before, ("ada",))
    desk.end("a-1", {**ABC, "ada": 2, "bo": 1}, revision=2)
    assert desk.state.winners == ("bo",)        # LG-614: what was counted may still be corrected


@rule("LG-612", "LG-253")
def test_the_draw_is_made_at_the_end_only_and_leaves_no_tie():
    level = {"ada": 1, "bo": 1, "cy": 3, "dee": 4}
    desk = running("a-1")
    desk.end("a-1", level)
    assert [rank for rank, *_ in desk.lines()[:2]] == [1, 1]
    desk.ask("finish")
    assert len(desk.state.winners) == 1


@rule("LG-826")
def test_possible_ranks_come_from_what_can_still_be_won():
    desk = running("a-1", "b-1", announced=2)
    desk.end("a-1", ABC)
    reach = {line["account"]: (line["possible"]["best"], line["possible"]["worst"]) for line in desk.page("standing")["lines"]}
    assert reach == {"ada": (1, 4), "bo": (1, 4), "cy": (1, 4), "dee": (1, 4)}
    desk = running("a-1", "b-1", "c-1", announced=3)
    desk.end("a-1", ABC)
    desk.end("b-1", ABC)
    reach = {line["account"]: (line["possible"]["best"], line["possible"]["worst"]) for line in desk.page("standing")["lines"]}
    assert (reach["ada"], reach["dee"]) == ((1, 2), (3, 4))      # 200 and 0: only bo, with 400/3, can pass 200 with 100 more


@rule("LG-144")
def test_who_has_seen_an_older_version_is_told_the_present_one():
    desk = Desk()
    with pytest.raises(Refused) as refused:
        desk.ask("publish", {"expected_version": 7})
    assert (refused.value.code, refused.value.named) == ("version_conflict", (1,))


@rule("LG-150")
@pytest.mark.parametrize(("kind", "body", "code"), [
    ("publish", {"status": "finished"}, "malformed"), ("crown", {}, "malformed"), ("add", {"tournament": "a-1", "weight": "-1"}, "malformed"),
    ("add", {"tournament": "a-9"}, "not_found"), ("add", {"tournament": "a-1", "game": "a"}, "bad_setting"),
    ("remove", {"tournament": "z-1"}, "not_found"), ("finish", {}, "wrong_state"), ("set", {"changes": {"drop": -1}}, "bad_setting"),
    ("set", {"changes": {"table": ["1", "2"], "method": "table"}}, "bad_setting")])
def test_what_is_refused_changes_nothing(kind: str, body: dict[str, Any], code: str):
    desk = Desk()
    desk.add("a-1")
    before = desk.state
    with pytest.raises(Refused) as refused:
        desk.ask(kind, body)
    assert (refused.value.code, desk.state) == (code, before)


@rule("LG-123")
def test_only_owners_and_organisers_look_after_it():
    desk = Desk()
    with pytest.raises(Refused) as refused:
        desk.ask("publish", role="self")
    assert refused.value.code == "not_allowed"


@settings(max_examples=30, deadline=None)
@given(st.lists(st.permutations(["ada", "bo", "cy", "dee", "eva"]), min_size=1, max_size=5))
def test_states_and_events_come_back_from_their_json_and_drops_never_add(orders):
    names = [f"g{at % 2}-{at}" for at in range(len(orders))]
    desk = running(*names, announced=len(names), drop=1)
    for name, order in zip(names, orders, strict=True):
        desk.end(name, {account: at for at, account in enumerate(order, start=1)})
    again = None
    for event in desk.events:
        body = msgspec.to_builtins(event)
        again = KIND.fold(again, KIND.event(body.pop("kind"), body))
    assert again == desk.state == KIND.state(msgspec.json.encode(desk.state))
    for line in desk.page("standing")["lines"]:
        assert Fraction(line["net"]) <= Fraction(line["gross"])
