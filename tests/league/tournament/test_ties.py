"""How does a tournament tell of what an entrant's tie-breaks are made?"""

from fractions import Fraction

from services.league.kind import Actor
from tests.league.tournament.desk import MINUTE, THREE, Desk, account_at, refused, running, stage, through
from tests.league.tournament.teams.table import boards_of, first, started, won
from tests.ledger import rule

SWISS = stage("swiss", rounds=3, ties=("DE", "BH-C1", "BH", "WON", "LOT"))


def asked(desk, account, **more):
    desk.own(account, "ties", stage=1, account=account, **more)
    return desk.answer


def kept(tie):
    return sum((Fraction(one["contribution"]) for one in tie["rounds"] if not one["left_out"]), Fraction(0))


@rule("LG-771", "LG-726")
def test_every_value_of_the_standing_can_be_asked_for_round_by_round():
    desk = running(SWISS, 7)
    through(desk)
    through(desk)
    standing = desk.page("standing/1")
    for line in standing["lines"]:
        told = asked(desk, line["account"])
        assert (told["rank"], told["points"], told["tie_version"], told["version"]) == (line["rank"], line["points"], "virtual-2", standing["version"])
        assert [{name: one[name] for name in ("code", "value", "shown")} for one in told["ties"] if one["used"]] == line["ties"]
        assert [one["code"] for one in told["ties"]] == standing["codes"]
        assert all(kept(one) == Fraction(one["value"]) for one in told["ties"] if one["code"] in {"BH-C1", "BH", "WON"})
        buchholz = next(one for one in told["ties"] if one["code"] == "BH")["rounds"]
        for one, number in zip(buchholz, (1, 2, 3), strict=True):
            page = desk.page(f"round/1/{number}")
            seats = [[seat["account"] for seat in pairing["seats"]] for pairing in page["pairings"]]
            met = [{"account": other} for table in seats if line["account"] in table for other in table if other != line["account"]]
            assert [{"account": other["account"]} for other in one["opponents"]] == met
        assert {one["kind"] for one in buchholz[2:]} <= {"open", "allocated"}


@rule("LG-771", "LG-804")
def test_it_can_be_asked_as_it_was():
    desk = running(SWISS, 6)
    through(desk)
    account, version = account_at(desk, 1), desk.state.version
    before = asked(desk, account)
    through(desk)
    assert asked(desk, account) != before
    assert asked(desk, account, as_of=version) == before
    for wrong in (0, -1, desk.state.version + 1):
        with refused("malformed"):
            asked(desk, account, as_of=wrong)
    for unknown, number in (("acc-none", 1), (account, 2), (account, 0)):
        with refused("not_found"):
            desk.own(account, "ties", stage=number, account=unknown)


@rule("LG-771", "LG-806")
def test_what_was_frozen_is_told_as_it_was_frozen():
    """Whoever leaves the stage behind it has been there all the same."""
    desk = Desk(stage("round_robin", ties=("SB", "DE")), stage("elimination", takes={"count": 4}))
    desk.field(5)
    desk.host("start")
    while desk.stage().state != "finished":
        for _, _, match in desk.open():
            desk.end(match, [1, 2])
        desk.until_due()
    before = {account_at(desk, number): asked(desk, account_at(desk, number))["ties"] for number in range(1, 6)}
    while desk.stage(2).state == "planned":
        desk.until_due()
    desk.own(account_at(desk, 1), "withdraw")
    for account, ties in before.items():
        told = asked(desk, account)
        assert (told["ties"], told["frozen"]) == (ties, True)


@rule("LG-771", "LG-810")
def test_onlookers_are_told_as_little_as_by_the_standing():
    desk = running(SWISS, 6, schedule={"spectator_delay": "15 minutes"})
    account, start = account_at(desk, 1), desk.state.version
    desk.at += MINUTE
    through(desk)
    with refused("not_found"):
        asked(desk, account)
    with refused("malformed"):
        asked(desk, account, as_of=desk.state.version)
    desk.act(Actor("acc-host", frozenset({"owner"})), "ties", stage=1, account=account, as_of=desk.state.version)
    assert desk.answer["played"] == 1
    desk.at += 16 * MINUTE
    assert asked(desk, account)["played"] == 1
    assert asked(desk, account, as_of=start)["played"] == 0


@rule("LG-771", "LG-971")
def test_a_team_is_told_by_its_name():
    desk = started()
    one, other = first(desk)
    for board in range(1, len(boards_of(desk)) + 1):
        won(desk, "1/1/1", board, f"{one}-{board}")
    told = asked(desk, f"{one}-1")
    assert told["team"] == next(line["team"] for line in desk.page("standing/1")["lines"] if line["account"] == f"{one}-1")
    opponents = [met for tie in told["ties"] for share in tie["rounds"] for met in share["opponents"]]
    assert {met["account"] for met in opponents} == {f"{other}-1"}
    assert all(met["team"] for met in opponents)
    with refused("not_found"):
        asked(desk, f"{one}-2")


@rule("LG-744", "LG-771")
def test_at_a_larger_table_all_opponents_are_named():
    desk = running(stage("swiss", THREE, rounds=2, ties=("BH", "AOB")), 9)
    through(desk)
    told = asked(desk, account_at(desk, 1))
    assert [len(one["opponents"]) for one in told["ties"][0]["rounds"] if one["kind"] == "played"] == [2]
    assert [len(one["opponents"]) for one in told["ties"][1]["rounds"] if one["kind"] == "played"] == [1, 1]
