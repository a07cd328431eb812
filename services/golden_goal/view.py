"""What does each seat see, as a page draws it? For lines of text see text_view.py.

The view as JSON, for a page: `squares` clockwise from the whistle, each team square with price, goal actions, owner, value on a
visit and cups; `seats` with everything public of each player; `now` with what is being resolved; `columns` the result table.
"""

from __future__ import annotations

from msgspec import Struct, to_builtins
from msgspec.structs import replace

from services.golden_goal.goods_state import value_of
from services.golden_goal.state import (
    BANK,
    CUPS,
    DECKS,
    Auction,
    Card,
    Column,
    Deck,
    Modifiers,
    Player,
    State,
    nation_of,
    role_of,
)
from shared.kernel.dice import Dice
from shared.kernel.game import Seat


class SquareView(Struct, frozen=True):
    """A square of the ring; the last five only of team squares."""

    index: int
    kind: str
    what: str
    nation: str
    role: str
    price: int
    goals: int
    owner: Seat | None
    value: int  # GG-235: of a visit now
    complete: bool
    suspended: bool
    cups: tuple[str, ...]


class SeatView(Struct, frozen=True):
    """A player; of cash None where it is hidden (GG-635)."""

    seat: Seat
    colour: str
    cash: int | None
    square: int
    marker: int
    points: int
    matches: int
    tiles: tuple[str, ...]
    teams: tuple[str, ...]
    cups: tuple[str, ...]
    die_tokens: int
    event_tokens: int
    kept: tuple[str, ...]
    modifiers: Modifiers
    wealth: int | None
    leaving: bool
    left: bool
    place: int | None


class CupView(Struct, frozen=True):
    """Where a cup lies, and at how many points it is won."""

    cup: str
    threshold: int
    holder: Seat | None
    team: str
    ceded: bool


class DeckView(Struct, frozen=True):
    """How many cards a deck has."""

    deck: str
    cards: int


class HitView(Struct, frozen=True):
    """GG-264 Whom a card concerns, and which tiles it names."""

    seat: Seat
    tiles: tuple[str, ...]


class NowView(Struct, frozen=True):
    """What is being resolved: the kind of task and what is public of it."""

    task: str
    seat: Seat | None = None
    thing: str = ""
    face: str = ""
    purpose: str = ""
    amount: int = 0
    high: Seat | None = None
    bidders: tuple[Seat, ...] = ()
    kind: str = ""
    give: dict[str, int] = {}
    take: dict[str, int] = {}
    reactors: tuple[Seat, ...] = ()
    reacted: tuple[Seat, ...] = ()
    own_reaction: str = ""
    hits: tuple[HitView, ...] = ()


class View(Struct, frozen=True):
    """The table as a reader sees it."""

    you: Seat | None
    stage: str
    turn: Seat
    first: Seat
    round: int
    roll: tuple[int, ...]
    face: str
    length: str
    target: int
    cap: int
    x: int
    offers: int
    last_round: bool
    squares: tuple[SquareView, ...]
    columns: tuple[Column, ...]
    seats: tuple[SeatView, ...]
    cups: tuple[CupView, ...]
    decks: tuple[DeckView, ...]
    drawn: tuple[str, ...]
    supply: dict[str, int]
    bank: int | None
    now: tuple[NowView, ...]


def look(state: State, seat: Seat | None) -> View:
    """GG-636 Everything lies open but the order of the decks, and reactions until all are in."""
    board, options = state.board, state.options
    places = result(state) or {}
    return View(
        you=seat,
        stage=state.stage,
        turn=state.turn,
        first=state.first,
        round=state.round,
        roll=state.roll,
        face=state.face,
        length=options.length,
        target=board.target,
        cap=board.cap,
        x=board.x,
        offers=state.offers,
        last_round=state.last_round,
        squares=tuple(_square(state, index) for index in range(len(board.squares))),
        columns=board.columns,
        seats=tuple(_seat(state, other, seat, places.get(other)) for other in state.seats()),
        cups=tuple(_cup(state, cup, threshold) for cup, threshold in zip(CUPS, board.thresholds, strict=True)),
        decks=tuple(DeckView(deck, state.deck(deck).count()) for deck in DECKS),
        drawn=state.drawn,
        supply={kind: state.supply(kind) for kind in ("die", "event")},
        bank=state.bank_holds(board.bank) if board.bank and not options.hidden_cash else None,
        now=tuple(_now(task, seat) for task in state.stack),
    )


def _square(state: State, index: int) -> SquareView:
    square = state.board.squares[index]
    if square.kind != "team":
        return SquareView(index, square.kind, square.what, "", "", 0, 0, None, 0, complete=False, suspended=False, cups=())
    tile, owner = square.what, state.owner_of(square.what)
    nation, board = nation_of(square.what), state.board
    mine = owner != BANK
    return SquareView(
        index=index,
        kind="team",
        what=tile,
        nation=nation,
        role=role_of(tile),
        price=board.prices[tile],
        goals=board.goals[tile],
        owner=owner if mine else None,
        value=value_of(state, tile, owner) if mine and tile not in state.suspended else 0,
        complete=mine and nation in state.teams_of(owner),
        suspended=tile in state.suspended,
        cups=tuple(cup for cup in CUPS if state.cups[cup].team == nation) if mine else (),
    )


def _seat(state: State, seat: Seat, reader: Seat | None, place: int | None) -> SeatView:
    player = state.players[seat]
    hidden = state.options.hidden_cash and seat != reader and state.stage != "over"
    return SeatView(
        seat=seat,
        colour=player.colour,
        cash=None if hidden else player.cash,
        square=state.square_of(seat),
        marker=player.marker,
        points=player.points,
        matches=player.matches,
        tiles=player.tiles,
        teams=state.teams_of(seat),
        cups=state.cups_of(seat),
        die_tokens=player.die_tokens,
        event_tokens=player.event_tokens,
        kept=player.kept,
        modifiers=player.modifiers,
        wealth=None if hidden else state.wealth_of(seat),
        leaving=player.leaving,
        left=player.left,
        place=place,
    )


def _cup(state: State, name: str, threshold: int) -> CupView:
    cup = state.cups[name]
    return CupView(name, threshold, None if cup.holder == BANK else cup.holder, cup.team, cup.ceded)


def _now(task: Struct, reader: Seat | None) -> NowView:
    kind = str(task.__struct_config__.tag)
    if isinstance(task, Card):
        answered = zip(task.reactors, task.reactions, strict=True)
        own = next((by or "" for seat, by in zip(task.reactors, task.reactions, strict=True) if seat == reader), "")
        reacted = tuple(seat for seat, by in answered if by is not None)
        target = None if task.target == BANK else task.target
        hits, asked = _hits(task), task.reactors
        return NowView(kind, target, task.card, kind=task.stage, reactors=asked, reacted=reacted, own_reaction=own, hits=hits)
    if isinstance(task, Auction):
        high = None if task.high == BANK else task.high
        seller = None if task.seller == BANK else task.seller
        bid = task.bid or task.opening
        return NowView(kind, seller, task.item, amount=bid, high=high, bidders=task.bidders, kind=task.kind)
    facts = to_builtins(task)
    deal = facts.get("deal", {})
    seat = facts.get("owner", facts.get("seat", deal.get("partner")))
    amount = facts.get("price", facts.get("amount", facts.get("money", facts.get("step", 0))))
    return NowView(
        task=kind,
        seat=seat,
        thing=facts.get("tile", facts.get("cup", "")),
        face=facts.get("face", ""),
        purpose=facts.get("purpose", ""),
        amount=amount or facts.get("goals", 0),
        give=deal.get("give", {}),
        take=deal.get("take", {}),
    )


def _hits(card: Card) -> tuple[HitView, ...]:
    """GG-255, GG-264 What is settled and still to be carried out, player by player."""
    seats = dict.fromkeys(part.seat for part in card.parts)
    return tuple(HitView(seat, tuple(tile for part in card.parts if part.seat == seat for tile in part.tiles)) for seat in seats)


def result(state: State) -> dict[Seat, int] | None:
    """GG-614, GG-615, GG-619 Points, then cups, complete teams and wealth; whoever left shares the last place."""
    if state.stage != "over":
        return None
    ranks = {seat: rank_of(state, seat) for seat in state.staying()}
    places = {seat: 1 + sum(other > rank for other in ranks.values()) for seat, rank in ranks.items()}
    return {seat: places.get(seat, len(ranks) + 1) for seat in state.seats()}


def rank_of(state: State, seat: Seat) -> tuple[int, int, int, int]:
    """GG-615."""
    cups = sum(CUPS.index(cup) + 1 for cup in state.cups_of(seat))
    return state.players[seat].points, cups, len(state.teams_of(seat)), state.wealth_of(seat)


def score(state: State) -> dict[Seat, int]:
    """GG-614 Championship points."""
    return {seat: player.points for seat, player in enumerate(state.players)}


def imagine(state: State, seat: Seat | None, dice: Dice) -> State:
    """GG-636 Another table that looks the same to this seat: other orders of the decks, other reactions of others."""
    stack = tuple([_imagined(state, task, seat, dice) if isinstance(task, Card) else task for task in state.stack])
    decks = {name: Deck(dice.shuffled(sorted(state.deck(name).hidden)), state.deck(name).known) for name in DECKS}
    return replace(state, stack=stack, **decks)


def _imagined(state: State, card: Card, seat: Seat | None, dice: Dice) -> Card:
    """GG-639 What others have answered is not known until all have, whatever else is resolved meanwhile."""
    answers = zip(card.reactors, card.reactions, strict=True)
    return replace(
        card, reactions=tuple(by if by is None or who == seat else _other(state.players[who], dice) for who, by in answers)
    )


def _other(player: Player, dice: Dice) -> str:
    return dice.pick(("nothing", "event_token")) if player.event_tokens and not player.modifiers.token_ban else "nothing"
