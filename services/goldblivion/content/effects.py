"""What can a card, a tile or a token do? Every effect as a small record; rules/effects.py carries them out."""

from __future__ import annotations

from msgspec import Struct


class Effect(Struct, frozen=True, tag_field="does"):
    """One symbol of a power."""


class Nuggets(Effect, frozen=True, tag="nuggets"):
    """GB-371, GB-372."""

    n: int
    per: str = ""


class Material(Effect, frozen=True, tag="material"):
    """GB-373."""

    n: int


class LoseMaterial(Effect, frozen=True, tag="lose-material"):
    """GB-374."""

    n: int


class Bars(Effect, frozen=True, tag="bars"):
    """GB-375."""

    n: int


class Dice(Effect, frozen=True, tag="dice"):
    """GB-376."""

    n: int
    per: str = ""


class Magic(Effect, frozen=True, tag="magic"):
    """GB-380."""

    n: int


class Draw(Effect, frozen=True, tag="draw"):
    """GB-381."""

    n: int


class FreeCharacter(Effect, frozen=True, tag="free-character"):
    """GB-391."""

    n: int


class FreeCombat(Effect, frozen=True, tag="free-combat"):
    """GB-393."""

    n: int


class Destroy(Effect, frozen=True, tag="destroy"):
    """GB-395."""

    n: int


class Reactivate(Effect, frozen=True, tag="reactivate"):
    """GB-398, GB-401."""

    group: str


class Fight(Effect, frozen=True, tag="combat"):
    """GB-404."""

    plus: int = 0
    draw: int = 0


class Strength(Effect, frozen=True, tag="strength"):
    """GB-408."""

    n: int
    per: str = ""


class DrawCombat(Effect, frozen=True, tag="draw-combat"):
    """GB-405."""

    n: int


class Copy(Effect, frozen=True, tag="copy"):
    """GB-406."""


class Sacrifice(Effect, frozen=True, tag="sacrifice"):
    """GB-407."""


class DummyDice(Effect, frozen=True, tag="d-dice"):
    """GB-661, GB-662."""

    n: int
    per: str = ""


class DummyNuggets(Effect, frozen=True, tag="d-nuggets"):
    """GB-663, GB-664."""

    n: int
    per: str = ""


class DummyMaterial(Effect, frozen=True, tag="d-material"):
    """GB-664."""

    n: int


class DummyBars(Effect, frozen=True, tag="d-bars"):
    """GB-664."""

    n: int


class DummyMagic(Effect, frozen=True, tag="d-magic"):
    """GB-665."""


class DummyReveal(Effect, frozen=True, tag="d-reveal"):
    """GB-666."""


class DummyConquer(Effect, frozen=True, tag="d-conquer"):
    """GB-668."""


class DummyMarket(Effect, frozen=True, tag="d-market"):
    """GB-672."""


class DummyBurn(Effect, frozen=True, tag="d-burn"):
    """GB-673."""

    n: int


class Cost(Struct, frozen=True):
    """What stands left of an arrow; a green one may be paid again and again."""

    n: int
    kind: str
    unlimited: bool = False


class Option(Struct, frozen=True):
    """One side of a red dashed line."""

    effects: tuple[Effect, ...]
    cost: Cost | None = None


Ability = tuple[Option, ...]


def for_dummy(reward: tuple[Effect, ...]) -> tuple[Effect, ...]:
    """GB-671 What a reward is for the Dummy Noble: cards are ignored, everything else turns into his own effects."""
    turned: list[Effect] = []
    for effect in reward:
        match effect:
            case Nuggets(n=n):
                turned.append(DummyNuggets(n))
            case Material(n=n):
                turned.append(DummyMaterial(n))
            case Bars(n=n):
                turned.append(DummyBars(n))
            case Dice(n=n):
                turned.append(DummyDice(n))
            case Magic(n=n):
                turned += [DummyMagic()] * n
    return tuple(turned)
