"""What happens before the first turn?"""

from __future__ import annotations

from services.golden_goal import content
from services.golden_goal.events import (
    BoardLaid,
    CapitalPaid,
    ColoursPicked,
    DecksShuffled,
    FirstPlayerFound,
    ThrewForFirst,
    TileDealt,
    TileSetAside,
    TurnCame,
)
from services.golden_goal.state import COLOURS, ROLES, Board, Column, Options, Square, nation_of
from shared.kernel.dice import Dice
from shared.kernel.game import Seat, Table


def setup(table: Table, seats: int, options: Options, dice: Dice) -> None:
    """GG-101 to GG-117."""
    table.tell(BoardLaid(board_of(options)))
    table.tell(ColoursPicked(colours_of(seats, options.colours)))
    table.tell(CapitalPaid(content.ECONOMY.capital[str(seats)]))
    deal_tiles(table, seats, dice)
    shuffle_decks(table, dice)
    first = find_first(table, seats, dice)
    table.tell(FirstPlayerFound(first))
    table.tell(TurnCame(first, 1))


def board_of(options: Options) -> Board:
    """GG-121 The printed board, with the numbers of the length that was picked."""
    length, economy, results = content.length(options.length), content.ECONOMY, content.BASE.results
    return Board(
        squares=tuple(Square(place.kind, place.what) for place in content.BASE.board.squares),
        tiles=content.IN_ORDER,
        goals={tile: content.TILES[tile].goal_actions for tile in content.IN_ORDER},
        prices={tile: content.price(tile) for tile in content.IN_ORDER},
        columns=tuple(Column(column.number, column.green, column.yellow, column.red) for column in results.columns),
        x=results.x,
        target=length.target,
        thresholds=length.cups,
        cap=length.match_cap,
        bank=economy.bank if options.finite_bank else 0,
        tokens=economy.tokens,
        token_sold=economy.token_sold,
        raise_by=economy.raise_by,
    )


def colours_of(seats: int, wishes: tuple[str, ...]) -> tuple[str, ...]:
    """GG-102 What was picked, if it is free; then the first free colour."""
    colours: list[str] = []
    for seat in range(seats):
        wish = wishes[seat] if seat < len(wishes) else ""
        free = [colour for colour in COLOURS if colour not in colours and (colour == wish or colour not in wishes[:seats])]
        colours.append(wish if wish in free else (free or [colour for colour in COLOURS if colour not in colours])[0])
    return tuple(colours)


def deal_tiles(table: Table, seats: int, dice: Dice) -> None:
    """GG-107, GG-110 Attack first, then midfield, then defence; one tile to each player in seat order, then the next."""
    due = content.ECONOMY.tiles[str(seats)]
    for role in reversed(ROLES):
        stack = dice.shuffled(tile for tile in sorted(content.TILES) if content.TILES[tile].role == role)
        for _ in range(due.count(role)):
            for seat in range(seats):
                stack = deal_tile(table, seat, stack, dice)


def deal_tile(table: Table, seat: Seat, stack: tuple[str, ...], dice: Dice) -> tuple[str, ...]:
    """GG-109, GG-110 A tile of a nation the player has is set aside, the next one dealt, and what was set aside shuffled back."""
    nations = {nation_of(tile) for tile in table.state.players[seat].tiles}
    place = next(place for place, tile in enumerate(stack) if nation_of(tile) not in nations)
    for tile in stack[:place]:
        table.tell(TileSetAside(seat, tile))
    table.tell(TileDealt(seat, stack[place]))
    rest = stack[:place] + stack[place + 1 :]
    return dice.shuffled(sorted(rest)) if place else rest


def shuffle_decks(table: Table, dice: Dice) -> None:
    """GG-114."""
    football = dice.shuffled(sorted(card.id for card in content.BASE.events_football.cards))
    non_football = dice.shuffled(sorted(card.id for card in content.BASE.events_non_football.cards))
    table.tell(DecksShuffled((len(football), len(non_football)), football, non_football))


def find_first(table: Table, seats: int, dice: Dice) -> Seat:
    """GG-115, GG-116 The highest total; whoever is tied for it throws again."""
    tied = tuple(range(seats))
    while len(tied) > 1:
        totals = {seat: dice.roll() + dice.roll() for seat in tied}
        for seat, total in totals.items():
            table.tell(ThrewForFirst(seat, total))
        tied = tuple(seat for seat in tied if totals[seat] == max(totals.values()))
    return tied[0]
