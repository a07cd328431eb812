"""Is every line of a log one JSON object that hides what must stay hidden?"""

import io
import json
import logging
from collections.abc import Iterator

import pytest
import structlog

from shared.runtime import log
from tests.ledger import rule


@pytest.fixture
def lines() -> Iterator[io.StringIO]:
    root = logging.getLogger()
    before, level = root.handlers[:], root.level
    written = io.StringIO()
    structlog.contextvars.clear_contextvars()       # what another test has bound in this thread
    log.start("gateway", to=written)
    yield written
    structlog.reset_defaults()
    logging.captureWarnings(False)
    root.handlers[:], root.level = before, level


def told(lines: io.StringIO) -> list[dict]:
    return [json.loads(line) for line in lines.getvalue().splitlines()]


@rule("PL-737")
def test_a_line_is_one_object_with_event_and_facts(lines: io.StringIO):
    log.get("matches").info("match_taken", match="m-1", arrival=4, step=9, trace="t\nwo")
    assert len(told(lines)) == 1
    assert told(lines)[0] | {"timestamp": ""} == {
        "event": "match_taken", "process": "gateway", "module": "matches", "level": "info", "timestamp": "",
        "match": "m-1", "arrival": 4, "step": 9, "trace": "t\nwo",
    }


@pytest.mark.parametrize("field", sorted(log.HIDDEN | {"api_token", "Authorization", "set-cookie", "views", "master_key", "seat_state"}))
@rule("PL-737")
def test_a_hidden_field_is_masked_wherever_it_lies(lines: io.StringIO, field: str):
    log.get("matches").warning("odd", **{field: "planted", "deep": {"list": [{field: {"deeper": "planted"}}]}})
    assert "planted" not in lines.getvalue()
    assert told(lines)[0][field] == log.MASK


@rule("PL-737")
def test_an_exception_is_told_without_its_words_and_variables(lines: io.StringIO):
    def broken(hand: str):
        raise KeyError(hand)

    try:
        broken("planted card")
    except KeyError:
        log.get("matches").exception("rule_broken")
    assert "planted" not in lines.getvalue()
    assert told(lines)[0]["exception"][0]["kind"] == "KeyError"
    assert "broken" in told(lines)[0]["exception"][0]["places"][-1]


@rule("PL-737")
def test_a_library_is_told_in_the_same_form_without_what_it_filled_in(lines: io.StringIO):
    logging.getLogger("celery.worker").warning("got %s", "planted")
    assert "planted" not in lines.getvalue()
    line = told(lines)[0]
    assert (line["event"], line["module"], line["sentence"], line["level"]) == ("library", "celery.worker", "got %s", "warning")


@rule("PL-737")
def test_what_is_bound_to_the_work_at_hand_is_on_each_line(lines: io.StringIO):
    with structlog.contextvars.bound_contextvars(match="m-1", request_id="r-1"):
        log.get("matches").info("accepted")
    assert (told(lines)[0]["match"], told(lines)[0]["request_id"]) == ("m-1", "r-1")


@rule("PL-737")
def test_a_bell_that_was_answered_is_no_line_and_one_that_broke_is(lines: io.StringIO):
    for module in log.CHATTY:
        logging.getLogger(module).info("Task %s succeeded", "planted")
        logging.getLogger(module).error("Task %s raised", "planted")
    assert [(line["module"], line["sentence"]) for line in told(lines)] == [(module, "Task %s raised") for module in log.CHATTY]
