"""Markers and points, complete teams, and cups: winning, placing, moving and losing them."""

from __future__ import annotations

from services.golden_goal.commands import MoveCup, PlaceCup
from services.golden_goal.events import LastRoundCame, MarkerMoved, PointsChanged
from services.golden_goal.goods_events import AuctionOpened, CupCeded, CupPlaced, CupWon, PlacingAsked, TeamBroken, TeamCompleted
from services.golden_goal.state import BANK, CUPS, NOTE, Auction, Place, State
from shared.kernel.dice import Dice
from shared.kernel.game import Seat, Table


def move_marker(table: Table, seat: Seat, by: int) -> None:
    """GG-232, GG-233 Never beyond the ends of the track; what is too much is lost."""
    x, marker = table.state.board.x, table.state.players[seat].marker
    target = max(-x, min(x, marker + by))
    if target != marker:
        table.tell(MarkerMoved(seat, target - marker, target))


def change_points(table: Table, seat: Seat, by: int) -> None:
    """GG-372, GG-558 Never below 0; reaching a threshold from below claims its cup at once."""
    before = table.state.players[seat].points
    after = max(0, before + by)
    if after != before:
        table.tell(PointsChanged(seat, after - before, after))
        check_target(table, seat)
        claim_cups(table, seat, before)


def check_target(table: Table, seat: Seat) -> None:
    """GG-612, GG-613, GG-616 Whoever reaches the target, or finishes the last match there is, brings on the last round."""
    player, board = table.state.players[seat], table.state.board
    if not table.state.last_round and (player.points >= board.target or player.matches >= board.cap):
        table.tell(LastRoundCame(seat))


def check_teams(table: Table, before: State, seat: Seat) -> None:
    """GG-351, GG-354, GG-462 What has become complete or broken since; the cups of broken teams look for another place."""
    if before.players[seat].tiles == table.state.players[seat].tiles:
        return
    then, now = before.teams_of(seat), table.state.teams_of(seat)
    for team in now:
        if team not in then:
            table.tell(TeamCompleted(seat, team))
    for team in then:
        if team not in now:
            table.tell(TeamBroken(seat, team))
    if then != now:
        for name in CUPS:
            cup = table.state.cups[name]
            if cup.holder == seat and cup.team in then and cup.team not in now:
                place(table, seat, name)


def place(table: Table, seat: Seat, cup: str) -> None:
    """GG-392, GG-395, GG-396 On the only complete team, on one the holder chooses, or up for auction."""
    teams = table.state.teams_of(seat)
    if len(teams) > 1:
        table.tell(PlacingAsked(seat, cup))
    elif teams:
        table.tell(CupPlaced(seat, cup, teams[0]))
    else:
        table.tell(CupCeded(seat, cup))


def waits_for_place(state: State, task: Place) -> bool:
    return len(state.teams_of(task.seat)) > 1


def place_at_last(table: Table, task: Place, _dice: Dice) -> None:
    """GG-392 The holder has sold tiles meanwhile, and there is no choice any more."""
    place(table, task.seat, task.cup)


def place_cup(table: Table, seat: Seat, command: PlaceCup, _dice: Dice) -> None:
    """GG-391, GG-393."""
    task = table.state.stack[-1]
    assert type(task) is Place
    table.tell(CupPlaced(seat, task.cup, command.team))


def move_cup(table: Table, seat: Seat, command: MoveCup, _dice: Dice) -> None:
    """GG-394."""
    table.tell(CupPlaced(seat, command.cup, command.team))


def claim_cups(table: Table, seat: Seat, before: int) -> None:
    """GG-371 to GG-381 Every threshold reached from below by the owner of a complete team, whoever holds the cup now."""
    state: State = table.state
    points = state.players[seat].points
    if points <= before or not state.teams_of(seat):
        return
    for name, threshold in zip(CUPS, state.board.thresholds, strict=True):
        cup = state.cups[name]
        if before < threshold <= points and (cup.holder != seat or cup.ceded):
            table.tell(CupWon(seat, name, None if cup.holder in {BANK, seat} else cup.holder))
            place(table, seat, name)


def ceded_cup(state: State) -> str:
    """GG-400 The next cup that waits for its auction."""
    return next((name for name in CUPS if state.cups[name].ceded), "")


def auction_ceded(table: Table, cup: str) -> None:
    """GG-396, GG-400 Among the owners of a complete team, beginning after the former holder, who takes no part."""
    state: State = table.state
    holder = state.cups[cup].holder
    bidders = tuple(seat for seat in state.after(holder) if state.teams_of(seat))
    table.tell(AuctionOpened(Auction("ceded", cup, holder, bidders, NOTE), cup, NOTE))
