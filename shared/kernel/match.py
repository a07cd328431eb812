"""How is one command played, and what is then asked of whom? The pure step under play, bots, simulation and replay."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Generic, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from shared.kernel.choices import Choice, Text, clean
from shared.kernel.dice import BotDice, Dice, step_dice
from shared.kernel.game import AUDIENCE, Bot, Command, Event, Game, Phase, Question, Refused, Seat, State, Table

S = TypeVar("S")
MOST_STEPS = 100_000  # more than any match needs


class Ask(Struct, frozen=True, gc=False):
    """An open question put to a seat (PL-282, PL-283)."""

    seat: Seat
    number: int  # the step at which it was put
    since: int  # the step at which its clock began: a question that may be revised keeps the clock of the first time
    question: Question


class Armed(Struct, frozen=True):
    """A phase that the clock will end, and the step at which its clock began."""

    phase: Phase
    since: int


class Gone(Struct, frozen=True):
    """A seat whose holder has left for good: at which step, and how (PL-250)."""

    seat: Seat
    step: int
    how: str


class Placing(Struct, frozen=True):
    """One line of a result (PL-249, PL-542): `table_place` is the place by the game's own count."""

    seat: Seat
    place: int
    table_place: int
    score: int
    how: str


class Match(Struct, Generic[S], frozen=True, gc=False):
    """A match between two steps: the state of the game and what the platform knows besides."""

    step: int
    state: S
    asks: tuple[Ask, ...]
    armed: Armed | None
    missed: tuple[int, ...]  # per seat: time-outs in a row
    gone: tuple[Gone, ...] = ()

    def ask_of(self, seat: Seat) -> Ask | None:
        """The open ask of a seat; a seat has at most one."""
        for ask in self.asks:
            if ask.seat == seat:
                return ask
        return None

    def awaited(self) -> tuple[Seat, ...]:
        """PL-284 The seats the match waits for."""
        return tuple(ask.seat for ask in self.asks if ask.question.needed)

    def awaited_openly(self) -> tuple[Seat, ...]:
        """PL-361 The awaited seats that everybody may know of."""
        return tuple(ask.seat for ask in self.asks if ask.question.needed and not ask.question.secret)


Played = tuple[Match[Any], tuple[Event, ...]]
Player = tuple[Bot, Dice]


def fold(state: State, events: Iterable[Event]) -> State:
    """PL-412 The state after these events."""
    for event in events:
        state = event.change(state)
    return state


def play(game: Game, state: State, seat: Seat, command: Command, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """One command: the state after it, and what happened. Raises Refused and changes nothing if it is not on offer."""
    return _carry_out(game, state, seat, approved(game, state, seat, command, game.legal(state, seat)), dice)


def approved(game: Game, state: State, seat: Seat, command: Command, choices: Sequence[Choice]) -> Command:
    """The command with its texts cleaned (PL-357); raises Refused unless one of the choices offers it."""
    code = "not_a_choice"
    for choice in choices:
        if choice.do is type(command):
            code = choice.fault(command)
            if not code:
                return _cleaned(game, state, seat, command, choice)
    raise Refused(code)


def begin(game: Game, seats: int, options: Any, dice: Dice) -> Played:
    """PL-240 The set-up, which is step 1, and the first asks."""
    table = Table(game.empty(seats, options))
    game.setup(table, seats, options, dice)
    game.advance(table, dice)
    before: Match[Any] = Match(0, None, (), None, (0,) * seats)
    return _follow(game, before, table.state), tuple(table.events)


def answer(game: Game, match: Match[Any], seat: Seat, command: Command, dice: Dice) -> Played:
    """A seat (or the host, or the audience) acts; whoever acts is no longer absent."""
    state, events = play(game, match.state, seat, command, dice)
    return _follow(game, _heard(match, seat), state, seat), events


def time_out(game: Game, match: Match[Any], seat: Seat, dice: Dice, *, again: bool = False) -> Played:
    """PL-487 The clock of a seat has run out: the default answer is given for it; the miss is counted, once for one clock."""
    state, events = _carry_out(game, match.state, seat, game.default(match.state, seat), dice)
    counts = not again and not _is_secret(match, seat)  # PL-287: an absence that comes of it would tell who was asked
    missed = tuple(misses + (number == seat and counts) for number, misses in enumerate(match.missed))
    return _follow(game, replace(match, missed=missed), state, seat), events


def phase_over(game: Game, match: Match[Any], dice: Dice) -> Played:
    """PL-502 The clock of the phase has run out, or the host ends it."""
    table = Table(match.state)
    game.phase_over(table, dice)
    game.advance(table, dice)
    return _follow(game, replace(match, armed=None), table.state), tuple(table.events)


def leave(game: Game, match: Match[Any], seat: Seat, how: str, dice: Dice) -> Played:
    """PL-541 A seat's holder is gone for good; the game says what becomes of the seat."""
    table = Table(match.state)
    game.leave(table, seat, dice)
    game.advance(table, dice)
    gone = (*match.gone, Gone(seat, match.step + 1, how))
    return _follow(game, replace(match, gone=gone), table.state), tuple(table.events)


def is_absent(game: Game, match: Match[Any], seat: Seat) -> bool:
    """PL-491 Nobody waits for this seat: its holder is gone, or missed too many clocks in a row."""
    return match.missed[seat] >= game.absent_after or any(gone.seat == seat for gone in match.gone)


def overdue(game: Game, match: Match[Any]) -> Seat | None:
    """The next seat whose needed ask is answered by default at once because it is absent."""
    for ask in match.asks:
        if ask.question.needed and not ask.question.patient and is_absent(game, match, ask.seat):
            return ask.seat
    return None


def placings(game: Game, match: Match[Any]) -> tuple[Placing, ...] | None:
    """PL-542 The result once the match is over: who stayed by play, then leavers, the later one higher."""
    table_places = game.result(match.state)
    if table_places is None:
        return None
    gone = {entry.seat: entry for entry in match.gone}
    stayed = sorted(table_places[seat] for seat in table_places if seat not in gone)
    left = sorted(-entry.step for entry in match.gone)
    scores = game.score(match.state)

    def place(seat: Seat) -> int:
        if len(table_places) == 1:  # alone against the game, which may win
            return table_places[seat]
        return len(stayed) + left.index(-gone[seat].step) + 1 if seat in gone else stayed.index(table_places[seat]) + 1

    return tuple(
        Placing(seat, place(seat), table_places[seat], scores.get(seat, 0), gone[seat].how if seat in gone else "played")
        for seat in sorted(table_places)
    )


class Observer:
    """Looks on at a simulation and counts what it likes, so that rules never count anything for reports."""

    def before(self, match: Match[Any], seat: Seat, choices: tuple[Choice, ...]) -> None:
        """A seat is about to decide."""

    def step(self, match: Match[Any], seat: Seat | None, command: Command | None, events: tuple[Event, ...]) -> None:
        """A step was carried out; `match` is the match after it."""

    def after(self, match: Match[Any]) -> None:
        """The match is over."""


def play_out(
    game: Game, seats: int, options: Any, key: bytes, bots: Sequence[Bot], observers: Sequence[Observer] = ()
) -> Match[Any]:
    """A whole match of bots, as fast as the rules allow; raises RuntimeError if it does not end within `MOST_STEPS`."""
    match, events = begin(game, seats, options, step_dice(key, 1))
    for observer in observers:
        observer.step(match, None, None, events)
    players = [(bot, BotDice(key, seat)) for seat, bot in enumerate(bots)]
    while game.result(match.state) is None:
        if match.step >= MOST_STEPS:
            raise RuntimeError(f"{game.name}: no end after {match.step} steps")
        match = _one_step(game, match, key, players, observers)
    for observer in observers:
        observer.after(match)
    return match


def random_bot(_view: object, choices: tuple[Choice, ...], dice: Dice) -> Any:
    """PL-521 The weakest level of every game: any choice, any values."""
    return (choices[0] if len(choices) == 1 else dice.pick(choices)).sample(dice)


def _one_step(game: Game, match: Match[Any], key: bytes, players: Sequence[Player], observers: Sequence[Observer]) -> Match[Any]:
    dice = step_dice(key, match.step + 1)
    poll = game.poll(match.state)
    needed = [ask.seat for ask in match.asks if ask.question.needed]
    if poll is not None and poll.closed:
        seat, command = AUDIENCE, game.default(match.state, AUDIENCE)
        match, events = answer(game, match, seat, command, dice)
    elif not needed:
        seat, command = None, None
        match, events = phase_over(game, match, dice)
    else:
        seat = needed[0]
        choices = game.legal(match.state, seat)
        for observer in observers:
            observer.before(match, seat, choices)
        command = _decided(game, match.state, seat, *players[seat], choices)
        state, events = _carry_out(game, match.state, seat, command, dice)
        match = _follow(game, match, state, seat)
    for observer in observers:
        observer.step(match, seat, command, events)
    return match


def _decided(game: Game, state: State, seat: Seat, bot: Bot, dice: Dice, choices: tuple[Choice, ...]) -> Command:
    """PL-525 The bot's answer; the default if its texts are refused three times. An answer that is no choice is a bug."""
    view = None if bot is random_bot else game.look(state, seat)
    for _ in range(3):
        try:
            return approved(game, state, seat, bot(view, choices, dice), choices)
        except Refused as refusal:
            if refusal.code == "not_a_choice":
                raise
    return game.default(state, seat)


def _carry_out(game: Game, state: State, seat: Seat, command: Command, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    table = Table(state)
    game.rules[type(command)](table, seat, command, dice)
    game.advance(table, dice)
    return table.state, tuple(table.events)


def _cleaned(game: Game, state: State, seat: Seat, command: Command, choice: Choice) -> Command:
    for name, shape in choice.fields.items():
        if type(shape) is Text:
            text = clean(getattr(command, name))
            if code := game.text_fault(state, seat, command, text):
                raise Refused(code)
            command = replace(command, **{name: text})
    return command


def _heard(match: Match[Any], seat: Seat) -> Match[Any]:
    if seat < 0 or not match.missed[seat] or _is_secret(match, seat):
        return match
    return replace(match, missed=tuple(0 if number == seat else misses for number, misses in enumerate(match.missed)))


def _is_secret(match: Match[Any], seat: Seat) -> bool:
    ask = match.ask_of(seat)
    return ask is not None and ask.question.secret


def _follow(game: Game, before: Match[Any], state: State, answered: Seat | None = None) -> Match[Any]:
    """The match after one more step, with the asks renewed."""
    step = before.step + 1
    standing = {ask.seat: ask for ask in before.asks}
    asks = []
    for seat in range(len(before.missed)):
        question, old = game.question(state, seat), standing.get(seat)
        if old is not None and old.question is question and seat != answered:
            asks.append(old)
        elif question is not None:
            asks.append(_renewed(old, Ask(seat, step, step, question), answered=seat == answered))
    return Match(step, state, tuple(asks), _rearmed(before.armed, game.phase(state), step), before.missed, before.gone)


def _renewed(old: Ask | None, new: Ask, *, answered: bool) -> Ask:
    """PL-283, PL-285 The same question keeps its number while others act; once answered it is put anew on the same clock."""
    if old is None or old.question.about != new.question.about or old.question.name != new.question.name:
        return new
    number = new.number if answered or old.question.needed != new.question.needed else old.number
    return Ask(new.seat, number, old.since, new.question)


def _rearmed(old: Armed | None, phase: Phase | None, step: int) -> Armed | None:
    if phase is None:
        return None
    return old if old is not None and old.phase == phase else Armed(phase, step)


def stored(match: Match[Any]) -> bytes:
    """PL-414 The match as bytes; equal matches give equal bytes."""
    return msgspec.json.encode(match, order="deterministic")


def restored(game: Game, raw: bytes) -> Match[Any]:
    """The match that was stored."""
    return msgspec.json.decode(raw, type=Match[game.state])  # type: ignore[name-defined]
