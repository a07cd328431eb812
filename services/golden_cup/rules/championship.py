"""The end of the championship: four parts of a total, and who plays the final."""

from __future__ import annotations

from collections.abc import Callable

from services.golden_cup import content
from services.golden_cup.content.counting import applied, cards, cards_with, effect_at, icons, of_type
from services.golden_cup.content.shapes import Fame, Supporter
from services.golden_cup.fixture_events import CupWon, FinalistsNamed, TieRolled, Totalled
from services.golden_cup.rules.campaign import coins_of
from services.golden_cup.state import State, Team, Total
from shared.kernel.dice import Dice
from shared.kernel.game import Seat, Table

Measure = Callable[[Seat], int]


def end_championship(table: Table, dice: Dice) -> None:
    """GC-520, GC-533, GC-535, GC-653 Totals; with two sides a large lead wins at once, else two play the final."""
    state: State = table.state
    table.tell(Totalled(tuple(map(total_of, state.teams)), tuple(team.supporter for team in state.teams)))
    state = table.state
    if len(state.schedule) == 2:
        lead = state.fame_of(0) - state.fame_of(1)
        if abs(lead) >= content.BOARD.early_win_gap:
            table.tell(CupWon(0 if lead > 0 else 1))
        else:
            table.tell(FinalistsNamed((0, 1)))
    else:
        table.tell(FinalistsNamed(finalists(table, dice)))


def total_of(team: Team) -> Total:
    """GC-521 to GC-525 Fame held, end game effects, the Finance track, the supporter."""
    champions = endgame_of(team)
    coins = coins_of(team)
    finance = content.BOARD.finance_fame[coins]
    supporter = worth(content.BASE.supporters[team.supporter], team) if team.supporter else 0  # a scenario may leave them out
    return Total(team.fame, champions, coins, finance, supporter, max(0, team.fame + champions) + finance + supporter)


def endgame_of(team: Team) -> int:
    """GC-345, GC-503, GC-522 All end game effects of the whole team."""
    return sum(
        op.n * applied(place, team.champions)
        for place in of_type(team.champions, "endgame")
        for op in effect_at(place).ops
        if isinstance(op, Fame)
    )


def worth(supporter: Supporter, team: Team) -> int:
    """GC-524 The highest tier that is reached."""
    count = metric_of(supporter, team)
    return max((tier.fame for tier in supporter.tiers if count >= tier.at_least), default=0)


def metric_of(supporter: Supporter, team: Team) -> int:
    """GC-526 What a supporter counts, as things are after round 6."""
    match supporter.metric:
        case "icon":
            return icons(team.champions)[supporter.icon or ""]
        case "distinct_icons":
            return len(icons(team.champions))
        case "cards":
            return cards(team.champions, supporter.deck or "all")
        case "cards_with":
            return cards_with(team.champions, supporter.type or "")
        case "tokens":
            return tokens_worth(team, supporter.kind or "all", supporter.least)
        case "levels":
            return team.scout + team.stadium
        case "income":
            return coins_of(team)
        case "wins" | "draws" | "goals" | "fame":
            count: int = getattr(team, supporter.metric)
            return count


def tokens_worth(team: Team, kind: str, least: int) -> int:
    """The team tokens of a kind from a value on."""
    attack, defense = team.tokens[least - 1 : 4], team.tokens[3 + least :]
    return {"attack": sum(attack), "defense": sum(defense), "all": sum(attack) + sum(defense)}[kind]


def finalists(table: Table, dice: Dice) -> tuple[Seat, Seat]:
    """GC-527 to GC-532, GC-537 The two best; a tie-break looks only at those who are level across the border."""
    state: State = table.state
    placed: list[Seat] = []
    level = list(state.seats())
    for measure in (state.fame_of, *tie_breaks(state)):
        placed, level = sifted(placed, level, {seat: measure(seat) for seat in level})
    while len(placed) < 2:
        faces = {seat: dice.roll(6) for seat in level}
        table.tell(TieRolled(tuple(faces), tuple(faces.values())))
        placed, level = sifted(placed, level, faces)
    return min(placed), max(placed)


def tie_breaks(state: State) -> tuple[Measure, ...]:
    """GC-528, GC-529, GC-536 More champions, more gold ones, more silver ones in the team."""

    def count(deck: str) -> Measure:
        return lambda seat: cards(state.teams[seat].champions, deck)

    return count("all"), count("gold"), count("silver")


def sifted(placed: list[Seat], level: list[Seat], measures: dict[Seat, int]) -> tuple[list[Seat], list[Seat]]:
    """GC-537 Those ahead take the open places, those behind are out, those level across the border stay level."""
    places = 2 - len(placed)
    if places == 0:
        return placed, []
    border = sorted((measures[seat] for seat in level), reverse=True)[places - 1]
    ahead = [seat for seat in level if measures[seat] > border]
    equal = [seat for seat in level if measures[seat] == border]
    if len(ahead) + len(equal) == places:
        return [*placed, *ahead, *equal], []
    return [*placed, *ahead], equal
