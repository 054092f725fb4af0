"""The real CLI agents, in Docker and on this machine."""

import asyncio
import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from pincite_models.choice import KEY_VARIABLE


@pytest.fixture(scope="session")
def cli_trials(module_at: Callable[[Path], ModuleType]) -> ModuleType:
    """Trials of the CLI agents on a bundled paper, their model played by a script."""
    return module_at(Path(__file__).parents[2] / "benchmarks" / "parts" / "cli_trials.py")


@pytest.fixture(scope="session")
def client_setups(module_at: Callable[[Path], ModuleType]) -> ModuleType:
    """How each client is pointed at a scripted model."""
    return module_at(Path(__file__).parents[2] / "benchmarks" / "parts" / "client_setups.py")


@pytest.fixture(scope="session")
def in_docker(
    agents_image_ready: str, cli_trials: ModuleType, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Any]:
    """The same script played to every CLI, all at once, each in a container of its own."""
    folder, family = tmp_path_factory.mktemp("clis"), cli_trials.one_paper()

    async def all_of_them() -> list[Any]:
        script = cli_trials.work(family)
        trials = (cli_trials.run_cli(name, "docker", folder / name, script, family) for name in cli_trials.CLIS)
        return await asyncio.gather(*trials)

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(KEY_VARIABLE, cli_trials.KEY)
        return dict(zip(cli_trials.CLIS, asyncio.run(all_of_them()), strict=True))


@pytest.fixture
def on_this_machine(
    clis: Path, bubblewrap_ready: None, cli_trials: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The CLIs' commands on the path, and bubblewrap to run them in."""
    monkeypatch.setenv(KEY_VARIABLE, cli_trials.KEY)
    monkeypatch.setenv("PATH", os.pathsep.join([str(clis), str(Path(sys.executable).parent), os.environ["PATH"]]))
