"""What does an independent engine say? The same stage, told to it as a file, or with our own cards put into its hands."""

from __future__ import annotations

from pathlib import Path

from py4swiss.engines.common import Float
from py4swiss.engines.dutch import Engine
from py4swiss.engines.dutch import engine as internals
from py4swiss.engines.dutch.bracket import Brackets
from py4swiss.trf import TrfParser

from services.league.files.trf16 import Entrant, Stage, written
from tests.league.swiss2.events import RULES, Step

Answer = tuple[frozenset[tuple[int, int]], int | None] | None


def text_of(step: Step) -> str:
    """The stage as TRF16, with the lines that engines add: who is away, and the first seat of the first board."""
    size = max([card.number for card in step.cards] + [bye.number for bye in step.byes])
    stage = Stage("event", tuple(Entrant(number, f"Entrant {number}") for number in range(1, size + 1)), step.records, step.plan.rounds)
    lines = [line.ljust(89) for line in written(stage, RULES).splitlines()]
    lines.append(f"XXC {'white1' if step.plan.first else 'black1'}")
    away = " ".join(f"{bye.number:4}" for bye in step.byes)
    return "\n".join([*lines, *([f"XXZ {away}"] if away else [])]) + "\n"


def answer(step: Step, folder: Path) -> Answer:
    path = folder / "event.trf"
    path.write_text(text_of(step))
    try:
        pairs = Engine.generate_pairings(TrfParser.parse(path))
    except internals.PairingError:
        return None
    return frozenset((one.white, one.black) for one in pairs if one.black), next((one.white for one in pairs if not one.black), None)


def with_our_cards(step: Step, folder: Path, monkeypatch) -> tuple[Answer, bool]:
    """Its answer when floats, byes and topscorers are as the clauses say, and whether it threw its lower brackets together."""
    ours = {card.number: card for card in step.cards}
    threw = []
    read = internals.get_player_infos_from_trf
    collapse = Brackets.collapse

    def told(trf):
        players = read(trf)
        for player in players:
            card = ours[player.id]
            player.float_1, player.float_2 = (Float(place) for place in card.floats)
            player.bye_received, player.top_scorer = card.barred, card.top
        return players

    def thrown(brackets):
        threw.append(brackets)
        collapse(brackets)

    with monkeypatch.context() as patched:
        patched.setattr(internals, "get_player_infos_from_trf", told)
        patched.setattr(Brackets, "collapse", thrown)
        return answer(step, folder), bool(threw)
