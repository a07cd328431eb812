"""What becomes of a form that asked something of a competition?"""

from __future__ import annotations

from flask import redirect
from werkzeug.wrappers import Response

from services.gateway.web.inner import Said
from services.gateway.web.league.telling import DONE

ACCEPTED = 202


def done(said: Said, back: str, what: str = "") -> Response | None:
    """Back to where it can be seen, and said there; nothing if it was refused. What still waits for the league is seen there as soon as it is done."""
    if not said.good:
        return None
    told = "waiting" if said.status == ACCEPTED and said.facts.get("state") == "waiting" else what
    return redirect(f"{back}?done={told}" if told in DONE else back, 303)
