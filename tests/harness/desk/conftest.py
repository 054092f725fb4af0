"""Runs made of real tasks, and a desk that serves them over real HTTP."""

import importlib.util
import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from pincite_harness.runs.run_folder import RunFolder
from pincite_harness.trial.marking import Marker
from pincite_scoring import ScoringOptions
from pincite_tasks.family import load_family
from pincite_tasks.files import digest_file
from pincite_tasks.task import Task
from pincite_trajectory.atif import Agent, Step, Trajectory

REPOSITORY = Path(__file__).parents[3]
AXE = "axe.run(document, {resultTypes: ['violations'], selectors: false}).then((held) => held.violations)"
FAMILY = REPOSITORY / "tasks" / "property_extraction"


OpenDesk = Callable[..., AbstractContextManager[Any]]


@pytest.fixture(scope="session", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """One cache of parsed papers for these tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PINCITE_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="session")
def open_desk(desk_window: ModuleType) -> OpenDesk:
    """A function that serves runs, papers and audits while its block runs."""
    return desk_window.open_desk


@pytest.fixture(scope="session")
def task() -> Callable[[str], Task]:
    """A task of ``property_extraction`` by its id."""
    known = {each.task_id: each for each in load_family(FAMILY).tasks}
    return known.__getitem__


MakeRun = Callable[..., Path]


@pytest.fixture(scope="session")
def make_run(task: Callable[[str], Task], desk_window: ModuleType) -> MakeRun:
    """Writes a run of tasks of ``property_extraction`` into a folder: each trial with its answer, the score that the
    real scorer gives it, and a trajectory."""

    def made(folder: Path, answers: Mapping[str, Any], trajectory: Trajectory | None = None, **record: Any) -> Path:
        family = load_family(FAMILY)
        digests: dict[str, str] = {}
        run = RunFolder(folder)
        marker = Marker([task(name) for name in answers], ScoringOptions())
        try:
            for name, answer in answers.items():
                one = task(name)
                where = run.trial(f"{name}__1")
                where.mkdir(parents=True)
                (where / "answer.json").write_text(json.dumps(answer))
                (where / "score.json").write_text(json.dumps(marker.mark(family, one, answer)))
                told = trajectory or short_trajectory()
                (where / "trajectory.json").write_text(told.model_dump_json(exclude_none=True))
                (where / "trial.json").write_text(desk_window.record_of(f"{name}__1", name, **record).model_dump_json())
                digests[f"task/property_extraction/{name}"] = one.digest()
                for path in one.papers:
                    digests[f"paper/property_extraction/{name}/{path.name}"] = digest_file(path)
        finally:
            marker.close()
        run.create(desk_window.run_document(folder.name, [f"{name}__1" for name in answers], digests))
        return folder

    return made


def short_trajectory() -> Trajectory:
    steps = [
        Step(step_id=1, source="user", message="Do it.", timestamp="2026-01-01T00:00:00Z"),
        Step(step_id=2, source="agent", message="Done.", timestamp="2026-01-01T00:00:02Z"),
    ]
    return Trajectory(agent=Agent(name="react", version="1"), steps=steps)


@pytest.fixture(scope="session")
def serious(missing: Callable[[str], None]) -> Callable[[Any], list[str]]:
    """A function that gives what axe finds in the browser's page that is serious or critical, wide and light, then
    narrow and dark; and where the narrow page is wider than its window."""
    found = importlib.util.find_spec("axe_core_python")
    if found is None or found.origin is None:
        missing("no axe-core-python (pip install -c constraints.txt axe-core-python)")
        return lambda browser: []
    script = Path(found.origin).with_name("axe.min.js").read_text(encoding="utf-8")

    def found_by_axe(browser: Any) -> list[str]:
        violations: list[dict[str, Any]] = browser.run(AXE)
        grave = [each for each in violations if each["impact"] in ("serious", "critical")]
        return [f"{each['id']}: {node['html'][:200]}" for each in grave for node in each["nodes"]]

    def faults(browser: Any) -> list[str]:
        browser.run(f"{script}; 0")
        found = found_by_axe(browser)
        browser.resize(390, 844, dark=True)
        found += found_by_axe(browser)
        wide = browser.run("document.documentElement.scrollWidth")
        return [*found, f"{wide} px wide at 390"] if wide > 390 else found

    return faults


def gold_answer(task: Task, changes: Mapping[int, Mapping[str, Any]] = {}) -> dict[str, Any]:
    """The gold as an answer, with changed places of some records."""
    gold: Any = task.gold
    records = [dict(record) for record in gold["properties"]]
    for index, change in changes.items():
        records[index] = {**records[index], "location": {**records[index]["location"], **change}}
    return {"properties": records}


@pytest.fixture(scope="session")
def answer_of(task: Callable[[str], Task]) -> Callable[..., dict[str, Any]]:
    """A function that gives a task's gold as an answer, with changed places of some records."""
    return lambda name, changes={}: gold_answer(task(name), changes)


@pytest.fixture(scope="module")
def desk(
    open_desk: OpenDesk, make_run: MakeRun, answer_of: Callable[..., dict[str, Any]], tmp_path_factory: Any
) -> Iterator[Any]:
    """A desk with a run of two trials: of the first, one quote is not in the paper and one names the wrong page."""
    changes = {1: {"evidence": "words that nobody ever printed in this paper"}, 2: {"page": 2}}
    answers = {"ybco_oxygen": answer_of("ybco_oxygen", changes), "crconi_alloy": answer_of("crconi_alloy")}
    with open_desk(make_run(tmp_path_factory.mktemp("runs") / "first", answers)) as opened:
        yield opened
