"""What becomes of a form that asked something of a competition?"""

from __future__ import annotations

from flask import redirect
from werkzeug.wrappers import Response

from services.gateway.web.inner import Said


def done(said: Said, back: str) -> Response | None:
    """Back to where it can be seen; nothing if it was refused. What still waits for the league is seen there as soon as it is done."""
    return redirect(back, 303) if said.good else None
