"""Writing the names: who writes how many, what a substitute is, what happens when two are equal?"""

from __future__ import annotations

from itertools import groupby

from services.champions import content
from services.champions.commands import WipeName, WriteName
from services.champions.content.naming import plain, plain_all
from services.champions.events import Opened
from services.champions.name_events import Clashed, Compared, Filled, NamesShown, Placed, TilesShared, Unapproved, Wiped, Wrote
from services.champions.state import NOBODY, READY, SECRET_STAGES, TILES, State
from shared.kernel.dice import Dice
from shared.kernel.game import Seat, Table


def share_tiles(table: Table, round_: int, dice: Dice) -> None:
    """CH-121, CH-122, CH-343, CH-523 As equally as possible; who had fewer gets the extra ones first, lots decide among equals."""
    state: State = table.state
    writers = state.staying()
    nominated = state.options.nominated()
    shares = [0] * len(state.boards)
    if writers:
        least, extra = divmod(TILES - nominated, len(writers))
        before = state.first_shares or shares
        lots = sorted(dice.shuffled(writers), key=lambda seat: before[seat])
        for place, seat in enumerate(lots):
            shares[seat] = least + (place < extra)
    table.tell(TilesShared(round_, tuple(shares), nominated))


def write_name(table: Table, seat: Seat, command: WriteName, _dice: Dice) -> None:
    """CH-123, CH-128, CH-164 On one of the own tiles; with the last of them the seat is ready, but never openly in a replacement."""
    state: State = table.state
    own = state.own_tiles(seat)
    index = own[command.tile - 1]
    last = all(state.tiles[other].name for other in own if other != index)
    news = last and state.ready[seat] != READY and state.stage not in SECRET_STAGES
    table.tell(Wrote(seat, index, command.name, news))


def wipe_name(table: Table, seat: Seat, command: WipeName, _dice: Dice) -> None:
    """CH-128 Until all are ready a written tile can be wiped."""
    table.tell(Wiped(seat, table.state.own_tiles(seat)[command.tile - 1]))


def writing_over(state: State) -> bool:
    """CH-128 All are ready; a crowd's host or the clock ends it where nobody has a seat (CH-524)."""
    return 0 not in state.ready and (bool(state.boards) or state.clock_out)


def rewriting_over(state: State) -> bool:
    """CH-133, CH-165 Every tile whose writer was asked has a name, or its clock has run out."""
    return not [tile for tile in state.tiles if tile.asked and not tile.name and not tile.lapsed]


def compare_names(table: Table, dice: Dice) -> None:
    """CH-129, CH-133, CH-165 Blank tiles are filled, equal names settled; then the tiles are placed, or new names shown."""
    fill_blanks(table, dice)
    losers = draw_losers(table.state, dice)
    table.tell(Compared(tuple(sorted({tile.writer for tile in table.state.tiles if tile.asked}))))
    for index in losers:
        lose_name(table, index, dice)
    state: State = table.state
    if any(tile.asked for tile in state.tiles):
        if not state.placed:  # in a replacement nobody else learns that names were alike (CH-165)
            table.tell(Opened("clash"))
    elif state.placed:
        show_names(table)
    else:
        place_tiles(table, dice)


def fill_blanks(table: Table, dice: Dice) -> None:
    """CH-132, CH-523 Nominations on their tiles, sheet names on all others that are blank."""
    for index, tile in enumerate(table.state.tiles):
        if not tile.name:
            fill(table, index, dice)


def fill(table: Table, index: int, dice: Dice) -> None:
    """CH-132, CH-167, CH-523 A nominated tile takes the next approved name by lot, every other one a name of its writer's sheet."""
    state: State = table.state
    tile = state.tiles[index]
    language = state.options.language
    taken = taken_keys(state)
    free = (
        [name for name in state.approved if plain(name, language) not in taken] if tile.nominated and tile.replaced <= 2 else []
    )
    if free:
        name = dice.pick(free)
        table.tell(Filled(tile.writer, index, name, settled=False))
        table.tell(Unapproved(name))
    else:
        title = state.sheets[tile.writer] if tile.writer != NOBODY else ""
        name = dice.pick(substitutes(language, title, taken, dice))
        table.tell(Filled(tile.writer, index, name, settled=state.placed))


def substitutes(language: str, title: str, taken: set[str], dice: Dice) -> list[str]:
    """CH-132 The unused names of a sheet; if it has none left, or nobody holds it, of another one by lot."""
    own = _unused(language, title, taken)
    if own:
        return own
    return dice.pick([names for sheet in content.sheets(language) if (names := _unused(language, sheet.title, taken))])


def _unused(language: str, title: str, taken: set[str]) -> list[str]:
    return [name for key, name in content.sheet(language, title).items() if key not in taken]


def taken_keys(state: State) -> set[str]:
    """CH-132, CH-168, CH-342, CH-447 On another tile of this round, used in round 1, erased, or that of a player."""
    language = state.options.language
    on_tiles = {plain(tile.name, language) for tile in state.tiles if tile.name}
    return on_tiles.union(plain_all(state.barred, language), plain_all(state.options.not_allowed(), language))


def draw_losers(state: State, dice: Dice) -> list[int]:
    """CH-129 Of equal tiles one keeps the name: one that has been compared before, else one by lot; the others lose it."""

    def key(index: int) -> str:
        return plain(state.tiles[index].name, state.options.language)

    losers: list[int] = []
    for _, group in groupby(sorted(range(TILES), key=key), key):
        equal = list(group)
        if len(equal) > 1:
            first = [index for index in equal if not state.tiles[index].asked] or equal
            keeper = first[0] if len(first) == 1 else dice.pick(first)
            losers += [index for index in equal if index != keeper]
    return sorted(losers)


def lose_name(table: Table, index: int, dice: Dice) -> None:
    """CH-129, CH-133 Its writer is asked once; after that, and where no seat wrote it, another name is drawn."""
    tile = table.state.tiles[index]
    if tile.writer == NOBODY or tile.clashes:
        fill(table, index, dice)
    else:
        table.tell(Clashed(tile.writer, index, tile.name))


def place_tiles(table: Table, dice: Dice) -> None:
    """CH-130, CH-141, CH-345 Sorted by name before the shuffle, so that the dice tell no writer."""
    state: State = table.state
    order = dice.shuffled(sorted(range(TILES), key=lambda index: state.tiles[index].name))
    table.tell(Placed(tuple(state.tiles[index].name for index in order), order))
    table.tell(Opened("prediction" if state.options.crowd else "check"))


def show_names(table: Table) -> None:
    """CH-165, CH-166 All replaced names together, and another check of those whose check has not ended."""
    state: State = table.state
    fresh = tuple(index for index, tile in enumerate(state.tiles) if tile.fresh)
    table.tell(NamesShown(fresh, tuple(state.tiles[index].name for index in fresh)))
    table.tell(Opened("check" if table.state.checking else "prediction"))
