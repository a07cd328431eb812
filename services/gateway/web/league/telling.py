"""What does a page say after an act, what of one that was refused, and what had been typed?"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

import orjson
from flask import request
from markupsafe import Markup

from services.gateway.accounts import FORMER
from services.gateway.competitions.sight import SQL
from services.gateway.edge.gate import gate
from services.gateway.web.blueprint import pages
from services.gateway.web.frame import spoken
from services.gateway.web.league.words import PAIRINGS, moment_tag

INSTANT = 13                # digits of a moment in milliseconds
EMPTY: tuple[Any, ...] = (None, "", [], {})
ACCOUNT = re.compile(r"\ba-[0-9A-Za-z]+\b")
PAIRING = re.compile(r"([0-9]+)/([0-9]+)/([0-9]+)")
FORM = re.compile(r"missing required field `(\w+)`|^Expected .* at `\$\.(\w+)")      # how a body that is none is told
FIELDS: Mapping[str, str] = {"accounts": "Who", "changes": "The changes, as JSON", "places": "The places", "until": "Until when", "start": "When",
                             "order": "The list", "tables": "The tables", "account": "Whom", "pairing": "The table", "round": "The round"}
DONE: Mapping[str, str] = {
    "open": "Entry is open.", "close": "Entry is closed, and the numbers are drawn.", "start": "It has been started.", "publish": "It is published.",
    "pause": "It is paused.", "resume": "It goes on.", "pair_again": "The round was paired again.", "choose": "So it was decided.",
    "end": "The end has been ordered.", "cancel": "It is cancelled.", "set": "The settings are changed.", "seed": "The numbers are set.",
    "new_seed": "A new seed was drawn.", "import_entrants": "The entrants were taken in.", "constrain": "It is set who is not to meet.",
    "upload": "Your pairing is the round now.", "set_rungs": "The rungs are set.", "invite": "The invitation was sent.", "enter": "Entered.",
    "withdraw": "Withdrawn.", "return": "Back again.", "substitute": "Substituted.", "disqualify": "Disqualified.", "lift": "The disqualification is lifted.",
    "give_bye": "The bye is given.", "swap": "The two have changed places.", "result": "The result is entered.", "forfeit": "The forfeit is entered.",
    "void": "The table is void.", "replay": "A new match is ordered.", "extend": "The deadline is extended.",
    "rating_only": "The match is left out of the ratings.", "correct": "The correction is made, or waits for another referee.",
    "confirm": "The correction is decided.", "undo": "The correction is undone, or that waits for another referee.", "check_in": "Checked in.",
    "consent": "You agree to bots.", "accept_invitation": "The invitation is accepted.", "ready": "Ready to play.", "rest": "Resting.",
    "request_bye": "The wish for a bye is noted.", "line_up": "The line-up is noted.", "answer": "The challenge is answered.",
    "challenge": "The challenge is made.", "appoint": "The time is proposed.", "agree": "Your answer is noted.", "report": "Your report is noted.",
    "add": "It counts now.", "remove": "It counts no longer.", "finish": "It is ended.", "go_on": "Your choice is noted.",
    "join": "You have joined.", "move": "The move is changed.", "settle": "The moves are published.", "official": "The officials are changed.",
    "role": "The roles are changed.", "guest": "The guests are changed.",
    "waiting": "The league has it, and carries it out in a moment. What becomes of it is seen here.",
}


@pages.app_template_global("done_words")
def done_words() -> str:
    """What has just been done, as the address of the page names it."""
    return DONE.get(request.args.get("done", ""), "")


@pages.app_template_global("typed_for")
def typed_for(kind: str, **same: Any) -> Mapping[str, str]:
    """PL-724 What was typed into the form of an act that has just been sent, where its other fields tell that it was this one."""
    sent = request.form
    return sent if sent.get("act") == kind and all(sent.get(name) == str(value) for name, value in same.items()) else {}


def in_words(detail: Any) -> str | Markup:
    """What is wrong, for a page: an instant is a moment there, an account has its name, and a pairing is a table."""
    text = str(detail)
    if len(text) == INSTANT and text.isdigit():
        return moment_tag(int(text))
    if place := PAIRING.fullmatch(text):
        return table_words(text) if place[1] == "1" else f"stage {place[1]}, {table_words(text)}"
    if form := FORM.search(text):
        return f"{FIELDS.get(form[1] or form[2], spoken(form[1] or form[2]))}: {'nothing is said' if form[1] else 'this cannot be read'}."
    names = names_of(ACCOUNT.findall(text))
    return ACCOUNT.sub(lambda found: names.get(found[0], found[0]), text)


def table_words(pairing: str) -> str:
    """A pairing as people say it: "1/2/3" is round 2, table 3."""
    place = PAIRING.fullmatch(pairing)
    return f"round {place[2]}, table {place[3]}" if place else pairing


def result_words(result: Mapping[str, Any]) -> str:
    """LG-922 What was recorded of a pairing, or is: its state, and who came where."""
    places: Mapping[str, int] = result.get("places") or {}
    names = names_of(list(places))
    order = ", ".join(f"{names.get(account, account)} on place {place}" for account, place in sorted(places.items(), key=lambda one: one[1]))
    more = [f"{spoken(name).lower()} {value_words(value)}" for name, value in result.items() if name not in {"places", "state", "kind"} and value not in EMPTY]
    state = PAIRINGS.get(str(result.get("state")), str(result.get("state") or "changed"))
    return "; ".join([state, *([order] if order else []), *more])


def value_words(value: Any) -> str:
    """The value of a rule, without braces: lists in order, tables as pairs."""
    match value:
        case bool():
            return "yes" if value else "no"
        case Mapping():
            return ", ".join(f"{str(name).replace('_', ' ')}: {value_words(one)}" for name, one in value.items() if one not in EMPTY)
        case list() | tuple():
            return ", ".join(value_words(one) for one in value)
        case str():
            return str(in_words(value.replace("_", " ")))
    return str(value)


def entry_words(value: Any) -> str:
    """One member of an entry of a log, without braces; nothing where nothing was said."""
    if isinstance(value, str) and value[:1] not in {"{", "["}:
        return str(in_words(value))
    try:
        read = orjson.loads(value) if isinstance(value, str) else value
    except orjson.JSONDecodeError:
        return str(value)
    return "" if read in EMPTY else value_words(read)


def names_of(accounts: list[str]) -> Mapping[str, str]:
    """LG-961 How accounts are called now."""
    row = gate().store.one(SQL.people, accounts=accounts, former=FORMER) if accounts else None
    return {account: one["name"] for account, one in orjson.loads(row["people"]).items()} if row else {}


def answer_words(kind: str, answer: Mapping[str, Any], *, dry: bool) -> list[str]:
    """What the league answers to a question of the desk, in sentences."""
    match kind:
        case "plan":
            return [*_plan(answer), *answer["words"]]
        case "import_entrants":
            names = names_of([*answer["new"], *answer["changed"]])
            said = (("new", "Would be entered" if dry else "Entered"), ("changed", "Would be changed" if dry else "Changed"))
            found = [f"{words}: {', '.join(names.get(one, one) for one in answer[part])}." for part, words in said if answer[part]]
            return found or ["There is nothing new in these lines."]
    told: list[str] = answer.get("words", [])
    return told or [DONE.get(kind, "It is done.")]


def _plan(answer: Mapping[str, Any]) -> list[str]:
    """LG-322 How many rounds, which tables, and how often two meet."""
    sizes, meetings = answer["table_sizes"], answer["meetings"]
    at_tables = f"tables of {' and '.join(map(str, sizes))}" if sizes else "no table"
    rounds = answer["rounds"]
    found = [f"{f'{rounds} round' if rounds == 1 else f'{rounds} rounds' if rounds else 'Rounds as long as it lasts'}, {at_tables}."]
    if meetings["most"]:
        found.append(f"Two entrants meet {_between(meetings['least'], meetings['most'])}.")
    return found


def _between(least: int, most: int) -> str:
    times = "once" if most == 1 else f"{most} times"
    return times if least == most else f"at most {times}" if least == 0 else f"{least} to {most} times"


def sentence(words: str) -> str:
    """Words of the league as a sentence."""
    return f"{words[:1].upper()}{words[1:]}{'' if words[-1:] in {'.', '!', '?', ''} else '.'}"


FILTERS: Mapping[str, Callable[..., Any]] = {"in_words": in_words, "sentence": sentence, "result_words": result_words, "value_words": value_words,
                                            "entry_words": entry_words}
for name, words in FILTERS.items():
    pages.add_app_template_filter(words, name)
