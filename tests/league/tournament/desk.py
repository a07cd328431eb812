"""How is a tournament played in a test? At a desk that keeps state, events and clock, with no process and no database."""

import hashlib
import random
from itertools import count

import msgspec
import pytest

from services.league.kind import Actor, Card, Person, Scene
from services.league.refusals import Refused
from services.league.tournament.doors import TOURNAMENT
from services.league.tournament.events import EVENT
from services.league.tournament.looking import open_places, stage_of

MINUTE = 60_000
CARD = Card("tables", ("1.0",), frozenset(range(1, 9)), {2: (1, 0), 3: (2, 1, 0)}, has_score=True, levels=("easy",))
TWO = {"least": 2, "most": 2, "preferred": 2}
THREE = {"least": 3, "most": 3, "preferred": 3}


def settings(*stages, **others):
    """Settings of a tournament with these stages."""
    found = {"name": "Cup", "game": "tables", "game_version": "1.0", "opponents": "mixed", "stages": list(stages)}
    return {**found, **others}


def stage(form="round_robin", seats=TWO, **others):
    return {"format": form, "seats": seats, **({"trials": 50} if form == "swiss" else {}), **others}


class Desk:
    """A tournament, its events, and what is at hand for the next act."""

    def __init__(self, *stages, at=1_000_000, people=(), **others):
        self.at, self.events, self.state = at, [], None
        self.seed, self.next_seed = bytes(range(32)), bytes(range(32, 64))
        self.people = {one.account: one for one in people}
        self.orders, self.stops, self.rated = [], [], {}
        self.ids = count(1)
        self.answer = None
        self.scene = Scene(0, card=CARD)
        self.states = []
        if stages:
            self.create(*stages, **others)

    def create(self, *stages, **others):
        return self.host("create", tournament="t-1", organisation="o-1", settings=settings(*stages, **others))

    def person(self, account, **facts):
        self.people[account] = Person(account, **{"invited": True, **facts})
        return account

    def _scene(self, actor):
        return Scene(self.at, actor, self.seed, self.next_seed, CARD, self.people, lambda kind: f"{kind}-{next(self.ids)}", self.past, lambda: tuple(self.events))

    def past(self, version):
        state = None
        for event in self.events[:version]:
            state = TOURNAMENT.fold(state, event)
        return state

    def act(self, actor, kind, **body):
        decided = TOURNAMENT.decide(self.state, TOURNAMENT.act(kind, body), self._scene(actor))
        if decided.seed:
            self.seed = decided.seed
        self.take(decided.events)
        self.answer = decided.answer
        self.advance()
        return decided.events

    def take(self, events):
        for event in events:
            again = msgspec.json.decode(msgspec.json.encode(event), type=EVENT)
            self.state = TOURNAMENT.fold(self.state, again)
            self.events.append(event)
            self.orders += TOURNAMENT.orders(self.state, event)
            self.stops += TOURNAMENT.stops(self.state, event)
            for one in TOURNAMENT.ratings(self.state, event):
                self.rated[one.match] = one

    def advance(self):
        for _ in range(1_000):
            events = TOURNAMENT.advance(self.state, self._scene(Actor()))
            if not events:
                due = TOURNAMENT.due(self.state)
                assert due is None or due > self.at, f"due at {due}, yet nothing happens at {self.at}"
                return
            self.take(events)
        raise AssertionError("it never rests")

    def wait(self, span=MINUTE):
        self.at += span
        self.advance()

    def until_due(self):
        """The clock goes on to the next moment at which something is due."""
        due = TOURNAMENT.due(self.state)
        if due is not None:
            self.at = max(self.at, due)
            self.advance()
        return due

    def host(self, kind, **body):
        return self.act(Actor("acc-host", frozenset({"owner", "organiser"})), kind, **body)

    def referee(self, kind, who="acc-ref", **body):
        return self.act(Actor(who, frozenset({"referee"})), kind, **body)

    def own(self, who, kind, **body):
        return self.act(Actor(who, frozenset({"self"})), kind, **body)

    def league(self, kind, **body):
        return self.act(Actor(), kind, **body)

    def field(self, count, **facts):
        """Entry opened, so many entered, entry closed."""
        self.host("open", forecast_seen=True)
        for number in range(1, count + 1):
            self.own(self.person(f"acc-{number:03d}", **facts), "enter")
        self.host("close")

    def open(self):
        """Undecided pairings that have a match, as (place, accounts by seat, match)."""
        found = []
        for one in self.state.stages:
            for made, pairing in open_places(one):
                if pairing.match:
                    where = f"{one.number}/{made.number}/{pairing.table}"
                    found.append((where, pairing.seated or pairing.numbers, pairing.match))
        return found

    def end(self, match, places, how=(), scores=(), ended="finished"):
        """A finish record; places by seat."""
        hows = [*how, *["played"] * (len(places) - len(how))]
        points = [*scores, *[0] * (len(places) - len(scores))]
        seats = [{"seat": seat, "place": place, "how": hows[seat], "score": points[seat], "step": 1} for seat, place in enumerate(places)]
        return self.league("record", match=match, ended=ended, seats=seats)

    def play(self, dice=None, better=None, limit=10_000):
        """Everything that can be played is played, until the tournament rests."""
        dice = dice or random.Random(1)
        for _ in range(limit):
            matches = self.open()
            if not matches:
                if self.state.life != "running" or self.until_due() is None:
                    return
                continue
            _, numbers, match = dice.choice(matches)
            strength = {number: (dice.random() if better is None else better(number)) for number in numbers}
            self.end(match, [1 + sum(strength[other] > strength[number] for other in numbers) for number in numbers])
        raise AssertionError("it never ends")

    def page(self, name, part=0):
        found = {(page.name, page.part): page.body for page in TOURNAMENT.pages(self.state, 0, self._scene(Actor()))}
        return found[name, part]

    def stage(self, number=1):
        return stage_of(self.state, number)

    def kinds(self):
        return [event.__struct_config__.tag for event in self.events]

    def digest(self):
        return hashlib.sha256(msgspec.json.encode(self.state)).hexdigest()


def running(form, count, **others):
    desk = Desk(form, **others)
    desk.field(count)
    desk.host("start", accept_imbalance=True)
    return desk


def through(desk, better=None):
    """The round that runs is played, and the next one begins."""
    rounds = len(desk.stage().rounds)
    for _, numbers, match in desk.open():
        strength = [(better or (lambda number: -number))(number) for number in numbers]
        desk.end(match, [1 + sum(other > own for other in strength) for own in strength])
    while len(desk.stage().rounds) == rounds and desk.state.life == "running":
        assert desk.until_due() is not None


def account_at(desk, number):
    return desk.state.entrants[0].items[desk.stage().field[number - 1]].account


def through_manual(desk):
    for _, _, match in desk.open():
        desk.end(match, [1, 2])


def pairing(desk, place):
    _, number, table = map(int, place.split("/"))
    return desk.page(f"round/1/{number}")["pairings"][table - 1]


def points(desk, place):
    return [seat["points"] for seat in pairing(desk, place)["seats"]]


def refused(code):
    """The refusal that a test expects."""
    return pytest.raises(Refused, match=None, check=lambda error: error.code == code)
