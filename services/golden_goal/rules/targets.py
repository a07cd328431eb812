"""Whom does an effect hit, and which tile? Settled before anybody reacts (GG-264)."""

from __future__ import annotations

from services.golden_goal.content.effects import Auctioned, Collect, Effect, Line, Move, MoveTo, Offered, PayEach, Suspend
from services.golden_goal.goods_state import free_tiles, rivals, unowned_tiles, value_of
from services.golden_goal.state import Card, Part, State
from shared.kernel.dice import Dice
from shared.kernel.game import Seat


def parts_of(state: State, card: Card, line: Line, dice: Dice) -> tuple[Part, ...]:
    """GG-255 One part for each player, in turn order from the drawer."""
    number = card.todo[0]
    match line.effect:
        case Suspend() as effect:
            return suspensions(state, card, effect, dice)
        case Auctioned():
            unowned = unowned_tiles(state)
            return (Part(number, state.turn, (dice.pick(unowned),)),) if unowned else ()
        case Collect():
            return tuple(Part(number, seat) for seat in state.after(state.turn))
        case PayEach() | Move() | MoveTo() | Offered():
            return (Part(number, state.turn),)
        case effect:
            return tuple(Part(number, seat) for seat in targets(state, card, effect))


def targets(state: State, card: Card, effect: Effect) -> tuple[Seat, ...]:
    """GG-575, GG-576, GG-577."""
    order = state.in_order(state.turn)
    who = getattr(effect, "who", "drawer")
    match who:
        case "drawer":
            return (state.turn,)
        case "all":
            return order
        case "others":
            return order[1:]
        case "next" | "previous":
            return (order[1 if who == "next" else -1],)
        case "top" | "bottom":
            return extremes(state, order, top=who == "top")
        case _:
            return (card.target,) if card.target >= 0 else rivals(state, who, suspending=isinstance(effect, Suspend))[:1]


def extremes(state: State, order: tuple[Seat, ...], *, top: bool) -> tuple[Seat, ...]:
    """GG-575 All with the most or the fewest points; nobody when all are level."""
    points = [state.players[seat].points for seat in order]
    wanted = max(points) if top else min(points)
    return () if max(points) == min(points) else tuple(seat for seat in order if state.players[seat].points == wanted)


def suspensions(state: State, card: Card, effect: Suspend, dice: Dice) -> tuple[Part, ...]:
    """GG-523, GG-561 Only players who own enough tiles, and one that is not suspended."""
    parts = []
    for seat in targets(state, card, effect):
        free = free_tiles(state, seat)
        if free and len(state.players[seat].tiles) >= effect.at_least:
            parts.append(Part(card.todo[0], seat, picked(state, effect, seat, free, dice)))
    return tuple(parts)


def picked(state: State, effect: Suspend, seat: Seat, free: tuple[str, ...], dice: Dice) -> tuple[str, ...]:
    """GG-561 The tile, or those among which its owner will choose; none named yet where the choice is the owner's alone."""
    match effect.pick:
        case "owner":
            return ()
        case "random":
            return (dice.pick(free),)
        case "strongest":
            best = max(value_of(state, tile, seat) for tile in free)
            return tuple(tile for tile in free if value_of(state, tile, seat) == best)
        case "drawer":
            return free[:1]  # with several the drawer is asked
