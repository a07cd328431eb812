"""What is a card, a fight or a purchase worth? Everything is counted in nuggets, from what a seat sees."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations, product
from typing import Any, NamedTuple

from services.goldblivion.content import COMBAT, COUNTS, GOLD, NUMBERS, POWERS, TILES, tile_copies
from services.goldblivion.content.effects import (
    Bars,
    Copy,
    Destroy,
    Dice,
    Draw,
    DrawCombat,
    Effect,
    Fight,
    FreeCharacter,
    FreeCombat,
    Magic,
    Material,
    Nuggets,
    Option,
    Reactivate,
    Sacrifice,
    Strength,
)
from services.goldblivion.view import SeatView, SpaceView, View
from shared.kernel.choices import Choice, Number, One
from shared.kernel.game import Command

BAR = 7.0
CUBE = 3.3
DIE = 1.9
TOKEN = 2.6
CARD = 2.6  # drawn
FIGHTER = 1.6  # a Combat card for nothing
RECRUIT = 4.0  # a Character for nothing
MOST_HANDS = 400
USUAL_ROUNDS = 7.5


class Purse(NamedTuple):
    """What effects are counted with: badges in play, territories, and what may be paid."""

    badges: dict[str, float]
    nuggets: float
    material: float
    deck: int
    fight: float  # what a plain Combat is worth now
    again: float  # what the best card to use again is worth


def me(view: View) -> SeatView:
    return view.seats[view.you or 0]


def rounds_left(view: View) -> float:
    """How many more rounds a card bought now may act in."""
    if view.last_round:
        return 0.0
    most = max([seat.bars for seat in view.seats] + ([view.dummy.bars] if view.dummy else []))
    return max(1.0, min(USUAL_ROUNDS - view.round, (NUMBERS.end_bars - most) / 1.5))


def badges_of(seat: SeatView) -> dict[str, float]:
    """Badges in play, Buildings and territories."""
    played: dict[str, float] = {
        badge: float(sum(COUNTS[badge][card] for card in seat.played + seat.buildings)) for badge in COUNTS
    }
    return played | {"territory": float(len(seat.territories)), "": 1.0}


@lru_cache(maxsize=64)
def usual_purse(view: View) -> Purse:
    """What a card may count on in a usual turn of a later round."""
    seat = me(view)
    owned = Counter(badge for card in seat.cards + seat.played for badge in GOLD[card].badges)
    share = min(1.0, 4.5 / max(1, len(seat.cards) + len(seat.played)))
    badges = {badge: 0.6 * share * owned[badge] for badge in ("elf", "human", "dwarf")}
    badges |= {"building": float(len(seat.buildings)), "territory": len(seat.territories) + 0.5, "": 1.0}
    return Purse(badges, 6.0, 2.0, 3, 2.5, 2.5)


def power_worth(power: str, purse: Purse, badges: Sequence[str] = ()) -> float:
    """The better one of its options; the badges of the card itself count too."""
    return max(option_worth(option, purse, badges) for option in POWERS[power])


def option_worth(option: Option, purse: Purse, badges: Sequence[str] = ()) -> float:
    """What its effects bring, less what they cost; a cost that cannot be paid brings nothing."""
    worth = sum(effect_worth(effect, purse, badges) for effect in option.effects)
    if option.cost is None:
        return worth
    held = purse.nuggets if option.cost.kind == "nuggets" else purse.material
    price = option.cost.n * (1.0 if option.cost.kind == "nuggets" else CUBE)
    return max(0.0, worth - price) if held >= option.cost.n else 0.0


def effect_worth(effect: Effect, purse: Purse, badges: Sequence[str] = ()) -> float:  # noqa: C901, PLR0912 - one case per effect
    match effect:
        case Nuggets(n=n, per=per):
            return n * (purse.badges[per] + badges.count(per))
        case Material(n=n):
            return CUBE * n
        case Bars(n=n):
            return BAR * n
        case Dice(n=n, per=per):
            return DIE * n * (purse.badges[per] + badges.count(per))
        case Magic(n=n):
            return TOKEN * n
        case Draw(n=n):
            return CARD * min(n, purse.deck)
        case FreeCharacter(n=n):
            return RECRUIT * n
        case FreeCombat(n=n):
            return FIGHTER * n
        case Destroy(n=n):
            return 0.2 * n
        case Reactivate():
            return purse.again
        case Fight(plus=plus, draw=draw):
            return purse.fight + 1.0 * plus + 1.0 * draw
        case Strength(n=n, per=per):
            return n * (purse.badges[per] + badges.count(per))
        case DrawCombat(n=n):
            return 1.2 * n
        case Copy():
            return 1.8
        case Sacrifice():
            return -1.0
    return 0.0


def strength_of(card: str, seat: SeatView, material: int) -> float:
    """What a Combat card will add, as far as that can be known before the draw."""
    best = 0.0
    for option in POWERS[card]:
        if option.cost and (option.cost.kind != "material" or material < option.cost.n):
            continue
        total = 0.0
        for effect in option.effects:
            match effect:
                case Strength(n=n, per=per):
                    total += n * (badges_of(seat)[per] if per else 1)
                case DrawCombat(n=n):
                    total += 1.1 * n
                case Copy():
                    total += 1.5
        best = max(best, total)
    return best


@lru_cache(maxsize=64)
def chance(view: View, needs: int, cards: int, plus: int = 0) -> float:
    """The chance to reach a strength with so many cards from the top of the own Combat deck."""
    seat = me(view)
    army = [strength_of(card, seat, seat.material) for card in seat.fighters]
    drawn = min(cards, len(army))
    total = won = 0
    for hand in combinations(army, drawn):
        total += 1
        won += sum(hand) + plus >= needs
        if total >= MOST_HANDS:
            break
    return won / total


def reward_worth(tile: str, view: View) -> float:
    """What is printed on the back, and a little for the territory itself."""
    purse = Purse(badges_of(me(view)), 0, 0, 1, 0, 0)
    return power_worth(tile, purse) + (1.0 if tile != "cow_dragon" else 0.0)


def hidden_tiles(view: View, kind: str) -> list[str]:
    """What may lie face down on a space of this kind."""
    seen = Counter(space.enemy for space in view.spaces if space.enemy)
    seen.update(tile for seat in view.seats for tile in seat.territories)
    seen.update(view.dummy.territories if view.dummy else ())
    return list((Counter(tile_copies(kind)) - Counter({tile: n for tile, n in seen.items() if tile})).elements())


@lru_cache(maxsize=64)
def space_worth(view: View, space: SpaceView, plus: int = 0, draw: int = 0) -> float:
    """What a fight there is worth: the chance to win times the reward; a loss costs a card, which may be a weak one."""
    tiles = [space.enemy] if space.enemy else hidden_tiles(view, space.kind)
    if not tiles:
        return 0.0
    sides = space.open_sides + draw
    loss = 0.4 if "arthur" in me(view).fighters else -1.2
    odds = {needs: chance(view, needs, sides, plus) for needs in {TILES[tile].strength for tile in tiles}}
    each = [odds[TILES[tile].strength] * reward_worth(tile, view) + (1 - odds[TILES[tile].strength]) * loss for tile in tiles]
    return sum(each) / len(each)


@lru_cache(maxsize=64)
def best_fight(view: View, plus: int = 0, draw: int = 0) -> tuple[float, str]:
    """The fight that is worth most, and its space."""
    open_ = [space for space in view.spaces if space.enemy or (space.enemy is None and space.open_sides)]
    return max(((space_worth(view, space, plus, draw), space.id) for space in open_), default=(0.0, ""))


@lru_cache(maxsize=64)
def purse_now(view: View) -> Purse:
    """What a card brings if it acts now."""
    seat = me(view)
    plain = Purse(badges_of(seat), seat.nuggets, seat.material, seat.deck, 0.0, 0.0)
    again = max((power_worth(card, plain) for card in seat.played), default=0.0)
    return Purse(badges_of(seat), seat.nuggets, seat.material, seat.deck, best_fight(view)[0], again)


def future_worth(view: View, card: str) -> float:
    """What a card brings per round once it is owned; a Combat card helps every fight."""
    purse = usual_purse(view)
    if card in COMBAT:
        return 0.9 * power_worth(card, purse) - 0.5
    return power_worth(card, purse, GOLD[card].badges)


def moves(choices: tuple[Choice, ...]) -> list[Command]:
    """Every command on offer; of numbers the least and the most."""
    found: list[Any] = []
    for choice in choices:
        values = [_values(shape) for shape in choice.fields.values()]
        found += [choice.do(**dict(zip(choice.fields, taken, strict=True))) for taken in product(*values)]
    return found


def _values(shape: object) -> list[str | int]:
    match shape:
        case One(of=members):
            return [member.value for member in members]
        case Number(least=least, most=most):
            return sorted({least, most})
    return []


def card_at(view: View, place: str) -> str:
    """What lies at a place of the Market."""
    if place.startswith("gold_"):
        return view.market[int(place[-1]) - 1]
    return view.tops[place == "pile_right"]
