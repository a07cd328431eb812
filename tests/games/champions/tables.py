"""Small tables to try a rule on: a stage of the game with as little as possible around it."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from services.champions.commands import MissClock
from services.champions.events import Opened
from services.champions.game import GAME
from services.champions.state import NOBODY, Situation, State, Tile, put
from shared.kernel.dice import Dice, LoadedDice
from shared.kernel.game import Command, Event, Refused, Seat, Table
from shared.kernel.match import begin, play

KEY = b"tables"
NAMES = ("Zeus", "Medusa", "Hamlet", "Puck", "Merlin", "Mozart", "Bigfoot", "Ratty")


def dice(*rolls: int) -> Dice:
    return LoadedDice(rolls, KEY)


def opened(seats: int = 3, **options: Any) -> State:
    """Names are about to be written."""
    return begin(GAME, seats, GAME.read_options(options), Dice(KEY, "opened|"))[0].state


def written(seats: int = 3, **options: Any) -> State:
    """All names are written and placed: the first contestant was written by seat 0, the next by seat 1, and so on."""
    writers = [number % seats if seats else NOBODY for number in range(8)]
    tiles = tuple(Tile(writer, name) for writer, name in zip(writers, NAMES, strict=True))
    state = opened(seats, **options)
    duels = tuple(
        replace(duel, situation=Situation(duel.situation.text, "triangle"), contestants=(2 * n, 2 * n + 1) if n < 4 else (-1, -1))
        for n, duel in enumerate(state.duels)
    )
    shares = tuple(writers.count(seat) for seat in range(seats))
    return replace(
        state, tiles=tiles, duels=duels, placed=True, checking=tuple(range(8)), writing=1, shares=shares, first_shares=shares
    )


def checking(seats: int = 3, **options: Any) -> State:
    return Opened("check").change(written(seats, **options))


def predicting(seats: int = 3, **options: Any) -> State:
    return Opened("prediction").change(written(seats, **options))


def talking(seats: int = 3, **options: Any) -> State:
    return Opened("discussion", "qf1").change(written(seats, **options))


def voting(seats: int = 3, duel: int = 0, tie: str = "triangle", **options: Any) -> State:
    """A vote is open; all duels before it were won by their circles, and the cards of all show the same symbol."""
    state = written(seats, **options)
    duels = list(state.duels)
    for number in range(duel):
        winner = duels[number].contestants[0]
        duels[number] = replace(duels[number], winner=winner, counted=(1, 0), votes=("",) * seats)
        target, place = ((4, 0), (4, 1), (5, 0), (5, 1), (6, 0), (6, 1))[number]
        duels[target] = replace(duels[target], contestants=put(duels[target].contestants, place, winner))
    duels = [replace(each, situation=replace(each.situation, tie=tie)) for each in duels]
    return Opened("vote").change(replace(state, duels=tuple(duels), duel=duel))


def do(state: State, seat: Seat, command: Command, *rolls: int) -> State:
    return play(GAME, state, seat, command, dice(*rolls))[0]


def told(state: State, seat: Seat, command: Command, *rolls: int) -> dict[str, Event]:
    """What happens, by kind; of several events of a kind the last."""
    return {event.what: event for event in play(GAME, state, seat, command, dice(*rolls))[1]}


def all_do(state: State, *commands: Command) -> State:
    """The commands of seats 0, 1, 2 … one after the other."""
    for seat, command in enumerate(commands):
        state = do(state, seat, command)
    return state


def refusal(state: State, seat: Seat, command: Command) -> str:
    try:
        play(GAME, state, seat, command, dice())
    except Refused as refused:
        return refused.code
    return ""


def missed(state: State, seat: Seat, *rolls: int) -> State:
    """The clock of a seat runs out."""
    table, chance = Table(state), dice(*rolls)
    GAME.rules[MissClock](table, seat, MissClock(), chance)
    GAME.advance(table, chance)
    return table.state


def clock_out(state: State, *rolls: int) -> State:
    """The clock of the stage runs out."""
    table, chance = Table(state), dice(*rolls)
    GAME.phase_over(table, chance)
    GAME.advance(table, chance)
    return table.state


def gone(state: State, seat: Seat) -> State:
    """A seat leaves for good."""
    table = Table(state)
    GAME.leave(table, seat, dice())
    GAME.advance(table, dice())
    return table.state


def offered(state: State, seat: Seat) -> list[str]:
    return [choice.do.__struct_config__.tag for choice in GAME.legal(state, seat)]


def asked(state: State) -> list[Seat]:
    """The seats that the match waits for."""
    questions = ((seat, GAME.question(state, seat)) for seat in state.seats())
    return [seat for seat, question in questions if question is not None and question.needed]


def hides(state: State, secret: str, *readers: Seat | None) -> bool:
    """No reader finds the text in view or choices."""
    words = GAME.words["en"]
    shown = [words.json((GAME.look(state, reader), GAME.legal(state, -1 if reader is None else reader))) for reader in readers]
    return all(secret.encode() not in text for text in shown)
