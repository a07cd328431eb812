"""What does each effect do? One `match` over all effects that a card, a tile or a token may have."""

from __future__ import annotations

from collections.abc import Callable
from operator import itemgetter
from typing import Any, NamedTuple

from msgspec.structs import replace

from services.goldblivion.content import COUNTS, NUMBERS
from services.goldblivion.content.effects import (
    Bars,
    Copy,
    Destroy,
    Draw,
    DrawCombat,
    Effect,
    Fight,
    FreeCharacter,
    FreeCombat,
    LoseMaterial,
    Magic,
    Material,
    Nuggets,
    Reactivate,
    Sacrifice,
    Strength,
)
from services.goldblivion.content.effects import Dice as Roll
from services.goldblivion.power_events import BuildingRighted, Reactivated, Sacrificed, StrengthAdded
from services.goldblivion.rules import combat, gains, market
from services.goldblivion.rules.stack import Stack, advance, frame_of
from services.goldblivion.state import Pending, State
from shared.kernel.dice import Dice
from shared.kernel.game import Seat, Table


class Targeted(NamedTuple):
    """An effect that is carried out on one thing after the other: what may be taken, and how."""

    targets: Callable[[State], tuple[str, ...]]
    default: Callable[[tuple[str, ...]], str]
    take: Callable[[Table, Seat, str, Dice], None]


def _destroy(table: Table, seat: Seat, place: str, _dice: Dice) -> None:
    market.destroy(table, seat, place)


TARGETED = {
    "destroy": Targeted(market.destroyable, market.least_loss, _destroy),
    "marker": Targeted(market.destroyable, market.least_loss, _destroy),
    "character": Targeted(market.free_characters, itemgetter(0), market.take),
    "combat_card": Targeted(market.free_combat_cards, market.first_pile, market.take),
}


def carry_out(table: Table, stack: Stack, effect: Effect, dice: Dice) -> Pending | None:  # noqa: C901, PLR0912 - one case per effect
    """GB-351 to GB-354 One effect, as far as possible; a Pending where the player has to choose."""
    seat = table.state.turn
    board = table.state.boards[seat]
    match effect:  # what is carried out most comes first
        case Destroy(n=n):
            return each(table, stack, "marker" if stack[-1].kind == "marker" else "destroy", n, dice)
        case Nuggets(n=n, per=per):
            gains.gain(table, seat, "nuggets", n * gains.counted(board, per))
        case Strength(n=n, per=per):
            add_strength(table, n * gains.counted(board, per))
        case Fight():
            return combat.fight(table, stack)
        case Draw(n=n):
            gains.draw(table, seat, n)
        case Material(n=n):
            gains.gain(table, seat, "material", n)
        case Roll(n=n, per=per):
            gains.roll(table, seat, n * gains.counted(board, per), dice)
        case Bars(n=n):
            gains.gain(table, seat, "bars", n)
        case FreeCombat(n=n):
            return each(table, stack, "combat_card", n, dice)
        case FreeCharacter(n=n):
            return each(table, stack, "character", n, dice)
        case Reactivate(group=group):
            return _ask_reactivate(table, stack, group)
        case Magic(n=n):
            gains.gain_tokens(table, seat, n, dice)
        case LoseMaterial(n=n):
            gains.lose_material(table, seat, n)
        case DrawCombat(n=n):
            combat.draw_army(table, n)
        case Copy():
            return combat.ask_copy(table, stack)
        case Sacrifice():
            sacrifice(table, stack[-1].card)
    advance(stack)
    return None


def add_strength(table: Table, n: int) -> None:
    """GB-408, GB-477."""
    if n:
        table.tell(StrengthAdded(table.state.turn, n))


def sacrifice(table: Table, index: int) -> None:
    """GB-407, GB-479, GB-482 The card that acts, not the one it copies."""
    card = table.state.combat.cards[index]
    if not card.gone:
        table.tell(Sacrificed(table.state.turn, card.card, index))


def each(table: Table, stack: Stack, question: str, n: int, dice: Dice) -> Pending | None:
    """GB-353, GB-354, GB-394, GB-396 One after the other; a single target is taken without asking (GB-703)."""
    kind, seat = TARGETED[question], table.state.turn
    left = n if stack[-1].left < 0 else stack[-1].left
    while left and table.state.stage != "over":
        targets = kind.targets(table.state)
        if len(targets) > 1:
            stack[-1] = replace(stack[-1], left=left)
            return Pending(seat, question, stack[-1].power, targets, kind.default(targets))
        if not targets:
            break
        kind.take(table, seat, targets[0], dice)
        left -= 1
    advance(stack)
    return None


def take(table: Table, stack: Stack, target: str, dice: Dice) -> None:
    """GB-394, GB-396 The answer for one of them."""
    pending: Any = table.state.pending
    TARGETED[pending.question].take(table, pending.seat, target, dice)
    stack[-1] = replace(stack[-1], left=stack[-1].left - 1)


def _ask_reactivate(table: Table, stack: Stack, group: str) -> Pending | None:
    """GB-353, GB-354, GB-398, GB-401."""
    targets = reactivable(table.state, stack, group)
    if len(targets) > 1:
        return Pending(table.state.turn, "reactivate", stack[-1].power, targets, targets[0])
    if targets:
        reactivate(table, stack, targets[0])
    else:
        advance(stack)
    return None


def reactivable(state: State, stack: Stack, group: str) -> tuple[str, ...]:
    """GB-360, GB-398 to GB-402, GB-708 Other own cards in play with that badge, or turned Buildings; none of this chain."""
    board = state.boards[state.turn]
    if state.activations >= NUMBERS.most_activations:
        return ()
    if group == "building":
        acting = {frame.power for frame in stack if frame.kind == "building"}
        return tuple(card for card in board.turned if card not in acting)
    places = {frame.card for frame in stack if frame.kind == "card"}
    return tuple(dict.fromkeys(card for index, card in enumerate(board.played) if COUNTS[group][card] and index not in places))


def reactivate(table: Table, stack: Stack, card: str) -> None:
    """GB-359, GB-398, GB-401 A card acts again, completely, before anything else; a Building is set upright."""
    board = table.state.boards[table.state.turn]
    if card in board.turned:
        table.tell(BuildingRighted(table.state.turn, card))
        advance(stack)
        return
    places = {frame.card for frame in stack if frame.kind == "card"}
    index = next(index for index, there in enumerate(board.played) if there == card and index not in places)
    advance(stack)
    table.tell(Reactivated(table.state.turn, card))
    stack.append(frame_of("card", card, index))
