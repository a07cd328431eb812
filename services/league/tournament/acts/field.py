"""What may be asked by and about those who take part?"""

from __future__ import annotations

from typing import Literal

from services.league.tournament.acts.base import BOTH, OFFICIALS, OWN, REFEREES, Asked, OfAccount


class Enter(OfAccount, frozen=True, kw_only=True, tag="enter"):
    accounts: tuple[str, ...] = ()              # several at once, all or none
    club: str = ""
    team: str = ""
    country: str = ""
    members: tuple[str, ...] = ()               # LG-971 of the team that `account` is the captain of, in the order of the boards
    reserves: tuple[str, ...] = ()
    who, for_others, bots = OWN, OFFICIALS, True


class LineUp(OfAccount, frozen=True, kw_only=True, tag="line_up"):
    """`account` is the captain; a board that is not named stays empty."""

    round: int
    accounts: tuple[str, ...]
    who, bots = OWN, True


class Withdraw(OfAccount, frozen=True, kw_only=True, tag="withdraw"):
    reason: str = ""
    who, for_others, bots = OWN, BOTH, True


class Return(OfAccount, frozen=True, kw_only=True, tag="return"):
    who, for_others, bots = OWN, REFEREES, True


class CheckIn(OfAccount, frozen=True, kw_only=True, tag="check_in"):
    who, bots = OWN, True


class Consent(OfAccount, frozen=True, kw_only=True, tag="consent"):
    who = OWN


class RequestBye(OfAccount, frozen=True, kw_only=True, tag="request_bye"):
    round: int
    bye: Literal["half", "zero", "none"]
    who = OWN


class GiveBye(Asked, frozen=True, kw_only=True, tag="give_bye"):
    account: str
    round: int
    bye: Literal["full", "given_half"]
    reason: str = ""
    who = REFEREES


class Substitute(Asked, frozen=True, kw_only=True, tag="substitute"):
    account: str
    by: str
    reason: str = ""
    who = REFEREES


class ImportEntrants(Asked, frozen=True, kw_only=True, tag="import_entrants"):
    csv: str
    dry_run: bool = False
    update: bool = False
    who = OFFICIALS


class Invite(Asked, frozen=True, kw_only=True, tag="invite"):
    account: str
    who = OFFICIALS


class AcceptInvitation(OfAccount, frozen=True, kw_only=True, tag="accept_invitation"):
    who, bots = OWN, True


class Disqualify(Asked, frozen=True, kw_only=True, tag="disqualify"):
    account: str
    reason: str = ""
    annul: Literal["keep", "void", "win"] = "keep"
    who = REFEREES


class Lift(Asked, frozen=True, kw_only=True, tag="lift"):
    account: str
    reason: str = ""
    who = REFEREES


class Ready(OfAccount, frozen=True, kw_only=True, tag="ready"):
    who, bots = OWN, True


class Rest(OfAccount, frozen=True, kw_only=True, tag="rest"):
    who, bots = OWN, True


class ChallengeAct(Asked, frozen=True, kw_only=True, tag="challenge"):
    """`account` is the challenged; at a larger table `others` are challenged too. It asks for who acts, or for a `challenger` of theirs."""

    account: str
    others: tuple[str, ...] = ()
    challenger: str = ""


class Answer(OfAccount, frozen=True, kw_only=True, tag="answer"):
    yes: bool
    who, bots = OWN, True


class SetRungs(Asked, frozen=True, kw_only=True, tag="set_rungs"):
    order: tuple[str, ...]
    reason: str = ""
    who = REFEREES
