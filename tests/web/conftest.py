"""What do the tests of the site stand on? The real gateway and stream, workers of two games, and people with a browser."""

from __future__ import annotations

import hashlib
import itertools
import os
import secrets
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest
import requests
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright
from psycopg.rows import dict_row

from services.champions.game import GAME as CHAMPIONS
from services.gateway.accounts import name_key
from services.league.tasks import League
from shared.runtime.announce import announce
from shared.runtime.servers import Server
from shared.runtime.settings import Settings, read
from shared.runtime.watch import Watch
from shared.runtime.worker import Worker
from tests.laws.pebbles.game import GAME as PEBBLES

NUMBERS = itertools.count(1)
RUNNING: list[Stack] = []
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync", "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup"]     # no process for a line that nobody types in
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
PATIENCE_MS = 30_000  # a page answers in a tenth of a second; the machine may have much else to do
expect.set_options(timeout=PATIENCE_MS)


@dataclass
class Person:
    """Somebody with an account and a browser that is signed in; or a guest."""

    stack: Stack
    window: BrowserContext
    page: Page
    id: str = ""
    name: str = ""
    cookie: str = ""
    complaints: list[str] = field(default_factory=list)

    def go(self, path: str) -> Page:
        self.page.goto(self.stack.base + path)
        return self.page

    def api(self, method: str, path: str, body: Any = None) -> Any:
        """The API as this person, beside the browser."""
        headers = {"Idempotency-Key": secrets.token_hex(8), "Sec-Fetch-Site": "same-origin", "Prefer": "wait=5"}
        answer = requests.request(method, f"{self.stack.base}/api/v1{path}", json=body, headers=headers, cookies={"cupboard": self.cookie}, timeout=20)
        assert answer.ok, answer.text
        return answer.json() if answer.content else None

    def asks(self, match: str) -> list[Any]:
        return list(self.api("GET", f"/matches/{match}/asks")["items"])

    def command(self, match: str, **command: Any) -> Any:
        """Answers the one open ask."""
        [ask] = self.asks(match)
        return self.api("POST", f"/matches/{match}/commands", {"seat": ask["seat"], "ask": ask["ask"], "command": command})

    def safe(self, match: str) -> bool:
        """The safe answer, if one is needed."""
        needed = [ask for ask in self.asks(match) if ask["needed"]]
        for ask in needed:
            self.api("POST", f"/matches/{match}/commands", {"seat": ask["seat"], "ask": ask["ask"], "command": ask["on_timeout"]})
        return bool(needed)


class Stack:
    """Gateway and stream as processes, the workers as threads of the tests."""

    def __init__(self, settings: Settings) -> None:
        self.settings, self.base = settings, f"http://127.0.0.1:{settings.port}"
        self.owner = psycopg.connect(settings.database_url, autocommit=True, row_factory=dict_row)
        self.over = threading.Event()
        self.threads: list[threading.Thread] = []
        for game in (PEBBLES, CHAMPIONS):
            announce(game, settings)
            self.watch(game)
        self.do("UPDATE games SET stage = 'league', host_chair = true")
        self.league = League(settings)
        threading.Thread(target=self.league.run, daemon=True).start()
        self.processes = [self._process(kind) for kind in ("gateway", "stream")]

    def watch(self, game: Any) -> None:
        """Worker and watch of one game, looking all the time."""
        worker, watch = Worker(game, self.settings), Watch(game, self.settings)
        watch.lengthen_seeds()

        def loop() -> None:
            rounds = 0
            while not self.over.is_set():
                worker.look()
                if rounds % 12 == 0:
                    watch.round()
                rounds += 1
                self.over.wait(0.04)
            worker.database.close()
            watch.database.close()
        self.threads.append(threading.Thread(target=loop, daemon=True))
        self.threads[-1].start()

    def _process(self, kind: str) -> subprocess.Popen[bytes]:
        s = self.settings
        return subprocess.Popen([sys.executable, "-m", "shared.desk.cli", "serve", kind], env={
            **os.environ, "CUPBOARD_LOCAL": "1", "DATABASE_URL": s.database_url, "REDIS_URL": s.redis_url, "CUPBOARD_PORT": str(s.port),
            "CUPBOARD_STREAM_PORT": str(s.stream_port), "CUPBOARD_STREAM_POLL": "1", "CUPBOARD_GATEWAY_PROCESSES": "1", "CUPBOARD_LOG_LEVEL": "warning",
            "CUPBOARD_GAMES": s.games, "CUPBOARD_RATE_LIMIT_FACTOR": "100",
            "CUPBOARD_MAIL_FROM": "Cupboard <league@example.org>"})

    def ready(self) -> Stack:
        for port in (self.settings.port, self.settings.stream_port):
            until = time.monotonic() + 60
            while not _answers(f"http://127.0.0.1:{port}/health/ready"):
                assert time.monotonic() < until, f"nobody answers on port {port}"
                time.sleep(0.1)
        return self

    def do(self, query: str, *facts: Any) -> None:
        self.owner.execute(query, facts)

    def one(self, query: str, *facts: Any) -> Any:
        return self.owner.execute(query, facts).fetchone()

    def stop(self) -> None:
        self.over.set()
        self.league.stop()
        for process in self.processes:
            process.terminate()
        for process in self.processes:
            process.wait(15)
        for thread in self.threads:
            thread.join(15)
        self.owner.close()


@pytest.fixture(scope="session")
def last_stack(postgres_server: Server, redis_server: Server) -> Iterator[None]:
    """It ends before its servers do."""
    yield
    stop_all()


@pytest.fixture
def stack(last_stack: None, postgres_server: Server, migrated: str, redis_server: Server) -> Stack:
    """One for all tests of this folder that come together."""
    if not RUNNING:
        name = f"web_house_{next(NUMBERS)}"
        with psycopg.connect(postgres_server.url, dbname="postgres", autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name} TEMPLATE {migrated}")
        url = urlunsplit(urlsplit(postgres_server.url)._replace(path=f"/{name}"))
        RUNNING.append(Stack(read({"CUPBOARD_LOCAL": "1", "DATABASE_URL": url, "REDIS_URL": redis_server.url, "CUPBOARD_PORT": str(_free_port()),
                                   "CUPBOARD_STREAM_PORT": str(_free_port()), "CUPBOARD_GAMES": "tests.laws.pebbles.game:GAME"})))
        RUNNING[0].ready()
    return RUNNING[0]


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """The stack ends when tests of another folder follow: it would go on looking beside all of them."""
    if nextitem is not None and nextitem.path.parent != item.path.parent:
        stop_all()


def stop_all() -> None:
    while RUNNING:
        RUNNING.pop().stop()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    found = read({"CUPBOARD_LOCAL": "1"}).chromium or next(filter(None, map(shutil.which, BROWSERS)), None)
    assert found, "no Chromium: `make browser` says how to get one"
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=found, args=FLAGS)
        yield opened
        opened.close()


Meet = Callable[..., Person]


def send(page: Page, button: str) -> None:
    """Presses a button that sends a form, and waits for the page that answers: what comes next may rely on it."""
    with page.expect_navigation():
        page.click(button)


@pytest.fixture
def meet(stack: Stack, browser: Browser) -> Iterator[Meet]:
    """Somebody new; `guest` has no account, everything else is for the browser. No page may have had an error."""
    met: list[Person] = []

    def one(*, guest: bool = False, **browser_facts: Any) -> Person:
        window = browser.new_context(**{"reduced_motion": "reduce", **browser_facts})
        window.set_default_timeout(PATIENCE_MS)
        person = Person(stack, window, window.new_page())
        person.page.on("console", lambda message: person.complaints.append(f"{message.text} {message.location.get('url')}") if message.type == "error" else None)
        person.page.on("pageerror", lambda error: person.complaints.append(str(error)))
        if not guest:
            _sign_in(person)
        met.append(person)
        return person

    yield one
    for person in met:
        person.window.close()
    assert not [complaint for person in met for complaint in person.complaints]


def _sign_in(person: Person) -> None:
    number = next(NUMBERS)
    person.id, person.name, person.cookie = f"a-web{number}", f"web{number}", secrets.token_urlsafe(32)
    stack = person.stack
    stack.do("INSERT INTO accounts (account_id, name, name_key, kind) VALUES (%s, %s, %s, 'person')", person.id, person.name, name_key(person.name))
    stack.do("INSERT INTO sessions (session_hash, session_id, account_id, form_token) VALUES (%s, %s, %s, %s)",
             hashlib.sha256(person.cookie.encode()).digest(), f"s-{number}", person.id, secrets.token_urlsafe(16))
    person.window.add_cookies([{"name": "cupboard", "value": person.cookie, "url": stack.base}])


@pytest.fixture
def table(stack: Stack) -> Callable[..., str]:
    """A running match of these people, made over the API."""
    def make(*people: Person, game: str = "pebbles", bots: int = 0, start: bool = True, **wish: Any) -> str:
        first, *others = people
        level = {"pebbles": list(PEBBLES.bots), "champions": list(CHAMPIONS.bots)}[game][-1]
        seats = [{"kind": "me"}, *({"kind": "open"} for _ in others), *({"kind": "bot", "level": level} for _ in range(bots))]
        match = first.api("POST", "/matches", {"game": game, "seats": seats, "clock": {"preset": "none"},
                                               **({"opponents": "mixed"} if bots else {}), **wish})["match"]
        for other in others:
            other.api("POST", f"/matches/{match}/seats", {})
        for person in people if start else ():
            person.api("POST", f"/matches/{match}/ready", {"ready": True})
        until = time.monotonic() + 10
        while start and first.api("GET", f"/matches/{match}")["state"] != "running":
            assert time.monotonic() < until, "the match does not start"
            time.sleep(0.03)
        return str(match)
    return make


def _answers(address: str) -> bool:
    try:
        return requests.get(address, timeout=1).ok
    except requests.RequestException:
        return False


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
