"""Anagent: planner, expert, author and critic, who write the analysis of tables and figures on the kernel ``crew``."""

import tomllib
from collections.abc import Mapping
from importlib.metadata import version
from typing import Any, ClassVar

from pincite_harness.agents.agent import Ending, Squares
from pincite_harness.agents.crew import FOLDER, KERNEL_OPTIONS, PROGRAMS, CrewAgent, outage_of
from pincite_harness.agents.options import FILE_MARK, Number, Option, check_options, named_files
from pincite_harness.agents.registry import program_files
from pincite_models.choice import ModelChoice
from pincite_tasks.failure import Failure

_PROGRAM = PROGRAMS / "anagent"
_ENTRY = f"{FOLDER}/anagent/__main__.py"
_STATED = {
    "width": ("dimensions.width",),
    "depth": ("dimensions.depth",),
    "all": ("dimensions.width", "dimensions.depth"),
}
"""What the option ``state`` tells the program of the task's metadata."""

_OWN_SIZE = "own"


def squares_of(pixels: str) -> Squares:
    """``128-1024`` as squares; one number is both."""
    least, _, most = pixels.partition("-")
    return Squares(int(least), int(most or least))


def read_options() -> dict[str, Option]:
    """The options of the program, from its own table, and those of every program on the kernel."""
    return {name: _option(row) for name, row in _table().items()} | dict(KERNEL_OPTIONS)


def _table() -> Mapping[str, Mapping[str, Any]]:
    return tomllib.loads((_PROGRAM / "options.toml").read_text(encoding="utf-8"))


def _option(row: Mapping[str, Any]) -> Option:
    number = Number(least=row["least"], most=row["most"], span=row.get("span", False)) if "least" in row else None
    meaning = f"{row['meaning']}, {row['default']} by default"
    return Option(meaning, tuple(row.get("words", ())), number=number, file=row.get("file", False))


class Anagent(CrewAgent):
    """Runs the folder ``programs/anagent`` with the kernel beside it."""

    scorers = ("figure_analysis",)
    known_options: ClassVar[Mapping[str, Option]] = read_options()

    def __init__(self, name: str, options: Mapping[str, str], model: ModelChoice | None) -> None:
        check_options(name, options, self.known_options)
        marked = {option: f"{FILE_MARK}{path}" for option, path in named_files(options, self.known_options).items()}
        dialect = model.dialect if model is not None else "openai.chat"
        own = sorted(_PROGRAM.rglob("*.py"))
        super().__init__(name, program_files(), _ENTRY, dialect, {**options, **marked}, own)
        self.version = version("pincite")
        pixels = options.get("pixels", _table()["pixels"]["default"])
        self.picture_squares = None if pixels == _OWN_SIZE else squares_of(pixels)
        self.metadata_keys = _STATED.get(options.get("state", ""), ())

    def diagnose(self, ending: Ending) -> Failure | None:
        """The model's failure where a role could not be asked: what the other roles left is not what the program
        gives."""
        return outage_of(self.name, ending)
