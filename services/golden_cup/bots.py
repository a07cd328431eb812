"""Who plays when nobody does? Chance, or a manager who plans purchases and line-ups in Fame that a thing will bring."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from services.golden_cup import commands, content
from services.golden_cup.content.counting import applied, effect_at, icons, of_type, places
from services.golden_cup.content.shapes import (
    Add,
    Bag,
    Drop,
    DropChampion,
    Effect,
    Fame,
    Improve,
    Modify,
    MoreDice,
    OnDevelop,
    OnIncome,
    OnPlayIcon,
    OnScore,
    Op,
    PerCard,
    PerIcon,
    ScoreAtOnce,
    Sponsor,
)
from services.golden_cup.view import SeatView, View
from shared.kernel.choices import Choice, One, Some
from shared.kernel.dice import Dice
from shared.kernel.game import Command
from shared.kernel.match import random_bot

Champions = tuple[str, ...]

ROUNDS = 6
SLOTS = ("1", "2", "3", "4")
SHOTS = (0.45, 0.6, 0.6, 1.0)  # how often each slot shoots in a match
GOAL = 1.6  # what one more score in a match is worth in Fame
FAME = 0.65  # one Fame: it only helps into the final, and the final is what wins the cup
ATTACK = (3.2, 4.5, 6.5, 8.0)  # a token of each value that a champion brings, for a whole season
DEFENSE = (1.8, 2.3, 2.7, 3.1)
BETTER = {"attack": 0.8, "defense": 0.4}  # a token improved by 1
GIVEN_UP = {"attack": 3.5, "defense": 1.7}  # a token discarded
DISMISSED = 2.0  # a champion discarded
TRAINED = {"attack": (1.5, 3.2, 5.2, 7.6), "defense": (1.2, 2.0, 2.7, 3.3)}  # what training moves along
SHOT = 0.5  # how often a champion in a good slot shoots in a match
DIE = 0.58  # what one more die is worth in a shot
LIKELY = {"bronze": 0.05, "silver": 0.2, "gold": 0.45, "all": 0.9}  # champions played in a campaign
SCORES = 0.9  # in a match
GUARD = 0.55  # what 1 less in every attack of the opponent is worth in a match
COIN = 1.0
INCOME = 1.4  # a coin in every campaign to come, each time
STANDING = 0.55  # of the boos that a champion in a slot spares, by match
TRAINING = 0.6  # of what a token gains, since others could be trained as well
BETTER_CARDS = 1.4  # what a higher deck brings in each campaign to come
WILLING = 1.28  # Fame per coin that makes a purchase better than a new hand
CURIOUS = 4  # one champion in so many is chosen by lot, so that no card is never seen


class Season(NamedTuple):
    """What a valuation depends on: the team, the matches still to come, and whether slots are free."""

    champions: Champions
    matches: int

    def after(self, name: str) -> Season:
        return Season((*self.champions, name), self.matches)


def planner(view: View, choices: tuple[Choice, ...], dice: Dice) -> Command:
    """The best purchase, the best line-up, the best token."""
    assert view.own is not None
    seat = view.seats[view.own.seat]
    offers = {choice.do: choice for choice in choices}
    season = Season(seat.champions, ROUNDS + 1 - view.round)
    if commands.KeepSupporter in offers:
        return commands.KeepSupporter(
            max(view.own.offered, key=lambda name: (PROMISE[content.BASE.supporters[name].metric], name))
        )
    if commands.Discard in offers:
        return commands.Discard(poor(view.own.hand, seat, Season(seat.champions, ROUNDS - view.round)))
    if commands.LineUp in offers:
        return commands.LineUp(dict(line_up(seat.champions)))
    if commands.EndCampaign in offers:
        return purchase(view, season, offers, dice)
    return _in_effect(season, choices[0], offers, dice)


PROMISE = {"icon": 2, "distinct_icons": 3, "cards": 2, "tokens": 3, "levels": 4, "income": 2, "wins": 3}


def curious(view: View, choices: tuple[Choice, ...], dice: Dice) -> Command:
    """Plans as the manager does, but which champion of the hand it is, the lot decides: how good a card is shows best so."""
    assert view.own is not None
    best = planner(view, choices, dice)
    match best:
        case commands.PlayChampion():
            offers = {choice.do: choice for choice in choices}
            return commands.PlayChampion(dice.pick(_members(offers, commands.PlayChampion, "champion")))
        case commands.Discard():
            return commands.Discard(outgrown(view))
        case commands.Scout():
            offer = next(choice for choice in choices if choice.do is commands.Scout)
            gone = enough(outgrown(view), offer)
            return commands.Scout((dice.pick(view.own.hand),) if gone is None else gone)
    return best


def outgrown(view: View) -> Champions:
    """The hand cards of a deck below the own Scout level."""
    assert view.own is not None
    level = content.DECKS.index(view.seats[view.own.seat].scout)
    return tuple(name for name in view.own.hand if content.level_of(name) < level)


def _in_effect(season: Season, choice: Choice, offers: dict[type, Choice], dice: Dice) -> Command:
    """A choice of an effect: gain most, lose least."""
    if commands.DiscardChampion in offers:
        return commands.DiscardChampion(min(season.champions[:-1], key=lambda name: (_kept(name, season), name)))
    shape = next(iter(choice.fields.values()))
    assert isinstance(shape, One)
    tokens = [str(member.value) for member in shape.of]
    if commands.ImproveToken in offers:
        return commands.ImproveToken(max(tokens, key=_gain_of_training))
    if commands.DiscardToken in offers:
        return commands.DiscardToken(min(tokens))
    if commands.TakeLower in offers:
        return commands.TakeLower(max(tokens))
    return choice.sample(dice)  # type: ignore[no-any-return]


def purchase(view: View, season: Season, offers: dict[type, Choice], dice: Dice) -> Command:
    """The purchase that brings most Fame per coin; while coins last, anything is better than to lose them."""
    assert view.own is not None
    seat = view.seats[view.own.seat]
    worth: dict[Command, float] = {}
    board, left = content.BOARD, ROUNDS - view.round
    for name in _members(offers, commands.PlayChampion, "champion"):
        mood = 0.85 + 0.03 * dice.below(11)  # no two managers like the same champions
        worth[commands.PlayChampion(name)] = mood * (value(name, season) + _liked(name, view)) / board.play_cost
    if commands.DevelopStadium in offers:
        worth[commands.DevelopStadium()] = (left * COIN + 0.8) / board.stadium_cost[view.round - 1]
    if commands.DevelopScout in offers:
        worth[commands.DevelopScout()] = (0.45 * (left + 1) + BETTER_CARDS * left) / board.scout_cost
    for token in _members(offers, commands.Train, "token"):
        worth[commands.Train(token)] = TRAINING * _gain_of_training(token) * season.matches / ROUNDS / board.train_cost
    for kind in _members(offers, commands.Learn, "kind"):
        gain = TRAINED[kind][(board.learn_attack if kind == "attack" else board.learn_defense) - 1]
        worth[commands.Learn(kind)] = TRAINING * gain * season.matches / ROUNDS / board.learn_cost
    best = max(worth, key=lambda command: worth[command], default=None)
    if commands.Scout in offers and _should_scout(view, seat, season, worth):
        return commands.Scout(_scouted(view, season, offers[commands.Scout]))
    if isinstance(best, commands.PlayChampion) and dice.below(CURIOUS) == 0:
        return commands.PlayChampion(dice.pick(_members(offers, commands.PlayChampion, "champion")))
    return commands.EndCampaign() if best is None else best


def _members(offers: dict[type, Choice], kind: type, field: str) -> list[str]:
    shape = offers[kind].fields[field] if kind in offers else None
    return [str(member.value) for member in shape.of] if isinstance(shape, One) else []


def _should_scout(view: View, seat: SeatView, season: Season, worth: dict[Command, float]) -> bool:
    """When there are coins for a champion besides, and none in the hand is as good as the deck promises."""
    assert view.own is not None
    price = content.BOARD.play_cost + content.BOARD.rescout_cost
    best = max((value(name, season) for name in view.own.hand), default=0.0)
    enough = any(each > WILLING for each in worth.values())
    return seat.coins >= price and not enough and best < expected(seat.scout, season)


def _scouted(view: View, season: Season, offer: Choice) -> Champions:
    """The cards to give away; at least one where nothing could be drawn otherwise."""
    assert view.own is not None
    gone = enough(poor(view.own.hand, view.seats[view.own.seat], season), offer)
    return (min(view.own.hand, key=lambda name: (value(name, season), name)),) if gone is None else gone


def enough(gone: Champions, offer: Choice) -> Champions | None:
    """These cards, if as many have to go: with a full hand, or before an empty deck, at least one."""
    shape = offer.fields["champions"]
    assert isinstance(shape, Some)
    return gone if len(gone) >= shape.least else None


def poor(hand: Champions, seat: SeatView, season: Season) -> Champions:
    """The cards that are worth less than a draw from the deck."""
    return tuple(name for name in hand if value(name, season) < expected(seat.scout, season))


@lru_cache(maxsize=65536)
def expected(level: str, season: Season) -> float:
    """What a card of a deck is worth on the average."""
    deck = [name for name, card in content.CHAMPIONS.items() if card.deck == level]
    return sum(value(name, season) for name in deck) / len(deck)


def _gain_of_training(token: str) -> float:
    values = TRAINED["attack" if token[0] == "A" else "defense"]
    by = content.BOARD.train_attack if token[0] == "A" else content.BOARD.train_defense
    old = int(token[1])
    return values[min(old + by, 4) - 1] - values[old - 1]


def _liked(name: str, view: View) -> float:
    """What the own supporter thinks of a champion."""
    assert view.own is not None
    supporter = content.BASE.supporters[view.own.supporter or view.own.offered[0]]
    card = content.CHAMPIONS[name]
    match supporter.metric:
        case "icon":
            return 1.3 * card.icons.count(supporter.icon or "")
        case "cards":
            return 1.3 if supporter.deck in {"all", card.deck} else 0.0
        case "distinct_icons":
            return 0.8 * len(set(card.icons) - set(icons(view.seats[view.own.seat].champions)))
    return 0.0


@lru_cache(maxsize=262144)
def value(name: str, season: Season) -> float:
    """What playing this champion now brings until the end, in Fame."""
    after = season.after(name)
    standing = STANDING * season.matches if len(season.champions) < len(SLOTS) else 0.1 * season.matches
    worth = standing + sum(_effect_value(place, after) for place in places((name,)))
    played = content.CHAMPIONS[name].icons
    for place in places(season.champions):
        worth += _set_off(effect_at(place), played, after)
        worth += _grown(place, season.champions, after.champions)
    return worth


def _kept(name: str, season: Season) -> float:
    """What a champion still brings by staying."""
    lasting = [place for place in places((name,)) if effect_at(place).type != "immediate"]
    return sum(_effect_value(place, season) for place in lasting)


def _effect_value(place: tuple[str, int], season: Season) -> float:
    """One effect of a champion that has just joined."""
    effect = effect_at(place)
    times: float = applied(place, season.champions)
    if effect.condition is not None and not times:
        times = 0.4  # it may come to hold
    ops = sum(_op_value(op, season.matches) for op in effect.ops)
    match effect.type:
        case "immediate":
            return ops * int(times)
        case "endgame":
            return ops * (times + _growth(effect, season))
        case "shooting":
            return ops * SHOT * (times + 0.5 * _growth(effect, season)) * season.matches
        case "permanent":
            return _permanent_value(effect, times, season)


def _permanent_value(effect: Effect, times: float, season: Season) -> float:
    ops = sum(_op_value(op, season.matches) for op in effect.ops)
    campaigns = season.matches - 1
    match effect.trigger:
        case OnIncome():
            return ops * (times * (campaigns + 1) + 0.5 * _growth(effect, season) * campaigns)
        case OnPlayIcon(icon):
            own = content.CHAMPIONS[season.champions[-1]].icons.count(icon)
            return ops * (own + 0.3 * campaigns)
        case OnDevelop():
            return ops * 0.4 * campaigns
        case OnScore():
            return ops * SCORES * season.matches
    return sum(abs(op.n) for op in effect.ops if isinstance(op, Modify)) * GUARD * season.matches


def _growth(effect: Effect, season: Season) -> float:
    """How much a multiplier may still rise."""
    campaigns = season.matches - 1
    match effect.per:
        case PerIcon(divide=divide):
            return 0.3 * campaigns / divide
        case PerCard(deck=deck):
            return campaigns * LIKELY[deck]
        case None:
            return 0.0
    return 0.2 * campaigns


def _set_off(effect: Effect, played: tuple[str, ...], season: Season) -> float:
    """What the icons of the new champion set off in the team."""
    if not isinstance(effect.trigger, OnPlayIcon):
        return 0.0
    return played.count(effect.trigger.icon) * sum(_op_value(op, season.matches) for op in effect.ops)


def _grown(place: tuple[str, int], before: Champions, after: Champions) -> float:
    """What an end game effect of the team gains by the new champion."""
    effect = effect_at(place)
    if effect.type != "endgame":
        return 0.0
    more = applied(place, after) - applied(place, before)
    return more * FAME * sum(op.n for op in effect.ops if isinstance(op, Fame)) * 0.6  # the rest was counted as growth


def _op_value(op: Op, matches: int) -> float:
    """One op, once; what serves in matches by how many are still to come."""
    part = matches / ROUNDS
    match op:
        case Fame(n):
            return FAME * n
        case Sponsor(n) | Bag(n):
            return n * (COIN if isinstance(op, Sponsor) else INCOME)
        case Improve(kind, n):
            return BETTER[kind] * n * part
        case Add(kind, n):
            return (ATTACK if kind == "attack" else DEFENSE)[n - 1] * part
        case Drop(kind):
            return -GIVEN_UP[kind] * part
        case DropChampion():
            return -DISMISSED * part
        case MoreDice(n):
            return DIE * n
        case ScoreAtOnce():
            return 0.8
        case Modify(n):
            return 0.6 * abs(n) * part


def line_up(champions: Champions) -> tuple[tuple[str, str], ...]:
    """The champions for the four slots that score most together."""
    return _line_up(champions)


@lru_cache(maxsize=65536)
def _line_up(champions: Champions) -> tuple[tuple[str, str], ...]:
    """Slot by slot the best champion left, the busiest slot first; then exchanges as long as one helps."""
    slots = ("4", "3", "2", "1")[: min(4, len(champions))]
    chosen: dict[str, str] = {}
    for slot in slots:
        free = [name for name in champions if name not in chosen.values()]
        chosen[slot] = max(free, key=lambda name: (_in_slot(name, slot, champions), name))
    for one in slots:
        for other in slots:
            now = _in_slot(chosen[one], one, champions) + _in_slot(chosen[other], other, champions)
            then = _in_slot(chosen[one], other, champions) + _in_slot(chosen[other], one, champions)
            if then > now + 1e-9:
                chosen[one], chosen[other] = chosen[other], chosen[one]
    return tuple(sorted(chosen.items()))


@lru_cache(maxsize=262144)
def _in_slot(name: str, slot: str, champions: Champions) -> float:
    """What a champion brings in a match from this slot: scores of its shots, gifts, and what it changes in attacks."""
    number = int(slot) - 1
    rolled, gifts, at_once = 1, 0.0, False
    for place in of_type((name,), "shooting"):
        times = applied(place, champions)
        for op in effect_at(place).ops if times else ():
            rolled += op.n * times if isinstance(op, MoreDice) else 0
            at_once = at_once or isinstance(op, ScoreAtOnce)
            gifts += op.n * times if isinstance(op, Fame | Sponsor) else 0
    miss = (1 - len(content.BOARD.slots[number]) / 6) ** rolled
    lasting = sum(_lasting(effect_at(place), applied(place, champions)) for place in of_type((name,), "permanent"))
    return SHOTS[number] * (GOAL * (1 - (0.0 if at_once else miss)) + gifts) + lasting


def _lasting(effect: Effect, times: int) -> float:
    """What a permanent effect is worth in one match."""
    if isinstance(effect.trigger, OnScore):
        return 0.9 * sum(abs(op.n) for op in effect.ops if isinstance(op, Fame | Sponsor))
    return 0.9 * times * sum(abs(op.n) for op in effect.ops if isinstance(op, Modify))


BOTS = {"random": random_bot, "curious": curious, "manager": planner}
