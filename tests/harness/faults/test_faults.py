"""Faults in the midst of trials, one of each kind; ``tests/benchmarks/faults.py`` runs all of them many times."""

import dataclasses
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"

pytestmark = pytest.mark.anyio


@pytest.fixture
def faults(module_at: Callable[[Path], ModuleType]) -> ModuleType:
    """The benchmark."""
    return module_at(BENCHMARKS / "faults.py")


@pytest.fixture
def trials(faults: ModuleType, bubblewrap_ready: None, tmp_path: Path) -> Iterator[Any]:
    made = faults.FaultTrials(tmp_path, "bubblewrap")
    yield made
    made.close()


@pytest.mark.parametrize(
    "name",
    [
        "429_once",
        "half_stream_once",
        "no_answer_once",
        "529_for_ever",
        "bad_json_for_ever",
        "hang",
        "drip",
        "server_crash",
        "server_garbage",
        "disk_full",
    ],
)
async def test_the_right_cause_once_and_nothing_left(faults: ModuleType, trials: Any, name: str) -> None:
    [case] = [case for case in faults.all_cases() if case.name == name]
    if name in {"hang", "drip"}:
        case = dataclasses.replace(case, seconds=1.5)
    tally = await faults.run_case(case, trials, 1, 1)
    assert tally.good, tally.words
