"""Does the table know who plays at it, on its whole way from the seats to the rules? CH-447."""

from __future__ import annotations

from services.champions.game import GAME
from shared.desk.replay import stored_difference
from shared.runtime.settings import Settings
from shared.runtime.store import Database
from shared.runtime.worker import Worker
from tests.hall import Hall
from tests.ledger import rule


@rule("CH-447", "PL-413")
def test_nobody_names_a_champion_after_somebody_at_the_table(settings: Settings) -> None:
    hall, worker = Hall(settings, GAME), Worker(GAME, settings)
    match = hall.match(4, bots={2: "crowd", 3: "random"}, start=False)
    hall.connection.execute("UPDATE accounts SET name = 'Zenobia' WHERE account_id = (SELECT account_id FROM seats WHERE match_id = %s AND seat = 1)", (match,))
    hall.own(match, "start")
    worker.look()
    names = hall.one("SELECT options FROM matches WHERE match_id = %s", match)["options"]["players"]
    assert (len(names), names[1]) == (2, "Zenobia")
    ask = next(ask for ask in hall.asks(match) if ask["seat"] == 0)
    for name, code in (("zenobia", "text_refused"), ("Hercules", None)):
        hall.post(match, 0, ask["ask"], {"do": "write_name", "tile": 1, "name": name})
        worker.look()
        row = hall.one("SELECT outcome, code FROM inbox WHERE match_id = %s AND seat = 0 ORDER BY arrival DESC LIMIT 1", match)
        assert row["code"] == code
    database = Database(settings.database_url, settings, "test", size=1)
    assert stored_difference(database, settings, GAME, match) == ""
    for one in (database, worker.database):
        one.close()
    hall.close()
