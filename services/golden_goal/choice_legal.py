"""Which choices does each decision offer, and which of them is the safe one? Choices that come again are made once."""

from __future__ import annotations

from functools import lru_cache

from services.golden_goal import commands, content
from services.golden_goal.content.effects import Choose, Effect, Suspend
from services.golden_goal.goods_state import (
    cards_for,
    decider,
    free_tiles,
    least_bid,
    may_bid,
    means,
    most_goals,
    rivals,
    scouted_price,
    tiles_for_sale,
    tokens_for_sale,
    unowned_tiles,
    value_of,
)
from services.golden_goal.state import (
    MOST_OFFERS,
    NOTE,
    Auction,
    Bet,
    Card,
    MatchEnd,
    Pick,
    Place,
    Purchase,
    Scouting,
    State,
    Visit,
    complete,
    nation_of,
)
from shared.kernel.choices import Choice, Goods, Label, Lot, Member, Number, One, Some
from shared.kernel.game import Command, Seat

Choices = tuple[Choice, ...]
MOST_OPENING = 20_000_000  # of an own auction
ROLL = (Choice(commands.Roll, Label("roll")),)
PASS = (Choice(commands.PassDice, Label("pass_dice")),)
KEEP = Choice(commands.KeepRoll, Label("keep_roll"))
DEMAND = (Choice(commands.LetBuy, Label("let_buy")), Choice(commands.DemandAuction, Label("demand_auction")))
ANSWERS = (Choice(commands.RefuseDeal, Label("refuse_deal")), Choice(commands.AcceptDeal, Label("accept_deal")))
GIVE_UP = Choice(commands.GiveUp, Label("give_up"))
BUY = Choice(commands.BuyTile, Label("buy_tile"))
PASS_BID = Choice(commands.PassBid, Label("pass_bid"))
NO_BET = Choice(commands.DeclineBet, Label("decline_bet"))
HOLD_BACK = Choice(commands.HoldBack, Label("hold_back"))
LEAVE_COLOUR = Choice(commands.LeaveColour, Label("leave_colour"))
LET_HAPPEN = Choice(commands.LetHappen, Label("let_happen"))
NOT_SCOUTED = Choice(commands.DeclineScouted, Label("decline_scouted"))
RAISE = Label("bid")
PROPOSE = Label("propose_deal")


@lru_cache(maxsize=4096)
def thing(name: str) -> Member:
    """A tile, cup, token, kept card or nation."""
    return Member(name, Label("thing", thing=name))


@lru_cache(maxsize=8192)
def things(names: tuple[str, ...]) -> One:
    return One(tuple(thing(name) for name in names))


def of_turn(state: State, seat: Seat) -> Choices:
    """GG-134, GG-135, GG-152."""
    if state.stage == "rolled":
        return _rerolls(means(state, seat, "die_token", "reroll_move", content.USES))
    first = ROLL if state.stage == "before" else PASS
    player = state.players[seat]
    cups = state.cups_of(seat)
    moves = _moves(state, seat, cups) if cups and len(complete(player.tiles)) > 1 else ()
    if state.offers >= MOST_OFFERS:
        return first + moves
    own = lots(player.tiles, player.die_tokens, player.event_tokens, player.kept, cups, player.cash // NOTE)
    return first + _deals(state, seat, own) + _own_auctions(own) + moves


@lru_cache(maxsize=256)
def _rerolls(by: tuple[str, ...]) -> Choices:
    return KEEP, Choice(commands.Reroll, Label("reroll"), {"by": things(by)})


@lru_cache(maxsize=16384)
def lots(
    tiles: tuple[str, ...], die: int, event: int, kept: tuple[str, ...], cups: tuple[str, ...], notes: int
) -> tuple[Lot, ...]:
    """GG-452 What somebody can put into a deal."""
    found = [_lot(name, 1) for name in (*tiles, *cups, *kept)]
    found += [_lot(name, count) for name, count in (("die_token", die), ("event_token", event), ("money", notes)) if count]
    return tuple(found)


@lru_cache(maxsize=4096)
def _lot(name: str, most: int) -> Lot:
    return Lot(name, Label("money_lot") if name == "money" else Label("thing", thing=name), most)


def _deals(state: State, seat: Seat, own: tuple[Lot, ...]) -> Choices:
    """GG-451, GG-460 With every other player who still plays; both sides give something unless gifts are allowed."""
    gifts, banned = state.options.gifts, state.players[seat].modifiers.buying_ban
    takes = {}
    for other in state.after(seat):
        player = state.players[other]
        if player.leaving:
            continue
        tiles = () if banned else player.tiles
        notes = MOST_OPENING // NOTE if state.options.hidden_cash else player.cash // NOTE  # GG-635
        there = lots(tiles, player.die_tokens, player.event_tokens, player.kept, state.cups_of(other), notes)
        if there or (gifts and own):
            takes[str(other)] = there
    if not takes or not (own or gifts):
        return ()
    return (Choice(commands.ProposeDeal, PROPOSE, {"deal": Goods(own, takes, both=not gifts)}),)


@lru_cache(maxsize=8192)
def _own_auctions(own: tuple[Lot, ...]) -> Choices:
    """GG-459."""
    items = tuple(lot.value for lot in own if lot.value != "money")
    if not items:
        return ()
    opening = Number(NOTE, MOST_OPENING, NOTE)
    return (Choice(commands.AuctionOff, Label("auction_off"), {"item": things(items), "opening": opening}),)


def _moves(state: State, seat: Seat, cups: tuple[str, ...]) -> Choices:
    """GG-394."""
    teams = state.teams_of(seat)
    return tuple(_move(cup, tuple(team for team in teams if team != state.cups[cup].team)) for cup in cups)


@lru_cache(maxsize=1024)
def _move(cup: str, teams: tuple[str, ...]) -> Choice:
    return Choice(commands.MoveCup, Label("move_cup", cup=cup), {"cup": things((cup,)), "team": things(teams)})


def sales(state: State, seat: Seat) -> Choices:
    """GG-481."""
    player = state.players[seat]
    if not (player.tiles or player.die_tokens or player.event_tokens):
        return ()
    return _sales(tiles_for_sale(state, seat), tokens_for_sale(state, seat))


@lru_cache(maxsize=16384)
def _sales(tiles: tuple[str, ...], tokens: tuple[str, ...]) -> Choices:
    choices = []
    if tiles:
        members = tuple(Member(tile, Label("for_price", thing=tile, price=content.half(tile))) for tile in tiles)
        choices.append(Choice(commands.SellTile, Label("sell_tile"), {"tile": One(members)}))
    if tokens:
        price = content.ECONOMY.token_sold
        members = tuple(Member(token, Label("for_price", thing=token, price=price)) for token in tokens)
        choices.append(Choice(commands.SellToken, Label("sell_token"), {"kind": One(members)}))
    return tuple(choices)


def default_sale(state: State, _task: object, seat: Seat) -> Command:
    """GG-502 Tokens first, then the cheapest tile outside complete teams, then the cheapest."""
    tokens = tokens_for_sale(state, seat)
    if tokens:
        return commands.SellToken(tokens[0])
    teams = state.teams_of(seat)
    place = state.board.tiles.index
    tiles = tiles_for_sale(state, seat)
    return commands.SellTile(min(tiles, key=lambda tile: (nation_of(tile) in teams, content.price(tile), place(tile))))


def purchase(state: State, task: Purchase, seat: Seat) -> Choices:
    """GG-172, GG-174."""
    return (GIVE_UP, BUY) if state.players[seat].cash >= task.price else (GIVE_UP,)


def bids(state: State, task: Auction, seat: Seat) -> Choices:
    """GG-203, GG-208 In notes, at least the minimum, at most the cash."""
    least, cash = least_bid(state, task), state.players[seat].cash
    live = state.options.live_auctions and task.kind != "reserved"
    first = () if live else (PASS_BID,)
    if cash < least or not may_bid(state, seat, task):
        return first
    return (*first, Choice(commands.Bid, RAISE, {"amount": Number(least, cash, NOTE)}))


def match_end(state: State, task: MatchEnd, seat: Seat) -> Choices:
    """GG-302, GG-304, GG-316, GG-317."""
    player, economy = state.players[seat], content.ECONOMY
    if task.step == 1:
        most = min(economy.most_goal_actions, player.cash // economy.goal_action, state.board.x - player.marker)
        return (Choice(commands.BuyGoalActions, Label("buy_goal_actions"), {"count": Number(0, most)}),)
    kinds = tuple(f"{kind}_token" for kind in ("die", "event") if state.supply(kind))
    return (_tokens(kinds, min(len(kinds), player.cash // economy.token)),)


@lru_cache(maxsize=32)
def _tokens(kinds: tuple[str, ...], most: int) -> Choice:
    return Choice(commands.BuyTokens, Label("buy_tokens"), {"kinds": Some(things(kinds).of, 0, most)})


@lru_cache(maxsize=256)
def green(by: tuple[str, ...]) -> Choices:
    """GG-431."""
    return LEAVE_COLOUR, Choice(commands.TurnGreen, Label("turn_green"), {"by": things(by)})


def visit(state: State, task: Visit, seat: Seat) -> Choices:
    """GG-593, GG-594."""
    asked = decider(state, task, content.USES)
    use = "cancel_visit" if asked == state.turn else "double_visit"
    cards = cards_for(state.players[seat].kept, use, content.USES)
    return HOLD_BACK, Choice(commands.UseCard, Label("use_card"), {"card": things(cards)})


def line_effect(card: Card) -> Effect:
    return content.LINES[card.card][card.todo[0]].effect


def card_choice(_state: State, card: Card) -> str:
    """GG-255 What the drawer has to choose: branch, target or tile."""
    if isinstance(line_effect(card), Choose):
        return "branch"
    return "target" if card.target < 0 and _is_open(_state, card) else "tile"


def _is_open(state: State, card: Card) -> bool:
    return len(_rivals(state, card)) > 1


def _rivals(state: State, card: Card) -> tuple[Seat, ...]:
    effect = line_effect(card)
    return rivals(state, getattr(effect, "who", ""), suspending=isinstance(effect, Suspend))


def card(state: State, task: Card, seat: Seat) -> Choices:
    """GG-256, GG-561, GG-570, GG-576."""
    if task.stage == "react":
        by = means(state, seat, "event_token", "cancel_event", content.USES)
        return (LET_HAPPEN, Choice(commands.React, Label("react"), {"by": things(by)})) if by else (LET_HAPPEN,)
    match card_choice(state, task):
        case "branch":
            effect = line_effect(task)
            assert isinstance(effect, Choose)
            open_ = [name for name, branch in (("b", effect.b), ("a", effect.a)) if _affordable(state, branch)]
            members = tuple(Member(name, told(getattr(effect, name))) for name in open_)
            return (Choice(commands.TakeBranch, Label("take_branch"), {"branch": One(members)}),)
        case "target":
            players = tuple(Member(other, Label("player", seat=other)) for other in _rivals(state, task))
            return (Choice(commands.ChooseTarget, Label("choose_target"), {"seat": One(players)}),)
    return tiles(free_tiles(state, _target(state, task)))


def _target(state: State, task: Card) -> Seat:
    return task.target if task.target >= 0 else _rivals(state, task)[0]


def _affordable(state: State, branch: tuple[Effect, ...]) -> bool:
    """GG-570 A branch with a payment needs the cash."""
    price = sum(-getattr(effect, "n", 0) for effect in branch if type(effect).__name__ == "Cash" and getattr(effect, "n", 0) < 0)
    return state.players[state.turn].cash >= price * NOTE


def told(branch: tuple[Effect, ...]) -> Label:
    """What a branch does, in words."""
    if not branch:
        return Label("does_nothing")
    return Label("does", effects=tuple(_effect_label(effect) for effect in branch))


def _effect_label(effect: Effect) -> Label:
    facts = {name: getattr(effect, name) for name in effect.__struct_fields__}
    facts = {name: fact for name, fact in facts.items() if isinstance(fact, str | int)}
    if isinstance(facts.get("n"), int) and "money" in MONEY.get(type(effect).__name__, ""):
        facts["n"] = facts["n"] * NOTE
    if "kind" in facts:
        facts["kind"] = f"{facts['kind']}_token"
    return Label(f"does_{effect.__struct_config__.tag}", **facts)


MONEY = dict.fromkeys(("Cash", "CashPer", "Collect", "PayEach"), "money")


@lru_cache(maxsize=4096)
def tiles(names: tuple[str, ...]) -> Choices:
    """GG-561."""
    return (Choice(commands.ChooseTile, Label("choose_tile"), {"tile": things(names)}),)


def default_card(state: State, task: Card, _seat: Seat) -> Command:
    """GG-631 The most dangerous opponent, its best tile, the branch without effect."""
    match card_choice(state, task):
        case "branch":
            effect = line_effect(task)
            assert isinstance(effect, Choose)
            empty = "a" if not effect.a else "b" if not effect.b else ""
            return commands.TakeBranch(empty or ("a" if _affordable(state, effect.a) else "b"))
        case "target":
            order = _rivals(state, task)
            players = state.players
            return commands.ChooseTarget(
                max(order, key=lambda seat: (players[seat].points, players[seat].marker, -order.index(seat)))
            )
    target = _target(state, task)
    return commands.ChooseTile(max(free_tiles(state, target), key=lambda tile: value_of(state, tile, target)))


def default_pick(state: State, task: Pick, seat: Seat) -> Command:
    """GG-631 The own tile of the lowest value; of several the one with the lowest square number."""
    return commands.ChooseTile(min(task.tiles, key=lambda tile: value_of(state, tile, seat)))


def scouting(state: State, task: Scouting, seat: Seat) -> Choices:
    """GG-573."""
    cash = state.players[seat].cash
    priced = [(tile, scouted_price(state, tile, task.percent)) for tile in unowned_tiles(state)]
    members = tuple(Member(tile, Label("for_price", thing=tile, price=price)) for tile, price in priced if price <= cash)
    if not members:
        return (NOT_SCOUTED,)
    return NOT_SCOUTED, Choice(commands.BuyScouted, Label("buy_scouted"), {"tile": One(members)})


def bet(state: State, _task: Bet, seat: Seat) -> Choices:
    """GG-285, GG-286, GG-287."""
    choices = [NO_BET]
    goals = most_goals(state, content.ECONOMY.most_goal_bet)
    if goals:
        choices.append(Choice(commands.BetGoals, Label("bet_goals"), {"count": Number(1, goals)}))
    money = min(content.ECONOMY.most_money_bet, state.players[seat].cash)
    if money >= NOTE:
        choices.append(Choice(commands.BetMoney, Label("bet_money"), {"amount": Number(NOTE, money, NOTE)}))
    return tuple(choices)


@lru_cache(maxsize=256)
def places(teams: tuple[str, ...]) -> Choices:
    """GG-392."""
    return (Choice(commands.PlaceCup, Label("place_cup"), {"team": things(teams)}),)


def default_place(state: State, _task: Place, seat: Seat) -> Command:
    """GG-631 The complete team with the lowest square number."""
    teams = state.teams_of(seat)
    first = next(tile for tile in state.board.tiles if nation_of(tile) in teams)
    return commands.PlaceCup(nation_of(first))
