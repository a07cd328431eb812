"""Which other tables look the same to a seat? What it cannot know is drawn anew."""

from __future__ import annotations

from msgspec.structs import replace

from services.golden_cup import content
from services.golden_cup.state import LEVELS, NO_LINE_UP, State, Team
from shared.kernel.dice import Dice
from shared.kernel.game import Seat

Places = dict[str, str]  # from a card to the card that lies in its place


def imagine(state: State, seat: Seat | None, dice: Dice) -> State:
    """GC-800 to GC-808 Hands, decks, piles, supporters and answers of others, as they might be as well."""
    others = tuple(other for other in state.seats() if other != seat)
    exchanged = _exchanged(state, others, dice)
    decks = tuple(
        replace(deck, cards=_through(exchanged, deck.cards), pile=tuple(sorted(_through(exchanged, deck.pile))))
        for deck in state.decks
    )
    teams = [
        _other_team(state, replace(team, hand=tuple(sorted(_through(exchanged, team.hand)))), dice) if other in others else team
        for other, team in enumerate(state.teams)
    ]
    return _other_supporters(replace(state, decks=decks, teams=tuple(teams)), others, dice)


def _exchanged(state: State, others: tuple[Seat, ...], dice: Dice) -> Places:
    """Within each deck every card that this reader does not see may lie in the place of any other."""
    exchanged: Places = {}
    for level, deck in zip(LEVELS, state.decks, strict=True):
        hands = [card for other in others for card in state.teams[other].hand if content.CHAMPIONS[card].deck == level]
        hidden = sorted((*deck.cards, *deck.pile, *hands))
        exchanged.update(zip(hidden, dice.shuffled(hidden), strict=True))
    return exchanged


def _through(exchanged: Places, cards: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(exchanged[card] for card in cards)


def _other_team(state: State, team: Team, dice: Dice) -> Team:
    """GC-204, GC-409 Another secret answer where one was given."""
    if team.answer is None:
        return team
    if state.stage == "discard":
        return replace(team, answer=tuple(sorted(dice.shuffled(team.hand)[: dice.below(len(team.hand) + 1)])))
    return replace(team, answer=dice.shuffled((*team.champions, *NO_LINE_UP[len(team.champions) :]))[:4])


def _other_supporters(state: State, others: tuple[Seat, ...], dice: Dice) -> State:
    """GC-801, GC-121 Other offers for others; those turned over at the end stay."""
    open_ = {state.teams[other].supporter for other in others} if state.totals else set()
    pool = [name for other in others for name in state.teams[other].offered if name not in open_]
    drawn = list(dice.shuffled(sorted((*state.box, *pool))))
    for other in others:
        team = state.teams[other]
        offered = tuple(sorted(name if name in open_ else drawn.pop() for name in team.offered))
        kept = team.supporter if state.totals else dice.pick(offered) if team.supporter else ""
        state = state.with_team(other, offered=offered, supporter=kept)
    return replace(state, box=tuple(drawn))
