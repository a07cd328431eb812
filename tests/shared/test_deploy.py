"""Do the files for setting up and for real deployments say what the rest of the project says?"""

import re
import subprocess
import tomllib
from importlib.metadata import entry_points
from pathlib import Path

import pytest
import yaml

from shared.runtime.settings import OWN_NAMES, ROWS, environment_name
from tests.ledger import rule

TOP = Path(__file__).parents[2]
COMPOSE = yaml.safe_load((TOP / "docker-compose.yml").read_text(encoding="utf-8"))["services"]
OURS = {name: service for name, service in COMPOSE.items() if service["image"] == "cupboard"}
PROJECT = tomllib.loads((TOP / "pyproject.toml").read_text(encoding="utf-8"))["project"]

OF_A_CONTAINER = {"CUPBOARD_PORT", "CUPBOARD_STREAM_PORT", "CUPBOARD_VITALS_PORT", "CUPBOARD_LOG_BYTES"}    # compose and the image say these


def given(service: dict) -> dict[str, str]:
    return {name: str(value) for name, value in service["environment"].items()}


@rule("PL-765")
def test_compose_has_a_service_for_each_process_and_game():
    games = [entry.name for entry in entry_points(group="cupboard.games")]
    wanted = {"postgres", "redis", "migrate", "desk", "gateway", "stream", "league", "relay"}
    assert set(COMPOSE) == wanted | {f"{kind}-{game}" for game in games for kind in ("game", "watch")}


@pytest.mark.parametrize("name", sorted(COMPOSE.keys() - {"migrate", "desk"}))
@rule("PL-765")
def test_every_service_that_stays_has_a_health_check(name: str):
    assert COMPOSE[name]["healthcheck"]["test"][0] == "CMD"


@pytest.mark.parametrize("name", sorted(OURS))
@rule("PL-764")
def test_every_process_of_ours_runs_on_a_read_only_disk_without_rights(name: str):
    assert OURS[name]["read_only"] is True
    assert OURS[name]["cap_drop"] == ["ALL"]


@pytest.mark.parametrize("name", sorted(OURS.keys() - {"desk"}))
@rule("PL-764", "PL-771", "PL-815")
def test_a_process_is_given_known_settings_and_only_its_own_secrets(name: str):
    names = {environment_name(setting): setting for setting in ROWS}
    process = {"game": "worker", "watch": "worker"}.get(name.partition("-")[0], name)
    assert given(OURS[name]).keys() <= names.keys()
    secrets = {setting for setting in ROWS if ROWS[setting].metadata["unit"] == "secret"}
    got = {names[variable] for variable in given(OURS[name])} & secrets
    assert got == {setting for setting in secrets if process in ROWS[setting].metadata["used_by"]}


@rule("PL-681", "PL-764")
def test_an_operator_has_every_program_at_hand_and_it_never_starts_by_itself():
    """It signs in as the owner of the database, speaks as the gateway, and opens seeds of matches that are over."""
    desk, names = OURS["desk"], {environment_name(setting) for setting in ROWS}
    assert desk["profiles"] == ["desk"]
    assert given(desk)["DATABASE_URL"] == given(OURS["migrate"])["DATABASE_URL"]
    assert given(OURS["gateway"]).keys() - given(desk).keys() == {"CUPBOARD_HOST", "CUPBOARD_STREAM_URL", "CUPBOARD_STREAM_PORT"}
    assert {"CUPBOARD_MASTER_KEY"} <= given(desk).keys() <= names


@pytest.mark.parametrize("name", sorted(OURS))
@rule("PL-112", "PL-765")
def test_whatever_an_operator_may_tune_is_passed_on_where_it_is_said(name: str):
    tuned = {environment_name(setting) for setting, row in ROWS.items() if row.metadata["unit"] in {"count", "seconds", "bytes"}} - OF_A_CONTAINER
    assert tuned | {"CUPBOARD_LOG_LEVEL", "CUPBOARD_WEBHOOK_PORTS"} <= {variable for variable, value in OURS[name]["environment"].items() if value is None}


@rule("PL-765")
def test_the_gateway_tells_browsers_the_port_of_the_stream_that_compose_opens():
    assert OURS["stream"]["ports"] == [f"{given(OURS['gateway'])['CUPBOARD_STREAM_PORT']}:8001"]


@rule("PL-764")
def test_no_secret_has_a_default_in_compose():
    for service in COMPOSE.values():
        for variable, value in given(service).items():
            if variable.endswith(("PASSWORD", "KEY")) or variable == "REDISCLI_AUTH" or variable in OWN_NAMES.values():
                assert re.search(r"\$\{\w+:\?[^}]+\}", value) or "://postgres:5432" in value, variable


@rule("PL-764")
def test_the_image_runs_as_an_ordinary_user_without_tests():
    lines = (TOP / "deploy" / "Dockerfile").read_text(encoding="utf-8").splitlines()
    assert "USER 10001" in lines
    assert not any("tests" in line for line in lines)
    assert "tests" in (TOP / ".dockerignore").read_text(encoding="utf-8").split()


def test_each_direct_dependency_is_locked_at_the_same_version():
    locked = dict(line.strip().lower().replace("_", "-").split("==") for line in (TOP / "requirements.lock").read_text().splitlines())
    wanted = [*PROJECT["dependencies"], *(line for lines in PROJECT["optional-dependencies"].values() for line in lines)]
    for line in wanted:
        name, version = re.sub(r"\[.*\]", "", line).lower().replace("_", "-").split("==")
        assert locked[name] == version


def test_make_prints_its_commands():
    told = subprocess.run(["make", "--no-print-directory"], cwd=TOP, capture_output=True, text=True, check=True).stdout
    for command in ("setup", "run", "test", "rules", "laws", "lint", "bench", "simulate", "replay-all", "rulebook", "newgame", "shape"):
        assert f"make {command} " in told
