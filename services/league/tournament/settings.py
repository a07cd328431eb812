"""What can be set in a tournament, and within which limits?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal, InvalidOperation
from typing import Any, Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from services.league.kind import Card
from services.league.refusals import Refused
from services.league.stages.rules import Card as StageCard
from services.league.stages.rules import StageRules, checked_rules
from services.league.stages.teams import MOST_MEMBERS
from services.league.tournament.times import DAY, HOUR, MINUTE, SECOND, is_clock, is_local, is_zone, length, parts
from shared.runtime.turn.clock import clock_fault

MOST_ENTRANTS = 131_072
BOARD_FORMATS = frozenset({"round_robin", "swiss", "elimination", "double_elimination", "groups"})
MEMBER_FORMATS = frozenset({"round_robin", "swiss"})


class Conditions(Struct, frozen=True, forbid_unknown_fields=True):
    """LG-225 Who may enter."""

    rating_least: str = ""
    rating_most: str = ""
    matches_least: int = 0
    members_only: bool = False


class CheckIn(Struct, frozen=True, forbid_unknown_fields=True):
    """LG-226 The window before the start, if there is one."""

    opens: str = "60 minutes"
    closes: str = "10 minutes"


class Hours(Struct, frozen=True, forbid_unknown_fields=True):
    """LG-882 When playing time runs, by the clock of the tournament's zone."""

    opens: str
    closes: str


class Playing(Struct, frozen=True, forbid_unknown_fields=True):
    """What the match service is told with every match, and what absence means."""

    options: dict[str, Any] = {}
    clock: dict[str, Any] = {}
    leaver: Literal["automaton", "defaults"] = "automaton"
    level: str = ""
    no_show_after: str = "10 minutes"
    leave_after: int = 2
    return_window: str = "2 minutes"
    absent_seats: Literal["automaton", "shrink"] = "automaton"
    no_show_limit: int = 2
    same_dice: bool = False
    talk: Literal["off", "phrases", "free"] = "off"     # PL-556


class Schedule(Struct, frozen=True, forbid_unknown_fields=True):
    """LG-871 to LG-888 When things happen by themselves."""

    opens: str = ""                             # local times
    entry_until: str = ""
    starts: str = ""
    ends: str = ""                              # of an arena
    every: str = ""                             # a span: rounds are repeated from `starts` on
    round_break: str = "5 minutes"
    cut_off: str = ""                           # this long before a round is due; empty: when it is paired
    round_deadline: str = ""
    match_deadline: str = ""
    at_deadline: Literal["late_forfeits", "double_forfeit", "referee"] = "late_forfeits"
    drain: str = "30 minutes"
    outage: Literal["extend", "strict"] = "extend"
    check_in: CheckIn | None = None
    playing_hours: Hours | None = None
    reminders: tuple[str, ...] = ("24 hours", "1 hour")         # LG-888 before a deadline
    spectator_delay: str = ""                   # LG-810 how much later everybody else sees what happens


class Teams(Struct, frozen=True, forbid_unknown_fields=True):
    """LG-971 to LG-974 How large teams are; at tables of two they meet on so many boards, at larger ones so many of the best members count."""

    boards: int = 4
    size: int = 0                               # members in board order at most; 0: as many as boards
    reserves: int = 0

    @property
    def most(self) -> int:
        return (self.size or self.boards) + self.reserves


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """All of a tournament's settings; the table Settings and limits of the ledger has the defaults."""

    name: str
    game: str
    game_version: str
    stages: tuple[StageRules, ...]
    zone: str = "UTC"
    visibility: Literal["public", "private"] = "public"
    opponents: Literal["humans", "bots", "mixed"] = "humans"
    rated: bool = True
    bots_rank: bool = True
    most: int = MOST_ENTRANTS
    waiting_list: bool = False
    conditions: Conditions = Conditions()
    seeding: Literal["rating", "given", "random", "previous"] = "random"
    previous: dict[str, int] = {}               # LG-252: ranks by account of the standing that `previous` means
    auto_start: bool = True
    reporting: bool = False
    confirm_after: str = ""
    confirmations: int = 1
    playing: Playing = Playing()
    schedule: Schedule = Schedule()
    teams: Teams | None = None
    appointments: bool = False                  # LG-881

    @property
    def by_boards(self) -> bool:
        """LG-972 Teams meet board by board."""
        return self.teams is not None and self.stages[0].two

    @property
    def by_members(self) -> bool:
        """LG-974 Members sit apart, and their points add up."""
        return self.teams is not None and not self.stages[0].two


LIVE = {"no_show_after": (MINUTE, 7 * DAY), "return_window": (0, 7 * DAY)}
WHEN = {
    "round_break": (0, 30 * DAY), "every": (MINUTE, 366 * DAY), "cut_off": (0, 7 * DAY), "round_deadline": (MINUTE, 366 * DAY),
    "match_deadline": (MINUTE, 366 * DAY), "drain": (0, 7 * DAY), "spectator_delay": (SECOND, DAY),
}
LOCAL_TIMES = ("opens", "entry_until", "starts", "ends")
TIMES_ONLY = frozenset({"schedule", "name", "confirm_after"})        # OP-04: what may change after publication


def read(given: Mapping[str, Any], card: Card | None) -> Settings:
    """OP-03, LG-277 Settings within their limits, or every fault by name."""
    try:
        settings = msgspec.convert(given, Settings, strict=True)
    except msgspec.ValidationError as error:
        raise Refused("bad_setting", "a setting has the wrong form", [str(error)]) from error
    if card is None or settings.game_version not in card.versions:
        raise Refused("unknown_game", "no such game here, or not in this version", [settings.game, settings.game_version])
    faults = [*_faults(settings), *_stage_faults(settings, card), *_team_faults(settings)]
    if faults:
        raise Refused("bad_setting", "settings outside their limits", faults)
    if settings.teams is not None and settings.by_boards:
        return replace(settings, stages=tuple(replace(rules, boards=settings.teams.boards) for rules in settings.stages))
    return settings


def changed(known: Settings, changes: Mapping[str, Any], card: Card | None) -> Settings:
    """OP-04 The settings with some of them replaced; what is a table of settings itself is merged."""
    old = msgspec.to_builtins(known)
    merged = {name: {**old[name], **value} if isinstance(value, Mapping) and isinstance(old.get(name), dict) else value
              for name, value in changes.items()}
    return read({**old, **merged}, card)


def differences(known: Settings, new: Settings) -> frozenset[str]:
    """Which settings are not as they were."""
    return frozenset(name for name in Settings.__struct_fields__ if getattr(known, name) != getattr(new, name))


def _faults(settings: Settings) -> Iterator[str]:
    checks = {
        "name": 1 <= len(settings.name.strip()) <= 120,
        "zone": is_zone(settings.zone),
        "most": 1 <= settings.most <= MOST_ENTRANTS,
        "confirmations": settings.confirmations in {1, 2},
        "stages": 1 <= len(settings.stages) <= 16,
        "playing.clock.hours": not any(clock_fault({"hours": settings.playing.clock.get("hours")})),
        "playing.leave_after": 1 <= settings.playing.leave_after <= 10,
        "playing.no_show_limit": 0 <= settings.playing.no_show_limit <= 64,
        "conditions.rating_least": is_decimal(settings.conditions.rating_least),
        "conditions.rating_most": is_decimal(settings.conditions.rating_most),
        "conditions.matches_least": settings.conditions.matches_least >= 0,
        "seeding": settings.seeding != "previous" or bool(settings.previous),
        "confirm_after": within(settings.confirm_after, (HOUR, 7 * DAY)),
    }
    yield from (name for name, holds in checks.items() if not holds)
    yield from (f"playing.{name}" for name, limits in LIVE.items() if not within(getattr(settings.playing, name), limits))
    yield from (f"schedule.{name}" for name, limits in WHEN.items() if not within(getattr(settings.schedule, name), limits))
    times = {name: getattr(settings.schedule, name) for name in LOCAL_TIMES}
    yield from (f"schedule.{name}" for name, local in times.items() if local and not is_local(local))
    reminders = settings.schedule.reminders
    if len(reminders) > 5 or not all(one and within(one, (MINUTE, 30 * DAY)) for one in reminders):
        yield "schedule.reminders"
    check_in = settings.schedule.check_in
    if check_in is not None and not (length(check_in.opens) > length(check_in.closes) and parts(check_in.closes)):
        yield "schedule.check_in"
    if settings.appointments and not _can_be_appointed(settings):
        yield "appointments: with a deadline of rounds or matches, where rounds follow one another and nobody plays on boards"
    hours = settings.schedule.playing_hours
    if hours is not None and not (is_clock(hours.opens) and is_clock(hours.closes) and hours.opens != hours.closes):
        yield "schedule.playing_hours"


def _can_be_appointed(settings: Settings) -> bool:
    """LG-881 A start inside the round needs an end of it, and a table at which nobody has begun."""
    dated = bool(settings.schedule.round_deadline or settings.schedule.match_deadline)
    return dated and not settings.by_boards and not any(rules.any_order or rules.format in {"arena", "ladder"} for rules in settings.stages)


def _stage_faults(settings: Settings, card: Card) -> Iterator[str]:
    """LG-277 Faults of the stages, each behind the number of its stage."""
    known = StageCard(tuple(sorted(card.seats)), card.has_score)
    for number, rules in enumerate(settings.stages, start=1):
        try:
            checked_rules(rules, known)
        except Refused as refused:
            yield from (f"stages.{number}.{fault}" for fault in refused.named or [str(refused)])
        if rules.takes is not None and rules.takes.stage >= number:
            yield f"stages.{number}.takes: from a stage before it"


def _team_faults(settings: Settings) -> Iterator[str]:
    """LG-971 to LG-975 What does not go together with teams; a team has no rating to be seeded or admitted by."""
    teams = settings.teams
    if teams is None:
        yield from (f"stages.{number}.boards: only teams have boards" for number, rules in enumerate(settings.stages, start=1) if rules.boards > 1)
        return
    if not (1 <= teams.boards <= MOST_MEMBERS and 0 <= teams.size <= MOST_MEMBERS and teams.reserves >= 0 and teams.most <= MOST_MEMBERS):
        yield f"teams: 1 to {MOST_MEMBERS} members with their reserves, and as many boards at most"
    if settings.reporting:
        yield "reporting: boards are played here"
    if len({rules.two for rules in settings.stages}) > 1:
        yield "teams: all stages at tables of two, or none"
    if settings.by_boards and settings.seeding == "rating":
        yield "seeding: teams have no rating"
    for number, rules in enumerate(settings.stages, start=1):
        yield from (f"stages.{number}.{fault}" for fault in _team_stage_faults(rules, by_boards=settings.by_boards, boards=teams.boards))


def _team_stage_faults(rules: StageRules, *, by_boards: bool, boards: int) -> Iterator[str]:
    if rules.format not in (BOARD_FORMATS if by_boards else MEMBER_FORMATS):
        yield "format: not one for teams"
    if rules.boards not in ({1, boards} if by_boards else {1}):
        yield "boards: those of the teams"
    if rules.best_of > 1 or rules.any_order or (by_boards and rules.model != "places"):
        yield "best_of, any_order, model: not with teams"


def within(span: str, limits: tuple[int, int]) -> bool:
    """Whether a span is one, and as long as it may be; an empty one means that there is none."""
    return not span or (parts(span) is not None and limits[0] <= length(span) <= limits[1])


def is_decimal(text: str) -> bool:
    """Whether this is a number, or nothing."""
    try:
        return not text or Decimal(text).is_finite()
    except InvalidOperation:
        return False
