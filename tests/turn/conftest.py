"""What do the tests of the turn pipeline stand on? A hall, a worker and a watch of the sample game; afterwards the rows must be sound."""

from collections.abc import Iterator

import pytest
import structlog

from shared.runtime.settings import Settings
from shared.runtime.watch import Watch
from shared.runtime.worker import Worker
from tests.hall import Hall
from tests.invariants import assert_sound
from tests.laws.pebbles.game import GAME


@pytest.fixture(scope="session", autouse=True)
def plain_tracebacks() -> Iterator[None]:
    """The coloured ones with every local variable take longer than a transaction may stand idle."""
    structlog.configure(processors=[structlog.processors.add_log_level, structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)])
    yield
    structlog.reset_defaults()


@pytest.fixture
def hall(settings: Settings) -> Iterator[Hall]:
    """PL-785 Whatever a test did through the pipeline, the checker has nothing to say of it."""
    hall = Hall(settings, GAME)
    yield hall
    hall.close()
    assert_sound(settings, [GAME], drained=False)


@pytest.fixture
def worker(settings: Settings) -> Iterator[Worker]:
    worker = Worker(GAME, settings)
    yield worker
    worker.database.close()


@pytest.fixture
def watch(settings: Settings) -> Iterator[Watch]:
    watch = Watch(GAME, settings)
    yield watch
    watch.database.close()
