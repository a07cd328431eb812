"""What do effects do to a team: tokens, champions, Fame, Sponsor tokens, and choices that wait? All of it is public (GC-807)."""

from __future__ import annotations

from msgspec.structs import replace

from services.golden_cup.state import LEVELS, State, Task, moved
from shared.kernel.game import Event, Seat


class TokenImproved(Event, frozen=True):
    """GC-300, GC-308 One token goes to the supply, a better one comes; `price` where it was trained."""

    seat: Seat
    token: str
    better: str
    price: int = 0

    def change(self, state: State) -> State:
        team = state.teams[self.seat]
        return state.with_team(
            self.seat,
            tokens=moved(moved(team.tokens, self.better, 1), self.token, -1),
            supply=moved(moved(team.supply, self.better, -1), self.token, 1),
            coins=team.coins - self.price,
        )


class TokenAdded(Event, frozen=True):
    """GC-309."""

    seat: Seat
    token: str

    def change(self, state: State) -> State:
        team = state.teams[self.seat]
        return state.with_team(self.seat, tokens=moved(team.tokens, self.token, 1), supply=moved(team.supply, self.token, -1))


class TokenDiscarded(Event, frozen=True):
    """GC-312."""

    seat: Seat
    token: str

    def change(self, state: State) -> State:
        team = state.teams[self.seat]
        return state.with_team(self.seat, tokens=moved(team.tokens, self.token, -1), supply=moved(team.supply, self.token, 1))


class ChampionDismissed(Event, frozen=True):
    """GC-355 From the team, openly."""

    seat: Seat
    champion: str
    level: str

    def change(self, state: State) -> State:
        level = LEVELS.index(self.level)
        deck = state.decks[level]
        decks = list(state.decks)
        decks[level] = replace(deck, shown=tuple(sorted((*deck.shown, self.champion))))
        champions = tuple(name for name in state.teams[self.seat].champions if name != self.champion)
        return replace(state.with_team(self.seat, champions=champions), decks=tuple(decks))


class SponsorsTaken(Event, frozen=True):
    """GC-702, GC-235 Sponsor tokens of one side; they count in the next computation of coins."""

    seat: Seat
    champion: str
    value: int
    count: int

    def change(self, state: State) -> State:
        plus, minus = state.teams[self.seat].sponsors
        more = (plus + self.count, minus) if self.value > 0 else (plus, minus + self.count)
        return state.with_team(self.seat, sponsors=more)


class FameChanged(Event, frozen=True):
    """GC-500, GC-501 By the effect of a champion."""

    seat: Seat
    champion: str
    by: int

    def change(self, state: State) -> State:
        return state.with_team(self.seat, fame=state.teams[self.seat].fame + self.by)


class EffectsPaused(Event, frozen=True):
    """GC-842 What is still to be done waits for a choice of the owner."""

    seat: Seat
    champion: str
    tasks: tuple[Task, ...]

    def change(self, state: State) -> State:
        return state.with_team(self.seat, tasks=self.tasks)


class EffectsDone(Event, frozen=True):
    """GC-842 Nothing of the effects is left to do."""

    seat: Seat

    def change(self, state: State) -> State:
        return state.with_team(self.seat, tasks=())
