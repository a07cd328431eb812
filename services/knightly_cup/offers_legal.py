"""What may the active knight do with those she meets and with the card she lands on? And how is every thing on offer called?"""

from __future__ import annotations

from functools import lru_cache

from services.knightly_cup import commands, content
from services.knightly_cup.state import DIRECTIONS, SUITS, Knight, Offer, Options, State
from shared.kernel.choices import Choice, Goods, Label, Lot, Member, Number, One, Shape, Text
from shared.kernel.game import Command, Seat

WAIT = Choice(commands.Wait, Label("wait"))
STOP = Choice(commands.Stop, Label("stop"))
SNEAK = Choice(commands.Sneak, Label("sneak"))
ACCEPT = Choice(commands.AcceptOffer, Label("accept_offer"))
REFUSE = Choice(commands.RefuseOffer, Label("refuse_offer"))
BACK_DOWN = Choice(commands.BackDown, Label("back_down"))
CLAIM = Choice(commands.ClaimAsylum, Label("claim_asylum"))
WAIVE = Choice(commands.WaiveAsylum, Label("waive_asylum"))
WITHDRAW = Choice(commands.WithdrawOffer, Label("withdraw_offer"))
FLIP = Choice(commands.Flip, Label("flip"))
END_TURN = Choice(commands.EndTurn, Label("end_turn"))
DIRECTION = {way: Member(way, Label(way)) for way in DIRECTIONS}
NOTHING: tuple[Choice, ...] = ()
PROMISE = 200  # KC-809: characters
RECOVER = Choice(commands.RecoverStandard, Label("recover_standard"))
CHALLENGE_ALL = Choice(commands.BeginUltimateChallenge, Label("begin_ultimate_challenge"))


@lru_cache(maxsize=8)
def jump(toll: int) -> Choice:
    """KC-731, KC-734."""
    return Choice(commands.Jump, Label("jump", coins=toll) if toll else Label("jump_free"))


@lru_cache(maxsize=8)
def knight_member(seat: Seat) -> Member:
    return Member(seat, Label("knight", seat=seat))


@lru_cache(maxsize=8)
def suit_member(suit: str) -> Member:
    assert suit in SUITS
    return Member(suit, Label("suit", suit=suit))


@lru_cache(maxsize=64)
def card_member(card: str) -> Member:
    return Member(card, Label("card", card=card))


@lru_cache(maxsize=4096)
def place_member(spot: str) -> Member:
    """A position as column and row, counted from the centre to the right and down."""
    x, y = spot.split(",")
    return Member(spot, Label("place", x=int(x), y=int(y)))


@lru_cache(maxsize=256)
def item_member(item: str, price: int = -1) -> Member:
    """An item, with what it costs or brings where that matters."""
    return Member(item, Label("item", item=item) if price < 0 else Label("item_price", item=item, coins=price))


def bars_the_gateway(state: State) -> bool:
    """KC-344, KC-742 Landed on a Gateway: somebody there must be settled with before a jump, so that sneaking still matters."""
    leaves = state.turn.last != "jumped" and state.kind(state.here()).type == "gateway"
    return leaves and bool(state.barring())


def meetings(state: State, met: tuple[Seat, ...], *, barred: bool) -> tuple[Choice, ...]:
    """KC-342, KC-344, KC-401, KC-531, KC-801, KC-802, KC-814, KC-841 On one card with other knights: at a stop on the way, or landed."""
    turn, own = state.turn, state.knights[state.turn.seat]
    fair = [seat for seat in met if seat not in turn.challenged and seat not in turn.denied]
    free = tuple([seat for seat in fair if not state.shelter(seat)])
    sheltered = tuple([seat for seat in fair if seat not in turn.bribed and state.shelter(seat) == "temple"])
    choices = list(_challenges(free))
    opening = state.printed.numbers.bribe_opening
    if sheltered and own.coins >= opening:
        choices += _bribes(sheltered, opening, own.coins)
    if barred and state.is_home(own.at, turn.seat):
        choices.append(SNEAK)
    cap = state.printed.numbers.trade_offer_cap
    partners = tuple([seat for seat in met if not state.knights[seat].resigned and turn.offered.count(seat) < cap])
    if partners:
        choices += offers(state, own, partners)
    return tuple(choices)


@lru_cache(maxsize=64)
def _challenges(seats: tuple[Seat, ...]) -> tuple[Choice, ...]:
    """KC-353, KC-354, KC-456, KC-531, KC-532."""
    if not seats:
        return ()
    return (Choice(commands.Challenge, Label("challenge"), {"knight": One(tuple(map(knight_member, seats)))}),)


@lru_cache(maxsize=512)
def _bribes(seats: tuple[Seat, ...], opening: int, coins: int) -> tuple[Choice, ...]:
    """KC-212, KC-841, KC-843, KC-847."""
    fields: dict[str, Shape] = {"knight": One(tuple(map(knight_member, seats))), "coins": Number(opening, coins)}
    return (Choice(commands.OpenBribe, Label("open_bribe"), fields),)


def offers(state: State, own: Knight, partners: tuple[Seat, ...]) -> tuple[Choice, ...]:
    """KC-212, KC-803, KC-804, KC-808 Coins and items each way, never a Standard; or nothing for nothing."""
    others = tuple([(seat, state.knights[seat].coins, state.knights[seat].items) for seat in partners])
    return _offers(own.coins, own.items, others, promise(state.options))


@lru_cache(maxsize=4096)
def _offers(
    coins: int, items: tuple[str, ...], others: tuple[tuple[Seat, int, tuple[str, ...]], ...], words: Text
) -> tuple[Choice, ...]:
    passage: dict[str, Shape] = {"knight": One(tuple(knight_member(seat) for seat, _, _ in others)), "promise": words}
    choices = [Choice(commands.OfferPassage, Label("offer_passage"), passage)]
    if deal := goods(coins, items, others):
        choices.append(Choice(commands.OfferTrade, Label("offer_trade"), {"deal": deal, "promise": words}))
    return tuple(choices)


def goods(coins: int, items: tuple[str, ...], others: tuple[tuple[Seat, int, tuple[str, ...]], ...]) -> Goods | None:
    """KC-803 Whatever both sides own; none if nobody with anything is there."""
    takes = {str(seat): _lots(theirs, things) for seat, theirs, things in others}
    gives = _lots(coins, items)
    takes = takes if gives else {seat: lots for seat, lots in takes.items() if lots}
    return Goods(gives, takes) if takes else None


@lru_cache(maxsize=512)
def raises(least: int, coins: int) -> tuple[Choice, ...]:
    """KC-212, KC-842, KC-843."""
    return (Choice(commands.RaiseBribe, Label("raise_bribe"), {"coins": Number(least, coins)}), BACK_DOWN)


def offer_answers(state: State, offer: Offer) -> tuple[Choice, ...]:
    """KC-805, KC-806, KC-808 Yes, no, or another offer, which may be nothing for nothing as well."""
    active = state.turn.seat
    other = offer.by if offer.seat == active else offer.seat
    if state.turn.offered.count(other) >= state.printed.numbers.trade_offer_cap:
        return ACCEPT, REFUSE
    own, theirs = state.knights[offer.seat], state.knights[offer.by]
    words = promise(state.options)
    passage = Choice(commands.CounterPassage, Label("counter_passage"), {"promise": words})
    deal = goods(own.coins, own.items, ((offer.by, theirs.coins, theirs.items),))
    if deal is None:
        return ACCEPT, REFUSE, passage
    return ACCEPT, REFUSE, Choice(commands.CounterTrade, Label("counter_trade"), {"deal": deal, "promise": words}), passage


@lru_cache(maxsize=8)
def promise(options: Options) -> Text:
    """KC-809 Whatever one likes to promise, or nothing; nothing where talk is not free."""
    if options.talk != "free":
        return Text(0, PROMISE, policy="off", suggestions=("",))
    return Text(0, PROMISE, suggestions=content.promises(options.language))


def text_fault(state: State, _seat: Seat, _command: Command, text: str) -> str:
    """KC-809, PL-557 Nothing is promised where talk is not free."""
    return "talk_off" if text and state.options.talk != "free" else ""


@lru_cache(maxsize=2048)
def _lots(coins: int, items: tuple[str, ...]) -> tuple[Lot, ...]:
    purse = (Lot("coins", Label("coins"), coins),) if coins else ()
    things = dict.fromkeys(items)
    return purse + tuple(Lot(item, item_member(item).label, items.count(item)) for item in things)


def must_flip(state: State) -> bool:
    """KC-402, KC-772."""
    here = state.here()
    return not state.up[here] and state.turn.swapped != here


def visits(state: State) -> tuple[Choice, ...]:
    """KC-404, KC-410, KC-411 One visit, and only of a card that everybody can see."""
    here = state.here()
    if not state.up[here]:
        return NOTHING
    kind = state.kind(here).type
    if kind == "fortress" and state.cards[here].endswith("_" + state.knights[state.turn.seat].suit):
        return _home(state) if state.turn.visited in {-1, here} else NOTHING
    if state.turn.visited >= 0:
        return NOTHING
    match kind:
        case "monster":
            return _fight(state.kind(here).strength, state.hunt_dice(state.turn.seat))
        case "merchant":
            return _merchant(state)
        case "temple":
            return _temple(state)
        case "fortress":
            return _storm(state.guard_dice(state.cards[here].partition("_")[2])) if _worth_storming(state) else NOTHING
    return NOTHING


@lru_cache(maxsize=64)
def _fight(strength: int, dice: int) -> tuple[Choice, ...]:
    """KC-501 to KC-503."""
    return (Choice(commands.FightMonster, Label("fight_monster", dice=dice, strength=strength)),)


@lru_cache(maxsize=8)
def _storm(dice: int) -> tuple[Choice, ...]:
    """KC-711, KC-712, KC-721."""
    return (Choice(commands.Storm, Label("storm", dice=dice)),)


def _worth_storming(state: State) -> bool:
    """KC-720."""
    here = state.here()
    suit, hoard = state.cards[here].partition("_")[2], state.hoards[here]
    return suit not in state.knights[state.turn.seat].standards or bool(hoard.coins or hoard.items)


def _home(state: State) -> tuple[Choice, ...]:
    """KC-103, KC-411, KC-701 to KC-705, KC-881."""
    knight, numbers = state.knights[state.turn.seat], state.printed.numbers
    choices = []
    if knight.suit not in knight.standards:
        choices.append(RECOVER)
    if not knight.begged and knight.coins < numbers.beg_limit:
        choices.append(Choice(commands.Beg, Label("beg", coins=numbers.beg_limit)))
    if len(knight.standards) == len(state.stores):
        choices.append(CHALLENGE_ALL)
    return tuple(choices)


def _merchant(state: State) -> tuple[Choice, ...]:
    """KC-213, KC-674 to KC-679."""
    here, seat = state.here(), state.turn.seat
    knight, goods, stock = state.knights[seat], state.printed.goods, state.stocks[state.here()]
    buys = [(item, goods[item].price) for item in goods if item in stock and item not in knight.items]
    full = state.is_home(here, seat)
    sells = [
        (item, good.price if full else good.price // 2)
        for item, good in goods.items()
        if item in knight.items and good.sellable and item not in stock
    ]
    return _shop(tuple([buy for buy in buys if buy[1] <= knight.coins]), tuple(sells))


def _temple(state: State) -> tuple[Choice, ...]:
    """KC-213, KC-691 to KC-694."""
    knight, goods = state.knights[state.turn.seat], state.printed.goods
    buys = [
        (item, good.price)
        for item, good in goods.items()
        if good.sold_at == "temple" and item not in knight.items and state.supply[item] and good.price <= knight.coins
    ]
    return _shop(tuple(buys), ())


@lru_cache(maxsize=512)
def _shop(buys: tuple[tuple[str, int], ...], sells: tuple[tuple[str, int], ...]) -> tuple[Choice, ...]:
    choices = []
    if buys:
        choices.append(Choice(commands.BuyItem, Label("buy_item"), {"item": One(tuple(item_member(*buy) for buy in buys))}))
    if sells:
        choices.append(Choice(commands.SellItem, Label("sell_item"), {"item": One(tuple(item_member(*sell) for sell in sells))}))
    return tuple(choices)
