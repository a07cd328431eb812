"""Mail: confirming an address, and stopping what comes."""

from __future__ import annotations

from services.gateway.edge.idempotency import Answer
from services.gateway.edge.routes import Call, Door, Routes
from services.gateway.mail import boxes

routes = Routes("mail", __name__, description="Addresses, and what comes by mail")
ASKED = {"accepted": True}


@routes.at("POST", "/me/mail-confirmation", Door("account.session", status=202, bucket="sign_in", example=ASKED))
def ask_to_confirm(call: Call) -> Answer:
    """Send the link that confirms one's mail address once more; the newest one counts."""
    boxes.ask_again(call.work, call.caller, call.gate.settings)
    return Answer(202, ASKED)


@routes.at("POST", "/mail-confirmations/<code>", Door("public", codes=("link_used",), bucket="sign_in"))
def confirm(call: Call, code: str) -> None:
    """Confirm a mail address by the link that was sent to it; it works once, for three days."""
    boxes.confirm(call.work, code)


@routes.at("POST", "/mail-stops/<code>", Door("public", bucket="sign_in"))
def stop(call: Call, code: str) -> None:
    """Stop mails of one kind, by the link in such a mail."""
    boxes.stop(call.work, code)
