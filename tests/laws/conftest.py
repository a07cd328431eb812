"""Over which games do the laws run? All of them, or the one named by --game."""

import pytest

from tests.laws.driver import game_names, settings_of


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--game", default=None, help="run the laws of this game only")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    wanted = metafunc.config.getoption("--game", default=None)
    registered = [name for name in game_names() if wanted in {None, name}]
    loaded = [name for name in registered if _loads(name)]
    for fixture, values in (("registered", registered), ("game_name", loaded)):
        if fixture in metafunc.fixturenames:
            metafunc.parametrize(fixture, values, scope="module")
    if "setting" in metafunc.fixturenames:
        settings = [setting for name in loaded for setting in settings_of(name)]
        metafunc.parametrize("setting", settings, ids=str, scope="module")


def _loads(name: str) -> bool:
    """One broken game must not hide the others; test_every_game_loads reports it."""
    try:
        return bool(settings_of(name))
    except Exception:  # noqa: BLE001 - whatever is wrong with it
        return False
