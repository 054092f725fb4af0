"""Agents of a user's own: one Python program, or a folder with an entry file and what it needs."""

from collections.abc import Callable, Mapping
from pathlib import Path

from pincite_core.errors import BadInputError, NotFoundError
from pincite_core.settings import load_settings
from pincite_harness.agents.agent import Agent, Briefing, Launch, Program
from pincite_harness.agents.crew import CrewAgent, is_crew
from pincite_models.dialects.model import DialectName
from pincite_models.dialects.table import DIALECTS
from pincite_sandbox.environment import build_environment
from pincite_sandbox.images.needs import LAYER_PATH, LAYER_PYTHON, Needs
from pincite_tasks.files import digest_bytes

FOLDER = ".agent"
"""Where an agent's files are, below the working folder."""
REQUIREMENTS = "requirements.txt"
ENTRIES = ("agent.py", "main.py", "__main__.py", "agent.sh")
"""What a folder's entry file may be called; the first that is there is run."""
_OPTIONS = ("dialect", "entry")
_LARGEST = 50_000_000
"""Bytes of a folder: it is copied into every trial's working folder, which is memory, at most 1 GiB with all else."""


def own_agent(path: Path, options: Mapping[str, str]) -> Agent:
    """The agent of a Python program or a folder. The option ``dialect`` says through which API it asks a model, where
    it does; ``entry`` names a folder's entry file."""
    if not path.exists():
        raise NotFoundError(f"There is no agent program {path}.", next="Check --agent.")
    files = _files_of(path.resolve()) if path.is_dir() else {f"{FOLDER}/{path.name}": path.resolve()}
    if is_crew(files, f"{FOLDER}/{path.resolve().name}/" if path.is_dir() else f"{FOLDER}/"):
        return _crew_agent(path.resolve(), files, options)
    known = _OPTIONS if path.is_dir() else _OPTIONS[:1]
    if unknown := sorted(set(options) - set(known)):
        raise BadInputError(f"The agent {path.name} has no options but {', '.join(known)}.", seen=", ".join(unknown))
    dialect = _dialect(options.get("dialect"))
    if path.is_dir():
        return FolderAgent(path.resolve(), dialect, options.get("entry", ""))
    inside = f"{FOLDER}/{path.name}"
    return Program(path.stem, "own", ("python3", inside), {inside: path.resolve()}, dialect=dialect)


class FolderAgent(Agent):
    """Runs the entry file of a folder, whose files are put into the working folder; ``requirements.txt`` is installed
    once into a layer of the image, or for local sandboxes into the cache."""

    version = "own"

    def __init__(self, folder: Path, dialect: DialectName | None, entry: str = "") -> None:
        self.name = folder.name
        self.dialect = dialect
        self.files = _files_of(folder)
        self._entry = _entry_of(folder, self.files, entry)
        requirements = folder / REQUIREMENTS
        text = requirements.read_text(encoding="utf-8") if requirements.is_file() else ""
        self._needs = Needs(text)
        self._environment: Path | None = None

    def prepare(self, docker: bool, say: Callable[[str], None]) -> None:
        """Install its requirements, unless they were before."""
        if not self._needs:
            return
        if docker:
            from pincite_sandbox.images.layer import build_layer

            self.image = build_layer(self.docker_image, self._needs, say)
            return
        say("installing what the agent needs, unless it was before")
        self._environment = build_environment(self._needs.requirements, load_settings().cache_dir)
        self.folders = (self._environment,)

    def python(self, docker: bool) -> str:
        """The interpreter with its requirements; the sandbox's own where it has none."""
        if docker and self._needs:
            return LAYER_PYTHON
        return str(self._environment / "bin" / "python") if self._environment is not None else "python3"

    def launch(self, briefing: Briefing) -> Launch:
        """Its files, and its entry file by the interpreter that has its requirements, or by the shell."""
        command = "/bin/sh" if self._entry.endswith(".sh") else briefing.python
        files = {name: path.read_bytes() for name, path in self.files.items()}
        folders = [LAYER_PATH] if self._needs else []
        if self._environment is not None:
            folders = [str(self._environment / "bin")]
        path = ":".join([*folders, "/usr/local/bin", "/usr/bin", "/bin"])
        return Launch((command, self._entry), {"PATH": path} if folders else {}, files)

    def digests(self) -> dict[str, str]:
        """Digest of each file by its path in the sandbox."""
        return {name: digest_bytes(path.read_bytes()) for name, path in sorted(self.files.items())}


def _crew_agent(path: Path, files: Mapping[str, Path], options: Mapping[str, str]) -> Agent:
    """The agent of a program that imports the kernel ``crew``: what is not an option of every program is its own."""
    dialect = _dialect(options.get("dialect"))
    own = {name: value for name, value in options.items() if name not in _OPTIONS}
    if not path.is_dir():
        return CrewAgent(path.stem, files, f"{FOLDER}/{path.name}", dialect, own)
    if (path / REQUIREMENTS).is_file():
        raise BadInputError(
            f"The agent {path.name} imports crew and has {REQUIREMENTS}.",
            next="A crew runs with the harness's libraries; put others into an image of your own (--image).",
        )
    return CrewAgent(path.name, files, _entry_of(path, files, options.get("entry", "")), dialect, own)


def _entry_of(folder: Path, files: Mapping[str, Path], entry: str) -> str:
    """The path of a folder's entry file in the sandbox."""
    names = {path.relative_to(folder).as_posix() for path in files.values()}
    wanted = (entry,) if entry else ENTRIES
    found = next((name for name in wanted if name in names), None)
    if found is None:
        raise BadInputError(
            f"The agent {folder} has no entry file.",
            seen=f"looked for {', '.join(wanted)}",
            next="Name it agent.py, or give --agent-option entry=FILE.",
        )
    return f"{FOLDER}/{folder.name}/{found}"


def _files_of(folder: Path) -> dict[str, Path]:
    """The folder's files by their path in the sandbox, but for hidden ones and compiled ones."""
    files: dict[str, Path] = {}
    size = 0
    for path in sorted(folder.rglob("*")):
        parts = path.relative_to(folder).parts
        if not path.is_file() or "__pycache__" in parts or any(part.startswith(".") for part in parts):
            continue
        if not path.resolve().is_relative_to(folder):
            raise BadInputError(f"The agent's file {path} leads out of its folder.", next="Copy it into the folder.")
        size += path.stat().st_size
        files[f"{FOLDER}/{folder.name}/{path.relative_to(folder).as_posix()}"] = path
    if size > _LARGEST:
        raise BadInputError(
            f"The agent's folder {folder} is too large to be put into every trial.",
            seen=f"{size / 1e6:.0f} MB",
            next=f"Keep it below {_LARGEST / 1e6:.0f} MB: data belongs into an image of your own (--image).",
        )
    return files


def _dialect(name: str | None) -> DialectName | None:
    if name is None:
        return None
    if name not in tuple(DIALECTS):
        raise BadInputError(f"There is no dialect {name!r}.", seen=", ".join(DIALECTS))
    return name
