"""What of the goods on the table may be sold, bid with, handed over or hit just now, and is everything where it belongs?"""

from __future__ import annotations

from services.golden_goal.state import (
    BANK,
    CUPS,
    NOTE,
    ROLES,
    Auction,
    Card,
    Deal,
    Demand,
    Offer,
    Pick,
    Place,
    Player,
    State,
    Visit,
    complete,
    nation_of,
    role_of,
)
from shared.kernel.game import Seat

TOKENS = ("die_token", "event_token")
HOLDING = frozenset({Visit, Auction, Offer, Card, Pick})  # what may hold something back from a sale (GG-485)


def tiles_for_sale(state: State, seat: Seat) -> tuple[str, ...]:
    """GG-481, GG-485 Own tiles that no visit, card, offer or auction holds, and that the Bank can pay (GG-122)."""
    tiles = state.players[seat].tiles
    if tiles and state.stack:
        held = _held(state)
        if held:
            tiles = tuple(tile for tile in tiles if tile not in held)
    if tiles and state.board.bank:
        prices = state.board.prices
        tiles = tuple(tile for tile in tiles if state.bank_holds(prices[tile] // 2) == prices[tile] // 2)
    return tiles


def tokens_for_sale(state: State, seat: Seat) -> tuple[str, ...]:
    """GG-481 Kinds of own tokens that are free to be sold, and that the Bank can pay (GG-122)."""
    player = state.players[seat]
    if not player.die_tokens and not player.event_tokens:
        return ()
    if state.board.bank and state.bank_holds(state.board.token_sold) < state.board.token_sold:
        return ()
    return tuple([token for token in TOKENS if free_tokens(state, seat, token)])


def free_tokens(state: State, seat: Seat, token: str) -> int:
    """GG-485 How many tokens of a kind a player may sell; an open offer keeps none back, but goes stale (GG-455)."""
    count = int(getattr(state.players[seat], f"{token}s"))
    return count - _bound(state, seat, token) if count and state.stack else count


def has_for_sale(state: State, seat: Seat) -> bool:
    player = state.players[seat]
    if not (player.tiles or player.die_tokens or player.event_tokens):
        return False
    if not state.board.bank and not any(type(task) in HOLDING for task in state.stack):
        return True
    return bool(tiles_for_sale(state, seat) or tokens_for_sale(state, seat))


def can_raise(state: State, seat: Seat, amount: int) -> bool:
    """GG-174, GG-209 Whether cash, and sales to the Bank, reach this amount."""
    player = state.players[seat]
    missing = amount - player.cash
    if missing <= 0:
        return True
    prices = state.board.prices
    tokens = tokens_for_sale(state, seat)
    worth = sum(prices[tile] // 2 for tile in tiles_for_sale(state, seat))
    worth += state.board.token_sold * sum(free_tokens(state, seat, token) for token in tokens)
    return worth >= missing


def least_bid(state: State, auction: Auction) -> int:
    """GG-202, GG-203."""
    return auction.bid + state.board.raise_by if auction.bid else auction.opening


def may_bid(state: State, seat: Seat, auction: Auction) -> bool:
    """GG-182, GG-353 A tile is nothing for a player under a buying ban, a cup nothing for one without a complete team."""
    player = state.players[seat]
    if auction.item in CUPS:
        return bool(complete(player.tiles))
    return not (player.modifiers.buying_ban and auction.item in state.board.prices)


def is_awaited(state: State, seat: Seat, auction: Auction) -> bool:
    """Whether this bidder has a decision to take: it may bid, and has the money or something to sell."""
    return may_bid(state, seat, auction) and can_raise(state, seat, least_bid(state, auction))


def has_lots(state: State, seat: Seat, lots: dict[str, int]) -> bool:
    """GG-455."""
    player = state.players[seat]
    for item, count in lots.items():
        if item == "money":
            there = player.cash // NOTE
        elif item in TOKENS:
            there = int(getattr(player, f"{item}s"))
        elif item in CUPS:
            there = int(state.cups[item].holder == seat and not state.cups[item].ceded)
        else:
            there = int(item in player.tiles or item in player.kept)
        if there < count:
            return False
    return True


def deal_holds(state: State, deal: Deal) -> bool:
    """GG-454 to GG-456, GG-460, GG-566 Whether the deal can still be carried out."""
    if not has_lots(state, state.turn, deal.give) or not has_lots(state, deal.partner, deal.take):
        return False
    if not (deal.give and deal.take) and not state.options.gifts:
        return False
    return _may_receive(state, state.turn, deal.take, deal.give) and _may_receive(state, deal.partner, deal.give, deal.take)


def _may_receive(state: State, seat: Seat, comes: dict[str, int], goes: dict[str, int]) -> bool:
    player, prices = state.players[seat], state.board.prices
    if player.modifiers.buying_ban and any(item in prices for item in comes):
        return False
    if not any(item in CUPS for item in comes):
        return True
    tiles = tuple(sorted((set(player.tiles) - set(goes)) | {item for item in comes if item in prices}))
    return bool(complete(tiles))


def _bound(state: State, seat: Seat, token: str) -> int:
    """GG-485 Tokens of this kind that this player has given to a reaction, or auctions just now."""
    bound = 0
    for task in state.stack:
        match task:
            case Card(reactors=reactors, reactions=reactions) if seat in reactors:
                bound += reactions[reactors.index(seat)] == token
            case Auction(item=item, seller=seller):
                bound += item == token and seller == seat
            case _:
                pass
    return bound


def _held(state: State) -> set[str]:
    """GG-485 Tiles that are part of something that is being resolved."""
    held: set[str] = set()
    for task in state.stack:
        match task:
            case Visit(tile=tile):
                held.add(tile)
            case Auction(item=item, seller=seller) if seller != BANK:
                held.add(item)
            case Offer(deal=deal):
                held.update(deal.give, deal.take)
            case Card(parts=parts):
                held.update(tile for part in parts for tile in part.tiles)
            case Pick(tiles=tiles):
                held.update(tiles)
            case _:
                pass
    return held


def means(state: State, seat: Seat, token: str, use: str, uses: dict[str, str]) -> tuple[str, ...]:
    """GG-566, GG-595 A token of the kind unless it is banned, and kept cards for the use; `uses` says what a card is for."""
    player = state.players[seat]
    count = player.die_tokens if token == TOKENS[0] else player.event_tokens
    tokens = (token,) if count and not player.modifiers.token_ban else ()
    return tokens + cards_for(player.kept, use, uses) if player.kept else tokens


def cards_for(kept: tuple[str, ...], use: str, uses: dict[str, str]) -> tuple[str, ...]:
    return tuple(card for card in kept if uses[card] == use)


def value_of(state: State, tile: str, owner: Seat) -> int:
    """GG-235, GG-352 The tile, its owner's role modifiers, and one more in a complete team; never below 0."""
    player = state.players[owner]
    complete = nation_of(tile) in state.teams_of(owner)
    return max(0, int(state.board.goals[tile] + getattr(player.modifiers, role_of(tile)) + complete))


def decider(state: State, visit: Visit, uses: dict[str, str]) -> Seat:
    """GG-596 Whose card is asked for: first the visitor's, then the owner's; -1 for nobody's."""
    visitor, owner = state.players[state.turn], state.players[visit.owner]
    if visit.step == 0 and visitor.kept and cards_for(visitor.kept, "cancel_visit", uses):
        return state.turn
    doubling = visit.step < 2 and owner.kept and cards_for(owner.kept, "double_visit", uses)
    return visit.owner if doubling and value_of(state, visit.tile, visit.owner) >= 1 else BANK


def free_tiles(state: State, seat: Seat) -> tuple[str, ...]:
    """GG-523 Tiles that are not suspended, in the order of the board."""
    if seat == BANK:
        return ()
    tiles = state.players[seat].tiles
    return tuple(tile for tile in state.board.tiles if tile in tiles and tile not in state.suspended)


def unowned_tiles(state: State) -> tuple[str, ...]:
    """GG-112 In the order of the board."""
    owned = {tile for player in state.players for tile in player.tiles}
    return tuple(tile for tile in state.board.tiles if tile not in owned)


def rivals(state: State, who: str, *, suspending: bool) -> tuple[Seat, ...]:
    """GG-576 The opponents among whom the drawer chooses; none where nothing is to be chosen."""
    if who not in {"chosen", "marker_top"}:
        return ()
    others = state.after(state.turn)
    if who == "marker_top":
        highest = max(state.players[seat].marker for seat in others)
        return tuple(seat for seat in others if state.players[seat].marker == highest)
    return tuple(seat for seat in others if free_tiles(state, seat)) if suspending else others


def scouted_price(state: State, tile: str, percent: int) -> int:
    """GG-573 Rounded up to the smallest note."""
    return -(-state.board.prices[tile] * percent // (100 * NOTE)) * NOTE


def most_goals(state: State, limit: int) -> int:
    """GG-285, GG-287 How many goal actions the active player may bet."""
    marker = state.players[state.turn].marker
    owned = marker if state.options.capital_goal_bet_needs_marker else marker + state.board.x
    return max(0, min(limit, owned))


def rival(state: State, tile: str) -> Seat:
    """GG-177, GG-178 The other player who owns both other tiles of the nation."""
    others = [other for role in ROLES if (other := f"{nation_of(tile)}_{role}") != tile]
    owner = state.owner_of(others[0])
    return owner if owner not in {BANK, state.turn} and owner == state.owner_of(others[1]) else BANK


def may_demand(state: State, task: Demand) -> bool:
    """GG-223, GG-225 With the money for a raise, no ban, and still both tiles."""
    owner = state.players[task.owner]
    if owner.modifiers.buying_ban or rival(state, task.tile) != task.owner:
        return False
    return owner.cash >= task.price + state.board.raise_by


def sound(state: State) -> list[str]:
    """Complaints: a tile, cup or card lost or doubled, a marker off the track, money owed, tokens beyond the supply."""
    complaints = []
    tiles = [tile for player in state.players for tile in player.tiles]
    complaints += [f"{tile} is owned twice" for tile in sorted(set(tiles)) if tiles.count(tile) > 1]
    kept = [card for player in state.players for card in player.kept]
    drawn = [task.card for task in state.stack if type(task) is Card]
    cards = [*kept, *drawn, *(card for deck in (state.football, state.non_football) for card in (*deck.hidden, *deck.known))]
    complaints += [f"{card} is there twice" for card in sorted(set(cards)) if cards.count(card) > 1]
    complaints += [f"{tile} is suspended and unowned" for tile in state.suspended if tile not in tiles]
    for kind in ("die", "event"):
        if not 0 <= state.supply(kind) <= state.board.tokens:
            complaints.append(f"{state.supply(kind)} {kind} tokens in the supply")
    for seat, player in enumerate(state.players):
        complaints += _faults_of(state, seat, player)
    return complaints + _cup_faults(state)


def _faults_of(state: State, seat: Seat, player: Player) -> list[str]:
    complaints = []
    if player.cash < 0 or player.cash % NOTE:
        complaints.append(f"seat {seat} has {player.cash}")
    if abs(player.marker) > state.board.x or player.points < 0:
        complaints.append(f"seat {seat} has marker {player.marker} and {player.points} points")
    if player.left and (player.cash or player.tiles or player.kept or player.die_tokens or player.event_tokens):
        complaints.append(f"seat {seat} has left and kept something")
    return complaints


def _cup_faults(state: State) -> list[str]:
    """GG-353, GG-391 Every cup lies on a complete team of its holder, unless it is just being placed or ceded, or was when the game ended."""
    placing = {task.cup for task in state.stack if type(task) is Place}
    complaints = [] if set(state.cups) == set(CUPS) else ["a cup is missing"]
    for name, cup in state.cups.items():
        if cup.holder == BANK or cup.ceded:
            wrong = bool(cup.team)
        else:
            wrong = not (cup.team in state.teams_of(cup.holder) or (not cup.team and (name in placing or state.stage == "over")))
        if wrong:
            complaints.append(f"the {name} cup lies on {cup.team or 'no team'} of seat {cup.holder}")
    return complaints
