"""Small tables to try a rule on: one row of cards, knights where a test wants them, and dice chosen beforehand."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from services.knightly_cup import content
from services.knightly_cup.commands import Flip, LetTimePass
from services.knightly_cup.game import GAME
from services.knightly_cup.rules.effects import printed
from services.knightly_cup.state import NOBODY, SUITS, Hoard, Knight, Options, State, Turn, empty
from shared.kernel.dice import Dice, LoadedDice
from shared.kernel.game import Command, Event, Refused, Seat, Table
from shared.kernel.match import begin, fold, play

KEY = b"tables"
ROW = [
    "7_clubs",
    "A_clubs",
    "A_diamonds",
    "Q_clubs",
    "Q_diamonds",
    "J_hearts",
    "K_hearts",
    "K_diamonds",
    "2_hearts",
    "A_hearts",
    "A_spades",
    "joker_red",
    "joker_black",
    "Q_hearts",
    "6_spades",
    "J_clubs",
    "K_clubs",
    "10_diamonds",
    "3_clubs",
    "K_spades",
    "Q_spades",
]
PLACE = {card: place for place, card in enumerate(ROW)}


def dice(*rolls: int) -> Dice:
    return LoadedDice(rolls, KEY)


def opened(seats: int = 2, **options: Any) -> State:
    """The home suits are about to be chosen."""
    return begin(GAME, seats, GAME.read_options(options), Dice(KEY, "opened|"))[0].state


def laid(seats: int = 2, **options: Any) -> State:
    """The home suits are drawn, the hands are dealt."""
    state = opened(seats, **options)
    for seat in range(seats):
        state = drawn(state, seat, f"choose|{seat}")
    return state


def mapped(seats: int = 2, **options: Any) -> State:
    """The whole map is laid by chance, and the first turn has begun."""
    state, step = laid(seats, **options), 0
    while state.stage == "laying":
        step += 1
        state = drawn(state, state.turn.seat, f"lay|{step}")
    return state


def drawn(state: State, seat: Seat, domain: str) -> State:
    """The time of a seat runs out where the answer is drawn."""
    table, chance = Table(state), Dice(KEY, domain)
    GAME.rules[LetTimePass](table, seat, LetTimePass(), chance)
    GAME.advance(table, chance)
    return table.state


def row(*cards: str, seats: int = 2, down: tuple[str, ...] = (), **options: Any) -> State:
    """A map of one row, all cards face up but those named; knight 0 stands on the first of `cards`, knight 1 on the next, …

    Seat 0 is at home in clubs, 1 in diamonds, 2 in hearts, 3 in spades; the turn of seat 0 has come to its landing card.
    """
    spots = tuple(f"{x},0" for x in range(len(ROW)))
    state = empty(seats, Options(**options))
    return replace(
        state,
        printed=printed(content.BASE, state.options),
        stage="land",
        round=1,
        turn=Turn(0, last="stepped", entered=True),
        knights=tuple(
            Knight(SUITS[seat], PLACE[card], 5, standards=(SUITS[seat],)) for seat, card in zip(range(seats), cards, strict=True)
        ),
        spots=spots,
        layers=(NOBODY, *(place % seats for place in range(1, len(ROW)))),
        cards=tuple(ROW),
        up=tuple(card not in down for card in ROW),
        stocks=tuple(("horse", "shield", "sword") if card[0] == "J" and card not in down else () for card in ROW),
        hoards=(Hoard(),) * len(ROW),
        memory=(("",) * len(ROW),) * seats,
        supply=dict.fromkeys(("horse", "sword", "shield", "amulet"), seats),
        stores={suit: seats - (number < seats) for number, suit in enumerate(SUITS)},
    )


def walking(*cards: str, moves: int = 3, last: str = "began", **more: Any) -> State:
    """The same, while knight 0 is on her way."""
    state = row(*cards, **more)
    return replace(state, stage="walk", turn=replace(state.turn, moves=moves, last=last, entered=last in {"stepped", "jumped"}))


def rich(state: State, seat: Seat, coins: int = 5, *items: str, **more: Any) -> State:
    """A knight with these coins and items."""
    return state.with_knight(seat, coins=coins, items=tuple(sorted(items)), **more)


def turned(state: State, **changes: Any) -> State:
    return replace(state, turn=replace(state.turn, **changes))


def hoarding(state: State, card: str, coins: int, *items: str) -> State:
    hoards = list(state.hoards)
    hoards[PLACE[card]] = Hoard(coins, items)
    return replace(state, hoards=tuple(hoards))


def stocked(state: State, card: str, *items: str) -> State:
    stocks = list(state.stocks)
    stocks[PLACE[card]] = items
    return replace(state, stocks=tuple(stocks))


def do(state: State, seat: Seat, command: Command, *rolls: int) -> State:
    """The state afterwards; every chosen roll must have been used."""
    chance = dice(*rolls)
    after = play(GAME, state, seat, command, chance)[0]
    assert not isinstance(chance, LoadedDice) or not chance.left() or not rolls
    return after


def told(state: State, seat: Seat, command: Command, *rolls: int) -> dict[str, Event]:
    """What happens, by kind; of several events of a kind the last."""
    return {event.what: event for event in play(GAME, state, seat, command, dice(*rolls))[1]}


def order(state: State, seat: Seat, command: Command, *rolls: int) -> list[str]:
    """What happens, in order."""
    return [event.what for event in play(GAME, state, seat, command, dice(*rolls))[1]]


def refusal(state: State, seat: Seat, command: Command) -> str:
    try:
        play(GAME, state, seat, command, dice())
    except Refused as refused:
        return refused.code
    return ""


def timed_out(state: State, seat: Seat, *rolls: int) -> State:
    """The clock answers for a seat."""
    command = GAME.default(state, seat)
    table, chance = Table(state), dice(*rolls)
    GAME.rules[type(command)](table, seat, command, chance)
    GAME.advance(table, chance)
    return table.state


def gone(state: State, seat: Seat) -> State:
    """A seat resigns."""
    table = Table(state)
    GAME.leave(table, seat, dice())
    GAME.advance(table, Dice(KEY, "gone|"))
    assert fold(state, table.events) == table.state
    return table.state


def offered(state: State, seat: Seat) -> list[str]:
    return [choice.do.__struct_config__.tag for choice in GAME.legal(state, seat)]


def answers(state: State, seat: Seat) -> list[str]:
    """The same, but for the setting of one's asylum, which goes with every question (KC-834)."""
    return [do for do in offered(state, seat) if do not in {"claim_asylum", "waive_asylum"}]


def members(state: State, seat: Seat, kind: type[Command], field: str) -> list[Any]:
    """What a field of a kind of command may be."""
    return [m.value for choice in GAME.legal(state, seat) if choice.do is kind for m in choice.fields[field].of]  # type: ignore[union-attr]


def decides(state: State) -> Seat | None:
    """Who is asked, and must answer."""
    asked = [seat for seat in state.seats() if (question := GAME.question(state, seat)) is not None and question.needed]
    return asked[0] if asked else None


def found_elves() -> State:
    """Knight 0 has found elves and must hide them."""
    return do(row("joker_black", "A_clubs", down=("joker_black", "Q_hearts")), 0, Flip())
