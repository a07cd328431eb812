"""Which final ranks can everybody still reach in a championship?"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

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
    ranked = {at for at, account in enumerate(accounts) if counting.is_ranked(counting.results(account, over, announced(state)), announced(state))}
    found = from_reach(least, most, ranked)         # LG-610: who has too few results may have no rank in the end
    return {account: found[at] for at, account in enumerate(accounts)}


def _net(state: Championship, account: str, *, won: bool) -> Fraction:
    """The net total if this account wins everything that is outstanding, or is disqualified in it, which no drop makes good (LG-608).

    Where the lowest are dropped and then the best of each game kept, a better result may cost points: then the bounds are those without drops, less
    as many of the largest as are dropped.
    """
    settings = announced(state)
    tournaments = list(counted(state))
    tournaments += [counting.Tournament(f"{SECOND}{at}", f"{SECOND}{at}", {}, finished=False) for at in range(settings.announced - len(tournaments))]
    end: dict[str, Any] = {"places": _places(account, settings)} if won else {"places": {}, "barred": frozenset({account})}
    ended = [one if one.finished else one._replace(finished=True, **end) for one in tournaments]
    if settings.best_per_game is None:
        return counting.net(counting.results(account, ended, settings))
    kept = sorted(one.points for one in counting.results(account, ended, settings._replace(drop=0)) if one.kept)
    return sum(kept if won else kept[:max(0, len(kept) - settings.drop)], Fraction(0))


def _places(account: str, settings: counting.Settings) -> dict[str, int]:
    behind = range(2, max(2, settings.least_field) + 1)
    return {account: 1, **{f"{SECOND}{place}": place for place in behind}}
