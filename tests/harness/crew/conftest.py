"""A crew at work in a working folder of its own, before a scripted model."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from pincite_doors.testing import Cast, ScriptedModel

NO_OPTIONS: Mapping[str, str] = {}


@pytest.fixture(scope="session")
def crew(program: Callable[[str], ModuleType]) -> Any:
    """The kernel, imported as it is inside a sandbox."""
    pytest.importorskip("pydantic_ai")
    return program("crew")


@dataclass
class Rig:
    """A crew and its model."""

    crew: Any
    model: ScriptedModel

    def run(self, work: Callable[[Any], Awaitable[Any]]) -> Any:
        """``work(crew)`` in an event loop of its own."""

        async def running() -> Any:
            async with self.crew as crew:
                return await work(crew)

        return asyncio.run(running())


OpenRig = Callable[..., Any]


@pytest.fixture
def rig(crew: Any, program: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> OpenRig:
    """Opens a crew on a script or a cast: ``with rig(script) as made``."""
    monkeypatch.setattr(program("thinking").Patient.__init__, "__defaults__", ((0.0, 0.0, 0.0),))

    @contextmanager
    def opened(
        script: Sequence[Any] = (),
        dialect: str = "openai.chat",
        limits: Mapping[str, float] = NO_OPTIONS,  # type: ignore[assignment]
        cast: Cast | None = None,
        **options: str,
    ) -> Iterator[Rig]:
        with ScriptedModel(script, cast=cast) as model:
            task = {
                "limits": dict(limits),
                "model": {"url": model.url, "name": "m", "dialect": dialect, "api_key": "token"},
                "tools": {},
                "papers": [],
                "answer": "answer.json",
            }
            yield Rig(crew.Crew(task, options, crew.State(tmp_path / "state.jsonl")), model)
            assert not model.troubles

    return opened


@pytest.fixture
def lines(tmp_path: Path) -> Callable[[], list[dict[str, Any]]]:
    """The events of the rig's state file as they stand there."""
    path = tmp_path / "state.jsonl"
    return lambda: [json.loads(line) for line in path.read_text().splitlines()]
