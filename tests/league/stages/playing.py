"""How do tests carry a stage through its rounds? They draft, publish and decide as the league would."""

from collections.abc import Callable, Sequence

from services.league.scoring import Seat
from services.league.stages import FORMATS, Draft, Drafted, Facts, Meeting, Played, StageRules, further
from services.league.stages.facts import CONFIRMED, VOID, WALKOVER
from services.league.stages.rules import Seats

SEED = bytes(range(32))
TWO = Seats(2, 2, 2)
Decide = Callable[[tuple[int, ...], int], Sequence[Seat]]


def rules(name: str, seats: Seats = TWO, **more) -> StageRules:
    return StageRules(name, seats, **more)


def stage(asked: StageRules, size: int, **more) -> Facts:
    field = tuple(range(1, size + 1))
    return Facts("t-1/1", asked, SEED, field, frozenset(field), **more)


def lower_wins(numbers: tuple[int, ...], _round: int) -> list[Seat]:
    """The better seed is always ahead."""
    return [Seat(number, 1 + sum(other < number for other in numbers)) for number in numbers]


def by_list(text: str) -> Decide:
    """Named winners: "1-4 5=2" says that 1 beat 4, and 5 and 2 drew; others go to the lower number."""
    won = {}
    for part in text.split():
        drawn = "=" in part
        one, other = map(int, part.replace("=", "-").split("-"))
        won[frozenset((one, other))] = (0 if drawn else one)

    def decide(numbers, number):
        first = won.get(frozenset(numbers))
        if first is None:
            return lower_wins(numbers, number)
        return [Seat(one, 1 if first in {0, one} else 2) for one in numbers]

    return decide


def by_chance(seed: int) -> Decide:
    """Results that follow from the numbers; some are level."""

    def decide(numbers, number):
        worth = {one: (one * 7919 + number * 104729 + seed * 31) % 97 // 9 for one in numbers}
        return [Seat(one, 1 + sum(other > worth[one] for other in worth.values())) for one in numbers]

    return decide


def met(draft: Draft, table: int, decide: Decide, facts: Facts) -> Meeting:
    """The pairing, played to its end."""
    if draft.absent:
        seats = tuple(Seat(one, 2, how="no_show") if one in draft.absent else Seat(one, 1) for one in draft.numbers)
        return Meeting(table, draft.numbers, WALKOVER if len(draft.absent) < len(draft.numbers) else VOID, (seats,), draft.place)
    meeting = Meeting(table, draft.numbers, place=draft.place)
    while due := further(facts.rules, meeting):
        meeting = meeting._replace(games=(*meeting.games, tuple(decide(due, len(facts.rounds) + 1))))
    return meeting._replace(state=CONFIRMED, at=len(facts.rounds) + 1)


def published(facts: Facts, drafted: Drafted, decide: Decide | None = lower_wins) -> Facts:
    """With this round behind the others; without `decide` nothing of it has begun."""
    meetings = tuple(met(one, at, decide, facts) if decide else Meeting(at, one.numbers, place=one.place)
                     for at, one in enumerate(drafted.pairings, start=1))
    return facts._replace(rounds=(*facts.rounds, Played(meetings, drafted.byes, drafted.rests)), requested=())


def drafted(facts: Facts, option: str = "") -> Drafted:
    found = FORMATS[facts.rules.format].draft(facts, option)
    assert isinstance(found, Drafted), found
    return found


def run(facts: Facts, decide: Decide = lower_wins, rounds: int = 64) -> Facts:
    """As many rounds as there are, or as are asked for."""
    for _ in range(rounds):
        found = FORMATS[facts.rules.format].draft(facts)
        if not isinstance(found, Drafted):
            break
        assert_sound(facts, found)
        facts = published(facts, found, decide)
    return facts


def assert_sound(facts: Facts, found: Drafted) -> None:
    """Nobody twice, nobody forgotten, nobody who is out."""
    seen = [*(number for one in found.pairings for number in one.numbers), *(bye.number for bye in found.byes), *found.rests]
    assert len(seen) == len(set(seen)), found
    assert set(seen) <= set(facts.field)


def with_meeting(facts: Facts, number: int, table: int, **changes) -> Facts:
    """One published pairing changed."""
    rounds = list(facts.rounds)
    meetings = tuple(one._replace(**changes) if one.table == table else one for one in rounds[number - 1].meetings)
    rounds[number - 1] = rounds[number - 1]._replace(meetings=meetings)
    return facts._replace(rounds=tuple(rounds))


def tables(found: Drafted) -> list[tuple[int, ...]]:
    return [one.numbers for one in found.pairings]


def ranks(facts: Facts) -> dict[int, int | None]:
    return {line.number: line.rank for line in FORMATS[facts.rules.format].lines(facts)}
