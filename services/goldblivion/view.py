"""What does each seat see, as a page draws it and as lines of text? Ids of cards, tiles and tokens are those of the pack."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec import Struct

from services.goldblivion.state import DUMMY_SPACES, Board, Dummy, Space, State
from shared.kernel.choices import Label
from shared.kernel.content import Words
from shared.kernel.game import Seat

Say = Callable[..., str]
Cards = tuple[str, ...]


class SpaceView(Struct, frozen=True):
    """A space of the map: what fights there if it lies face up, and how many sides are open."""

    id: str
    kind: str
    row: int
    column: int
    neighbours: Cards
    land: int
    water: int
    cow: bool
    tiles: int
    enemy: str | None  # None: face down; empty: nobody there
    open_sides: int


class CombatCardView(Struct, frozen=True):
    """A card of the Combat."""

    card: str
    done: bool
    gone: bool


class CombatView(Struct, frozen=True):
    """The Combat that is fought now."""

    space: str
    enemy: str
    needs: int
    strength: int
    cards: tuple[CombatCardView, ...]
    lost: bool


class SeatView(Struct, frozen=True):
    """GB-561 What everybody sees of a seat."""

    seat: Seat
    coat: str
    bars: int
    nuggets: int
    material: int
    tokens: int
    territories: Cards
    played: Cards
    buildings: Cards
    turned: Cards
    exhausted: Cards
    left: int
    right: int
    hand: int
    deck: int
    army: int
    cards: Cards  # GB-564: deck, hand and Production cards together, in the order of their names
    fighters: Cards  # the cards of the Combat deck, in the order of their names
    placed: bool  # GB-184
    noble: str
    passed: bool
    gone: bool


class OwnView(Struct, frozen=True):
    """GB-562 What only the reader sees."""

    hand: Cards
    tokens: Cards
    left: Cards
    right: Cards
    deck: Cards  # in the order of their names
    placing: str
    side: str


class DummyView(Struct, frozen=True):
    """The Dummy Noble."""

    noble: str
    coat: str
    bars: int
    nuggets: int
    material: int
    human: Cards
    elf: Cards
    dwarf: Cards
    building: Cards
    territories: Cards
    card: str


class View(Struct, frozen=True):
    """The table as a reader sees it."""

    you: Seat | None
    stage: str
    round: int
    first: Seat
    turn: Seat
    actions: int
    last_round: bool
    over: bool
    lost: bool
    market: Cards
    pile: int
    buried: Cards  # GB-139: the cards at the bottom of the pile that everybody has seen
    armies: tuple[int, int]
    tops: Cards  # the upper card of each Combat pile; empty: used up
    villages: Cards
    spaces: tuple[SpaceView, ...]
    bank: int
    used: Cards
    box: Cards
    nobles: Cards
    dice: tuple[int, ...]
    revealed: Cards  # the spaces whose tiles the Dummy Noble turned up, in this order
    question: str
    about: str
    combat: CombatView | None
    seats: tuple[SeatView, ...]
    own: OwnView | None
    dummy: DummyView | None


def look(state: State, seat: Seat | None) -> View:
    """GB-561 to GB-565 Everything public, and the reader's own hand, tokens and Production cards."""
    pending = state.pending
    return View(
        you=seat,
        stage=state.stage,
        round=state.round,
        first=state.first,
        turn=state.turn,
        actions=state.actions,
        last_round=state.is_last_round(),
        over=state.stage == "over",
        lost=state.lost,
        market=state.market,
        pile=len(state.pile),
        buried=state.pile[len(state.pile) - state.buried :],
        armies=(len(state.armies[0]), len(state.armies[1])),
        tops=tuple(pile[0] if pile else "" for pile in state.armies),
        villages=state.villages,
        spaces=tuple(_space(state, index, space) for index, space in enumerate(state.spaces)),
        bank=len(state.bank),
        used=state.used,
        box=state.box,
        nobles=state.nobles,
        dice=state.dice,
        revealed=state.revealed,
        question=pending.question if pending else "",
        about=pending.about if pending else "",
        combat=_combat(state),
        seats=tuple(_seat(state, other, board) for other, board in enumerate(state.boards)),
        own=None if seat is None or seat not in state.seats() else _own(state.boards[seat]),
        dummy=_dummy(state.dummy) if state.dummy else None,
    )


def _space(state: State, index: int, space: Space) -> SpaceView:
    enemy = (space.tiles[0] if space.up else None) if space.tiles else "cow_dragon" if space.cow else ""
    return SpaceView(
        id=space.id,
        kind=space.kind,
        row=space.row,
        column=space.column,
        neighbours=tuple(state.spaces[other].id for other in space.neighbours),
        land=space.land,
        water=space.water,
        cow=space.cow,
        tiles=len(space.tiles),
        enemy=enemy,
        open_sides=state.open_sides(index),
    )


def _combat(state: State) -> CombatView | None:
    combat = state.combat
    if combat is None:
        return None
    cards = tuple(CombatCardView(card.card, card.done, card.gone) for card in combat.cards)
    return CombatView(state.spaces[combat.space].id, combat.enemy, combat.needs, combat.strength, cards, combat.lost)


def _seat(state: State, seat: Seat, board: Board) -> SeatView:
    return SeatView(
        seat=seat,
        coat=board.coat,
        bars=board.bars,
        nuggets=board.nuggets,
        material=board.material,
        tokens=len(board.tokens),
        territories=board.territories,
        played=board.played,
        buildings=board.buildings,
        turned=board.turned,
        exhausted=board.exhausted,
        left=len(board.left),
        right=len(board.right),
        hand=len(board.hand),
        deck=len(board.deck),
        army=len(board.army),
        cards=tuple(sorted(board.deck + board.hand + board.left + board.right)),
        fighters=tuple(sorted(board.army)),
        placed=bool(board.placing),
        noble=state.taken[seat],
        passed=board.passed,
        gone=board.gone,
    )


def _own(board: Board) -> OwnView:
    deck = tuple(sorted(board.deck))
    return OwnView(board.hand, board.tokens, board.left, board.right, deck, board.placing, board.side if board.placing else "")


def _dummy(dummy: Dummy) -> DummyView:
    under = {space: dummy.under(space) for space in DUMMY_SPACES}
    return DummyView(
        noble=dummy.noble,
        coat=dummy.coat,
        bars=dummy.bars,
        nuggets=dummy.nuggets,
        material=dummy.material,
        territories=dummy.territories,
        card=dummy.card,
        **under,
    )


def text(view: View, words: Words) -> str:
    """PL-359 The view in lines, complete enough to play by; behind it what every card in sight can do."""

    def say(key: str, **facts: object) -> str:
        return words.say(Label(key, **facts), "pages")

    lines = [say("head", round=view.round, stage=Label(f"stage_{view.stage}"), turn_seat=view.turn, first_seat=view.first)]
    lines += [say("last_round")] if view.last_round and not view.over else []
    lines += _market_lines(view, say)
    lines += [_space_line(space, say) for space in view.spaces]
    lines += _combat_lines(view.combat, say) if view.combat else []
    for seat in view.seats:
        lines += _seat_lines(seat, say)
    lines += _dummy_lines(view.dummy, say) if view.dummy else []
    lines += _own_lines(view.own, say) if view.own else []
    lines += [say("pending", question=Label(f"asked_{view.question}"), about=view.about)] if view.question else []
    lines += [say("lost")] if view.lost else []
    return "\n".join([*lines, *_faces(view, words)])


def _listed(cards: Iterable[str], say: Say) -> object:
    return tuple(cards) or say("nothing")


def _market_lines(view: View, say: Say) -> list[str]:
    tops = tuple(top or say("nothing") for top in view.tops)
    lines = [say("market", cards=tuple(card or say("nothing") for card in view.market), pile=view.pile)]
    lines.append(say("armies", left=tops[0], right=tops[1], lefts=view.armies[0], rights=view.armies[1]))
    lines.append(say("villages", left=f"village_nugget_{view.villages[0]}", right=f"village_material_{view.villages[1]}"))
    lines.append(say("bank", bank=view.bank, used=_listed(view.used, say), box=_listed(view.box, say)))
    lines += [say("buried", cards=view.buried)] if view.buried else []
    lines += [say("nobles", cards=view.nobles)] if view.nobles else []
    lines += [say("revealed", spaces=view.revealed)] if view.revealed else []
    faces = tuple(say("die", face=face, bonus=say(f"die_{face}")) for face in view.dice)
    return [*lines, say("dice", faces=faces)] if faces else lines


def _space_line(space: SpaceView, say: Say) -> str:
    there = say("hidden") if space.enemy is None else space.enemy or say("nothing")
    facts = {"space": space.id, "kind": space.kind, "enemy": there, "tiles": space.tiles, "open": space.open_sides}
    return say("space", neighbours=space.neighbours, **facts)


def _combat_lines(combat: CombatView, say: Say) -> list[str]:
    cards = tuple(
        Label("fighting_gone" if c.gone else "fighting_done" if c.done else "fighting", card=c.card) for c in combat.cards
    )
    facts = {"space": combat.space, "enemy": combat.enemy, "needs": combat.needs, "strength": combat.strength}
    return [say("combat", cards=cards or say("nothing"), **facts)]


def _seat_lines(seat: SeatView, say: Say) -> list[str]:
    status = "gone" if seat.gone else "passed" if seat.passed else "placed" if seat.placed else "playing"
    counts = ("bars", "nuggets", "material", "tokens", "left", "right", "hand", "deck", "army")
    lists = ("territories", "played", "buildings", "turned", "exhausted", "cards", "fighters")
    facts = {name: getattr(seat, name) for name in counts}
    facts |= {name: _listed(getattr(seat, name), say) for name in lists}
    lines = [say("seat", seat=seat.seat, coat=Label(f"coat_{seat.coat}"), status=Label(f"status_{status}"), **facts)]
    lines.append(say("seat_cards", **facts))
    return lines


def _dummy_lines(dummy: DummyView, say: Say) -> list[str]:
    facts = {space: _listed(getattr(dummy, space), say) for space in DUMMY_SPACES}
    facts |= {"noble": dummy.noble, "territories": _listed(dummy.territories, say), "card": dummy.card or say("nothing")}
    return [say("dummy", bars=dummy.bars, nuggets=dummy.nuggets, material=dummy.material, **facts)]


def _own_lines(own: OwnView, say: Say) -> list[str]:
    facts = {name: _listed(getattr(own, name), say) for name in ("hand", "tokens", "left", "right", "deck")}
    lines = [say("own", **facts)]
    return [*lines, say("own_placing", card=own.placing, side=Label(f"side_{own.side}"))] if own.placing else lines


def _faces(view: View, words: Words) -> list[str]:
    """The faces of everything in sight, each once; a card of a replaced pack has the words that the pack brings."""
    pages = words.sections["pages"]
    return [f"{words.name(thing)}: {pages[key]}" for thing in _in_sight(view) if (key := f"face_{thing}") in pages]


def _in_sight(view: View) -> list[str]:
    seen = [*view.market, *view.tops, *view.nobles, *view.used, *(space.enemy for space in view.spaces if space.enemy)]
    seen += [f"village_nugget_{view.villages[0]}", f"village_material_{view.villages[1]}"]
    seen += [card.card for card in view.combat.cards] if view.combat else []
    for seat in view.seats:
        seen += seat.cards + seat.played + seat.buildings + seat.fighters + seat.exhausted
    seen += view.own.tokens if view.own else ()
    seen += [f"{view.dummy.noble}_board"] if view.dummy else []
    return [thing for thing in dict.fromkeys(seen) if thing]
