"""What may be asked of a competition, who may ask for it, and which scope a token needs? The league decides; this keeps out who may not ask."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

OWNER, ORGANISER, REFEREE, SELF, ANYBODY = "owner", "organiser", "referee", "self", "anybody"
# LG-126: what a token must hold for an act in each role; a bot's own token stands for its entering.
SCOPES: Mapping[str, tuple[str, ...]] = {
    OWNER: ("league:run",), ORGANISER: ("league:run",), REFEREE: ("league:referee",), SELF: ("league:enter", "bot:play"),
    ANYBODY: ("league:read", "league:enter", "league:run", "league:referee"),
}


class Deed(NamedTuple):
    """An act: whose role allows it, for oneself and for others; whether a bot may do it (LG-128); what else is refused with."""

    who: frozenset[str]
    codes: tuple[str, ...] = ()
    bots: bool = False
    for_others: frozenset[str] = frozenset()
    fields: str = ""
    subject: str = "account"                    # the field that names whom it is done for

    @property
    def roles(self) -> frozenset[str]:
        return self.who | self.for_others


OFFICIALS, REFEREES, OWN, ALL = frozenset({OWNER, ORGANISER}), frozenset({REFEREE}), frozenset({SELF}), frozenset({ANYBODY})
BOTH = OFFICIALS | REFEREES
REASON, STATE, VERSION = "reason_missing", "wrong_state", "version_conflict"
CORRECTING = (VERSION, REASON, "depends_on_played", "own_match", "bad_result")

TOURNAMENT: Mapping[str, Deed] = {
    "set": Deed(OFFICIALS, ("frozen", "bad_setting", "unknown_game", VERSION, "no_consent"), fields="changes"),
    "open": Deed(OFFICIALS, (STATE, "forecast_not_seen"), fields="forecast_seen"),
    "enter": Deed(OWN, ("entry_closed", "full", "already_entered", "not_eligible", "no_consent"), True, OFFICIALS,
                  "account, accounts, club, team, country, members, reserves"),
    "line_up": Deed(OWN, (STATE, "bad_setting"), True, fields="account, round, accounts"),
    "withdraw": Deed(OWN, (STATE, REASON), True, BOTH, "account, reason"),
    "return": Deed(OWN, ("eliminated", STATE), True, REFEREES, "account"),
    "check_in": Deed(OWN, ("entry_closed",), True, fields="account"),
    "consent": Deed(OWN, (STATE,), fields="account"),
    "request_bye": Deed(OWN, ("bye_not_allowed",), fields="account, round, bye: half, zero or none"),
    "give_bye": Deed(REFEREES, ("bye_not_allowed", STATE, "own_match"), fields="account, round, bye: full or given_half, reason"),
    "substitute": Deed(REFEREES, (STATE, "already_entered", REASON), fields="account, by, reason"),
    "import_entrants": Deed(OFFICIALS, ("bad_file", "frozen"), fields="csv, dry_run, update"),
    "invite": Deed(OFFICIALS, (STATE,), fields="account"),
    "accept_invitation": Deed(OWN, (STATE,), True, fields="account"),
    "close": Deed(OFFICIALS, (STATE,)),
    "seed": Deed(OFFICIALS, ("bad_setting", STATE, VERSION), fields="order, reason"),
    "new_seed": Deed(REFEREES, (STATE, REASON), fields="reason"),
    "constrain": Deed(OFFICIALS, ("bad_setting", "frozen"), fields="never, soft, same_club, same_team"),
    "start": Deed(BOTH, (STATE, "imbalance_not_accepted", "not_enough_players", VERSION, "no_more_rounds", "results_unconfirmed", "no_pairing"),
                  fields="accept_imbalance"),
    "publish": Deed(BOTH, (STATE, VERSION)),
    "pair_again": Deed(REFEREES, ("frozen", REASON), fields="reason"),
    "upload": Deed(REFEREES, ("bad_setting", "frozen"), fields="tables, byes, reason"),
    "swap": Deed(REFEREES, ("frozen", "is_bye", "own_match"), fields="account, other, reason"),
    "choose": Deed(BOTH, (STATE, VERSION), fields="option"),
    "report": Deed(OWN, (STATE, "bad_result"), fields="pairing, places"),
    "result": Deed(REFEREES, ("bad_result", "own_match", "is_bye", REASON), fields="pairing, board, places, scores, reason"),
    "forfeit": Deed(REFEREES, ("own_match", STATE), fields="pairing, board, accounts, reason"),
    "void": Deed(REFEREES, ("own_match", REASON, "depends_on_played"), fields="pairing, reason"),
    "replay": Deed(REFEREES, ("own_match", REASON, "depends_on_played"), fields="pairing, board, reason"),
    "disqualify": Deed(REFEREES, (REASON, "own_match", "depends_on_played"), fields="account, reason, annul: keep, void or win"),
    "lift": Deed(REFEREES, (REASON, "own_match", STATE), fields="account, reason"),
    "preview": Deed(REFEREES, ("own_match", "bad_result"), fields="correction"),
    "correct": Deed(REFEREES, CORRECTING, fields="correction, reason, record_only, void_later"),
    "confirm": Deed(REFEREES, ("same_person", "already_decided", VERSION), fields="correction_id, yes"),
    "undo": Deed(REFEREES, CORRECTING, fields="correction_id, reason, record_only, void_later"),
    "pause": Deed(OFFICIALS, (STATE,), fields="with_clocks"),
    "resume": Deed(OFFICIALS, (STATE,)),
    "appoint": Deed(OWN, ("outside_round", STATE), True, fields="pairing, start, account"),
    "agree": Deed(OWN, ("outside_round", STATE), True, fields="pairing, number, yes, account"),
    "extend": Deed(BOTH, ("frozen", REASON), fields="pairing, until, reason"),
    "end": Deed(OFFICIALS, ("match_running", VERSION, STATE), fields="drain"),
    "cancel": Deed(frozenset({OWNER}), (STATE, REASON), fields="reason"),
    "ready": Deed(OWN, (STATE, "engaged"), True, fields="account"),
    "rest": Deed(OWN, (STATE, "engaged"), True, fields="account"),
    "challenge": Deed(OWN, ("out_of_reach", "engaged", "too_soon"), True, fields="account, others, challenger", subject="challenger"),
    "answer": Deed(OWN, (STATE,), True, fields="account, yes"),
    "set_rungs": Deed(REFEREES, (REASON,), fields="order, reason"),
    "plan": Deed(ALL, ("bad_setting",), True, fields="entrants"),
    "forecast": Deed(ALL, ("bad_setting",), True, fields="entrants"),
    "explain": Deed(ALL, (STATE,), True, fields="stage, round"),
    "ties": Deed(ALL, (), True, fields="stage, account, as_of"),
    "export": Deed(ALL, ("not_exportable",), True, fields="form: json, csv or trf16; what, stage, round"),
    "signals": Deed(REFEREES),
    "rating_only": Deed(REFEREES, (REASON, "own_match"), fields="match, reason"),
}
CHAMPIONSHIP: Mapping[str, Deed] = {
    "set": Deed(OFFICIALS, ("frozen", "bad_setting", VERSION), fields="changes"),
    "add": Deed(OFFICIALS, ("frozen", "bad_setting", REASON), fields="tournament, weight, reason"),
    "remove": Deed(OFFICIALS, ("frozen", REASON), fields="tournament, reason"),
    "publish": Deed(OFFICIALS, (STATE,)),
    "finish": Deed(OFFICIALS, (STATE, REASON), fields="reason"),
}
SEASON: Mapping[str, Deed] = {
    "set": Deed(OFFICIALS, ("frozen", "bad_setting", VERSION), fields="changes"),
    "add": Deed(OFFICIALS, ("frozen", "bad_setting", STATE), fields="tournament, level"),
    "remove": Deed(OFFICIALS, ("frozen", STATE), fields="tournament, reason"),
    "publish": Deed(OFFICIALS, (STATE,)),
    "go_on": Deed(OWN, (STATE,), True, fields="account, yes"),
    "join": Deed(OWN, (STATE, "already_entered"), True, fields="account"),
    "move": Deed(OFFICIALS, (STATE, REASON, "frozen"), fields="account, level, reason"),
    "settle": Deed(OFFICIALS, (STATE, "frozen")),
}
DEEDS: Mapping[str, Mapping[str, Deed]] = {"tournament": TOURNAMENT, "championship": CHAMPIONSHIP, "season": SEASON}
QUESTIONS = frozenset({"plan", "forecast", "explain", "ties", "export", "signals"})


def codes_of(deeds: Mapping[str, Deed]) -> tuple[str, ...]:
    return tuple(sorted({code for deed in deeds.values() for code in deed.codes}))
