"""Small tables to try a rule on: a turn of the game with as little as possible around it."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from services.golden_goal.commands import KeepRoll, Roll
from services.golden_goal.game import GAME
from services.golden_goal.state import BANK, NONE, Card, Cup, Deck, Modifiers, Player, Square, State
from shared.kernel.dice import Dice, LoadedDice
from shared.kernel.game import Command, Event, Phase, Question, Refused, Seat, Table
from shared.kernel.match import begin, play

KEY = b"tables"
MILLION = 1_000_000
GREEN, YELLOW, RED = 1, 4, 6  # faces of the outcome die
ITALY = ("italy_attack", "italy_defence", "italy_midfield")
SPAIN = ("spain_attack", "spain_defence", "spain_midfield")


def dice(*rolls: int) -> Dice:
    return LoadedDice(rolls, KEY)


def table(seats: int = 3, options: dict[str, Any] | None = None, **of_player: dict[Seat, Any]) -> State:
    """Seat 0 is about to roll, nobody owns a tile, everybody has 10,000,000; `cash={0: 5}` changes single players."""
    state = begin(GAME, seats, GAME.read_options(options or {}), Dice(KEY, "table|"))[0].state
    bare = Player(cash=10 * MILLION)
    players = [replace(bare, colour=player.colour) for player in state.players]
    for name, values in of_player.items():
        for seat, value in values.items():
            players[seat] = replace(players[seat], **{name: tuple(sorted(value)) if isinstance(value, tuple | list) else value})
    return replace(state, players=tuple(players), first=0, turn=0, round=3)


def deck(state: State, *cards: str) -> State:
    """These cards lie on top of their decks."""
    for card in reversed(cards):
        name = "football" if card[0] == "F" else "non_football"
        old: Deck = getattr(state, name)
        state = replace(state, **{name: Deck((card, *(other for other in old.hidden if other != card)))})
    return state


def kept(state: State, seat: Seat, *cards: str) -> State:
    """These cards lie before a player and in no deck."""
    for card in cards:
        name = "football" if card[0] == "F" else "non_football"
        old: Deck = getattr(state, name)
        state = replace(state, **{name: Deck(tuple(other for other in old.hidden if other != card))})
    return state.with_player(seat, kept=tuple(sorted(cards)))


def cups(state: State, **held: tuple[Seat, str]) -> State:
    """`gold=(1, "italy")`: the gold cup lies on Italy of seat 1."""
    return replace(state, cups={**state.cups, **{name: Cup(seat, team) for name, (seat, team) in held.items()}})


def ceded(state: State, cup: str, seat: Seat) -> State:
    return replace(state, cups={**state.cups, cup: Cup(seat, ceded=True)})


def modified(state: State, seat: Seat, **changes: Any) -> State:
    """Penalties and bonuses of a player."""
    return state.with_player(seat, modifiers=replace(NONE, **changes))


def square(state: State, index: int, kind: str, what: str) -> State:
    """Another board."""
    squares = (*state.board.squares[:index], Square(kind, what), *state.board.squares[index + 1 :])
    return replace(state, board=replace(state.board, squares=squares))


def do(state: State, seat: Seat, command: Command, *rolls: int) -> State:
    return play(GAME, state, seat, command, dice(*rolls))[0]


def told(state: State, seat: Seat, command: Command, *rolls: int) -> dict[str, Event]:
    """What happens, by kind; of several events of a kind the last."""
    return {event.what: event for event in play(GAME, state, seat, command, dice(*rolls))[1]}


def story(state: State, seat: Seat, command: Command, *rolls: int) -> list[str]:
    """What happens, in its order."""
    return [event.what for event in play(GAME, state, seat, command, dice(*rolls))[1]]


def rolls(state: State, first: int, second: int, *faces: int) -> State:
    """Seat 0 rolls and moves there, whatever it could reroll with."""
    shown = do(state, 0, Roll(), first, second, *faces)
    return do(shown, 0, KeepRoll(), *faces) if shown.stage == "rolled" else shown


def all_do(state: State, *answers: tuple[Seat, Command]) -> State:
    for seat, command in answers:
        state = do(state, seat, command)
    return state


def refused(state: State, seat: Seat, command: Command) -> bool:
    try:
        play(GAME, state, seat, command, dice())
    except Refused:
        return True
    return False


def time_out(state: State, seat: Seat, *rolls: int) -> State:
    """The clock of a seat runs out."""
    return do(state, seat, GAME.default(state, seat), *rolls)


def clock_out(state: State) -> State:
    """The clock of a live auction runs out."""
    at = Table(state)
    GAME.phase_over(at, dice())
    GAME.advance(at, dice())
    return at.state


def gone(state: State, seat: Seat) -> State:
    """A player leaves for good."""
    at = Table(state)
    GAME.leave(at, seat, dice())
    GAME.advance(at, dice())
    return at.state


def offered(state: State, seat: Seat) -> list[str]:
    return [str(choice.do.__struct_config__.tag) for choice in GAME.legal(state, seat)]


def asked(state: State) -> list[Seat]:
    """The seats that the match waits for."""
    questions = ((seat, GAME.question(state, seat)) for seat in state.seats())
    return [seat for seat, question in questions if question is not None and question.needed]


def question(state: State, seat: Seat) -> str:
    found: Question | None = GAME.question(state, seat)
    return found.name if found else ""


def phase(state: State) -> Phase | None:
    return GAME.phase(state)


def markers(state: State) -> list[int]:
    return [player.marker for player in state.players]


def cash(state: State) -> list[int]:
    return [player.cash for player in state.players]


def points(state: State) -> list[int]:
    return [player.points for player in state.players]


def owner(state: State, tile: str) -> Seat | None:
    seat = state.owner_of(tile)
    return None if seat == BANK else seat


def card(state: State) -> Card:
    top = state.stack[-1]
    assert isinstance(top, Card)
    return top


def at(state: State, seat: Seat, index: int) -> State:
    """The pawn stands on this square, in its second lap."""
    size = len(state.board.squares)
    return state.with_player(seat, walked=size + index, matches=1)


def landing(state: State, index: int) -> State:
    """Seat 0 is seven squares before this one, and comes there without ending a match."""
    size = len(state.board.squares)
    walked = size + index - 7
    return state.with_player(0, walked=walked, matches=(walked + 7) // size)


NOTHING = Modifiers()
