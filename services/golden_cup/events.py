"""What can happen before and between the matches, how does it change the state, and who may see it? See effect_events.py and fixture_events.py too."""

from __future__ import annotations

from msgspec.structs import replace

from services.golden_cup.state import (
    LEVELS,
    Automa,
    DeckPile,
    Printed,
    Stage,
    State,
    moved,
)
from shared.kernel.game import Event, Seat


def _with_deck(state: State, level: int, deck: DeckPile) -> State:
    return replace(state, decks=(*state.decks[:level], deck, *state.decks[level + 1 :]))


def _without(cards: tuple[str, ...], gone: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(card for card in cards if card not in gone)


class BoardsLaid(Event, frozen=True):
    """GC-103 to GC-106, GC-108, GC-122 Every team board with its start tokens, and what is printed on the boards."""

    printed: Printed
    tokens: tuple[int, ...]
    supply: tuple[int, ...]
    fame: int
    space: int

    def change(self, state: State) -> State:
        team = replace(state.teams[0], tokens=self.tokens, supply=self.supply, fame=self.fame, coins=self.space)
        return replace(state, printed=self.printed, teams=(team,) * len(state.teams))


class AutomaJoined(Event, frozen=True):
    """GC-600 to GC-606, GC-642 Its tokens and those that wait on the Championship board lie open."""

    seat: Seat
    tokens: tuple[int, ...]
    spaces: tuple[tuple[str, ...], ...]
    fame: int
    scout: int

    def change(self, state: State) -> State:
        return replace(state, automa=Automa(self.tokens, self.spaces, self.fame, self.scout))


class TilesDealt(Event, frozen=True):
    """GC-112, GC-157 One per seat, the Automa last."""

    tiles: tuple[str, ...]
    schedule: tuple[tuple[str, ...], ...]

    def change(self, state: State) -> State:
        return replace(state, tiles=self.tiles, schedule=self.schedule)


class DeckShuffled(Event, frozen=True):
    """GC-116, GC-217, GC-802 Nobody sees the order; of a discard pile only that it is a deck again."""

    level: str
    count: int
    champions: tuple[str, ...] | None

    def change(self, state: State) -> State:
        level = LEVELS.index(self.level)
        kept = state.decks[level].cards
        return _with_deck(state, level, DeckPile((*kept, *(self.champions or ()))))

    def seen_by(self, _seat: Seat | None) -> DeckShuffled:
        return replace(self, champions=None)


class ChampionsDrawn(Event, frozen=True):
    """GC-117, GC-212, GC-800 Others see only how many."""

    seat: Seat
    level: str
    count: int
    champions: tuple[str, ...] | None

    def change(self, state: State) -> State:
        level = LEVELS.index(self.level)
        deck = state.decks[level]
        hand = tuple(sorted((*state.teams[self.seat].hand, *(self.champions or ()))))
        return _with_deck(state.with_team(self.seat, hand=hand), level, replace(deck, cards=deck.cards[self.count :]))

    def seen_by(self, seat: Seat | None) -> ChampionsDrawn:
        return self if seat == self.seat else replace(self, champions=None)


class SupportersShuffled(Event, frozen=True):
    """GC-118, GC-121 The whole stack, seen by nobody."""

    count: int
    supporters: tuple[str, ...] | None

    def change(self, state: State) -> State:
        return replace(state, box=self.supporters or ())

    def seen_by(self, _seat: Seat | None) -> SupportersShuffled:
        return replace(self, supporters=None)

    def opened(self) -> SupportersShuffled:
        return replace(self, supporters=None)  # GC-801: the stack would tell the unkept ones


class SupportersOffered(Event, frozen=True):
    """GC-118, GC-801 Seen by their seat alone."""

    seat: Seat
    supporters: tuple[str, ...] | None

    def change(self, state: State) -> State:
        offered = self.supporters or ()
        return replace(state.with_team(self.seat, offered=offered), box=_without(state.box, offered))

    def seen_by(self, seat: Seat | None) -> SupportersOffered:
        return self if seat == self.seat else replace(self, supporters=None)

    def opened(self) -> SupportersOffered:
        return replace(self, supporters=None)  # GC-801: the unkept one is never revealed


class SupporterKept(Event, frozen=True):
    """GC-119."""

    seat: Seat
    supporter: str | None

    def change(self, state: State) -> State:
        return state.with_team(self.seat, supporter=self.supporter or "")

    def seen_by(self, seat: Seat | None) -> SupporterKept:
        return self if seat == self.seat else replace(self, supporter=None)


class StageBegan(Event, frozen=True):
    """GC-201 The next phase of the round."""

    stage: Stage

    def change(self, state: State) -> State:
        return replace(state, stage=self.stage)


class RoundBegan(Event, frozen=True):
    """GC-215 The Round token moves."""

    round: int

    def change(self, state: State) -> State:
        return replace(state, round=self.round)


class AutomaGrew(Event, frozen=True):
    """GC-216, GC-605 The tokens of the new round join the Automa."""

    tokens: tuple[str, ...]

    def change(self, state: State) -> State:
        automa = state.automa
        assert automa is not None
        counts = automa.tokens
        for token in self.tokens:
            counts = moved(counts, token, 1)
        spaces = tuple(() if number == state.round else space for number, space in enumerate(automa.spaces, start=1))
        return replace(state, automa=replace(automa, tokens=counts, spaces=spaces))


class DiscardsChosen(Event, frozen=True):
    """GC-204, GC-210 Which and how many stays hidden until all are in."""

    seat: Seat
    champions: tuple[str, ...] | None

    def change(self, state: State) -> State:
        return state.with_team(self.seat, answer=self.champions)

    def seen_by(self, seat: Seat | None) -> DiscardsChosen:
        return self if seat == self.seat else replace(self, champions=None)


class ChampionsDiscarded(Event, frozen=True):
    """GC-211, GC-805 From the hand, face down; others see only how many."""

    seat: Seat
    count: int
    levels: tuple[str, ...] | None  # the deck of each card
    champions: tuple[str, ...] | None

    def change(self, state: State) -> State:
        champions, levels = self.champions or (), self.levels or ()
        if not champions:
            return state.with_team(self.seat, discarded=self.count, answer=None)
        hand = _without(state.teams[self.seat].hand, champions)
        decks = list(state.decks)
        for level in set(levels):
            number = LEVELS.index(level)
            gone = [card for card, its in zip(champions, levels, strict=True) if its == level]
            decks[number] = replace(decks[number], pile=tuple(sorted((*decks[number].pile, *gone))))
        return replace(state.with_team(self.seat, hand=hand, discarded=self.count, answer=None), decks=tuple(decks))

    def seen_by(self, seat: Seat | None) -> ChampionsDiscarded:
        return self if seat == self.seat else replace(self, champions=None, levels=None)


class PilesCounted(Event, frozen=True):
    """GC-805 How many cards the three discard piles have now."""

    piles: tuple[int, ...]


class CampaignBegan(Event, frozen=True):
    """GC-230, GC-232 The coins of every seat; all Sponsor tokens go."""

    coins: tuple[int, ...]

    def change(self, state: State) -> State:
        teams = tuple(
            replace(team, coins=coins, sponsors=(0, 0), ended=False) for team, coins in zip(state.teams, self.coins, strict=True)
        )
        return replace(state, stage="campaign", teams=teams)


class CampaignEnded(Event, frozen=True):
    """GC-237, GC-238 What is left is lost."""

    seat: Seat

    def change(self, state: State) -> State:
        return state.with_team(self.seat, ended=True, coins=0)


class Scouted(Event, frozen=True):
    """GC-250."""

    seat: Seat
    price: int

    def change(self, state: State) -> State:
        return state.with_team(self.seat, coins=state.teams[self.seat].coins - self.price)


class ChampionPlayed(Event, frozen=True):
    """GC-255, GC-349 Paid, and in the team."""

    seat: Seat
    champion: str
    price: int

    def change(self, state: State) -> State:
        team = state.teams[self.seat]
        hand = tuple(card for card in team.hand if card != self.champion)
        return state.with_team(self.seat, hand=hand, champions=(*team.champions, self.champion), coins=team.coins - self.price)


class ScoutDeveloped(Event, frozen=True):
    """GC-260."""

    seat: Seat
    level: str
    price: int

    def change(self, state: State) -> State:
        return state.with_team(self.seat, scout=LEVELS.index(self.level), coins=state.teams[self.seat].coins - self.price)


class StadiumDeveloped(Event, frozen=True):
    """GC-261."""

    seat: Seat
    level: str
    price: int

    def change(self, state: State) -> State:
        return state.with_team(self.seat, stadium=LEVELS.index(self.level), coins=state.teams[self.seat].coins - self.price)


class TacticsLearned(Event, frozen=True):
    """GC-267 Paid; the token follows."""

    seat: Seat
    kind: str
    price: int

    def change(self, state: State) -> State:
        return state.with_team(self.seat, coins=state.teams[self.seat].coins - self.price)


class LineUpChosen(Event, frozen=True):
    """GC-409, GC-808 Hidden until all are in."""

    seat: Seat
    champions: tuple[str, ...] | None

    def change(self, state: State) -> State:
        return state.with_team(self.seat, answer=self.champions)

    def seen_by(self, seat: Seat | None) -> LineUpChosen:
        return self if seat == self.seat else replace(self, champions=None)


class Left(Event, frozen=True):
    """GC-844."""

    seat: Seat

    def change(self, state: State) -> State:
        return state.with_team(self.seat, left=True)
