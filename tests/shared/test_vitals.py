"""Does a process say truly whether it is well?"""

import json
import urllib.error
import urllib.request
from urllib.parse import urlsplit, urlunsplit

import pytest

from shared.runtime import servers, vitals
from tests.ledger import rule


def look(port: int, path: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=5) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as refused:
        return refused.code, refused.read().decode()


@rule("PL-739")
def test_a_process_on_a_migrated_database_is_ready(database: str):
    port = servers.free_port()
    vitals.serve(port, database, {})
    assert look(port, "/health/live") == (200, "alive\n")
    assert look(port, "/health/ready") == (200, '{"ready": true, "missing": []}')
    assert look(port, "/elsewhere")[0] == 404


@rule("PL-739")
def test_what_is_missing_is_named(empty_database: str):
    port = servers.free_port()
    vitals.serve(port, empty_database, {"progress": lambda: False})
    status, told = look(port, "/health/ready")
    assert (status, json.loads(told)) == (503, {"ready": False, "missing": ["migration", "progress"]})


@rule("PL-739")
def test_a_clock_that_differs_is_named(database: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(vitals.time, "time", lambda: 0.0)
    assert vitals.missing(database, {}) == ["clock"]


@rule("PL-739")
def test_a_database_that_is_away_is_named(database: str):
    away = urlunsplit(urlsplit(database)._replace(netloc=f"cupboard@127.0.0.1:{servers.free_port()}"))
    assert vitals.missing(away, {}) == ["database"]


@rule("PL-736")
def test_metrics_are_told_in_the_usual_form():
    port = servers.free_port()
    vitals.serve(port, "postgresql://nowhere", {})
    status, told = look(port, "/metrics")
    assert status == 200
    assert "# TYPE python_info gauge" in told
