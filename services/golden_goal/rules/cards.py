"""Event cards: drawing, settling what they do, reactions, and one part after the other."""

from __future__ import annotations

from services.golden_goal import content
from services.golden_goal.card_events import (
    CardDone,
    CardDrawn,
    CardKept,
    EffectRead,
    NoCardDrawn,
    PartCame,
    PartCancelled,
    Reacted,
    ReactionsAsked,
    ReactionsShown,
    Suspended,
    TargetChosen,
)
from services.golden_goal.commands import ChooseTarget, ChooseTile, LetHappen, React, TakeBranch
from services.golden_goal.content.effects import Choose, If, Keep, Line, Move, MoveTo, Roll, Steal, Suspend
from services.golden_goal.goods_state import free_tiles, means, rivals
from services.golden_goal.rules.effects import carry_out, is_negative, spared_steal
from services.golden_goal.rules.targets import parts_of
from services.golden_goal.rules.tokens import roll_outcome, spend
from services.golden_goal.state import BANK, MOST_CARDS, Card, Part, Pick, State
from shared.kernel.dice import Dice
from shared.kernel.game import Seat, Table

COLOURS = ("green", "yellow", "red")


def draw_card(table: Table, deck: str) -> None:
    """GG-251, GG-254, GG-261."""
    state: State = table.state
    pile = state.deck(deck)
    if len(state.drawn) >= MOST_CARDS or not pile.count():
        table.tell(NoCardDrawn(state.turn, deck))
        return
    card = (pile.hidden or pile.known)[0]
    table.tell(CardDrawn(state.turn, card, deck, content.PRINTED[card]))


def waits_for_choice(state: State, card: Card) -> bool:
    """GG-255, GG-639 For the drawer, or for reactions."""
    if card.stage == "react":
        return None in card.reactions
    if card.stage == "apply" or not card.todo:
        return False
    match line_of(card).effect:
        case Choose():
            return True
        case Suspend(pick="drawer"):
            return asks_target(state, card) or len(free_tiles(state, victim(state, card))) > 1
        case _:
            return asks_target(state, card)


def opponents(state: State, card: Card) -> tuple[Seat, ...]:
    """GG-576 Among whom the drawer chooses."""
    effect = line_of(card).effect
    return rivals(state, getattr(effect, "who", ""), suspending=isinstance(effect, Suspend))


def asks_target(state: State, card: Card) -> bool:
    return card.target < 0 and len(opponents(state, card)) > 1


def victim(state: State, card: Card) -> Seat:
    """GG-576 The chosen opponent, or the only one there is."""
    return card.target if card.target >= 0 else next(iter(opponents(state, card)), BANK)


def line_of(card: Card) -> Line:
    return content.LINES[card.card][card.todo[0]]


def go_on(table: Table, card: Card, dice: Dice) -> None:
    """GG-255 Settle, ask for reactions, carry out."""
    if card.stage == "settle" and card.todo:
        settle(table, card, dice)
    elif card.stage == "settle":
        ask_for_reactions(table, card)
    elif card.stage == "react":
        show_reactions(table, card)
    else:
        next_part(table, card)


def settle(table: Table, card: Card, dice: Dice) -> None:
    """GG-255, GG-264, GG-569, GG-571 The first effect that is not settled: a branch, or whom and what it hits."""
    state: State = table.state
    line = line_of(card)
    match line.effect:
        case Roll() if not state.face:
            roll_outcome(table, state.turn, "card", dice)
        case Roll():
            read_branch(table, card, line.inside[COLOURS.index(state.face)])
        case If(test=test):
            read_branch(table, card, line.inside[not holds(state, test)])
        case effect:
            parts = parts_of(state, card, line, dice)
            if not parts and isinstance(effect, Suspend) and line.inside[0]:
                read_branch(table, card, line.inside[0])
            else:
                table.tell(EffectRead(card.card, card.todo[1:], parts))


def read_branch(table: Table, card: Card, numbers: tuple[int, ...]) -> None:
    table.tell(EffectRead(card.card, numbers + card.todo[1:], ()))


def holds(state: State, test: str) -> bool:
    """GG-571."""
    if test == "owns_complete":
        return bool(state.teams_of(state.turn))
    return not any(tile in state.suspended for tile in state.players[state.turn].tiles)


def take_branch(table: Table, _seat: Seat, command: TakeBranch, _dice: Dice) -> None:
    """GG-570."""
    card = table.state.stack[-1]
    assert type(card) is Card
    read_branch(table, card, line_of(card).inside["ab".index(command.branch)])


def choose_target(table: Table, seat: Seat, command: ChooseTarget, _dice: Dice) -> None:
    """GG-576."""
    table.tell(TargetChosen(seat, command.seat))


def choose_tile(table: Table, seat: Seat, command: ChooseTile, _dice: Dice) -> None:
    """GG-561 The drawer's choice among the tiles of the chosen opponent, or an owner's among its own."""
    card = table.state.stack[-1]
    if type(card) is Pick:
        table.tell(Suspended(seat, command.tile))
        return
    assert type(card) is Card
    part = Part(card.todo[0], victim(table.state, card), (command.tile,))
    table.tell(EffectRead(card.card, card.todo[1:], (part,)))


def ask_for_reactions(table: Table, card: Card) -> None:
    """GG-256, GG-260, GG-639 All whom something negative is about to hit, and who hold something against it, at once."""
    state: State = table.state
    hit = {part.seat for part in card.parts if is_negative(state, content.LINES[card.card][part.number], part)}
    asked = tuple(seat for seat in state.in_order(state.turn) if seat in hit and shields(state, seat))
    table.tell(ReactionsAsked(asked) if asked else ReactionsShown(()))


def shields(state: State, seat: Seat) -> tuple[str, ...]:
    """GG-433, GG-595."""
    return means(state, seat, "event_token", "cancel_event", content.USES)


def react(table: Table, seat: Seat, command: React, _dice: Dice) -> None:
    """GG-639."""
    table.tell(Reacted(seat, command.by))


def let_happen(table: Table, seat: Seat, _command: LetHappen, _dice: Dice) -> None:
    """GG-639."""
    table.tell(Reacted(seat, "nothing"))


def show_reactions(table: Table, card: Card) -> None:
    """GG-256, GG-435, GG-639 Applied together."""
    used = [(seat, by) for seat, by in zip(card.reactors, card.reactions, strict=True) if by and by != "nothing"]
    table.tell(ReactionsShown(tuple(seat for seat, _ in used)))
    for seat, by in used:
        spend(table, seat, by)


def next_part(table: Table, card: Card) -> None:
    """GG-253, GG-255, GG-257 In printed order, several players in turn order; then the card goes to the bottom."""
    if not card.parts:
        table.tell(CardDone(card.card, content.DECK_OF[card.card]))
        return
    part = card.parts[0]
    line = content.LINES[card.card][part.number]
    spared = part.seat in card.cancelled and is_negative(table.state, line, part)
    table.tell(PartCame(part.seat))
    if spared:
        table.tell(PartCancelled(part.seat))
        if isinstance(line.effect, Steal):
            spared_steal(table, line.effect)
        return
    match line.effect:
        case Keep():
            table.tell(CardKept(part.seat, card.card))
        case Move() | MoveTo():  # always the last part
            table.tell(CardDone(card.card, content.DECK_OF[card.card]))
            carry_out(table, line.effect, part)
        case effect:
            carry_out(table, effect, part)
