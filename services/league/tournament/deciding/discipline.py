"""Who is taken out for what they did, and what becomes of their results?"""

from __future__ import annotations

from collections.abc import Iterator

from services.league.kind import Decided, Scene
from services.league.refusals import Refused
from services.league.tournament import acts, shelf
from services.league.tournament.boards import behind as everybody_behind
from services.league.tournament.deciding.entry import after_leaving, full_for
from services.league.tournament.deciding.leaving import BRACKETS, forfeited
from services.league.tournament.events.base import Happened
from services.league.tournament.events.field import Disqualified, Lifted
from services.league.tournament.events.results import Ruled
from services.league.tournament.legal import reason
from services.league.tournament.looking import At, entrant, number_in, rules_of
from services.league.tournament.state import DISQUALIFIED, ENTERED, FORFEIT, Entrant, Game, Pairing, Place, Stage, State


def disqualify(state: State, act: acts.Disqualify, scene: Scene) -> Decided:
    """LG-677, LG-678 OP-29."""
    said = reason(act.reason)
    known = entrant(state, act.account)
    if known is None or known.state == DISQUALIFIED:
        raise Refused("wrong_state", "not among those who take part", [act.account])
    check_own(known, scene)
    gone = Disqualified(at=scene.at, by=scene.actor.account, account=act.account, reason=said, annul=act.annul)
    return Decided((gone, *after_leaving(state, known, gone, scene), *annulled(state, act, scene)))


def check_own(known: Entrant, scene: Scene) -> None:
    """LG-124."""
    if scene.actor.account in everybody_behind(known):
        raise Refused("own_match", "a referee does not decide about an own entrant", [known.account])


def annulled(state: State, act: acts.Disqualify, scene: Scene) -> Iterator[Happened]:
    """LG-678 Their played results in the stage that runs; a bracket keeps its results (LG-449)."""
    for stage in state.stages if act.annul != "keep" else ():
        number = number_in(stage, state, act.account)
        if stage.state != "running" or number is None or rules_of(state.settings, stage).format in BRACKETS:
            continue
        for one in stage.rounds:
            for pairing in shelf.every(one.pairings):
                if number in pairing.numbers and pairing.state == "confirmed":
                    yield ruled(stage, At(stage.number, one.number, pairing.table), (pairing, number), act, scene)


def ruled(_stage: Stage, where: At, seat: tuple[Pairing, int], act: acts.Disqualify, scene: Scene) -> Ruled:
    pairing, number = seat
    if act.annul == "void":
        return Ruled(at=scene.at, by=scene.actor.account, pairing=str(where), state="void", reason=act.reason)
    out = {number, *(seat.number for seat in pairing.games[-1].seats if seat.how == "no_show")}        # who was annulled before, or did not come
    game = forfeited(pairing.numbers, out) if len(pairing.numbers) == 2 else behind(pairing.games[-1], number)
    return Ruled(at=scene.at, by=scene.actor.account, pairing=str(where), state="confirmed", ruling=game.kind, games=(game,), reason=act.reason)


def behind(game: Game, number: int) -> Game:
    """The others close up by play; who is annulled comes last without points."""
    others = [seat.place for seat in game.seats if seat.number != number]
    seats = (Place(seat.number, 1 + sum(place < seat.place for place in others), seat.score, seat.how) if seat.number != number else
             Place(number, len(game.seats), how="no_show") for seat in game.seats)
    return Game(tuple(seats), kind=FORFEIT, rated=False)


def lift(state: State, act: acts.Lift, scene: Scene) -> Decided:
    """OP-29, LG-224 Only before the next round is published; where somebody else has the place by now, they wait for another."""
    said = reason(act.reason)
    known = entrant(state, act.account)
    if known is None or known.state != DISQUALIFIED:
        raise Refused("wrong_state", "not disqualified", [act.account])
    check_own(known, scene)
    later = [f"{stage.number}/{one.number}" for stage in state.stages for one in stage.rounds if one.published_at > (known.barred_at or 0)]
    if later:
        raise Refused("depends_on_played", "a round was published since", later)
    waits = known.barred_from == ENTERED and full_for(state, act.account)
    if waits and not state.settings.waiting_list:
        raise Refused("full", "the place has been taken since", [state.settings.most])
    return Decided((Lifted(at=scene.at, by=scene.actor.account, account=act.account, reason=said, waits=waits),))
