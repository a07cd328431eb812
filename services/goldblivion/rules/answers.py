"""What follows from the answer to a question that interrupted a power?"""

from __future__ import annotations

from services.goldblivion import commands
from services.goldblivion.rules.market import NOTHING, NUGGET, STEAL
from services.goldblivion.rules.powers import answer
from shared.kernel.dice import Dice
from shared.kernel.game import Seat, Table


def choose_option(table: Table, _seat: Seat, command: commands.ChooseOption, dice: Dice) -> None:
    """GB-227."""
    answer(table, str(command.option), dice)


def pay(table: Table, _seat: Seat, _command: commands.Pay, dice: Dice) -> None:
    """GB-355."""
    answer(table, "pay", dice)


def decline(table: Table, _seat: Seat, _command: commands.Decline, dice: Dice) -> None:
    """GB-357."""
    answer(table, "decline", dice)


def pay_times(table: Table, _seat: Seat, command: commands.PayTimes, dice: Dice) -> None:
    """GB-356."""
    answer(table, str(command.times), dice)


def destroy_card(table: Table, _seat: Seat, command: commands.DestroyCard, dice: Dice) -> None:
    """GB-395, GB-527."""
    answer(table, command.place, dice)


def remove_nugget(table: Table, _seat: Seat, _command: commands.RemoveNugget, dice: Dice) -> None:
    """GB-651."""
    answer(table, NUGGET, dice)


def take_character(table: Table, _seat: Seat, command: commands.TakeCharacter, dice: Dice) -> None:
    """GB-391."""
    answer(table, command.place, dice)


def take_combat_card(table: Table, _seat: Seat, command: commands.TakeCombatCard, dice: Dice) -> None:
    """GB-393."""
    answer(table, command.place, dice)


def steal(table: Table, _seat: Seat, command: commands.Steal, dice: Dice) -> None:
    """GB-421."""
    answer(table, f"{STEAL}{command.from_seat}", dice)


def take_nothing(table: Table, _seat: Seat, _command: commands.TakeNothing, dice: Dice) -> None:
    """GB-428."""
    answer(table, NOTHING, dice)


def reactivate(table: Table, _seat: Seat, command: commands.Reactivate, dice: Dice) -> None:
    """GB-398, GB-401."""
    answer(table, command.card, dice)


def choose_enemy(table: Table, _seat: Seat, command: commands.ChooseEnemy, dice: Dice) -> None:
    """GB-442, GB-443."""
    answer(table, command.space, dice)


def resolve_card(table: Table, _seat: Seat, command: commands.ResolveCard, dice: Dice) -> None:
    """GB-471."""
    answer(table, f"{command.card}:{command.option}", dice)


def finish_combat(table: Table, _seat: Seat, _command: commands.FinishCombat, dice: Dice) -> None:
    """GB-474."""
    answer(table, "finish", dice)


def copy_card(table: Table, _seat: Seat, command: commands.CopyCard, dice: Dice) -> None:
    """GB-480."""
    answer(table, f"{command.card}:{command.option}", dice)


def copy_nothing(table: Table, _seat: Seat, _command: commands.CopyNothing, dice: Dice) -> None:
    """GB-483."""
    answer(table, "none", dice)


def lose_card(table: Table, _seat: Seat, command: commands.LoseCard, dice: Dice) -> None:
    """GB-502."""
    answer(table, command.card, dice)


def place_under(table: Table, _seat: Seat, command: commands.PlaceUnder, dice: Dice) -> None:
    """GB-646."""
    answer(table, command.badge, dice)


def reveal_territory(table: Table, _seat: Seat, command: commands.RevealTerritory, dice: Dice) -> None:
    """GB-666."""
    answer(table, command.space, dice)


def let_conquer(table: Table, _seat: Seat, command: commands.LetConquer, dice: Dice) -> None:
    """GB-668."""
    answer(table, command.space, dice)
