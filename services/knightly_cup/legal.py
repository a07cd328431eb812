"""What is each seat asked, what may it do now, and what does the clock answer for it?"""

from __future__ import annotations

from functools import lru_cache

from msgspec.structs import replace

from services.knightly_cup import commands
from services.knightly_cup.offers_legal import (
    CLAIM,
    DIRECTION,
    END_TURN,
    FLIP,
    RECOVER,
    STOP,
    WAIT,
    WAIVE,
    WITHDRAW,
    bars_the_gateway,
    card_member,
    item_member,
    jump,
    knight_member,
    meetings,
    must_flip,
    offer_answers,
    place_member,
    raises,
    suit_member,
    visits,
)
from services.knightly_cup.state import (
    DIRECTIONS,
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
    exits,
    free_spots,
)
from shared.kernel.choices import Choice, Label, Member, One, Shape
from shared.kernel.game import Command, Question, Seat

ACE = Question("ace", "KC-151", clock="lay")
LAY = Question("lay", "KC-161", clock="lay")
ASYLUM = Question("asylum", "KC-834", needed=False)
OFFERED = Question("offered", "KC-805", needed=False)
ANSWERS = {
    "bidding": Question("bribe", "KC-842", clock="answer"),
    "offer": Question("offer", "KC-805", clock="answer"),
    "held": Question("attack_back", "KC-536", clock="answer"),
    "spoils": Question("spoils", "KC-571", clock="answer"),
    "penalty": Question("penalty", "KC-551", clock="answer"),
    "next_opponent": Question("opponent", "KC-883", clock="answer"),
}
OWN_ANSWERS = ("bidding", "offer")  # also put to the active knight, outside any combat
HELD = (Choice(commands.AttackBack, Label("attack_back")), Choice(commands.EndCombat, Label("end_combat")))
TAKE_NOTHING = Choice(commands.TakeNothing, Label("take_nothing"))
DECLINE = Choice(commands.TakeNothing, Label("decline"))
NO_CHOICE: tuple[Choice, ...] = ()
LET_TIME_PASS = commands.LetTimePass()


def question(state: State, seat: Seat) -> Question | None:
    """KC-304, KC-309 Who decides, and on which clock; the others may only set their asylum."""
    match state.stage:
        case "over":
            return None
        case "aces":
            return ACE if seat == _next_to_choose(state) else None
        case "laying":
            return LAY if seat == state.turn.seat else None
    pending = state.pending
    if pending is not None and pending.seat == seat:
        return _answer(state, seat)
    if state.knights[seat].resigned:
        return None
    if pending is None and seat == state.turn.seat:
        return _turn(state.round, seat, state.stage, state.turn.moves)
    return OFFERED if isinstance(pending, Offer) and pending.by == seat else ASYLUM


def _answer(state: State, seat: Seat) -> Question:
    """KC-309 Elves, and what the active knight answers to a bid or to an offer, are part of her turn; all else has its own clock."""
    pending = state.pending
    assert pending is not None
    tag = str(pending.__struct_config__.tag)
    if tag in OWN_ANSWERS and seat == state.turn.seat:
        return _own_answer(tag, state.round, seat)
    if tag in ANSWERS:
        return ANSWERS[tag]
    return _turn(state.round, seat, tag, state.turn.moves)


def standing(state: State, seat: Seat) -> tuple[Question, ...]:
    """KC-309 The active knight goes on with her turn when others have answered and combats are over."""
    if state.stage in {"walk", "land"} and seat == state.turn.seat:
        return (_turn(state.round, seat, state.stage, state.turn.moves),)
    return ()


def legal(state: State, seat: Seat) -> tuple[Choice, ...]:
    """The choices of a seat, the setting of its asylum always among them (KC-834); the host and an audience have none."""
    if seat < 0 or state.stage == "over":
        return NO_CHOICE
    match state.stage:
        case "aces":
            return _aces(tuple([knight.suit for knight in state.knights])) if seat == _next_to_choose(state) else NO_CHOICE
        case "laying":
            return _layings(state, seat) if seat == state.turn.seat else NO_CHOICE
    knight, pending = state.knights[seat], state.pending
    if pending is not None and pending.seat == seat:
        return (*answers(state, seat), *_ASYLUM[False, knight.wish])
    if knight.resigned:
        return NO_CHOICE
    if pending is None and seat == state.turn.seat:
        return _walking(state) if state.stage == "walk" else _landed(state)
    withdraw = isinstance(pending, Offer) and pending.by == seat
    return _ASYLUM[withdraw, knight.wish]


def default(state: State, seat: Seat) -> Command:
    """KC-308, KC-705, KC-915 The safe answer: whoever is at home takes back her own Standard; an ace, a card laid and the elves' hiding place are drawn when the time has run out."""
    if state.pending is not None:
        return safe_answer(state, seat)
    match state.stage:
        case "walk":
            return commands.Stop()
        case "land" if must_flip(state):
            return commands.Flip()
        case "land":
            return commands.RecoverStandard() if RECOVER in visits(state) else commands.EndTurn()
    return LET_TIME_PASS


def _next_to_choose(state: State) -> Seat:
    """KC-152."""
    return next(seat for seat, knight in enumerate(state.knights) if not knight.suit)


@lru_cache(maxsize=64)
def _aces(taken: tuple[str, ...]) -> tuple[Choice, ...]:
    """KC-151, KC-152."""
    free = One(tuple(suit_member(suit) for suit in SUITS if suit not in taken))
    return (Choice(commands.ChooseAce, Label("choose_ace"), {"suit": free}),)


def _layings(state: State, seat: Seat) -> tuple[Choice, ...]:
    """KC-161, KC-162."""
    cards = One(tuple([card_member(card) for card in state.hands[seat]]))
    spots = One(tuple([place_member(spot) for spot in free_spots(state.spots)]))
    return (Choice(commands.LayCard, Label("lay_card"), {"card": cards, "spot": spots}),)


def _walking(state: State) -> tuple[Choice, ...]:
    """KC-321 to KC-325, KC-341, KC-350 Steps, waits, jumps and stops; whoever is met bars the way until settled with."""
    turn = state.turn
    claims = state.knights[turn.seat].wish
    ways = exits(state.spots)[state.here()]
    met = state.met()
    leads = state.exit() >= 0
    if not met:
        return _walks(tuple(ways) if turn.moves else (), turn.moves > 0, state.toll() if leads else -1, claims)
    free = not state.barring()
    moving = free and turn.moves > 0
    walks = _walks(tuple(ways) if moving else (), moving, state.toll() if leads else -1, claims)
    if turn.last not in {"stepped", "jumped"}:
        return walks
    return (*meetings(state, met, barred=not free), *walks)


@lru_cache(maxsize=512)
def _walks(ways: tuple[str, ...], waits: bool, toll: int, claims: bool) -> tuple[Choice, ...]:  # noqa: FBT001 - keys of the cache
    choices: list[Choice] = []
    if ways:
        ordered = tuple(DIRECTION[way] for way in DIRECTIONS if way in ways)
        choices.append(Choice(commands.Step, Label("step"), {"direction": One(ordered)}))
    if waits:
        choices.append(WAIT)
    if toll >= 0:
        choices.append(jump(toll))
    return (*choices, STOP, WAIVE if claims else CLAIM)


def _landed(state: State) -> tuple[Choice, ...]:
    """KC-401, KC-408, KC-409, KC-413, KC-414 In any order she likes."""
    met = state.met()
    meets = meetings(state, met, barred=bars_the_gateway(state)) if met else NO_CHOICE
    calls = visits(state)
    toll = state.toll() if state.exit() >= 0 else -1
    ends = _ends(must_flip(state), toll, state.knights[state.turn.seat].wish)
    return (*meets, *calls, *ends)


@lru_cache(maxsize=64)
def _ends(flips: bool, toll: int, claims: bool) -> tuple[Choice, ...]:  # noqa: FBT001 - keys of the cache
    first = (FLIP,) if flips else ()
    leaves = (jump(toll),) if toll >= 0 else ()
    return (*first, *leaves, END_TURN, WAIVE if claims else CLAIM)


@lru_cache(maxsize=4096)
def _turn(round_: int, seat: Seat, stage: str, moves: int) -> Question:
    """KC-308, KC-309 All own decisions of a turn share one clock."""
    return Question("turn", "KC-303", f"{round_}.{seat}", facts={"doing": stage, "moves": moves}, budget=f"turn {round_}.{seat}")


@lru_cache(maxsize=4096)
def _own_answer(tag: str, round_: int, seat: Seat) -> Question:
    """KC-309."""
    return replace(ANSWERS[tag], clock="turn", budget=f"turn {round_}.{seat}")


_ASYLUM = {
    (withdraw, claims): (*((WITHDRAW,) if withdraw else ()), WAIVE if claims else CLAIM)
    for withdraw in (False, True)
    for claims in (False, True)
}


def answers(state: State, seat: Seat) -> tuple[Choice, ...]:
    """The choices of the seat that the open question is put to."""
    pending = state.pending
    match pending:
        case Held():
            return HELD
        case Bidding(bid=bid):
            return raises(bid + 1, state.knights[seat].coins)
        case Offer():
            return offer_answers(state, pending)
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
