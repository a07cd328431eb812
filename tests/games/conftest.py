"""Which scenario files are tests? Every TOML file in a folder `scenarios`, under the clauses that it names."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from shared.desk.workshop.scenario import Difference, read, run
from tests.ledger import rule


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    if file_path.suffix == ".toml" and file_path.parent.name == "scenarios":
        return ScenarioFile.from_parent(parent, path=file_path)
    return None


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
