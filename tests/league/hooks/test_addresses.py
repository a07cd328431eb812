"""Is nobody called who must not be, and is no answer trusted?"""

from __future__ import annotations

import socket
import ssl
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from services.league.inbox.office import Office
from services.relay import calling, line
from shared.runtime.outward import AddressRefused, is_public, place_of, seal, target_of, unseal
from shared.runtime.settings import Settings, read
from tests.league.hooks.conftest import Post
from tests.league.hooks.receiver import Receiver
from tests.league.inbox.conftest import Hall
from tests.ledger import rule

STRICT = read({"CUPBOARD_LOCAL": "1"})
NOT_PUBLIC = ["10.44.0.9", "127.0.0.1", "0.0.0.0", "169.254.169.254", "172.16.0.1", "192.168.1.1", "100.64.0.1", "224.0.0.1", "255.255.255.255", "192.0.2.1",
              "::1", "::", "fe80::1", "fe80::1%2", "fd00::1", "ff02::1", "::ffff:8.8.8.8", "::ffff:10.0.0.1", "64:ff9b::a00:1", "64:ff9b::808:808",
              "64:ff9b:1::1", "2002:a00:1::", "2001:0:4136:e378::1", "2001:db8::1"]


@rule("PL-601")
@pytest.mark.parametrize("number", NOT_PUBLIC)
def test_numbers_that_are_not_public_or_wrap_another_are_refused(number: str, monkeypatch: pytest.MonkeyPatch):
    assert not is_public(number)
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_a, **_k: [(0, 0, 0, "", ("93.184.215.14", 443)), (0, 0, 0, "", (number, 443))])
    with pytest.raises(AddressRefused):
        place_of(target_of("https://example.org/", STRICT), STRICT)


@rule("PL-601")
@pytest.mark.parametrize("number", ["93.184.215.14", "8.8.8.8", "2606:2800:220:1::1"])
def test_public_numbers_are_called(number: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_a, **_k: [(0, 0, 0, "", (number, 443))])
    assert place_of(target_of("https://example.org/", STRICT), STRICT) == number


@rule("PL-601")
@pytest.mark.parametrize("address", [
    "http://example.org/", "ftp://example.org/", "https://ada@example.org/", "https://ada:pw@example.org/", "https://@example.org/", "https://example.org:22/",
    "https://example.org:99999/", "https://127.0.0.1/", "https://[::1]/", "https://10.0.0.1/", "https:///nowhere", "https://exa mple.org/", "https://example.org/#x",
    "https://example.org/\n", "https://exämple.org/", "https://[::ffff:10.0.0.1]/", "", "example.org", "https://example.org/" + "x" * 500])
def test_addresses_of_another_form_are_refused(address: str):
    with pytest.raises(AddressRefused):
        target_of(address, STRICT)


@rule("PL-601")
def test_an_address_is_taken_apart_as_it_will_be_called():
    assert target_of("https://example.org:8443/a/b?c=d", STRICT) == ("example.org", 8443, "/a/b?c=d", True)
    assert target_of("https://example.org", STRICT) == ("example.org", 443, "/", True)
    assert target_of("http://localhost:9999/x", replace(STRICT, webhook_local=True)) == ("localhost", 9999, "/x", False)


@rule("PL-601", "EX-34")
def test_a_name_that_leads_inside_at_the_second_attempt_opens_no_connection(hall: Hall, office: Office, post: Post, receiver: Receiver,
                                                                            monkeypatch: pytest.MonkeyPatch):
    post.hook(receiver)
    hall.do("UPDATE hooks SET address = 'https://example.org/hook'")
    hall.made(office)
    post.settings = replace(post.settings, webhook_local=False)
    opened: list[object] = []
    monkeypatch.setattr(socket, "create_connection", lambda place, *_: opened.append(place) or (_ for _ in ()).throw(ConnectionRefusedError()))
    for number, reason in (("93.184.215.14", "connection"), ("10.44.0.9", "address")):
        monkeypatch.setattr(socket, "getaddrinfo", lambda *_a, number=number, **_k: [(0, 0, 0, "", (number, 443))])
        [one] = post.take()
        reply = post.send(one)
        assert reply.reason == reason
        line.mark(post.database, post.settings, one, reply, (0.0,))
    assert opened == [("93.184.215.14", 443)]
    assert (post.deliveries()[0]["status"], post.deliveries()[0]["reason"]) == (None, "address")


@rule("PL-601", "PL-596")
def test_a_name_that_nobody_knows_is_a_reason_and_not_an_error(monkeypatch: pytest.MonkeyPatch):
    def unknown(*_a: object, **_k: object) -> None:
        raise socket.gaierror(-2, "Name or service not known")
    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    assert calling.call("https://nobody.example/", b"", {}, STRICT).reason == "name"


@rule("PL-596", "PL-601")
def test_a_receiver_that_never_comes_to_an_end_is_cut_off(receiver: Receiver, settings: Settings, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(calling, "WHOLE", 0.3)
    receiver.drips = True
    assert calling.call(receiver.url, b"{}", {}, settings) == calling.Reply(reason="time")


@rule("PL-601")
def test_a_receiver_without_tls_or_nobody_at_all_is_a_reason(receiver: Receiver, settings: Settings):
    assert calling.call(receiver.url.replace("http:", "https:"), b"{}", {}, settings).reason == "tls"
    nobody = socket.socket()
    nobody.bind(("127.0.0.1", 0))
    assert calling.call(f"http://127.0.0.1:{nobody.getsockname()[1]}/", b"{}", {}, settings).reason == "connection"
    nobody.close()
    assert receiver.got == []


@rule("PL-817")
def test_secrets_are_stored_encrypted_under_a_key_that_can_be_changed(settings: Settings):
    old, both, new = (replace(settings, hook_key=key) for key in ("old", "new, old", "new"))
    stored = seal(old, "w-1", b"secret")
    assert b"secret" not in stored
    assert unseal(both, "w-1", stored) == b"secret"
    assert unseal(new, "w-1", seal(both, "w-1", b"secret")) == b"secret"
    for settings_, name in ((new, "w-1"), (both, "w-2")):
        with pytest.raises(InvalidTag):
            unseal(settings_, name, stored)


def certified(folder: Path, name: str) -> ssl.SSLContext:
    """A server's side of TLS under a certificate for this name, which stands in cert.pem."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.now(UTC)
    made = (x509.CertificateBuilder().subject_name(subject).issuer_name(subject).public_key(key.public_key()).serial_number(1)
            .not_valid_before(now - timedelta(days=1)).not_valid_after(now + timedelta(days=1))
            .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
            .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True).sign(key, hashes.SHA256()))
    (folder / "cert.pem").write_bytes(made.public_bytes(serialization.Encoding.PEM))
    (folder / "key.pem").write_bytes(key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()))
    served = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    served.load_cert_chain(folder / "cert.pem", folder / "key.pem")
    return served


@rule("PL-601", "PL-592")
@pytest.mark.parametrize(("name", "status", "reason"), [("hooks.example", 204, ""), ("other.example", None, "tls")])
def test_the_checked_number_is_called_under_the_name_of_the_address(name: str, status: int | None, reason: str, settings: Settings, tmp_path: Path,
                                                                   monkeypatch: pytest.MonkeyPatch):
    receiver = Receiver(certified(tmp_path, name))
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "cert.pem"))
    monkeypatch.setattr(calling, "place_of", lambda _target, _settings: "127.0.0.1")
    port = receiver.url.rpartition(":")[2]
    reply = calling.call(f"https://hooks.example:{port}/in?key=1", b"{}", {"webhook-id": "msg_1"}, settings)
    assert (reply.status, reply.reason) == (status, reason)
    assert [(got.path, got.headers["host"]) for got in receiver.got] == ([("/in?key=1", f"hooks.example:{port}")] if status else [])
    receiver.close()
