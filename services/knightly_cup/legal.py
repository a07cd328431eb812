"""What is each seat asked, what may it do now, and what does the clock answer for it?"""

from __future__ import annotations

from functools import lru_cache

from services.knightly_cup import commands
from services.knightly_cup.answers_legal import answers, safe_answer
from services.knightly_cup.offers_legal import (
    CLAIM,
    DIRECTION,
    END_TURN,
    FLIP,
    JUMP,
    STOP,
    WAIT,
    WAIVE,
    WITHDRAW,
    card_member,
    meetings,
    must_flip,
    place_member,
    suit_member,
    visits,
)
from services.knightly_cup.state import DIRECTIONS, SUITS, Offer, State, exits, free_spots
from shared.kernel.choices import Choice, Label, One
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
    """KC-309 Elves are part of the own turn; every other answer has a clock of its own."""
    pending = state.pending
    assert pending is not None
    tag = str(pending.__struct_config__.tag)
    if tag in ANSWERS:
        return ANSWERS[tag]
    return _turn(state.round, seat, tag, state.turn.moves)


def legal(state: State, seat: Seat) -> tuple[Choice, ...]:
    """The choices of a seat; the host and an audience have none."""
    if seat < 0 or state.stage == "over":
        return NO_CHOICE
    match state.stage:
        case "aces":
            return _aces(tuple([knight.suit for knight in state.knights])) if seat == _next_to_choose(state) else NO_CHOICE
        case "laying":
            return _layings(state, seat) if seat == state.turn.seat else NO_CHOICE
    pending = state.pending
    if pending is not None and pending.seat == seat:
        return answers(state, seat)
    knight = state.knights[seat]
    if knight.resigned:
        return NO_CHOICE
    if pending is None and seat == state.turn.seat:
        return _walking(state) if state.stage == "walk" else _landed(state)
    withdraw = isinstance(pending, Offer) and pending.by == seat
    return _ASYLUM[withdraw, knight.wish]


def default(state: State, seat: Seat) -> Command:
    """KC-308, KC-915 The safe answer; an ace, a card laid and the elves' hiding place are drawn when the time has run out."""
    if state.pending is not None:
        return safe_answer(state, seat)
    match state.stage:
        case "walk":
            return commands.Stop()
        case "land" if must_flip(state):
            return commands.Flip()
        case "land":
            return commands.EndTurn()
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
        choices.append(JUMP[toll > 0])
    return (*choices, STOP, WAIVE if claims else CLAIM)


def _landed(state: State) -> tuple[Choice, ...]:
    """KC-401, KC-408, KC-409, KC-413, KC-414 In any order she likes."""
    met = state.met()
    meets = meetings(state, met, barred=False) if met else NO_CHOICE
    calls = visits(state)
    toll = state.toll() if state.exit() >= 0 else -1
    ends = _ends(must_flip(state), toll, state.knights[state.turn.seat].wish)
    return (*meets, *calls, *ends)


@lru_cache(maxsize=64)
def _ends(flips: bool, toll: int, claims: bool) -> tuple[Choice, ...]:  # noqa: FBT001 - keys of the cache
    first = (FLIP,) if flips else ()
    jump = (JUMP[toll > 0],) if toll >= 0 else ()
    return (*first, *jump, END_TURN, WAIVE if claims else CLAIM)


@lru_cache(maxsize=4096)
def _turn(round_: int, seat: Seat, stage: str, moves: int) -> Question:
    """KC-308, KC-309 All own decisions of a turn share one clock."""
    return Question("turn", "KC-303", f"{round_}.{seat}", facts={"doing": stage, "moves": moves})


_ASYLUM = {
    (withdraw, claims): (*((WITHDRAW,) if withdraw else ()), WAIVE if claims else CLAIM)
    for withdraw in (False, True)
    for claims in (False, True)
}
