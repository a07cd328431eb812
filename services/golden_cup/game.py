"""Start here: Golden Cup on one screen."""

from __future__ import annotations

from msgspec import to_builtins

from services.golden_cup import bots, commands, content, effect_events, events, fixture_events, imagine, legal, setup, state, view
from services.golden_cup.rules import campaign, effects, final, line_ups, rounds, turn
from shared.kernel.game import Event, Game, kinds

GAME = Game(
    name="golden_cup",
    title="Golden Cup",
    version=1,
    seats=range(1, 7),
    state=state.State,
    view=view.View,
    options=state.Options,
    variants=({}, {"youngest_seat": 5}, {"level": "pro"}, {"level": "legend"}),
    events=kinds(events, Event) + kinds(effect_events, Event) + kinds(fixture_events, Event),
    rules={
        commands.KeepSupporter: rounds.keep_supporter,
        commands.Discard: rounds.choose_discards,
        commands.Scout: campaign.scout,
        commands.PlayChampion: campaign.play_champion,
        commands.DevelopScout: campaign.develop_scout,
        commands.DevelopStadium: campaign.develop_stadium,
        commands.Train: campaign.train,
        commands.Learn: campaign.learn,
        commands.EndCampaign: campaign.end_campaign,
        commands.ImproveToken: effects.improve_token,
        commands.DeclineImprovement: effects.decline_improvement,
        commands.TakeLower: effects.take_lower,
        commands.TakeNothing: effects.take_nothing,
        commands.DiscardToken: effects.discard_token,
        commands.DiscardChampion: effects.discard_champion,
        commands.LineUp: line_ups.line_up,
    },
    empty=state.empty,
    setup=setup.setup,
    advance=turn.advance,
    question=legal.question,
    legal=legal.legal,
    default=legal.default,
    look=view.look,
    result=final.result,
    score=final.score,
    imagine=imagine.imagine,
    sound=state.sound,
    leave=turn.leave,
    text=view.text,
    bots=bots.BOTS,
    words=content.WORDS,
    pack_hash=content.PACK.hash,
    presets=to_builtins(content.BASE.clocks),
    seats_for=setup.seats_for,
    standing=legal.standing,
)
