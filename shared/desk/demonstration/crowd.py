"""Who plays in the demonstration? An organiser and bots, made once and found again after a restart."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Any

from shared.desk.bot.client import Client, Json, Refused

NAMES = ("Alba", "Bruno", "Cleo", "Dario", "Elsa", "Fosco", "Gaia", "Hugo", "Iris", "Jago", "Kora", "Livio", "Mina", "Nino", "Olga", "Pino",
         "Quinta", "Remo", "Sofia", "Tullio", "Ugo", "Vera", "Wanda", "Zeno")
MANY = 200              # bots that are told of one by one no more


class Kept:
    """What must survive a restart: the organiser's password and the bots' tokens, in a file for this user only."""

    def __init__(self, file: Path) -> None:
        self.file = file
        fresh: dict[str, Any] = {"organiser": f"host-{secrets.token_hex(3)}", "password": secrets.token_urlsafe(24), "bots": {}, "championship": None,
                                 "tournaments": [], "season": 0}
        self.facts: dict[str, Any] = json.loads(file.read_text()) if file.exists() else fresh

    def save(self) -> None:
        self.file.parent.mkdir(parents=True, exist_ok=True)
        new = self.file.with_suffix(".new")
        new.touch(mode=0o600)
        new.write_text(json.dumps(self.facts, indent=2))
        new.replace(self.file)


def sign_in(origin: str, kept: Kept) -> Client:
    """The organiser's account, made at the first run; in another database everything begins anew."""
    organiser, who = Client(origin), {"name": kept.facts["organiser"], "password": kept.facts["password"]}
    try:
        organiser.post("/sessions", who)
    except Refused as refusal:
        if refusal.code != "bad_credentials":
            raise
        organiser.post("/accounts", who)
        organiser.post("/sessions", who)
        kept.facts |= {"bots": {}, "championship": None, "tournaments": []}
    kept.save()
    return organiser


def tokens(organiser: Client, kept: Kept, count: int, say: Callable[[str], None]) -> list[Json]:
    """A bot account with a token for each name; what is there already is used again."""
    for number in range(count):
        name = NAMES[number] if number < len(NAMES) else f"{NAMES[number % len(NAMES)]}-{number // len(NAMES) + 1}"
        if name not in kept.facts["bots"]:
            bot = make_bot(organiser, name)
            token = organiser.post(f"/bots/{bot['bot']}/tokens", {"label": "demonstration"})["secret"]
            kept.facts["bots"][name] = {"bot": bot["bot"], "name": bot["name"], "token": token}
            kept.save()
            if number and number % MANY == 0:
                say(f"{number} of {count} bots have an account")
    return list(kept.facts["bots"].values())[:count]


def make_bot(organiser: Client, name: str) -> Json:
    """A bot made just before an earlier run was stopped is found again; a name that somebody else has gets an ending."""
    wish = {"name": name, "description": "Takes anything that is on offer."}
    try:
        return organiser.post("/bots", wish)
    except Refused as refusal:
        if refusal.code != "name_taken":
            raise
    mine = {bot["name"]: bot for bot in organiser.get("/bots", limit=100)["items"]}
    if name in mine:
        return dict(mine[name])
    return organiser.post("/bots", {**wish, "name": f"{name}-{secrets.token_hex(2)}"})
