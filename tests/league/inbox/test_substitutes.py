"""Whom does a result count for where a substitute has played to the end (PL-546)?"""

import json

from services.league.inbox.office import Office
from tests.league.inbox.conftest import Hall, settle
from tests.ledger import rule


@rule("PL-546", "LG-203")
def test_a_substitutes_win_counts_for_the_entrant(hall: Hall, office: Office):
    competition = hall.made(office)
    first, _ = sorted(hall.field(competition, office, 2))
    (match,) = hall.open_matches(competition)
    stranger = hall.account("stranger")
    hall.finish(match, tell=False)
    hall.do("UPDATE result_seats SET account_id = %s, substitute_of = %s, counts_for = %s WHERE match_id = %s AND account_id = %s",
            stranger, first, first, match, first)
    hall.tell(match, 9, "match.finished")
    settle(office)
    (recorded,) = hall.all("SELECT body FROM competition_events WHERE competition_id = %s AND kind = 'recorded'", competition)
    assert json.loads(recorded["body"])["winner"] == first
