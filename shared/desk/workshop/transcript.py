"""How does a match read? A seeded match of bots as text: every step, every sentence of the log, and the public table."""

from __future__ import annotations

import json
from difflib import unified_diff
from pathlib import Path
from typing import Any

import msgspec

from shared.desk.workshop.games import key_of, named
from shared.kernel.choices import Choice
from shared.kernel.game import AUDIENCE, HOST, Command, Event, Game, Seat
from shared.kernel.match import Match, Observer, placings, play_out

CHAIRS = {HOST: "host", AUDIENCE: "audience"}


class Renderer(Observer):
    """Writes down what onlookers see of a match; the table every `every` steps and at the end."""

    def __init__(self, game: Game, language: str = "en", every: int = 10) -> None:
        self.game, self.words, self.every = game, game.words[language], every
        self.lines: list[str] = []

    def before(self, match: Match[Any], seat: Seat, choices: tuple[Choice, ...]) -> None:
        """Choices are private and stay out of a transcript."""

    def step(self, match: Match[Any], seat: Seat | None, command: Command | None, events: tuple[Event, ...]) -> None:
        act = "begin" if match.step == 1 else "phase" if command is None else "answer"
        self.lines.append(line_of(self.game, match, act, seat, None))
        masked = [event.seen_by(None) for event in events]
        self.lines += [f"        {self.words.sentence(event)}" for event in masked if event is not None]
        if match.step % self.every == 1:
            self._draw(match)

    def after(self, match: Match[Any]) -> None:
        self._draw(match)
        for line in placings(self.game, match) or ():
            self.lines.append(f"seat {line.seat + 1}: place {line.place}, score {line.score}")

    def _draw(self, match: Match[Any]) -> None:
        text = self.game.text(self.game.look(match.state, None), self.words)
        self.lines += [f"    | {line}" for line in text.splitlines()]


def line_of(game: Game, match: Match[Any], act: str, seat: Seat | None, command: Command | None) -> str:
    """One step: its number, whose it was, and the command if it may be shown."""
    who = "" if seat is None else f" {CHAIRS.get(seat, f'seat {seat + 1}')}"
    said = "" if command is None else f" {msgspec.json.encode(command).decode()}"
    over = "" if game.result(match.state) is None else " (over)"
    return f"{match.step:>6}{who} {act}{said}{over}"


def transcript(game: Game, seats: int, options: Any, seed: int | str, language: str = "en") -> str:
    """The match of the strongest bots under this seed, as goldens keep it."""
    renderer = Renderer(game, language)
    strongest = list(game.bots.values())[-1]
    play_out(game, seats, options, key_of(seed), [strongest] * seats, [renderer])
    return "\n".join(renderer.lines) + "\n"


def golden(path: Path, *, write: bool = False) -> str:
    """How the match of a golden file reads today, if not as the file says; its first line is `# {"game": …, "seats": …, …}`."""
    head, _, kept = path.read_text("utf-8").partition("\n")
    asked = json.loads(head.removeprefix("# "))
    game = named(asked["game"])
    options = game.read_options(asked.get("options", {}))
    today = transcript(game, asked["seats"], options, asked["seed"], asked.get("language", "en"))
    if write:
        path.write_text(f"{head}\n{today}", "utf-8")
        return ""
    return "\n".join(unified_diff(kept.splitlines(), today.splitlines(), "golden", "today", lineterm="", n=2))
