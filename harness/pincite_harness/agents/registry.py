"""The agents that can be named on the command line."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from pincite_core.errors import BadInputError
from pincite_core.lazy import load
from pincite_harness.agents.agent import Agent, Program
from pincite_harness.agents.options import FILE_MARK, Option, named_files
from pincite_harness.agents.own import FOLDER, own_agent
from pincite_harness.agents.plugin import load_plugin, plugin_agent, plugin_names
from pincite_models.choice import ModelChoice

PROGRAMS = Path(__file__).parent / "programs"


@dataclass(frozen=True, slots=True)
class AgentEntry:
    """One agent: what it is, and where its factory ``(options, model) -> Agent`` lies (``module:function``)."""

    description: str
    factory: str


_PLAIN = "pincite_harness.agents.registry:plain"
AGENTS = {
    "baseline": AgentEntry("rules and a lexicon, no model: a floor", _PLAIN),
    "oracle": AgentEntry("answers the gold: a ceiling", _PLAIN),
    "nop": AgentEntry("answers nothing", _PLAIN),
    "claude-code": AgentEntry("Anthropic's Claude Code", "pincite_harness.agents.cli.claude_code:ClaudeCode"),
    "codex": AgentEntry("OpenAI's Codex CLI", "pincite_harness.agents.cli.codex:Codex"),
    "gemini-cli": AgentEntry("Google's Gemini CLI", "pincite_harness.agents.cli.gemini_cli:GeminiCli"),
    "qwen-code": AgentEntry("Alibaba's Qwen Code", "pincite_harness.agents.cli.qwen_code:QwenCode"),
    "zeroshot": AgentEntry("one call of the model, the whole paper in it", "pincite_harness.agents.thinker:Zeroshot"),
    "react": AgentEntry("a model in a loop with the task's tools", "pincite_harness.agents.thinker:React"),
    "terminus": AgentEntry("works in a terminal alone, by keystrokes", "pincite_harness.agents.thinker:Terminus"),
    "sudokufill": AgentEntry(
        "page agents fill records field by field and debate the values", "pincite_harness.agents.sudokufill:SudokuFill"
    ),
    "anagent": AgentEntry(
        "planner, expert, author and critic write the analysis of figures", "pincite_harness.agents.anagent:Anagent"
    ),
    "literature": AgentEntry(
        "searches, reads, looks at figures and writes from what it kept, with rules that hold it to its sources",
        "pincite_harness.agents.literature:Literature",
    ),
    "rag": AgentEntry(
        "the chunks nearest to the query, and one call with them", "pincite_harness.agents.long_documents:Rag"
    ),
    "deepresearch": AgentEntry(
        "a loop of search and visit, which says why it ended", "pincite_harness.agents.long_documents:DeepResearch"
    ),
    "replay": AgentEntry("replay:TRAJECTORY makes recorded tool calls again", "pincite_harness.agents.replay:Replay"),
}
"""Agents by name; the harness's own programs that need no model are each one program of ``programs/``."""


def get_agent(name: str, options: Mapping[str, str] | None = None, model: ModelChoice | None = None) -> Agent:
    """The agent called ``name`` (what follows a colon goes to its factory as the option ``of``), one that an installed
    package brings, or the user's own where ``name`` is a path: it ends in ``.py`` or has a slash.

    BadInputError for an unknown name, for an option that the agent does not have, and where it needs a model and there
    is none, speaks to none and there is one, or speaks another API than its provider.
    """
    word, _, rest = name.partition(":")
    if is_path(name):
        agent = own_agent(Path(name), options or {})
    elif word in AGENTS:
        given = {**(options or {}), **({"of": rest} if rest else {})}
        agent = load(AGENTS[word].factory)(word, given, model)
    elif name in plugin_names():
        agent = plugin_agent(name, options or {}, model)
    else:
        folder = f" (the folder ./{name} is --agent ./{name})" if Path(name).is_dir() else ""
        raise BadInputError(
            f"There is no agent {name!r}.",
            seen=", ".join([*AGENTS, *plugin_names()]),
            next=f"Name one of these, or the path of a Python program or a folder of your own{folder}.",
        )
    if agent.dialect is not None and model is None:
        raise BadInputError(f"The agent {agent.name} needs a model.", next="--model PROVIDER:NAME")
    if agent.dialect is not None and model is not None and not model.speaks(agent.dialect):
        raise BadInputError(
            f"The agent {agent.name} speaks {agent.dialect}, which the API of {model.provider} does not.",
            next="--model NAME --model-url URL names a server of your own that does.",
        )
    if agent.dialect is None and model is not None:
        raise BadInputError(
            f"The agent {agent.name} asks no model.",
            seen=model.name,
            next="Leave --model out; a program of your own says --agent-option dialect=openai.chat, say.",
        )
    return agent


def options_of(name: str) -> dict[str, str]:
    """The options of the agent called ``name`` with what they mean."""
    return {option: str(meaning) for option, meaning in _known_options(name, name).items()}


def servers_of(name: str) -> Sequence[str]:
    """The servers that the agent called ``name`` works with, beside those of a family."""
    word = name.partition(":")[0]
    return getattr(load(AGENTS[word].factory), "servers", ()) if word in AGENTS else ()


def absolute_options(agent: str, options: Mapping[str, str]) -> dict[str, str]:
    """The options with the absolute paths of the files that they name: a run can be resumed from another folder."""
    word = agent.partition(":")[0]
    if is_path(agent):
        marked = {name: Path(value[1:]) for name, value in options.items() if value.startswith(FILE_MARK)}
        return {**options, **{name: f"{FILE_MARK}{path.resolve()}" for name, path in marked.items()}}
    known = _known_options(agent, word)
    typed = {name: option for name, option in known.items() if isinstance(option, Option)}
    return {**options, **{name: str(path.resolve()) for name, path in named_files(options, typed).items()}}


def _known_options(agent: str, word: str) -> Mapping[str, object]:
    if word in AGENTS:
        return getattr(load(AGENTS[word].factory), "known_options", {})
    return getattr(load_plugin(agent).factory, "known_options", {}) if agent in plugin_names() else {}


def is_path(agent: str) -> bool:
    """Whether a name is the path of a user's own agent: it ends in ``.py`` or has a slash."""
    return agent.endswith(".py") or "/" in agent.partition(":")[0] or agent == "."


def no_options(agent: str, options: Mapping[str, str]) -> None:
    """BadInputError when options are given to an agent that has none."""
    if options:
        raise BadInputError(f"The agent {agent} has no options.", seen=", ".join(sorted(options)))


def program_files() -> dict[str, Path]:
    """All files of ``programs/`` by their path in the sandbox: every agent of the harness has the whole folder."""
    return {f"{FOLDER}/{path.relative_to(PROGRAMS).as_posix()}": path for path in _files()}


def plain(name: str, options: Mapping[str, str], _model: ModelChoice | None) -> Agent:
    """The agents that need no model."""
    no_options(name, options)
    files = program_files()
    command = ("python3", f"{FOLDER}/{name}.py")
    scorers = ("property_extraction",) if name == "baseline" else ()
    return Program(name, version("pincite"), command, files, needs_gold=name == "oracle", trusted=True, scorers=scorers)


def _files() -> Iterator[Path]:
    for path in sorted(PROGRAMS.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            yield path
