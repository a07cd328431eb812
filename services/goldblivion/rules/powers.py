"""How is a power carried out? Its option, its cost, then effect by effect, as far as no question comes in between."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from services.goldblivion.content import POWERS, cost_of
from services.goldblivion.events import Held, Settled
from services.goldblivion.power_events import Declined, Paid, VillageTurned
from services.goldblivion.rules import combat, effects, solo
from services.goldblivion.rules.stack import Stack, payable
from services.goldblivion.state import Frame, Pending, State, put
from shared.kernel.dice import Dice
from shared.kernel.game import Table

OTHER_SIDE = {"a": "b", "b": "a"}


def activate(table: Table, frame: Frame, dice: Dice) -> None:
    """GB-211 A power from its beginning; nothing else is being carried out."""
    carry_on(table, [frame], dice)


def carry_on(table: Table, stack: Stack, dice: Dice) -> None:
    """GB-351, GB-359 The innermost power first, until all is done or somebody has to choose."""
    while stack and table.state.stage != "over":
        pending = _next(table, stack, dice)
        if pending is not None and table.state.stage != "over":
            table.tell(Held(pending.seat, pending, tuple(stack)))
            return
    if table.state.stack:
        table.tell(Settled())


def _next(table: Table, stack: Stack, dice: Dice) -> Pending | None:
    frame = stack[-1]
    if frame.kind in {"dummy", "row"}:
        return solo.step(table, stack, dice)
    if not frame.option:
        return _ask_option(table.state, frame)
    if frame.times < 0:
        return _ask_payment(table, stack)
    todo = POWERS[frame.power][frame.option - 1].effects
    if frame.times and frame.step < len(todo):
        return effects.carry_out(table, stack, todo[frame.step], dice)
    _close(table, stack)
    return None


def _ask_option(state: State, frame: Frame) -> Pending:
    """GB-227, GB-304, GB-398 One of the two."""
    default = "1" if payable(state, cost_of(frame.power, 1)) else "2"
    return Pending(state.turn, "option", frame.power, ("1", "2"), default)


def _ask_payment(table: Table, stack: Stack) -> Pending | None:
    """GB-355 to GB-358 A Character's cost may be declined; whoever chose anything else agreed to pay (GB-303, GB-312)."""
    frame, state = stack[-1], table.state
    cost = cost_of(frame.power, frame.option)
    if cost is None:
        stack[-1] = replace(frame, times=1)
        return None
    board, least = state.boards[state.turn], 0 if frame.kind == "card" else 1
    most = (board.nuggets if cost.kind == "nuggets" else board.material) // cost.n
    if not most:
        stack[-1] = replace(frame, times=0)
    elif cost.unlimited and most > least:
        return Pending(state.turn, "times", frame.power, (str(least), str(most)), str(least))
    elif frame.kind == "card":
        return Pending(state.turn, "pay", frame.power, ("pay", "decline"), "decline")
    else:
        _pay(table, stack, "1", dice=None)
    return None


def _pay(table: Table, stack: Stack, times: str, dice: Dice | None) -> None:  # noqa: ARG001 - answers are all called alike
    """GB-355, GB-356, GB-358 In full, before the right side is carried out."""
    frame, cost = stack[-1], cost_of(stack[-1].power, stack[-1].option)
    assert cost is not None
    if int(times):
        table.tell(Paid(table.state.turn, "nuggets" if cost.kind == "nuggets" else "material", cost.n * int(times)))
    else:
        table.tell(Declined(table.state.turn, frame.power))
    stack[-1] = replace(frame, times=int(times))


def _close(table: Table, stack: Stack) -> None:
    """GB-263, GB-356 Once more if more was paid; a village is turned over afterwards."""
    frame = stack.pop()
    if frame.times > 1:
        stack.append(replace(frame, times=frame.times - 1, step=0, left=-1))
    elif frame.kind == "village":
        tile, _, side = frame.power.rpartition("_")
        table.tell(VillageTurned(tile, put(table.state.villages, frame.card, OTHER_SIDE[side])))


def answer(table: Table, target: str, dice: Dice) -> None:
    """The open question is answered, and the power goes on."""
    stack = list(table.state.stack)
    ANSWERS[table.state.pending.question](table, stack, target, dice)
    carry_on(table, stack, dice)


def _take_option(_table: Table, stack: Stack, target: str, _dice: Dice) -> None:
    stack[-1] = replace(stack[-1], option=int(target))


def _take_pay(table: Table, stack: Stack, target: str, dice: Dice) -> None:
    _pay(table, stack, "1" if target == "pay" else "0", dice)


def _take_reactivate(table: Table, stack: Stack, target: str, _dice: Dice) -> None:
    effects.reactivate(table, stack, target)


def _take_enemy(table: Table, stack: Stack, target: str, _dice: Dice) -> None:
    combat.meet(table, stack, target)


def _take_combat(table: Table, stack: Stack, target: str, _dice: Dice) -> None:
    if target == combat.FINISH:
        combat.finish(stack)
    else:
        combat.resolve(table, stack, target)


def _take_copy(table: Table, stack: Stack, target: str, _dice: Dice) -> None:
    combat.copy(table, stack, target)


def _take_lost_card(table: Table, stack: Stack, target: str, _dice: Dice) -> None:
    combat.lose(table, stack, target)


ANSWERS: dict[str, Callable[[Table, Stack, str, Dice], None]] = {
    "option": _take_option,
    "pay": _take_pay,
    "times": _pay,
    "destroy": effects.take,
    "marker": effects.take,
    "character": effects.take,
    "combat_card": effects.take,
    "reactivate": _take_reactivate,
    "enemy": _take_enemy,
    "combat": _take_combat,
    "copy": _take_copy,
    "lose_card": _take_lost_card,
    "dummy_space": solo.place_card,
    "reveal": solo.reveal,
    "conquer": solo.conquer,
}
