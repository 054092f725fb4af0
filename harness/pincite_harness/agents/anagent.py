"""Anagent: planner, expert, author and critic, who write the analysis of tables and figures on the kernel ``crew``."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any, ClassVar

from pincite_core.errors import BadInputError
from pincite_harness.agents.agent import Ending
from pincite_harness.agents.crew import FOLDER, PROGRAMS, CrewAgent
from pincite_harness.agents.registry import program_files
from pincite_models.choice import ModelChoice
from pincite_tasks.failure import Cause, Failure

_PROGRAM = PROGRAMS / "anagent"
_ENTRY = f"{FOLDER}/anagent/__main__.py"
_OUTAGE = "anagent: Outage: "
"""How the program says that a role could not be asked although it left an answer."""
_SHOWN = 500
_STATED = {
    "width": ("dimensions.width",),
    "depth": ("dimensions.depth",),
    "all": ("dimensions.width", "dimensions.depth"),
}
"""What the option ``state`` tells the program of the task's metadata."""
_KERNEL = {
    "format": ("tool", "tags"),
    "pictures": ("yes", "no"),
    "effort": ("minimal", "low", "medium", "high"),
}
"""Options of every program on the kernel that take words."""
_KERNEL_NUMBERS = ("repairs", "calls", "tokens", "seconds", "cost")


@dataclass(frozen=True, slots=True)
class Choice:
    """An option: its default, what it means, and the words or whole numbers that it takes."""

    default: str
    meaning: str
    words: tuple[str, ...] = ()
    least: int | None = None
    most: int | None = None

    def takes(self, value: str) -> bool:
        """Whether ``value`` is one of its values."""
        if value in self.words:
            return True
        return (
            self.least is not None
            and self.most is not None
            and value.isdecimal()
            and (self.least <= int(value) <= self.most)
        )

    def __str__(self) -> str:
        values = [*self.words]
        if self.least is not None:
            values.append(f"a number from {self.least} to {self.most}")
        return f"{self.meaning}: {' or '.join(values)}; {self.default} by default"


def read_options() -> dict[str, Choice]:
    """The options of the program, from its own table."""
    table: Mapping[str, Mapping[str, Any]] = tomllib.loads((_PROGRAM / "options.toml").read_text(encoding="utf-8"))
    return {
        name: Choice(
            option["default"],
            option["meaning"],
            tuple(option.get("words", ())),
            option.get("least"),
            option.get("most"),
        )
        for name, option in table.items()
    }


class Anagent(CrewAgent):
    """Runs the folder ``programs/anagent`` with the kernel beside it."""

    scorers = ("figure_analysis",)
    known_options: ClassVar[Mapping[str, Choice]] = read_options()

    def __init__(self, name: str, options: Mapping[str, str], model: ModelChoice | None) -> None:
        for option, value in options.items():
            _check(name, option, value)
        files = program_files()
        dialect = model.dialect if model is not None else "openai.chat"
        super().__init__(name, files, _ENTRY, dialect, options)
        self.version = version("pincite")
        self.metadata_keys = _STATED.get(options.get("state", ""), ())

    def diagnose(self, ending: Ending) -> Failure | None:
        """The model's failure where a role could not be asked: what the other roles left is not what the program
        gives."""
        said = ending.stderr.decode("utf-8", "replace").splitlines()
        outage = next((line for line in reversed(said) if line.startswith(_OUTAGE)), "")
        if ending.exit_code == 0 or not outage:
            return None
        return Failure(Cause.MODEL_FAILED, outage.removeprefix(_OUTAGE)[:_SHOWN])


def _check(name: str, option: str, value: str) -> None:
    """BadInputError for an option that there is not, or a value that it does not take."""
    known = Anagent.known_options.get(option)
    if known is not None:
        if not known.takes(value):
            raise BadInputError(f"{option}={value!r} is not a valid value.", seen=str(known))
        return
    if option in _KERNEL:
        if value not in _KERNEL[option]:
            raise BadInputError(f"{option}={value!r} is not a valid value.", seen=" or ".join(_KERNEL[option]))
        return
    if option in _KERNEL_NUMBERS:
        if not value.replace(".", "", 1).isdecimal():
            raise BadInputError(f"{option}={value!r} is not a valid value.", seen="a number")
        return
    table = ", ".join([*Anagent.known_options, *_KERNEL, *_KERNEL_NUMBERS])
    raise BadInputError(f"{name} has no option {option!r}.", seen=table, next="Name one of these.")
