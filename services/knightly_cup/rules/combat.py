"""Combat: the rolls, the rounds between two knights or with a Guardian, and what the amulet does."""

from __future__ import annotations

from services.knightly_cup.commands import AttackBack, Challenge, EndCombat
from services.knightly_cup.events import TurnEnded
from services.knightly_cup.fight_events import (
    AmuletHelped,
    AttackedBack,
    AttackFailed,
    CombatBegan,
    CombatEnded,
    CombatWon,
    Threw,
    told,
)
from services.knightly_cup.rules import outcome
from services.knightly_cup.state import NOBODY, Combat, State
from shared.kernel.dice import Dice
from shared.kernel.game import Seat, Table


def challenge(table: Table, _seat: Seat, command: Challenge, dice: Dice) -> None:
    """KC-355, KC-531 to KC-533 Nobody may refuse (KC-456)."""
    begin(table, command.knight, dice)


def begin(table: Table, foe: Seat, dice: Dice, *, guardian: bool = False) -> None:
    """KC-457, KC-533, KC-711 The first round, between two sides alone."""
    table.tell(CombatBegan(table.state.turn.seat, told(foe), "guardian" if guardian else "knight"))
    fight_round(table, dice)


def attack_back(table: Table, seat: Seat, _command: AttackBack, dice: Dice) -> None:
    """KC-536, KC-537, KC-539 A new round with the roles swapped."""
    table.tell(AttackedBack(seat))
    fight_round(table, dice)


def end_combat(table: Table, seat: Seat, _command: EndCombat, _dice: Dice) -> None:
    """KC-545 Nobody wins, and the active player's turn is over."""
    call_off(table, seat)


def call_off(table: Table, seat: Seat | None) -> None:
    """KC-356, KC-545, KC-546, KC-889 to KC-891."""
    table.tell(CombatEnded(seat))
    table.tell(TurnEnded(table.state.turn.seat))


def throw(dice: Dice, count: int, kept: int) -> tuple[tuple[int, ...], int]:
    """KC-452 All dice; the best three count."""
    faces = tuple([dice.roll(6) for _ in range(count)])
    return faces, sum(sorted(faces)[-kept:])


def fight_round(table: Table, dice: Dice) -> None:
    """KC-453 to KC-455, KC-533, KC-548 First the defence, then the attack; only a higher score wins."""
    fight: Combat = table.state.combat
    attacker, defender = sides(table.state, fight)
    target = _thrown(table, "defence", defender, dice)
    score = _thrown(table, "attack", attacker, dice)
    if score > target and may_reroll(table.state, defender):
        table.tell(AmuletHelped(defender))
        target = _thrown(table, "defence", defender, dice, again=True)
    if score > target:
        won(table, attacker)
    else:
        held(table, defender, dice)


def sides(state: State, fight: Combat) -> tuple[Seat, Seat]:
    """KC-451, KC-537 Who attacks and who defends in this round."""
    active = state.turn.seat
    return (fight.foe, active) if fight.reverse else (active, fight.foe)


def may_reroll(state: State, defender: Seat) -> bool:
    """KC-601, KC-603 to KC-608, KC-713 Once in a combat, whoever bears an amulet; a claimed Guardian by that of its owner."""
    fight = state.combat
    assert fight is not None
    mine, theirs = fight.rerolled
    used = mine if defender == state.turn.seat else theirs
    return used < state.rerolls(defender)


def _thrown(table: Table, what: str, seat: Seat, dice: Dice, *, again: bool = False) -> int:
    state: State = table.state
    faces, score = throw(dice, dice_of(state, seat), state.printed.numbers.kept_dice)
    table.tell(Threw(told(seat), what, faces, score, again))
    return score


def dice_of(state: State, seat: Seat) -> int:
    """KC-211, KC-534, KC-712, KC-725 Of a knight, or of the Guardian where the foe is one."""
    fight = state.combat
    assert fight is not None
    if fight.guardian and seat == fight.foe:
        return state.guard_dice(state.cards[state.here()].partition("_")[2])
    return state.fight_dice(seat)


def held(table: Table, defender: Seat, dice: Dice) -> None:
    """KC-536, KC-539, KC-546, KC-722 The side that held decides; an unclaimed Guardian always attacks back."""
    state: State = table.state
    fight: Combat = table.state.combat
    table.tell(AttackFailed(told(defender), fight.round))
    if fight.round >= state.printed.numbers.combat_round_cap:
        call_off(table, None)
    elif defender == NOBODY:
        table.tell(AttackedBack(told(defender)))
        fight_round(table, dice)


def won(table: Table, winner: Seat) -> None:
    """KC-535, KC-538, KC-716, KC-719, KC-723."""
    state: State = table.state
    active = state.turn.seat
    fight: Combat = table.state.combat
    loser = fight.foe if winner == active else active
    table.tell(CombatWon(told(winner), told(loser), fight.guardian))
    if fight.guardian and winner == active:
        outcome.win_prize(table)
    elif winner == NOBODY:
        outcome.owe_penalty(table)
    else:
        outcome.beat_knight(table, winner, loser)
