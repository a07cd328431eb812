"""How far has a power come? The frames of the powers that are being carried out, the innermost last."""

from __future__ import annotations

from msgspec.structs import replace

from services.goldblivion.content import POWERS
from services.goldblivion.content.effects import Cost
from services.goldblivion.state import Frame, FrameKind, State

Stack = list[Frame]


def frame_of(kind: FrameKind, power: str, card: int = -1, option: int = 0) -> Frame:
    """A power about to begin; where there is nothing to choose or to pay, nothing is asked."""
    options = POWERS[power]
    if not option and len(options) == 1:
        option = 1
    times = 1 if option and options[option - 1].cost is None else -1
    return Frame(kind, power, card, option, times)


def advance(stack: Stack) -> None:
    """GB-351 On to the next effect."""
    frame = stack[-1]
    stack[-1] = replace(frame, step=frame.step + 1, left=-1)


def payable(state: State, cost: Cost | None) -> bool:
    """GB-358 In full."""
    if cost is None:
        return True
    board = state.boards[state.turn]
    return (board.nuggets if cost.kind == "nuggets" else board.material) >= cost.n
