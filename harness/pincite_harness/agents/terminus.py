"""terminus: the agent that has a terminal and nothing else (``programs/terminus.py``)."""

from collections.abc import Mapping
from importlib.metadata import version

import orjson

from pincite_core.errors import BadInputError
from pincite_harness.agents.agent import Agent, Briefing, Launch
from pincite_harness.agents.host import PYTHON
from pincite_harness.agents.registry import FOLDER, program_files
from pincite_harness.files import digest_bytes, digest_json
from pincite_harness.model_choice import ModelChoice

_OPTIONS = {
    "context": "tokens of the model's context, its own by default: the work is handed over before it is full",
    "turns": "replies of the model at most",
}
_VARIABLE = "TERMINUS_OPTIONS"


class Terminus(Agent):
    """Works in tmux; keeps its own trajectory, in which keystrokes are tool calls, and what the terminal printed."""

    name = "terminus"
    image = "agents"
    programs = (PYTHON, "tmux")
    sessions = (".terminus/trajectory.json", ".terminus/terminal.log")

    def __init__(self, options: Mapping[str, str], model: ModelChoice | None) -> None:
        self.version = version("pincite")
        self.dialect = model.dialect if model is not None else "openai.chat"
        self._options = dict(options)
        self._files = program_files("door.py", "pincite_tool.py", "terminal/", "terminus.py", "thinking.py")
        for name, value in options.items():
            if name not in _OPTIONS:
                known = ", ".join(f"{option} ({what})" for option, what in _OPTIONS.items())
                raise BadInputError(f"terminus has no option {name!r}.", seen=known, next="Name one of these.")
            if not value.isdecimal() or int(value) == 0:
                raise BadInputError(f"{name}={value!r} is no number.", next=f"{name} is {_OPTIONS[name]}.")

    def launch(self, briefing: Briefing) -> Launch:
        """The program and its parts, under the interpreter that has pydantic-ai."""
        files = {name: path.read_bytes() for name, path in self._files.items()}
        argv = (briefing.python, f"{FOLDER}/terminus.py")
        return Launch(argv, {_VARIABLE: orjson.dumps(self._options).decode()}, files)

    def digests(self) -> dict[str, str]:
        """Digest of each file by its path in the sandbox, and of the options."""
        files = {name: digest_bytes(path.read_bytes()) for name, path in sorted(self._files.items())}
        return files | {"options": digest_json(self._options)}


def make(_name: str, options: Mapping[str, str], model: ModelChoice | None) -> Agent:
    """The agent for one model."""
    return Terminus(options, model)
