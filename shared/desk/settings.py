"""Which settings are in force? `cupboard settings [--changed] [--json]`."""

import argparse
import json

from shared.desk import here
from shared.runtime.settings import ROWS, Settings, environment_name, shown


def main(argv: list[str]) -> int:
    """PL-112 Every setting with value, default, range and meaning; secrets are masked."""
    parser = argparse.ArgumentParser(prog="cupboard settings", description="Shows every setting, its value, default, range and meaning.")
    parser.add_argument("--changed", action="store_true", help="only those that differ from their defaults")
    parser.add_argument("--json", action="store_true", help="one JSON object, by name")
    wanted = parser.parse_args(argv)
    settings = here.settings("settings")
    changed = {name for name, _, _ in settings.changed()}
    rows = {name: described(settings, name) for name in ROWS if name in changed or not wanted.changed}
    print(json.dumps(rows, indent=2) if wanted.json else "\n\n".join(as_words(row) for row in rows.values()))
    return 0


def described(settings: Settings, name: str) -> dict[str, str]:
    row = ROWS[name]
    about = {"name": environment_name(name), "value": shown(row, getattr(settings, name)), "default": shown(row, row.default),
             "unit": row.metadata["unit"], "meaning": row.metadata["meaning"]}
    if "least" in row.metadata:
        about["allowed"] = f"{row.metadata['least']:g} to {row.metadata['most']:g}"
    return about


def as_words(about: dict[str, str]) -> str:
    unit = about["unit"] if "allowed" in about else ""
    limits = f", allowed {about['allowed']}" if "allowed" in about else ""
    return f"{about['name']}={about['value']}\n    {about['meaning']} (default {about['default'] or 'none'}{limits} {unit}".rstrip() + ")"
