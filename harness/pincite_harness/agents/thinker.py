"""Thinker: the harness's own agents that ask a model, each a program of ``programs/`` on pydantic-ai."""

from collections.abc import Mapping, Sequence
from importlib.metadata import version
from typing import Any, ClassVar

import orjson

from pincite_core.errors import BadInputError
from pincite_harness.agents.agent import Agent, Briefing, Ending, Launch
from pincite_harness.agents.crew import STATE
from pincite_harness.agents.host import PYTHON
from pincite_harness.agents.needs import Needs
from pincite_harness.agents.options import Given, Option, check_options, named_files
from pincite_harness.agents.own_prompt import OWN_PROMPT, filled
from pincite_harness.agents.registry import FOLDER, program_files
from pincite_models.choice import ModelChoice
from pincite_tasks.failure import Cause, Failure
from pincite_tasks.files import digest_bytes

_UNREADABLE = "UnexpectedModelBehavior: Invalid response"
"""How pydantic-ai opens the error of an answer that its API's description does not allow."""
_SHOWN = 500
"""Characters of an unreadable answer that a failure shows."""
_OPTIONS_FILE = f"{FOLDER}/options.json"


_PICTURES = Option("whether it is shown the pictures among the task's files, yes by default", ("yes", "no"))
EFFORT = Option("how hard the model thinks, where it can be told", ("minimal", "low", "medium", "high"))


class Thinker(Agent):
    """Runs ``programs/<name>.py`` or ``programs/<name>/``, with all of ``programs/`` beside it, under the interpreter
    that has pydantic-ai."""

    image = "agents"
    programs = (PYTHON,)
    roles: Sequence[str] | None = ()
    known_options: ClassVar[Mapping[str, Option]]

    def __init__(self, name: str, options: Mapping[str, str], model: ModelChoice | None) -> None:
        self.name = name
        self.version = version("pincite")
        self.dialect = model.dialect if model is not None else "openai.chat"
        check_options(name, options, self.known_options)
        self._given = Given.of(options, named_files(options, self.known_options))
        self._options = dict(self._given.options)
        self._files = program_files()

    def launch(self, briefing: Briefing) -> Launch:
        """The program, what lies beside it, and its options."""
        files = {name: path.read_bytes() for name, path in self._files.items()}
        files[_OPTIONS_FILE] = orjson.dumps(self._options)
        return Launch((briefing.python, f"{FOLDER}/{self.name}.py"), files={**files, **self._given.files})

    def diagnose(self, ending: Ending) -> Failure | None:
        """The model's failure where it kept answering in a form that its API does not have."""
        said = ending.stderr.decode("utf-8", "replace").strip().splitlines()
        kept = next((line for line in reversed(said) if line.startswith(f"{self.name}: {_UNREADABLE}")), "")
        if ending.exit_code == 0 or not kept:
            return None
        return Failure(Cause.MODEL_FAILED, f"The model's answers cannot be read. {kept[:_SHOWN]}")

    def digests(self) -> dict[str, str]:
        """Digest of each file by its path in the sandbox, and of the options."""
        files = {name: digest_bytes(path.read_bytes()) for name, path in sorted(self._files.items())}
        return files | self._given.digests()


class CrewThinker(Thinker):
    """Runs the package ``programs/<name>/`` with the kernel ``crew`` beside it, and keeps its events with the trial."""

    sessions: Sequence[str] = (STATE,)

    def launch(self, briefing: Briefing) -> Launch:
        """The program as a package, with the kernel and the options."""
        files = {name: path.read_bytes() for name, path in self._files.items()}
        files[_OPTIONS_FILE] = orjson.dumps(self._options)
        environment = {"PYTHONPATH": f"{briefing.workdir}/{FOLDER}"}
        return Launch((briefing.python, "-m", self.name), environment, {**files, **self._given.files})

    def _at_most(self, calls: int) -> Needs:
        """So many calls, or fewer where the option ``calls`` ends the program sooner."""
        most = int(self._options.get("calls", "0"))
        return Needs(min(calls, most) if most else calls)


SHOWN = f"{FOLDER}/shown.json"
"""What of each document an agent was shown, in tokens."""
_POLICIES = ("whole", "cut:published", "cut:tokens", "share")
MAX_OUTPUT = Option("tokens of an answer of the model at most")
CONTEXT: Mapping[str, Option] = {
    "context": Option(
        "what is done where the papers do not fit the model's context: refuse (whole), the beginning as published or "
        "by tokens (cut), a share of each paper, or several calls over parts of them whose rows are merged",
        (*_POLICIES, "parts"),
    ),
    "window": Option("tokens of the model's context, its own by default"),
    "max_output": MAX_OUTPUT,
}
PROMPTS: Mapping[str, Option] = {
    "prompt": Option(
        "what is asked: the task's own prompt, for tables in steps or in one sentence, or a file of yours with "
        "{{task}} and the task's parameters in it",
        ("task", "steps", "plain"),
        file=True,
    ),
    "examples": Option("examples in the prompts steps and plain, 3 by default", ("0", "3")),
    "style": Option("whether the prompts steps and plain cap the answer as published", ("own", "published")),
}


class Zeroshot(Thinker):
    """One call of the model, with the whole paper in it."""

    sessions: Sequence[str] = (SHOWN, STATE)
    known_options: ClassVar[Mapping[str, Option]] = {
        "pages": Option(
            "how the papers are given: as their text, as pictures of their pages, as PDF files, or as their text with "
            "one call a page whose answers are joined",
            ("text", "images", "pdf", "each"),
        ),
        "search": Option("whether the provider's own search is open, where the family opens it", ("off", "hosted")),
        **CONTEXT,
        **PROMPTS,
        "output": Option("how it answers, in free text or held to the schema", ("text", "structured")),
        "dpi": Option("resolution of the pictures, 110 by default"),
        "pictures": _PICTURES,
        "effort": EFFORT,
    }

    def __init__(self, name: str, options: Mapping[str, str], model: ModelChoice | None) -> None:
        super().__init__(name, options, model)
        self.given_papers = options.get("pages") == "pdf"
        if options.get("context") == "parts" and options.get("pages", "text") != "text":
            raise BadInputError("context=parts reads the papers' text.", next="Leave out the option pages.")


class _Asked(Thinker):
    """A program that reads prompt.md: it may be a prompt of the user's."""

    def prompt_for(self, prompt: str, parameters: Mapping[str, Any]) -> str:
        """See ``own_prompt.filled``."""
        return filled(self._given, prompt, parameters)


class React(_Asked):
    """A loop of the model with the tools of the task's servers."""

    known_options: ClassVar[Mapping[str, Option]] = {
        "steps": Option("answers of the model at most, 100 by default"),
        **OWN_PROMPT,
        "max_output": MAX_OUTPUT,
        "pictures": _PICTURES,
        "effort": EFFORT,
    }


class Terminus(_Asked):
    """A terminal in tmux and nothing else; keeps its own trajectory, in which keystrokes are tool calls."""

    programs = (PYTHON, "tmux")
    sessions = (".terminus/trajectory.json", ".terminus/terminal.log")
    known_options: ClassVar[Mapping[str, Option]] = {
        "context": Option("tokens before its memory is emptied, the model's own context by default"),
        "turns": Option("answers of the model at most"),
        **OWN_PROMPT,
        "max_output": MAX_OUTPUT,
        "pictures": _PICTURES,
        "effort": EFFORT,
    }
