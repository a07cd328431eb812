"""What does each seat see, as a page draws it and as lines of text?

`spots` holds the map by the order of laying, each with column and row from the centre; `card` is what everybody sees of it,
`known` what only the reader remembers. Knights stand on the place (`at`) of a spot. `legend`, `goods` and `numbers` are what the
pack says, so that a page needs nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec import Struct

from services.knightly_cup.state import (
    COLOURS,
    NOBODY,
    Bidding,
    Good,
    Hoard,
    Kind,
    Numbers,
    Offer,
    Roll,
    Spoils,
    State,
    Turn,
)
from shared.kernel.choices import Label
from shared.kernel.content import Words
from shared.kernel.game import Seat

Say = Callable[..., str]


class CardView(Struct, frozen=True):
    """A card face up."""

    id: str
    rank: str
    suit: str  # empty: elves
    colour: str
    type: str
    strength: int


class SpotView(Struct, frozen=True):
    """KC-201, KC-202 A position of the map."""

    place: int
    x: int
    y: int
    layer: Seat | None
    card: CardView | None
    known: CardView | None  # KC-203: what the reader remembers
    stale: bool  # KC-204
    stock: tuple[str, ...]
    hoard: Hoard


class KnightView(Struct, frozen=True):
    """KC-109 Everything that everybody sees of a knight."""

    seat: Seat
    suit: str
    at: int | None
    coins: int
    items: tuple[str, ...]
    standards: tuple[str, ...]
    dice: int
    begged: bool
    claims: bool
    wish: bool
    sheltered: str
    won: int
    cards: int  # still in hand
    resigned: bool
    place: int | None  # once the match is over


class CombatView(Struct, frozen=True):
    """A combat under way."""

    foe: Seat | None  # None: an unclaimed Guardian
    guardian: bool
    round: int
    attacker: Seat | None
    defender: Seat | None


class BiddingView(Struct, frozen=True):
    """KC-844."""

    foe: Seat
    bid: int
    by: Seat


class OfferView(Struct, frozen=True):
    """KC-812."""

    by: Seat
    to: Seat
    give: dict[str, int]
    take: dict[str, int]
    promise: str


class View(Struct, frozen=True):
    """The table as a reader sees it."""

    you: Seat | None
    stage: str
    round: int
    rounds: int  # KC-906
    first: Seat
    turn: Turn | None
    barred_by: tuple[Seat, ...]
    decides: Seat | None
    asked: str  # what is open: held, spoils, penalty, … empty: nothing
    spots: tuple[SpotView, ...]
    knights: tuple[KnightView, ...]
    hand: tuple[CardView, ...]
    rolls: tuple[Roll, ...]
    combat: CombatView | None
    bidding: BiddingView | None
    offer: OfferView | None
    loser: Seat | None  # of whom spoils are taken
    beaten: tuple[Seat, ...] | None
    supply: dict[str, int]
    stores: dict[str, int]
    swaps: int
    legend: dict[str, Kind]
    goods: dict[str, Good]
    pairs: dict[str, str]
    numbers: Numbers
    aside: tuple[CardView, ...]
    winner: Seat | None


def look(state: State, seat: Seat | None, places: dict[Seat, int] | None = None) -> View:
    """KC-201 to KC-206, KC-906 Nothing of face-down cards but what the reader laid or moved there; after the end everything."""
    over, pending = state.stage == "over", state.pending
    owns = seat is not None and seat >= 0
    laid = state.stage not in {"aces", "laying", "over"}
    return View(
        you=seat,
        stage=state.stage,
        round=state.round,
        rounds=state.printed.numbers.turn_cap_rounds,
        first=state.first,
        turn=state.turn if laid else None,
        barred_by=state.barring() if laid else (),
        decides=_decides(state),
        asked="" if pending is None else str(pending.__struct_config__.tag),
        spots=tuple(_spot(state, place, seat if owns else None) for place in range(len(state.spots))),
        knights=tuple(_knight(state, other, (places or {}).get(other)) for other in state.seats()),
        hand=tuple(_card(state, card) for card in state.hands[seat]) if owns and seat is not None else (),
        rolls=state.rolls,
        combat=_combat(state),
        bidding=BiddingView(pending.foe, pending.bid, pending.by) if isinstance(pending, Bidding) else None,
        offer=_offer(pending) if isinstance(pending, Offer) else None,
        loser=pending.loser if isinstance(pending, Spoils) else None,
        beaten=state.beaten,
        supply=state.supply,
        stores=state.stores,
        swaps=len(state.swaps),
        legend=state.printed.legend,
        goods=state.printed.goods,
        pairs=state.printed.pairs,
        numbers=state.printed.numbers,
        aside=tuple(_card(state, card) for card in state.aside) if over else (),
        winner=_nobody(state.winner),
    )


def _decides(state: State) -> Seat | None:
    match state.stage:
        case "over":
            return None
        case "aces":
            return next((seat for seat, knight in enumerate(state.knights) if not knight.suit), None)
    return state.turn.seat if state.pending is None else state.pending.seat


def _spot(state: State, place: int, reader: Seat | None) -> SpotView:
    x, y = map(int, state.spots[place].split(","))
    shown = state.up[place] or state.stage == "over"
    remembers = reader is not None and state.printed.numbers.memory_aid and not shown
    face = state.memory[reader][place] if remembers and reader is not None else ""
    stale = bool(face) and reader is not None and place in state.doubts[reader]
    return SpotView(
        place=place,
        x=x,
        y=y,
        layer=_nobody(state.layers[place]),
        card=_card(state, state.cards[place]) if shown else None,
        known=_card(state, face) if face else None,
        stale=stale,
        stock=state.stocks[place],
        hoard=state.hoards[place],
    )


def _card(state: State, card: str) -> CardView:
    rank, _, suit = card.partition("_")
    kind = state.printed.legend[rank]
    return CardView(card, rank, suit if suit in COLOURS else "", COLOURS.get(suit, suit), kind.type, kind.strength)


def _knight(state: State, seat: Seat, place: int | None) -> KnightView:
    knight = state.knights[seat]
    return KnightView(
        seat=seat,
        suit=knight.suit,
        at=None if knight.at < 0 else knight.at,
        coins=knight.coins,
        items=knight.items,
        standards=knight.standards,
        dice=state.fight_dice(seat),
        begged=knight.begged,
        claims=knight.claims,
        wish=knight.wish,
        sheltered=state.shelter(seat) if knight.at >= 0 else "",
        won=knight.won,
        cards=len(state.hands[seat]),
        resigned=knight.resigned,
        place=place,
    )


def _combat(state: State) -> CombatView | None:
    fight, active = state.combat, state.turn.seat
    if fight is None:
        return None
    attacker, defender = (fight.foe, active) if fight.reverse else (active, fight.foe)
    return CombatView(_nobody(fight.foe), fight.guardian, fight.round, _nobody(attacker), _nobody(defender))


def _offer(offer: Offer) -> OfferView:
    return OfferView(offer.by, offer.seat, offer.give, offer.take, offer.promise)


def _nobody(seat: Seat) -> Seat | None:
    return None if seat == NOBODY else seat


def text(view: View, words: Words) -> str:
    """PL-359 The view in lines."""

    def say(key: str, **facts: object) -> str:
        return words.say(Label(key, **facts), "pages")

    lines = [say("head", round=view.round, rounds=view.rounds, stage=view.stage, seat=view.first)]
    lines += [_knight_line(view, knight, say) for knight in view.knights]
    lines += [*_turn_lines(view, say), *_open_lines(view, say)]
    lines += [say("compass"), *_face_down_lines(view, say)] if view.spots else []
    lines += [_spot_line(spot, say) for spot in view.spots if spot.card or spot.known]
    lines += [say("stores", suit=suit, count=count) for suit, count in view.stores.items()]
    lines += [say("supply", item=item, count=count) for item, count in view.supply.items()]
    lines += [say("gateways", suit=suit, other=other) for suit, other in view.pairs.items() if suit < other]
    lines += [say("price", item=item, coins=good.price, where=good.sold_at) for item, good in view.goods.items()]
    if view.swaps:
        lines.append(say("swaps", count=view.swaps))
    if view.hand:
        lines.append(say("hand", cards=[card.id for card in view.hand]))
    if view.aside:
        lines.append(say("aside", cards=[card.id for card in view.aside]))
    return "\n".join(lines)


def _knight_line(view: View, knight: KnightView, say: Say) -> str:
    line = say(
        "knight",
        seat=knight.seat,
        suit=knight.suit or say("nothing"),
        where=say("nowhere") if knight.at is None else _where(view.spots[knight.at], say),
        coins=knight.coins,
        items=knight.items or say("nothing"),
        standards=knight.standards or say("nothing"),
        dice=knight.dice,
        won=knight.won,
        cards=knight.cards,
    )
    marks = [
        say(f"asylum_{'claimed' if knight.claims else 'waived'}"),
        say(f"wish_{'claimed' if knight.wish else 'waived'}") if knight.wish != knight.claims else "",
        say("sheltered", type=knight.sheltered) if knight.sheltered else "",
        say("begged") if knight.begged else "",
        say("resigned") if knight.resigned else "",
        say("finished", place=knight.place) if knight.place else "",
    ]
    return " ".join([line, *filter(None, marks)])


def _where(spot: SpotView, say: Say) -> str:
    return say("where", x=spot.x, y=spot.y)


def _turn_lines(view: View, say: Say) -> Iterator[str]:
    turn = view.turn
    if view.decides is not None:
        yield say("decides", seat=view.decides, what=view.asked or view.stage)
    if turn is None:
        return
    yield say("turn", seat=turn.seat, moves=turn.moves, last=turn.last)
    if turn.entered:
        yield say("entered")
    if view.barred_by:
        yield say("barred_by", seats=view.barred_by)
    for key in ("settled", "challenged", "bribed", "denied", "traded", "offered"):
        if seats := getattr(turn, key):
            yield say(key, seats=seats)
    if turn.visited >= 0:
        yield say("visited", where=_where(view.spots[turn.visited], say))
    if turn.swapped >= 0:
        yield say("swapped", where=_where(view.spots[turn.swapped], say))


def _open_lines(view: View, say: Say) -> Iterator[str]:
    for roll in view.rolls:
        who = _side(_nobody(roll.seat), say, "nature" if roll.what == "monster" else "guardian")
        again = say("again") if roll.again else ""
        yield say("roll", what=roll.what, who=who, faces=roll.faces, score=roll.score, again=again)
    fight, bidding, offer = view.combat, view.bidding, view.offer
    if fight is not None:
        attacker, defender = (_side(seat, say, "guardian") for seat in (fight.attacker, fight.defender))
        yield say("guard" if fight.guardian else "combat", round=fight.round, attacker=attacker, defender=defender)
    if bidding is not None:
        yield say("bidding", seat=bidding.by, foe_seat=bidding.foe, coins=bidding.bid)
    if offer is not None:
        give, take = (_lots(lots, say) for lots in (offer.give, offer.take))
        yield say("offer", seat=offer.by, to_seat=offer.to, give=give, take=take, promise=offer.promise or say("nothing"))
    if view.loser is not None:
        yield say("loser", seat=view.loser)
    if view.beaten is not None:
        yield say("beaten", seats=view.beaten or say("nobody"))
    if view.winner is not None:
        yield say("winner", seat=view.winner)


def _side(seat: Seat | None, say: Say, nobody: str) -> str:
    """A seat, or who stands there without any."""
    return say(nobody) if seat is None else say("by_seat", seat=seat)


def _lots(lots: dict[str, int], say: Say) -> list[str]:
    return [say("lot", item=item, count=count) for item, count in sorted(lots.items())] or [say("nothing")]


def _face_down_lines(view: View, say: Say) -> Iterator[str]:
    """The cards that the reader knows nothing of but who laid them."""
    for layer in (None, *(knight.seat for knight in view.knights)):
        unknown = [spot for spot in view.spots if not spot.card and not spot.known and spot.layer == layer]
        if unknown:
            where = [say("where", x=spot.x, y=spot.y) for spot in unknown]
            yield say("face_down_centre", where=where) if layer is None else say("face_down", seat=layer, where=where)


def _spot_line(spot: SpotView, say: Say) -> str:
    parts = [_face(spot.card, say)] if spot.card else []
    if spot.known:
        parts.append(say("remembered_stale" if spot.stale else "remembered", card=spot.known.id))
    if spot.layer is not None:
        parts.append(say("layer", seat=spot.layer))
    if spot.stock:
        parts.append(say("stock", items=spot.stock))
    if spot.hoard.coins or spot.hoard.items:
        parts.append(say("hoard", coins=spot.hoard.coins, items=spot.hoard.items or say("nothing")))
    return say("spot", where=_where(spot, say), what="; ".join(parts))


def _face(card: CardView, say: Say) -> str:
    if card.strength:
        return say("monster", card=card.id, strength=card.strength)
    return say("face", card=card.id, type=card.type)
