"""CliAgent: what the command lines have in common."""

import json
import shutil
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from pincite_core.errors import BadInputError
from pincite_harness.agents.agent import HOME, Agent, Briefing, Launch
from pincite_harness.agents.options import Given, Option, check_options, named_files
from pincite_harness.agents.own_prompt import filled
from pincite_models.choice import ModelChoice
from pincite_sandbox.images.versions import agents_versions
from pincite_tasks.files import digest_bytes, digest_json

PROMPT_FILE = f"{HOME}/prompt.md"
START_SECONDS = 60
"""How long a CLI waits for a server of the trial."""
TOOL_SECONDS = 600
"""How long it waits for a tool, and for its model to begin an answer."""
RETRIES = 4
"""How often it asks its model again after an outage."""
OUTPUT_TOKENS = 100_000
"""What a tool may give back uncut: the servers page their results themselves."""


class CliAgent(Agent):
    """A command that reads its prompt from standard input and keeps its settings in a home below the working folder."""

    image = "agents"
    shows_tools = True
    roles: Sequence[str] | None = ()
    command: ClassVar[str]
    package: ClassVar[str]
    """The npm package whose pinned version the image has."""
    needs_node: ClassVar[bool] = True
    node_flag: ClassVar[str] = ""
    """A flag of Node itself that it needs, which its variables cannot carry."""
    known_options: ClassVar[Mapping[str, str | Option]] = {}
    """Its options (``--agent-option``) with what they mean."""

    def __init__(self, name: str, options: Mapping[str, str], model: ModelChoice | None) -> None:
        unknown = sorted(set(options) - set(self.known_options))
        if unknown:
            known = "; ".join(f"{option}: {what}" for option, what in self.known_options.items())
            raise BadInputError(f"{name} has no option {unknown[0]!r}.", seen=known or "it has none")
        typed = {option: what for option, what in self.known_options.items() if isinstance(what, Option)}
        check_options(name, {option: value for option, value in options.items() if option in typed}, typed)
        self.name = name
        self.version = agents_versions()[self.package]
        self.programs = ("node", self.command) if self.needs_node else (self.command,)
        self._given = Given.of(options, named_files(options, typed))
        self.options = dict(self._given.options)
        self.model = model.name if model is not None else ""

    def launch(self, briefing: Briefing) -> Launch:
        """The prompt goes by standard input, whatever its length and first letter."""
        home = f"{briefing.workdir}/{HOME}"
        program = f'node {self.node_flag} "$(command -v {self.command})"' if self.node_flag else self.command
        start = f'{self.before(home)}exec {program} "$@" < "$0"'
        return Launch(
            argv=("/bin/sh", "-c", start, f"{briefing.workdir}/{PROMPT_FILE}", *self.arguments(briefing)),
            env={"HOME": home, "NO_COLOR": "1", **self.env(briefing, home)},
            files={PROMPT_FILE: briefing.prompt.encode(), **self.settings(briefing, home)},
        )

    def prompt_for(self, prompt: str, parameters: Mapping[str, Any]) -> str:
        """See ``own_prompt.filled``."""
        return filled(self._given, prompt, parameters)

    def before(self, home: str) -> str:
        """Shell commands that are run first, ended by a semicolon; none by default."""
        return ""

    @abstractmethod
    def arguments(self, briefing: Briefing) -> Sequence[str]:
        """The command's arguments, without the prompt and without a secret."""

    @abstractmethod
    def env(self, briefing: Briefing, home: str) -> Mapping[str, str]:
        """Variables beside HOME; ``home`` is its path inside."""

    @abstractmethod
    def settings(self, briefing: Briefing, home: str) -> Mapping[str, bytes]:
        """Its files by path below the working folder; the servers' addresses and token stand in one of them."""

    def remarks(self, backend: str) -> Sequence[str]:
        """Another version than the image's, where the machine's own is run."""
        found = _installed(self.command) if backend != "docker" else None
        if found in (None, self.version):
            return ()
        return (f"{self.name}: version {found} of this machine was run, not {self.version}",)

    def digests(self) -> dict[str, str]:
        """Of the way it is started, as for a task that has one server."""
        launch = self.launch(_ANY)
        files = {name: digest_bytes(data) for name, data in sorted(launch.files.items())}
        how = {"launch": digest_json({"argv": list(launch.argv), "env": dict(launch.env), "files": files})}
        return how | {name: digest_bytes(data) for name, data in self._given.files.items()}


def bearer(briefing: Briefing) -> dict[str, str]:
    """The header that opens the tool door."""
    return {"Authorization": f"Bearer {briefing.token}"}


def opened(briefing: Briefing, kind: str) -> bool:
    """Whether the task opens a provider-side tool, by its type or its beginning (``web_search``)."""
    return any(tool == kind or tool.startswith(f"{kind}_") for tool in briefing.hosted_tools)


def _installed(command: str) -> str | None:
    """The version of a command on this machine, from its npm package; None where that does not say."""
    program = shutil.which(command)
    for folder in Path(program).resolve().parents if program is not None else ():
        manifest = folder / "package.json"
        if manifest.is_file():
            return str(json.loads(manifest.read_text(encoding="utf-8")).get("version"))
    return None


_ANY = Briefing(
    prompt="", workdir="/work", tools={"server": "http://door/mcp/server"}, token="", seconds=1, model_url="http://door"
)
