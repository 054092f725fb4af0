"""Agents of other packages: what they are written with, and how they are found (entry points ``pincite.agents``)."""

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from typing import Any, ClassVar

from pincite_core.errors import BadInputError, UnavailableError
from pincite_harness.agents.agent import HOME, Agent, Briefing, Launch
from pincite_harness.agents.options import Given, Option, check_options, named_files
from pincite_models.choice import ModelChoice
from pincite_models.dialects.model import DialectName
from pincite_sandbox.images.needs import LAYER_PATH, Needs
from pincite_tasks.files import digest_bytes, digest_json

GROUP = "pincite.agents"
"""The entry points' group: ``name = "module:Class"``."""
_LOCAL_PATH = "/usr/local/bin:/usr/bin:/bin"
_ANY = Briefing(
    prompt="", workdir="/work", tools={"server": "http://door/mcp/server"}, token="", seconds=1, model_url="http://door"
)


class CommandAgent(Agent):
    """A command line of another package. A subclass says what it is called, what it needs, how it is run, and through
    which API it asks its model (``dialect``); the entry point's name is the agent's."""

    description: ClassVar[str] = ""
    """One line for ``pincite agents``."""
    version: str = ""
    """The version that is run, for the record."""
    dialect: DialectName | None = None
    """``anthropic.messages``, ``openai.chat``, ``openai.responses`` or ``google.generate``; None: no model."""
    requirements: ClassVar[Sequence[str]] = ()
    """Packages of pip with their versions, installed into a layer of the image."""
    npm: ClassVar[Sequence[str]] = ()
    """Packages of npm with their versions, likewise; Node comes with them."""
    programs: Sequence[str] = ()
    """Its commands: they must be on the PATH of this machine where it runs without Docker."""
    sessions: Sequence[str] = ()
    """Files and folders below the working folder that are kept with the trial, under ``agent/``."""
    known_options: ClassVar[Mapping[str, str | Option]] = {}
    """Its options (``--agent-option``) with what they mean, as an ``Option`` where their values are checked. One that
    names a file has the path of its copy, below the working folder, in ``options``."""

    def __init__(self, name: str, options: Mapping[str, str], model: ModelChoice | None) -> None:
        if unknown := sorted(set(options) - set(self.known_options)):
            known = "; ".join(f"{option}: {what}" for option, what in self.known_options.items())
            raise BadInputError(f"{name} has no option {unknown[0]!r}.", seen=known or "it has none")
        typed = {option: known for option, known in self.known_options.items() if isinstance(known, Option)}
        check_options(name, {option: value for option, value in options.items() if option in typed}, typed)
        self._given = Given.of(options, named_files(options, typed))
        self.name = name
        self.options = dict(self._given.options)
        self.model = model.name if model is not None else ""
        self._in_layer = False

    @abstractmethod
    def command(self, briefing: Briefing) -> Sequence[str]:
        """Program and arguments. The prompt is ``briefing.prompt`` (and the file prompt.md); no secret stands here."""

    def environment(self, briefing: Briefing) -> Mapping[str, str]:
        """Its variables: where the model's API is (``briefing.model_url``), and the token as its key."""
        return {}

    def files(self, briefing: Briefing) -> Mapping[str, bytes]:
        """Its settings, by path below the working folder: the servers' addresses are ``briefing.tools``."""
        return {}

    def prepare(self, docker: bool, say: Callable[[str], None]) -> None:
        """Install its packages into a layer of the image, unless they were before."""
        needs = Needs("".join(f"{line}\n" for line in self.requirements), tuple(self.npm))
        if docker and needs:
            from pincite_sandbox.images.layer import build_layer

            self.image = build_layer(self.docker_image, needs, say)
            self._in_layer = True

    def launch(self, briefing: Briefing) -> Launch:
        """As the subclass says, with a home below the working folder."""
        env = {"HOME": f"{briefing.workdir}/{HOME}", **self.environment(briefing)}
        if self._in_layer:
            env.setdefault("PATH", f"{LAYER_PATH}:{_LOCAL_PATH}")
        files = {f"{HOME}/.keep": b"", **self.files(briefing), **self._given.files}
        return Launch(tuple(self.command(briefing)), env, files)

    def digests(self) -> dict[str, str]:
        """Of the way it is started, as for a task that has one server, and of what it needs."""
        launch = self.launch(_ANY)
        files = {name: digest_bytes(data) for name, data in sorted(launch.files.items())}
        env = {name: value for name, value in launch.env.items() if name != "PATH"}
        how = {"argv": list(launch.argv), "env": env, "files": files}
        return {"launch": digest_json(how), "needs": digest_json([list(self.requirements), list(self.npm)])}


@dataclass(frozen=True, slots=True)
class PluginEntry:
    """An agent that an installed package brings: ``fault`` says why it cannot be used."""

    name: str
    package: str
    description: str = ""
    factory: Callable[..., Any] | None = None
    options: Mapping[str, str] | None = None
    fault: str = ""


def _points() -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=GROUP)}


def plugin_names() -> list[str]:
    """Names of the agents that other packages bring; none of them is imported."""
    return sorted(_points())


def load_plugin(name: str) -> PluginEntry:
    """The agent of another package, imported now; what goes wrong is told as its ``fault``."""
    point = _points()[name]
    package = f"{point.dist.name} {point.dist.version}" if point.dist is not None else point.value
    try:
        factory = point.load()
        if not callable(factory):
            raise TypeError(f"{point.value} is not a class or a function")
        description = str(getattr(factory, "description", "") or "")
        options = {str(key): str(value) for key, value in dict(getattr(factory, "known_options", {})).items()}
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            raise
        return PluginEntry(name, package, fault=f"{type(error).__name__}: {error}")
    return PluginEntry(name, package, description, factory, options)


def plugin_agent(name: str, options: Mapping[str, str], model: ModelChoice | None) -> Agent:
    """The agent of another package; UnavailableError, naming the package, where it is broken."""
    entry = load_plugin(name)
    if entry.factory is None:
        raise UnavailableError(
            f"The agent {name} of {entry.package} cannot be loaded.",
            seen=entry.fault,
            next="Correct or update the package.",
        )
    try:
        agent = entry.factory(name, options, model)
        sound = isinstance(agent, Agent) and bool(agent.name and agent.version and agent.digests())
    except BadInputError:
        raise
    except Exception as error:
        raise UnavailableError(
            f"The agent {name} of {entry.package} cannot be made.",
            seen=f"{type(error).__name__}: {error}",
            next="Correct or update the package.",
        ) from error
    if not sound:
        raise UnavailableError(
            f"The agent {name} of {entry.package} is not an agent.",
            seen=type(agent).__name__,
            next="Its entry point names a subclass of pincite_harness.agents.plugin.CommandAgent, with a version.",
        )
    return agent
