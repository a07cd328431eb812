"""Who plays when nobody does?"""

from __future__ import annotations

from shared.kernel.choices import Choice
from shared.kernel.dice import Dice
from shared.kernel.game import Command
from shared.kernel.match import random_bot
from tests.laws.pebbles import content
from tests.laws.pebbles.commands import Hide, Rest, Throw
from tests.laws.pebbles.view import View


def careful(view: View, choices: tuple[Choice, ...], dice: Dice) -> Command:
    """Throws two dice while there are pebbles to win, and hides the two best pebbles it has."""
    own = view.heaps[view.you or 0].pebbles
    match choices[0].do:
        case kind if kind is Rest:
            return Throw(2) if view.bag else Rest()
        case kind if kind is Hide:
            best = sorted(own, key=lambda pebble: (-content.BASE.pebbles[pebble].value, pebble))
            return Hide(tuple(best[: 1 + dice.below(2)]))
    return choices[0].sample(dice)  # type: ignore[no-any-return]


BOTS = {"random": random_bot, "careful": careful}
