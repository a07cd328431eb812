"""Phase 2: talk, vote, reveal, and who wins a duel."""

from __future__ import annotations

from services.champions.commands import BeReady, CountVotes, Vote, WithdrawReadiness, WithdrawVote
from services.champions.events import AudienceCounted, DuelCame, Opened, Readied, Revealed, Unready, Voted, Won
from services.champions.rules.audience import influence, shown_totals
from services.champions.rules.points import award_points
from services.champions.rules.rounds import begin_second_round, end_round
from services.champions.state import DUELS, READY, SYMBOLS, State
from shared.kernel.dice import Dice
from shared.kernel.game import Seat, Table


def be_ready(table: Table, seat: Seat, _command: BeReady, _dice: Dice) -> None:
    """CH-246, CH-402 Enough talked, or enough looked at the result."""
    table.tell(Readied(seat))


def withdraw_readiness(table: Table, seat: Seat, _command: WithdrawReadiness, _dice: Dice) -> None:
    """CH-247 As long as the stage lasts."""
    table.tell(Unready(seat))


def vote(table: Table, seat: Seat, command: Vote, _dice: Dice) -> None:
    """CH-242, CH-247, CH-251 One card face down; another one takes its place."""
    table.tell(Voted(seat, command.symbol, news=table.state.ready[seat] != READY))


def withdraw_vote(table: Table, seat: Seat, _command: WithdrawVote, _dice: Dice) -> None:
    """CH-247 The card goes back to the hand."""
    table.tell(Unready(seat))


def talk_over(state: State) -> bool:
    """CH-246, CH-402 The clock has run out, or all who are not absent are ready."""
    return state.clock_out or (0 not in state.ready and bool(state.boards))


def open_vote(table: Table, _dice: Dice) -> None:
    """CH-243."""
    table.tell(Opened("vote", DUELS[table.state.duel]))


def vote_over(state: State) -> bool:
    """CH-245, CH-517 All are ready, and an audience has had its least time."""
    return 0 not in state.ready and (state.clock_out or not state.options.has_audience())


def close_vote(table: Table, _dice: Dice) -> None:
    """CH-245, CH-519 The audience is counted first, where there is one."""
    if table.state.options.has_audience():
        table.tell(Opened("count", DUELS[table.state.duel]))
    else:
        reveal(table, (0, 0))


def count_votes(table: Table, _seat: Seat, command: CountVotes, _dice: Dice) -> None:
    """CH-508 to CH-511, CH-519 Counted once; totals below the quorum are not even told."""
    totals = command.circle, command.triangle
    shown = shown_totals(table.state.options, totals)
    table.tell(AudienceCounted(shown[0] if shown else None, shown[1] if shown else None))
    reveal(table, influence(table.state.options, totals))


def reveal(table: Table, more: tuple[int, int]) -> None:
    """CH-245, CH-271, CH-272 All votes at once; more votes win, the symbol of the card decides a tie."""
    state: State = table.state
    number = state.duel
    duel = state.duels[number]
    circle = state.votes.count("circle") + more[0]
    triangle = state.votes.count("triangle") + more[1]
    symbol = duel.situation.tie if circle == triangle else SYMBOLS[triangle > circle]
    table.tell(Revealed(DUELS[number], state.votes))
    winner = duel.contestants[SYMBOLS.index(symbol)]
    table.tell(Won(DUELS[number], winner, state.contestant(winner), symbol, circle, triangle, circle == triangle))
    award_points(table, state.votes, symbol)
    if number == len(DUELS) - 1:
        end_round(table, winner)
    if table.state.stage != "over":
        table.tell(Opened("reveal", DUELS[number]))


def next_duel(table: Table, dice: Dice) -> None:
    """CH-241, CH-275 The next one from the top; after the final the next round."""
    following = table.state.duel + 1
    if following == len(DUELS):
        begin_second_round(table, dice)
    else:
        table.tell(DuelCame(following))
        table.tell(Opened("discussion", DUELS[following]))
