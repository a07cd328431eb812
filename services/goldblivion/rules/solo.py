"""The turn of the Dummy Noble: his card, the powers of its space, and his conversion chart."""

from __future__ import annotations

from msgspec.structs import replace

from services.goldblivion.content import COUNTS, DUMMY_BONUSES, FACES, GOLD, NUMBERS, ROWS, SOLO, STRENGTHS
from services.goldblivion.content.effects import (
    DummyBars,
    DummyBurn,
    DummyConquer,
    DummyDice,
    DummyMagic,
    DummyMarket,
    DummyMaterial,
    DummyNuggets,
    DummyReveal,
    Effect,
)
from services.goldblivion.power_events import Goods
from services.goldblivion.rules.combat import enemy_at
from services.goldblivion.rules.gains import tell_last_round
from services.goldblivion.rules.market import refill
from services.goldblivion.rules.stack import Stack, advance
from services.goldblivion.solo_events import (
    Burned,
    DummyConquered,
    DummyDestroyed,
    DummyGained,
    DummyPaid,
    DummyPlaced,
    DummyRolled,
    DummyTook,
    TerritoryRevealed,
)
from services.goldblivion.state import GOLD_PLACES, Frame, Pending, State
from shared.kernel.dice import Dice
from shared.kernel.game import Table

TAKES, CONVERTS = 0, 2


def step(table: Table, stack: Stack, dice: Dice) -> Pending | None:
    """GB-641 to GB-650 One step of his turn, or the next power of a row."""
    frame = stack[-1]
    if frame.kind == "row":
        return _next_power(table, stack, dice)
    if frame.step == TAKES:
        return _take_card(table, stack, dice)
    stack.pop()
    convert(table)
    return None


def _take_card(table: Table, stack: Stack, dice: Dice) -> Pending | None:
    """GB-641 to GB-646 The die points at a Market space and gives no bonus; the space is refilled at once."""
    face = dice.roll()
    place = GOLD_PLACES[FACES[face - 1].slot]
    card = table.state.card_at(place)
    table.tell(DummyRolled((face,)))
    table.tell(DummyTook(place, card))
    refill(table, place)
    if table.state.stage == "over":  # GB-631: at once
        return None
    badges = tuple(dict.fromkeys(GOLD[card].badges))
    advance(stack)
    if len(badges) > 1:
        return Pending(table.state.turn, "dummy_space", card, badges, badges[0])
    place_card(table, stack, badges[0], dice)
    return None


def place_card(table: Table, stack: Stack, badge: str, _dice: Dice) -> None:
    """GB-645, GB-647, GB-648 Under a space, whose row of powers follows; twice from the 6th card on where the board says so."""
    dummy = table.state.dummy
    table.tell(DummyPlaced(dummy.card, badge))
    twice = SOLO[dummy.noble].double and len(table.state.dummy.under(badge)) >= NUMBERS.solo_double
    stack[-1] = replace(stack[-1], step=CONVERTS)
    stack.append(Frame("row", f"{dummy.noble}_{badge}", times=2 if twice else 1))


def _next_power(table: Table, stack: Stack, dice: Dice) -> Pending | None:
    """GB-647, GB-649, GB-709 From left to right; a chain without end is cut off."""
    frame = stack[-1]
    row = ROWS[frame.power]
    if frame.step == len(row):
        stack.pop()
        if frame.times > 1:
            stack.append(Frame("row", frame.power, times=frame.times - 1))
        return None
    effect = row[frame.step]
    if frame.left < 0:
        count = stack[0].count + 1
        if count > NUMBERS.most_activations:
            del stack[1:]
            return None
        stack[0] = replace(stack[0], count=count)
    pending = _ask(table.state, effect)
    if pending is not None:
        stack[-1] = replace(frame, left=1)
        return pending
    advance(stack)
    _carry_out(table, stack, effect, dice)
    return None


def _ask(state: State, effect: Effect) -> Pending | None:
    """GB-666 to GB-670 Which territory: the player chooses, where there is a choice."""
    assert state.dummy is not None
    match effect:
        case DummyReveal() if len(hidden := hidden_territories(state)) > 1:
            return Pending(state.turn, "reveal", state.dummy.noble, hidden, hidden[0])
        case DummyConquer() if len(open_ := open_territories(state)) > 1:
            return Pending(state.turn, "conquer", state.dummy.noble, open_, _cheapest(state, open_))
    return None


def hidden_territories(state: State) -> tuple[str, ...]:
    """GB-666, GB-667 Face down with an open side; if there is none, any that lies face down."""
    hidden = [(index, space) for index, space in enumerate(state.spaces) if space.tiles and not space.up]
    opened = tuple([space.id for index, space in hidden if state.open_sides(index)])
    return opened or tuple([space.id for _, space in hidden])


def open_territories(state: State) -> tuple[str, ...]:
    """GB-668, GB-669 Face up, or the visible Cow-Dragon."""
    return tuple([space.id for space in state.spaces if (space.up if space.tiles else space.cow)])


def _cheapest(state: State, targets: tuple[str, ...]) -> str:
    """D18 Fewest bars as reward, then the lowest strength, then the first."""

    def price(index: int) -> tuple[int, int]:
        tile = enemy_at(state, index)
        return sum(effect.n for effect in ROWS[tile] if isinstance(effect, DummyBars)), STRENGTHS[tile]

    indexes = [index for index, space in enumerate(state.spaces) if space.id in targets]
    return state.spaces[min(indexes, key=price)].id


def reveal(table: Table, stack: Stack, space: str, _dice: Dice) -> None:
    """GB-666."""
    advance(stack)
    _reveal(table, space)


def conquer(table: Table, stack: Stack, space: str, _dice: Dice) -> None:
    """GB-668."""
    advance(stack)
    _conquer(table, stack, space)


def _carry_out(table: Table, stack: Stack, effect: Effect, dice: Dice) -> None:  # noqa: C901 - one case per effect
    """GB-661 to GB-673 One power of his; what it sets off comes before the rest of its row."""
    match effect:
        case DummyNuggets(n=n, per=per):
            gain(table, "nuggets", n * badges_under(table.state, per))
        case DummyMaterial(n=n):
            gain(table, "material", n)
        case DummyBars(n=n):
            gain(table, "bars", n)
        case DummyDice(n=n, per=per):
            _roll(table, stack, n * badges_under(table.state, per), dice)
        case DummyMagic():
            stack.append(Frame("row", f"{table.state.dummy.noble}_magic", times=1))
        case DummyReveal():
            for space in hidden_territories(table.state):
                _reveal(table, space)
        case DummyConquer():
            for space in open_territories(table.state):
                _conquer(table, stack, space)
        case DummyMarket():
            destroy_rightmost(table)
        case DummyBurn(n=n):
            burn(table, n)


def badges_under(state: State, per: str) -> int:
    """GB-662, GB-663 Badges on the cards under the space of that badge; 1 where nothing is counted."""
    return sum(map(COUNTS[per].__getitem__, state.dummy.under(per))) if per and state.dummy else 1


def gain(table: Table, kind: Goods, n: int) -> None:
    """GB-652, GB-664 Without limit."""
    if not n:
        return
    before = table.state.most_bars() if kind == "bars" else 0
    table.tell(DummyGained(kind, n))
    if kind == "bars":
        tell_last_round(table, before)


def _roll(table: Table, stack: Stack, count: int, dice: Dice) -> None:
    """GB-661 Nuggets and material go to his board, the magic face carries out his magic powers."""
    if not count:
        return
    faces = tuple([dice.roll() for _ in range(count)])
    table.tell(DummyRolled(faces))
    for face in faces:
        for bonus in DUMMY_BONUSES[face - 1]:
            _carry_out(table, stack, bonus, dice)


def _reveal(table: Table, space: str) -> None:
    index = _index(table.state, space)
    table.tell(TerritoryRevealed(space, index, table.state.spaces[index].tiles[0]))


def _conquer(table: Table, stack: Stack, space: str) -> None:
    """GB-668, GB-669, GB-671 Without a fight; then its reward, as far as it is one for him."""
    index = _index(table.state, space)
    tile = enemy_at(table.state, index)
    table.tell(DummyConquered(space, index, tile))
    stack.append(Frame("row", tile, times=1))


def _index(state: State, space: str) -> int:
    return next(index for index, there in enumerate(state.spaces) if there.id == space)


def destroy_rightmost(table: Table) -> None:
    """GB-672."""
    place = GOLD_PLACES[-1]
    table.tell(DummyDestroyed(place, table.state.card_at(place)))
    refill(table, place)


def burn(table: Table, n: int) -> None:
    """GB-673 All the player has, if fewer."""
    n = min(n, table.state.boards[table.state.turn].nuggets)
    if n:
        table.tell(Burned(table.state.turn, n))


def convert(table: Table) -> None:
    """GB-650, GB-675 to GB-678 By his own chart, as many times as possible; leftovers stay."""
    chart = SOLO[table.state.dummy.noble]
    order: tuple[Goods, Goods] = ("material", "nuggets") if chart.material_first else ("nuggets", "material")
    for kind in order:
        rate = chart.material_rate if kind == "material" else chart.nugget_rate
        times = getattr(table.state.dummy, kind) // rate
        if times:
            table.tell(DummyPaid(kind, rate * times))  # type: ignore[arg-type]
            gain(table, *((chart.material_to, chart.material_gain * times) if kind == "material" else ("bars", times)))
