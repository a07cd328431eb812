"""Who plays when nobody does? A knight that explores, fights with known odds, buys, storms and comes home for the last challenge."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from services.knightly_cup import commands as do
from services.knightly_cup.content.odds import beats_monster, hits, wins_duel
from services.knightly_cup.view import CardView, KnightView, SpotView, View
from shared.kernel.choices import Choice, One
from shared.kernel.dice import Dice
from shared.kernel.game import Command, Seat
from shared.kernel.match import random_bot

Offers = dict[type, Choice]
WAYS = {(0, -1): "up", (0, 1): "down", (-1, 0): "left", (1, 0): "right"}
EXPLORE, STANDARD, VICTORY = 3.0, 26.0, 90.0
PATIENCE = 0.72  # what a prize is worth if it takes a turn longer


def knight(view: View, choices: tuple[Choice, ...], dice: Dice) -> Command:
    """One of the choices: the most promising place while walking, the best use of a card once landed, sensible answers."""
    offers: Offers = {choice.do: choice for choice in choices}
    for kind, answer in ANSWERS.items():
        if kind in offers:
            return answer(view, offers, dice)
    if do.EndTurn in offers:
        return _on_card(view, offers)
    if do.Stop in offers:
        return _on_the_way(view, offers)
    return choices[0].sample(dice)  # type: ignore[no-any-return]


def values(offers: Offers, kind: type[Command], field: str) -> list[Any]:
    """What a field of a kind of command may be; nothing if it is not on offer."""
    shape = offers[kind].fields[field] if kind in offers else None
    return [member.value for member in shape.of] if isinstance(shape, One) else []


def own_of(view: View) -> KnightView:
    return view.knights[view.you or 0]


def promise_of(view: View, spot: SpotView) -> float:
    """What it is worth, in coins or so, to land on this card."""
    card = spot.card or spot.known
    worth = max(
        [_knight_worth(view, other) for other in view.knights if other.at == spot.place and other.seat != view.you], default=0.0
    )
    if card is None:
        return _explore_worth(view) + worth
    return max(0.0, _card_worth(view, spot, card)) + worth + (0.0 if spot.card else 0.5)


def _card_worth(view: View, spot: SpotView, card: CardView) -> float:
    own = own_of(view)
    match card.type:
        case "monster":
            return fight_worth(view, spot, card)
        case "merchant":
            stock = spot.stock if spot.card else tuple(item for item, good in view.goods.items() if good.sold_at == "merchant")
            return max((_item_worth(view, item) for item in stock if view.goods[item].price <= own.coins), default=0.0)
        case "temple":
            sold = [item for item, good in view.goods.items() if good.sold_at == "temple" and view.supply[item]]
            return max((_item_worth(view, item) for item in sold if view.goods[item].price <= own.coins), default=0.0)
        case "fortress":
            return _home_worth(view) if card.suit == own.suit else storm_worth(view, spot, card)
    return 0.0


def fight_worth(view: View, spot: SpotView, card: CardView) -> float:
    """KC-504 to KC-507 The reward times its chance, less what a defeat costs."""
    own = own_of(view)
    fighters = min(view.numbers.most_dice, own.dice + (view.numbers.home_dice if card.suit == own.suit else 0))
    likely = beats_monster(fighters, card.strength, _rerolls(view, own))
    reward = (card.strength + 3.5 + spot.hoard.coins) * thirst(view, own) + 8 * len(spot.hoard.items)
    return likely * reward - (1 - likely) * loss(view, own)


def loss(view: View, own: KnightView) -> float:
    """KC-551 to KC-555 What a defeat by a monster costs; dying costs the way back."""
    if own.coins:
        return thirst(view, own) * (own.coins if own.coins <= view.numbers.small_purse else own.coins / 2)
    return 7.0 if own.items else 2.0


def thirst(view: View, own: KnightView) -> float:
    """What a coin is worth: a coin while there is something to buy, little once the purse holds enough for it."""
    prices = [good.price for item, good in view.goods.items() if item not in own.items and good.combat_dice + good.rerolls > 0]
    return 1.0 if own.coins < sum(prices) else 0.12


def _explore_worth(view: View) -> float:
    """What lies face down may be a Fortress: the stronger the knight, the more she wants to find the kinds she lacks, or home."""
    own = own_of(view)
    seen = {spot.card.suit for spot in view.spots if spot.card and spot.card.type == "fortress"}
    sought = len(set(view.stores) - seen - set(own.standards)) + 3 * (
        len(own.standards) == len(view.stores) and own.suit not in seen
    )
    return EXPLORE + sought * (0.0, 0.0, 0.0, 1.5, 4.0, 6.0)[min(own.dice, 5)]


def storm_worth(view: View, spot: SpotView, card: CardView) -> float:
    """KC-716 A Standard times the chance of taking it."""
    own = own_of(view)
    if card.suit in own.standards:
        return 0.0
    likely = storm_chance(view, card)
    return likely * (STANDARD + spot.hoard.coins) - (1 - likely) * (loss(view, own) + 2)


def storm_chance(view: View, card: CardView) -> float:
    own = own_of(view)
    owner = next((other for other in view.knights if other.suit == card.suit), None)
    if owner is None:
        return wins_duel(own.dice, view.numbers.unclaimed_guardian_dice)
    return wins_duel(own.dice, min(view.numbers.most_dice, owner.dice + view.numbers.guardian_dice))


def _home_worth(view: View) -> float:
    """KC-702 to KC-705, KC-881 The own Standard, a coin or two, the Cup."""
    own = own_of(view)
    if len(own.standards) == len(view.stores):
        return VICTORY
    if own.suit not in own.standards:
        return STANDARD
    return float(view.numbers.beg_limit - own.coins) if not own.begged and own.coins < 2 else 0.0


def _knight_worth(view: View, other: KnightView) -> float:
    """KC-571 What a victory over this knight would bring, times its chance."""
    own = own_of(view)
    if other.sheltered or (view.turn and other.seat in view.turn.challenged):
        return 0.0
    likely = wins_duel(own.dice, other.dice)
    if likely < 0.55:
        return 0.0
    lacking = any(suit not in own.standards for suit in other.standards)
    prize = STANDARD if lacking else max(thirst(view, own) * other.coins / 2, 4.0 if set(other.items) - set(own.items) else 0.0)
    return likely * prize - (1 - likely) * loss(view, own)


def _item_worth(view: View, item: str) -> float:
    own, good = own_of(view), view.goods[item]
    if item in own.items:
        return 0.0
    return 16.0 * good.combat_dice + 9.0 * (good.move_dice > 1) + 8.0 * good.rerolls


def _rerolls(view: View, own: KnightView) -> int:
    return max((view.goods[item].rerolls for item in own.items), default=0)


def _on_the_way(view: View, offers: Offers) -> Command:
    """The place that promises most for its distance; whoever bars the way is fought if that is wise, or asked to let pass."""
    own, turn = own_of(view), view.turn
    assert turn is not None
    assert own.at is not None
    target, path = best_target(view, turn.moves)
    if do.Challenge in offers and (foe := _prey(view, offers)) is not None:
        return do.Challenge(foe)
    if do.Sneak in offers and path:
        return do.Sneak()
    if not path or target == own.at:
        return do.Stop()
    if do.Step in offers:
        return do.Step(path[0])
    if do.OfferPassage in offers and view.barred_by and turn.offered.count(view.barred_by[0]) < 1:
        return do.OfferPassage(view.barred_by[0], "")
    return do.Stop()


def best_target(view: View, moves: int) -> tuple[int, list[str]]:
    """Where to go and by which steps; standing still is a way too."""
    own = own_of(view)
    assert own.at is not None
    pace = 7.0 if any(view.goods[item].move_dice > 1 for item in own.items) else 3.5
    best, found = (-1.0, own.at), paths(view, own.at)
    for place, way in found.items():
        later = 0.0 if len(way) <= moves else 1 + (len(way) - moves - 1) // pace
        worth = promise_of(view, view.spots[place]) * PATIENCE**later - 0.01 * len(way)
        best = max(best, (worth, place))
    return best[1], found[best[1]]


def paths(view: View, start: int) -> dict[int, list[str]]:
    """The shortest way to every place; unsheltered knights end it."""
    grid = {(spot.x, spot.y): spot.place for spot in view.spots}
    blocked = {other.at for other in view.knights if other.seat != view.you and not other.sheltered} - {start}
    found: dict[int, list[str]] = {start: []}
    queue = [start]
    for place in queue:
        if place in blocked:
            continue
        spot = view.spots[place]
        for (right, down), way in WAYS.items():
            near = grid.get((spot.x + right, spot.y + down))
            if near is not None and near not in found:
                found[near] = [*found[place], way]
                queue.append(near)
    return found


def _prey(view: View, offers: Offers) -> Seat | None:
    """A knight here who is worth a fight."""
    seats = values(offers, do.Challenge, "knight")
    worth = {seat: _knight_worth(view, view.knights[seat]) for seat in seats}
    best = max(worth, key=lambda seat: (worth[seat], -seat))
    return best if worth[best] > 1 else None


def _on_card(view: View, offers: Offers) -> Command:
    """First look, then whatever is worth it."""
    own = own_of(view)
    assert own.at is not None
    spot = view.spots[own.at]
    if do.Flip in offers:
        return do.Flip()
    if do.BeginUltimateChallenge in offers:
        return do.BeginUltimateChallenge()
    if do.RecoverStandard in offers:
        return do.RecoverStandard()
    if do.Beg in offers and own.coins < 3:
        return do.Beg()
    if do.Challenge in offers and (foe := _prey(view, offers)) is not None:
        return do.Challenge(foe)
    if do.BuyItem in offers:
        return _purchase(view, offers)
    if spot.card and do.FightMonster in offers and fight_worth(view, spot, spot.card) > 0:
        return do.FightMonster()
    if spot.card and do.Storm in offers and storm_worth(view, spot, spot.card) > 0:
        return do.Storm()
    return do.EndTurn()


def _purchase(view: View, offers: Offers) -> Command:
    items = values(offers, do.BuyItem, "item")
    return do.BuyItem(max(items, key=lambda item: (_item_worth(view, item), item)))


def _held(view: View, _offers: Offers, _dice: Dice) -> Command:
    """Attack back where the attack is the better half of the duel."""
    fight, own = view.combat, own_of(view)
    assert fight is not None
    other = fight.foe if view.turn and view.turn.seat == view.you else view.turn.seat if view.turn else None
    theirs = view.numbers.unclaimed_guardian_dice if other is None else view.knights[other].dice
    mine = own.dice
    if fight.guardian and fight.foe is not None:
        more = view.numbers.guardian_dice
        theirs, mine = (theirs + more, mine) if fight.foe == other else (theirs, mine + more)
    theirs, mine = min(theirs, view.numbers.most_dice), min(mine, view.numbers.most_dice)
    must = view.beaten is not None and view.turn is not None and view.turn.seat == view.you
    return do.AttackBack() if must or (wins_duel(mine, theirs) >= 0.5 and hits(mine, theirs) > 0.3) else do.EndCombat()


def _spoils(view: View, offers: Offers, dice: Dice) -> Command:
    own = own_of(view)
    if do.TakeStandard in offers:
        return offers[do.TakeStandard].sample(dice)  # type: ignore[no-any-return]
    items = values(offers, do.TakeItem, "item")
    useful = max(items, key=lambda item: (_item_worth(view, item), item), default="")
    shares = values(offers, do.TakeCoins, "coins")
    if useful and useful not in own.items and _item_worth(view, useful) > max(shares, default=0):
        return do.TakeItem(useful)
    if shares:
        return do.TakeCoins(max(shares))
    return do.TakeItem(useful) if useful else do.TakeNothing()


def _penalty(view: View, offers: Offers, _dice: Dice) -> Command:
    """A double first, then the smaller loss."""
    own = own_of(view)
    doubles = [item for item in own.items if own.items.count(item) > 1]
    if doubles:
        return do.PayItem(doubles[0])
    cheapest = min(own.items, key=lambda item: (view.goods[item].price, item))
    return do.PayCoins() if do.PayCoins in offers and loss(view, own) < 16 else do.PayItem(cheapest)


def _treat(view: View, _offers: Offers, _dice: Dice) -> Command:
    """Elves bring what is worth most, or whatever weakens the strongest."""
    wishes = [
        (_item_worth(view, item), len(other.standards), item, other.seat)
        for other in view.knights
        if other.seat != view.you
        for item in other.items
    ]
    _, _, item, seat = max(wishes)
    return do.TakeByElves(seat, item)


def _trick(view: View, _offers: Offers, _dice: Dice) -> Command:
    """The cheapest item goes to the weakest opponent."""
    own = own_of(view)
    item = min(own.items, key=lambda item: (own.items.count(item) < 2, view.goods[item].price, item))
    weakest = min(
        (other for other in view.knights if other.seat != view.you),
        key=lambda other: (len(other.standards), other.dice, other.seat),
    )
    return do.GiveByElves(weakest.seat, item)


def _answer_offer(view: View, _offers: Offers, _dice: Dice) -> Command:
    """Takes what is worth at least what it costs."""
    offer, own = view.offer, own_of(view)
    assert offer is not None
    gain = sum(count * (1 if lot == "coins" else view.goods[lot].price) for lot, count in offer.give.items())
    cost = sum(count * (1 if lot == "coins" else view.goods[lot].price) for lot, count in offer.take.items())
    weak = own.dice <= view.knights[offer.by].dice
    return do.AcceptOffer() if gain > cost or (gain == cost and weak) else do.RefuseOffer()


def _back_down(_view: View, _offers: Offers, _dice: Dice) -> Command:
    return do.BackDown()


def _next(view: View, offers: Offers, _dice: Dice) -> Command:
    """The strongest first, while nothing is lost by a defeat but this."""
    seats = values(offers, do.ChooseOpponent, "knight")
    return do.ChooseOpponent(max(seats, key=lambda seat: (view.knights[seat].dice, -seat)))


ANSWERS: dict[type, Callable[[View, Offers, Dice], Command]] = {
    do.AttackBack: _held,
    do.TakeItem: _spoils,
    do.TakeCoins: _spoils,
    do.TakeStandard: _spoils,
    do.PayItem: _penalty,
    do.TakeByElves: _treat,
    do.GiveByElves: _trick,
    do.AcceptOffer: _answer_offer,
    do.BackDown: _back_down,
    do.ChooseOpponent: _next,
}
BOTS = {"random": random_bot, "knight": knight}
