"""A rig that lets terminus work at a task before a scripted model."""

import json
import os
import shutil
import time
from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from pincite_doors.testing import ScriptedModel, say
from pincite_trajectory.atif import Trajectory
from pincite_trajectory.validate import validate_trajectory


@pytest.fixture(scope="session")
def tmux_ready(missing: Callable[[str], None]) -> None:
    """A tmux that is installed."""
    if shutil.which("tmux") is None:
        missing("no tmux (apt-get install tmux)")


@pytest.fixture(scope="session")
def pydantic_ai_ready(missing: Callable[[str], None]) -> None:
    """The library on which the agents reach their model."""
    if find_spec("pydantic_ai") is None:
        missing("no pydantic-ai (pip install 'pincite[agents]')")


def keys(*commands: tuple[str, float] | str, done: bool = False, **more: Any) -> Any:
    """The turn of a model that types: each command with its duration."""
    pairs = [(command, 0) if isinstance(command, str) else command for command in commands]
    batch = [{"keystrokes": text, "duration": seconds} for text, seconds in pairs]
    reply = {"analysis": "Looking.", "plan": "Typing.", "commands": batch, "task_complete": done, **more}
    return say(json.dumps(reply))


@pytest.fixture(name="keys")
def _keys() -> Callable[..., Any]:
    return keys


def settled(session: ModuleType) -> type[Any]:
    """A Terminal that looks only when what was typed has been carried out: tests wait for no clock."""

    class Settled(session.Terminal):
        def __enter__(self) -> Any:
            super().__enter__()
            self._marks = 0
            self._prompt()
            return self

        def press(self, keystrokes: str) -> None:
            super().press(keystrokes)
            if keystrokes.endswith("\n"):
                self._marks += 1
                super().press(f": > .mark{self._marks}\n")

        def news(self) -> str:
            mark = self.workdir / f".mark{self._marks}"
            _until(lambda: self._marks == 0 or mark.exists())
            self._prompt()
            return super().news()

        def _prompt(self) -> None:
            _until(lambda: self.screen().endswith(("\n~ #", "\n~ $")) or self.screen() in ("~ #", "~ $"))

    return Settled


def _until(condition: Callable[[], object], seconds: float = 20) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not come"
        time.sleep(0.02)


@pytest.fixture(name="until")
def _wait() -> Callable[..., None]:
    return _until


class Rig:
    """Lets terminus work in a folder; keeps what the model was asked."""

    def __init__(self, folder: Path, program: Callable[[str], ModuleType], monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        self._program = program
        self._patch = monkeypatch
        self.asked: list[Any] = []
        self.files: list[str] = []

    async def work(
        self, script: Sequence[Any], *, dialect: str = "openai.chat", options: Mapping[str, str] | None = None,
        others: Sequence[Any] = (), seconds: float = 600,
    ) -> bool:  # fmt: skip
        """Whether the model confirmed that the task is done."""
        terminus, session = self._program("terminus"), self._program("terminal.session")
        self._patch.chdir(self.folder)
        self._patch.setattr(terminus, "SETTLE_SECONDS", 0)
        (self.folder / "schema.json").write_text('{"required": ["properties"]}')
        (self.folder / ".terminus").mkdir()
        with ScriptedModel(script, others=others) as model:
            self.asked = model.requests
            given = {"url": model.url, "provider": "x", "name": "scripted", "dialect": dialect, "api_key": "token"}
            task = {
                "answer": "answer.json",
                "files": self.files,
                "tools": {},
                "limits": {"wall_clock_seconds": seconds},
                "model": given,
            }
            opened = self._program("thinking").open_model(task, options or {})
            opened._pauses = (0.0, 0.0, 0.0)
            env = {"PATH": os.environ["PATH"], "HOME": str(self.folder), "LANG": "C.UTF-8"}
            with settled(session)(self.folder, self.folder / ".terminus" / "terminal.log", env) as terminal:
                first = terminus.first_message(task, "Write the answer.", terminal)
                return await terminus.work(task, first, opened, terminal, options or {}, time.monotonic() + seconds)

    @property
    def trajectory(self) -> Trajectory:
        """What terminus itself recorded."""
        return validate_trajectory(self.folder / ".terminus" / "trajectory.json")

    def told(self, turn: int) -> str:
        """The last message of the request for a turn, from 0."""
        [request] = [request for request in self.asked if request.turn == turn and request.status == 200]
        return request.last


@pytest.fixture
def rig(tmp_path: Path, program: Callable[[str], ModuleType], tmux_ready: None, monkeypatch: pytest.MonkeyPatch) -> Rig:
    return Rig(tmp_path, program, monkeypatch)
