"""What happens before the first campaign?"""

from __future__ import annotations

from functools import cache

from services.golden_cup import content
from services.golden_cup.events import (
    AutomaJoined,
    BoardsLaid,
    ChampionsDrawn,
    DeckShuffled,
    SupportersOffered,
    SupportersShuffled,
    TilesDealt,
)
from services.golden_cup.state import INDEX, LEVELS, NO_TOKENS, Options, Printed, moved
from shared.kernel.dice import Dice
from shared.kernel.game import Table

PRINTED = Printed(
    faces=content.BOARD.slots,
    end_space=content.BOARD.field.end_space,
    stadium_coins=content.BOARD.stadium_coins,
    stadium_cost=content.BOARD.stadium_cost,
    win_bonus=content.BOARD.scout_win_bonus,
    finance_fame=content.BOARD.finance_fame,
)


def setup(table: Table, seats: int, options: Options, dice: Dice) -> None:
    """GC-103 to GC-122 Boards, the Automa, tiles, decks, hands, supporters."""
    table.tell(boards())
    if seats % 2:
        table.tell(automa(seats, options, dice))
    table.tell(tiles(seats, dice))
    for level in LEVELS:
        cards = deck_of(level)
        table.tell(DeckShuffled(level, len(cards), dice.shuffled(cards)))
    for seat in range(seats):
        hand = table.state.decks[0].cards[: content.BOARD.hand]
        table.tell(ChampionsDrawn(seat, LEVELS[0], len(hand), hand))
    supporters = dice.shuffled(sorted(content.BASE.supporters))
    table.tell(SupportersShuffled(len(supporters), supporters))
    for seat in range(seats):
        table.tell(SupportersOffered(seat, tuple(sorted(supporters[2 * seat : 2 * seat + 2]))))


@cache
def boards() -> BoardsLaid:
    """GC-106, GC-122 The same for every seat."""
    start = counted(content.BASE.tokens.start)
    whole = (*content.BASE.tokens.attack, *content.BASE.tokens.defense)
    supply = tuple(all_ - team for all_, team in zip(whole, start, strict=True))
    return BoardsLaid(PRINTED, start, supply, content.BOARD.start_fame, content.BOARD.start_space)


@cache
def deck_of(level: str) -> tuple[str, ...]:
    """GC-116 The cards of a deck, before it is shuffled."""
    return tuple(sorted(name for name, champion in content.CHAMPIONS.items() if champion.deck == level))


def automa(seats: int, options: Options, dice: Dice) -> AutomaJoined:
    """GC-601 to GC-605, GC-643 to GC-645 Its start tokens and some by lot; others wait on the Championship board."""
    printed = content.BASE.automa
    level = options.level
    drawn = list(dice.shuffled(sorted(printed.pool)))
    team = (*printed.start, *(drawn.pop() for _ in range(printed.draw_to_team)))
    spaces: list[tuple[str, ...]] = [()] * 6
    for space in (*printed.board_spaces, *printed.extra[level]):
        spaces[space - 1] = (*spaces[space - 1], drawn.pop())
    fame, scout = (content.BOARD.start_fame, LEVELS.index(printed.scout[level])) if seats == 1 else (0, 0)
    return AutomaJoined(seats, counted(team), tuple(spaces), fame, scout)


def tiles(seats: int, dice: Dice) -> TilesDealt:
    """GC-110 to GC-112 One tile for every team, the Automa included."""
    tag = ("1-2", "3-4", "5-6")[(seats - 1) // 2]
    all_ = content.BASE.match_tiles
    dealt = dice.shuffled(sorted(name for name, tile in all_.items() if tile.tag in {"1-6", tag}))
    return TilesDealt(dealt, tuple(all_[name].fields for name in dealt))


def counted(tokens: tuple[str, ...]) -> tuple[int, ...]:
    """Tokens as counts per value."""
    counts: tuple[int, ...] = NO_TOKENS
    for token in tokens:
        assert token in INDEX
        counts = moved(counts, token, 1)
    return counts


def seats_for(options: Options) -> range:
    """GC-101, GC-584, GC-641 One to six; a level is chosen for solo play only; the youngest must have a seat."""
    if options.level != "amateur":
        return range(1, 2)
    return range(1 if options.youngest_seat is None else options.youngest_seat + 1, 7)
