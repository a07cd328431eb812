"""What is the smallest kind of competition? Duels: whoever enters meets everybody once, two at a time, and a win is a point."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from services.league.kind import Act, Decided, Event, Kind, MatchOrder, Page, RatedMatch, RatedSeat, Scene
from services.league.refusals import Refused

BREAK_MS = 200


class Create(Act, frozen=True, kw_only=True, tag="create"):
    tournament: str
    organisation: str
    settings: dict[str, Any]


class Enter(Act, frozen=True, kw_only=True, tag="enter"):
    account: str = ""


class Start(Act, frozen=True, kw_only=True, tag="start"):
    pass


class Record(Act, frozen=True, kw_only=True, tag="record"):
    match: str
    ended: str
    seats: list[dict[str, Any]]
    reason: str = ""


class Void(Act, frozen=True, kw_only=True, tag="void"):
    match: str
    reason: str


class Fail(Act, frozen=True, kw_only=True, tag="fail"):
    pass


class Started(Act, frozen=True, kw_only=True, tag="started"):
    match: str


class Created(Event, frozen=True, kw_only=True, tag="created"):
    settings: dict[str, Any]


class Entered(Event, frozen=True, kw_only=True, tag="entered"):
    account: str


class Begun(Event, frozen=True, kw_only=True, tag="begun"):
    pass


class Drafted(Event, frozen=True, kw_only=True, tag="drafted"):
    round: int


class Paired(Event, frozen=True, kw_only=True, tag="paired"):
    round: int
    matches: dict[str, tuple[str, str]]


class Recorded(Event, frozen=True, kw_only=True, tag="recorded"):
    match: str
    winner: str


class Voided(Event, frozen=True, kw_only=True, tag="voided"):
    match: str


class Finished(Event, frozen=True, kw_only=True, tag="finished"):
    pass


class State(Struct, frozen=True):
    settings: dict[str, Any]
    version: int = 1
    life: str = "open"
    accounts: tuple[str, ...] = ()
    rounds: tuple[dict[str, tuple[str, str]], ...] = ()
    winners: dict[str, str] = {}
    ended_at: int = 0


Acts = Create | Enter | Start | Record | Void | Fail | Started
Events = Created | Entered | Begun | Drafted | Paired | Recorded | Voided | Finished


def act(kind: str, body: Mapping[str, Any]) -> Any:
    try:
        return msgspec.convert({**body, "kind": kind}, type=Acts)
    except msgspec.ValidationError as error:
        raise Refused("malformed", str(error)) from error


def event(kind: str, body: Mapping[str, Any]) -> Any:
    return msgspec.convert({**body, "kind": kind}, type=Events)


def decide(state: State | None, asked: Any, scene: Scene) -> Decided:
    facts = {"at": scene.at, "by": scene.actor.account}
    match asked:
        case Create(settings=settings):
            if settings.get("name") == "bad":
                raise Refused("bad_setting", "no such name", ("name",))
            return Decided((Created(settings=settings, **facts),))
        case Enter(account=account):
            who = account or scene.actor.account
            if state.life != "open":
                raise Refused("entry_closed", "it has begun")
            if who in state.accounts:
                raise Refused("already_entered", "already there", (who,))
            return Decided((Entered(account=who, **facts),), {"people": sorted(scene.people)})
        case Start():
            return Decided(() if state.life != "open" else (Begun(**facts),))
        case Record(match=match, ended=ended, seats=seats):
            first = next((seat["account"] for seat in seats if seat["place"] == 1), "")
            known = any(match in one for one in state.rounds)
            return Decided((Recorded(match=match, winner=first if ended == "finished" else "", **facts),) if known else ())
        case Void(match=match):
            return Decided((Voided(match=match, **facts),))
        case Fail():
            raise ZeroDivisionError("a fault of the rules")
        case _:
            return Decided()


def fold(state: State | None, happened: Any) -> State:
    if state is None:
        return State(happened.settings)
    state = replace(state, version=state.version + 1)
    match happened:
        case Entered(account=account):
            return replace(state, accounts=(*state.accounts, account))
        case Begun():
            return replace(state, life="running")
        case Paired(matches=matches):
            return replace(state, rounds=(*state.rounds, matches))
        case Recorded(match=match, winner=winner):
            return replace(state, winners={**state.winners, match: winner}, ended_at=happened.at)
        case Voided(match=match):
            return replace(state, winners={**state.winners, match: ""})
        case Finished():
            return replace(state, life="finished")
        case _:
            return state


def plan(state: State) -> list[list[tuple[str, str]]]:
    """Round by round: as many couples as fit, in order of entry."""
    rounds: list[list[tuple[str, str]]] = []
    for couple in combinations(state.accounts, 2):
        place = next((one for one in rounds if not any({*couple} & {*other} for other in one)), None)
        rounds.append([couple]) if place is None else place.append(couple)
    return rounds


def advance(state: State, scene: Scene) -> tuple[Event, ...]:
    if state.life != "running" or any(match not in state.winners for one in state.rounds for match in one):
        return ()
    if state.settings.get("broken") and len(state.rounds) == 1:
        raise ZeroDivisionError("a fault of the rules")
    rounds, number = plan(state), len(state.rounds)
    if number == len(rounds):
        return (Finished(at=scene.at),)
    if number and scene.at < state.ended_at + state.settings.get("break", 0):
        return ()
    return Drafted(at=scene.at, round=number + 1), Paired(at=scene.at, round=number + 1, matches={scene.fresh("m"): couple for couple in rounds[number]})


def due(state: State) -> int | None:
    waits = state.life == "running" and state.rounds and all(match in state.winners for one in state.rounds for match in one)
    return state.ended_at + state.settings.get("break", 0) if waits else None


def pages(state: State, since: int, scene: Scene) -> tuple[Page, ...]:
    points = {account: sum(winner == account for winner in state.winners.values()) for account in state.accounts}
    order = sorted(points, key=lambda account: (-points[account], account))
    head = {**{name: state.settings.get(name) for name in ("name", "game", "visibility")}, "game_version": "1", "state": state.life,
            "entrants": len(state.accounts), "version": state.version, "round": len(state.rounds)}
    items = [{"account": account, "number": number, "state": "entered"} for number, account in enumerate(state.accounts, start=1)]
    made = [Page("head", 0, head), Page("entrants", 0, {"items": items}),
            Page("standing/1", 0, {"lines": [{"account": account, "points": str(points[account])} for account in order]})]
    if state.life == "finished":
        made.append(Page("final", 0, {"places": {account: place for place, account in enumerate(order, start=1)}}))
    return tuple(made)


def orders(state: State, happened: Any) -> tuple[MatchOrder, ...]:
    if not isinstance(happened, Paired):
        return ()
    clock = {"preset": "quick", "policy": "credit"}
    return tuple(MatchOrder(match, f"1/{happened.round}/{table}/1", couple, state.settings["game"], "1", clock=clock)
                 for table, (match, couple) in enumerate(happened.matches.items(), start=1))


def stops(state: State, happened: Any) -> tuple[tuple[str, str], ...]:
    return ((happened.match, "void"),) if isinstance(happened, Voided) else ()


def ratings(state: State, happened: Any) -> tuple[RatedMatch, ...]:
    if not isinstance(happened, Recorded | Voided):
        return ()
    couple = next(one[happened.match] for one in state.rounds if happened.match in one)
    winner = state.winners[happened.match]
    return (RatedMatch(happened.match, tuple(RatedSeat(account, 1 if account == winner else 2, "played", True) for account in couple), bool(winner)),)


DUELS = Kind("tournament", act, event, lambda text: msgspec.json.decode(text, type=State), lambda state, asked: frozenset(
    {asked.account} if isinstance(asked, Enter) and asked.account else ()), decide, fold, advance, due, pages, orders, stops,
    lambda state: (), ratings, frozenset({"drafted"}), frozenset({"paired", "finished"}))
