"""Which final ranks can everybody still reach in a championship?"""

from __future__ import annotations

from fractions import Fraction

from services.league.championship.state import Championship, announced, counted
from services.league.counting import championship as counting
from services.league.counting.possible import Interval, from_reach

SECOND = "~"                                    # stands for everybody behind a winner who is not known yet


def intervals(state: Championship) -> dict[str, Interval]:
    """LG-826 From the points still to be won, drops included; nothing is said while a win's worth is not known."""
    if state.settings.method == counting.BEATEN or not state.cups:
        return {}
    over = [one for one in counted(state) if one.finished]
    accounts = sorted({account for one in over for account in (*one.places, *one.barred)})
    least = {at: _net(state, account, won=False) for at, account in enumerate(accounts)}
    most = {at: _net(state, account, won=True) for at, account in enumerate(accounts)}
    found = from_reach(least, most)
    return {account: found[at] for at, account in enumerate(accounts)}


def _net(state: Championship, account: str, *, won: bool) -> Fraction:
    """The net total if this account wins, or misses, everything that is outstanding."""
    settings = announced(state)
    tournaments = list(counted(state))
    tournaments += [counting.Tournament(f"{SECOND}{at}", f"{SECOND}{at}", {}, finished=False) for at in range(settings.announced - len(tournaments))]
    ended = [one if one.finished else one._replace(finished=True, places=_places(account, settings) if won else {}) for one in tournaments]
    return counting.net(counting.results(account, ended, settings))


def _places(account: str, settings: counting.Settings) -> dict[str, int]:
    behind = range(2, max(2, settings.least_field) + 1)
    return {account: 1, **{f"{SECOND}{place}": place for place in behind}}
