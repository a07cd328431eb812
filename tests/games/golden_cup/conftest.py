"""What does every test of Golden Cup leave behind? No card that is printed otherwise."""

from collections.abc import Iterator

import pytest

from tests.games.golden_cup.tables import forget


@pytest.fixture(autouse=True)
def _the_cards_of_the_house() -> Iterator[None]:
    yield
    forget()
