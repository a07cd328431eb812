"""Which settings are there, what may each be, and which are in force?

Every duration is in seconds (a float; the environment may also say `500ms`, `2h`, `7d`), every size in bytes (or `16KiB`).
The environment names a setting `CUPBOARD_<NAME>`, except the three addresses that other programs know by a name of their own.
"""

import dataclasses
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias
from urllib.parse import quote, urlsplit, urlunsplit

Row: TypeAlias = "dataclasses.Field[Any]"
DAY = 86_400.0
KIB = 1_024
UNMARKED = "cupboard-local"             # what a secret is while nobody has chosen one
OWN_NAMES = {"database_url": "DATABASE_URL", "redis_url": "REDIS_URL", "broker_url": "BROKER_URL"}
PURPOSES = ("broker", "bells", "limits")     # the numbers of the Redis databases
ROLES = ("gateway", "stream", "worker", "league", "relay")
SMALLER = (("accept_budget", "timer_grace"), ("task_time_limit", "visibility_timeout"),
           ("task_soft_time_limit", "task_time_limit"), ("resend_after", "inline_after"))
UNITS: Mapping[str, Mapping[str, float]] = {
    "seconds": {"": 1, "ms": 0.001, "s": 1, "m": 60, "h": 3_600, "d": DAY},
    "bytes": {"": 1, "kib": KIB, "mib": KIB * KIB},
    "count": {"": 1},
}


class SettingRefused(ValueError):
    """Names the setting, its value and what would be allowed."""


def _row(unit: str, default: object, meaning: str, **more: object) -> Any:
    return dataclasses.field(default=default, metadata={"unit": unit, "meaning": meaning, **more})


def _between(unit: str, default: float, least: float, most: float, meaning: str) -> Any:
    return _row(unit, default, meaning, least=least, most=most)


def secret(meaning: str, *used_by: str) -> Any:
    return _row("secret", UNMARKED, meaning, used_by=used_by)


seconds, count, size = partial(_between, "seconds"), partial(_between, "count"), partial(_between, "bytes")
text, flag, address = partial(_row, "text"), partial(_row, "flag"), partial(_row, "address")


@dataclass(frozen=True)
class Settings:
    """One row per setting: its name, its default, the least and the most, and what it is for."""

    local: bool = flag(False, "the local run: unmarked secrets are accepted")
    folder: str = text("var", "where the local run keeps its files")
    archive_folder: str = text("", "where archived matches lie, if not in FOLDER/archive; watches write there, gateways and streams read")
    database_url: str = address("postgresql://cupboard@127.0.0.1:5432/cupboard", "Postgres; name and password are replaced per role")
    redis_url: str = address("redis://127.0.0.1:6379", "Redis or Valkey; each of PURPOSES gets a database of its own")
    broker_url: str = address("", "the Celery broker, if not database 0 of REDIS_URL")
    host: str = text("127.0.0.1", "address on which gateway and stream listen")
    port: int = count(8_000, 1, 65_535, "port of the gateway")
    stream_port: int = count(8_001, 1, 65_535, "port of the stream")
    vitals_port: int = count(0, 0, 65_535, "port for health and metrics of a process without pages; 0 is none")
    public_url: str = address("", "address that people use for the gateway, if not http://HOST:PORT")
    stream_url: str = address("", "address that browsers use for streams, if not STREAM_PORT on the host of the gateway")
    postgres_bin: str = text("", "folder with the programs of Postgres for the local run; found by itself when empty")
    redis_bin: str = text("", "redis-server or valkey-server for the local run; found by itself when empty")
    chromium: str = text("", "the Chromium of the page tests; found by itself when empty")
    games: str = text("", "games beside the registered ones, module:NAME, separated by commas")
    log_bytes: int = size(8 * KIB * KIB, 64 * KIB, 4_096 * KIB * KIB, "largest log of a process of the local run; one older part is kept beside it")
    log_level: str = text("info", "debug, info, warning or error")

    master_key: str = secret("encrypts the seeds of matches that are not over", "worker")
    gateway_password: str = secret("password of the database role cupboard_gateway", "gateway", "migrate")
    stream_password: str = secret("password of the database role cupboard_stream", "stream", "migrate")
    worker_password: str = secret("password of the database role cupboard_worker", "worker", "migrate")
    league_password: str = secret("password of the database role cupboard_league", "league", "migrate")
    relay_password: str = secret("password of the database role cupboard_relay", "relay", "migrate")
    hook_key: str = secret("encrypts the secrets of webhooks and second factors; where it is changed, the old one stands behind a comma", "gateway", "relay")

    gateway_processes: int = count(2, 1, 64, "gateway processes")
    gateway_threads: int = count(8, 1, 128, "threads of one gateway process")
    stream_processes: int = count(1, 1, 64, "stream processes")
    worker_processes: int = count(1, 1, 64, "children of one worker of a game")
    pool_size: int = count(8, 1, 128, "most database connections of one process")

    accept_budget: float = seconds(1.5, 0.2, 5, "from receipt to commit of a command; less than timer_grace")
    timer_grace: float = seconds(2.0, 0.5, 10, "after a deadline, before the time-out")
    watch_period: float = seconds(1.0, 0.2, 60, "one round of the watch")
    resend_after: float = seconds(1.0, 0.5, 60, "age of a waiting row at which its message is sent again")
    inline_after: float = seconds(10.0, 2, 600, "age of a waiting row at which the watch carries it out itself")
    wait_max: float = seconds(20.0, 0, 60, "longest wait that a client may ask for with Prefer: wait")
    waiting_per_match: int = count(64, 1, 1_000, "waiting rows of one match")
    commands_per_batch: int = count(50, 1, 1_000, "commands in one batch")
    matches_per_take: int = count(16, 1, 200, "matches in one transaction of a worker")
    careful_after: float = seconds(5.0, 1, 10, "a take longer than this is repeated in careful mode, as after an exception")
    attempts_before_stuck: int = count(3, 1, 10, "failed attempts at one command before its match is stuck")
    visibility_timeout: float = seconds(60.0, 10, 3_600, "after which the broker delivers an unfinished task again")
    task_time_limit: float = seconds(30.0, 2, 600, "after which a worker's child is killed; less than visibility_timeout")
    task_soft_time_limit: float = seconds(20.0, 1, 600, "after which a take is interrupted; less than task_time_limit")
    idle_in_transaction: float = seconds(5.0, 1, 60, "after which Postgres ends a transaction that does nothing")
    lock_timeout: float = seconds(2.0, 1, 60, "longest wait for a row lock")
    statement_timeout: float = seconds(5.0, 1, 60, "longest statement")
    publish_timeout: float = seconds(0.5, 0.1, 2, "after which the gateway gives up sending to Redis")
    queue_old: float = seconds(30.0, 5, 3_600, "age of a game's oldest waiting row at which new commands get 503")
    stream_heartbeat: float = seconds(15.0, 5, 60, "a sign of life on every stream")
    stream_poll: float = seconds(5.0, 1, 30, "a look at the database when no bell has rung")
    stream_life: float = seconds(3_600.0, 300, DAY, "life of one stream")
    streams_per_account: int = count(10, 1, 1_000, "open streams of one account")
    streams_per_bot: int = count(4, 1, 1_000, "open streams of one bot token")
    letters_kept: float = seconds(7 * DAY, DAY, 365 * DAY, "letters, views, state and steps after the end of a match, before they are archived")
    suspension_grace: float = seconds(DAY, 0, 30 * DAY, "after which the seats of a suspended account are left, unless the operator says otherwise")
    holiday_days: int = count(28, 0, 366, "days of a year on which an account may stop its clocks of matches by correspondence")
    open_match_life: float = seconds(7 * DAY, 3_600, 90 * DAY, "after which a match that has not started expires")
    outage_credited: float = seconds(60.0, 5, 3_600, "length from which an outage is credited to clocks")
    webhook_attempts: int = count(10, 1, 20, "attempts to deliver one webhook, over 76 hours; of competitions 8 at most, then it is paused")
    webhook_pause_after: int = count(50, 5, 1_000, "failures in a row that pause a webhook")
    webhook_ports: str = text("443,8443", "ports to which webhooks may go, separated by commas")
    webhook_local: bool = flag(False, "webhooks may also go to addresses that are not public, without TLS and to any port: for development")
    mail_from: str = text("", "sender of mails, as in `Cupboard <league@example.org>`; empty: there is no mail, and the site says nothing of it")
    smtp_url: str = address("", "mail server of the relay, smtp://NAME:PASSWORD@HOST:587 (STARTTLS) or smtps://...:465; needed with mail_from")
    smtp_plain: bool = flag(False, "smtp:// goes without TLS: to a mail server on the same machine or network")
    keys_kept: float = seconds(30 * DAY, DAY, 365 * DAY, "idempotency keys other than those of commands")
    command_bytes: int = size(16 * KIB, KIB, 4 * KIB * KIB, "largest body of a command")
    audience_members: int = count(5_000, 0, 5_000, "most members of one audience; 0 switches audiences off")
    rate_limit_factor: int = count(1, 1, 1_000, "multiplies the rate limits of the gateway")
    body_bytes: int = size(256 * KIB, KIB, 4 * KIB * KIB, "largest body of any other request")

    @property
    def origin(self) -> str:
        return self.public_url.rstrip("/") or f"http://{self.host}:{self.port}"

    @property
    def broker(self) -> str:
        return self.broker_url or self.redis_of("broker")

    def database_of(self, role: str) -> str:
        """The address of the database for one of ROLES, under its own name and password."""
        parts = urlsplit(self.database_url)
        password = quote(getattr(self, f"{role}_password"), safe="")
        place = parts.netloc.rpartition("@")[2]
        return urlunsplit(parts._replace(netloc=f"cupboard_{role}:{password}@{place}"))

    def passwords(self) -> dict[str, str]:
        """PL-815 The database roles with their passwords."""
        return {f"cupboard_{role}": getattr(self, f"{role}_password") for role in ROLES}

    def redis_of(self, use: str) -> str:
        """PL-770 The address of one of PURPOSES in Redis."""
        return urlunsplit(urlsplit(self.redis_url)._replace(path=f"/{PURPOSES.index(use)}"))

    def changed(self) -> Iterator[tuple[str, str, str]]:
        """PL-771 Name, value and default of every setting that differs from its default, secrets masked."""
        for row in dataclasses.fields(self):
            if getattr(self, row.name) != row.default:
                yield row.name, shown(row, getattr(self, row.name)), shown(row, row.default)


ROWS: Mapping[str, Row] = {row.name: row for row in dataclasses.fields(Settings)}


def environment_name(name: str) -> str:
    return OWN_NAMES.get(name, f"CUPBOARD_{name.upper()}")


def read(environ: Mapping[str, str] = os.environ, process: str | None = None) -> Settings:
    """PL-112, PL-771 The settings in force; refused are unknown names, values out of range, and unmarked secrets.

    A process that is named answers for its own secrets only, so that it need not be given anybody else's.
    """
    known = {environment_name(name): name for name in ROWS}
    for variable in sorted(environ):
        if variable.startswith("CUPBOARD_") and variable not in known:
            raise SettingRefused(f"{variable} is not a setting; `cupboard settings` lists them all")
    given: dict[str, Any] = {known[key]: _value(ROWS[known[key]], environ[key]) for key in known if environ.get(key)}
    return _checked(Settings(**given), process)


def shown(row: Row, value: object) -> str:
    if row.metadata["unit"] == "secret":
        return "(unmarked)" if value == UNMARKED else "********"
    if row.metadata["unit"] == "address":
        masked = re.sub(r"(?<=://)([^:/?#]*):.*(?=@)", r"\1:********", str(value))       # whatever letters a password has
        return re.sub(r"(?<=password=)[^&#]*", "********", masked)
    return str(value)


def _value(row: Row, written: str) -> object:
    match row.metadata["unit"]:
        case "seconds" | "count" | "bytes" as unit:
            return _number(row, written, UNITS[unit])
        case "flag" if written not in {"0", "1"}:
            raise SettingRefused(f"{environment_name(row.name)}={written!r}: allowed are 0 and 1")
        case "flag":
            return written == "1"
        case _:
            return written


def _number(row: Row, written: str, units: Mapping[str, float]) -> float | int:
    least, most = row.metadata["least"], row.metadata["most"]
    parts = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([a-z]*)", written.strip().lower())
    value = float(parts[1]) * units[parts[2]] if parts and parts[2] in units else None
    whole = isinstance(row.default, int)
    if value is None or not least <= value <= most or (whole and not value.is_integer()):
        raise SettingRefused(f"{environment_name(row.name)}={written!r}: allowed are {least:g} to {most:g} {row.metadata['unit']}")
    return int(value) if whole else value


def _checked(settings: Settings, process: str | None) -> Settings:
    for less, more in SMALLER:
        if getattr(settings, less) >= getattr(settings, more):
            raise SettingRefused(f"{environment_name(less)}={getattr(settings, less):g} must be less than {environment_name(more)}")
    for name, row in ROWS.items():
        concerned = row.metadata["unit"] == "secret" and (process is None or process in row.metadata["used_by"])
        if concerned and not settings.local and getattr(settings, name) == UNMARKED:
            raise SettingRefused(f"{environment_name(name)} has no value of its own, which only the local run (CUPBOARD_LOCAL=1) accepts")
    return settings
