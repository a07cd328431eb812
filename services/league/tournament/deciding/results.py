"""What becomes of a match: recorded, reported, entered by hand, forfeited, void, played again?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from msgspec.structs import replace

from services.league.kind import Decided, Scene
from services.league.refusals import Refused
from services.league.scoring import by_play
from services.league.stages import further
from services.league.tournament import acts
from services.league.tournament.deciding.leaving import BRACKETS, forfeit, gone_from, missed, stamped
from services.league.tournament.events import grown
from services.league.tournament.events.base import Happened
from services.league.tournament.events.field import Withdrawn
from services.league.tournament.events.results import (
    Extended,
    Flagged,
    MatchOrdered,
    NotCounted,
    RatingExcluded,
    Recorded,
    RecordRefused,
    Reported,
    Ruled,
    Started,
)
from services.league.tournament.facts import meeting_of
from services.league.tournament.legal import not_own, not_replaced, reason
from services.league.tournament.looking import (
    DONE,
    At,
    account_of,
    number_in,
    pairing_at,
    place_of_match,
    read_at,
    round_of,
    rules_of,
    stage_of,
)
from services.league.tournament.state import HAND, Game, Pairing, Place, Stage, State

NOBODY_WON = "nobody has won"


def started(state: State, act: acts.MatchStarted, scene: Scene) -> Decided:
    """LG-164 Known once."""
    where = place_of_match(state, act.match)
    if where is None:
        return Decided()
    pairing = pairing_at(state, where)
    new = pairing.match == act.match and pairing.state == "ready"
    return Decided((Started(at=scene.at, pairing=str(where)),) if new else ())


def record(state: State, act: acts.RecordMatch, scene: Scene) -> Decided:
    """LG-201 to LG-205 OP-24 The finish record of a match, once."""
    where = place_of_match(state, act.match)
    if where is None:
        raise Refused("not_found", "the league has not ordered this match", [act.match])
    pairing = pairing_at(state, where)
    if pairing.match != act.match:
        return again(state, where, pairing, act, scene)
    if act.ended != "finished":
        return ended_without(state, where, pairing, act, scene)
    places, flag = read_places(pairing, act)
    if places is None:
        event = Flagged(at=scene.at, pairing=str(where), why="bad_result")
        return Decided(() if pairing.flag == "bad_result" else (event,), {"refused": "bad_result"})
    game = Game(places, act.match, rated=act.rated and flag != NOBODY_WON)
    events = [*settled(state, where, pairing, game, scene), *([Flagged(at=scene.at, pairing=str(where), why=flag)] if flag else [])]
    return Decided((*events, *absences(grown(state, events), where, game, scene)))


def absences(state: State, where: At, game: Game, scene: Scene) -> Iterator[Happened]:
    """LG-682 No-shows are counted; who is withdrawn for it has forfeited whatever else is open."""
    for event in missed(state, stage_of(state, where.stage), game, scene):
        yield event
        if isinstance(event, Withdrawn):
            yield from gone_from(grown(state, [event]), event.account, event, scene)


def read_places(pairing: Pairing, act: acts.RecordMatch) -> tuple[tuple[Place, ...] | None, str]:
    """LG-202, LG-214, LG-704, LG-707 The places that count, in the order of seats, or None when they cannot be those of one match."""
    numbers = seats_now(pairing)
    seats = sorted(act.seats, key=lambda one: one.seat)
    if [one.seat for one in seats] != list(range(len(numbers))):
        return None, ""
    order = [one.place for one in seats]
    nobody = len(set(order)) == 1 and order[0] == len(order) > 1
    if not nobody and any(place != 1 + sum(other < place for other in order) for place in order):
        return None, ""
    left = {at: (-1 if one.how == "no_show" else one.step) for at, one in enumerate(seats) if one.how != "played"}
    found = dict(enumerate(order)) if nobody else by_play(order, left)
    places = tuple(Place(number, found[at], one.score, one.how, one.step) for at, (number, one) in enumerate(zip(numbers, seats, strict=True)))
    return places, NOBODY_WON if nobody or (len(left) == len(seats) and all(one.how != "no_show" for one in seats)) else ""


def seats_now(pairing: Pairing) -> tuple[int, ...]:
    """LG-297 Who sits where in the match that runs."""
    return pairing.seated or pairing.numbers


def settled(state: State, where: At, pairing: Pairing, game: Game, scene: Scene) -> tuple[Happened, ...]:
    """LG-446, LG-641 The result, and the next match where one is still due."""
    stage = stage_of(state, where.stage)
    rules = rules_of(state.settings, stage)
    after = replace(pairing, games=(*pairing.games, game))
    seats = further(rules, meeting_of(after))
    event = Recorded(at=scene.at, by=scene.actor.account, pairing=str(where), game=game, decided=not seats)
    if not seats or state.settings.reporting:
        return (event,)
    return (event, MatchOrdered(at=scene.at, pairing=str(where), match=scene.fresh("m"), number=len(after.games) + 1, numbers=seats))


def again(state: State, where: At, pairing: Pairing, act: acts.RecordMatch, scene: Scene) -> Decided:
    """LG-203, LG-204 The same again changes nothing; another one for a match that has its result is refused and shown."""
    known = next((game for game in pairing.games if game.match == act.match), None)
    if known is None:
        return Decided((NotCounted(at=scene.at, pairing=str(where), match=act.match),), {"refused": "not_counted"})
    if act.ended != "finished":
        return withdrawn_record(state, where, pairing, act, scene)
    told = {one.seat: (one.place, one.score, one.how) for one in act.seats}
    numbers = [seat.number for seat in known.seats]
    same = read_places(replace(pairing, seated=tuple(numbers)), act)[0]
    if same is not None and len(told) == len(numbers) and [(p.number, p.place, p.score, p.how) for p in same] == [
            (p.number, p.place, p.score, p.how) for p in known.seats]:
        return Decided()
    return Decided((RecordRefused(at=scene.at, pairing=str(where), match=act.match),), {"refused": "result_exists"})


def withdrawn_record(state: State, where: At, pairing: Pairing, act: acts.RecordMatch, scene: Scene) -> Decided:
    """PL-248 A finished match was voided: where later pairings may rest on it a referee corrects, elsewhere it counts no more."""
    one = round_of(stage_of(state, where.stage), where.round)
    if one.state == "published" and rules_of(state.settings, stage_of(state, where.stage)).format not in BRACKETS:
        games = tuple(game for game in pairing.games if game.match != act.match)
        return Decided((Ruled(at=scene.at, pairing=str(where), state="void", games=games, reason=act.reason or act.ended),))
    return Decided((Flagged(at=scene.at, pairing=str(where), why=act.ended),))


def ended_without(state: State, where: At, pairing: Pairing, act: acts.RecordMatch, scene: Scene) -> Decided:
    """LG-673, LG-680 No result: those present play on at a smaller table, or the pairing is void; a bracket waits for its referee."""
    numbers = seats_now(pairing)
    gone = {numbers[one.seat] for one in act.seats if one.how == "no_show" and one.seat < len(numbers)}
    here = tuple(number for number in pairing.numbers if number not in gone)
    stage = stage_of(state, where.stage)
    rules = rules_of(state.settings, stage)
    if gone and state.settings.playing.absent_seats == "shrink" and len(pairing.numbers) > 2 and len(here) >= max(2, rules.seats.least):
        event = MatchOrdered(at=scene.at, pairing=str(where), match=scene.fresh("m"), number=len(pairing.games) + 1, numbers=here, why="shrink",
                             missing=tuple(sorted(gone)))
        game = Game(tuple(Place(number, len(pairing.numbers), how="no_show") for number in sorted(gone)))
        return Decided((event, *absences(grown(state, [event]), where, game, scene)))
    if gone and len(here) < 2:
        ruled = stamped(forfeit(state, where, replace(pairing, match=""), gone, act.reason or "no show"), scene)
        return Decided((ruled, *absences(grown(state, [ruled]), where, ruled.games[-1], scene)))
    if rules.format in BRACKETS:
        return Decided((Flagged(at=scene.at, pairing=str(where), why=act.ended),))
    return Decided((Ruled(at=scene.at, pairing=str(where), state="void", games=pairing.games, reason=act.reason or act.ended),))


def report(state: State, act: acts.Report, scene: Scene) -> Decided:
    """LG-210 OP-25 A second seat that says the same confirms; one that says otherwise makes it disputed."""
    where, stage, pairing = asked_pairing(state, act.pairing)
    account = scene.actor.account
    mine = number_in(stage, state, account)
    if not state.settings.reporting or pairing.state in DONE:
        raise Refused("wrong_state", "no result can be reported here", [pairing.state])
    if mine not in pairing.numbers:
        raise Refused("not_allowed", "only who sits there reports", [account])
    game = game_by(state, stage, pairing, act.places, {})
    others = [one for one in pairing.reports if one.account != account]
    told = Reported(at=scene.at, by=account, pairing=act.pairing, account=account, places=act.places,
                    disputed=any(one.places != act.places for one in others))
    if others and not told.disputed and pairing.flag != "disputed":
        return Decided((told, *settled(state, where, pairing, game, scene)))
    return Decided((told,))


def result(state: State, act: acts.Result, scene: Scene) -> Decided:
    """OP-26, LG-123, LG-848 A referee's word: it counts, and is not rated."""
    where, stage, pairing = asked_pairing(state, act.pairing)
    not_own(state, stage, pairing, scene)
    undecided(pairing)
    game = game_by(state, stage, pairing, act.places, act.scores)
    stop = pairing.match
    after = (*pairing.games, game)
    ruled = Ruled(at=scene.at, by=scene.actor.account, pairing=str(where), state="confirmed", ruling=HAND, games=after, reason=act.reason, stop=stop)
    return Decided((ruled,))


def game_by(state: State, stage: Stage, pairing: Pairing, places: Mapping[str, int], scores: Mapping[str, int]) -> Game:
    """LG-202 Places by account as a match of this pairing."""
    numbers = {account_of(state, stage, number): number for number in pairing.numbers}
    order = list(places.values())
    if set(places) != set(numbers) or any(place != 1 + sum(other < place for other in order) for place in order):
        raise Refused("bad_result", "these cannot be the places of this pairing", sorted(set(numbers) - set(places)) or order)
    seats = tuple(Place(number, places[account], scores.get(account, 0)) for account, number in numbers.items())
    return Game(seats, kind=HAND, rated=False)


def asked_pairing(state: State, text: str) -> tuple[At, Stage, Pairing]:
    """LG-656 A pairing that was named; a bye has none."""
    where = read_at(text)
    stage = stage_of(state, where.stage)
    one = round_of(stage, where.round)
    if where.table == 0 and one.byes:
        raise Refused("is_bye", "a bye has no match", [text])
    return where, stage, pairing_at(state, where)


def undecided(pairing: Pairing) -> None:
    if pairing.state in DONE:
        raise Refused("wrong_state", "the pairing is decided; a correction changes it", [pairing.state])


def forfeited(state: State, act: acts.Forfeit, scene: Scene) -> Decided:
    """OP-27, LG-672 to LG-675."""
    where, stage, pairing = asked_pairing(state, act.pairing)
    not_own(state, stage, pairing, scene)
    if pairing.state in DONE or not act.accounts:
        raise Refused("wrong_state", "the pairing is decided, or nobody was named", [pairing.state])
    out = members(state, stage, pairing, act.accounts)
    if len(pairing.numbers) - len(out) > 1:
        raise Refused("wrong_state", "the others play on; leaving is for the match itself", [len(pairing.numbers)])
    how = "left" if pairing.state == "running" else "no_show"
    return Decided((stamped(forfeit(state, where, pairing, out, act.reason, how), scene),))


def members(state: State, stage: Stage, pairing: Pairing, accounts: Iterable[str]) -> frozenset[int]:
    known = {account_of(state, stage, number): number for number in pairing.numbers}
    strangers = sorted(set(accounts) - set(known))
    if strangers:
        raise Refused("bad_result", "they do not sit there", strangers)
    return frozenset(known[account] for account in accounts)


def void(state: State, act: acts.Void, scene: Scene) -> Decided:
    """OP-28, LG-680 An undecided pairing; a decided one is corrected."""
    said = reason(act.reason)
    where, stage, pairing = asked_pairing(state, act.pairing)
    not_own(state, stage, pairing, scene)
    undecided(pairing)
    return Decided((Ruled(at=scene.at, by=scene.actor.account, pairing=str(where), state="void", reason=said, stop=pairing.match),))


def replay(state: State, act: acts.Replay, scene: Scene) -> Decided:
    """OP-28, LG-680 A new counting match for the same pairing, as long as nothing rests on the old one."""
    reason(act.reason)
    where, stage, pairing = asked_pairing(state, act.pairing)
    not_own(state, stage, pairing, scene)
    not_replaced(state, stage, pairing)
    later = stage.rounds[where.round:]
    if pairing.state in DONE and (later or stage.state == "finished"):
        raise Refused("depends_on_played", "later rounds rest on it; a correction tells what would change", [one.number for one in later])
    return Decided((ordered(where, pairing, "replay", scene),))


def ordered(where: At, pairing: Pairing, why: str, scene: Scene) -> MatchOrdered:
    numbers = pairing.numbers
    return MatchOrdered(at=scene.at, by=scene.actor.account, pairing=str(where), match=scene.fresh("m"), number=1, numbers=numbers,
                        why="replay" if why == "replay" else "series", stop=pairing.match)


def extend(state: State, act: acts.Extend, scene: Scene) -> Decided:
    """OP-35, LG-880."""
    said = reason(act.reason)
    where, stage, pairing = asked_pairing(state, act.pairing)
    if pairing.state in DONE:
        raise Refused("frozen", "the pairing is decided", [pairing.state])
    one = round_of(stage, where.round)
    before = one.extended.get(where.table, one.deadline)
    if before is not None and act.until < before:
        raise Refused("frozen", "entrants rely on the deadline they know", [before])
    return Decided((Extended(at=scene.at, by=scene.actor.account, pairing=str(where), until=act.until, reason=said),))


def rating_only(state: State, act: acts.RatingOnly, scene: Scene) -> Decided:
    """OP-49, LG-853."""
    said = reason(act.reason)
    where = place_of_match(state, act.match)
    if where is None:
        raise Refused("not_found", "no such match here", [act.match])
    not_own(state, stage_of(state, where.stage), pairing_at(state, where), scene)
    done = act.match in state.excluded
    return Decided(() if done else (RatingExcluded(at=scene.at, by=scene.actor.account, match=act.match, reason=said),))
