"""What does a process tell of itself? One JSON object a line: a constant event name, facts as fields, nothing that must stay hidden."""

import logging
import sys
from collections.abc import Mapping, MutableMapping
from typing import Any, TextIO

import structlog

HIDDEN = frozenset({
    "seed", "state", "view", "letter", "token", "password", "cookie", "key", "secret", "command", "authorization",
})
MASK = "********"
CHATTY = ("celery.app.trace", "celery.worker.strategy")  # two lines for each bell, of which nothing but the sentence may be kept
Facts = MutableMapping[str, Any]


def start(process: str, level: str = "info", to: TextIO | None = None) -> None:
    """PL-737 Sets up this process; libraries that use `logging` come out in the same form."""
    first: list[Any] = [structlog.contextvars.merge_contextvars, structlog.processors.add_log_level,
                        structlog.processors.TimeStamper(fmt="iso", utc=True)]
    last = [structlog.stdlib.ProcessorFormatter.remove_processors_meta, PLACES_ONLY, _named(process), hide,
            structlog.processors.JSONRenderer(default=str)]
    structlog.configure(processors=[structlog.stdlib.filter_by_level, *first, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
                        logger_factory=structlog.stdlib.LoggerFactory(), wrapper_class=structlog.stdlib.BoundLogger)
    lines = logging.StreamHandler(to or sys.stderr)
    lines.setFormatter(structlog.stdlib.ProcessorFormatter(foreign_pre_chain=[*first, _foreign], processors=last))
    logging.basicConfig(handlers=[lines], level=level.upper(), force=True)
    logging.captureWarnings(capture=True)
    for module in CHATTY:
        logging.getLogger(module).setLevel(logging.WARNING)


def get(module: str) -> structlog.stdlib.BoundLogger:
    logger: structlog.stdlib.BoundLogger = structlog.stdlib.get_logger(module=module)
    return logger


def hide(_logger: object, _method: str, facts: Facts) -> Facts:
    """PL-737 Masks every field, however deep, one word of whose name is in HIDDEN."""
    return {name: _hidden(name, value) for name, value in facts.items()}


def _hidden(name: str, value: object) -> object:
    words = set(name.lower().replace("-", "_").split("_"))
    if words & HIDDEN or {word.removesuffix("s") for word in words} & HIDDEN:
        return MASK
    match value:
        case Mapping():
            return {str(inner): _hidden(str(inner), of_it) for inner, of_it in value.items()}
        case list() | tuple():
            return [_hidden(name, one) for one in value]
        case _:
            return value


def _named(process: str) -> Any:
    return lambda _logger, _method, facts: {"process": process, **facts}


def _foreign(_logger: object, _method: str, facts: Facts) -> Facts:
    """A library fills its sentence with what it likes, so only the sentence itself is kept."""
    record: logging.LogRecord = facts["_record"]
    return {**facts, "event": "library", "module": record.name, "sentence": str(record.msg)}


def _place(exc_info: structlog.typing.ExcInfo) -> list[Facts]:
    """Kind and places of an exception: its words and its local variables may quote a hand of cards."""
    found = structlog.tracebacks.extract(*exc_info, show_locals=False)
    return [{"kind": stack.exc_type, "places": [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in stack.frames]}
            for stack in found.stacks]


PLACES_ONLY = structlog.processors.ExceptionRenderer(_place)
