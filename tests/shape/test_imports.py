"""Who may know whom? Services know nothing of each other, the kernel nothing of anybody, and the platform no game."""

import re
import sys
import tomllib
from pathlib import Path

import pytest

from shared.desk.workshop.shape import ROOT
from tests.shape.house import SAMPLE, files, games, imports, services, shown

SHARED = ROOT / "shared"
UNSTEADY = {"random", "time", "os", "secrets", "socket", "subprocess", "datetime", "uuid", "threading", "asyncio"}
PLATFORM = [SHARED, ROOT / "services" / "gateway", ROOT / "services" / "league", ROOT / "deploy"]
CODE = {".py", ".sql", ".js", ".html", ".css", ".sh", ".yml", ".yaml", ".toml"}


@pytest.mark.parametrize("service", services(), ids=lambda path: path.name)
def test_services_do_not_import_each_other(service: Path) -> None:
    """Separate processes, separate queues, no imports: that is what being a service means here."""
    others = {f"services.{other.name}" for other in services() if other != service}
    for file in service.rglob("*.py"):
        wrong = [
            module for module in imports(file) if module.startswith(tuple(f"{other}." for other in others)) or module in others
        ]
        assert not wrong, f"{shown(file)} imports {wrong}; what two services share belongs into shared/ or into the database"


def test_the_kernel_is_pure() -> None:
    for file in (SHARED / "kernel").glob("*.py"):
        for module in imports(file):
            top = module.split(".")[0]
            steady = (
                module.startswith("shared.kernel.")
                or top == "msgspec"
                or (top in sys.stdlib_module_names and top not in UNSTEADY)
            )
            assert steady, f"{shown(file)} imports {module}; effects live in shared/runtime"


def test_the_runtime_knows_the_kernel_and_no_service() -> None:
    for file in (SHARED / "runtime").rglob("*.py"):
        wrong = [module for module in imports(file) if module.startswith(("services.", "shared.desk", "tests."))]
        assert not wrong, f"{shown(file)} imports {wrong}; games come by entry point, see shared/runtime/registry.py"


def test_the_rules_use_no_unsteady_module() -> None:
    for game in games():
        for file in game.rglob("*.py"):
            wrong = {module.split(".")[0] for module in imports(file)} & UNSTEADY
            assert not wrong, (
                f"{shown(file)} imports {sorted(wrong)}; chance comes from the dice, time from the clock of the match"
            )


def test_no_game_is_named_outside_its_folder() -> None:
    """A new game needs no change of the platform; pyproject.toml and docker-compose.yml list the games, nothing else does."""
    table = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["entry-points"]["cupboard.games"]
    names = sorted({*table, *(game.name for game in games() if game != SAMPLE)})
    named = re.compile(rf"\b({'|'.join(names)})\b")
    platform = [file for file in files() if file.suffix in CODE and any(part in file.parents for part in PLATFORM)]
    found = [
        f"{shown(file)}:{number} {word[0]}"
        for file in platform
        for number, line in enumerate(file.read_text("utf-8").splitlines(), 1)
        if (word := named.search(line))
    ]
    assert not found, f"ask the game itself, by its Game value: {found}"
