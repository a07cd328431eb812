"""Which addresses outside may this installation call, and how are the secrets kept that it signs with?"""

from __future__ import annotations

import hashlib
import ipaddress
import os
import re
import socket
from typing import NamedTuple
from urllib.parse import urlsplit

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from shared.runtime.settings import Settings

WRITTEN = re.compile(r"[\x21-\x7e]{1,500}")
# Addresses in which another one is wrapped, which may be anything: 6to4, Teredo, NAT64.
WRAPPED = tuple(map(ipaddress.ip_network, ("2002::/16", "2001::/32", "64:ff9b::/96", "64:ff9b:1::/48")))
NONCE = 12


class AddressRefused(ValueError):
    """In words why this address is not called."""


class Target(NamedTuple):
    """An address, taken apart."""

    host: str
    port: int
    path: str           # with its query
    secure: bool


def target_of(address: str, settings: Settings) -> Target:
    """PL-601 https to an allowed port, without a user part; names are looked up at each attempt."""
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError as error:
        raise AddressRefused("this is no address") from error
    if not WRITTEN.fullmatch(address) or not parts.hostname or "@" in parts.netloc or parts.fragment:
        raise AddressRefused("an address with a host and a path, without user and fragment, in at most 500 characters")
    secure = parts.scheme == "https"
    if not secure and not (settings.webhook_local and parts.scheme == "http"):
        raise AddressRefused("it must begin with https://")
    target = Target(parts.hostname, port or (443 if secure else 80), (parts.path or "/") + (f"?{parts.query}" if parts.query else ""), secure)
    if not settings.webhook_local and str(target.port) not in settings.webhook_ports.split(","):
        raise AddressRefused(f"allowed are the ports {settings.webhook_ports}")
    if _is_number(target.host) and not (settings.webhook_local or is_public(target.host)):
        raise AddressRefused("it is not public")
    return target


def place_of(target: Target, settings: Settings) -> str:
    """PL-601 One number behind the name, at this moment; refused is a name behind which any number is not public."""
    found = [str(row[4][0]) for row in socket.getaddrinfo(target.host, target.port, type=socket.SOCK_STREAM)]
    if not found or not (settings.webhook_local or all(map(is_public, found))):
        raise AddressRefused("it is not public")
    return found[0]


def is_public(number: str) -> bool:
    """Whether anybody in the world may be called there, and not this machine or a neighbour of it by another name."""
    address = ipaddress.ip_address(number)
    if isinstance(address, ipaddress.IPv6Address) and (address.ipv4_mapped or address.scope_id or any(address in part for part in WRAPPED)):
        return False
    return address.is_global and not address.is_multicast and not address.is_reserved


def _is_number(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def seal(settings: Settings, name: str, secret: bytes) -> bytes:
    """PL-817 As it is stored: encrypted under the newest key, bound to whose it is."""
    nonce = os.urandom(NONCE)
    return nonce + AESGCM(_keys(settings)[0]).encrypt(nonce, secret, name.encode())


def unseal(settings: Settings, name: str, stored: bytes) -> bytes:
    """PL-817 Under whichever key in force it was stored; raises cryptography's InvalidTag where it was none of them."""
    for key in _keys(settings):
        try:
            return AESGCM(key).decrypt(stored[:NONCE], stored[NONCE:], name.encode())
        except InvalidTag:
            continue
    raise InvalidTag


def _keys(settings: Settings) -> list[bytes]:
    return [hashlib.sha256(f"cupboard-hooks|{key.strip()}".encode()).digest() for key in settings.hook_key.split(",")]
