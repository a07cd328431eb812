"""Does every game have the same rooms, and does each room import only what it may?"""

import ast
from pathlib import Path

import pytest

from shared.desk.workshop.shape import tree
from tests.shape.house import ROOMS, SAMPLE, dotted, games, imports, shown

MAY_IMPORT = {
    "state": set(),
    "commands": set(),
    "events": {"state"},
    "setup": {"content", "events", "state", "rules"},
    "legal": {"state", "commands", "content"},
    "rules": {"events", "content", "rules", "state", "commands"},
    "view": {"state"},
    "imagine": {"state", "content"},
    "bots": {"view", "content", "commands"},
    "report": {"state", "content", "events"},
    "content": {"content"},
    "worker": {"game"},
    "example": set(),  # a remote bot: it knows the API only
}
GAMES = pytest.mark.parametrize("game", games(), ids=lambda path: path.name)


def room_of(file: Path, game: Path) -> str:
    """`rules/points.py` belongs to rules, `name_events.py` to events."""
    parts = file.relative_to(game).parts
    return parts[0] if len(parts) > 1 else file.stem.rpartition("_")[2]


@GAMES
def test_every_room_is_there(game: Path) -> None:
    wanted = [f"{room}.py" for room in ROOMS]
    wanted += ["README.md", "RULES.md", "rules/turn.py", "content/shapes.py", "content/words/en.toml", "content/words/it.toml"]
    wanted += ["board"] if (SAMPLE / "board").exists() else []
    missing = [name for name in wanted if not (game / name).exists()]
    assert not missing, f"{shown(game)} lacks {missing}: whoever knows one game finds everything in all of them"


@GAMES
def test_no_room_is_unknown(game: Path) -> None:
    known = {*MAY_IMPORT, "game", "__init__"}
    strange = [file.name for file in game.glob("*.py") if room_of(file, game) not in known and file.name != "__init__.py"]
    assert not strange, f"{strange}: put it into a room of DESIGN 4, or name it after one (name_events.py)"


@GAMES
def test_each_room_imports_only_what_it_may(game: Path) -> None:
    place = dotted(game) + "."
    for file in game.rglob("*.py"):
        room = room_of(file, game)
        if room == "game" or (file.parent == game and file.name == "__init__.py"):
            continue
        used = {
            module.removeprefix(place).split(".")[0].rpartition("_")[2] for module in imports(file) if module.startswith(place)
        }
        wrong = used - MAY_IMPORT[room] - {room}
        assert not wrong, (
            f"{shown(file)} imports {sorted(wrong)}; {room} may import {sorted(MAY_IMPORT[room]) or 'the kernel only'}"
        )


@GAMES
def test_bots_cannot_name_the_state(game: Path) -> None:
    """A bot that cannot name the state cannot peek at it."""
    names = {node.id for node in ast.walk(tree(game / "bots.py")) if isinstance(node, ast.Name)}
    assert not names & {"State", "GAME"}
    assert not any(module.endswith(".State") for module in imports(game / "bots.py"))


@GAMES
def test_games_import_the_kernel_and_nothing_else_of_shared(game: Path) -> None:
    for file in game.rglob("*.py"):
        shared = {module for module in imports(file) if module.startswith("shared.")}
        allowed = ("shared.kernel.", "shared.runtime.worker.") if file.name == "worker.py" else ("shared.kernel.",)
        wrong = {module for module in shared if not module.startswith(allowed)}
        assert not wrong, f"{shown(file)} imports {sorted(wrong)}: rules are pure, and know the kernel only"
