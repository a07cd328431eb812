"""Whatever is asked in a tournament of teams, in any order: does it stay whole, and does it come to its end?"""

import random

import msgspec
import pytest

from services.league.refusals import Refused
from tests.league.tournament.desk import stage
from tests.league.tournament.teams.table import entry, opened
from tests.ledger import rule

FORMATS = (stage("swiss", rounds=3, dead_end="finish"), stage(), stage("elimination", third_place=True), stage("double_elimination"),
           stage("groups", groups={"count": 2}))
NAMES = tuple(f"team{at}" for at in range(6))
WHY = "a good enough reason"


def boards_open(desk):
    return [(f"{one.number}/{made.number}/{pairing.table}", board) for one in desk.state.stages for made in one.rounds for chunk in made.pairings
            for pairing in chunk.items for board in pairing.boards if board.match in pairing.under_way]


def decided(desk):
    return [(f"1/{made.number}/{pairing.table}", board) for made in desk.stage().rounds for chunk in made.pairings for pairing in chunk.items
            if pairing.state == "confirmed" for board in pairing.boards if all(board.accounts)]


def leave(desk, dice, _where, _board):
    desk.own(f"{dice.choice(NAMES)}-1", dice.choice(["withdraw", "return"]))


def bar(desk, dice, _where, _board):
    desk.referee("disqualify", account=f"{dice.choice(NAMES)}-1", reason=WHY, annul=dice.choice(["keep", "void", "win"]))


def line_up(desk, dice, _where, _board):
    name = dice.choice(NAMES)
    desk.own(f"{name}-1", "line_up", round=len(desk.stage().rounds) + 1, accounts=[f"{name}-{at}" for at in dice.sample(range(1, 4), 2)])


def rule_on(desk, dice, where, board):
    kind, more = dice.choice([("forfeit", {"accounts": [dice.choice(board.accounts)]}), ("replay", {}),
                              ("result", {"places": dict(zip(board.accounts, (1, 2), strict=True))})])
    desk.referee(kind, pairing=where, board=board.board, reason=WHY, **more)


def absent(desk, dice, _where, board):
    desk.league("record", match=board.match, ended=dice.choice(["aborted", "voided"]), seats=[{"seat": 0, "place": 2, "how": "no_show"}, {"seat": 1, "place": 1}])


def correct(desk, dice, _where, _board):
    for where, board in decided(desk)[-1:]:
        change = dice.choice([{"places": dict(zip(board.accounts, (1, 2), strict=True))}, {"replay": True}, {"forfeit": [board.accounts[0]]}])
        desk.referee("correct", correction={"pairing": where, "board": board.board, **change}, reason=WHY, void_later=True, expected_version=desk.state.version)
        if dice.random() < 0.5:
            desk.referee("undo", correction_id=desk.state.corrections[-1].id, reason=WHY, void_later=True, expected_version=desk.state.version)


def play(desk, dice, _where, board):
    desk.league("started", match=board.match)
    desk.end(board.match, dice.choice([[1, 2], [2, 1], [1, 1]]))


DEEDS = (leave, bar, line_up, rule_on, absent, correct, *(play,) * 40)


def void_all(desk):
    """What waits for a referee."""
    for one in desk.state.stages:
        for made in one.rounds:
            for chunk in made.pairings:
                for pairing in chunk.items:
                    if pairing.state not in {"confirmed", "walkover", "void"}:
                        desk.referee("void", pairing=f"{one.number}/{made.number}/{pairing.table}", reason=WHY)


def one_thing(desk, dice):
    found = boards_open(desk)
    if not found:
        if desk.until_due() is None:
            void_all(desk)
        return
    try:
        dice.choice(DEEDS)(desk, dice, *dice.choice(found))
    except Refused as refused:
        if refused.code == "malformed":
            raise


@rule("LG-131", "LG-971", "LG-972", "LG-973", "LG-1011")
@pytest.mark.parametrize("seed", range(30))
def test_whatever_is_asked(seed):
    dice = random.Random(seed)
    desk = opened(FORMATS[seed % len(FORMATS)], teams={"boards": dice.randint(1, 4), "size": 5, "reserves": 1})
    for name in NAMES:
        entry(desk, name, members=dice.randint(1, 5), reserves=dice.randint(0, 1))
    desk.host("close")
    desk.host("start", accept_imbalance=True)
    for _ in range(600):
        if desk.state.life != "running":
            break
        one_thing(desk, dice)
    assert desk.state.life == "finished"
    assert desk.page("standing/1")["lines"]
    assert len({order.pairing for order in desk.orders}) == len({order.match for order in desk.orders}) == len(desk.orders)
    assert msgspec.json.encode(desk.past(desk.state.version)) == msgspec.json.encode(desk.state)
    ended = {game.match for made in desk.stage().rounds for chunk in made.pairings for one in chunk.items for game in one.games if game.match}
    assert ended <= {order.match for order in desk.orders}
