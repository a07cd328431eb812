"""What becomes of the pairings of somebody who leaves, is disqualified, or does not come?"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from msgspec.structs import replace

from services.league.kind import Scene
from services.league.tournament.boards import lost
from services.league.tournament.events.base import Happened
from services.league.tournament.events.field import Disqualified, NoShow, Withdrawn
from services.league.tournament.events.results import Ruled
from services.league.tournament.events.teams import BoardEnded
from services.league.tournament.looking import At, account_of, entrant_of, number_in, open_places, rules_of
from services.league.tournament.state import DISQUALIFIED, DOUBLE, FORFEIT, WITHDRAWN, Game, Pairing, Place, Stage, State

BRACKETS = frozenset({"elimination", "double_elimination"})
DEPARTED = frozenset({WITHDRAWN, DISQUALIFIED})


def forfeited(numbers: Iterable[int], out: Collection[int], how: str = "no_show", *, kind: str = FORFEIT) -> Game:
    """LG-672, LG-674, LG-675 A match that some seats did not come to, or were taken out of."""
    seats = tuple(numbers)
    stayed = sum(number not in out for number in seats)
    places = (Place(number, 1 + stayed if number in out else 1, how=how if number in out else "played") for number in seats)
    return Game(tuple(places), kind=DOUBLE if not stayed else kind, rated=False)


def forfeit(state: State, where: At, pairing: Pairing, out: Collection[int], said: str, how: str = "no_show") -> Ruled:
    """LG-645, LG-672 The pairing is decided; matches already played stay."""
    game = forfeited(pairing.numbers, out, how)
    started = how != "no_show" or bool(pairing.games)
    stage = state.stages[where.stage - 1]
    loser = account_of(state, stage, min(out)) if len(out) == 1 else ""
    return Ruled(at=0, pairing=str(where), state="confirmed" if started else "walkover", ruling=game.kind, games=(*pairing.games, game), reason=said,
                 stop=pairing.match, how=f"forfeit:{loser}" if pairing.state == "running" and loser else "void")


def gone_from(state: State, account: str, gone: Withdrawn | Disqualified, scene: Scene) -> tuple[Happened, ...]:
    """LG-231, LG-677, LG-679 Every open pairing of somebody who is gone, in the stage that runs."""
    found: list[Happened] = []
    for stage in state.stages:
        number = number_in(stage, state, account)
        if stage.state == "running" and number is not None:
            found += _in_stage(state, stage, number, gone, scene)
    return tuple(found)


def _in_stage(state: State, stage: Stage, number: int, gone: Withdrawn | Disqualified, scene: Scene) -> Iterator[Happened]:
    barred = isinstance(gone, Disqualified)
    for one, pairing in open_places(stage):
        if number not in pairing.numbers:
            continue
        where = At(stage.number, one.number, pairing.table)
        left = {other for other in pairing.numbers if other == number or entrant_of(state, stage, other).state in DEPARTED}
        if pairing.boards and len(left) < len(pairing.numbers):
            yield from given_up(where, pairing, left, scene, "disqualified" if barred else "left")
            continue
        ruled = _ruled(state, where, pairing, left, barred=barred, said=gone.reason)
        if ruled is not None:
            yield stamped(ruled, scene)


def _ruled(state: State, where: At, pairing: Pairing, left: set[int], *, barred: bool, said: str) -> Ruled | None:
    """A table of two is decided at once unless its match runs and the leaver rules apply; at larger ones the others play on."""
    stage = state.stages[where.stage - 1]
    if len(left) == len(pairing.numbers):
        if rules_of(state.settings, stage).format in BRACKETS:
            return forfeit(state, where, pairing, left, said)
        return Ruled(at=0, pairing=str(where), state="void", reason=said, stop=pairing.match)
    if len(pairing.numbers) - len(left) == 1 and (pairing.state != "running" or barred or not pairing.match):
        return forfeit(state, where, pairing, left, said, "disqualified" if barred and pairing.state == "running" else "no_show")
    return None


def given_up(where: At, pairing: Pairing, out: Collection[int], scene: Scene, how: str = "left") -> Iterator[BoardEnded]:
    """LG-645, LG-973 Boards that were played stay; all others are lost by who is out."""
    for board in pairing.boards:
        game = lost(board, out, how if board.running and len(set(out)) == 1 else "no_show")
        if board.game is None and game is not None:
            loser = "".join(account for number, account in zip(board.numbers, board.accounts, strict=True) if number in out)
            stop = f"forfeit:{loser}" if board.running and len(set(out)) == 1 else "void"
            yield BoardEnded(at=scene.at, by=scene.actor.account, pairing=str(where), board=board.board, game=game, stop=board.match, how=stop)


def stamped(event: Ruled, scene: Scene) -> Ruled:
    return replace(event, at=scene.at, by=scene.actor.account)


def missed(state: State, stage: Stage, game: Game, scene: Scene) -> Iterator[Happened]:
    """LG-682 Each no-show is counted, and after too many somebody is withdrawn."""
    limit = state.settings.playing.no_show_limit
    for seat in game.seats:
        if seat.how == "no_show":
            one = entrant_of(state, stage, seat.number)
            yield NoShow(at=scene.at, account=one.account)
            if limit and one.no_shows + 1 >= limit and one.state not in DEPARTED:
                yield Withdrawn(at=scene.at, account=one.account, reason=f"{one.no_shows + 1} no-shows", rule="no_shows")
