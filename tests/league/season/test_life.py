"""Does a season with divisions come from its first act to the places of the next one?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
import pytest

from services.league.kind import Actor, Person, Scene
from services.league.refusals import Refused
from services.league.season import SEASON as KIND
from services.league.season.deciding import PUBLISHED_AFTER
from tests.league.kept import Kept
from tests.ledger import rule

DIVISIONS = [{"name": "First", "size": 6, "down": 2}, {"name": "Second", "size": 6, "up": 2, "down": 2}, {"name": "Third", "size": 6, "up": 2}]


class Desk(Kept):
    """One season of three divisions and its list of events."""

    KIND = KIND

    def __init__(self, **wish: Any) -> None:
        super().__init__()
        self.people: dict[str, Person] = {}
        self.now = 0
        self.ask("create", {"season": "s-1", "organisation": "o-1", "settings": {"name": "Winter", "divisions": DIVISIONS, **wish}})

    def ask(self, kind: str, body: Mapping[str, Any] | None = None, *, role: str = "organiser", account: str = "acc-1") -> None:
        self.fold(KIND.decide(self.state, KIND.act(kind, body or {}), self.scene(role, account)).events)

    def scene(self, role: str = "", account: str = "") -> Scene:
        return Scene(at=self.now, actor=Actor(account, frozenset({role})), people=self.people, frozen=self.frozen)

    def begin(self) -> Desk:
        for level in range(3):
            self.ask("add", {"tournament": f"t-{level}", "level": level, "game": "g"})
        self.ask("publish")
        return self

    def end(self, level: int, *, revision: int = 1, order: str = "", barred: tuple[str, ...] = ()) -> None:
        """The final standing of a division: A1 … A6, B1 … B6, C1 … C6."""
        names = order.split() or [f"{'ABC'[level]}{place}" for place in range(1, 7)]
        places = {name: place for place, name in enumerate([name for name in names if name not in barred], start=1)}
        self.frozen[f"t-{level}"] = {"revision": revision, "places": places, "barred": list(barred)}
        self.pass_time(0)

    def pass_time(self, span: int) -> None:
        self.now += span
        self.advance()

    def places(self) -> dict[int, set[str]]:
        return {level: {line["account"] for line in self.page("moves")["lines"] if line["to"] == level} for level in range(3)}

    def code(self, kind: str, body: Mapping[str, Any] | None = None, **more: Any) -> str:
        before = self.state
        with pytest.raises(Refused) as refused:
            self.ask(kind, body, **more)
        assert self.state == before
        return refused.value.code


def ended() -> Desk:
    desk = Desk().begin()
    for level in range(3):
        desk.end(level)
    return desk


@rule("LG-561", "LG-564", "LG-565", "LG-566")
def test_the_worked_example_of_three_divisions():
    desk = Desk().begin()
    for account in ("A2", "A6", "B1", "C4"):
        desk.ask("go_on", {"yes": False, "account": account})
    for level in range(3):
        desk.end(level)
    assert desk.places() == {0: {"A1", "A3", "A4", "B2", "B3", "A5"}, 1: {"B4", "C1", "C2", "B5", "B6", "C3"}, 2: {"C5", "C6"}}
    causes = {line["account"]: line["cause"] for line in desk.page("moves")["lines"]}
    assert (causes["A5"], causes["B2"], causes["C3"]) == ("reprieved", "up", "free_place")


@rule("LG-567")
def test_newcomers_come_in_below_or_where_their_rating_fits():
    desk = Desk(place_newcomers="rating", divisions=[{**one, "rating_least": least} for one, least in zip(DIVISIONS, ("20", "10", "-9999"), strict=True)])
    desk.begin()
    desk.people = {"dee": Person("dee", rating="15.50"), "eva": Person("eva")}
    for account in ("dee", "eva"):
        desk.ask("join", role="self", account=account)
    desk.ask("go_on", {"yes": False}, role="self", account="B4")
    desk.ask("go_on", {"yes": False}, role="self", account="C3")
    for level in range(3):
        desk.end(level)
    assert "eva" in desk.places()[2]
    assert desk.code("join", role="self", account="dee") == "already_entered"
    assert all(len(names) <= 7 for names in desk.places().values())


@rule("LG-568")
def test_the_moves_are_shown_may_be_changed_with_a_reason_and_are_then_published():
    desk = ended()
    assert not desk.page("moves")["published"]
    before = desk.places()
    assert desk.code("move", {"account": "A5", "level": 0}) == "reason_missing"
    assert desk.code("move", {"account": "nobody", "level": 0, "reason": "was ill half the season"}) == "not_found"
    desk.ask("move", {"account": "A5", "level": 0, "reason": "was ill half the season"})
    assert desk.places() == {0: before[0] | {"A5"}, 1: before[1] - {"A5"}, 2: before[2]}
    desk.ask("settle")
    moved = next(line for line in desk.page("moves")["lines"] if line["account"] == "A5")
    assert (moved["cause"], moved["reason"], desk.page("moves")["published"]) == ("changed", "was ill half the season", True)
    assert desk.code("move", {"account": "A6", "level": 0, "reason": "was ill half the season"}) == "frozen"


@rule("LG-568")
def test_after_a_week_the_moves_are_published_as_computed():
    desk = ended()
    due = KIND.due(desk.state)
    assert due == PUBLISHED_AFTER
    desk.pass_time(due - 1)
    assert desk.state.state == "ended"
    desk.pass_time(1)
    assert (desk.state.state, KIND.due(desk.state)) == ("finished", None)


@rule("LG-569")
def test_the_disqualified_do_not_go_up_and_count_among_those_going_down():
    desk = Desk().begin()
    desk.end(0)
    desk.end(1, barred=("B1",))
    desk.end(2)
    places = desk.places()
    assert {"B2", "B3"} <= places[0]
    assert "B1" in places[2]
    assert "B5" in places[1]


@rule("LG-564", "LG-614")
def test_a_corrected_standing_moves_others():
    desk = ended()
    assert "B2" in desk.places()[0]
    desk.end(1, revision=2, order="B1 B6 B3 B4 B5 B2")
    assert {"B1", "B6"} <= desk.places()[0]
    assert "B2" in desk.places()[2]


@rule("LG-561", "LG-150")
@pytest.mark.parametrize("divisions", [
    [{"name": "A", "size": 4, "up": 1}], [{"name": "A", "size": 4, "down": 1}], [{"name": "A", "size": 4}, {"name": "A", "size": 4}],
    [{"name": "A", "size": 2, "down": 1}, {"name": "B", "size": 2, "up": 2, "down": 1}, {"name": "C", "size": 2}]])
def test_divisions_that_cannot_be_are_refused(divisions: list[dict[str, Any]]):
    with pytest.raises(Refused) as refused:
        Desk(divisions=divisions)
    assert refused.value.code == "bad_setting"


@rule("LG-150", "LG-161")
def test_what_has_no_meaning_now_is_refused():
    desk = Desk()
    assert desk.code("publish") == "wrong_state"
    assert desk.code("settle") == "wrong_state"
    assert desk.code("add", {"tournament": "t-9", "level": 0}) == "not_found"
    assert desk.code("add", {"tournament": "t-9", "level": 3, "game": "g"}) == "bad_setting"
    assert desk.code("publish", role="self") == "not_allowed"
    assert desk.code("publish", {"expected_version": 5}) == "version_conflict"
    assert desk.code("crown") == "malformed"
    desk.begin()
    assert desk.code("set", {"changes": {"name": "Summer"}}) == "wrong_state"


@rule("LG-802", "LG-1021")
def test_states_and_events_come_back_from_their_json():
    desk = ended()
    desk.ask("move", {"account": "A5", "level": 0, "reason": "was ill half the season"})
    desk.ask("settle")
    again = None
    for event in desk.events:
        body = msgspec.to_builtins(event)
        again = KIND.fold(again, KIND.event(body.pop("kind"), body))
    assert again == desk.state == KIND.state(msgspec.json.encode(desk.state))
