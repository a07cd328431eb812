"""What may a seat answer while something is open: a bribe, an offer, a combat, spoils, a penalty, the elves?"""

from __future__ import annotations

from functools import lru_cache

from services.knightly_cup import commands
from services.knightly_cup.offers_legal import goods, item_member, knight_member, place_member, promise, suit_member
from services.knightly_cup.state import (
    SUITS,
    Bidding,
    ElvesGive,
    ElvesSwap,
    ElvesTake,
    Held,
    NextOpponent,
    Offer,
    Penalty,
    Spoils,
    State,
)
from shared.kernel.choices import Choice, Label, Member, Number, One, Shape
from shared.kernel.game import Command, Seat

ACCEPT = Choice(commands.AcceptOffer, Label("accept_offer"))
REFUSE = Choice(commands.RefuseOffer, Label("refuse_offer"))
BACK_DOWN = Choice(commands.BackDown, Label("back_down"))
HELD = (Choice(commands.AttackBack, Label("attack_back")), Choice(commands.EndCombat, Label("end_combat")))
TAKE_NOTHING = Choice(commands.TakeNothing, Label("take_nothing"))
DECLINE = Choice(commands.TakeNothing, Label("decline"))


def answers(state: State, seat: Seat) -> tuple[Choice, ...]:
    """The choices of the seat that the open question is put to."""
    pending = state.pending
    match pending:
        case Held():
            return HELD
        case Bidding(bid=bid):
            return _bids(bid + 1, state.knights[seat].coins)
        case Offer():
            return _offer_answers(state, pending)
        case Spoils() | Penalty() | NextOpponent():
            return _outcomes(state, seat)
        case ElvesTake() | ElvesGive() | ElvesSwap():
            return _elves(state, seat)
        case None:
            return ()


def _outcomes(state: State, seat: Seat) -> tuple[Choice, ...]:
    """KC-551, KC-571, KC-883."""
    match state.pending:
        case Spoils() as spoils:
            return _spoils(state, spoils)
        case Penalty():
            return _penalties(state, seat)
    return (Choice(commands.ChooseOpponent, Label("choose_opponent"), {"knight": _knights(undefeated(state, seat))}),)


def _elves(state: State, seat: Seat) -> tuple[Choice, ...]:
    """KC-762, KC-765, KC-767."""
    match state.pending:
        case ElvesTake():
            return _treats(state, seat)
        case ElvesGive():
            fields: dict[str, Shape] = {"knight": _knights(state.others(seat)), "item": _items(state.knights[seat].items)}
            return (Choice(commands.GiveByElves, Label("give_by_elves"), fields),)
    return _swaps(tuple([spot for place, spot in enumerate(state.spots) if _hides(state, place)]))


def _items(items: tuple[str, ...]) -> One:
    return One(tuple(map(item_member, dict.fromkeys(items))))


def safe_answer(state: State, seat: Seat) -> Command:
    """The time-out column of the decision table."""
    pending = state.pending
    match pending:
        case Held():
            return commands.EndCombat()
        case Bidding():
            return commands.BackDown()
        case Offer():
            return commands.RefuseOffer()
        case Spoils():
            return _safe_spoils(state, pending)
        case Penalty():
            return commands.PayCoins() if state.knights[seat].coins else commands.PayItem(_cheapest(state, seat))
        case ElvesTake():
            return commands.TakeNothing()
        case ElvesGive():
            return commands.GiveByElves(state.others(seat)[0], _cheapest(state, seat))
        case NextOpponent():
            weakest = min(undefeated(state, seat), key=state.fight_dice)  # in seat order from the challenger: the next of equals
            return commands.ChooseOpponent(weakest)
        case ElvesSwap() | None:
            return commands.LetTimePass()


def undefeated(state: State, seat: Seat) -> tuple[Seat, ...]:
    """KC-883."""
    return tuple([other for other in state.others(seat) if other not in (state.beaten or ())])


def coin_shares(state: State, spoils: Spoils) -> tuple[int, ...]:
    """KC-105, KC-572, KC-574 Half, rounded against the player whose turn it is; all of a small purse."""
    purse = state.knights[spoils.loser].coins
    half = purse // 2 if spoils.seat == state.turn.seat else -(-purse // 2)
    whole = purse if purse <= state.printed.numbers.small_purse else 0
    return tuple([share for share in dict.fromkeys((half, whole)) if share])


def _hides(state: State, place: int) -> bool:
    """KC-767 Another face-down card."""
    return not state.up[place] and place != state.here()


def _knights(seats: tuple[Seat, ...]) -> One:
    return One(tuple(map(knight_member, seats)))


@lru_cache(maxsize=512)
def _bids(least: int, coins: int) -> tuple[Choice, ...]:
    """KC-212, KC-842, KC-843."""
    return (Choice(commands.RaiseBribe, Label("raise_bribe"), {"coins": Number(least, coins)}), BACK_DOWN)


def _offer_answers(state: State, offer: Offer) -> tuple[Choice, ...]:
    """KC-805, KC-806."""
    active = state.turn.seat
    other = offer.by if offer.seat == active else offer.seat
    if state.turn.offered.count(other) >= state.printed.numbers.trade_offer_cap:
        return ACCEPT, REFUSE
    own, theirs = state.knights[offer.seat], state.knights[offer.by]
    deal = goods(own.coins, own.items, ((offer.by, theirs.coins, theirs.items),))
    if deal is None:
        return ACCEPT, REFUSE
    return (
        ACCEPT,
        REFUSE,
        Choice(commands.CounterTrade, Label("counter_trade"), {"deal": deal, "promise": promise(state.options.language)}),
    )


def _spoils(state: State, spoils: Spoils) -> tuple[Choice, ...]:
    """KC-218, KC-571 to KC-574."""
    loser, winner = state.knights[spoils.loser], state.knights[spoils.seat]
    kinds = tuple([suit for suit in loser.standards if suit not in winner.standards])
    return _takings(tuple(dict.fromkeys(loser.items)), coin_shares(state, spoils), kinds)


@lru_cache(maxsize=2048)
def _takings(items: tuple[str, ...], shares: tuple[int, ...], kinds: tuple[str, ...]) -> tuple[Choice, ...]:
    choices = []
    if items:
        choices.append(Choice(commands.TakeItem, Label("take_item"), {"item": One(tuple(map(item_member, items)))}))
    if shares:
        amounts = tuple(Member(share, Label("coins_taken", coins=share)) for share in shares)
        choices.append(Choice(commands.TakeCoins, Label("take_coins"), {"coins": One(amounts)}))
    if kinds:
        choices.append(Choice(commands.TakeStandard, Label("take_standard"), {"suit": One(tuple(map(suit_member, kinds)))}))
    return (*choices, TAKE_NOTHING)


def _safe_spoils(state: State, spoils: Spoils) -> Command:
    """A Standard she lacks, else coins, else the dearest item she lacks, else nothing."""
    loser, winner = state.knights[spoils.loser], state.knights[spoils.seat]
    for suit in SUITS:
        if suit in loser.standards and suit not in winner.standards:
            return commands.TakeStandard(suit)
    if shares := coin_shares(state, spoils):
        return commands.TakeCoins(max(shares))
    lacking = [item for item in loser.items if item not in winner.items]
    if lacking:
        return commands.TakeItem(max(lacking, key=lambda item: (state.printed.goods[item].price, item)))
    return commands.TakeNothing()


def _penalties(state: State, seat: Seat) -> tuple[Choice, ...]:
    """KC-551 to KC-554."""
    knight = state.knights[seat]
    small = knight.coins <= state.printed.numbers.small_purse
    return _payments(knight.coins if small else -(-knight.coins // 2), tuple(dict.fromkeys(knight.items)))


@lru_cache(maxsize=512)
def _payments(coins: int, items: tuple[str, ...]) -> tuple[Choice, ...]:
    pay = (Choice(commands.PayCoins, Label("pay_coins", coins=coins)),) if coins else ()
    return (*pay, Choice(commands.PayItem, Label("pay_item"), {"item": One(tuple(map(item_member, items)))}))


def _treats(state: State, seat: Seat) -> tuple[Choice, ...]:
    """KC-762, KC-763 One choice per opponent who has anything."""
    treats = [
        _treat(other, tuple(dict.fromkeys(state.knights[other].items)))
        for other in state.others(seat)
        if state.knights[other].items
    ]
    return (*treats, DECLINE)


@lru_cache(maxsize=256)
def _treat(other: Seat, items: tuple[str, ...]) -> Choice:
    fields: dict[str, Shape] = {"knight": One((knight_member(other),)), "item": One(tuple(map(item_member, items)))}
    return Choice(commands.TakeByElves, Label("take_by_elves", seat=other), fields)


@lru_cache(maxsize=64)
def _swaps(spots: tuple[str, ...]) -> tuple[Choice, ...]:
    """KC-767."""
    return (Choice(commands.SwapElves, Label("swap_elves"), {"spot": One(tuple(map(place_member, spots)))}),)


def _cheapest(state: State, seat: Seat) -> str:
    return min(state.knights[seat].items, key=lambda item: (state.printed.goods[item].price, item))
