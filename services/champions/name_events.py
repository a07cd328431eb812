"""What can happen to the names on the tiles, how does it change the state, and who may see it?"""

from __future__ import annotations

from msgspec.structs import replace

from services.champions.state import NOBODY, PASSED, READY, TILES, WAITING, Marks, State, Tile, put
from shared.kernel.game import Event, Seat


class TilesShared(Event, frozen=True):
    """CH-121, CH-341 to CH-343, CH-523 Blank tiles for a new round; those of the last one are put aside."""

    round: int
    shares: tuple[int, ...]
    nominated: int

    def change(self, state: State) -> State:
        tiles = [Tile(seat) for seat, share in enumerate(self.shares) for _ in range(share)]
        free = TILES - len(tiles)  # more than the nominated ones only where no seat writes
        tiles += [Tile(NOBODY, nominated=number < self.nominated) for number in range(free)]
        ready = tuple(WAITING if share else PASSED if seat in state.left else READY for seat, share in enumerate(self.shares))
        return replace(
            state,
            round=self.round,
            stage="names",
            tiles=tuple(tiles),
            past=state.tiles,
            placed=False,
            writing=0,
            clock_out=False,
            ready=ready,
            shares=self.shares,
            first_shares=state.first_shares or self.shares,
            approved=(),
            checking=(),
        )


class Wrote(Event, frozen=True):
    """CH-123, CH-127 Others learn only that a seat has become ready by it."""

    seat: Seat
    tile: int | None
    name: str | None
    news: bool  # the seat has become ready, and that is public

    def change(self, state: State) -> State:
        assert self.tile is not None
        tile = replace(state.tiles[self.tile], name=self.name, lapsed=False, filled=False)
        ready = put(state.ready, self.seat, READY) if self.news else state.ready
        return replace(state, tiles=put(state.tiles, self.tile, tile), ready=ready)

    def seen_by(self, seat: Seat | None) -> Wrote | None:
        return self if seat == self.seat else self.opened()

    def opened(self) -> Wrote | None:
        return replace(self, tile=None, name=None) if self.news else None


class Wiped(Event, frozen=True):
    """CH-128 A seat that was ready is not any more."""

    seat: Seat
    tile: int | None

    def change(self, state: State) -> State:
        assert self.tile is not None
        tile = replace(state.tiles[self.tile], name="")
        return replace(state, tiles=put(state.tiles, self.tile, tile), ready=put(state.ready, self.seat, WAITING))

    def seen_by(self, seat: Seat | None) -> Wiped:
        return self if seat == self.seat else self.opened()

    def opened(self) -> Wiped:
        return replace(self, tile=None)


class Filled(Event, frozen=True):
    """CH-132, CH-167, CH-523 A name that nobody wrote now: from a sheet, a nomination or the host."""

    seat: Seat
    tile: int
    name: str
    settled: bool

    def change(self, state: State) -> State:
        tile = replace(state.tiles[self.tile], name=self.name, settled=self.settled, filled=True)
        return replace(state, tiles=put(state.tiles, self.tile, tile))

    def seen_by(self, seat: Seat | None) -> Filled | None:
        return self if seat == self.seat else None

    def opened(self) -> None:
        return None


class Compared(Event, frozen=True):
    """CH-129, CH-133 The names are in and compared; only those who rewrote one learn that theirs is not theirs to change now."""

    seats: tuple[Seat, ...]

    def change(self, state: State) -> State:
        tiles = tuple(replace(tile, asked=False) if tile.asked else tile for tile in state.tiles)
        return replace(state, tiles=tiles, writing=state.writing + 1)

    def seen_by(self, seat: Seat | None) -> Compared | None:
        return replace(self, seats=(seat,)) if seat is not None and seat in self.seats else None

    def opened(self) -> None:
        return None


class Clashed(Event, frozen=True):
    """CH-129 Told to the writer alone, who is asked for another name."""

    seat: Seat
    tile: int
    name: str

    def change(self, state: State) -> State:
        old = state.tiles[self.tile]
        tile = replace(old, name="", former=self.name, asked=True, lapsed=False, clashes=old.clashes + 1)
        return replace(state, tiles=put(state.tiles, self.tile, tile))

    def seen_by(self, seat: Seat | None) -> Clashed | None:
        return self if seat == self.seat else None

    def opened(self) -> None:
        return None


class Lapsed(Event, frozen=True):
    """CH-133, CH-167 The clock of a replacement ran out; only its writer learns whose (CH-164)."""

    seat: Seat
    tile: int

    def change(self, state: State) -> State:
        return replace(state, tiles=put(state.tiles, self.tile, replace(state.tiles[self.tile], lapsed=True)))

    def seen_by(self, seat: Seat | None) -> Lapsed | None:
        return self if seat == self.seat else None

    def opened(self) -> None:
        return None


class Placed(Event, frozen=True):
    """CH-130, CH-141, CH-143 The names in the order of their places; which tile went where is shown to nobody."""

    names: tuple[str, ...]
    order: tuple[int, ...] | None

    def change(self, state: State) -> State:
        assert self.order is not None
        tiles = tuple(replace(state.tiles[index], clashes=0, former="") for index in self.order)
        laid = tuple(
            replace(duel, contestants=(2 * number, 2 * number + 1)) if number < 4 else duel
            for number, duel in enumerate(state.duels)
        )
        return replace(state, tiles=tiles, duels=laid, placed=True, checking=tuple(range(TILES)))

    def seen_by(self, _seat: Seat | None) -> Placed:
        return replace(self, order=None)

    def opened(self) -> Placed:
        return replace(self, order=None)


class Checked(Event, frozen=True):
    """CH-162, CH-163 Everybody learns that a seat is done, and nobody what it marked."""

    seat: Seat
    marks: Marks | None
    news: bool

    def change(self, state: State) -> State:
        assert self.marks is not None
        return replace(state, marks=put(state.marks, self.seat, self.marks), ready=put(state.ready, self.seat, READY))

    def seen_by(self, _seat: Seat | None) -> Checked | None:
        return self.opened()

    def opened(self) -> Checked | None:
        return replace(self, marks=None) if self.news else None


class Reported(Event, frozen=True):
    """CH-448, CH-449 Stored for the operator; at the table only its writer learns that a name was removed, and not which one."""

    seat: Seat
    name: str | None

    def change(self, state: State) -> State:
        if self.seat == NOBODY:
            return state
        return replace(state, strikes=put(state.strikes, self.seat, state.strikes[self.seat] + 1))

    def seen_by(self, seat: Seat | None) -> Reported | None:
        return replace(self, name=None) if seat == self.seat else None

    def opened(self) -> None:
        return None


class Erased(Event, frozen=True):
    """CH-161, CH-168 These names are replaced; whose turn it is to write stays hidden."""

    tiles: tuple[int, ...]
    names: tuple[str, ...]

    def change(self, state: State) -> State:
        tiles = list(state.tiles)
        for index in self.tiles:
            old = tiles[index]
            again = old.writer != NOBODY and old.replaced < 2  # CH-167
            tiles[index] = replace(
                old,
                masked=False,
                name="",
                former=old.name,
                fresh=True,
                asked=again,
                lapsed=False,
                clashes=0,
                replaced=old.replaced + 1,
            )
        barred = (*state.barred, *(state.tiles[index].name for index in self.tiles))
        return replace(state, tiles=tuple(tiles), barred=barred, checking=self.tiles, marks=(Marks(),) * len(state.boards))


class NamesShown(Event, frozen=True):
    """CH-165, CH-166 The new names, all together; those whose check has not ended are checked again."""

    tiles: tuple[int, ...]
    names: tuple[str, ...]

    def change(self, state: State) -> State:
        tiles = tuple(replace(tile, fresh=False, asked=False, former="") if tile.fresh else tile for tile in state.tiles)
        return replace(state, tiles=tiles, checking=tuple(index for index in self.tiles if not tiles[index].settled))


class Masked(Event, frozen=True):
    """CH-450."""

    contestant: int

    def change(self, state: State) -> State:
        tile = replace(state.tiles[self.contestant - 1], masked=True)
        return replace(state, tiles=put(state.tiles, self.contestant - 1, tile))


class Approved(Event, frozen=True):
    """CH-523 Hidden until a tile shows it."""

    name: str

    def change(self, state: State) -> State:
        return replace(state, approved=tuple(sorted({*state.approved, self.name})))

    def seen_by(self, _seat: Seat | None) -> None:
        return None

    def opened(self) -> None:
        return None


class Unapproved(Event, frozen=True):
    """CH-523 Refused, or used up."""

    name: str

    def change(self, state: State) -> State:
        return replace(state, approved=tuple(name for name in state.approved if name != self.name))

    def seen_by(self, _seat: Seat | None) -> None:
        return None

    def opened(self) -> None:
        return None
