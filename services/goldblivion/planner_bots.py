"""A player with a plan: what a purchase brings in the rounds that are left, in which order cards act, whom to fight."""

from __future__ import annotations

from services.goldblivion import commands
from services.goldblivion.content import BUILDINGS, COMBAT, GOLD, POWERS, PRICES, VILLAGES
from services.goldblivion.content.effects import Draw, Fight, FreeCharacter, Nuggets, Reactivate
from services.goldblivion.view import View
from services.goldblivion.worth_bots import (
    CUBE,
    best_fight,
    card_at,
    effect_worth,
    future_worth,
    me,
    moves,
    option_worth,
    power_worth,
    purse_now,
    reward_worth,
    rounds_left,
    space_worth,
    strength_of,
    usual_purse,
)
from shared.kernel.choices import Choice
from shared.kernel.dice import Dice
from shared.kernel.game import Command

PLAYS = 300.0  # a card in hand costs nothing to play: first of all
ACTS = 350.0
BUYS = 200.0
NEVER = -1000.0
NOBLES = {"blaze": 2.6, "ariane": 2.4, "charles": 2.2, "jade": 2.0, "glasstok": 1.9}  # as they fare in long runs


def planner(view: View, choices: tuple[Choice, ...], _dice: Dice) -> Command:
    """The move that helps most towards the end of the game; the first of equal ones."""
    return max(moves(choices), key=lambda move: _worth(view, move))


def _worth(view: View, move: Command) -> float:
    match view.question:
        case "":
            return _main(view, move)
        case "enemy" | "combat" | "copy" | "lose_card":
            return _combat(view, move)
    return _answer(view, move)


def _main(view: View, move: Command) -> float:
    match move:
        case commands.ChooseNoble(noble=card):
            return NOBLES.get(card, future_worth(view, card))
        case commands.Develop():
            return _develop(view, move)
        case commands.PlayCard(card=card):
            return PLAYS + _order(view, card)
        case commands.TurnBuilding(card=power, option=number) | commands.UseToken(token=power, option=number):
            return _act(view, power, number)
        case commands.BuyCard(place=place):
            return _buy(view, card_at(view, place))
        case commands.UseVillage(place=place):
            return _village(view, place)
        case commands.BuyBar():
            return NEVER / 2 - 1  # passing does the same for nothing lost
    return NEVER / 2 if move.do in {"pass", "end_turn"} else 0.0


def _develop(view: View, move: commands.Develop) -> float:
    """The weakest card goes under the board; on the right where it makes a pair or there is time to make one."""
    seat, purse = me(view), usual_purse(view)
    keep = power_worth(move.card, purse, GOLD[move.card].badges) * rounds_left(view) * 0.8
    rounds = rounds_left(view) + 1
    if move.side == "left":
        return rounds - keep
    pair = (seat.right + 1) // 2 - seat.right // 2
    later = 0.35 if rounds > 3 else 0.0
    return CUBE * rounds * (pair * 0.75 if pair else later) - keep


def _order(view: View, card: str) -> float:
    """Cards that draw come first, those that count badges or use others again late, those that cannot be paid last."""
    effects = [effect for option in POWERS[card] for effect in option.effects]
    order = 0.0
    for effect in effects:
        match effect:
            case Draw():
                order += 20
            case Nuggets(per=per) if per:
                order -= 10 + 2 * GOLD[card].badges.count("elf")
            case Reactivate():
                order -= 20
            case Fight():
                order -= 5
            case FreeCharacter():
                order += 5
    costs = [option.cost for option in POWERS[card] if option.cost]
    if len(costs) == len(POWERS[card]):
        seat = me(view)
        able = any((seat.material if cost.kind == "material" else seat.nuggets) >= cost.n for cost in costs)
        order += 2 if able else -40
    return order


def _act(view: View, power: str, number: int) -> float:
    """A Building or a token, as soon as it brings what it usually brings."""
    purse = purse_now(view)
    option = POWERS[power][number - 1]
    worth = option_worth(option, purse)
    hand = len(view.own.hand) if view.own else 0
    waits = any(getattr(effect, "per", "") or isinstance(effect, Reactivate | Fight) for effect in option.effects)
    if worth <= 0.3 or (waits and hand):
        return NEVER
    if power in BUILDINGS:
        return ACTS + worth if any(isinstance(effect, Draw) for effect in option.effects) else BUYS / 2 + worth
    usual = power_worth(power, usual_purse(view))
    return BUYS / 2 + worth if worth >= 0.9 * usual or view.last_round else NEVER


def _buy(view: View, card: str) -> float:
    """What it brings in the rounds that are left, less its price; only if that is more than the nuggets are worth as bars."""
    gain = surplus(view, card)
    if gain <= 0.5:
        return NEVER
    reach = max((surplus(view, other) for other in _in_reach(view)), default=0.0)
    waits = bool(view.own and view.own.hand) and gain < 0.75 * reach
    return NEVER if waits else BUYS + gain


def surplus(view: View, card: str) -> float:
    """GB-231 What a purchase is worth beyond its price."""
    left, seat = rounds_left(view), me(view)
    if card in BUILDINGS:
        now = power_worth(card, purse_now(view))
        return now + left * power_worth(card, usual_purse(view)) - PRICES[card] * CUBE
    if card in COMBAT:
        fights = sum(any(isinstance(e, Fight) for o in POWERS[c] for e in o.effects) for c in seat.cards + seat.played)
        share = min(1.0, 4 / max(1, seat.army + len(seat.exhausted) + 1))
        return left * share * min(fights, 3) * (0.9 * strength_of(card, seat, 1) - 0.4) - PRICES[card]
    drawn = min(1.0, 5.0 / (len(seat.cards) - seat.left - seat.right + len(seat.played) + 1))
    return left * drawn * (future_worth(view, card) - 0.8) - PRICES[card]


def _in_reach(view: View) -> list[str]:
    """What the seat may be able to buy in this round once its hand is played."""
    seat = me(view)
    nuggets = seat.nuggets + 1.6 * len(view.own.hand if view.own else ())
    wares = [card for card in (*view.market, *view.tops) if card]
    return [
        card
        for card in wares
        if (PRICES[card] <= seat.material and card not in seat.buildings if card in BUILDINGS else PRICES[card] <= nuggets)
    ]


def _village(view: View, place: str) -> float:
    side = view.villages[place == "right"]
    power = f"{VILLAGES[place].id}_{side}"
    worth = power_worth(power, purse_now(view))
    saved = _saves_material(view) if place == "right" else 0.0
    return BUYS / 4 + worth if worth > 0.4 + saved and not (view.own and view.own.hand) else NEVER


def _saves_material(view: View) -> float:
    """Material that a Building of the Market is worth more for is not spent on a village."""
    seat = me(view)
    wanted = [card for card in view.market if card in BUILDINGS and card not in seat.buildings]
    best = max((surplus(view, card) for card in wanted), default=0.0)
    return max(0.0, best) if seat.material < NEVER_FULL else 0.0


NEVER_FULL = 4


def _combat(view: View, move: Command) -> float:
    seat = me(view)
    match move:
        case commands.ChooseEnemy(space=name):
            space = next(space for space in view.spaces if space.id == name)
            plus, draw = _bonus(view)
            return space_worth(view, space, plus, draw)
        case commands.ResolveCard(card=card, option=number) | commands.CopyCard(card=card, option=number):
            return _resolve(view, card, number)
        case commands.LoseCard(card=card):
            return -strength_of(card, seat, 1) - 0.1 * PRICES[card]
        case commands.FinishCombat():
            return 0.0
    return -0.1


def _bonus(view: View) -> tuple[int, int]:
    """What the power that started this Combat adds."""
    for option in POWERS.get(view.about, ()):
        for effect in option.effects:
            if isinstance(effect, Fight):
                return effect.plus, effect.draw
    return 0, 0


def _resolve(view: View, card: str, number: int) -> float:
    """Draws first; then as much strength as is missing, and not more than that is paid for or sacrificed."""
    fight = view.combat
    if not number or fight is None:
        return -0.5
    option = POWERS[card][number - 1]
    adds = sum(effect_worth(e, purse_now(view)) for e in option.effects if e.__struct_config__.tag == "strength")
    draws = any(e.__struct_config__.tag == "draw-combat" for e in option.effects)
    missing = fight.needs - fight.strength - _certain(view, card)
    gain = 10.0 * min(adds, max(0.0, missing)) + (50.0 if draws else 0.0)
    given_up = any(e.__struct_config__.tag == "sacrifice" for e in option.effects)
    price = (CUBE if option.cost else 0.0) + (3.0 if given_up else 0.0)
    if missing > _possible(view):
        gain = 0.0 if not draws else 50.0
    other = sum(
        effect_worth(e, purse_now(view)) for e in option.effects if e.__struct_config__.tag not in {"strength", "sacrifice"}
    )
    return 0.1 + gain + other - price


def _certain(view: View, but: str) -> float:
    """Strength that open cards without a choice will add anyway."""
    fight, seat = view.combat, me(view)
    plain = [c.card for c in (fight.cards if fight else ()) if not c.done and len(POWERS[c.card]) == 1 and c.card != but]
    return sum(strength_of(card, seat, 0) for card in plain if POWERS[card][0].cost is None)


def _possible(view: View) -> float:
    """Strength that all open cards together may still add."""
    fight, seat = view.combat, me(view)
    return sum(strength_of(card.card, seat, seat.material) for card in (fight.cards if fight else ()) if not card.done)


def _answer(view: View, move: Command) -> float:
    purse = purse_now(view)
    match move:
        case commands.ChooseOption(option=number):
            return _option(view, POWERS[view.about][number - 1])
        case commands.Pay():
            return 1.0 if power_worth(view.about, purse) > 0 else -1.0
        case commands.PayTimes(times=times):
            return float(times)
        case commands.Reactivate(card=card):
            return power_worth(card, purse)
        case commands.TakeCharacter(place=place) | commands.TakeCombatCard(place=place):
            return surplus(view, card_at(view, place)) + PRICES[card_at(view, place)]
        case commands.Steal():
            return 1.0
        case commands.DestroyCard(place=place):
            return _destroy(view, card_at(view, place))
        case commands.RemoveNugget():
            return 3.0
        case commands.LetConquer(space=name):
            enemy = next(space.enemy for space in view.spaces if space.id == name)
            return -reward_worth(enemy or "", view)
    return 0.0


def _option(view: View, option: object) -> float:
    purse = purse_now(view)
    assert hasattr(option, "effects")
    fights = [effect for effect in option.effects if isinstance(effect, Fight)]
    if fights:
        return best_fight(view, fights[0].plus, fights[0].draw)[0]
    return option_worth(option, purse)  # type: ignore[arg-type]


def _destroy(view: View, card: str) -> float:
    """What others could use and the seat itself cannot buy."""
    seat = me(view)
    mine = surplus(view, card)
    price = PRICES[card]
    able = price <= (seat.material if card in BUILDINGS else seat.nuggets) and not seat.passed
    return mine * (-1.0 if able else 0.5)
