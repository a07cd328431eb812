"""What of a tournament may one of its stages look at?"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from fractions import Fraction

from msgspec.structs import replace

from services.league.kind import Kept, Scene
from services.league.record import ABSENT, HALF, ZERO, Bye
from services.league.scoring import Seat
from services.league.stages import FORMATS, Format
from services.league.stages.facts import ACCEPTED, DECLINED, Challenge, Constraints, Facts, Floor, Line, Meeting, Played
from services.league.stages.rules import StageRules
from services.league.tournament import shelf
from services.league.tournament.looking import rules_of
from services.league.tournament.state import (
    DISQUALIFIED,
    ENTERED,
    WITHDRAWN,
    Entrant,
    FrozenLine,
    Game,
    GivenBye,
    Pairing,
    Round,
    Stage,
    State,
)

LIVE_FORMATS = frozenset({"arena", "ladder"})
UNKEPT = Kept()


def format_of(state: State, stage: Stage) -> Format:
    return FORMATS[rules_of(state.settings, stage).format]


def meeting_of(pairing: Pairing) -> Meeting:
    return Meeting(pairing.table, pairing.numbers, pairing.state, tuple(map(seats_of, pairing.games)), pairing.place, pairing.kind,
                   pairing.decided_at)


def seats_of(game: Game) -> tuple[Seat, ...]:
    return tuple(Seat(one.number, one.place, one.score, one.how) for one in game.seats)


def line_of(line: FrozenLine) -> Line:
    """A stored line as it was computed."""
    return Line(line.number, line.rank, Fraction(line.points), line.played, line.places, tuple((code, Fraction(value)) for code, value in line.ties),
                line.decided, line.byes, line.forfeits, line.seats, line.group)


def bye_of(given: GivenBye) -> Bye:
    return Bye(given.number, given.kind, given.worth)


def played(one: Round) -> Played:
    return Played(tuple(meeting_of(pairing) for pairing in shelf.every(one.pairings)), tuple(map(bye_of, one.byes)), one.rests)


def facts(state: State, stage: Stage, seed: bytes, now: int = 0, kept: Kept = UNKEPT) -> Facts:
    """Everything as it stands at this version; what block lists ask for only where somebody is to be paired."""
    here = [shelf.at(state.entrants, place) for place in stage.field]
    numbered = dict(enumerate(here, start=1))
    gone = frozenset(number for number, one in numbered.items() if one.state == WITHDRAWN)
    barred = frozenset(number for number, one in numbered.items() if one.state == DISQUALIFIED)
    return Facts(
        f"{state.drawn_as or state.tournament}/{stage.number}", rules_with(state, stage), seed, tuple(numbered), available(state, stage, numbered), gone, barred,
        stage.joined, tuple(map(played, stage.rounds)), requested(stage, numbered),
        clubs={number: one.club for number, one in numbered.items() if one.club},
        teams={number: one.team for number, one in numbered.items() if one.team},
        countries={number: one.country for number, one in numbered.items() if one.country},
        constraints=with_blocks(state, stage, constraints(state, stage), kept), ratings={number: Fraction(Decimal(one.rating)) for number, one in numbered.items() if one.rating},
        entered={number: one.entered_at for number, one in numbered.items()},
        hard={size: order[-1] for size, order in state.card.hard.items() if order}, scores=state.card.has_score,
        unranked=frozenset(number for number, one in numbered.items() if one.kind == "bot") if not state.settings.bots_rank else frozenset(),
        floor=floor(state, stage, now))


def as_frozen(state: State, stage: Stage, seed: bytes) -> Facts:
    """LG-806 Who left after the freezing still counts as they did then."""
    found = facts(state, stage, seed)
    back = (found.gone | found.barred) - set(stage.removed)
    return found._replace(gone=found.gone - back, barred=found.barred - back)


def rules_with(state: State, stage: Stage) -> StageRules:
    """LG-172 The rules of the stage with the rounds as they are planned now."""
    rules = rules_of(state.settings, stage)
    return rules if stage.planned_rounds is None or stage.planned_rounds == rules.rounds else replace(rules, rounds=stage.planned_rounds)


def available(state: State, stage: Stage, numbered: dict[int, Entrant]) -> frozenset[int]:
    """LG-173, LG-226 Who can be paired in the next round."""
    number = len(stage.rounds) + 1
    late = number == 1 and state.settings.schedule.check_in is not None
    return frozenset(one for one, entrant in numbered.items()
                     if entrant.state == ENTERED and stage.joined.get(one, 1) <= number and (entrant.checked_in or not late))


def requested(stage: Stage, numbered: dict[int, Entrant]) -> tuple[Bye, ...]:
    """LG-236, LG-651 Byes asked for or given in the next round; absences are found by who is not available."""
    number = len(stage.rounds) + 1
    given = {one: bye_of(bye) for one, bye in stage.given.get(number, {}).items()}
    asked = {one: Bye(one, HALF if bye == "half" else ZERO) for one, bye in stage.asked.get(number, {}).items() if one in numbered}
    return tuple(bye for _, bye in sorted({**asked, **given}.items()) if numbered[bye.number].state == ENTERED)


def absences(numbers: Iterable[int]) -> tuple[GivenBye, ...]:
    return tuple(GivenBye(number, ABSENT) for number in sorted(numbers))


def constraints(state: State, stage: Stage) -> Constraints:
    """LG-951, LG-963 By pairing number; a bot and its owner, and two bots of one owner, are kept apart while it can be."""
    def numbers(accounts: Iterable[str]) -> frozenset[int]:
        places = (state.book.get(account) for account in accounts)
        return frozenset(stage.numbers[place] for place in places if place is not None and place in stage.numbers)

    bars = state.bars
    families: dict[str, set[int]] = {}
    for number, place in enumerate(stage.field, start=1):
        one = shelf.at(state.entrants, place)
        for who in (*one.members, *one.reserves) or (one,):
            if who.owner or who.kind == "person":
                families.setdefault(who.owner or who.account, set()).add(number)
    soft = {numbers(group) for group in bars.soft} | {frozenset(family) for family in families.values()}
    return Constraints(frozenset(group for one in bars.never if len(group := numbers(one)) > 1), frozenset(group for group in soft if len(group) > 1),
                       bars.same_club, bars.same_team or ("hard" if state.settings.by_members else ""))


def blocked(state: State, stage: Stage, scene: Scene) -> Kept:
    """LG-951 Block lists of accounts count in public tournaments, in arenas and on ladders."""
    if state.settings.visibility != "public" and rules_of(state.settings, stage).format not in LIVE_FORMATS:
        return UNKEPT
    return scene.blocks(stage.number, len(stage.rounds) + 1, [shelf.at(state.entrants, place).account for place in stage.field])


def with_blocks(state: State, stage: Stage, known: Constraints, kept: Kept) -> Constraints:
    """LG-951 Soft, but hard in an arena and on a ladder; LG-954 among other constraints, and not to be told from them."""
    if not kept.couples:
        return known
    couples = frozenset(frozenset(couple) for couple in kept.couples)
    if rules_of(state.settings, stage).format in LIVE_FORMATS:
        return known._replace(never=known.never | couples, salt=kept.salt)
    return known._replace(soft=known.soft | couples, salt=kept.salt)


def floor(state: State, stage: Stage, now: int) -> Floor:
    """What arena and ladder look at."""
    rules = rules_of(state.settings, stage)
    if rules.format not in LIVE_FORMATS:
        return Floor(now)
    ends = stage.started_at + rules.length * 1_000 if rules.length else None
    challenges = tuple(Challenge(one.challenger, one.challenged, one.at, ACCEPTED if one.state == "accepted" else DECLINED)
                       for one in stage.challenges if one.state in {"accepted", "declined"})
    return Floor(now, ends, stage.ready, challenges, stage.rungs)
