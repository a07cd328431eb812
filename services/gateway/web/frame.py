"""What is around every page? The shelf at the top, who is signed in, and the words that templates need."""

from __future__ import annotations

import json
import re
from datetime import datetime
from typing import Any

from flask import Response, make_response, render_template, request
from markupsafe import Markup, escape

from services.gateway.edge.gate import gate
from services.gateway.edge.signing_in import caller, check_form
from services.gateway.web import forms

SEATS_WITH_COLOURS = 8
WORDS_FOR_STATE = {
    "open": "waiting for players", "running": "running", "paused": "paused", "stuck": "held up by a fault", "finished": "finished",
    "aborted": "called off", "voided": "voided", "expired": "expired",
}
WORDS_FOR_HOW = {
    "played": "played to the end", "timed_out": "out of time", "resigned": "resigned", "left": "left", "no_show": "did not come",
    "disqualified": "disqualified", "bot_failed": "bot failed",
}


def page(template: str, status: int = 200, **facts: Any) -> Response:
    """A whole page."""
    who = caller(gate())
    response = make_response(render_template(template, visitor=who, form_token=who.form_token, path=request.path, mail_on=bool(gate().settings.mail_from), **facts), status)
    response.headers["Vary"] = "Cookie"
    return response


def checked_form() -> None:
    """PL-131 Whatever a form asks for, it is one of ours, made for this session."""
    who = caller(gate())
    if who.signed_in:
        check_form(who, request.form.get("form_token", ""))


def seat_class(seat: int) -> str:
    return f"seat-{seat % SEATS_WITH_COLOURS + 1}"


def mark(seat: int) -> Markup:
    """A seat's symbol in its colour; its number stands beside it in words, so neither carries meaning alone (PL-720)."""
    name = seat_class(seat)
    return Markup(f'<svg class="mark {name}" aria-hidden="true" focusable="false"><use href="/static/marks.svg#{name}"></use></svg>')  # noqa: S704


def called(seat: dict[str, Any]) -> str:
    """Who sits there; the service's own bots are told apart by their seats, as on the boards."""
    if seat["account"]:
        return str(seat["account"]["name"])
    return f"bot {seat['seat'] + 1}" if seat["kind"] == "bot" else ""


def by_name(sentence: str, seats: list[dict[str, Any]]) -> Markup:
    """A sentence of the log with the people in it: "Seat 2 waits." is told of whoever sits there; an empty seat keeps its number."""
    names = {str(seat["seat"] + 1): name for seat in seats if (name := called(seat))}

    def person(found: re.Match[str]) -> str:
        name = names.get(found[1])
        return f"{mark(int(found[1]) - 1)}<b>{escape(name)}</b>" if name else found[0]

    return Markup(re.sub(r"\b(?:[Ss]eat|[Pp]layer) (\d+)\b", person, str(escape(sentence))))  # noqa: S704


def time_tag(written: str | None, words: str = "") -> Markup:
    """A moment as people read it, in UTC; a script writes it in the reader's own zone."""
    if not written:
        return Markup("—")
    moment = datetime.fromisoformat(written)
    return Markup('<time datetime="{}">{}{:%-d %b %Y, %H:%M} UTC</time>').format(written, words, moment)


def spoken(name: str) -> str:
    """The name of a field or slot as a label: `with_what` is "With what"."""
    words = name.replace("_", " ").strip()
    return words[:1].upper() + words[1:]


def ranged(numbers: list[int]) -> str:
    """Numbers in order: those without a gap as "2 to 6", others one by one."""
    whole = len(numbers) > 2 and numbers == list(range(numbers[0], numbers[-1] + 1))
    return f"{numbers[0]} to {numbers[-1]}" if whole else ", ".join(map(str, numbers))


def partner_words(partner: str) -> str:
    """With whom one deals: a seat, counted from 1 in words."""
    return f"seat {int(partner) + 1}" if partner.isdigit() else spoken(partner)


def duration(ms: int | None) -> str:
    """A length of time in words, as far as it matters."""
    if ms is None:
        return "no limit"
    seconds = ms // 1000
    for size, name in ((86_400, "day"), (3_600, "hour"), (60, "minute")):
        if seconds >= size and seconds % size == 0:
            return f"{seconds // size} {name}{'s' if seconds // size > 1 else ''}"
    return f"{seconds // 60} min {seconds % 60} s" if seconds > 60 else f"{seconds} s"


def browser(agent: str) -> str:
    """What sort of browser a session belongs to, as far as its own words tell."""
    kinds = {"Firefox": "Firefox", "Edg/": "Edge", "Chrome": "Chrome", "Safari": "Safari"}
    systems = {"Android": "Android", "iPhone": "iPhone", "Windows": "Windows", "Mac OS": "Mac", "Linux": "Linux"}
    kind = next((name for sign, name in kinds.items() if sign in agent), "A browser")
    system = next((name for sign, name in systems.items() if sign in agent), "")
    return f"{kind} on {system}" if system else kind


def json_text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def fill(blueprint: Any) -> None:
    """The words above for every template."""
    for name, words in {"seat_class": seat_class, "mark": mark, "by_name": by_name, "time_tag": time_tag, "spoken": spoken, "ranged": ranged, "partner_words": partner_words,
                        "duration": duration, "json_text": json_text, "browser": browser}.items():
        blueprint.add_app_template_filter(words, name)
    for name, thing in {"new_key": forms.new_key, "state_words": WORDS_FOR_STATE, "how_words": WORDS_FOR_HOW}.items():
        blueprint.add_app_template_global(thing, name)
