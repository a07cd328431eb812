"""Is everybody told once of what concerns them, and reminded of a deadline as long as it matters?"""

import pytest

from services.league.kind import Actor
from services.league.tournament import TOURNAMENT
from services.league.tournament.telling.notices import next_reminder, reminders
from services.league.tournament.times import HOUR, MINUTE
from tests.league.tournament.desk import THREE, Desk, refused, running, settings, stage, through
from tests.league.tournament.teams.table import started
from tests.ledger import rule

REASON = "a reason that is long enough"


def told(desk, since=0):
    """What accounts were told by the events after this one: (account, kind, pairing, match), and the event's number."""
    state, found = None, []
    for number, event in enumerate(desk.events, start=1):
        state = TOURNAMENT.fold(state, event)
        if number > since:
            found += [(number, notice) for notice in TOURNAMENT.notices(state, event)]
    return found


def kinds(desk, account, since=0):
    return [notice.kind for _, notice in told(desk, since) if notice.account == account]


def open_match(desk, account):
    return next((where, match) for where, numbers, match in desk.open() if account in {_account(desk, number) for number in numbers})


def _account(desk, number):
    return desk.state.entrants[0].items[desk.stage().field[number - 1]].account


@rule("LG-1016", "LG-168", "PL-576")
def test_a_player_is_told_of_pairing_start_and_result_with_the_match_that_counts():
    desk = running(stage(), 4)
    where, match = open_match(desk, "acc-001")
    desk.league("started", match=match)
    desk.end(match, [1, 2])
    mine = [(notice.kind, notice.pairing, notice.match) for _, notice in told(desk) if notice.account == "acc-001"]
    assert mine == [(kind, where, match) for kind in ("pairing_published", "match_started", "result_recorded")]
    desk.end(match, [1, 2])                             # a record that comes again tells nobody anything
    assert len(kinds(desk, "acc-001")) == 3
    causes = [(number, notice.account) for number, notice in told(desk)]
    assert len(causes) == len(set(causes))              # one for each account and event


@rule("LG-1016", "LG-297", "LG-168")
def test_the_next_match_of_a_pairing_is_told_too_and_is_the_one_that_counts():
    desk = running(stage("elimination", best_of=3), 2)
    _, first = open_match(desk, "acc-001")
    before = len(desk.events)
    desk.end(first, [1, 2])
    _, second = open_match(desk, "acc-001")
    news = [(notice.kind, notice.match) for _, notice in told(desk, before) if notice.account == "acc-001"]
    assert news == [("result_recorded", first), ("pairing_published", second)]
    assert second != first


@rule("LG-1016")
def test_who_has_a_bye_is_told_so():
    desk = running(stage("swiss", rounds=2), 3)
    byes = [notice for _, notice in told(desk) if notice.facts.get("bye")]
    assert [(notice.kind, notice.facts["bye"], notice.facts["round"]) for notice in byes] == [("pairing_published", "allocated", 1)]


@rule("LG-1016", "LG-917")
def test_a_correction_is_told_to_everybody_whose_table_is_another_one():
    desk = running(stage("elimination"), 4)
    for _, _, match in desk.open():
        desk.end(match, [1, 2])
    while len(desk.stage().rounds) < 2:
        desk.until_due()
    before = len(desk.events)
    desk.referee("correct", expected_version=desk.state.version, reason=REASON,
                 correction={"pairing": "1/1/1", "places": {_account(desk, desk.stage().rounds[0].pairings[0].items[0].numbers[1]): 1,
                                                            _account(desk, desk.stage().rounds[0].pairings[0].items[0].numbers[0]): 2}})
    corrected = {notice.account for _, notice in told(desk, before) if notice.kind == "correction"}
    pairing = desk.stage().rounds[0].pairings[0].items[0]
    finalists = {_account(desk, number) for one in desk.stage().rounds[1].pairings[0].items for number in one.numbers}
    assert corrected == {_account(desk, number) for number in pairing.numbers} | finalists


@rule("LG-1016", "LG-226")
def test_a_withdrawal_by_rule_is_told_one_by_wish_is_not():
    desk = Desk(stage(), schedule={"starts": "1970-01-02T00:00", "check_in": {"opens": "60 minutes", "closes": "10 minutes"}})
    desk.host("open", forecast_seen=True)
    for number in range(1, 7):
        desk.own(desk.person(f"acc-{number}"), "enter")
    desk.own("acc-6", "withdraw")
    desk.at = 24 * HOUR - 30 * MINUTE
    for number in range(1, 5):
        desk.own(f"acc-{number}", "check_in")
    desk.at = 24 * HOUR
    desk.advance()
    gone = [notice.account for _, notice in told(desk) if notice.kind == "withdrawn"]
    assert gone == ["acc-5"]


@rule("LG-1016")
def test_bots_are_told_nothing():
    desk = running(stage(), 4)
    bots = Desk(stage())
    bots.field(4, kind="bot", owner="acc-host")
    bots.host("start", accept_imbalance=True)
    through(bots)
    assert told(desk)
    assert told(bots) == []


# Deadlines -------------------------------------------------------------------------------------------------------------------


def with_deadline(span="48 hours", count=4, **schedule):
    return running(stage("round_robin"), count, schedule={"round_deadline": span, **schedule})


def reminded(desk):
    return {(notice.account, notice.cause) for notice in reminders(desk.state, desk.at)}


@rule("LG-888")
def test_reminders_come_24_hours_and_1_hour_before_once_each():
    desk = with_deadline()
    until = desk.stage().rounds[0].deadline
    first = next_reminder(desk.state, desk.at)
    assert first == until - 24 * HOUR
    desk.at = first - 1
    assert reminded(desk) == set()
    desk.at = first
    day = reminded(desk)
    assert {account for account, _ in day} == {f"acc-{number:03d}" for number in range(1, 5)}
    desk.at += 5 * HOUR
    assert reminded(desk) == day                        # the same causes: nobody is told twice
    assert next_reminder(desk.state, desk.at) == until - HOUR
    desk.at = until - HOUR
    hour = reminded(desk)
    assert len(hour) == 4
    assert not day & hour
    desk.at = until
    assert reminded(desk) == set()
    assert next_reminder(desk.state, desk.at) is None


@rule("LG-888")
def test_nobody_is_reminded_whose_match_is_over():
    desk = with_deadline()
    where, _, match = desk.open()[0]
    desk.end(match, [1, 2])
    desk.at = desk.stage().rounds[0].deadline - HOUR
    assert {notice.pairing for notice in reminders(desk.state, desk.at)} == {place for place, _, _ in desk.open()} - {where}


@rule("LG-888")
def test_a_time_that_lay_before_the_pairing_reminds_nobody():
    desk = with_deadline("10 hours")
    assert reminded(desk) == set()
    assert next_reminder(desk.state, desk.at) == desk.stage().rounds[0].deadline - HOUR


@rule("LG-888", "LG-880")
def test_a_deadline_that_was_moved_is_another_one():
    desk = with_deadline()
    until = desk.stage().rounds[0].deadline
    place = desk.open()[0][0]
    desk.at = until - HOUR
    early = reminded(desk)
    desk.host("extend", pairing=place, until=until + 10 * HOUR, reason=REASON)
    rest = {notice.pairing for notice in reminders(desk.state, desk.at)}
    desk.at = until + 9 * HOUR
    late = [notice for notice in reminders(desk.state, desk.at) if notice.pairing == place]
    assert place in {notice.pairing for notice in late}
    assert not {(notice.account, notice.cause) for notice in late} & early
    assert rest


@rule("LG-888", "LG-179")
def test_a_paused_tournament_reminds_nobody_until_it_goes_on():
    desk = with_deadline()
    until = desk.stage().rounds[0].deadline
    desk.host("pause")
    desk.at = until - HOUR
    assert reminded(desk) == set()
    desk.host("resume")
    assert next_reminder(desk.state, desk.at) > until - HOUR


@rule("LG-888", "LG-277")
def test_the_times_can_be_set_within_limits():
    desk = with_deadline(reminders=["2 hours"])
    assert next_reminder(desk.state, desk.at) == desk.stage().rounds[0].deadline - 2 * HOUR
    assert next_reminder(with_deadline(reminders=[]).state, 0) is None
    for wrong in (["soon"], ["31 days"], ["1 hour"] * 6, [""]):
        with refused("bad_setting"):
            Desk().act(Actor("acc-host", frozenset({"owner"})), "create", tournament="t-1", organisation="o-1",
                       settings=settings(stage(), schedule={"reminders": wrong}))


# Seats -----------------------------------------------------------------------------------------------------------------------


def seats_from_events(desk):
    """The rows as they are written, event by event."""
    state, rows = None, {}
    for event in desk.events:
        state = TOURNAMENT.fold(state, event)
        seating = TOURNAMENT.seating(state, [event])
        rows = {key: row for key, row in rows.items() if key[0] not in seating.tables and key[0].rpartition("/")[0] not in seating.rounds}
        rows |= {(row.pairing, row.account): row for row in seating.rows}
    return rows


def seats_of_pages(desk):
    """The same out of the pages."""
    found = {}
    for page in TOURNAMENT.pages(desk.state, 0, desk._scene(Actor())):
        for one in page.body.get("pairings", ()) if page.name.startswith("round/") else ():
            for seat in one["seats"]:
                found[one["pairing"], seat["account"]] = (one["state"], one["match"], seat["place"], seat["points"] or "")
    return found


def substituted(desk):
    desk.person("acc-new")
    desk.referee("substitute", account="acc-001", by="acc-new", reason=REASON)


def corrected(desk):
    through(desk)
    pairing = desk.stage().rounds[0].pairings[0].items[0]
    desk.referee("correct", expected_version=desk.state.version, reason=REASON,
                 correction={"pairing": "1/1/1", "places": {_account(desk, number): place for number, place in zip(pairing.numbers, (2, 1), strict=True)}})


def ruled(desk):
    places = [place for place, _, _ in desk.open()]
    desk.referee("forfeit", pairing=places[0], accounts=[_account(desk, desk.open()[0][1][0])], reason=REASON)
    desk.referee("void", pairing=places[1], reason=REASON)


@rule("LG-1005")
@pytest.mark.parametrize("what", [through, substituted, corrected, ruled, lambda desk: desk.act(Actor("acc-o", frozenset({"owner"})), "cancel", reason=REASON)])
def test_the_rows_of_seats_follow_the_pages_event_by_event(what):
    desk = running(stage("swiss", rounds=4), 6)
    what(desk)
    rows = {key: (row.state, row.match, row.place, row.points) for key, row in seats_from_events(desk).items()}
    assert rows == seats_of_pages(desk)


@rule("LG-1005")
def test_the_rows_of_tables_of_three_have_everybody():
    desk = running(stage("round_robin", THREE), 6)
    desk.play()
    rows = seats_from_events(desk)
    assert {row.seats for row in rows.values()} == {3}
    assert {key: (row.state, row.match, row.place, row.points) for key, row in rows.items()} == seats_of_pages(desk)


@rule("LG-1016", "LG-168", "LG-972", "LG-1005")
def test_at_boards_each_player_is_told_of_the_own_match():
    desk = started()
    boards = desk.stage().rounds[0].pairings[0].items[0].boards
    match_of = {account: board.match for board in boards for account in board.accounts}
    published = {notice.account: notice.match for _, notice in told(desk) if notice.kind == "pairing_published"}
    assert published == match_of
    before, board = len(desk.events), boards[1]
    desk.league("started", match=board.match)
    desk.end(board.match, [1, 2])
    assert [(notice.kind, notice.account) for _, notice in told(desk, before)] == [
        (kind, account) for kind in ("match_started", "result_recorded") for account in board.accounts]
    rows = seats_from_events(desk)
    assert {account: row.match for (_, account), row in rows.items()} == match_of
    assert {row.account: row.place for row in rows.values() if row.state == "confirmed"} == dict(zip(board.accounts, (1, 2), strict=True))
