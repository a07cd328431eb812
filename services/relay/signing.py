"""How does a receiver know that a delivery is ours? Standard Webhooks: `v1`, HMAC-SHA256 over id, time and body."""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Sequence


def headers_of(delivery: str, body: bytes, secrets: Sequence[bytes], now: int, attempt: int) -> dict[str, str]:
    """PL-592, PL-593 Time and signatures belong to the attempt; during a change of secret both sign."""
    signatures = " ".join(signature(delivery, body, secret, now) for secret in secrets)
    return {
        "content-type": "application/json", "user-agent": "Cupboard", "webhook-id": delivery, "webhook-timestamp": str(now),
        "webhook-signature": signatures, "cupboard-attempt": str(attempt),
    }


def signature(delivery: str, body: bytes, secret: bytes, now: int) -> str:
    signed = hmac.digest(secret, f"{delivery}.{now}.".encode() + body, hashlib.sha256)
    return f"v1,{base64.b64encode(signed).decode()}"
