"""Does anybody learn what is hidden? Laws six and seven, over every channel of every seat, of the host and of onlookers."""

from typing import Any

import pytest
from msgspec.structs import replace

from shared.desk.workshop.games import key_of
from shared.desk.workshop.wild import Act, Moment, any_answer, carry_out
from shared.kernel.dice import Dice, step_dice
from shared.kernel.game import Command, Game
from shared.kernel.match import Match
from tests.laws.driver import Setting, again, moments, sampled, settings_of
from tests.laws.exceptions import exceptions_of
from tests.laws.readers import Reader, channels, letters, seats_and_chairs, view_of
from tests.ledger import rule


@rule("PL-352", "PL-361", "PL-382", "PL-386", "PL-387", "PL-389")
def test_6_two_states_that_look_the_same_are_the_same_on_every_channel(setting: Setting) -> None:
    game = setting.game
    for seed, moment in sampled(setting, each=6):
        chance = Dice(key_of(seed), f"imagine|{moment.after.step}|")
        with again(setting, seed, moment):
            for reader in (None, *range(setting.seats)):
                other = replace(moment.after, state=game.imagine(moment.after.state, reader, chance))
                assert game.sound(other.state) == [], "imagine makes a state that cannot be"
                probes = _probes(game, moment.after, other, chance)
                seen, imagined = (channels(game, match, reader, probes) for match in (moment.after, other))
                for channel, content in seen.items():
                    assert content == imagined[channel], f"reader {reader} learns something from: {channel}"


def _probes(game: Game, match: Match[Any], other: Match[Any], chance: Dice) -> list[Command]:
    """Commands that others could give in either state: what their refusal tells must be known anyway."""
    places = [(where, seat) for where in (match, other) for seat in seats_and_chairs(match)]
    answers = [any_answer(game, where, seat, chance) for where, seat in places]
    return [answer for answer in answers if answer is not None]


@rule("PL-383", "PL-286")
def test_7_letters_tell_what_the_views_tell(setting: Setting) -> None:
    """Where the views before are the same, letters are the same if and only if the views after are; own acts are no news."""
    told = exceptions_of(setting.name, "told")
    for seed, moment in sampled(setting, each=8):
        if moment.before is None:
            continue
        with again(setting, seed, moment):
            for reader in (None, *range(setting.seats)):
                _check_letters(setting, seed, moment, reader, told)


def _check_letters(setting: Setting, seed: int, moment: Moment, reader: Reader, told: frozenset[str]) -> None:
    game, before = setting.game, moment.before
    assert before is not None
    chance = Dice(key_of(seed), f"letters|{before.step}|{reader}|")
    act: Act = (moment.act, moment.seat, moment.command)
    other = replace(before, state=game.imagine(before.state, reader, chance))
    for where, what in ((other, _same_act(game, other, act, chance)), (before, _other_act(game, before, act, chance))):
        if what is None:
            continue
        after, events = carry_out(game, where, what, step_dice(key_of(seed), before.step + 1))
        views = view_of(game, moment.after, reader) == view_of(game, after, reader)
        kept = letters(game, moment.events, reader, told) == letters(game, events, reader, told)
        sent = letters(game, moment.events, reader) == letters(game, events, reader)
        own = reader == moment.seat and what != act  # whoever acts knows what, also where it leaves everything as it was
        assert not views or kept or own, f"letters tell reader {reader} more than views: {act} or {what}"
        assert views or not sent, f"views tell reader {reader} more than letters: {act} or {what}"


def _same_act(game: Game, match: Match[Any], act: Act, chance: Dice) -> Act | None:
    """The same act in a state that looks the same, or one like it where that state does not allow it."""
    kind, seat, command = act
    if kind == "time_out" and seat not in {s for s in range(len(match.missed)) if _needs(game, match, s)}:
        return None
    if kind == "phase" and game.phase(match.state) is None:
        return None
    if kind != "answer" or seat is None or command is None:
        return act
    fits = any(choice.do is type(command) and not choice.fault(command) for choice in game.legal(match.state, seat))
    return act if fits else _other_act(game, match, act, chance)


def _other_act(game: Game, match: Match[Any], act: Act, chance: Dice) -> Act | None:
    kind, seat, _ = act
    other = any_answer(game, match, seat, chance) if kind == "answer" and seat is not None else None
    return None if other is None else ("answer", seat, other)


def _needs(game: Game, match: Match[Any], seat: int) -> bool:
    question = game.question(match.state, seat)
    return question is not None and question.needed


def test_imagine_really_imagines(game_name: str) -> None:
    """A game that hides something must imagine it otherwise now and then, or law six says nothing."""
    for setting in settings_of(game_name):
        game, hides = setting.game, False
        for moment in moments(setting, 1):
            for reader in (None, *range(setting.seats)):
                hides = hides or any(event.seen_by(reader) != event for event in moment.events)
                dice = Dice(key_of(1), f"really|{moment.after.step}|{reader}|")
                if game.imagine(moment.after.state, reader, dice) != moment.after.state:
                    return
        if not hides:
            pytest.skip("nothing is hidden in this game")
    pytest.fail("events are masked, but imagine never changes anything")
