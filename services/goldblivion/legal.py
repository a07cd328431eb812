"""What is each seat asked, what may it do now, and what is the safe answer?"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from services.goldblivion import commands
from services.goldblivion.choices_legal import (
    BAR,
    END,
    PASS,
    buildings,
    buys,
    developments,
    nobles,
    offered,
    plays,
    tokens,
    villages,
)
from services.goldblivion.content import BUILDINGS, NUMBERS, POWERS, PRICES, VILLAGES, in_order
from services.goldblivion.state import GOLD_PLACES, PILES, SIDES, Board, Pending, State
from shared.kernel.choices import Choice
from shared.kernel.game import Command, Question, Seat

CLAUSES = {
    "option": "GB-227",
    "pay": "GB-357",
    "times": "GB-356",
    "destroy": "GB-395",
    "marker": "GB-527",
    "character": "GB-391",
    "combat_card": "GB-393",
    "reactivate": "GB-398",
    "enemy": "GB-443",
    "combat": "GB-471",
    "copy": "GB-480",
    "lose_card": "GB-502",
    "dummy_space": "GB-646",
    "reveal": "GB-666",
    "conquer": "GB-668",
}
SHOWN = {"destroy", "marker", "character", "combat_card"}  # questions about what lies at a place of the Market


def question(state: State, seat: Seat) -> Question | None:
    """GB-701 What a seat is asked; a choice for Development may be changed, and nobody waits for that."""
    if state.stage == "development":
        board = state.boards[seat]
        return None if board.gone or not board.hand else _develop(state.round, not board.placing)
    if seat != state.turn:
        return None
    pending = state.pending
    if pending is not None:
        return _pending(pending.question, pending.about, _whereabouts(state))
    match state.stage:
        case "draft":
            return _NOBLE
        case "actions":
            return _turn(state.round, state.boards[seat].turns)
    return None


def legal(state: State, seat: Seat) -> tuple[Choice, ...]:
    """GB-701 The choices of a seat."""
    if state.stage == "development" and seat >= 0:
        board = state.boards[seat]
        return () if board.gone or not board.hand else developments(board.hand)
    if seat != state.turn:
        return ()
    pending = state.pending
    if pending is not None:
        shown = tuple(map(state.card_at, _places(pending))) if pending.question in SHOWN else ()
        return offered(pending.question, pending.about, pending.targets, shown)
    match state.stage:
        case "draft":
            return nobles(state.nobles)
        case "actions":
            return tuple(_actions(state, state.boards[seat]))
    return ()


def default(state: State, seat: Seat) -> Command:
    """GB-704 The default of the Decisions table."""
    board = state.boards[seat]
    if state.stage == "development":
        return commands.Develop(in_order(board.hand)[0], "left")
    pending = state.pending
    if pending is not None:
        return ANSWERS[pending.question](pending.default)
    if state.stage == "draft":
        return commands.ChooseNoble(in_order(state.nobles)[0])
    if state.actions >= _most_actions(state):
        return commands.EndTurn()
    return commands.PlayCard(in_order(board.hand)[0]) if state.dummy and board.hand else commands.Pass()


def _actions(state: State, board: Board) -> list[Choice]:
    """GB-203 to GB-206, GB-281 to GB-284 Main actions as long as there are any left, and free actions."""
    choices: list[Choice] = []
    left = state.actions < _most_actions(state)
    if left:
        _offer_main_actions(state, board, choices)
    if state.activations < NUMBERS.most_activations:
        if len(board.turned) < len(board.buildings):
            upright = [card for card in board.buildings if card not in board.turned]
            choices += buildings(tuple([(card, _payable(board, card)) for card in upright]))
        if board.tokens:
            choices += tokens(tuple([(token, _payable(board, token)) for token in board.tokens]))
    if board.nuggets >= NUMBERS.bar_price:
        choices.append(BAR)
    if not left:
        choices.append(END)
    elif not (state.dummy and board.hand):  # GB-617
        choices.append(PASS)
    return choices


def _offer_main_actions(state: State, board: Board, choices: list[Choice]) -> None:
    """GB-221, GB-231, GB-261, GB-710 In a turn too many, nothing but passing is left (in solo: playing a card)."""
    late = board.turns > NUMBERS.most_turns
    if board.hand and (state.dummy or not late):
        choices.append(plays(board.hand))
    if late:
        return
    wares = _affordable(state, board)
    if wares:
        choices.append(buys(wares))
    usable = _usable(state.villages, board.nuggets, board.material)
    if usable:
        choices.append(villages(usable))


def _affordable(state: State, board: Board) -> tuple[tuple[str, str], ...]:
    """GB-231 to GB-233, GB-238, GB-239, GB-241 What the seat can pay; no second copy of a Building."""
    nuggets, material = board.nuggets, board.material
    wares = []
    for place, card in zip(GOLD_PLACES, state.market, strict=True):
        if card in BUILDINGS:
            if PRICES[card] <= material and card not in board.buildings:
                wares.append((place, card))
        elif card and PRICES[card] <= nuggets:
            wares.append((place, card))
    for place, pile in zip(PILES, state.armies, strict=True):
        if pile and PRICES[pile[0]] <= nuggets:
            wares.append((place, pile[0]))
    return tuple(wares)


@lru_cache(maxsize=8192)
def _usable(sides: tuple[str, str], nuggets: int, material: int) -> tuple[tuple[str, str], ...]:
    """GB-261, GB-262 The villages that can be paid, with the powers that are up."""
    powers = ((place, f"{VILLAGES[place].id}_{side}") for place, side in zip(SIDES, sides, strict=True))
    return tuple(entry for entry in powers if _within(entry[1], nuggets, material))


def _payable(board: Board, power: str) -> tuple[int, ...]:
    """GB-262, GB-303, GB-312 The options that the seat can pay, counted from 1."""
    return _within(power, board.nuggets, board.material)


@lru_cache(maxsize=8192)
def _within(power: str, nuggets: int, material: int) -> tuple[int, ...]:
    held = {"nuggets": nuggets, "material": material}
    return tuple(n for n, one in enumerate(POWERS[power], 1) if one.cost is None or held[one.cost.kind] >= one.cost.n)


def _most_actions(state: State) -> int:
    """GB-202, GB-612."""
    return NUMBERS.solo_main_actions if state.dummy else NUMBERS.main_actions


def _places(pending: Pending) -> tuple[str, ...]:
    return tuple(target for target in pending.targets if target in GOLD_PLACES or target in PILES)


def _whereabouts(state: State) -> str:
    """PL-283 What tells two questions of one name apart: how far the powers have come; each has a clock of its own."""
    first, frame = state.stack[0], state.stack[-1]
    return f"{state.round}.{state.activations}.{first.count}.{frame.times}.{frame.step}.{frame.left}"


def _choose_option(target: str) -> Command:
    return commands.ChooseOption(int(target))


def _pay(target: str) -> Command:
    return commands.Pay() if target == "pay" else commands.Decline()


def _pay_times(target: str) -> Command:
    return commands.PayTimes(int(target))


def _destroy(target: str) -> Command:
    return commands.RemoveNugget() if target == "nugget" else commands.DestroyCard(target)


def _combat_card(target: str) -> Command:
    if target.startswith("steal_"):
        return commands.Steal(int(target.removeprefix("steal_")))
    return commands.TakeNothing() if target == "none" else commands.TakeCombatCard(target)


def _resolve(target: str) -> Command:
    card, _, option = target.partition(":")
    return commands.ResolveCard(card, int(option)) if option else commands.FinishCombat()


def _copy(target: str) -> Command:
    card, _, option = target.partition(":")
    return commands.CopyCard(card, int(option)) if option else commands.CopyNothing()


ANSWERS: dict[str, Callable[[str], Command]] = {
    "option": _choose_option,
    "pay": _pay,
    "times": _pay_times,
    "destroy": _destroy,
    "marker": _destroy,
    "character": commands.TakeCharacter,
    "combat_card": _combat_card,
    "reactivate": commands.Reactivate,
    "enemy": commands.ChooseEnemy,
    "combat": _resolve,
    "copy": _copy,
    "lose_card": commands.LoseCard,
    "dummy_space": commands.PlaceUnder,
    "reveal": commands.RevealTerritory,
    "conquer": commands.LetConquer,
}

_NOBLE = Question("noble", "GB-153", clock="noble")


@lru_cache(maxsize=4096)
def _develop(round_: int, needed: bool) -> Question:  # noqa: FBT001 - a key of the cache
    return Question("develop", "GB-181", str(round_), needed=needed, clock="develop", facts={"round": round_})


@lru_cache(maxsize=16384)
def _turn(round_: int, turns: int) -> Question:
    return Question("turn", "GB-203", f"{round_}.{turns}", clock="turn", facts={"round": round_})


@lru_cache(maxsize=16384)
def _pending(name: str, about: str, place: str) -> Question:
    clock = "combat" if name == "combat" else "choice"
    return Question(name, CLAUSES[name], place, clock=clock, facts={"card": about})
