"""Is nothing lost while processes die? `cupboard chaos --seed S --seconds N`: a stack of its own on loopback, clients, faults, the checker."""

import argparse
import importlib
import importlib.util
import json
import secrets
import shutil
import sys
import tempfile
from pathlib import Path

MACHINERY = "tests.chaos.run"       # faults belong to the tests, which a checkout has and an installed package has not


def main(argv: list[str]) -> int:
    """Ends with 1 when something was lost, done twice, or otherwise wrong."""
    parser = argparse.ArgumentParser(prog="cupboard chaos", description="Kills processes of a stack of its own, and checks that nothing is lost.")
    parser.add_argument("--seed", type=int, default=secrets.randbelow(10**6), help="repeats the faults of an earlier run")
    parser.add_argument("--seconds", type=float, default=15.0, help="how long faults happen, 5 to 3600")
    parser.add_argument("--players", type=int, default=4, help="clients that play meanwhile, 1 to 16")
    parser.add_argument("--json", action="store_true", help="tell only the result, as JSON")
    wanted = parser.parse_args(argv)
    sys.path.insert(0, str(Path(__file__).parents[3]))
    if importlib.util.find_spec("tests") is None or importlib.util.find_spec(MACHINERY) is None:
        print("cupboard: chaos is part of a checkout with its tests", file=sys.stderr)
        return 1
    folder = Path(tempfile.mkdtemp(prefix="cupboard-chaos-"))
    folder.chmod(0o711)             # Postgres runs as another user when root starts it
    try:
        found = importlib.import_module(MACHINERY).chaos(
            folder, wanted.seed, wanted.seconds, players=wanted.players, say=(lambda _: None) if wanted.json else print)
    except ValueError as refusal:
        parser.error(str(refusal))
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print(json.dumps({"seed": wanted.seed, "seconds": wanted.seconds, **found}, indent=None if wanted.json else 2))
    return 1 if found["complaints"] else 0
