"""Which files of a game are tests? TOML files in a folder `scenarios`, text files in a folder `goldens`."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from shared.desk.workshop.scenario import Difference, read, run
from shared.desk.workshop.transcript import golden
from tests.ledger import rule


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--write-goldens", action="store_true", help="keep how matches read today, after looking at the difference")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    match file_path.parent.name, file_path.suffix:
        case "scenarios", ".toml":
            return ScenarioFile.from_parent(parent, path=file_path)
        case "goldens", ".txt":
            return GoldenFile.from_parent(parent, path=file_path)
    return None


class GoldenFile(pytest.File):
    def collect(self) -> Iterator[pytest.Item]:
        yield GoldenTest.from_parent(self, name=self.path.stem)


class GoldenTest(pytest.Item):
    """Did anything change that nobody meant?"""

    def runtest(self) -> None:
        difference = golden(self.path, write=self.config.getoption("--write-goldens", default=False))
        if difference:
            raise Difference(difference)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: object = None) -> str:
        if isinstance(excinfo.value, Difference):
            return f"{excinfo.value}\nif this is meant: pytest {self.path.parents[1]} --write-goldens"
        return str(super().repr_failure(excinfo))

    def reportinfo(self) -> tuple[Path, None, str]:
        return self.path, None, f"golden {self.name}"


class ScenarioFile(pytest.File):
    def collect(self) -> Iterator[pytest.Item]:
        yield ScenarioTest.from_parent(self, name=self.path.stem)


class ScenarioTest(pytest.Item):
    def setup(self) -> None:
        self.add_marker(rule(*read(self.path).rules))

    def runtest(self) -> None:
        run(read(self.path))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: object = None) -> str:
        if isinstance(excinfo.value, Difference):
            return f"{self.path.name}: {excinfo.value}\nagain: make scenario FILES={self.path}"
        return str(super().repr_failure(excinfo))

    def reportinfo(self) -> tuple[Path, None, str]:
        return self.path, None, f"scenario {self.name}"
