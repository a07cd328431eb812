"""How do teams play in a test? They enter, sit down at their boards, and somebody comes first."""

from tests.league.tournament.desk import Desk, pairing, stage

SWISS = stage("swiss", rounds=2)
ROBIN = stage()
TEAMS = {"boards": 4, "reserves": 1}


def entry(desk, name, members=4, reserves=1, **others):
    """A team of people who have accepted; its first member is the captain."""
    seated = [desk.person(f"{name}-{at}") for at in range(1, members + 1)]
    spare = [desk.person(f"{name}-r{at}") for at in range(1, reserves + 1)]
    return desk.own(seated[0], "enter", team=name.title(), members=seated, reserves=spare, **others)


def opened(*stages, teams=TEAMS, **others):
    desk = Desk(*(stages or (ROBIN,)), teams=teams, **others)
    desk.host("open", forecast_seen=True)
    return desk


def started(names=("ant", "bee"), *, members=None, **others):
    desk = opened(**others)
    for name in names:
        entry(desk, name, **(members or {}).get(name, {}))
    desk.host("close")
    desk.host("start", accept_imbalance=True)
    return desk


def meeting(desk):
    return desk.page("round/1/1")["pairings"][0]


def boards_of(desk, place="1/1/1"):
    """Accounts by board and seat, and the match."""
    return [([seat["account"] for seat in board["seats"]], board["match"]) for board in pairing(desk, place)["boards"]]


def won(desk, place, board, account, places=(1, 2)):
    """A finish record in which that account came first."""
    accounts, match = boards_of(desk, place)[board - 1]
    at = accounts.index(account)
    return desk.end(match, list(places) if at == 0 else list(places)[::-1])


def first(desk):
    """The team that sits first at board 1, and the other."""
    return [seat["account"].split("-")[0] for seat in meeting(desk)["seats"]]
