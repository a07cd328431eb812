"""Which effects can an event card have? One tagged struct for each primitive of GG-551 to GG-577, with its ranges."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

Who = Literal["drawer", "all", "others", "next", "previous", "chosen", "top", "bottom", "marker_top"]
Role = Literal["defence", "midfield", "attack"]


class Effect(Struct, frozen=True, forbid_unknown_fields=True, tag_field="op"):
    """One primitive."""


class Goal(Effect, frozen=True, tag="goal"):
    """GG-551."""

    who: Who
    n: Annotated[int, Meta(ge=-4, le=4)]


class Steal(Effect, frozen=True, tag="steal"):
    """GG-552."""

    who: Literal["chosen", "marker_top", "next", "previous"]
    n: Annotated[int, Meta(ge=1, le=4)]


class Settle(Effect, frozen=True, tag="settle"):
    """GG-553."""

    who: Who
    n: Annotated[int, Meta(ge=1, le=3)]


class Cash(Effect, frozen=True, tag="cash"):
    """GG-554 In units of 100,000."""

    who: Who
    n: Annotated[int, Meta(ge=-20, le=20)]


class CashPer(Effect, frozen=True, tag="cash_per"):
    """GG-555."""

    who: Who
    per: Literal["tile", "defence", "midfield", "attack", "complete", "cup"]
    n: Annotated[int, Meta(ge=-5, le=5)]


class CashPct(Effect, frozen=True, tag="cash_pct"):
    """GG-556."""

    who: Who
    n: Annotated[int, Meta(ge=-20, le=-5)]


class Collect(Effect, frozen=True, tag="collect"):
    """GG-557."""

    n: Annotated[int, Meta(ge=1, le=5)]


class PayEach(Effect, frozen=True, tag="pay_each"):
    """GG-557."""

    n: Annotated[int, Meta(ge=1, le=5)]


class Points(Effect, frozen=True, tag="points"):
    """GG-558."""

    who: Who
    n: Annotated[int, Meta(ge=-2, le=2)]


class Move(Effect, frozen=True, tag="move"):
    """GG-559."""

    n: Annotated[int, Meta(ge=-6, le=6)]


class MoveTo(Effect, frozen=True, tag="move_to"):
    """GG-560."""

    corner: Literal["match_takings", "capital_increase", "goalmouth_scramble", "start_end"]


class RoleMod(Effect, frozen=True, tag="role_mod"):
    """GG-562."""

    who: Who
    role: Literal["defence", "midfield", "attack", "all"]
    n: Annotated[int, Meta(ge=-2, le=2)]


class VisitMod(Effect, frozen=True, tag="visit_mod"):
    """GG-563."""

    who: Who
    n: Annotated[int, Meta(ge=-2, le=2)]


class ResultMod(Effect, frozen=True, tag="result_mod"):
    """GG-564."""

    who: Who
    n: Annotated[int, Meta(ge=-2, le=2)]


class TakingsMod(Effect, frozen=True, tag="takings_mod"):
    """GG-565 In units of 100,000."""

    who: Who
    add: Annotated[int, Meta(ge=-10, le=10)] = 0
    half: bool = False


class Block(Effect, frozen=True, tag="block"):
    """GG-566."""

    who: Who
    what: Literal["buy", "tokens"]


class MissTurn(Effect, frozen=True, tag="miss_turn"):
    """GG-567."""

    who: Who


class Token(Effect, frozen=True, tag="token"):
    """GG-568."""

    who: Who
    kind: Literal["die", "event"]


class Auctioned(Effect, frozen=True, tag="auction"):
    """GG-572."""


class Offered(Effect, frozen=True, tag="offer"):
    """GG-573."""

    percent: Annotated[int, Meta(ge=50, le=150)]


class Keep(Effect, frozen=True, tag="keep"):
    """GG-574."""

    use: Literal["double_visit", "cancel_visit", "green_die", "reroll_move", "cancel_event"]


class Suspend(Effect, frozen=True, tag="suspend"):
    """GG-561."""

    who: Who
    pick: Literal["strongest", "random", "owner", "drawer"]
    at_least: Annotated[int, Meta(ge=1, le=6)] = 1
    fallback: tuple[AnyEffect, ...] = ()


class Roll(Effect, frozen=True, tag="roll"):
    """GG-569."""

    green: tuple[AnyEffect, ...]
    yellow: tuple[AnyEffect, ...]
    red: tuple[AnyEffect, ...]


class Choose(Effect, frozen=True, tag="choose"):
    """GG-570."""

    a: tuple[AnyEffect, ...]
    b: tuple[AnyEffect, ...]


class If(Effect, frozen=True, tag="if"):
    """GG-571."""

    test: Literal["owns_complete", "no_suspended_tile"]
    then: tuple[AnyEffect, ...]
    otherwise: tuple[AnyEffect, ...]


AnyEffect = (
    Goal | Steal | Settle | Cash | CashPer | CashPct | Collect | PayEach | Points | Move | MoveTo | RoleMod | VisitMod | ResultMod
    | TakingsMod | Block | MissTurn | Token | Auctioned | Offered | Keep | Suspend | Roll | Choose | If
)  # fmt: skip


def branches(effect: Effect) -> tuple[tuple[Effect, ...], ...]:
    """The lists of effects inside an effect."""
    match effect:
        case Roll(green=green, yellow=yellow, red=red):
            return green, yellow, red
        case Choose(a=a, b=b):
            return a, b
        case If(then=then, otherwise=otherwise):
            return then, otherwise
        case Suspend(fallback=fallback):
            return (fallback,)
    return ()


class Line(Struct, frozen=True):
    """An effect of a card under its number; the numbers of what its branches hold; whether the player chose it (GG-259)."""

    effect: Effect
    inside: tuple[tuple[int, ...], ...]
    chosen: bool


def numbered(effects: tuple[Effect, ...]) -> tuple[tuple[int, ...], tuple[Line, ...]]:
    """The numbers of the printed effects, and all effects of the card in one list."""
    lines: list[Line] = []

    def enter(listed: tuple[Effect, ...], chosen: bool) -> tuple[int, ...]:  # noqa: FBT001 - inherited down the branches
        numbers = []
        for effect in listed:
            inside = tuple(enter(part, chosen or isinstance(effect, Choose)) for part in branches(effect))
            lines.append(Line(effect, inside, chosen))
            numbers.append(len(lines) - 1)
        return tuple(numbers)

    return enter(effects, False), tuple(lines)
