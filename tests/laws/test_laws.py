"""Is it a well-behaved game? The ten laws that every game keeps, whoever plays it and however badly."""

from typing import Any

import msgspec
import pytest

from shared.desk.workshop.games import key_of
from shared.desk.workshop.wild import Act, carry_out, wild
from shared.kernel.choices import Choice, Text
from shared.kernel.dice import Dice, step_dice
from shared.kernel.game import AUDIENCE, Command, Game, Refused, Seat
from shared.kernel.match import Match, approved, fold, play, play_out, random_bot, restored, stored
from tests.laws.driver import Setting, again, game_of, moments, sampled
from tests.laws.readers import event_reader, json_of, seats_and_chairs
from tests.ledger import rule


def test_every_game_loads(registered: str) -> None:
    assert game_of(registered).name == registered


@rule("PL-362")
def test_1_there_is_always_somebody_to_wait_for(setting: Setting) -> None:
    """The driver itself raises DeadEnd; here the asks are looked at."""
    for seed in setting.seeds:
        for moment in moments(setting, seed):
            with again(setting, seed, moment):
                _check_asks(setting.game, moment.after)


def _check_asks(game: Game, match: Match[Any]) -> None:
    over = game.result(match.state) is not None
    assert not over or (not match.awaited() and match.armed is None), "over, and still waiting"
    for seat in range(len(match.missed)):
        asked, choices = match.ask_of(seat) is not None, game.legal(match.state, seat)
        assert asked == bool(choices), f"seat {seat} is {'' if asked else 'not '}asked and has {len(choices)} choices"


def test_2_the_same_seed_is_the_same_match(setting: Setting) -> None:
    for seed in setting.seeds:
        with again(setting, seed):
            once = moments(setting, seed)
            twice = wild(setting.game, setting.seats, setting.options, key_of(seed))
            for one, other in zip(once, twice, strict=True):
                assert (stored(one.after), one.events) == (stored(other.after), other.events)


@rule("PL-412")
def test_3_folding_the_events_gives_the_state(setting: Setting) -> None:
    for seed in setting.seeds:
        state = setting.game.empty(setting.seats, setting.options)
        for moment in moments(setting, seed):
            with again(setting, seed, moment):
                state = fold(state, moment.events)
                assert state == moment.after.state


@rule("PL-414")
def test_4_everything_survives_storage(setting: Setting) -> None:
    game, read_event = setting.game, event_reader(setting.name)
    for seed, moment in sampled(setting, each=12):
        with again(setting, seed, moment):
            _check_match_survives(game, moment.after)
            assert [read_event(msgspec.json.encode(event)) for event in moment.events] == list(moment.events)
            assert moment.command is None or game.read_command(msgspec.json.encode(moment.command)) == moment.command


def _check_match_survives(game: Game, match: Match[Any]) -> None:
    raw = stored(match)
    copy = restored(game, raw)
    assert copy == match
    assert stored(copy) == raw
    for seat in seats_and_chairs(match):
        assert json_of(game, game.legal(copy.state, seat)) == json_of(game, game.legal(match.state, seat)), "PL-352"
    for reader in (None, *range(len(match.missed))):
        view = game.look(match.state, reader)
        assert game.look(copy.state, reader) == view
        assert msgspec.json.decode(msgspec.json.encode(view), type=game.view) == view


@rule("PL-353")
def test_5_what_is_offered_can_be_carried_out(setting: Setting) -> None:
    for seed, moment in sampled(setting, each=8):
        with again(setting, seed, moment):
            before = stored(moment.after)
            for act in _acts(setting.game, moment.after, Dice(key_of(seed), "offer|")):
                after, events = carry_out(setting.game, moment.after, act, step_dice(key_of(seed), moment.after.step + 1))
                assert fold(moment.after.state, events) == after.state, act
                assert setting.game.sound(after.state) == [], act
            assert stored(moment.after) == before, "the state was altered in place"


def _acts(game: Game, match: Match[Any], chance: Dice) -> list[Act]:
    """One answer per choice of everybody, and all that may come in between."""
    if game.result(match.state) is not None:
        return []
    acts: list[Act] = [("phase", None, None)] if match.armed else []
    acts += [("time_out", seat, None) for seat in match.awaited()]
    acts += [("leave", seat, None) for seat in range(len(match.missed)) if seat not in {gone.seat for gone in match.gone}]
    for seat in seats_and_chairs(match):
        for choice in chance.shuffled(game.legal(match.state, seat))[:6]:
            command = _taken(game, match, seat, choice, chance)
            acts += [("answer", seat, command)] if command else []
    return acts


def _taken(game: Game, match: Match[Any], seat: Seat, choice: Choice, chance: Dice) -> Command | None:
    """A command that takes this choice; None if only its text is refused."""
    try:
        return approved(game, match.state, seat, choice.sample(chance), (choice,))
    except Refused:
        if any(isinstance(shape, Text) for shape in choice.fields.values()):
            return None
        raise


@rule("PL-295", "PL-296")
def test_5_what_is_not_offered_is_refused_and_changes_nothing(setting: Setting) -> None:
    game = setting.game
    for seed in setting.seeds:
        match = moments(setting, seed)
        tried = Dice(key_of(seed), "tried|").shuffled([moment.command for moment in match if moment.command])[:20]
        for moment in match[:: max(1, len(match) // 8)]:
            with again(setting, seed, moment):
                _check_refusals(game, moment.after, tried)


def _check_refusals(game: Game, match: Match[Any], tried: tuple[Command, ...]) -> None:
    before = stored(match)
    for seat in seats_and_chairs(match):
        choices = game.legal(match.state, seat)
        for command in tried:
            if not any(choice.do is type(command) and not choice.fault(command) for choice in choices):
                with pytest.raises(Refused):
                    play(game, match.state, seat, command, Dice(b"refused", ""))
    assert stored(match) == before


def test_8_sound_never_complains(setting: Setting) -> None:
    for seed in setting.seeds:
        for moment in moments(setting, seed):
            with again(setting, seed, moment):
                assert setting.game.sound(moment.after.state) == []


@rule("PL-487")
def test_10_the_default_answer_is_always_legal(setting: Setting) -> None:
    game = setting.game
    for seed in setting.seeds:
        for moment in moments(setting, seed):
            with again(setting, seed, moment):
                match = moment.after
                poll = game.poll(match.state)
                for seat in (*match.awaited(), *([AUDIENCE] if poll and poll.closed else [])):
                    command = game.default(match.state, seat)
                    if command.by_clock:
                        assert not any(choice.do is type(command) for choice in game.legal(match.state, seat))
                    else:
                        approved(game, match.state, seat, command, game.legal(match.state, seat))


@rule("PL-521")
def test_every_bot_plays_to_the_end(setting: Setting) -> None:
    """play_out raises when a bot answers what is not a choice, or when nobody gets anywhere."""
    game = setting.game
    assert len(game.bots) >= 2
    assert next(iter(game.bots.values())) is random_bot, "the weakest level comes first"
    for bot in game.bots.values():
        match = play_out(game, setting.seats, setting.options, key_of(1), [bot] * setting.seats)
        places = game.result(match.state)
        assert places is not None
        assert sorted(places) == sorted(game.score(match.state)) == list(range(setting.seats))
