"""Agents of a user's own that are written on the kernel ``crew``: shipped with it, run with the harness's libraries."""

import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import orjson

from pincite_core.errors import BadInputError
from pincite_harness.agents.agent import Agent, Briefing, Ending, Launch
from pincite_harness.agents.host import PYTHON
from pincite_harness.agents.needs import Needs, read_needs
from pincite_harness.agents.options import FILE_MARK, Given, Number, Option
from pincite_harness.agents.roles import roles_in
from pincite_models.dialects.model import DialectName
from pincite_tasks.failure import Cause, Failure
from pincite_tasks.family import Family
from pincite_tasks.files import digest_bytes
from pincite_tasks.task import Task

FOLDER = ".agent"
STATE = f"{FOLDER}/state.jsonl"
PROGRAMS = Path(__file__).parent / "programs"
_BESIDE = ("door.py", "thinking.py", "toolbox.py", "answering.py", "fitting.py", "locators.py", "context_fit.py")
"""Modules that the kernel and its users import."""
_AMOUNT = Number(least=0, decimals=True)
KERNEL_OPTIONS: Mapping[str, Option] = {
    "format": Option("how roles answer, by a tool or in tags for small models", ("tool", "tags")),
    "repairs": Option("how often a reply that does not fit is asked for again, 1 by default", number=Number(least=0)),
    "pictures": Option("whether roles are shown pictures, yes by default", ("yes", "no")),
    "effort": Option("reasoning effort of the model", ("minimal", "low", "medium", "high")),
    "calls": Option("model calls after which it answers with what it has", number=_AMOUNT),
    "tokens": Option("tokens after which it answers with what it has", number=_AMOUNT),
    "seconds": Option("seconds after which it answers with what it has", number=_AMOUNT),
    "cost": Option("US dollars after which it answers with what it has", number=_AMOUNT),
}
"""Options of every program on the kernel."""
_OUTAGE = "Outage: "
"""How a program says in its last lines that a role could not be asked."""
_SHOWN = 500
"""Characters of such a line that are kept."""
_IMPORTS = re.compile(rb"^[ \t]*(?:from|import)[ \t]+crew\b", re.MULTILINE)


def outage_of(name: str, ending: Ending) -> Failure | None:
    """The model's failure where a role of the program ``name`` could not be asked although the others left an answer;
    the program writes it as its own kind of error."""
    begins = f"{name}: {_OUTAGE}"
    said = ending.stderr.decode("utf-8", "replace").splitlines()
    outage = next((line for line in reversed(said) if line.startswith(begins)), "")
    if ending.exit_code == 0 or not outage:
        return None
    return Failure(Cause.MODEL_FAILED, outage.removeprefix(begins)[:_SHOWN])


def is_crew(files: Mapping[str, Path], root: str) -> bool:
    """Whether a program of ``files`` (below ``root`` in the sandbox) imports the kernel; a ``crew`` of its own is not
    the kernel."""
    if any(name.startswith((f"{root}crew/", f"{root}crew.py")) for name in files):
        return False
    return any(path.suffix == ".py" and _IMPORTS.search(path.read_bytes()) for path in files.values())


class CrewAgent(Agent):
    """Runs a program that imports ``crew``, with the kernel in ``.agent`` and its events kept with the trial."""

    version = "own"
    image = "agents"
    programs = (PYTHON,)
    sessions = (STATE,)

    def __init__(
        self,
        name: str,
        files: Mapping[str, Path],
        entry: str,
        dialect: DialectName | None,
        options: Mapping[str, str],
        program: Iterable[Path] | None = None,
    ) -> None:
        """``program`` are the files that may name roles; all of ``files`` where it is None."""
        self.name = name
        self.dialect = dialect
        self._entry = entry
        paths = {option: Path(value[1:]) for option, value in options.items() if value.startswith(FILE_MARK)}
        self._given = Given.of(options, paths)
        self._options = dict(self._given.options)
        kernel = [*sorted((PROGRAMS / "crew").glob("*.py")), *(PROGRAMS / name for name in _BESIDE)]
        shipped = {f"{FOLDER}/{path.relative_to(PROGRAMS).as_posix()}": path for path in kernel}
        top = entry.rpartition("/")[0]
        reserved = {f"{top}/{name}" for name in _BESIDE}
        if taken := sorted(reserved & set(files)):
            raise BadInputError(
                f"The agent {name} uses a name of the kernel.",
                seen=", ".join(taken),
                next="Call these files otherwise: the kernel's modules of these names are imported beside crew.",
            )
        self._files = {**files, **shipped}
        self.roles = roles_in(files.values() if program is None else program)

    def launch(self, briefing: Briefing) -> Launch:
        """The program, the kernel and the options."""
        files = {name: path.read_bytes() for name, path in self._files.items()}
        files[f"{FOLDER}/options.json"] = orjson.dumps(self._options)
        environment = {"PYTHONPATH": f"{briefing.workdir}/{FOLDER}"}
        return Launch((briefing.python, self._entry), environment, {**files, **self._given.files})

    def needs(self, family: Family, task: Task, pages: Callable[[Path], int]) -> Needs | None:
        """What ``NEEDS`` of the program says, at most what the options let it spend: it ends well by these."""
        stated = read_needs(self._files[self._entry])
        if stated is None:
            return None
        count = sum(pages(path) for path in task.papers) if stated.a_page else 0
        needs = stated.of(count)
        amounts = {name: self._at_most(name, getattr(needs, name)) for name in ("calls", "seconds", "tokens")}
        return Needs(round(amounts["calls"]), amounts["seconds"], round(amounts["tokens"]))

    def _at_most(self, option: str, amount: float) -> float:
        """``amount``, or the option of the kernel that ends the program sooner."""
        given = self._options.get(option, "")
        try:
            limit = float(given or 0)
        except ValueError:
            return amount  # the program tells what is wrong with its options
        return min(amount, limit) if limit > 0 else amount

    def digests(self) -> dict[str, str]:
        """Digest of each file by its path in the sandbox, prompts and kernel too, and of the options."""
        files = {name: digest_bytes(path.read_bytes()) for name, path in sorted(self._files.items())}
        return files | self._given.digests()
