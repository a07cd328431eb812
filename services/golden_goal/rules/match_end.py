"""The whistle: end of match and start of match, step by step."""

from __future__ import annotations

from services.golden_goal import content
from services.golden_goal.commands import BuyGoalActions, BuyTokens
from services.golden_goal.events import (
    CupIncomeDue,
    GoalActionsBought,
    MatchStarted,
    ResultRead,
    TakingsDue,
    TokensForSale,
)
from services.golden_goal.goods_events import Paid, TokenBought
from services.golden_goal.goods_state import can_raise
from services.golden_goal.rules.bank import receive, rounded
from services.golden_goal.rules.cups import check_target, claim_cups, move_marker
from services.golden_goal.rules.tokens import roll_outcome
from services.golden_goal.state import NOTE, MatchEnd, State
from shared.kernel.dice import Dice
from shared.kernel.game import Seat, Table


def waits_for_shopping(state: State, end: MatchEnd) -> bool:
    """GG-302, GG-316 Only steps 1 and 6 ask for something."""
    if end.step == 1:
        room = state.players[state.turn].marker < state.board.x
        return not state.face and room and can_raise(state, state.turn, content.ECONOMY.goal_action)
    return end.step == 6 and tokens_can_be_bought(state, end)


def tokens_can_be_bought(state: State, end: MatchEnd) -> bool:
    """GG-303, GG-316, GG-436, GG-566."""
    if end.bought or state.players[state.turn].modifiers.token_ban:
        return False
    return bool(state.supply("die") or state.supply("event")) and can_raise(state, state.turn, content.ECONOMY.token)


def go_on(table: Table, end: MatchEnd, dice: Dice) -> None:
    """GG-301, GG-320 The steps in their fixed order."""
    state: State = table.state
    match end.step:
        case 1 | 2 if not state.face:
            roll_outcome(table, state.turn, "match_result", dice)
        case 1 | 2:
            read_result(table)
        case 3:
            pay_takings(table)
        case 4 if state.cups_of(state.turn):
            pay_cup_income(table)
        case 4 | 5 if tokens_can_be_bought(state, end):
            table.tell(TokensForSale(state.turn))
        case _:
            table.tell(MatchStarted(state.turn, state.players[state.turn].matches + 1))


def buy_goal_actions(table: Table, seat: Seat, command: BuyGoalActions, _dice: Dice) -> None:
    """GG-302, GG-303."""
    table.tell(GoalActionsBought(seat, command.count))
    if command.count:
        table.tell(Paid(seat, command.count * content.ECONOMY.goal_action))
        move_marker(table, seat, command.count)


def read_result(table: Table) -> None:
    """GG-306 to GG-311, GG-336 The box of the colour in the column of the number, which a card may have shifted."""
    state: State = table.state
    player, x = state.players[state.turn], state.board.x
    number = max(-x, min(x, player.marker + player.modifiers.result))
    result = getattr(state.board.columns[number + x], state.face)
    points = getattr(content.ECONOMY.result, result)
    table.tell(ResultRead(state.turn, number, state.face, result, points))
    check_target(table, state.turn)


def pay_takings(table: Table) -> None:
    """GG-312, GG-313 By the result, changed by cards: additions first, then halving."""
    state: State = table.state
    end, modifiers = state.stack[-1], state.players[state.turn].modifiers
    assert type(end) is MatchEnd
    amount = max(0, getattr(content.ECONOMY.takings, end.result) + modifiers.takings * NOTE)
    amount = rounded(amount >> modifiers.halved)
    table.tell(TakingsDue(state.turn, amount))
    receive(table, state.turn, amount)
    claim_cups(table, state.turn, end.before)


def pay_cup_income(table: Table) -> None:
    """GG-315, GG-401 By the number of cups that lie on a team, those just won included."""
    seat = table.state.turn
    cups = len(table.state.cups_of(seat))
    amount = content.ECONOMY.cups[cups - 1]
    table.tell(CupIncomeDue(seat, cups, amount))
    receive(table, seat, amount)


def buy_tokens(table: Table, seat: Seat, command: BuyTokens, _dice: Dice) -> None:
    """GG-316, GG-317, GG-331 After the shopping the new match begins."""
    for token in sorted(command.kinds):
        table.tell(TokenBought(seat, token, content.ECONOMY.token))
    table.tell(MatchStarted(seat, table.state.players[seat].matches + 1))
