"""Is a pairing decided, who sits where in its next match, and what do its matches come to?"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from services.league.counting.series import Game, forfeited, game_points, is_over, seats_of
from services.league.formats.table_elimination import DECIDER, qualified
from services.league.record import NO_SHOW
from services.league.scoring import PLAYED, Seat, by_model, scale_for
from services.league.stages.facts import Meeting
from services.league.stages.rules import StageRules, scoring
from services.league.stages.teams import result as team_result

Table = tuple[Seat, ...]
TABLES = "tables"                       # LG-481 first part of a place at an elimination's tables; its last part is how many go on


def further(rules: StageRules, meeting: Meeting) -> tuple[int, ...]:
    """LG-297, LG-446, LG-485, LG-641 The seats of the next match of this pairing; nobody when it is decided."""
    games = meeting.games
    if not games:
        return meeting.numbers
    if rules.boards > 1:
        return seats_of(meeting.numbers, len(games) + 1) if len(games) < rules.boards else ()
    if forfeiting(games):
        return ()
    if meeting.place.startswith(TABLES):
        return _cut_decider(rules, meeting)
    if not series_over(rules, games):
        return seats_of(meeting.numbers, len(games) + 1)
    level = len(set(points_of(rules, games).values())) == 1
    due = rules.format in {"elimination", "double_elimination"} and level and len(games) < rules.best_of + rules.deciders
    return seats_of(meeting.numbers, len(games) + 1) if due else ()


def _cut_decider(rules: StageRules, meeting: Meeting) -> tuple[int, ...]:
    """LG-485 One extra match among those level at the border, if the stage says so."""
    if rules.cut_tie != DECIDER or len(meeting.games) > 1 or not advancing(meeting):       # LG-487 at the final table places are shared
        return ()
    return qualified(meeting.games[0], advancing(meeting), DECIDER).level


def advancing(meeting: Meeting) -> int:
    """How many go on from this table of an elimination, as the round was planned."""
    return int(meeting.place.rsplit("/", 1)[1])


def series_over(rules: StageRules, games: Sequence[Table]) -> bool:
    """LG-641 Where scores are added a single match can make up anything, so that all are played."""
    if rules.best_of == 1 or rules.model != "places":
        return len(games) >= rules.best_of
    scale = scale_for(len(games[0]), scoring(rules).scales)
    return is_over(each_game(rules, games), rules.best_of, scale[0] - scale[-1])


def forfeiting(games: Sequence[Table]) -> frozenset[int]:
    """LG-645 Who has forfeited a series of two: by not coming, or by leaving its last match."""
    last = games[-1] if games else ()
    return frozenset(seat.number for seat in last if seat.how != PLAYED) if len(last) == 2 else frozenset()


def each_game(rules: StageRules, games: Sequence[Table]) -> list[Game]:
    found = scoring(rules)
    return [by_model(game, found, rules.model) for game in games]


def points_of(rules: StageRules, games: Sequence[Table]) -> dict[int, Fraction]:
    """LG-642, LG-645 Game points of a pairing, with those that a forfeit gives away."""
    found = each_game(rules, games)
    out = forfeiting(games)
    if rules.boards == 1 and rules.best_of > 1 and len(out) == 1 and len(games[-1]) == 2:
        (loser,) = out
        other = next(seat.number for seat in games[-1] if seat.number != loser)
        scale = scale_for(2, scoring(rules).scales)
        found = list(forfeited(found, rules.best_of, (loser, other), (scale[0], scale[-1])))
    if rules.boards > 1 and len(found) == 1 and out:            # LG-973: a team that has not come has lost every board
        found *= rules.boards
    return game_points(found)


def table_of(rules: StageRules, meeting: Meeting) -> Table:
    """LG-642 What the pairing came to, as one table in the order of its first seats."""
    games = meeting.games
    if len(games) < 2:
        return games[0] if games else ()
    if rules.boards > 1 and len(meeting.numbers) == 2:
        return team_result((meeting.numbers[0], meeting.numbers[1]), games, scoring(rules)).table
    if meeting.place.startswith(TABLES):
        return _with_decider(games)
    worth, out = points_of(rules, games), forfeiting(games)
    if len(out) == 1:
        worth = {number: Fraction(number not in out) for number in worth}
    return tuple(Seat(number, 1 + sum(other > own for other in worth.values()), _score(games, number), _how(games, number))
                 for number, own in ((number, worth.get(number, Fraction(0))) for number in meeting.numbers))


def _score(games: Sequence[Table], number: int) -> int:
    return sum(seat.score for game in games for seat in game if seat.number == number)


def _how(games: Sequence[Table], number: int) -> str:
    """Who came to one match at least was there; who left the last one left."""
    own = [seat.how for game in games for seat in game if seat.number == number]
    if all(how == NO_SHOW for how in own):
        return NO_SHOW
    return PLAYED if own[-1] == PLAYED else "left"


def _with_decider(games: Sequence[Table]) -> Table:
    """LG-485 The order of the extra match among those it was played by; all others keep their places."""
    first, extra = games[0], {seat.number: seat for seat in games[1]}
    base = min((seat.place for seat in first if seat.number in extra), default=1)
    return tuple(seat._replace(place=base + extra[seat.number].place - 1, how=extra[seat.number].how) if seat.number in extra else seat
                 for seat in first)
