"""The Purchase Campaign: coins, and what they buy."""

from __future__ import annotations

from collections.abc import Iterable

from services.golden_cup import content
from services.golden_cup.commands import DevelopScout, DevelopStadium, EndCampaign, Learn, PlayChampion, Scout, Train
from services.golden_cup.content.counting import effect_at, income, of_type, with_trigger
from services.golden_cup.content.shapes import OnDevelop, OnPlayIcon
from services.golden_cup.events import (
    CampaignBegan,
    CampaignEnded,
    ChampionPlayed,
    ScoutDeveloped,
    Scouted,
    StadiumDeveloped,
    TacticsLearned,
)
from services.golden_cup.rules import cards, effects, tokens
from services.golden_cup.state import LEVELS, Block, State, Step, Team
from shared.kernel.dice import Dice
from shared.kernel.game import Seat, Table


def coins_of(team: Team) -> int:
    """GC-230, GC-231, GC-233, GC-234 Stadium, income effects and Sponsor tokens, on the spaces that the track has."""
    plus, minus = team.sponsors
    coins = content.BOARD.stadium_coins[team.stadium] + income(team.champions) + plus - minus
    return max(0, min(coins, content.CAP))


def begin_campaign(table: Table) -> None:
    """GC-230, GC-232 Coins for everybody at once."""
    table.tell(CampaignBegan(tuple(coins_of(team) for team in table.state.teams)))


def campaigns_over(state: State) -> bool:
    """GC-202, GC-203 Everybody has finished."""
    return all(map(Team.has_bought, state.teams))


def end_campaign(table: Table, seat: Seat, _command: EndCampaign, _dice: Dice) -> None:
    """GC-238, GC-241 The coins that are left are lost."""
    table.tell(CampaignEnded(seat))


def scout(table: Table, seat: Seat, command: Scout, dice: Dice) -> None:
    """GC-250, GC-253 Discard, then draw from the deck of the Scout level."""
    table.tell(Scouted(seat, content.BOARD.rescout_cost))
    cards.discard(table, seat, command.champions)
    cards.count_piles(table)
    cards.refill(table, seat, dice)


def play_champion(table: Table, seat: Seat, command: PlayChampion, _dice: Dice) -> None:
    """GC-255, GC-349 Pay, into the team, immediate effects, then what an icon played sets off."""
    name = command.champion
    table.tell(ChampionPlayed(seat, name, content.BOARD.play_cost))
    immediate = [Block(*place) for place in of_type((name,), "immediate")]
    effects.carry_on(table, seat, (*immediate, *_set_off_by_icons(table.state.teams[seat], name)))


def _set_off_by_icons(team: Team, played: str) -> Iterable[Block]:
    """GC-350 to GC-354 Once per icon on the played card, in the order in which the bearers were played, itself last."""
    icons = content.champion(played).icons
    for place in with_trigger(team.champions, OnPlayIcon):
        trigger = effect_at(place).trigger
        assert isinstance(trigger, OnPlayIcon)
        yield from (Block(*place),) * icons.count(trigger.icon)


def develop_scout(table: Table, seat: Seat, _command: DevelopScout, _dice: Dice) -> None:
    """GC-260, GC-262 One level up."""
    table.tell(ScoutDeveloped(seat, LEVELS[table.state.teams[seat].scout + 1], content.BOARD.scout_cost))
    _developed(table, seat, "scout")


def develop_stadium(table: Table, seat: Seat, _command: DevelopStadium, _dice: Dice) -> None:
    """GC-261, GC-264 One level up, at the price of the round."""
    price = content.price_of_stadium(table.state.round)
    table.tell(StadiumDeveloped(seat, LEVELS[table.state.teams[seat].stadium + 1], price))
    _developed(table, seat, "stadium")


def _developed(table: Table, seat: Seat, track: str) -> None:
    """GC-269, GC-364 Effects of developing, at once."""
    for_track = []
    for place in with_trigger(table.state.teams[seat].champions, OnDevelop):
        trigger = effect_at(place).trigger
        if isinstance(trigger, OnDevelop) and track in trigger.tracks:
            for_track.append(Block(*place))
    effects.carry_on(table, seat, tuple(for_track))


def train(table: Table, seat: Seat, command: Train, _dice: Dice) -> None:
    """GC-265 An Attack token by 1 or a Defense token by 2."""
    board = content.BOARD
    by = board.train_attack if command.token[0] == "A" else board.train_defense
    tokens.improve(table, seat, command.token, by, board.train_cost)


def learn(table: Table, seat: Seat, command: Learn, _dice: Dice) -> None:
    """GC-267, GC-268 One new token, or a lower one of the kind."""
    board = content.BOARD
    value = board.learn_attack if command.kind == "attack" else board.learn_defense
    table.tell(TacticsLearned(seat, command.kind, board.learn_cost))
    effects.carry_on(table, seat, (Step("", "add", command.kind, value),))
