"""Movement: rolling, rerolling, and where the pawn goes."""

from __future__ import annotations

from services.golden_goal import content
from services.golden_goal.commands import KeepRoll, Reroll, Roll
from services.golden_goal.events import Arrived, BetOffered, Moved, Rolled
from services.golden_goal.goods_state import means
from services.golden_goal.rules.cards import draw_card
from services.golden_goal.rules.corners import pay_takings, scramble
from services.golden_goal.rules.team_squares import visit_square
from services.golden_goal.rules.tokens import spend
from services.golden_goal.state import Arrival, State
from shared.kernel.dice import Dice
from shared.kernel.game import Seat, Table


def roll(table: Table, seat: Seat, _command: Roll, dice: Dice) -> None:
    """GG-131."""
    throw(table, seat, dice)


def throw(table: Table, seat: Seat, dice: Dice) -> None:
    """GG-152, GG-153 Both dice, always; the destination is shown before the pawn moves."""
    thrown = dice.roll(), dice.roll()
    table.tell(Rolled(seat, thrown, (table.state.square_of(seat) + sum(thrown)) % len(table.state.board.squares)))


def waits_for_reroll(state: State) -> bool:
    """GG-152, GG-154 As long as the player has something to reroll with."""
    return bool(means(state, state.turn, "die_token", "reroll_move", content.USES))


def reroll(table: Table, seat: Seat, command: Reroll, dice: Dice) -> None:
    """GG-153, GG-154."""
    spend(table, seat, command.by)
    throw(table, seat, dice)


def keep_roll(table: Table, _seat: Seat, _command: KeepRoll, dice: Dice) -> None:
    """GG-132."""
    move_by_roll(table, dice)


def move_by_roll(table: Table, _dice: Dice) -> None:
    """GG-132, GG-155 Clockwise by the sum of the dice."""
    move(table, sum(table.state.roll), by_card=False)


def move(table: Table, steps: int, *, by_card: bool) -> None:
    """GG-156, GG-157, GG-559."""
    state: State = table.state
    square = (state.players[state.turn].walked + steps) % len(state.board.squares)
    table.tell(Moved(state.turn, steps, square, by_card))


def arrive(table: Table, _task: Arrival, _dice: Dice) -> None:
    """GG-133, GG-181 What the square of arrival demands, whatever has brought the pawn there."""
    state: State = table.state
    index = state.square_of(state.turn)
    square = state.board.squares[index]
    table.tell(Arrived(state.turn, index))
    match square.kind, square.what:
        case "team", tile:
            visit_square(table, tile)
        case "event", deck:
            draw_card(table, deck)
        case _, "match_takings":
            pay_takings(table)
        case _, "capital_increase":
            table.tell(BetOffered(state.turn))
        case _, "goalmouth_scramble":
            scramble(table)
        case _:
            pass  # GG-158: the whistle has no further effect
