"""What can happen in a turn and a lap match, and how does it change the state? For goods see goods_events.py, for cards card_events.py."""

from __future__ import annotations

from msgspec.structs import replace

from services.golden_goal.state import (
    BANK,
    CUPS,
    NONE,
    Arrival,
    Bet,
    Board,
    Cup,
    Deck,
    Face,
    MatchEnd,
    Outcome,
    State,
)
from shared.kernel.game import Event, Seat

NOBODY = Cup()


class BoardLaid(Event, frozen=True):
    """GG-103 to GG-105, GG-113 The board with the pawns on the whistle, all markers on 0 and the cups at the Bank."""

    board: Board

    def change(self, state: State) -> State:
        return replace(state, board=self.board, cups=dict.fromkeys(CUPS, NOBODY))


class ColoursPicked(Event, frozen=True):
    """GG-102."""

    colours: tuple[str, ...]

    def change(self, state: State) -> State:
        pairs = zip(state.players, self.colours, strict=True)
        return replace(state, players=tuple(replace(player, colour=colour) for player, colour in pairs))


class CapitalPaid(Event, frozen=True):
    """GG-106."""

    amount: int

    def change(self, state: State) -> State:
        return replace(state, players=tuple(replace(player, cash=self.amount) for player in state.players))


class TileDealt(Event, frozen=True):
    """GG-107, GG-111."""

    seat: Seat
    tile: str

    def change(self, state: State) -> State:
        return with_tile(state, self.seat, self.tile)


class TileSetAside(Event, frozen=True):
    """GG-110 It would have been a second tile of a nation."""

    seat: Seat
    tile: str


class DecksShuffled(Event, frozen=True):
    """GG-114."""

    counts: tuple[int, int]
    football: tuple[str, ...] | None
    non_football: tuple[str, ...] | None

    def change(self, state: State) -> State:
        return replace(state, football=Deck(self.football or ()), non_football=Deck(self.non_football or ()))

    def seen_by(self, _seat: Seat | None) -> DecksShuffled:
        return replace(self, football=None, non_football=None)


class ThrewForFirst(Event, frozen=True):
    """GG-115, GG-116."""

    seat: Seat
    total: int


class FirstPlayerFound(Event, frozen=True):
    """GG-115."""

    seat: Seat

    def change(self, state: State) -> State:
        return replace(state, first=self.seat, turn=self.seat)


class TurnCame(Event, frozen=True):
    """GG-117."""

    seat: Seat
    round: int

    def change(self, state: State) -> State:
        return replace(state, turn=self.seat, round=self.round, stage="before", roll=(), drawn=(), offers=0)


class TurnMissed(Event, frozen=True):
    """GG-567."""

    seat: Seat

    def change(self, state: State) -> State:
        modifiers = state.players[self.seat].modifiers
        served = state.with_player(self.seat, modifiers=replace(modifiers, missing=modifiers.missing - 1))
        return replace(served, stage="end")


class Rolled(Event, frozen=True):
    """GG-131, GG-152 The destination is shown before the pawn moves."""

    seat: Seat
    roll: tuple[int, int]
    square: int

    def change(self, state: State) -> State:
        return replace(state, roll=self.roll, stage="rolled")


class Moved(Event, frozen=True):
    """GG-132, GG-155, GG-157 The pawn moves; coming through the whistle for the first time in a lap ends the match."""

    seat: Seat
    steps: int
    square: int
    by_card: bool = False

    def change(self, state: State) -> State:
        player = state.players[self.seat]
        walked = player.walked + self.steps
        ends = self.steps > 0 and walked // len(state.board.squares) > player.matches
        stack = (*state.stack, Arrival(), MatchEnd()) if ends else (*state.stack, Arrival())
        return replace(state.with_player(self.seat, walked=walked), stage="after", stack=stack)


class Arrived(Event, frozen=True):
    """GG-133."""

    seat: Seat
    square: int

    def change(self, state: State) -> State:
        return state.pop()


class MarkerMoved(Event, frozen=True):
    """GG-232 Within the track; `by` says how far it really went."""

    seat: Seat
    by: int
    marker: int

    def change(self, state: State) -> State:
        return state.with_player(self.seat, marker=self.marker)


class OutcomeRolled(Event, frozen=True):
    """GG-305 `open` while the roller may still turn it green."""

    seat: Seat
    face: Face
    purpose: str
    open: bool

    def change(self, state: State) -> State:
        if self.open:
            return state.push(Outcome(self.seat, self.face, self.purpose))
        return replace(state, face=self.face)


class TurnedGreen(Event, frozen=True):
    """GG-431."""

    seat: Seat
    by: str

    def change(self, state: State) -> State:
        return replace(state.pop(), face="green")


class ColourStood(Event, frozen=True):
    """GG-309."""

    seat: Seat
    face: Face

    def change(self, state: State) -> State:
        return replace(state.pop(), face=self.face)


class GoalActionsBought(Event, frozen=True):
    """GG-302."""

    seat: Seat
    count: int

    def change(self, state: State) -> State:
        end = state.stack[-1]
        assert type(end) is MatchEnd
        return state.swap(replace(end, step=2, bought=self.count > 0))


class ResultRead(Event, frozen=True):
    """GG-306, GG-311, GG-336."""

    seat: Seat
    number: int
    face: Face
    result: str
    points: int

    def change(self, state: State) -> State:
        player, end = state.players[self.seat], state.stack[-1]
        assert type(end) is MatchEnd
        counted = state.with_player(self.seat, matches=player.matches + 1, points=player.points + self.points)
        return replace(counted.swap(replace(end, step=3, before=player.points, result=self.result)), face="")


class TakingsDue(Event, frozen=True):
    """GG-312, GG-313."""

    seat: Seat
    amount: int

    def change(self, state: State) -> State:
        return _step(state, 4)


class CupIncomeDue(Event, frozen=True):
    """GG-315."""

    seat: Seat
    cups: int
    amount: int

    def change(self, state: State) -> State:
        return _step(state, 5)


class TokensForSale(Event, frozen=True):
    """GG-316."""

    seat: Seat

    def change(self, state: State) -> State:
        return _step(state, 6)


class MatchStarted(Event, frozen=True):
    """GG-331, GG-332 The marker returns to 0; suspensions, penalties and bonuses of this player end."""

    seat: Seat
    match: int

    def change(self, state: State) -> State:
        player = state.players[self.seat]
        left = state.suspended and tuple(tile for tile in state.suspended if tile not in player.tiles)
        return replace(state.with_player(self.seat, marker=0, modifiers=NONE), suspended=left, stack=state.stack[:-1])


class BetOffered(Event, frozen=True):
    """GG-284."""

    seat: Seat

    def change(self, state: State) -> State:
        return state.push(Bet())


class BetMade(Event, frozen=True):
    """GG-285."""

    seat: Seat
    goals: int
    money: int

    def change(self, state: State) -> State:
        return state.swap(Bet(self.goals, self.money))


class BetDeclined(Event, frozen=True):
    """GG-284."""

    seat: Seat

    def change(self, state: State) -> State:
        return state.pop()


class BetSettled(Event, frozen=True):
    """GG-288."""

    seat: Seat
    face: Face

    def change(self, state: State) -> State:
        return replace(state.pop(), face="")


class PointsChanged(Event, frozen=True):
    """GG-558."""

    seat: Seat
    by: int
    points: int

    def change(self, state: State) -> State:
        return state.with_player(self.seat, points=self.points)


class LastRoundCame(Event, frozen=True):
    """GG-612, GG-613, GG-616."""

    seat: Seat

    def change(self, state: State) -> State:
        return replace(state, last_round=True)


class DicePassed(Event, frozen=True):
    """GG-138."""

    seat: Seat

    def change(self, state: State) -> State:
        return replace(state, stage="end")


class Left(Event, frozen=True):
    """GG-633 From now on the defaults answer."""

    seat: Seat

    def change(self, state: State) -> State:
        return state.with_player(self.seat, leaving=True)


class Departed(Event, frozen=True):
    """GG-633 Everything goes back and the pawn is removed."""

    seat: Seat

    def change(self, state: State) -> State:
        player = state.players[self.seat]
        cups = {name: NOBODY if cup.holder == self.seat else cup for name, cup in state.cups.items()}
        suspended = tuple(tile for tile in state.suspended if tile not in player.tiles)
        gone = replace(player, cash=0, tiles=(), die_tokens=0, event_tokens=0, kept=(), modifiers=NONE, left=True)
        players = (*state.players[: self.seat], gone, *state.players[self.seat + 1 :])
        return replace(state, players=players, cups=cups, suspended=suspended)


class Ended(Event, frozen=True):
    """GG-612, GG-616, GG-634."""

    def change(self, state: State) -> State:
        return replace(state, stage="over", stack=())


def with_tile(state: State, seat: Seat, tile: str) -> State:
    """The tile goes face up to this player, or to the Bank, which lifts its suspension (GG-484)."""
    owner = state.owner_of(tile)
    if owner != BANK:
        state = state.with_player(owner, tiles=tuple(other for other in state.players[owner].tiles if other != tile))
    if seat == BANK:
        return replace(state, suspended=tuple(other for other in state.suspended if other != tile))
    return state.with_player(seat, tiles=tuple(sorted((*state.players[seat].tiles, tile))))


def _step(state: State, step: int) -> State:
    end = state.stack[-1]
    assert type(end) is MatchEnd
    return state.swap(replace(end, step=step))
