"""What becomes of the acts that wait? One after the other, each at the time it came in, without any effect on the world."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from services.league.inbox.hidden.apart import KeptApart
from services.league.inbox.memory import told
from services.league.kind import Actor, Decided, Kind, MatchOrder, Notice, Person, RatedMatch, Scene
from services.league.refusals import Refused
from shared.runtime import log

ENDLESS = 10_000    # more events by themselves in one go than any competition can have rounds
INTERNAL = "internal"
logger = log.get(__name__)


class Asked(NamedTuple):
    """An act as it waits."""

    arrival: int
    act_id: str
    kind: str
    body: Mapping[str, Any]
    account: str
    roles: frozenset[str]
    at: int
    own: bool = False       # of the league itself
    token: str = ""         # its public id


class Happened(NamedTuple):
    """One event, its number, and the act it came from; none where it came by itself."""

    number: int
    event: Any
    act: Asked | None
    kind: str
    body: str               # as it is stored


class Became(NamedTuple):
    """The outcome of one act."""

    act: Asked
    version: int
    events: int = 0
    code: str = ""
    sentence: str = ""
    named: tuple[Any, ...] = ()
    answer: Any = None


class Broken(Exception):
    """Something came to nothing by a fault of the league itself, not by an act of somebody."""


class Turn:
    """One look at a competition: its state, what happened, and what follows from it."""

    def __init__(self, kind: Kind, state: Any, version: int, scene: Scene, people: Callable[[frozenset[str]], Mapping[str, Person]]) -> None:
        self.kind, self.state, self.version, self.scene = kind, state, version, scene
        self.happened: list[Happened] = []
        self.became: list[Became] = []
        self.orders: list[tuple[int, MatchOrder]] = []
        self.stops: list[tuple[int, str, str]] = []
        self.rated: list[RatedMatch] = []
        self.notices: list[tuple[int, Notice]] = []
        self.seed: bytes | None = None
        self.questions: Mapping[str, Callable[[Asked], Any]] = {}       # what is answered without the kind
        self.apart: KeptApart | None = None
        self.counted = kind.counts(state) if state is not None else ()      # the tournaments whose standings the scene holds
        self._people = people
        self._at = 0

    def take(self, act: Asked) -> None:
        """What was due before it, then the act, which is refused or leads to events."""
        self.advance(act.at)
        try:
            decided = self._decided(act)
        except Refused as refused:
            self.became.append(Became(act, self.version, 0, refused.code, str(refused), refused.named))
            return
        self.seed = decided.seed or self.seed
        self._happen(decided.events, act)
        self.became.append(Became(act, self.version, len(decided.events), answer=decided.answer))

    def _decided(self, act: Asked) -> Decided:
        try:
            if act.kind in self.questions:
                return Decided(answer=self.questions[act.kind](act))
            asked = self.kind.act(act.kind, act.body)
            scene = self._scene(act.at, self.kind.needs(self.state, asked), Actor(act.account, act.roles))
            return self.kind.decide(self.state, asked, scene)
        except Refused:
            raise
        except Exception as error:
            if act.own:
                raise Broken(f"{act.kind}: {type(error).__name__}: {error}") from error
            logger.exception("act_failed", kind=act.kind, act=act.act_id)
            raise Refused(INTERNAL, type(error).__name__) from error

    def advance(self, at: int) -> None:
        """What happens by itself until this moment."""
        if self.state is None:
            return
        try:
            before = self.version
            while self.version - before < ENDLESS:
                events = self.kind.advance(self.state, self._scene(at, self.kind.needs(self.state, None), Actor()))
                if not events:
                    return
                self._happen(events, None)
        except Refused as refused:
            raise Broken(f"advance: {refused.code}: {refused}") from refused
        except Exception as error:
            logger.exception("advance_failed")
            raise Broken(f"advance: {type(error).__name__}: {error}") from error
        raise Broken("advance does not come to an end")

    def _scene(self, at: int, named: frozenset[str], actor: Actor) -> Scene:
        """Time never runs backwards within a competition."""
        self._at = max(at, self._at)
        wanted = named | ({actor.account} if actor.account else frozenset())
        people = self._people(wanted) if wanted else {}
        return msgspec.structs.replace(self.scene, at=self._at, actor=actor, people=people, seed=self.seed or self.scene.seed)

    def _happen(self, events: Sequence[Any], act: Asked | None) -> None:
        for made in events:
            kind, body = told(made)
            event = self.kind.event(kind, msgspec.json.decode(body))    # LG-802 what is folded now is what will be read later, to the order of its keys
            self.state = self.kind.fold(self.state, event)
            self.version += 1
            self.happened.append(Happened(self.version, event, act, kind, body))
            self.orders += [(self.version, order) for order in self.kind.orders(self.state, event)]
            self.stops += [(self.version, match, what) for match, what in self.kind.stops(self.state, event)]
            self.rated += self.kind.ratings(self.state, event)
            self.notices += [(self.version, notice) for notice in self.kind.notices(self.state, event)]

    @property
    def milestone(self) -> bool:
        return any(type(one.event).__struct_config__.tag in self.kind.milestones for one in self.happened)
