"""What can happen in a tournament, how does it change the state, and who may see it? For names see name_events.py."""

from __future__ import annotations

from msgspec.structs import replace

from services.champions.state import (
    FEEDS,
    PASSED,
    READY,
    WAITING,
    Board,
    Duel,
    Marks,
    Situation,
    Space,
    Stage,
    State,
    Symbol,
    put,
)
from shared.kernel.game import Event, Seat

NO_NOTES = (-1,) * 7


def _with_space(state: State, seats: tuple[Seat, ...], space: Space) -> State:
    boards = list(state.boards)
    for seat in seats:
        boards[seat] = replace(boards[seat], spaces=put(boards[seat].spaces, state.duel, space))
    return replace(state, boards=tuple(boards))


def _with_bonus(state: State, seats: tuple[Seat, ...], space: Space) -> State:
    boards = tuple(replace(board, bonus=space) if seat in seats else board for seat, board in enumerate(state.boards))
    return replace(state, boards=boards)


class CardsLaid(Event, frozen=True):
    """CH-106 to CH-109 The seven duel cards; their reverse sides are shown to nobody."""

    duels: tuple[Duel, ...]
    bonus: int

    def change(self, state: State) -> State:
        return replace(state, duels=self.duels, bonus=self.bonus)

    def seen_by(self, _seat: Seat | None) -> CardsLaid:
        return self.opened()

    def opened(self) -> CardsLaid:
        """CH-411, PL-390 Not even after a game that ended before the cards were turned over."""
        return replace(self, duels=tuple(replace(duel, reverse=None) for duel in self.duels))


class SheetDealt(Event, frozen=True):
    """CH-104."""

    seat: Seat
    sheet: str | None

    def change(self, state: State) -> State:
        return replace(state, sheets=put(state.sheets, self.seat, self.sheet or ""))

    def seen_by(self, seat: Seat | None) -> SheetDealt:
        return self if seat == self.seat else replace(self, sheet=None)

    def opened(self) -> SheetDealt:
        return replace(self, sheet=None)


class BoardsErased(Event, frozen=True):
    """CH-341, CH-342 All but the scores of the rounds; the names of this round may not come back."""

    def change(self, state: State) -> State:
        seats = len(state.boards)
        return replace(
            state,
            boards=tuple(Board(rounds=board.rounds) for board in state.boards),
            champions=(-1,) * seats,
            notes=(NO_NOTES,) * seats,
            votes=("",) * seats,
            revealed=(),
            barred=(*state.barred, *(tile.name for tile in state.tiles)),
        )


class CardsTurned(Event, frozen=True):
    """CH-344 Every card shows its other side; nothing of the last round stays on it."""

    situations: tuple[Situation, ...]

    def change(self, state: State) -> State:
        turned = tuple(
            Duel(duel.card, duel.points, situation, None) for duel, situation in zip(state.duels, self.situations, strict=True)
        )
        return replace(state, duels=turned, duel=0, history=(*state.history, state.duels))


class Opened(Event, frozen=True):
    """The next stage of the round begins; a duel is named where there is one."""

    stage: Stage
    duel: str | None = None

    def change(self, state: State) -> State:
        seats = state.seats()
        match self.stage:
            case "discussion" | "reveal":  # CH-402: nobody waits for those who are absent
                ready = tuple(PASSED if state.is_absent(seat) else WAITING for seat in seats)
            case "clash" | "replacement" | "count" | "gathering" | "over":
                ready = (READY,) * len(seats)
            case "names":
                ready = state.ready
            case "check" | "prediction" | "vote":
                ready = tuple(PASSED if seat in state.left else WAITING for seat in seats)
        return replace(state, stage=self.stage, ready=ready, clock_out=False)


class Noted(Event, frozen=True):
    """CH-203 For the seat alone."""

    seat: Seat
    notes: tuple[int, ...]

    def change(self, state: State) -> State:
        return replace(state, notes=put(state.notes, self.seat, self.notes))

    def seen_by(self, seat: Seat | None) -> Noted | None:
        return self if seat == self.seat else None

    def opened(self) -> None:
        return None


class Chose(Event, frozen=True):
    """CH-202, CH-208."""

    seat: Seat
    contestant: int
    name: str

    def change(self, state: State) -> State:
        return replace(state, champions=put(state.champions, self.seat, self.contestant))

    def seen_by(self, seat: Seat | None) -> Chose | None:
        return self if seat == self.seat else None


class Confirmed(Event, frozen=True):
    """CH-204, CH-207 The notes are deleted; that somebody has confirmed is public."""

    seat: Seat

    def change(self, state: State) -> State:
        notes = put(state.notes, self.seat, NO_NOTES)
        return replace(state, notes=notes, ready=put(state.ready, self.seat, READY))


class Unready(Event, frozen=True):
    """CH-128, CH-207, CH-247 A seat takes back that it is ready."""

    seat: Seat

    def change(self, state: State) -> State:
        votes = put(state.votes, self.seat, "") if state.stage == "vote" else state.votes
        return replace(state, votes=votes, ready=put(state.ready, self.seat, WAITING))


class Readied(Event, frozen=True):
    """CH-246, CH-402 Enough talked, or enough looked."""

    seat: Seat

    def change(self, state: State) -> State:
        return replace(state, ready=put(state.ready, self.seat, READY))


class PredictionsLocked(Event, frozen=True):
    """CH-207, CH-209 Notes of those who did not confirm are gone as well."""

    def change(self, state: State) -> State:
        return replace(state, notes=(NO_NOTES,) * len(state.boards), duel=0)


class Voted(Event, frozen=True):
    """CH-242, CH-248 Others learn that a seat is ready, and not that it changed its vote."""

    seat: Seat
    symbol: str | None
    news: bool

    def change(self, state: State) -> State:
        votes = put(state.votes, self.seat, self.symbol or "")
        return replace(state, votes=votes, ready=put(state.ready, self.seat, READY))

    def seen_by(self, seat: Seat | None) -> Voted | None:
        if seat == self.seat:
            return self
        return replace(self, symbol=None) if self.news else None


class AudienceCounted(Event, frozen=True):
    """CH-511, CH-519 The totals; none where the quorum was missed."""

    circle: int | None
    triangle: int | None

    def change(self, state: State) -> State:
        totals = None if self.circle is None or self.triangle is None else (self.circle, self.triangle)
        duel = replace(state.duels[state.duel], audience=totals)
        return replace(state, duels=put(state.duels, state.duel, duel))


class Revealed(Event, frozen=True):
    """CH-245, CH-249 All votes together."""

    duel: str
    votes: tuple[str, ...]

    def change(self, state: State) -> State:
        duel = replace(state.duels[state.duel], votes=self.votes)
        return replace(state, duels=put(state.duels, state.duel, duel), votes=("",) * len(self.votes))


class Won(Event, frozen=True):
    """CH-271, CH-272, CH-275 The winner's tile moves on."""

    duel: str
    contestant: int
    name: str
    symbol: Symbol
    circle: int
    triangle: int
    by_symbol: bool

    def change(self, state: State) -> State:
        number = state.duel
        won = replace(state.duels[number], winner=self.contestant, counted=(self.circle, self.triangle), by_symbol=self.by_symbol)
        duels = put(state.duels, number, won)
        if number < len(FEEDS):
            target, place = FEEDS[number]
            contestants = put(duels[target].contestants, place, self.contestant)
            duels = put(duels, target, replace(duels[target], contestants=contestants))
        return replace(state, duels=duels)


class Circled(Event, frozen=True):
    """CH-302."""

    duel: str
    seats: tuple[Seat, ...]
    points: int

    def change(self, state: State) -> State:
        return _with_space(state, self.seats, "circled")


class CrossedOut(Event, frozen=True):
    """CH-250, CH-302."""

    duel: str
    seats: tuple[Seat, ...]

    def change(self, state: State) -> State:
        return _with_space(state, self.seats, "crossed")


class DuelCame(Event, frozen=True):
    """CH-241 The next duel from the top."""

    duel: int

    def change(self, state: State) -> State:
        return replace(state, duel=self.duel)

    def seen_by(self, _seat: Seat | None) -> None:
        return None  # the discussion that opens with it says the same


class Crowned(Event, frozen=True):
    """CH-277."""

    contestant: int
    name: str


class PredictionsRevealed(Event, frozen=True):
    """CH-321 Contestants by seat; -1 for those who have none."""

    predictions: tuple[int, ...]

    def change(self, state: State) -> State:
        return replace(state, revealed=self.predictions)


class BonusCircled(Event, frozen=True):
    """CH-322."""

    seats: tuple[Seat, ...]
    points: int

    def change(self, state: State) -> State:
        return _with_bonus(state, self.seats, "circled")


class BonusCrossed(Event, frozen=True):
    """CH-323."""

    seats: tuple[Seat, ...]

    def change(self, state: State) -> State:
        return _with_bonus(state, self.seats, "crossed")


class RoundScored(Event, frozen=True):
    """CH-324."""

    round: int
    scores: tuple[int, ...]

    def change(self, state: State) -> State:
        boards = tuple(
            replace(board, rounds=(*board.rounds, score)) for board, score in zip(state.boards, self.scores, strict=True)
        )
        return replace(state, boards=boards)


class Ended(Event, frozen=True):
    """CH-371, CH-408."""

    unfinished: bool

    def change(self, state: State) -> State:
        return replace(state, stage="over", unfinished=self.unfinished, clock_out=False)


class Missed(Event, frozen=True):
    """CH-169, CH-210, CH-250, CH-406 The clock of a seat ran out."""

    seat: Seat

    def change(self, state: State) -> State:
        missed = put(state.missed, self.seat, state.missed[self.seat] + 1)
        return replace(state, missed=missed, ready=put(state.ready, self.seat, PASSED))


class CameBack(Event, frozen=True):
    """CH-406 A seat that had missed a clock acts again; if the clock had answered for it, it is waited for until it is ready."""

    seat: Seat

    def change(self, state: State) -> State:
        ready = WAITING if state.ready[self.seat] == PASSED else state.ready[self.seat]
        return replace(state, missed=put(state.missed, self.seat, 0), ready=put(state.ready, self.seat, ready))


class Left(Event, frozen=True):
    """CH-407 A vote still face down and a prediction go with the seat; its score stays."""

    seat: Seat

    def change(self, state: State) -> State:
        return replace(
            state,
            left=(*state.left, self.seat),
            ready=put(state.ready, self.seat, PASSED),
            votes=put(state.votes, self.seat, ""),
            marks=put(state.marks, self.seat, Marks()),
            notes=put(state.notes, self.seat, NO_NOTES),
            champions=put(state.champions, self.seat, -1),
        )


class ClockRanOut(Event, frozen=True):
    """CH-401, CH-517 The clock of a stage, or the host, has ended it."""

    stage: Stage

    def change(self, state: State) -> State:
        return replace(state, clock_out=True)


class StartCalled(Event, frozen=True):
    """CH-524 The host asks how many voters are there."""

    def change(self, state: State) -> State:
        return replace(state, called=True)


class VotersCounted(Event, frozen=True):
    """CH-524."""

    present: int

    def change(self, state: State) -> State:
        return replace(state, called=False, attempt=state.attempt + 1)
