"""replay: plays a recorded trajectory against the live tools and reports where results differ."""

import re
import tomllib
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any, ClassVar

import orjson
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from pincite_core.errors import BadInputError, NotFoundError
from pincite_harness.agents.agent import Agent, Briefing, Launch
from pincite_harness.agents.options import Option
from pincite_harness.agents.recording import read_recordings
from pincite_harness.agents.registry import FOLDER, program_files
from pincite_models.choice import ModelChoice
from pincite_tasks.files import digest_bytes, digest_json
from pincite_tasks.task import describe_validation

_RECORDINGS = f"{FOLDER}/recordings.json"


class VolatileRule(BaseModel):
    """What may differ in the results of the tools that ``tool`` names (``server.tool``, with ``*`` for any)."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    tool: str = "*"
    keys: list[str] = Field(default_factory=list)
    """Keys of structured content, at any depth."""
    text: list[str] = Field(default_factory=list)
    """Regular expressions; what they match in texts does not count."""
    images: bool = False
    """Whether images may differ."""

    @field_validator("text")
    @classmethod
    def _patterns(cls, patterns: list[str]) -> list[str]:
        for pattern in patterns:
            try:
                re.compile(pattern)
            except re.error as error:
                raise ValueError(f"{pattern!r} is not a regular expression: {error}") from error
        return patterns


class VolatileFile(BaseModel):
    """A file of rules: ``[[volatile]]`` tables."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    volatile: list[VolatileRule]


OWN_RULES = (
    VolatileRule(tool="literature.*", keys=["retrieved"]),
    VolatileRule(tool="databases.*", keys=["retrieved"]),
    VolatileRule(tool="library.*", keys=["seconds"]),
    VolatileRule(tool="provenance.*", keys=["hash", "head", "ledger", "time", "sha256", "content"]),
)
"""What varies in the results of the suite's own servers."""


class Replay(Agent):
    """``--agent replay:PATH``, a trajectory's file, a trial's folder or a run's; ``--agent-option volatile=FILE`` names
    a TOML file that says which parts of results may differ. The report is kept with the trial."""

    sessions = (".replay",)
    trusted = True
    known_options: ClassVar[Mapping[str, Option]] = {
        "volatile": Option("a TOML file of [[volatile]] tables: tool, keys, text, images that may differ", file=True),
    }

    def __init__(self, name: str, options: Mapping[str, str], _model: ModelChoice | None) -> None:
        self.name = name
        self.version = version("pincite")
        if unknown := sorted(set(options) - {"of", *self.known_options}):
            raise BadInputError(f"replay has no option {', '.join(unknown)}.", seen=", ".join(self.known_options))
        if "of" not in options:
            raise BadInputError("replay plays a trajectory, and none is named.", next="--agent replay:TRAJECTORY")
        rules = [*OWN_RULES, *(_read_rules(Path(options["volatile"])) if "volatile" in options else [])]
        volatile = [rule.model_dump() for rule in rules]
        recordings: dict[str, dict[str, Any]] = read_recordings(Path(options["of"]))
        self._recordings = {task: {**recording, "volatile": volatile} for task, recording in recordings.items()}
        self._files = program_files()

    def launch(self, briefing: Briefing) -> Launch:
        """The player and what it plays."""
        files = {name: path.read_bytes() for name, path in self._files.items()}
        files[_RECORDINGS] = orjson.dumps(self._recordings)
        return Launch(("python3", f"{FOLDER}/{self.name}.py"), files=files)

    def digests(self) -> dict[str, str]:
        """Digest of each file by its path in the sandbox, and of what is played."""
        files = {name: digest_bytes(path.read_bytes()) for name, path in sorted(self._files.items())}
        return files | {"recordings": digest_json(self._recordings)}


def _read_rules(path: Path) -> list[VolatileRule]:
    try:
        return VolatileFile.model_validate(tomllib.loads(path.read_text(encoding="utf-8"))).volatile
    except FileNotFoundError:
        raise NotFoundError(f"There is no file {path}.", next="Check --agent-option volatile=.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadInputError(f"{path} is not TOML.", seen=str(error), next="Correct the file.") from error
    except ValidationError as error:
        raise BadInputError(
            f"{path} does not say what is volatile.",
            seen=describe_validation(error),
            next='Write [[volatile]] tables with tool = "server.tool", keys, text and images.',
        ) from error
