"""What happens before the first round?"""

from __future__ import annotations

from services.goldblivion import content
from services.goldblivion.events import BankShuffled, FirstPlayerCame, Refilled
from services.goldblivion.rules.market import shuffle_army, shuffle_deck
from services.goldblivion.setup_events import (
    ArmiesLaid,
    Buried,
    CoatsDealt,
    DeckDealt,
    DrafterCame,
    DummySeated,
    MapLaid,
    NoblesRevealed,
    PileShuffled,
    VillagesLaid,
)
from services.goldblivion.state import COATS, Board, Dummy, Options, Space, State, put
from shared.kernel.dice import Dice
from shared.kernel.game import Table

ALL_DOUBLE = 4  # GB-132


def empty(seats: int, options: Options) -> State:
    """The table before anything lies on it."""
    return State(options, (Board(),) * seats, taken=("",) * seats, end_bars=content.NUMBERS.end_bars)


def setup(table: Table, seats: int, options: Options, dice: Dice) -> None:
    """GB-101 to GB-157, GB-601 to GB-607 Coats of arms, decks, map, Market, village, bank, Nobles and first player."""
    _deal_coats(table, seats, options, dice)
    for seat in range(seats):
        deck, army = content.copies("start"), content.combat_copies("start")
        table.tell(DeckDealt(seat, deck, army))
        shuffle_deck(table, seat, dice)
        shuffle_army(table, seat, dice)
    _lay_map(table, seats, dice)
    army = dice.shuffled(content.in_order(content.combat_copies("market")))
    table.tell(ArmiesLaid(army[: len(army) // 2], army[len(army) // 2 :]))
    table.tell(VillagesLaid((dice.pick("ab"), dice.pick("ab"))))
    _lay_market(table, dice)
    table.tell(BankShuffled(dice.shuffled(sorted(token.id for token in content.BASE.magic_tokens.tokens))))
    _reveal_nobles(table, seats, options, dice)


def seats_for(options: Options) -> range:
    """GB-101, GB-601 An opponent or a Noble of one's choice is for the Solo Challenge alone."""
    return range(1, 2) if options.dummy or options.noble == "chosen" else range(1, 5)


def _deal_coats(table: Table, seats: int, options: Options, dice: Dice) -> None:
    """GB-102, GB-113, GB-603 At random; in solo not that of the Dummy Noble."""
    noble = options.dummy or "ariane"
    taken = content.SOLO[noble].coat if seats == 1 else None
    coats = dice.shuffled(coat for coat in COATS if coat != taken)
    table.tell(CoatsDealt(coats[:seats]))
    if taken:
        table.tell(DummySeated(Dummy(noble, taken)))


def _lay_map(table: Table, seats: int, dice: Dice) -> None:
    """GB-131 to GB-133 One tile a space, with four seats two on some; the rest goes to the box unseen."""
    tiles = {kind: list(dice.shuffled(sorted(content.tile_copies(kind)))) for kind in ("forest", "mountain")}
    places = {space.id: index for index, space in enumerate(content.SPACES)}
    spaces = tuple(
        Space(
            space.id,
            space.kind,
            tuple(places[other] for other in space.neighbours),
            space.land,
            space.water,
            space.cow,
            space.row,
            space.column,
            tuple(tiles[space.kind].pop() for _ in range(2 if space.double and seats == ALL_DOUBLE else 1)),
        )
        for space in content.SPACES
    )
    table.tell(MapLaid(spaces, (tuple(sorted(tiles["forest"])), tuple(sorted(tiles["mountain"])))))


def _lay_market(table: Table, dice: Dice) -> None:
    """GB-136 to GB-139, GB-602 Four Characters; Buildings turned up on the way go under the pile."""
    pile = dice.shuffled(content.in_order(content.copies("character") + content.copies("building")))
    table.tell(PileShuffled(len(pile), pile))
    for slot in range(content.NUMBERS.market):
        while table.state.pile[0] in content.BUILDINGS:
            table.tell(Buried(table.state.pile[0]))
        card = table.state.pile[0]
        table.tell(Refilled(put(table.state.market, slot, card), card))


def _reveal_nobles(table: Table, seats: int, options: Options, dice: Dice) -> None:
    """GB-141, GB-151, GB-152, GB-605, GB-606 As many as there are seats; the first player is drawn, the last one takes first."""
    nobles = dice.shuffled(content.in_order(content.copies("noble")))
    count = len(nobles) if options.noble == "chosen" else seats
    table.tell(NoblesRevealed(content.in_order(nobles[:count]), content.in_order(nobles[count:])))
    first = dice.below(seats)
    table.tell(FirstPlayerCame(first))
    table.tell(DrafterCame((first - 1) % seats))
