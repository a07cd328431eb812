"""Who holds the seeds? A numbered list with public commitments; the seeds themselves lie encrypted (PL-611 to PL-621)."""

from __future__ import annotations

import hashlib
import hmac
import os
from collections.abc import Mapping, Sequence
from typing import Any

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from shared.kernel.dice import commitment, match_key
from shared.runtime.settings import Settings

AHEAD = 1000  # PL-611: unused commitments that are public at any time
_NONCE = 12


def seal(settings: Settings, number: int, seed: bytes) -> bytes:
    """The seed as it is stored: AES-GCM under the master key, bound to its number."""
    nonce = os.urandom(_NONCE)
    return nonce + AESGCM(_key(settings)).encrypt(nonce, seed, str(number).encode())


def unseal(settings: Settings, number: int, stored: bytes) -> bytes:
    """The seed; raises cryptography's InvalidTag under another key or number."""
    return AESGCM(_key(settings)).decrypt(stored[:_NONCE], stored[_NONCE:], str(number).encode())


def new_seed(settings: Settings, number: int) -> tuple[str, bytes]:
    """A fresh seed from the operating system: its commitment, and the seed sealed."""
    seed = os.urandom(32)
    return commitment(number, seed), seal(settings, number, seed)


def key_of(seed: bytes, match: Mapping[str, Any], contributions: Sequence[str | None]) -> bytes:
    """PL-615 The key of a match; those that share a deal put their group in its place and take no contributions (PL-392)."""
    names = match["game"], match["version"], match["pack_hash"]
    if match["deal_group"] is not None:
        return match_key(seed, match["deal_group"], *names, ())
    return match_key(seed, match["match_id"], *names, contributions)


def salt_of(settings: Settings, match_id: str, step: int) -> bytes:
    """PL-390 What stands in front of everything hashed in a step, so that a hash over few possibilities tells nothing."""
    return hmac.digest(_key(settings), f"salt|{match_id}|{step}".encode(), "sha256")[:16]


def key_for(settings: Settings, purpose: str) -> bytes:
    """A key of its own for each thing that the master key protects."""
    return hashlib.sha256(f"cupboard-{purpose}|{settings.master_key}".encode()).digest()


def _key(settings: Settings) -> bytes:
    return key_for(settings, "seeds")
