"""Who plays when nobody does? A random player, and a trader who knows what visits, complete teams and points are worth."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from services.golden_goal import commands, content
from services.golden_goal.view import NowView, SeatView, SquareView, View
from shared.kernel.choices import Choice, Goods, Number, One
from shared.kernel.dice import Dice
from shared.kernel.game import Command, Seat
from shared.kernel.match import random_bot

Choices = dict[type[Command], Choice]
NOTE = 100_000
POINT = 1_600_000  # what a championship point is worth in money, while the game is long
RESERVE = 1_000_000  # for goal actions at the next whistle
CUP = 2_500_000
CHANCES = {total: (6 - abs(7 - total)) / 36 for total in range(2, 13)}  # of a roll of both movement dice
POINTS = {"win": 3, "draw": 1, "loss": 0}


def trader(view: View, choices: tuple[Choice, ...], dice: Dice) -> Command:
    """Answers the question by what it is worth; sells only what it must."""
    offered = {choice.do: choice for choice in choices}
    for kind, answer in ANSWERS.items():
        if kind in offered:
            return answer(view, offered)
    return next(iter(offered.values())).sample(dice)  # type: ignore[no-any-return]


def me(view: View) -> SeatView:
    assert view.you is not None
    return view.seats[view.you]


def cash_of(view: View) -> int:
    return me(view).cash or 0


def square_of(view: View, tile: str) -> SquareView:
    return view.squares[content.SQUARE_OF[tile]]


def left_over(view: View) -> float:
    """How much of the game is still to come, from 1 down to 0."""
    best = max(seat.points / view.target for seat in view.seats)
    return max(0.1, 1 - max(best, max(seat.matches for seat in view.seats) / view.cap))


def worth(view: View, tile: str, seat: Seat) -> int:
    """What a tile is worth to a player: its price, more with the sisters it finds there, more if it breaks up a rival's team."""
    square = square_of(view, tile)
    sisters = [other for other in view.squares if other.nation == square.nation and other.what != tile]
    own = sum(other.owner == seat for other in sisters)
    rivals = {other.owner for other in sisters} - {None, seat}
    factor = (0.9, 1.3, 2.6)[own]
    if own == 0 and len(rivals) == 1 and all(other.owner is not None for other in sisters):
        factor += 0.4
    return int(square.price * factor * (0.4 + 0.9 * left_over(view)))


def expected_points(view: View, number: int) -> float:
    """By the result table, over the six faces of the outcome die."""
    column = view.columns[max(-view.x, min(view.x, number)) + view.x]
    return (3 * POINTS[column.green] + 2 * POINTS[column.yellow] + POINTS[column.red]) / 6


def traffic(view: View, nation: str) -> float:
    """How many opponents are likely to land on the nation with their next roll."""
    return _traffic(tuple(s.square for s in view.seats if s.seat != view.you and not s.left), nation, len(view.squares))


@lru_cache(maxsize=8192)
def _traffic(pawns: tuple[int, ...], nation: str, size: int) -> float:
    places = [content.SQUARE_OF[tile] for tile in content.IN_ORDER if content.TILES[tile].nation == nation]
    return sum(CHANCES.get((place - pawn) % size, 0.0) for pawn in pawns for place in places)


def on_turn(view: View, offered: Choices) -> Command:
    """Deals and cup moves first, then the dice."""
    return _move_cup(view) or _propose(view, offered) or (commands.Roll() if commands.Roll in offered else commands.PassDice())


def _move_cup(view: View) -> Command | None:
    teams = me(view).teams
    if len(teams) < 2 or not me(view).cups:
        return None
    best = max(teams, key=lambda team: (traffic(view, team), team))
    for cup in view.cups:
        if cup.holder == view.you and cup.team != best and traffic(view, best) > traffic(view, cup.team) + 0.05:
            return commands.MoveCup(cup.cup, best)
    return None


def _propose(view: View, offered: Choices) -> Command | None:
    """Once a turn, after the square: for the third tile of a nation its owner is offered money, or a tile that serves the owner better."""
    if commands.ProposeDeal not in offered or view.offers or view.stage != "after":
        return None
    goods = offered[commands.ProposeDeal].fields["deal"]
    assert isinstance(goods, Goods)
    for tile in _wanted(view):
        owner = square_of(view, tile).owner
        if owner is not None and str(owner) in goods.takes:
            give = _price_for(view, tile, owner)
            if give and any(lot.value == tile for lot in goods.takes[str(owner)]):
                return commands.ProposeDeal({"with": str(owner), "give": give, "take": {tile: 1}})
    return None


def _wanted(view: View) -> list[str]:
    """Third tiles of nations of which the reader has two."""
    own = me(view).tiles
    counts = {nation: sum(tile.startswith(nation + "_") for tile in own) for nation in {square.nation for square in view.squares}}
    return [square.what for square in view.squares if square.nation and counts[square.nation] == 2 and square.what not in own]


def _price_for(view: View, tile: str, owner: Seat) -> dict[str, int]:
    """What makes the owner better off and still pays for itself: money, with a tile that the reader needs less."""
    assert view.you is not None
    mine, theirs = worth(view, tile, view.you), worth(view, tile, owner) + danger(view, tile)
    spare = [
        t
        for t in me(view).tiles
        if worth(view, t, owner) > worth(view, t, view.you) and square_of(view, t).nation not in me(view).teams
    ]
    give: dict[str, int] = {}
    for other in sorted(spare)[:1]:
        give[other] = 1
        mine, theirs = mine - worth(view, other, view.you), theirs - worth(view, other, owner) + danger(view, other)
    notes = max(1, int(theirs * 1.1) // NOTE + 1)
    if notes * NOTE > min(mine, cash_of(view) - RESERVE):
        return {}
    return {**give, "money": notes}


def danger(view: View, tile: str) -> int:
    """What it costs a player to let a rival complete a team."""
    return square_of(view, tile).price // 2


def purchase(view: View, offered: Choices) -> Command:
    square = view.squares[me(view).square]
    able = commands.BuyTile in offered and view.you is not None
    if (
        able
        and worth(view, square.what, me(view).seat) >= square.price
        and cash_of(view) - square.price >= _spare(view, square.what)
    ):
        return commands.BuyTile()
    return commands.GiveUp()


def _spare(view: View, tile: str) -> int:
    """Cash that stays for the whistle, unless the tile completes a team."""
    completes = worth(view, tile, me(view).seat) > 2 * square_of(view, tile).price
    return 0 if completes else RESERVE


def bid(view: View, offered: Choices) -> Command:
    """The least bid, as long as the item is worth it."""
    now = view.now[-1]
    if commands.Bid not in offered:
        return commands.PassBid()
    amount = offered[commands.Bid].fields["amount"]
    assert isinstance(amount, Number)
    limit = _worth_of_item(view, now)
    spare = _spare(view, now.thing) if now.thing in content.TILES else RESERVE
    return commands.Bid(amount.least) if amount.least <= min(limit, cash_of(view) - spare) else commands.PassBid()


def _worth_of_item(view: View, now: NowView) -> int:
    if now.thing in content.TILES:
        return worth(view, now.thing, me(view).seat)
    return int(CUP * left_over(view)) if now.thing in {cup.cup for cup in view.cups} else 700_000


def demand(view: View, _offered: Choices) -> Command:
    """The third tile is worth more than its price."""
    now = view.now[-1]
    wanted = worth(view, now.thing, me(view).seat) >= now.amount + NOTE
    return commands.DemandAuction() if wanted else commands.LetBuy()


def goal_actions(view: View, offered: Choices) -> Command:
    """As many as the expected points pay for."""
    count = offered[commands.BuyGoalActions].fields["count"]
    assert isinstance(count, Number)
    number = me(view).marker + me(view).modifiers.result

    def gain(bought: int) -> float:
        return expected_points(view, number + bought) * POINT - bought * content.ECONOMY.goal_action

    return commands.BuyGoalActions(max(range(count.most + 1), key=gain))


def tokens(view: View, _offered: Choices) -> Command:
    """A die token turns half of all results; an event token only if there is money to spare."""
    cash, price = cash_of(view), content.ECONOMY.token
    kinds = []
    if view.supply["die"] and me(view).die_tokens < 2 and cash >= 2 * price:
        kinds.append("die_token")
    if view.supply["event"] and not me(view).event_tokens and cash >= 6 * price:
        kinds.append("event_token")
    return commands.BuyTokens(tuple(kinds))


def green(view: View, offered: Choices) -> Command:
    """For a result that gets better by it."""
    now = view.now[-1]
    by = _first(offered[commands.TurnGreen], "by")
    if now.purpose == "match_result":
        column = view.columns[max(-view.x, min(view.x, me(view).marker + me(view).modifiers.result)) + view.x]
        better = POINTS[column.green] - POINTS[getattr(column, now.face)]
        return commands.TurnGreen(by) if better >= 1 else commands.LeaveColour()
    return commands.TurnGreen(by) if now.purpose == "card" and now.face == "red" else commands.LeaveColour()


def bet(_view: View, offered: Choices) -> Command:
    """Three faces double the bet and one takes it, so it pays to bet."""
    money = offered.get(commands.BetMoney)
    if money is not None:
        amount = money.fields["amount"]
        assert isinstance(amount, Number)
        return commands.BetMoney(amount.most)
    goals = offered.get(commands.BetGoals)
    return commands.BetGoals(1) if goals is not None else commands.DeclineBet()


def target(view: View, offered: Choices) -> Command:
    """The opponent who is furthest ahead."""
    seats = offered[commands.ChooseTarget].fields["seat"]
    assert isinstance(seats, One)
    return commands.ChooseTarget(
        max((int(m.value) for m in seats.of), key=lambda s: (view.seats[s].points, view.seats[s].marker, -s))
    )


def tile(view: View, offered: Choices) -> Command:
    """Of one's own the least, of an opponent's the best."""
    listed = offered[commands.ChooseTile].fields["tile"]
    assert isinstance(listed, One)
    tiles = [str(member.value) for member in listed.of]
    own = tiles[0] in me(view).tiles
    return commands.ChooseTile((min if own else max)(tiles, key=lambda name: (square_of(view, name).value, name)))


def branch(_view: View, offered: Choices) -> Command:
    """The branch with an effect, if it is on offer."""
    listed = offered[commands.TakeBranch].fields["branch"]
    assert isinstance(listed, One)
    names = {str(member.value) for member in listed.of}
    return commands.TakeBranch("a" if "a" in names else "b")


def scouting(view: View, offered: Choices) -> Command:
    """The tile that is worth most above its price."""
    choice = offered.get(commands.BuyScouted)
    if choice is None:
        return commands.DeclineScouted()
    listed = choice.fields["tile"]
    assert isinstance(listed, One)
    gains = {str(m.value): worth(view, str(m.value), me(view).seat) - square_of(view, str(m.value)).price for m in listed.of}
    best = max(sorted(gains), key=lambda name: gains[name])
    affordable = cash_of(view) - square_of(view, best).price >= _spare(view, best)
    return commands.BuyScouted(best) if gains[best] > 0 and affordable else commands.DeclineScouted()


def react(_view: View, offered: Choices) -> Command:
    return commands.React(_first(offered[commands.React], "by"))


def use_card(view: View, offered: Choices) -> Command:
    """For a visit that moves at least two."""
    visited = square_of(view, view.now[-1].thing)
    return commands.UseCard(_first(offered[commands.UseCard], "card")) if visited.value >= 2 else commands.HoldBack()


def place_cup(view: View, offered: Choices) -> Command:
    teams = offered[commands.PlaceCup].fields["team"]
    assert isinstance(teams, One)
    return commands.PlaceCup(max((str(member.value) for member in teams.of), key=lambda team: (traffic(view, team), team)))


def answer(view: View, _offered: Choices) -> Command:
    """Accepts what leaves it better off."""
    offer, seat = view.now[-1], me(view).seat
    gained = sum(_lot(view, item, count, seat) for item, count in offer.give.items())
    lost = sum(_lot(view, item, count, seat) for item, count in offer.take.items())
    lost += sum(
        danger(view, item)
        for item in offer.take
        if item in content.TILES and worth(view, item, view.turn) > 2 * square_of(view, item).price
    )
    return commands.AcceptDeal() if gained > lost else commands.RefuseDeal()


def _lot(view: View, item: str, count: int, seat: Seat) -> int:
    if item in content.TILES:
        return worth(view, item, seat)
    if item == "money":
        return count * NOTE
    return int(CUP * left_over(view)) if item in {cup.cup for cup in view.cups} else 700_000 * count


def sell(view: View, offered: Choices) -> Command:
    """A debt is paid with tokens first, then with the tile it misses least."""
    if commands.SellToken in offered:
        return commands.SellToken(_first(offered[commands.SellToken], "kind"))
    listed = offered[commands.SellTile].fields["tile"]
    assert isinstance(listed, One)
    return commands.SellTile(min((str(m.value) for m in listed.of), key=lambda name: (worth(view, name, me(view).seat), name)))


def _first(choice: Choice, field: str) -> str:
    shape = choice.fields[field]
    assert isinstance(shape, One)
    return str(shape.of[0].value)


ANSWERS: dict[type[Command], Callable[[View, Any], Command]] = {
    commands.Roll: on_turn,
    commands.PassDice: on_turn,
    commands.KeepRoll: lambda _view, _offered: commands.KeepRoll(),
    commands.GiveUp: purchase,
    commands.PassBid: bid,
    commands.Bid: bid,
    commands.LetBuy: demand,
    commands.BuyGoalActions: goal_actions,
    commands.BuyTokens: tokens,
    commands.LeaveColour: green,
    commands.DeclineBet: bet,
    commands.ChooseTarget: target,
    commands.ChooseTile: tile,
    commands.TakeBranch: branch,
    commands.DeclineScouted: scouting,
    commands.LetHappen: react,
    commands.HoldBack: use_card,
    commands.PlaceCup: place_cup,
    commands.RefuseDeal: answer,
    commands.SellToken: sell,
    commands.SellTile: sell,
}
BOTS = {"random": random_bot, "trader": trader}
