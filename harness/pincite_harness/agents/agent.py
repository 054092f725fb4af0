"""Agent: a program that runs inside a sandbox, how it gets there, and how it is started."""

import copy
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from pincite_harness.agents.needs import Needs
from pincite_models.choice import ModelChoice
from pincite_models.dialects.model import DialectName
from pincite_sandbox.images import AGENTS_IMAGE, AGENTS_PYTHON, DEFAULT_IMAGE
from pincite_tasks.failure import Failure
from pincite_tasks.family import Family
from pincite_tasks.files import digest_bytes
from pincite_tasks.task import Task

IMAGES = {"base": DEFAULT_IMAGE, "agents": AGENTS_IMAGE}
"""Pincite's own images, by the words that agents name them with."""
PAPERS = ".papers"
"""Where the task's papers lie below the working folder, for agents that are given them."""
_NOTHING: Mapping[str, str] = {}
HOME = ".home"
"""The home of agents that keep settings and sessions in one, below the working folder."""


@dataclass(frozen=True, slots=True)
class Briefing:
    """What an agent is told when it starts. The addresses are those inside the sandbox."""

    prompt: str
    workdir: str
    tools: Mapping[str, str]
    """Address of each MCP server by its name (streamable HTTP; the token goes as a bearer token)."""
    token: str
    """Opens both doors, and nothing else."""
    seconds: float
    """Wall clock that the agent has."""
    python: str = "python3"
    """The interpreter inside that has the libraries of the extra ``agents``."""
    model: ModelChoice | None = None
    role_models: Mapping[str, ModelChoice] = field(default_factory=dict[str, ModelChoice])
    """Models of roles that have one of their own."""
    model_url: str = ""
    """Base address of the model door without a trailing slash: the API's own paths (``/v1/messages``,
    ``/v1/responses``, ``/v1/chat/completions``, ``/v1beta/models/…``) follow, for a role's after ``/role/ROLE``."""
    hosted_tools: Sequence[str] = ()
    """Provider-side tools that the task opens."""


class Squares(NamedTuple):
    """Bounds of a picture's size: it has at least ``least``² and at most ``most``² pixels."""

    least: int
    most: int


@dataclass(frozen=True, slots=True)
class Launch:
    """How an agent is started: ``files`` are put into the working folder (paths relative to it) before ``argv`` is run
    there with ``env``. stdin is closed."""

    argv: Sequence[str]
    env: Mapping[str, str] = field(default_factory=dict[str, str])
    files: Mapping[str, bytes] = field(default_factory=dict[str, bytes])


@dataclass(frozen=True, slots=True)
class Ending:
    """How an agent's process ended: its exit code, None where it was killed, and the end of its output."""

    exit_code: int | None
    stdout: bytes = b""
    stderr: bytes = b""


class Agent(ABC):
    """Leaves its answer in the working folder, in the file that the task names (task.json's ``answer``)."""

    name: str
    version: str
    dialect: DialectName | None = None
    """The API through which it reaches its model; None when it needs no model."""
    trusted: bool = False
    """Whether it is a program of pincite's own that only reads and answers: it may run where nothing isolates it."""
    shows_tools: bool = False
    """Whether it shows its model every tool of the servers from the first: one that it lost is a failure."""
    needs_gold: bool = False
    """Whether ``gold.json`` is put beside the task: only for an oracle."""
    scorers: Sequence[str] = ()
    """The scorers for whose families it can work; any, where there are none."""
    servers: Sequence[str] = ()
    """Servers of pincite's that it works with: those that a family does not have are added to its tasks' own, as by
    ``--with``."""
    server_environment: Mapping[str, str] = _NOTHING
    """Variables (``PINCITE_…``) that it asks of the servers of its trials."""
    image: str = "base"
    """Which Docker image it needs: ``base`` (Python alone), ``agents`` (the CLI agents and the harness agents'
    libraries), or the name of one of its own."""
    image_id: str = ""
    """Digest of an image of its own, once it was looked at: a resumed run must find the same."""
    given_papers: bool = False
    """Whether it is given the task's papers as files, in ``.papers`` of its working folder."""
    roles: Sequence[str] | None = None
    """The roles that may have a model of their own (``--role-model``); None where it does not say."""
    sessions: Sequence[str] = ()
    """Folders and files that it leaves below the working folder and that are kept with the trial, under ``agent/``."""
    programs: Sequence[str] = ()
    """Commands that it needs where there is no image: the local sandbox shows their folders to it, read-only."""
    metadata_keys: Sequence[str] = ()
    """Keys of a task's metadata (``dimensions.width``) that are put into task.json for it, where its options ask for
    them; never a part of the gold."""
    picture_squares: Squares | None = None
    """Between which squares the pixels of the task's pictures are to lie in its folder; None leaves them as they are.
    Servers see the files themselves."""
    folders: Sequence[Path] = ()
    """More folders of this machine that a local sandbox shows to it, read-only."""

    def prompt_for(self, prompt: str, parameters: Mapping[str, Any]) -> str:
        """What it is asked, out of the task's own prompt and its parameters; BadInputError where that cannot be."""
        return prompt

    @abstractmethod
    def launch(self, briefing: Briefing) -> Launch:
        """How it is started in one trial."""

    @abstractmethod
    def digests(self) -> dict[str, str]:
        """Digests of what it is made of, by name: a resumed run must find the same."""

    @property
    def docker_image(self) -> str:
        """The full name of the Docker image that it runs in."""
        return IMAGES.get(self.image, self.image)

    def in_image(self, name: str) -> "Agent":
        """The same agent in an image of the user's own."""
        other = copy.copy(self)
        object.__setattr__(other, "image", name)
        return other

    def prepare(self, docker: bool, say: Callable[[str], None]) -> None:
        """Install what it needs beside its files, into a layer of its image or into this machine's cache; blocks.
        Called before a run's first trial; nothing to do by default."""
        return

    def python(self, docker: bool) -> str:
        """The interpreter inside that has the libraries of the extra ``agents``, or of its own."""
        return AGENTS_PYTHON if docker else sys.executable

    def needs(self, family: Family, task: Task, pages: Callable[[Path], int]) -> Needs | None:
        """What one task takes, told before the run; None where it does not say. ``pages`` opens a paper and counts its
        pages; what it raises where that cannot be is to pass."""
        return None

    def remarks(self, backend: str) -> Sequence[str]:
        """What the run's record should say of it in a sandbox of that backend."""
        return ()

    def diagnose(self, ending: Ending) -> Failure | None:
        """Why it failed, told from its own words; None when it did not, or when it does not say."""
        return None


@dataclass(frozen=True)
class Program(Agent):
    """An agent that is a program of its own: ``files`` maps paths in the sandbox to files on the host."""

    name: str
    version: str
    argv: Sequence[str]
    files: Mapping[str, Path] = field(default_factory=dict[str, Path])
    env: Mapping[str, str] = field(default_factory=dict[str, str])
    needs_gold: bool = False
    dialect: DialectName | None = None
    trusted: bool = False
    scorers: Sequence[str] = ()

    def launch(self, briefing: Briefing) -> Launch:
        """The files and the command as they are."""
        return Launch(self.argv, self.env, {name: path.read_bytes() for name, path in self.files.items()})

    def digests(self) -> dict[str, str]:
        """Digest of each file by its path in the sandbox."""
        return {name: digest_bytes(path.read_bytes()) for name, path in sorted(self.files.items())}
