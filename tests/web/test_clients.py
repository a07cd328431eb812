"""Does an independent client of OAuth 2 get in by a person's browser, and out again by their settings?"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
import requests
from oauthlib.oauth2 import InvalidGrantError
from playwright.sync_api import Page, expect
from requests_oauthlib import OAuth2Session

from tests.ledger import rule
from tests.web.conftest import Meet, Person, Stack, send

FACTS = "/.well-known/oauth-authorization-server"


class Waiting(BaseHTTPRequestHandler):
    """What a program on the person's own machine does: it waits for the browser."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!doctype html><title>Back</title><link rel=icon href=data:><h1>Back at the program</h1>")

    def log_message(self, *_words: object) -> None:
        pass


@pytest.fixture
def back() -> Iterator[str]:
    """The address at which the program waits."""
    with HTTPServer(("127.0.0.1", 0), Waiting) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/back"
        server.shutdown()


def registered(maker: Person, back: str) -> str:
    """The client_id of a program that the maker registers in a form."""
    page = maker.go("/account/clients")
    page.fill("#f-name", f"Ladder of {maker.name}")
    page.fill("#f-homepage", "https://ladder.example/")
    page.fill("#f-redirects", "ladder.example")
    send(page, "text=Register it")
    expect(page.locator(".fault")).to_contain_text("https://")
    assert page.input_value("#f-name") == f"Ladder of {maker.name}"
    page.fill("#f-redirects", back)
    send(page, "text=Register it")
    maker.complaints.clear()        # 422 for the address, which the browser notes
    return page.locator("section.card code").first.inner_text()


def asked(page: Page, address: str, answer: str) -> None:
    page.goto(address)
    expect(page.locator("h1")).to_contain_text("Let Ladder of")
    expect(page.locator("main li")).to_have_count(2)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    send(page, f"button:text-is('{answer}')")


@rule("PL-179", "PL-701")
def test_a_program_is_registered_let_in_and_put_out_without_scripts(meet: Meet, stack: Stack, back: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("OAUTHLIB_INSECURE_TRANSPORT", "1")      # all of this is one machine
    maker, person = meet(java_script_enabled=False), meet(java_script_enabled=False, viewport={"width": 360, "height": 780})
    client, facts = registered(maker, back), requests.get(stack.base + FACTS, timeout=10).json()
    program = OAuth2Session(client, redirect_uri=back, scope=["account:read", "match:read"], pkce="S256")
    address, state = program.authorization_url(facts["authorization_endpoint"])
    asked(person.page, address, "No")
    assert person.page.url.startswith(f"{back}?error=access_denied")
    asked(person.page, address, "Let it in")
    expect(person.page.locator("h1")).to_have_text("Back at the program")
    assert f"state={state}" in person.page.url
    first = program.fetch_token(facts["token_endpoint"], authorization_response=person.page.url, include_client_id=True)["refresh_token"]
    assert program.get(f"{stack.base}/api/v1/me", timeout=10).json()["name"] == person.name
    second = program.refresh_token(facts["token_endpoint"], client_id=client)["refresh_token"]
    assert program.get(f"{stack.base}/api/v1/me/asks", timeout=10).status_code == 200

    page = person.go("/account")
    expect(page.locator("section:has(#h-let-in)")).to_contain_text("See your matches")
    send(page, "text=Take it back")
    expect(page.locator("section:has(#h-let-in)")).to_contain_text("None.")
    assert program.get(f"{stack.base}/api/v1/me", timeout=10).json()["code"] == "bad_token"
    for token in (first, second):
        with pytest.raises(InvalidGrantError):
            program.refresh_token(facts["token_endpoint"], refresh_token=token, client_id=client)
    send(maker.go("/account/clients"), "text=Remove")
    page.goto(address)
    expect(page.locator("h1")).to_have_text("This link leads nowhere")
    person.complaints.clear()       # 400, which the browser notes
