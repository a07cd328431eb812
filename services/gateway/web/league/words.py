"""How are the league's states, formats and codes called on a page?"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

from markupsafe import Markup

from services.gateway.web.blueprint import pages
from services.gateway.web.frame import time_tag

STATES = {"draft": "draft", "open": "open for entry", "closed": "entry closed", "running": "running", "finished": "finished", "cancelled": "cancelled"}
BADGES = {"open": " gold", "running": " good", "cancelled": " bad"}
FORMATS = {
    "round_robin": "round robin", "swiss": "Swiss", "elimination": "elimination", "double_elimination": "double elimination", "groups": "groups",
    "arena": "arena", "ladder": "ladder",
}
WAITS = {
    "dead_end": "No pairing keeps the rules. An official chooses how to go on.",
    "not_enough_players": "Too few players are left for a round.",
    "needs_referee": "A referee has to decide a result before it goes on.",
}
BYES = {
    "allocated": "bye", "half": "half bye", "zero": "bye without points", "absent": "absent", "full": "full bye", "given_half": "half bye",
    "late": "not yet entered",
}
PAIRINGS = {
    "open": "waits for an entrant", "ready": "about to start", "running": "playing", "reported": "reported", "confirmed": "decided", "walkover": "walkover",
    "void": "void",
}
ROUNDS = {
    **BYES, "played": "", "forfeit_win": "won by forfeit", "forfeit_loss": "lost by forfeit", "rest": "rest", "open": "not decided yet", "void": "void",
    "removed": "counts no more",
}
CONTRIBUTED = {
    "sum": "The rounds add up to the value.", "mean": "The value is the mean of what counts.", "per_match": "The sum is divided by the matches played.",
    "in_turn": "The last round is compared first, then the one before it, and so on.", "fixed": "No round adds to it.", "moment": "No round adds to it.",
    "certain": "Not all who are level have met: who is ahead whatever the missing matches bring is put ahead, all others stay level.",
}
HOW = {"no_show": "did not come", "left": "left", "resigned": "resigned", "timed_out": "out of time", "disqualified": "disqualified"}
TIES = {
    "BH": "Buchholz: points of the opponents", "BH-C1": "Buchholz without the lowest opponent", "SB": "Sonneborn-Berger: points of those who were beaten",
    "PS": "progressive score", "WON": "wins by play", "WIN": "rounds with a win", "DE": "direct encounter", "H2H": "head to head at shared tables",
    "P1": "first places", "P2": "second places", "P3": "third places", "SD": "difference of in-game scores", "SF": "in-game scores", "LOT": "the draw",
    "KO": "points against the upper half", "ARO": "mean rating of the opponents", "AOB": "mean Buchholz of the opponents", "FB": "fore-Buchholz",
    "CO": "common opponents", "GP": "game points", "LAST": "the latest rounds", "REP": "rounds not missed", "RTG": "rating", "SEED": "pairing number",
    "ERL": "earlier entry", "MEAN": "points per match", "SOONER": "who had the points sooner", "HS": "matches in the hard seat", "HW": "wins from the hard seat",
}
RULES = {
    "round_robin": ("double", "any_order", "open_matches", "best_of"), "swiss": ("half_byes", "late_entry_until", "late_points", "dead_end", "priority", "best_of"),
    "elimination": ("best_of", "deciders", "third_place", "advance", "cut_tie"), "double_elimination": ("best_of", "deciders"),
    "groups": ("groups", "double"), "arena": ("beat", "max_wait", "length", "drain"), "ladder": ("reach", "cool_down", "answer_time", "move"),
}
MODELS = {
    "wdl": "a win counts 1, a loss 0", "places": "the first of a table gets 1, the last 0, the others evenly between them",
    "margin": "one's own score less the mean of the others at the table", "raw": "the score of the game",
}
EVERY_RULE = ("points", "draw", "bye_points", "leaver_points", "margin_cap", "separate_by", "protected", "takes", "same_dice")
DECIDED = {"points": "points", "places": "better places", "games": "more games", "best_game": "best single game", "gross": "gross points",
           "latest": "the latest tournament", "draw": "the draw"}


def tie_words(code: str) -> str:
    return TIES.get(code) or TIES.get(code.partition("-")[0]) or DECIDED.get(code, code)


def stage_words(stage: dict[str, Any]) -> str:
    """What a stage is, in a few words."""
    seats = stage["seats"]
    size = "two" if seats["most"] == 2 else f"{seats['least']} to {seats['most']}" if seats["least"] != seats["most"] else str(seats["most"])
    return f"{FORMATS[stage['format']]} at tables of {size}"


def points_words(stage: dict[str, Any]) -> str:
    """What a result is worth, where no list of points says it."""
    return MODELS.get(stage["rules"]["model"], stage["rules"]["model"]) if not stage["rules"]["points"] else "by the list below"


def rules_shown(stage: dict[str, Any]) -> list[tuple[str, Any]]:
    """The rules of a stage that mean something in its format and are set to something."""
    names = (*EVERY_RULE, *RULES[stage["format"]])
    found = [(name, stage["rules"].get(name)) for name in names]
    return [(name, value) for name, value in found if value not in (None, "", [], {}, False)]


@pages.app_template_global("league_words")
def league_words(kind: str, name: str) -> str:
    """The word for a name of one of the lists above; a name without a word stands for itself."""
    lists = {"state": STATES, "badge": BADGES, "format": FORMATS, "waits": WAITS, "bye": BYES, "pairing": PAIRINGS, "how": HOW, "round": ROUNDS, "contributed": CONTRIBUTED}
    return lists[kind].get(name, "" if kind == "badge" else name.replace("_", " "))


def trim_zeros(written: str) -> str:
    """Points for the eye: 1.5000 is 1.5, 2.0000 is 2."""
    return written.rstrip("0").rstrip(".") if "." in written else written


def codes(ties: list[dict[str, Any]]) -> dict[str, Any]:
    """Tie-breaks by their code."""
    return {tie["code"]: tie for tie in ties}


def moment_tag(moment: int | None) -> Markup:
    """A moment in milliseconds, as people read it."""
    return time_tag(datetime.fromtimestamp(moment / 1000, UTC).isoformat() if moment else None)


def ahead(moment: int, now: int) -> str:
    """LG-883 How far away a moment is by the server's clock, in its two largest units."""
    minutes = abs(moment - now) // 60_000
    sizes = [(minutes // 1_440, "day"), (minutes % 1_440 // 60, "hour"), (minutes % 60, "minute")]
    found = [f"{count} {name}{'s' if count != 1 else ''}" for count, name in sizes if count][:2]
    if not found:
        return "now"
    return f"in {' and '.join(found)}" if moment > now else f"{' and '.join(found)} ago"


FILTERS: Mapping[str, Callable[..., Any]] = {
    "tie_words": tie_words, "stage_words": stage_words, "trim_zeros": trim_zeros, "codes": codes, "moment_tag": moment_tag, "ahead": ahead,
    "rules_shown": rules_shown, "points_words": points_words}
for name, words in FILTERS.items():
    pages.add_app_template_filter(words, name)
