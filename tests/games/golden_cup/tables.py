"""Small tables to try a rule on: a stage of the game with as little as possible around it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from services.golden_cup import content
from services.golden_cup.content import counting
from services.golden_cup.content.shapes import Champion, Effect
from services.golden_cup.game import GAME
from services.golden_cup.rules import fixtures, sides, turn
from services.golden_cup.setup import counted
from services.golden_cup.state import SLOTS, State
from shared.kernel.dice import Dice, LoadedDice
from shared.kernel.game import Command, Event, Refused, Seat, Table
from shared.kernel.match import begin, play

KEY = b"tables"
WHOLE = (4, 4, 3, 3, 4, 4, 3, 2)
ANYWHERE = "purple"
BREAK = (-1, "")


def dice(*rolls: int) -> Dice:
    return LoadedDice(rolls, KEY)


def opened(seats: int = 2, **options: Any) -> State:
    """Supporters are about to be chosen."""
    return begin(GAME, seats, GAME.read_options(options), Dice(KEY, "opened|"))[0].state


def tokens(*names: str) -> dict[str, tuple[int, ...]]:
    """These team tokens, and the rest of the mix in the supply."""
    team = counted(names)
    return {"tokens": team, "supply": tuple(all_ - own for all_, own in zip(WHOLE, team, strict=True))}


def team(state: State, seat: Seat, *champions: str, **changes: Any) -> State:
    """A seat with these champions in its team; wherever a named card lay before, it is there no more."""
    wanted = {*champions, *changes.get("hand", ())}
    decks = tuple(replace(deck, cards=tuple(card for card in deck.cards if card not in wanted)) for deck in state.decks)
    hands = [tuple(card for card in each.hand if card not in wanted) for each in state.teams]
    state = replace(state, decks=decks, teams=tuple(replace(t, hand=h) for t, h in zip(state.teams, hands, strict=True)))
    return state.with_team(seat, **({"champions": champions} if champions else {}), **changes)


def at(stage: str, seats: int = 2, round: int = 1, **options: Any) -> State:  # noqa: A002
    """A stage of some round; everybody has kept the first supporter."""
    state = opened(seats, **options)
    for seat in range(seats):
        state = state.with_team(seat, supporter=state.teams[seat].offered[0])
    return replace(state, stage=stage, round=round)


def campaign(*champions: str, coins: int = 12, seats: int = 2, round: int = 1, **changes: Any) -> State:  # noqa: A002
    """A campaign in which seat 0 has these champions and coins; the others have coins too."""
    state = at("campaign", seats, round)
    for other in range(1, seats):
        state = state.with_team(other, coins=4)
    return team(state, 0, *champions, coins=coins, **changes)


def do(state: State, seat: Seat, command: Command, *rolls: int) -> State:
    return play(GAME, state, seat, command, dice(*rolls))[0]


def told(state: State, seat: Seat, command: Command, *rolls: int) -> list[Event]:
    return list(play(GAME, state, seat, command, dice(*rolls))[1])


def kinds(events: Sequence[Event]) -> list[str]:
    return [event.what for event in events]


def refusal(state: State, seat: Seat, command: Command) -> str:
    try:
        play(GAME, state, seat, command, dice())
    except Refused as refused:
        return refused.code
    return ""


def offered(state: State, seat: Seat) -> list[str]:
    return [str(choice.do.__struct_config__.tag) for choice in GAME.legal(state, seat)]


def members(state: State, seat: Seat, kind: str, field: str) -> list[str | int]:
    """What a field of a choice may be."""
    choice = next(choice for choice in GAME.legal(state, seat) if choice.do.__struct_config__.tag == kind)
    return [member.value for member in choice.fields[field].of]  # type: ignore[union-attr]


def asked(state: State) -> list[Seat]:
    return [seat for seat in state.seats() if GAME.question(state, seat) is not None]


def advanced(state: State, *rolls: int) -> tuple[State, list[Event]]:
    """What follows by itself."""
    table = Table(state)
    turn.advance(table, dice(*rolls))
    return table.state, table.events


def in_slots(state: State, seat: Seat, **slots: str) -> State:
    """A line-up: `s4="blob"` stands in slot 4+; others of the team are on the bench."""
    return state.with_team(seat, line_up=tuple(slots.get(f"s{slot}", "") for slot in SLOTS))


def pitch(*own: str, other: Sequence[str] = (), round: int = 1, stage: str = "fixtures") -> State:  # noqa: A002
    """Two teams without hands before a match: seat 0 with `own` champions, seat 1 with `other`."""
    state = at(stage, 2, round)
    return team(team(state, 0, *own), 1, *other)


def drawn(state: State, *draws: Any) -> tuple[State, list[Event]]:
    """A match in which these tokens are drawn first: `(seat, token, faces...)` or BREAK; nothing else is in the bag but Breaks."""
    for seat in (0, 1):
        state = state.with_team(seat, tokens=counted(tuple(draw[1] for draw in draws if draw[0] == seat)))
    bag = fixtures.filled(state, (0, 1))
    rolls: list[int] = []
    for seat, token, *faces in draws:
        place = bag.index((seat, token))
        bag.pop(place)
        rolls += [place, *faces]
    table = Table(state)
    fixtures.play(table, ANYWHERE, (0, 1), dice(*rolls), first=True)
    return table.state, table.events


def last(events: Sequence[Event], what: str) -> Any:
    """The last event of a kind."""
    return [event for event in events if event.what == what][-1]


def printed(monkeypatch: pytest.MonkeyPatch, name: str, *effects: Effect) -> None:
    """A card with other effects, as a pack of an operator might have it."""
    card: Champion = replace(content.CHAMPIONS[name], effects=effects)
    monkeypatch.setitem(content.CHAMPIONS, name, card)
    forget()


def forget() -> None:
    """What cards do is remembered by name; a test that prints another card must not leave that behind."""
    for remembered in (counting.applied, counting.income, counting._with_trigger, counting._of_type, sides._side):
        remembered.cache_clear()
