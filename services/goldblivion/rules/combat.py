"""The Combat: whom to fight, which cards are drawn and in which order they act, win or loss."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from services.goldblivion.content import COW, ORDER, POWERS, STRENGTHS
from services.goldblivion.content.effects import Copy, Fight, Option, Strength
from services.goldblivion.power_events import CardLost, ChoseEnemy, CombatEnded, Copied, DrewArmy, Lost, Resolved, Won
from services.goldblivion.rules.stack import Stack, advance, frame_of, payable
from services.goldblivion.state import Combat, Pending, State
from shared.kernel.game import Table

FINISH = "finish"
NOTHING = "none"
ASKING, CLOSING = 0, 1


def fight(table: Table, stack: Stack) -> Pending | None:
    """GB-404, GB-441, GB-442 From the choice of the enemy to the end; a Combat within a Combat cannot be (GB-352)."""
    if table.state.combat is not None and stack[-1].left >= ASKING:
        return _fight_on(table, stack)
    targets = enemies(table.state) if table.state.combat is None else ()
    if len(targets) > 1:
        return Pending(table.state.turn, "enemy", stack[-1].power, targets, _weakest(table.state))
    if targets:
        meet(table, stack, targets[0])
    else:
        advance(stack)
    return None


def enemies(state: State) -> tuple[str, ...]:
    """GB-443, GB-446, GB-447, GB-511 What lies face up, and face-down territories with an open side."""
    spaces = enumerate(state.spaces)
    return tuple([space.id for n, space in spaces if (space.up or state.open_sides(n) > 0 if space.tiles else space.cow)])


def enemy_at(state: State, index: int) -> str:
    """GB-511 The upper tile; the Cow-Dragon where it has been uncovered."""
    tiles = state.spaces[index].tiles
    return tiles[0] if tiles else COW


def _weakest(state: State) -> str:
    """D11 The weakest enemy that lies face up, else the first territory that lies face down."""
    targets = enemies(state)
    seen = [space for space in state.spaces if space.id in targets and (space.up or not space.tiles)]
    if not seen:
        return targets[0]
    return min(seen, key=lambda space: STRENGTHS[enemy_at(state, state.spaces.index(space))]).id


def meet(table: Table, stack: Stack, space: str) -> None:
    """GB-444, GB-461, GB-464 The tile is turned up, and a card drawn for each open side and by the power itself."""
    frame, state = stack[-1], table.state
    index = next(index for index, there in enumerate(state.spaces) if there.id == space)
    enemy = enemy_at(state, index)
    effect = POWERS[frame.power][frame.option - 1].effects[frame.step]
    assert isinstance(effect, Fight)
    table.tell(ChoseEnemy(state.turn, space, index, enemy, STRENGTHS[enemy], effect.plus))
    draw_army(table, state.open_sides(index) + effect.draw)
    stack[-1] = replace(frame, left=ASKING)


def draw_army(table: Table, n: int) -> None:
    """GB-405, GB-462, GB-463, GB-475 Face up; when the Combat deck runs out, the draw stops."""
    seat = table.state.turn
    cards = table.state.boards[seat].army[:n]
    if cards:
        table.tell(DrewArmy(seat, cards))


def _fight_on(table: Table, stack: Stack) -> Pending | None:
    """GB-471, GB-474 Ask for the next card; once the player has finished, the rest acts in the order drawn."""
    combat = table.state.combat
    if combat.lost:
        return _lose_card(table, stack)
    if stack[-1].left == CLOSING:
        rest = next((card.card for card in combat.cards if not card.done and is_automatic(card.card)), None)
        if rest is not None:
            resolve(table, stack, f"{rest}:1")
            return None
    undecided = next((card.card for card in combat.cards if not card.done and len(POWERS[card.card]) > 1), None)
    if stack[-1].left == CLOSING and undecided is None:
        return _decide(table, stack)
    targets = tuple(_resolvable(table.state, combat))
    if undecided is None:
        default, targets = FINISH, (*targets, FINISH)
    else:
        default = f"{undecided}:{0 if POWERS[undecided][0].cost else 1}"
    if targets == (FINISH,):
        return _decide(table, stack)
    stack[-1] = replace(stack[-1], left=ASKING)
    return Pending(table.state.turn, "combat", combat.enemy, targets, default)


def is_automatic(card: str) -> bool:
    """GB-474 Without cost, choice or copy."""
    options = POWERS[card]
    return len(options) == 1 and options[0].cost is None and not _copies(card)


def _resolvable(state: State, combat: Combat) -> Iterator[str]:
    """GB-471 to GB-473, GB-483 Open cards with the powers they can act with; a card with two may be left unpaid."""
    for card in dict.fromkeys(card.card for card in combat.cards if not card.done):
        options = POWERS[card]
        if _copies(card) and not _copyable(state, combat, card):
            continue
        yield from (f"{card}:{number}" for number, option in enumerate(options, 1) if payable(state, option.cost))
        if len(options) > 1 and any(option.cost for option in options):
            yield f"{card}:0"


def _copies(card: str) -> bool:
    return any(isinstance(effect, Copy) for option in POWERS[card] for effect in option.effects)


def resolve(table: Table, stack: Stack, target: str) -> None:
    """GB-471 to GB-473 The card acts, with the power chosen; 0 leaves it unpaid, and it adds nothing."""
    card, _, option = target.partition(":")
    index = next(index for index, there in enumerate(table.state.combat.cards) if there.card == card and not there.done)
    table.tell(Resolved(table.state.turn, card, index))
    if option != "0":
        stack.append(frame_of("combat", card, index, int(option)))


def finish(stack: Stack) -> None:
    """GB-474."""
    stack[-1] = replace(stack[-1], left=CLOSING)


def ask_copy(table: Table, stack: Stack) -> Pending | None:
    """GB-480 to GB-484 Another card of this Combat that cannot copy itself and has not been sacrificed."""
    combat, seat = table.state.combat, table.state.turn
    own = combat.cards[stack[-1].card].card
    targets = tuple(_copyable(table.state, combat, own))
    if targets:
        return Pending(seat, "copy", own, (*targets, NOTHING), NOTHING)
    advance(stack)
    return None


def _copyable(state: State, combat: Combat, own: str) -> list[str]:
    cards = dict.fromkeys(card.card for card in combat.cards if card.card != own and not card.gone and not _copies(card.card))
    return [f"{card}:{number}" for card in cards for number, option in enumerate(POWERS[card], 1) if payable(state, option.cost)]


def copy(table: Table, stack: Stack, target: str) -> None:
    """GB-480, GB-482 The copying card acts with the other one's power."""
    index = stack[-1].card
    advance(stack)
    if target == NOTHING:
        return
    card, _, option = target.partition(":")
    table.tell(Copied(table.state.turn, card))
    stack.append(frame_of("combat", card, index, int(option)))


def _decide(table: Table, stack: Stack) -> Pending | None:
    """GB-477, GB-485, GB-491 to GB-496, GB-501 The winner keeps the territory and then gains its reward."""
    seat, combat = table.state.turn, table.state.combat
    space = table.state.spaces[combat.space].id
    if combat.strength < combat.needs:
        table.tell(Lost(seat, space, combat.enemy, combat.strength))
        return _lose_card(table, stack)
    table.tell(Won(seat, space, combat.enemy, combat.strength))
    end(table, stack)
    stack.append(frame_of("tile", combat.enemy))
    return None


def _lose_card(table: Table, stack: Stack) -> Pending | None:
    """GB-502 to GB-504, GB-506 One card of this Combat goes to the box, if there is one left."""
    used = tuple(dict.fromkeys(card.card for card in table.state.combat.cards if not card.gone))
    if len(used) > 1:
        return Pending(table.state.turn, "lose_card", table.state.combat.enemy, used, min(used, key=_printed_strength))
    if used:
        lose(table, stack, used[0])
    else:
        end(table, stack)
    return None


def _printed_strength(card: str) -> tuple[int, int]:
    """D14 The lowest strength first, then the order of the files."""
    return max(map(_strength, POWERS[card])), ORDER[card]


def _strength(option: Option) -> int:
    return sum(effect.n for effect in option.effects if isinstance(effect, Strength))


def lose(table: Table, stack: Stack, card: str) -> None:
    """GB-502."""
    index = next(index for index, there in enumerate(table.state.combat.cards) if there.card == card and not there.gone)
    table.tell(CardLost(table.state.turn, card, index))
    end(table, stack)


def end(table: Table, stack: Stack) -> None:
    """GB-465, GB-495 The cards stay in the Combat area; the power that started the Combat goes on."""
    table.tell(CombatEnded(table.state.turn))
    advance(stack)
