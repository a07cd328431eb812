"""Start here: Champions! on one screen."""

from __future__ import annotations

from msgspec import to_builtins

from services.champions import bots, commands, content, events, imagine, legal, name_events, setup, state, view
from services.champions.rules import absence, audience, check, moderation, names, prediction, tournament, turn
from shared.kernel.game import Command, Event, Game, Rule, kinds

BY_SEATS: dict[type[Command], Rule] = {
    commands.WriteName: names.write_name,
    commands.WipeName: names.wipe_name,
    commands.CheckNames: check.check_names,
    commands.NoteWinner: prediction.note_winner,
    commands.ChooseChampion: prediction.choose_champion,
    commands.ConfirmPrediction: prediction.confirm_prediction,
    commands.WithdrawConfirmation: prediction.withdraw_confirmation,
    commands.BeReady: tournament.be_ready,
    commands.WithdrawReadiness: tournament.withdraw_readiness,
    commands.Vote: tournament.vote,
    commands.WithdrawVote: tournament.withdraw_vote,
}
BY_OTHERS: dict[type[Command], Rule] = {
    commands.MissClock: absence.miss_clock,
    commands.MaskName: moderation.mask_name,
    commands.ApproveName: moderation.approve_name,
    commands.RefuseName: moderation.refuse_name,
    commands.SetName: moderation.set_name,
    commands.Start: audience.start,
    commands.CountPresent: audience.count_present,
    commands.CountVotes: tournament.count_votes,
}

GAME = Game(
    name="champions",
    title="Champions!",
    version=1,
    seats=range(3, 9),
    state=state.State,
    view=view.View,
    options=state.Options,
    variants=({}, {"audience": "equal", "nominations": 2, "policy": "sheets"}, {"crowd": True, "nominations": 1}),
    events=kinds(name_events, Event) + kinds(events, Event),
    rules={kind: absence.by_seat(rule) for kind, rule in BY_SEATS.items()} | BY_OTHERS,
    empty=state.empty,
    setup=setup.setup,
    advance=turn.advance,
    question=legal.question,
    legal=legal.legal,
    default=legal.default,
    look=view.look,
    result=view.result,
    score=view.score,
    imagine=imagine.imagine,
    sound=state.sound,
    leave=absence.leave,
    text=view.text,
    bots=bots.BOTS,
    words=content.WORDS,
    pack_hash=content.PACK.hash,
    presets=to_builtins(content.BASE.clocks),
    absent_after=state.ABSENT_AFTER,
    host_chair=True,
    seats_for=setup.seats_for,
    phase=legal.phase,
    phase_over=turn.phase_over,
    text_fault=legal.text_fault,
    poll=legal.poll,
    counted=legal.counted,
    poll_points=audience.poll_points,
)
