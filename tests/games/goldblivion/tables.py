"""Small tables to try a rule on: a known Market, a known map, empty hands, and the turn of seat 0."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec.structs import replace

from services.goldblivion.content import SPACES
from services.goldblivion.game import GAME
from services.goldblivion.state import Board, State
from shared.kernel.choices import One
from shared.kernel.dice import Dice, LoadedDice
from shared.kernel.game import Command, Event, Refused, Seat, Table
from shared.kernel.match import begin, play

KEY = b"tables"
MARKET = ("timmy", "wanda", "archimus", "magda")
PILE = ("boss", "colin", "mine", "goldie", "vlad", "red")
ARMIES = (("champion", "archer", "axel"), ("bandit", "karen"))
PLACES = {space.id: index for index, space in enumerate(SPACES)}


def dice(*rolls: int) -> Dice:
    return LoadedDice(rolls, KEY)


def opened(seats: int = 2, **options: Any) -> State:
    """The Nobles are about to be taken."""
    state: State = begin(GAME, seats, GAME.read_options(options), Dice(KEY, "opened|"))[0].state
    return state


def developing(seats: int = 2, **options: Any) -> State:
    """Everybody has drawn and is about to choose a card for Development."""
    state = opened(seats, **options)
    while state.stage == "draft":
        state = do(state, state.turn, GAME.default(state, state.turn))
    return state


def acting(seats: int = 2, **options: Any) -> State:
    """The turn of seat 0 in round 1; all hands and boards are empty, Market, map and piles are known."""
    state = developing(seats, **options)
    boards = tuple(Board(coat=board.coat, turns=1) for board in state.boards)
    state = replace(state, stage="actions", boards=boards, first=0, turn=0, actions=0, market=MARKET, pile=PILE, armies=ARMIES)
    return on_map(replace(state, villages=("a", "a"), box=(), buried=0))


def on_map(state: State, forest: str = "forest_2", mountain: str = "mountain_3", **spaces: tuple[str, ...]) -> State:
    """The same tile on every space of a kind, face down; on the spaces named other tiles, or none."""
    kinds = {"forest": (forest,), "mountain": (mountain,)}
    laid = tuple(replace(space, tiles=spaces.get(space.id, kinds[space.kind]), up=False) for space in state.spaces)
    return replace(state, spaces=laid)


def turned_up(state: State, *names: str) -> State:
    """These territories lie face up."""
    return replace(state, spaces=tuple(replace(space, up=space.up or space.id in names) for space in state.spaces))


def holding(state: State, seat: Seat = 0, **changes: Any) -> State:
    """A seat holds this."""
    return state.with_board(seat, **changes)


def do(state: State, seat: Seat, *commands: Command, rolls: tuple[int, ...] = ()) -> State:
    """One command after the other; the rolls are for all of them."""
    chance = dice(*rolls)
    for command in commands:
        state = play(GAME, state, seat, command, chance)[0]
    return state


def told(state: State, seat: Seat, command: Command, *rolls: int) -> list[Event]:
    """What happens."""
    return list(play(GAME, state, seat, command, dice(*rolls))[1])


def kinds_of(events: list[Event]) -> list[str]:
    return [event.what for event in events]


def refusal(state: State, seat: Seat, command: Command) -> str:
    """The code of the refusal, which changes and draws nothing (GB-702); empty if the command is carried out."""
    before, chance = msgspec.json.encode(state), dice()
    try:
        play(GAME, state, seat, command, chance)
    except Refused as refused:
        assert (msgspec.json.encode(state), chance.counter, chance.drawn) == (before, 0, []), f"refused, and yet: {command}"
        return refused.code
    return ""


def offered(state: State, seat: Seat = 0) -> list[str]:
    """The kinds of commands on offer."""
    return [str(choice.do.__struct_config__.tag) for choice in GAME.legal(state, seat)]


def members(state: State, kind: type[Command], field: str, seat: Seat = 0) -> list[str | int]:
    """What a field of a kind of command may be."""
    shapes = [choice.fields[field] for choice in GAME.legal(state, seat) if choice.do is kind]
    return [member.value for shape in shapes if isinstance(shape, One) for member in shape.of]


def asked(state: State) -> list[tuple[Seat, str]]:
    """Who is waited for, with which question."""
    questions = ((seat, GAME.question(state, seat)) for seat in state.seats())
    return [(seat, question.name) for seat, question in questions if question is not None and question.needed]


def defaulted(state: State, seat: Seat, *rolls: int) -> State:
    """The time of a seat runs out."""
    return do(state, seat, GAME.default(state, seat), rolls=rolls)


def gone(state: State, seat: Seat) -> State:
    """A seat leaves for good."""
    table = Table(state)
    GAME.leave(table, seat, dice())
    GAME.advance(table, dice())
    return table.state  # type: ignore[no-any-return]


def own(state: State, seat: Seat = 0) -> Board:
    return state.boards[seat]
