"""What can an item do? The effects that a pack may use, each with a name that a player would use."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct


class MoveDice(Struct, frozen=True, forbid_unknown_fields=True, tag_field="does", tag="move_dice"):
    """KC-231 The movement roll is the sum of so many dice."""

    count: Annotated[int, Meta(ge=1, le=3)]


class CombatDice(Struct, frozen=True, forbid_unknown_fields=True, tag_field="does", tag="combat_dice"):
    """KC-232, KC-233 So many dice more in every combat roll."""

    bonus: Annotated[int, Meta(ge=1, le=2)]


class RerollOwnLoss(Struct, frozen=True, forbid_unknown_fields=True, tag_field="does", tag="reroll_own_loss"):
    """KC-234, KC-601 A roll that would make the bearer the loser is thrown again, so often in one combat."""

    times: Annotated[int, Meta(ge=1, le=1)]


Effect = MoveDice | CombatDice | RerollOwnLoss
