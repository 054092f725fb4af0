"""A user's key reaches no file, log, trajectory, container, image or process of a trial, however an agent looks."""

from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest
from parts.fault_trials import FaultTrials

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"

pytestmark = pytest.mark.anyio


@pytest.fixture
def planting(module_at: Callable[[Path], ModuleType]) -> ModuleType:
    """The benchmark."""
    return module_at(BENCHMARKS / "planted_key.py")


@pytest.fixture(params=["bubblewrap", pytest.param("docker", marks=pytest.mark.docker)])
def sandbox(request: pytest.FixtureRequest) -> str:
    request.getfixturevalue(f"{request.param}_ready")
    return request.param


async def test_a_planted_key_is_found_nowhere(planting: ModuleType, sandbox: str, tmp_path: Path) -> None:
    trials = FaultTrials(tmp_path, sandbox)
    try:
        with planting.planted() as key:
            snooped = planting.Snooped(trials, key)
            await snooped.run("t1__1")
    finally:
        trials.close()
    assert snooped.found == []
    assert snooped.places > 20
    said = (tmp_path / "t1__1" / "agent.log").read_text()
    assert "You sent Bearer *****" in said
    assert "OPENAI_API_KEY=None" in said
    assert "[trial token]" in said
