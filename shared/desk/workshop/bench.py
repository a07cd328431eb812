"""How fast is it on this machine? `cupboard bench`: turns a second, waiting times, a naive queue beside it, play_out, an audience."""

import argparse
import importlib
import importlib.util
import json
import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

MACHINERY = "tests.bench.run"       # the client and the naive queue belong to the tests, which a checkout has
PARTS = ("turns", "naive", "play", "audience")


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="cupboard bench", description="Measures a stack of its own, and prints a table.")
    parser.add_argument("--seconds", type=float, default=6.0, help="of each closed loop, 1 to 600")
    parser.add_argument("--matches", type=int, default=32, help="at once, beside the lone one; 2 to 256")
    parser.add_argument("--only", choices=PARTS, action="append", help="only this part; may be given several times")
    parser.add_argument("--json", action="store_true", help="tell only the result, as JSON")
    wanted = parser.parse_args(argv)
    if not (1 <= wanted.seconds <= 600 and 2 <= wanted.matches <= 256):
        parser.error("1 to 600 seconds, 2 to 256 matches")
    sys.path.insert(0, str(Path(__file__).parents[3]))
    if importlib.util.find_spec("tests") is None or importlib.util.find_spec(MACHINERY) is None:
        print("cupboard: bench is part of a checkout with its tests", file=sys.stderr)
        return 1
    folder = Path(tempfile.mkdtemp(prefix="cupboard-bench-"))
    folder.chmod(0o711)             # Postgres runs as another user when root starts it
    try:
        found = measured(folder, wanted)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print(json.dumps(found) if wanted.json else table(found))
    return 0


def measured(folder: Path, wanted: argparse.Namespace) -> dict[str, Any]:
    run: Any = importlib.import_module(MACHINERY)
    parts, sizes = wanted.only or PARTS, (1, wanted.matches)
    say = (lambda _: None) if wanted.json else (lambda line: print(line, flush=True))
    found: dict[str, Any] = {"cores": os.cpu_count(), "load_before": round(os.getloadavg()[0], 2)}
    if "turns" in parts:
        found["turns"] = run.turns(folder / "ours", run.OURS, sizes, wanted.seconds, say)
    if "naive" in parts:
        found["naive"] = run.turns(folder / "naive", run.NAIVE, sizes, wanted.seconds, say)
    if "play" in parts:
        found["play_out"] = run.decisions()
    if "audience" in parts:
        found["audience"] = run.audience(folder / "audience", say)
    return found


def table(found: dict[str, Any]) -> str:
    lines = ["", f"{found['cores']} cores, load {found['load_before']} before", ""]
    rows = [(f"{kind}, {size} at once", facts) for kind in ("turns", "naive") for size, facts in found.get(kind, {}).items()]
    if rows:
        lines.append(f"{'click to letter':<24}{'turns/s':>10}{'median':>10}{'p95':>10}{'p99':>10}{'answer':>10}")
    lines += [f"{name:<24}{facts['turns_per_s']:>10}" + "".join(f"{_ms(facts[key]):>10}" for key in ("median_ms", "p95_ms", "p99_ms", "answer_median_ms"))
              for name, facts in rows]
    lines += [f"{name:<24}processor ms a turn: " + ", ".join(f"{part} {ms:.2f}" for part, ms in facts["cpu_ms_per_turn"].items()) for name, facts in rows]
    if "turns" in found and "naive" in found:
        size = list(found["turns"])[-1]
        lines.append(f"{found['turns'][size]['turns_per_s'] / max(1, found['naive'][size]['turns_per_s']):.1f} times the naive queue at {size} matches")
    lines += ["", *(_played(game, by_seats) for game, by_seats in found.get("play_out", {}).items())]
    if audience := found.get("audience"):
        lines += ["", f"audience: {audience['votes_stored']} of {audience['members']} votes stored in {audience['votes_in_s']} s, counted {audience['counts']} time"]
    return "\n".join(lines)


def _played(game: str, by_seats: dict[int, int]) -> str:
    least, most = min(by_seats.values()), max(by_seats.values())
    each = ", ".join(f"{seats}: {per_s:,}" for seats, per_s in by_seats.items())
    return f"play_out {game:<15}{least:>10,} to {most:,} decisions/s on one core; by seats {each}"


def _ms(value: float | None) -> str:
    return "-" if value is None else f"{value:.1f} ms"
