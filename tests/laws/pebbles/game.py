"""Start here: Pebbles on one screen."""

from __future__ import annotations

from shared.kernel.game import Event, Game, kinds
from tests.laws.pebbles import bots, commands, content, events, legal, setup, state, view
from tests.laws.pebbles.rules import fists, heaps, turn

GAME = Game(
    name="pebbles",
    title="Pebbles",
    version=1,
    seats=range(2, 5),
    state=state.State,
    view=view.View,
    options=state.Options,
    variants=({}, {"rounds": 2, "crowd": True}),
    events=kinds(events, Event),
    rules={
        commands.NameHeap: heaps.name_heap,
        commands.Throw: heaps.throw,
        commands.Rest: heaps.rest,
        commands.Beg: heaps.beg,
        commands.Spare: heaps.spare,
        commands.KeepAll: heaps.keep_all,
        commands.Hide: fists.hide,
        commands.Give: heaps.give,
        commands.MoveOn: turn.move_on,
        commands.Cheer: heaps.cheer,
    },
    empty=state.empty,
    setup=setup.setup,
    advance=turn.advance,
    question=legal.question,
    legal=legal.legal,
    default=legal.default,
    standing=legal.standing,
    look=view.look,
    result=heaps.result,
    score=heaps.score,
    imagine=view.imagine,
    sound=state.sound,
    leave=turn.leave,
    text=view.text,
    bots=bots.BOTS,
    words=content.WORDS,
    pack_hash=content.PACK.hash,
    presets={
        "quick": {"throw": 15, "spare": 10, "hide": 20, "look": 5},
        "normal": {"throw": 30, "spare": 20, "hide": 45, "look": 10},
        "relaxed": {"throw": 90, "spare": 60, "hide": 120, "look": 20},
    },
    stage="draft",
    phase=legal.phase,
    phase_over=turn.look_over,
    text_fault=legal.text_fault,
    poll=legal.poll,
    counted=legal.counted,
)
