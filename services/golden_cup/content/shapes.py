"""What may a pack of Golden Cup hold? Cards and their effects, tiles, tokens and the board; for the check see faults.py."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

Kind = Literal["attack", "defense"]
Icon = str  # one of `icons` of the board
Deck = Literal["bronze", "silver", "gold"]
Type = Literal["immediate", "shooting", "permanent", "endgame"]
Level = Literal["amateur", "pro", "legend"]
TokenId = Annotated[str, Meta(pattern="^[AD][1-4]$")]
Size = Annotated[int, Meta(ge=1, le=4)]
Price = Annotated[int, Meta(ge=1, le=12)]  # GC-847: at least 1, so that every campaign ends
Coins = Annotated[int, Meta(ge=0, le=12)]
Face = Annotated[int, Meta(ge=1, le=6)]
Count = Annotated[int, Meta(ge=0)]
Most = Annotated[int, Meta(ge=1)]


class Fame(Struct, frozen=True, forbid_unknown_fields=True, tag_field="does", tag="fame"):
    """GC-706 Gain or lose Fame."""

    n: Annotated[int, Meta(ge=-3, le=6)]


class Sponsor(Struct, frozen=True, forbid_unknown_fields=True, tag_field="does", tag="sponsor"):
    """GC-702 Take a Sponsor token, +1 or -1."""

    n: Literal[-1, 1]


class Improve(Struct, frozen=True, forbid_unknown_fields=True, tag_field="does", tag="improve"):
    """GC-704, GC-705 Improve one token of the kind."""

    kind: Kind
    n: Annotated[int, Meta(ge=1, le=3)]


class Add(Struct, frozen=True, forbid_unknown_fields=True, tag_field="does", tag="add"):
    """GC-707 Add a token of the value `n`."""

    kind: Kind
    n: Size


class Drop(Struct, frozen=True, forbid_unknown_fields=True, tag_field="does", tag="drop"):
    """GC-708 Discard one token of the kind."""

    kind: Kind


class DropChampion(Struct, frozen=True, forbid_unknown_fields=True, tag_field="does", tag="drop_champion"):
    """GC-700 Discard another champion."""


class MoreDice(Struct, frozen=True, forbid_unknown_fields=True, tag_field="does", tag="dice"):
    """GC-701 Roll more dice."""

    n: Annotated[int, Meta(ge=1, le=3)]


class ScoreAtOnce(Struct, frozen=True, forbid_unknown_fields=True, tag_field="does", tag="score"):
    """GC-462 Score without rolling."""


class Bag(Struct, frozen=True, forbid_unknown_fields=True, tag_field="does", tag="coins"):
    """GC-715 More coins in every campaign."""

    n: Annotated[int, Meta(ge=1, le=2)]


class Modify(Struct, frozen=True, forbid_unknown_fields=True, tag_field="does", tag="modify"):
    """GC-703 Change the value of an attack; of which sign it must be goes by the trigger."""

    n: Annotated[int, Meta(ge=-4, le=4)]


Op = Fame | Sponsor | Improve | Add | Drop | DropChampion | MoreDice | ScoreAtOnce | Bag | Modify


class OnIncome(Struct, frozen=True, forbid_unknown_fields=True, tag_field="on", tag="income"):
    """GC-230 Whenever coins are computed."""


class OnPlayIcon(Struct, frozen=True, forbid_unknown_fields=True, tag_field="on", tag="play_icon"):
    """GC-710 Whenever the owner plays a champion with this icon."""

    icon: Icon


class OnDevelop(Struct, frozen=True, forbid_unknown_fields=True, tag_field="on", tag="develop"):
    """GC-269 Whenever the owner develops one of these."""

    tracks: Annotated[tuple[Literal["scout", "stadium"], ...], Meta(min_length=1)]


class OnScore(Struct, frozen=True, forbid_unknown_fields=True, tag_field="on", tag="score"):
    """GC-464 Whenever the owner scores in a fixture."""


class OnDefend(Struct, frozen=True, forbid_unknown_fields=True, tag_field="on", tag="defend"):
    """GC-763 Whenever a Defense token of the owner counts against an attack; once for each of them if `per_token`."""

    per_token: bool = False


class OnOpponentAttack(Struct, frozen=True, forbid_unknown_fields=True, tag_field="on", tag="opponent_attack"):
    """GC-764 Whenever the opponent attacks."""


class OnOwnAttack(Struct, frozen=True, forbid_unknown_fields=True, tag_field="on", tag="own_attack"):
    """GC-718 Whenever the owner attacks."""


Trigger = OnIncome | OnPlayIcon | OnDevelop | OnScore | OnDefend | OnOpponentAttack | OnOwnAttack


class AtLeast(Struct, frozen=True, forbid_unknown_fields=True, tag_field="need", tag="at_least"):
    """GC-713 So many of each of these icons."""

    icons: Annotated[dict[Icon, Annotated[int, Meta(ge=1)]], Meta(min_length=1)]


class AllIcons(Struct, frozen=True, forbid_unknown_fields=True, tag_field="need", tag="all_icons"):
    """GC-774 Every icon there is."""


Condition = AtLeast | AllIcons


class PerIcon(Struct, frozen=True, forbid_unknown_fields=True, tag_field="count", tag="icon"):
    """GC-706, GC-775 Once per icon, or per `divide` of them."""

    icon: Icon
    divide: Annotated[int, Meta(ge=1)] = 1
    most: Most | None = None


class PerDistinctIcon(Struct, frozen=True, forbid_unknown_fields=True, tag_field="count", tag="distinct_icons"):
    """GC-767 Once per different icon."""

    most: Most | None = None


class PerCard(Struct, frozen=True, forbid_unknown_fields=True, tag_field="count", tag="cards"):
    """GC-714 Once per champion of a deck, or of all."""

    deck: Deck | Literal["all"]
    most: Most | None = None


class PerCardWith(Struct, frozen=True, forbid_unknown_fields=True, tag_field="count", tag="cards_with"):
    """GC-772 Once per champion with an effect of this type."""

    type: Type
    most: Most | None = None


class PerEffectType(Struct, frozen=True, forbid_unknown_fields=True, tag_field="count", tag="effect_types"):
    """GC-768 Once per different type of effect."""

    most: Most | None = None


Per = PerIcon | PerDistinctIcon | PerCard | PerCardWith | PerEffectType


class Effect(Struct, frozen=True, forbid_unknown_fields=True):
    """One effect block of a card."""

    type: Type
    ops: Annotated[tuple[Op, ...], Meta(min_length=1)]
    trigger: Trigger | None = None
    condition: Condition | None = None
    per: Per | None = None


class Champion(Struct, frozen=True, forbid_unknown_fields=True):
    """GC-340 A Champion card."""

    number: Annotated[int, Meta(ge=1)]
    deck: Deck
    icons: Annotated[tuple[Icon, ...], Meta(min_length=1, max_length=3)]
    effects: Annotated[tuple[Effect, ...], Meta(min_length=1, max_length=4)]


class Tier(Struct, frozen=True, forbid_unknown_fields=True):
    """So much Fame from so much on."""

    at_least: Count
    fame: Count


class Supporter(Struct, frozen=True, forbid_unknown_fields=True):
    """GC-524 A Supporter card: what it counts, and what that is worth."""

    metric: Literal[
        "icon", "distinct_icons", "cards", "cards_with", "tokens", "levels", "income", "wins", "draws", "goals", "fame"
    ]
    tiers: Annotated[tuple[Tier, ...], Meta(min_length=1)]
    icon: Icon | None = None
    deck: Deck | Literal["all"] | None = None
    type: Type | None = None
    kind: Kind | Literal["all"] | None = None
    least: Size = 1  # of the tokens counted


class FieldTrack(Struct, frozen=True, forbid_unknown_fields=True):
    """GC-433 Where the match of each round ends, and the Break tokens."""

    end_space: Annotated[tuple[Annotated[int, Meta(ge=1)], ...], Meta(min_length=6, max_length=6)]
    break_tokens: Count
    fields: Annotated[tuple[str, ...], Meta(min_length=3, max_length=3)]


class BoardNumbers(Struct, frozen=True, forbid_unknown_fields=True):
    """Everything that is printed on the boards, and the prices."""

    slots: Annotated[tuple[Annotated[tuple[Face, ...], Meta(min_length=1)], ...], Meta(min_length=4, max_length=4)]
    stadium_coins: Annotated[tuple[Coins, ...], Meta(min_length=3, max_length=3)]
    scout_win_bonus: Annotated[tuple[Count, ...], Meta(min_length=3, max_length=3)]
    draw_fame: Count
    start_fame: Count
    boo_fame: Annotated[int, Meta(le=0)]
    early_win_gap: Annotated[int, Meta(ge=1)]
    start_space: Coins
    finance_fame: Annotated[tuple[int, ...], Meta(min_length=5)]
    stadium_cost: Annotated[tuple[Price, ...], Meta(min_length=6, max_length=6)]
    scout_cost: Price
    play_cost: Price
    rescout_cost: Price
    train_cost: Price
    train_attack: Annotated[int, Meta(ge=1, le=3)]
    train_defense: Annotated[int, Meta(ge=1, le=3)]
    learn_cost: Price
    learn_attack: Size
    learn_defense: Size
    hand: Annotated[int, Meta(ge=1, le=6)]
    icons: Annotated[tuple[Icon, ...], Meta(min_length=5, max_length=5)]
    field: FieldTrack


class TokenMix(Struct, frozen=True, forbid_unknown_fields=True):
    """How many tokens of each value a player has, and which of them start in the team."""

    attack: Annotated[tuple[Count, ...], Meta(min_length=4, max_length=4)]
    defense: Annotated[tuple[Count, ...], Meta(min_length=4, max_length=4)]
    start: tuple[TokenId, ...]


class AutomaTokens(Struct, frozen=True, forbid_unknown_fields=True):
    """GC-601 to GC-603, GC-643 to GC-645."""

    start: tuple[TokenId, ...]
    pool: tuple[TokenId, ...]
    draw_to_team: Count
    board_spaces: tuple[Annotated[int, Meta(ge=2, le=6)], ...]
    extra: dict[Level, tuple[Annotated[int, Meta(ge=2, le=6)], ...]]
    scout: dict[Level, Deck]


class MatchTile(Struct, frozen=True, forbid_unknown_fields=True):
    """GC-150 On which Field its owner plays in each round."""

    tag: Literal["1-6", "1-2", "3-4", "5-6"]
    fields: Annotated[tuple[str, ...], Meta(min_length=6, max_length=6)]


class Clocks(Struct, frozen=True, forbid_unknown_fields=True):
    """The limits of one preset, in seconds."""

    supporter: int
    discard: int
    campaign: int
    effect: int
    arrange: int


class Presets(Struct, frozen=True, forbid_unknown_fields=True):
    """The presets of clocks."""

    quick: Clocks
    normal: Clocks
    relaxed: Clocks


class About(Struct, frozen=True, forbid_unknown_fields=True):
    """Which pack this is."""

    id: str
    version: int


class Base(Struct, frozen=True):
    """The files of the pack."""

    pack: About
    board: BoardNumbers
    tokens: TokenMix
    automa: AutomaTokens
    match_tiles: dict[str, MatchTile]
    champions: dict[str, Champion]
    supporters: dict[str, Supporter]
    clocks: Presets
