"""CliAgent: what the command lines have in common."""

import json
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, cast

from pincite_harness.agents.agent import HOME, Agent, Briefing, Ending, Launch
from pincite_harness.failure import Cause, Failure
from pincite_harness.files import digest_bytes
from pincite_harness.model_choice import ModelChoice

PROMPT_FILE = f"{HOME}/prompt.md"
START_SECONDS = 60
"""How long a CLI waits for a server of the trial."""
TOOL_SECONDS = 600
"""How long it waits for a tool."""
RETRIES = 4
"""How often it asks its model again after an outage: about half a minute in all."""
OUTPUT_TOKENS = 100_000
"""What a tool may give back without being cut: the servers page their results themselves."""
_DETAIL_LENGTH = 500


class CliAgent(Agent):
    """A command that reads its prompt from standard input and keeps its settings in a home below the working folder."""

    image = "agents"
    command: ClassVar[str]
    package: ClassVar[str]
    """The npm package whose pinned version is in the image."""

    def __init__(self) -> None:
        self.programs = ("node", self.command)

    def launch(self, briefing: Briefing) -> Launch:
        """The command with its settings; the prompt goes by standard input, whatever its length and first letter."""
        home = f"{briefing.workdir}/{HOME}"
        return Launch(
            argv=("/bin/sh", "-c", 'exec "$@" < "$0"', f"{briefing.workdir}/{PROMPT_FILE}", *self.argv(briefing)),
            env={"HOME": home, "NO_COLOR": "1", **self.env(briefing, home)},
            files={PROMPT_FILE: briefing.prompt.encode(), **self.settings(briefing)},
        )

    @abstractmethod
    def argv(self, briefing: Briefing) -> Sequence[str]:
        """The command line, without the prompt and without a secret."""

    @abstractmethod
    def env(self, briefing: Briefing, home: str) -> Mapping[str, str]:
        """Variables beside HOME."""

    @abstractmethod
    def settings(self, briefing: Briefing) -> Mapping[str, bytes]:
        """Its files, by path below the working folder."""

    def digests(self) -> dict[str, str]:
        """Of the way it is started: the same for a briefing that names nothing."""
        launch = self.launch(_BLANK)
        parts = {"argv": list(launch.argv), "env": dict(launch.env)}
        files = {name: digest_bytes(data) for name, data in launch.files.items()}
        return {"launch": digest_bytes(json.dumps(parts, sort_keys=True).encode()), **files}


_BLANK = Briefing(
    prompt="",
    workdir="/work",
    tools={"server": "http://127.0.0.1:1/mcp/server"},
    token="",
    seconds=1,
    model=ModelChoice(provider="compatible", name="model", base_url="http://127.0.0.1:2"),
    model_url="http://127.0.0.1:2",
)
