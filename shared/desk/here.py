"""Which installation is a program for people about? The one that the environment names, or else the local run of this folder."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path

from shared.runtime.settings import SettingRefused, Settings, read

FILE = "running.json"


def settings(process: str = "desk") -> Settings:
    """PL-782 With DATABASE_URL the environment says everything; without it the local run has written down where it is."""
    file = Path(read(process="desk").folder) / FILE
    if os.environ.get("DATABASE_URL"):
        return read(process=process)
    try:
        return read({**(_kept(file) if file.exists() else {}), **os.environ}, process)
    except SettingRefused as refusal:
        if file.exists():
            raise
        raise SettingRefused(f"{refusal}; there is no local run in {file.parent.absolute()}, and no DATABASE_URL") from refusal


def _kept(file: Path) -> dict[str, str]:
    try:
        kept: dict[str, str] = json.loads(file.read_text("utf-8"))
    except ValueError as error:
        raise SettingRefused(f"{file} cannot be read; `cupboard up` writes it anew") from error
    return kept


def write_down(folder: Path, environ: Mapping[str, str]) -> None:
    """Addresses and secrets of the local run, for its owner's other programs only."""
    told = {name: value for name, value in environ.items() if name.startswith("CUPBOARD_") or name in {"DATABASE_URL", "REDIS_URL", "BROKER_URL"}}
    file = folder / FILE
    file.touch(mode=0o600)
    file.write_text(json.dumps(told, indent=2))
