"""Combat: monsters, who never begin and never attack back."""

from __future__ import annotations

from services.knightly_cup.commands import FightMonster
from services.knightly_cup.fight_events import AmuletHelped, MonsterBeaten, MonsterMet, MonsterWon, Threw
from services.knightly_cup.rules import outcome
from services.knightly_cup.rules.combat import throw
from services.knightly_cup.rules.landing import visit
from services.knightly_cup.state import State
from shared.kernel.dice import Dice
from shared.kernel.game import Seat, Table


def fight_monster(table: Table, seat: Seat, _command: FightMonster, dice: Dice) -> None:
    """KC-501 to KC-508, KC-602 The number on the card and one die against the knight's best dice."""
    visit(table)
    state: State = table.state
    place = state.here()
    card = state.cards[place]
    face = dice.roll(6)
    target = state.kind(place).strength + face
    table.tell(MonsterMet(seat, card, (face,), target))
    score = _attack(table, seat, dice)
    if score <= target and state.rerolls(seat):
        table.tell(AmuletHelped(seat))
        score = _attack(table, seat, dice, again=True)
    if score > target:
        table.tell(MonsterBeaten(seat, card, target))
        outcome.take_hoard(table)
    else:
        table.tell(MonsterWon(seat, card))
        outcome.owe_penalty(table)


def _attack(table: Table, seat: Seat, dice: Dice, *, again: bool = False) -> int:
    state: State = table.state
    faces, score = throw(dice, state.hunt_dice(seat), state.printed.numbers.kept_dice)
    table.tell(Threw(seat, "attack", faces, score, again))
    return score
