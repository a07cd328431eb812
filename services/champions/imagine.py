"""Which other tables look the same to a seat? What CH-411 hides from it is drawn anew."""

from __future__ import annotations

from msgspec.structs import replace

from services.champions.state import DUELS, NOBODY, SECRET_STAGES, SYMBOLS, TILES, WAITING, Marks, State, Tile
from shared.kernel.dice import Dice
from shared.kernel.game import Seat


def imagine(state: State, seat: Seat | None, dice: Dice) -> State:
    """Another table that looks the same to this seat: everything that CH-411 hides from it is drawn anew."""
    others = [other for other in state.seats() if other != seat]
    reverses = dice.shuffled(duel.reverse for duel in state.duels)
    sheets = dict(zip(others, dice.shuffled(state.sheets[other] for other in others), strict=True))
    shown = state.stage == "over" and state.options.reveal_authors
    return replace(
        state,
        duels=tuple(replace(duel, reverse=reverse) for duel, reverse in zip(state.duels, reverses, strict=True)),
        tiles=state.tiles if shown and state.placed else _other_tiles(state, seat, dice),
        past=state.past if shown else _other_writers(state.past, seat, dice),
        approved=tuple(sorted(_any_name(dice) for _ in range(dice.below(6)))),
        sheets=tuple(sheets.get(other, state.sheets[other]) for other in state.seats()),
        strikes=tuple(dice.below(4) if other in others else strikes for other, strikes in enumerate(state.strikes)),
        marks=tuple(_any_marks(state, dice) if other in others else marks for other, marks in enumerate(state.marks)),
        votes=tuple(dice.pick(SYMBOLS) if vote and other in others else vote for other, vote in enumerate(state.votes)),
        champions=tuple(
            _any_champion(state, other, dice) if other in others else own for other, own in enumerate(state.champions)
        ),
        notes=tuple(_any_notes(state, other, dice) if other in others else own for other, own in enumerate(state.notes)),
    )


def _any_name(dice: Dice) -> str:
    return "".join(dice.pick("abcdefghijklmnopqrstuvwxyz") for _ in range(8)).capitalize()


def _any_marks(state: State, dice: Dice) -> Marks:
    if state.stage != "check":
        return Marks()
    return Marks(*(tuple(index for index in state.checking if dice.below(2)) for _ in range(2)))


def _any_champion(state: State, seat: Seat, dice: Dice) -> int:
    own = state.champions[seat]
    undecided = state.stage == "prediction" and state.ready[seat] == WAITING
    return own if state.revealed or (own < 0 and not undecided) else dice.below(TILES)


def _any_notes(state: State, seat: Seat, dice: Dice) -> tuple[int, ...]:
    if state.stage != "prediction" or state.ready[seat] != WAITING:
        return state.notes[seat]
    return tuple(dice.below(TILES + 1) - 1 for _ in DUELS)


def _other_tiles(state: State, seat: Seat | None, dice: Dice) -> tuple[Tile, ...]:
    """Face down: other names on the tiles of others. Placed: other writers, and other names where none is shown yet."""
    if not state.placed:
        return _other_names(state, seat, dice)
    tiles = list(_other_writers(state.tiles, seat, dice))
    fresh = [index for index, tile in enumerate(tiles) if tile.fresh and tile.writer != seat]
    for index, other in zip(fresh, dice.shuffled(fresh), strict=True):
        source = state.tiles[other]
        name = _any_name(dice) if source.name else ""
        tiles[index] = replace(tiles[index], name=name, asked=source.asked, lapsed=source.lapsed, clashes=source.clashes)
    return tuple(tiles)


def _other_writers(tiles: tuple[Tile, ...], seat: Seat | None, dice: Dice) -> tuple[Tile, ...]:
    free = [index for index, tile in enumerate(tiles) if tile.writer != seat]
    changed = list(tiles)
    for index, other in zip(free, dice.shuffled(free), strict=True):
        changed[index] = replace(tiles[index], writer=tiles[other].writer, nominated=tiles[other].nominated)
    return tuple(changed)


def _other_names(state: State, seat: Seat | None, dice: Dice) -> tuple[Tile, ...]:
    """CH-127 What others have written so far; in a clash also who of them is asked (CH-164)."""
    known = {tile.former for tile in state.tiles if tile.writer == seat}
    written = [index for index, tile in enumerate(state.tiles) if tile.writer not in {seat, NOBODY}]
    order = dice.shuffled(written) if state.stage in SECRET_STAGES else tuple(written)
    tiles = list(state.tiles)
    for index, other in zip(written, order, strict=True):
        source = state.tiles[other]
        kept = not source.name or source.name in known
        name = source.name if kept else _any_name(dice)
        former = _any_name(dice) if source.former else ""
        tiles[index] = replace(source, writer=tiles[index].writer, name=name, former=former)
    return tuple(tiles)
