"""Which installation is a program for people about? The one that the environment names, or else the local run of this folder."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path

from shared.runtime.settings import Settings, read

FILE = "running.json"


def settings(process: str = "desk") -> Settings:
    """PL-782 With DATABASE_URL the environment says everything; without it the local run has written down where it is."""
    file = Path(read(process="desk").folder) / FILE
    kept: dict[str, str] = json.loads(file.read_text()) if file.exists() and not os.environ.get("DATABASE_URL") else {}
    return read({**kept, **os.environ}, process)


def write_down(folder: Path, environ: Mapping[str, str]) -> None:
    """Addresses and secrets of the local run, for its owner's other programs only."""
    told = {name: value for name, value in environ.items() if name.startswith("CUPBOARD_") or name in {"DATABASE_URL", "REDIS_URL", "BROKER_URL"}}
    file = folder / FILE
    file.touch(mode=0o600)
    file.write_text(json.dumps(told, indent=2))
