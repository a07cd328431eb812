"""What is a game? A value: its name, its types, and a few functions that answer questions about a state."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any, ClassVar, Self, Union

import msgspec
from msgspec import Struct

from shared.kernel.choices import Choice
from shared.kernel.content import Words
from shared.kernel.dice import Dice

Seat = int
HOST: Seat = -1  # the host's chair: sees what onlookers see, never holds cards
AUDIENCE: Seat = -2  # the chair from which the service counts the answers of an audience

State = Any  # each game has its own type; the kernel never looks inside
View = Any


def _snake(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


class Command(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag_field="do", tag=_snake):
    """What a seat asks for; a verb. The fields of a kind of command are exactly those of the choices that offer it."""

    secret: ClassVar[bool] = False  # PL-390: who asked for what stays hidden after the end
    by_clock: ClassVar[bool] = False  # PL-487: only the clock answers so; never on offer

    @property
    def do(self) -> str:
        return str(self.__struct_config__.tag)


class Event(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag_field="what", tag=_snake):
    """What happened; a past verb. It carries its own change of the state and its own mask."""

    @property
    def what(self) -> str:
        return str(self.__struct_config__.tag)

    def change(self, state: State) -> State:
        """The state after this event."""
        return state

    def seen_by(self, seat: Seat | None) -> Self | None:  # noqa: ARG002 - an event without a mask is seen by all
        """This event as a seat may know it (None: an onlooker); None if it may know nothing of it."""
        return self

    def opened(self) -> Self | None:
        """PL-390 This event as everybody may know it after the end: all but lasting secrets."""
        return self


class Question(Struct, frozen=True):
    """What a seat is asked (PL-351); the same question again keeps its clock, and its number until the seat answers."""

    name: str
    rule: str  # the clause, for example "CH-242"
    about: str = ""  # tells apart two questions of one name, for example the number of the duel
    needed: bool = True  # PL-284: the match waits for needed questions only
    clock: str = ""  # which limit of the game's presets runs; empty: the one with the question's name
    times: int = 1  # the limit is multiplied by this
    patient: bool = False  # its clock runs to the end even for a seat that is absent
    secret: bool = False  # PL-287: others do not learn that this seat is asked
    facts: dict[str, str | int] = {}  # what the prompt says besides its words
    budget: str = ""  # questions of one budget share one clock, whatever their names

    @property
    def limit_name(self) -> str:
        return self.clock or self.name

    @property
    def runs_on(self) -> str:
        """What names its clock."""
        return self.budget or f"{self.name} {self.about}"


class Phase(Struct, frozen=True):
    """PL-502 A stretch of play that ends by the clock alone; the same phase again keeps its clock."""

    name: str
    about: str = ""
    clock: str = ""
    times: int = 1

    @property
    def limit_name(self) -> str:
        return self.clock or self.name


class Poll(Struct, frozen=True):
    """PL-567 What the audience is asked; once `closed` the service counts the stored answers in one step."""

    question: str
    answers: tuple[str, ...] = ()  # empty: a free text
    closed: bool = False
    once: bool = True  # False: the answers are only collected, never counted into the match


class Refused(Exception):
    """A command that the rules do not allow; `code` is a problem code of the platform."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class Table:
    """The state while a rule is being carried out: rules tell events, and each event changes the state at once."""

    __slots__ = ("events", "state")

    def __init__(self, state: State) -> None:
        self.state = state
        self.events: list[Event] = []

    def tell(self, event: Event) -> None:
        self.state = event.change(self.state)
        self.events.append(event)


Rule = Callable[[Table, Seat, Any, Dice], None]
Bot = Callable[[View, tuple[Choice, ...], Dice], Command]


def nobody_asks(*_: object) -> None:
    """What a game without phases, or without an audience, answers."""


@dataclass(frozen=True, slots=True)
class Game:
    """The contents page of a game; see DESIGN, "How a game is defined". Every function here is pure."""

    name: str
    title: str
    version: int
    seats: range
    state: type[Struct]
    view: type[Struct]
    options: type[Struct]
    events: tuple[type[Event], ...]
    rules: Mapping[type[Command], Rule]  # from the kind of a command to the rule that carries it out
    empty: Callable[[int, Any], State]  # (seats, options) -> the table before anything lies on it
    setup: Callable[[Table, int, Any, Dice], None]  # tells the opening events
    advance: Callable[[Table, Dice], None]  # goes on until somebody has to decide or the match is over
    question: Callable[[State, Seat], Question | None]
    legal: Callable[[State, Seat], tuple[Choice, ...]]  # the only place that says no
    default: Callable[[State, Seat], Command]  # the safe answer at a time-out
    look: Callable[[State, Seat | None], View]
    result: Callable[[State], dict[Seat, int] | None]  # places once finished, ties shared
    score: Callable[[State], dict[Seat, int]]
    imagine: Callable[[State, Seat | None, Dice], State]  # another state that looks the same to that seat
    sound: Callable[[State], list[str]]  # complaints about the state; empty in a healthy match
    leave: Callable[[Table, Seat, Dice], None]  # what becomes of a seat whose holder is gone
    text: Callable[[View, Words], str]  # PL-359: the view in lines of text, complete enough to play by
    bots: Mapping[str, Bot]  # by level, the weakest first
    words: Mapping[str, Words]  # by language
    pack_hash: str
    presets: Mapping[str, Mapping[str, int]]  # preset -> name of a limit -> seconds
    stage: str = "league"
    host_chair: bool = False  # whether the host has choices of its own during play
    variants: tuple[Mapping[str, Any], ...] = ({},)  # options under which the laws play
    absent_after: int = 3  # PL-491: time-outs in a row
    seats_for: Callable[[Any], range] | None = None  # where the options change how many may play
    # what a seat will be asked on as soon as others have answered: clocks that stand still
    standing: Callable[[State, Seat], tuple[Question, ...]] = field(default=lambda _state, _seat: ())
    phase: Callable[[State], Phase | None] = nobody_asks
    phase_over: Callable[[Table, Dice], None] = nobody_asks
    text_fault: Callable[[State, Seat, Any, str], str] = field(default=lambda *_: "")  # of a text of this command
    poll: Callable[[State], Poll | None] = nobody_asks
    counted: Callable[[State, Mapping[str, int]], Command] | None = None  # the command of AUDIENCE for these totals
    poll_points: Callable[[State], dict[str, dict[str, int]]] | None = None  # closed poll -> answer -> points

    @property
    def event_union(self) -> Any:
        """The type to decode stored events with."""
        return Union[self.events]  # noqa: UP007 - made from a tuple

    def read_command(self, raw: bytes) -> Command:
        """A command from JSON; Refused("invalid") for an unknown kind, an unknown field or a wrong type (PL-107)."""
        try:
            command: Command = msgspec.json.decode(raw, type=Union[tuple(self.rules)])  # noqa: UP007 - made from a table
        except msgspec.MsgspecError as error:
            raise Refused("invalid") from error
        return command

    def read_options(self, given: Mapping[str, Any]) -> Any:
        """Options from plain values; raises msgspec.ValidationError, which names the field and the reason."""
        return msgspec.convert(dict(given), self.options)

    def seats_allowed(self, options: Any) -> range:
        return self.seats_for(options) if self.seats_for else self.seats


def kinds(module: ModuleType, base: type) -> tuple[type, ...]:
    """All kinds of events (or commands) that a module defines, in its order."""
    found = (thing for thing in vars(module).values() if isinstance(thing, type) and issubclass(thing, base))
    return tuple(kind for kind in found if kind is not base and kind.__module__ == module.__name__)
