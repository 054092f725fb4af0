"""A Harbor task: its folder, read and checked before anything runs."""

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from pincite_core.errors import BadInputError, NotFoundError
from pincite_harness.harbor.config import TaskConfig
from pincite_tasks.files import digest_file, digest_json
from pincite_tasks.task import TASK_ID_PATTERN, describe_validation

CONFIG_FILE = "task.toml"
_CANARY = re.compile(r"(<!--.*canary.*-->|#.*canary.*)\Z", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class HarborTask:
    """``folder`` with ``task.toml`` as ``config``; ``instruction`` is what the agent is told."""

    folder: Path
    config: TaskConfig
    instruction: str

    @property
    def task_id(self) -> str:
        """The folder's name, which names its trials too."""
        return self.folder.name

    @property
    def environment(self) -> Path:
        """The build context of the image."""
        return self.folder / "environment"

    @property
    def tests(self) -> Path:
        """What is put at /tests, or the build context of the verifier's own image."""
        return self.folder / "tests"

    @property
    def solution(self) -> Path:
        """What is put at /solution for the oracle."""
        return self.folder / "solution"

    @property
    def bundled_tests(self) -> bool:
        """Whether a separate verifier has an image of its own, which brings its /tests."""
        own = self.config.verifier.environment
        named = own is not None and own.docker_image is not None
        return self.config.verifier.separate and (named or (self.tests / "Dockerfile").is_file())

    @property
    def brings_files(self) -> bool:
        """Whether the files of environment/ go into the working folder: that of an image that is only named."""
        named = self.config.environment.docker_image is not None and self.environment.is_dir()
        return named and not (self.environment / "Dockerfile").is_file()

    def digest(self) -> str:
        """Of every file of the folder, by path."""
        files = sorted(path for path in self.folder.rglob("*") if path.is_file())
        return digest_json([[path.relative_to(self.folder).as_posix(), digest_file(path)] for path in files])


def load_tasks(folder: Path) -> list[HarborTask]:
    """The tasks of a folder of task folders, or of one task's folder; NotFoundError where there is none,
    BadInputError where one is broken."""
    if not folder.is_dir():
        raise NotFoundError(f"There is no folder {folder}.", next="Check --harbor.")
    if (folder / CONFIG_FILE).is_file():
        return [load_task(folder)]
    found = sorted(path.parent for path in folder.glob(f"*/{CONFIG_FILE}"))
    if not found:
        raise NotFoundError(f"{folder} holds no Harbor task.", next=f"A task is a folder with {CONFIG_FILE} in it.")
    return [load_task(path) for path in found]


def load_task(folder: Path) -> HarborTask:
    """Read one task's folder; every fault is an error that names the file."""
    path = folder / CONFIG_FILE
    try:
        config = TaskConfig.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadInputError(f"{path} is not TOML.", seen=str(error), next="Correct the file.") from error
    except ValidationError as error:
        raise BadInputError(
            f"{path} does not describe a Harbor task.", seen=describe_validation(error), next="Correct these keys."
        ) from error
    task = HarborTask(folder.resolve(), config, _instruction(folder / "instruction.md", config))
    if re.match(TASK_ID_PATTERN, task.task_id) is None:
        raise BadInputError(f"{folder} cannot name a trial.", next="Take letters, digits, . _ and -, at most 80.")
    _check_files(task)
    return task


def _instruction(path: Path, config: TaskConfig) -> str:
    if config.steps:
        return ""
    if not path.is_file():
        raise NotFoundError(f"There is no {path}.", next="A Harbor task of one step needs it.")
    return strip_canary(path.read_text(encoding="utf-8"))


def strip_canary(text: str) -> str:
    """The text without the lines at its head that mark it for training corpora, and the empty lines after them."""
    lines: Sequence[str] = text.split("\n")
    at = 0
    while at < len(lines) and _CANARY.match(lines[at].strip()):
        at += 1
    while at < len(lines) and not lines[at].strip():
        at += 1
    return "\n".join(lines[at:])


def _check_files(task: HarborTask) -> None:
    config = task.config
    if config.environment.docker_image is None and not task.environment.is_dir():
        raise NotFoundError(f"There is no {task.environment}.", next="Add it, or name environment.docker_image.")
    if config.steps or task.bundled_tests or config.environment.os == "windows":
        return
    if not (task.tests / "test.sh").is_file():
        raise NotFoundError(f"There is no {task.tests / 'test.sh'}.", next="A Harbor task is verified by it.")
