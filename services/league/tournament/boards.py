"""On which boards do two teams meet, who sits there, and when is their pairing decided?"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping

from msgspec.structs import replace

from services.league.kind import Scene
from services.league.record import NO_SHOW
from services.league.refusals import Refused
from services.league.scoring import PLAYED
from services.league.stages import teams
from services.league.tournament import shelf
from services.league.tournament.looking import entrant_of, rules_of
from services.league.tournament.state import DOUBLE, FORFEIT, HAND, Board, Entrant, Game, Member, Pairing, Place, Stage, State

LineUp = tuple[str, ...]


def team_of(number: int, one: Entrant) -> teams.Team:
    """LG-971 A team as the pure part knows it."""
    return teams.Team(number, names(one.members), one.account, names(one.reserves))


def names(members: Iterable[Member]) -> LineUp:
    return tuple(member.account for member in members)


def behind(one: Entrant) -> frozenset[str]:
    """LG-124, LG-963 Who plays for an entrant, and whose bots do."""
    return frozenset(filter(None, (one.account, one.owner, *(name for member in (*one.members, *one.reserves) for name in (member.account, member.owner)))))


def seater(state: State, stage: Stage, scene: Scene, number: int) -> Callable[[Pairing], Pairing]:
    """LG-167, LG-971, LG-972 Puts two teams at their boards as they are lined up for this round, each board with a match."""
    asked, last, boards = stage.line_ups.get(number, {}), last_line_ups(stage, number), rules_of(state.settings, stage).boards

    def line_up(one: int) -> LineUp:
        team = team_of(one, entrant_of(state, stage, one))
        return teams.line_up(team, boards, asked.get(team.captain), last.get(one, ()))

    def seated(pairing: Pairing) -> Pairing:
        one, other = pairing.numbers
        made = teams.boards_of((one, other), line_up(one), line_up(other))
        return lined_up(replace(pairing, since=scene.at, boards=tuple(Board(*board) for board in made)), scene)

    return seated


def last_line_ups(stage: Stage, number: int) -> dict[int, LineUp]:
    """LG-971 With whom each team sat at its boards last."""
    found: dict[int, LineUp] = {}
    for one in stage.rounds[:number - 1]:
        for pairing in shelf.every(one.pairings):
            for team in pairing.numbers if pairing.boards else ():
                found[team] = tuple(board.accounts[board.numbers.index(team)] for board in pairing.boards)
    return found


def lined_up(pairing: Pairing, scene: Scene) -> Pairing:
    """LG-973 Missing boards are lost as the pairing is made; who has fewer than half of them has lost them all."""
    sitting = {number: sum(bool(board.accounts[board.numbers.index(number)]) for board in pairing.boards) for number in pairing.numbers}
    short = {number for number, count in sitting.items() if 2 * count < len(pairing.boards)}
    boards = (replace(board, game=replace(game, at=scene.at)) if (game := lost(board, short)) else replace(board, match=scene.fresh("m"))
              for board in pairing.boards)
    return counted(replace(pairing, boards=tuple(boards)), scene.at)


def lost(board: Board, out: Collection[int], how: str = NO_SHOW) -> Game | None:
    """LG-973 The board as it ends without somebody, or nothing where two sit down."""
    accounts = tuple("" if number in out else account for number, account in zip(board.numbers, board.accounts, strict=True))
    seats = teams.missing(teams.Board(board.board, board.numbers, (accounts[0], accounts[1])))
    if seats is None:
        return None
    places = tuple(Place(seat.number, seat.place, how=how if seat.how == NO_SHOW and seat.number in out else seat.how) for seat in seats)
    return Game(places, kind=FORFEIT if any(place.how == PLAYED for place in places) else DOUBLE, rated=False)


def board_at(pairing: Pairing, number: int) -> Board:
    if not 1 <= number <= len(pairing.boards):
        raise Refused("not_found", "the pairing has no such board", [number])
    return pairing.boards[number - 1]


def board_of(pairing: Pairing, match: str) -> Board | None:
    return next((board for board in pairing.boards if board.match == match), None)


def with_board(pairing: Pairing, board: Board, at: int) -> Pairing:
    """The pairing with that board as it is now."""
    boards = (*pairing.boards[:board.board - 1], board, *pairing.boards[board.board:])
    return counted(replace(pairing, boards=boards), at)


def counted(pairing: Pairing, at: int) -> Pairing:
    """LG-972 Decided with the last of its boards; a walkover if nobody sat down at any."""
    games = tuple(board.game for board in pairing.boards if board.game is not None)
    if len(games) < len(pairing.boards):
        going = any(board.running or (board.game is not None and board.game.match) for board in pairing.boards)
        return replace(pairing, state="running" if going else "ready", games=(), kind="", decided_at=0)
    met = any(all(seat.how != NO_SHOW for seat in game.seats) for game in games)
    ruled = {game.kind for game in games}
    kind = "" if met else DOUBLE if ruled == {DOUBLE} else FORFEIT
    return replace(pairing, state="confirmed" if met else "walkover", games=games, kind=kind, decided_at=at, flag="", match="")


def board_game(board: Board, places: Mapping[str, int], scores: Mapping[str, int]) -> Game:
    """LG-202 A referee's word on a board: places by account."""
    order = list(places.values())
    if set(places) != set(board.accounts) or any(place != 1 + sum(other < place for other in order) for place in order):
        raise Refused("bad_result", "these cannot be the places of this board", sorted(set(board.accounts) - set(places)) or order)
    seats = (Place(number, places[account], scores.get(account, 0)) for number, account in zip(board.numbers, board.accounts, strict=True))
    return Game(tuple(seats), kind=HAND, rated=False)
