"""Which settings of a tournament may still be changed, and what of them did somebody change? Everything else stays as it is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from flask import request
from werkzeug.wrappers import Response

from services.gateway.web.blueprint import for_members, form, pages
from services.gateway.web.forms import number, sent_key
from services.gateway.web.frame import page, spoken
from services.gateway.web.inner import ask, look
from services.gateway.web.league.doing import done
from services.gateway.web.league.fields import facts_of
from services.gateway.web.league.tournament import at, head

SPAN = "5 minutes, 2 hours, 3 days …; empty: none"
ALWAYS = frozenset({"name", "schedule", "confirm_after"})       # OP-04 what may change after the first round has been made
Choices = tuple[tuple[str, str], ...]


class Setting(NamedTuple):
    """One input: where the setting stands, what it is called, and how it is written."""

    path: str
    words: str
    how: str = "text"           # or number, flag, local, span, list, from_to, choice, clock
    choices: Choices = ()
    help: str = ""
    only: str = ""              # where it means something: in an "arena", or while there is "entry"

    @property
    def later(self) -> bool:
        return self.path.partition(".")[0] in ALWAYS


GROUPS: tuple[tuple[str, tuple[Setting, ...]], ...] = (
    ("The tournament", (
        Setting("name", "Name"),
        Setting("visibility", "Who may see it", "choice", (("public", "everybody"), ("private", "entrants and officials"))),
        Setting("zone", "Time zone", help="such as Europe/Rome; every local time below is by its clocks"),
    )),
    ("Entry", (
        Setting("opponents", "Who may enter", "choice", (("humans", "people"), ("mixed", "people and bots"), ("bots", "bots"))),
        Setting("most", "Places", "number"),
        Setting("waiting_list", "Who comes too late waits for a free place", "flag"),
        Setting("seeding", "Pairing numbers", "choice", (("random", "by draw"), ("rating", "by rating"), ("given", "by a list of yours"))),
        Setting("conditions.members_only", "Only people who were invited", "flag"),
        Setting("conditions.rating_least", "Rating at least"),
        Setting("conditions.rating_most", "Rating at most"),
        Setting("conditions.matches_least", "Rated matches at least", "number"),
    )),
    ("When", (
        Setting("schedule.opens", "Entry opens", "local", only="entry"),
        Setting("schedule.entry_until", "Entry until", "local", only="entry"),
        Setting("schedule.check_in", "Check-in before the start", "from_to", help="60 minutes to 10 minutes; empty: none", only="entry"),
        Setting("schedule.starts", "Start", "local"),
        Setting("schedule.every", "A round every", "span", help="1 week …, counted from the start; empty: after the break"),
        Setting("schedule.round_break", "Break between rounds", "span", help=SPAN),
        Setting("schedule.cut_off", "Withdrawals and byes count until this long before a round", "span", help=SPAN),
        Setting("schedule.ends", "End of the arena", "local", only="arena"),
        Setting("auto_start", "It starts and goes on by itself", "flag"),
    )),
    ("Deadlines", (
        Setting("schedule.round_deadline", "Time for a round", "span", help=SPAN),
        Setting("schedule.match_deadline", "Time for a match", "span", help=SPAN),
        Setting("schedule.at_deadline", "At a deadline", "choice", (("late_forfeits", "who is late has lost"), ("double_forfeit", "both have lost"),
                                                                    ("referee", "a referee decides"))),
        Setting("schedule.drain", "At the end of the arena running matches get", "span", help=SPAN, only="arena"),
        Setting("schedule.outage", "After an outage", "choice", (("extend", "deadlines are extended"), ("strict", "deadlines stay"))),
        Setting("schedule.playing_hours", "Playing time", "from_to", help="09:00 to 22:00; empty: day and night"),
        Setting("schedule.reminders", "Reminders before a deadline", "list", help="24 hours, 1 hour"),
        Setting("appointments", "Tables agree on their time", "flag", help="needs time for a round or for a match"),
    )),
    ("At the table", (
        Setting("playing.clock", "Clock", "clock"),
        Setting("playing.no_show_after", "Who has not come is out after", "span", help=SPAN),
        Setting("playing.no_show_limit", "So many times, then withdrawn", "number", help="0: never"),
        Setting("playing.return_window", "Who left may come back for", "span", help=SPAN),
        Setting("playing.leaver", "Who left is played by", "choice", (("automaton", "a bot"), ("defaults", "safe answers"))),
        Setting("playing.talk", "Talk", "choice", (("off", "none"), ("phrases", "phrases from a list"), ("free", "free texts"))),
        Setting("playing.absent_seats", "An empty seat", "choice", (("automaton", "is played by a bot"), ("shrink", "is left out"))),
    )),
    ("Results", (
        Setting("reporting", "Players report results themselves", "flag"),
        Setting("confirm_after", "A result stands after", "span", help="1 hour to 7 days; empty: at once"),
        Setting("confirmations", "Referees that a correction needs", "choice", (("1", "one"), ("2", "two"))),
        Setting("rated", "Matches count for ratings", "flag"),
        Setting("schedule.spectator_delay", "Onlookers see it later by", "span", help="1 second to 1 day; empty: at once"),
    )),
)
EVERY = tuple(setting for _, settings in GROUPS for setting in settings)
CALLED: Mapping[str, str] = {setting.path: setting.words for setting in EVERY}


def value_of(settings: Mapping[str, Any], path: str) -> Any:
    """What stands there; a settings table that is none holds nothing."""
    found: Any = settings
    for name in path.split("."):
        found = found.get(name) if isinstance(found, Mapping) else None
    return found


def written(setting: Setting, value: Any) -> str:
    """A setting as it stands in its input."""
    match setting.how:
        case "flag":
            return "yes" if value else ""
        case "list":
            return ", ".join(value or ())
        case "from_to":
            return f"{value['opens']} to {value['closes']}" if value else ""
        case "clock":
            return str((value or {}).get("preset", ""))
    return "" if value is None else str(value)


def told(setting: Setting, text: str) -> str:
    """The same for whoever only reads it."""
    match setting.how:
        case "flag":
            return "yes" if text else "no"
        case "choice":
            return dict(setting.choices).get(text, text)
        case "local":
            return text.replace("T", " ") or "—"
    return text or "—"


def read(setting: Setting, text: str) -> Any:
    """The same the other way round; what cannot be read goes on as it is, so that the league names the fault."""
    match setting.how:
        case "flag":
            return text == "yes"
        case "list":
            return [one.strip() for one in text.split(",") if one.strip()]
        case "from_to":
            opens, _, closes = (part.strip() for part in text.partition(" to "))
            return {"opens": opens, "closes": closes} if text else None
        case "clock":
            return {"preset": text}
    is_number = setting.how == "number" or setting.path == "confirmations"
    return int(text) if is_number and text.isascii() and text.isdigit() and len(text) < 12 else text


def changes() -> dict[str, Any]:
    """What was typed otherwise than it stood there when the page was made: settings of others in between stay."""
    found: dict[str, Any] = {}
    for setting, text in _typed():
        table, _, name = setting.path.rpartition(".")
        (found.setdefault(table, {}) if table else found)[name] = read(setting, text)
    return found


def _typed() -> Iterator[tuple[Setting, str]]:
    for setting in EVERY:
        before, now = request.form.get(f"had:{setting.path}"), request.form.get(f"set:{setting.path}", "").strip()
        if before is not None and before != now:
            yield setting, now


def in_words(refusal: dict[str, Any]) -> dict[str, Any]:
    """The same refusal, with settings under the names that the form gives them."""
    def called(detail: str) -> str:
        path, colon, rest = detail.partition(":")
        return f"{CALLED[path]}{colon}{rest}" if path in CALLED else detail
    return {**refusal, "errors": [{**error, "detail": called(error["detail"])} for error in refusal.get("errors", ())]}


@pages.get("/tournaments/<tournament>/settings")
@for_members
def settings_page(tournament: str) -> Response:
    return page("tournament/desk/settings.html", **_facts(tournament))


@form("/tournaments/<tournament>/settings")
def change_settings(tournament: str) -> Response:
    """OP-04, LG-172 One act, from the form, from that of the rounds or from the JSON."""
    if "rounds" in request.form:
        wished = {"rounds": number("rounds")}
    else:
        wished = facts_of("changes") if "changes" in request.form else _with_clock(tournament, changes())
    if wished == {}:
        return page("tournament/desk/settings.html", **_facts(tournament, nothing=True))
    said = ask("POST", at(tournament, "acts"), {"kind": "set", "changes": wished}, key=sent_key())
    back = done(said, at(tournament, "settings"), "set")
    return back or page("tournament/desk/settings.html", said.status, **_facts(tournament, refusal=in_words(said.facts)))


def _with_clock(tournament: str, wished: dict[str, Any]) -> dict[str, Any]:
    """PL-493 Another preset leaves limits, playing hours and holidays as they are."""
    if "clock" in wished.get("playing", {}):
        before = head(tournament, shown="run")["one"]["settings"]["playing"]["clock"]
        wished["playing"]["clock"] = {**before, **wished["playing"]["clock"]}
    return wished


def _facts(tournament: str, **more: Any) -> dict[str, Any]:
    """The settings as they stand, and which of them can still be changed."""
    facts = head(tournament, shown="run", **more)
    one = facts["one"]
    begun = any(stage["round"] for stage in one["stages"])
    over = one["state"] in {"finished", "cancelled"}
    clocks = [(name, spoken(name)) for name in look(f"/games/{one['game']}").facts.get("clocks", ())]
    means = {"", *(["entry"] if not begun else []), *(stage["format"] for stage in one["stages"])}
    groups = [(title, [_line(setting, one["settings"]) for setting in settings if (setting.later or not begun) and setting.only in means]) for title, settings in GROUPS]
    fixed = [_line(setting, one["settings"]) for setting in EVERY if begun and not setting.later]
    return {"groups": [group for group in groups if group[1]], "fixed": fixed, "begun": begun, "over": over, "clocks": clocks, "nothing": False, **facts}


def _line(setting: Setting, settings: Mapping[str, Any]) -> tuple[Setting, str, str]:
    """A setting, how it stands in its input, and how it is told."""
    text = written(setting, value_of(settings, setting.path))
    return setting, text, told(setting, text)
