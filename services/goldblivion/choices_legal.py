"""How is each thing on offer said? Choices with their labels, remembered, since the same ones come again and again."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import starmap

from services.goldblivion import commands
from services.goldblivion.content import POWERS, spoken
from services.goldblivion.state import SIDES
from shared.kernel.choices import Choice, Label, Member, Number, One, Shape

Choices = tuple[Choice, ...]
Wares = tuple[tuple[str, str], ...]  # place and card
Able = tuple[tuple[str, tuple[int, ...]], ...]  # card or token, and the options that can be paid

BAR = Choice(commands.BuyBar, Label("buy_bar"))
PASS = Choice(commands.Pass, Label("pass_round"))
END = Choice(commands.EndTurn, Label("end_turn"))
_SIDES = One(tuple(Member(side, Label(f"side_{side}")) for side in SIDES))


def _cards(cards: Iterable[str]) -> One:
    return One(tuple(map(_card, dict.fromkeys(cards))))


@lru_cache(maxsize=1024)
def _card(card: str) -> Member:
    return Member(card, Label("thing", thing=card))


@lru_cache(maxsize=1024)
def _acting(card: str) -> Member:
    return Member(card, Label("thing_power", thing=card, power=spoken.power(POWERS[card])))


@lru_cache(maxsize=64)
def nobles(cards: tuple[str, ...]) -> Choices:
    """GB-153, GB-154."""
    told = tuple(map(_acting, cards))
    return (Choice(commands.ChooseNoble, Label("choose_noble"), {"noble": One(told)}),)


@lru_cache(maxsize=8192)
def developments(hand: tuple[str, ...]) -> Choices:
    """GB-181, GB-182."""
    return (Choice(commands.Develop, Label("develop"), {"card": _cards(hand), "side": _SIDES}),)


@lru_cache(maxsize=8192)
def plays(hand: tuple[str, ...]) -> Choice:
    """GB-221, GB-222."""
    told = tuple(map(_acting, dict.fromkeys(hand)))
    return Choice(commands.PlayCard, Label("play_card"), {"card": One(told)})


@lru_cache(maxsize=16384)
def buys(wares: Wares) -> Choice:
    """GB-231, GB-232."""
    return Choice(commands.BuyCard, Label("buy_card"), {"place": One(tuple(starmap(_ware, wares)))})


@lru_cache(maxsize=1024)
def _ware(place: str, card: str) -> Member:
    return Member(place, Label("ware", thing=card, place=Label(f"at_{place}"), price=spoken.price(card)))


@lru_cache(maxsize=64)
def villages(usable: tuple[tuple[str, str], ...]) -> Choice:
    """GB-261."""
    told = tuple(
        Member(place, Label("village", place=Label(f"village_{place}"), power=spoken.power(POWERS[power])))
        for place, power in usable
    )
    return Choice(commands.UseVillage, Label("use_village"), {"place": One(told)})


@lru_cache(maxsize=8192)
def buildings(able: Able) -> Choices:
    """GB-301, GB-303, GB-304."""
    return _with_options(able, "card", commands.TurnBuilding, "turn_building")


@lru_cache(maxsize=8192)
def tokens(able: Able) -> Choices:
    """GB-311, GB-312."""
    return _with_options(able, "token", commands.UseToken, "use_token")


def _with_options(able: Able, field: str, command: type, label: str) -> Choices:
    """One choice for all that have a single power, and one for each that has two."""
    single = [thing for thing, options in able if options and len(POWERS[thing]) == 1]
    told = tuple(map(_acting, single))
    choices = [Choice(command, Label(label), {field: One(told), "option": _ONLY})] if single else []
    for thing, options in able:
        if options and len(POWERS[thing]) > 1:
            fields: dict[str, Shape] = {
                field: _cards([thing]),
                "option": One(tuple(_option(thing, number) for number in options)),
            }
            choices.append(Choice(command, Label(f"{label}_for", thing=thing), fields))
    return tuple(choices)


@lru_cache(maxsize=1024)
def _option(power: str, number: int) -> Member:
    return Member(number, spoken.option(POWERS[power][number - 1]) if number else Label("unpaid"))


_ONLY = One((Member(1, Label("its_power")),))


@lru_cache(maxsize=65536)
def offered(question: str, about: str, targets: tuple[str, ...], shown: tuple[str, ...]) -> Choices:
    """The choices of a question that interrupts a power; `shown` is what lies at the places that are targets."""
    return OFFERS[question](about, targets, shown)


Offer = Callable[[str, tuple[str, ...], tuple[str, ...]], Choices]


def _options(about: str, targets: tuple[str, ...], _shown: tuple[str, ...]) -> Choices:
    members = tuple(_option(about, int(target)) for target in targets)
    return (Choice(commands.ChooseOption, Label("choose_option"), {"option": One(members)}),)


def _payments(about: str, _targets: tuple[str, ...], _shown: tuple[str, ...]) -> Choices:
    return Choice(commands.Pay, Label("pay", thing=about)), Choice(commands.Decline, Label("decline", thing=about))


def _times(_about: str, targets: tuple[str, ...], _shown: tuple[str, ...]) -> Choices:
    return (Choice(commands.PayTimes, Label("pay_times"), {"times": Number(int(targets[0]), int(targets[1]))}),)


@lru_cache(maxsize=1024)
def _placed(place: str, card: str) -> Member:
    return Member(place, Label("at_place", thing=card, place=Label(f"at_{place}")))


def _places(command: type, label: str, targets: tuple[str, ...], shown: tuple[str, ...]) -> list[Choice]:
    """One choice for all places of the Market among the targets."""
    members = tuple(map(_placed, targets, shown))
    return [Choice(command, Label(label), {"place": One(members)})] if members else []


def _destructions(_about: str, targets: tuple[str, ...], shown: tuple[str, ...]) -> Choices:
    choices = _places(commands.DestroyCard, "destroy_card", targets, shown)
    if "nugget" in targets:
        choices.append(Choice(commands.RemoveNugget, Label("remove_nugget")))
    return tuple(choices)


def _characters(_about: str, targets: tuple[str, ...], shown: tuple[str, ...]) -> Choices:
    return tuple(_places(commands.TakeCharacter, "take_character", targets, shown))


def _combat_cards(_about: str, targets: tuple[str, ...], shown: tuple[str, ...]) -> Choices:
    choices = _places(commands.TakeCombatCard, "take_combat_card", targets, shown)
    victims = [int(target.removeprefix("steal_")) for target in targets if target.startswith("steal_")]
    if victims:
        seats = One(tuple(Member(seat, Label("victim", seat=seat)) for seat in victims))
        choices.append(Choice(commands.Steal, Label("steal"), {"from_seat": seats}))
    if "none" in targets:
        choices.append(Choice(commands.TakeNothing, Label("take_nothing")))
    return tuple(choices)


def _reactivations(_about: str, targets: tuple[str, ...], _shown: tuple[str, ...]) -> Choices:
    told = tuple(map(_acting, targets))
    return (Choice(commands.Reactivate, Label("reactivate"), {"card": One(told)}),)


@lru_cache(maxsize=64)
def _space(space: str) -> Member:
    return Member(space, Label("space", space=space))


def _spaces(command: type, label: str) -> Offer:
    def choices(_about: str, targets: tuple[str, ...], _shown: tuple[str, ...]) -> Choices:
        members = tuple(_space(space) for space in targets)
        return (Choice(command, Label(label), {"space": One(members)}),)

    return choices


def _resolutions(_about: str, targets: tuple[str, ...], _shown: tuple[str, ...]) -> Choices:
    choices = list(_with_numbers(targets, commands.ResolveCard, "resolve_card"))
    if "finish" in targets:
        choices.append(Choice(commands.FinishCombat, Label("finish_combat")))
    return tuple(choices)


def _copies(_about: str, targets: tuple[str, ...], _shown: tuple[str, ...]) -> Choices:
    return (*_with_numbers(targets, commands.CopyCard, "copy_card"), Choice(commands.CopyNothing, Label("copy_nothing")))


def _with_numbers(targets: tuple[str, ...], command: type, label: str) -> Choices:
    """From `karen:1`, `karen:2` to cards with the options that each has."""
    able: dict[str, tuple[int, ...]] = {}
    for target in targets:
        card, _, option = target.partition(":")
        if option:
            able[card] = (*able.get(card, ()), int(option))
    return _with_options(tuple(able.items()), "card", command, label)


def _lost_cards(_about: str, targets: tuple[str, ...], _shown: tuple[str, ...]) -> Choices:
    return (Choice(commands.LoseCard, Label("lose_card"), {"card": _cards(targets)}),)


def _dummy_spaces(_about: str, targets: tuple[str, ...], _shown: tuple[str, ...]) -> Choices:
    members = tuple(Member(badge, Label(f"badge_{badge}")) for badge in targets)
    return (Choice(commands.PlaceUnder, Label("place_under"), {"badge": One(members)}),)


OFFERS: dict[str, Offer] = {
    "option": _options,
    "pay": _payments,
    "times": _times,
    "destroy": _destructions,
    "marker": _destructions,
    "character": _characters,
    "combat_card": _combat_cards,
    "reactivate": _reactivations,
    "enemy": _spaces(commands.ChooseEnemy, "choose_enemy"),
    "combat": _resolutions,
    "copy": _copies,
    "lose_card": _lost_cards,
    "dummy_space": _dummy_spaces,
    "reveal": _spaces(commands.RevealTerritory, "reveal_territory"),
    "conquer": _spaces(commands.LetConquer, "let_conquer"),
}
