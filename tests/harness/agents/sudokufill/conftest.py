"""SudokuFill at work on the bundled papers, before real servers and a cast of roles."""

import importlib.util
import json
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from pincite_core.settings import load_settings
from pincite_doors.testing import Request

REPOSITORY = Path(__file__).parents[4]
FAMILY = REPOSITORY / "tasks" / "record_filling"
MANY = 20_000
SMALL = """
name = "small"
object = "An object is one adjuvant that the authors gave."
identity = ["adjuvant"]
placeholders = ["not reported"]

[[fields]]
name = "adjuvant"
definition = "Name of the adjuvant."

[[fields]]
name = "host"
definition = "Who was vaccinated."
kind = "label"
labels = ["mouse", "rat"]
[fields.synonyms]
"mouse" = ["mice"]

[[fields]]
name = "dose"
definition = "Mass of the adjuvant in one immunisation."
kind = "number"
unit = "µg"

[[dependencies]]
when = { host = "rat" }
empties = ["dose"]
because = "rats got no dose"
"""
"""Three fields of the bundled adjuvants, with a condition of its own."""
NO_OPTIONS: Mapping[str, str] = {}


@dataclass
class Filled:
    """How a run ended: its exit code, its answer, its events, and what its model was asked."""

    code: int
    answer: Any
    events: list[Any]
    asked: list[Request]
    printed: str

    def of(self, *kinds: str) -> list[Any]:
        """The events of these kinds."""
        return [event for event in self.events if type(event).__name__ in kinds]

    @property
    def roles(self) -> list[str]:
        """The role of each request."""
        return [json.loads(request.headers["x-pincite-label"])["role"] for request in self.asked]


@pytest.fixture(scope="session")
def tasks() -> dict[str, dict[str, Any]]:
    """The bundled tasks by id."""
    lines = (FAMILY / "records.jsonl").read_text(encoding="utf-8").splitlines()
    return {task["task_id"]: task for task in map(json.loads, lines)}


@pytest.fixture(scope="session")
def rules() -> ModuleType:
    """The module of the rule cast."""
    return _beside("rule_cast")


@pytest.fixture(scope="session")
def running() -> ModuleType:
    """The module that runs the program."""
    return _beside("running")


@pytest.fixture(scope="session")
def casts() -> ModuleType:
    """The module of the cast for the small schema."""
    return _beside("small_cast")


def _beside(name: str) -> ModuleType:
    """The module of a file in this folder; test folders are no packages."""
    full = f"sudokufill_{name}"
    spec = importlib.util.spec_from_file_location(full, Path(__file__).with_name(f"{name}.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[full] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="package")
def addresses(tmp_path_factory: pytest.TempPathFactory, serve: Any) -> Iterator[dict[str, str]]:
    """The address of the documents server with the family's papers."""
    from pincite_documents.server import create_server

    with pytest.MonkeyPatch.context() as patch, ExitStack() as stack:
        patch.setenv("PINCITE_ROOTS", str(FAMILY / "papers"))
        patch.setenv("PINCITE_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        yield {"documents": stack.enter_context(serve(create_server(load_settings())))}


@pytest.fixture
def run(
    program: Callable[[str], ModuleType],
    addresses: Mapping[str, str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    running: ModuleType,
) -> Callable[..., Filled]:
    """Runs the program on a task with a schema, before a model that plays a cast: a function of the request."""

    def ran(
        task: Mapping[str, Any],
        cast: Callable[[Request], Any],
        limits: Mapping[str, float] = NO_OPTIONS,  # type: ignore[assignment]
        carrying: bool = False,
        **options: str,
    ) -> Filled:
        if not carrying:
            shutil.rmtree(tmp_path / "carry", ignore_errors=True)
        monkeypatch.setattr(program("thinking").Patient.__init__, "__defaults__", ((0.0, 0.0, 0.0),))
        code, answer, events, asked = running.fill(program, addresses, tmp_path, task, cast, limits, options)
        said = capsys.readouterr()
        return Filled(code, answer, events, asked, said.out + said.err)

    return ran


@pytest.fixture(scope="session")
def small(tasks: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """A bundled paper of two pages with a schema of three fields."""
    inputs = tasks["influenza_emulsions"]["inputs"]
    return {"inputs": {**inputs, "parameters": {"schema": SMALL}}}


@pytest.fixture(scope="session")
def schemas(tasks: Mapping[str, Mapping[str, Any]], running: ModuleType) -> dict[str, Any]:
    """The schema of each bundled task."""
    return {name: running.schema_of(task) for name, task in tasks.items()}


@pytest.fixture(scope="session")
def score(running: ModuleType) -> Callable[[Mapping[str, Any], Any], Mapping[str, float]]:
    """Scores an answer to a task as a trial does."""
    return running.score
