"""What do tests of webhooks stand on? The hall of the league with duels, hooks in it, a receiver on this machine and a relay."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest

from services.relay import line
from services.relay.calling import call
from services.relay.line import Delivery
from shared.runtime.outward import seal
from shared.runtime.settings import Settings
from shared.runtime.store import Database
from tests.league.hooks.receiver import Receiver
from tests.league.inbox.conftest import ORG, Hall, hall, kinds, office  # noqa: F401  fixtures

SECRET = bytes(range(64, 96))
AT_ONCE = (0.0,) * 9


class Post:
    """The relay by hand: one attempt after the other, in this thread, without waiting for anything."""

    def __init__(self, house: Hall, settings: Settings) -> None:
        self.hall, self.settings = house, settings
        self.database = Database(settings.database_of("relay"), settings, "relay", size=2)

    def hook(self, receiver: Receiver, types: Sequence[str] = (), name: str = "w-1", path: str = "/hook") -> str:
        self.hall.do("INSERT INTO hooks (hook_id, organisation_id, address, types, secret, created_by) VALUES (%s, %s, %s, %s, %s, 'host')",
                     name, ORG, receiver.url + path, list(types), seal(self.settings, name, SECRET))
        return name

    def take(self, most: int = 10) -> list[Delivery]:
        return line.take(self.database, most)

    def send(self, one: Delivery) -> Any:
        return call(one.row["address"], one.row["body"].encode(), line.headers(self.settings, one.row), self.settings)

    def round(self, pauses: Sequence[float] = AT_ONCE) -> int:
        """Everything that is due now, once."""
        taken = self.take()
        for one in taken:
            assert line.mark(self.database, self.settings, one, self.send(one), pauses)
        return len(taken)

    def all(self, pauses: Sequence[float] = AT_ONCE) -> None:
        for _ in range(200):
            if not self.round(pauses):
                return
        raise AssertionError("it does not come to rest")

    def row(self, hook: str = "w-1") -> dict[str, Any]:
        return self.hall.one("SELECT * FROM hooks WHERE hook_id = %s", hook)

    def deliveries(self, hook: str = "w-1") -> list[dict[str, Any]]:
        return self.hall.all("SELECT * FROM hook_deliveries WHERE hook_id = %s ORDER BY competition_id, number", hook)


@pytest.fixture
def settings(settings: Settings) -> Settings:
    """An installation that may send to this machine."""
    return replace(settings, webhook_local=True)


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    receiver = Receiver()
    yield receiver
    receiver.close()


@pytest.fixture
def post(hall: Hall, settings: Settings) -> Iterator[Post]:  # noqa: F811  the fixture
    post = Post(hall, settings)
    yield post
    post.database.close()
