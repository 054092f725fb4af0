"""SudokuFill: page agents that fill records field by field and debate the values, on the kernel ``crew``."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import orjson

from pincite_core.errors import BadInputError
from pincite_harness.agents.agent import Briefing, Launch
from pincite_harness.agents.crew import STATE
from pincite_harness.agents.registry import FOLDER
from pincite_harness.agents.thinker import ANSWERING, EFFORT, Option, Thinker
from pincite_models.choice import ModelChoice

ARCHIVE = "sudokufill: the archive of earlier papers is empty, since nothing passes from one trial to another."
_SWITCH = ("on", "off")
_SCORERS = ("record_filling", "property_extraction")


@dataclass(frozen=True, slots=True)
class Fraction(Option):
    """An option whose values are numbers from 0 to 1."""

    def takes(self, value: str) -> bool:
        """Whether ``value`` is such a number, written without an exponent."""
        plain = value.replace(".", "", 1)
        return plain.isascii() and plain.isdecimal() and 0 <= float(value) <= 1

    def __str__(self) -> str:
        return f"{self.meaning}: a number from 0 to 1"


@dataclass(frozen=True, slots=True)
class Count(Option):
    """An option that takes one of its words, a whole number from ``least`` on, or one behind ``prefix``."""

    least: int = 1
    prefix: str = ""

    def takes(self, value: str) -> bool:
        """Whether ``value`` is one of these."""
        number = value.removeprefix(self.prefix)
        counted = value.startswith(self.prefix) and number.isascii() and number.isdecimal()
        return value in self.values or (counted and int(number) >= self.least)

    def __str__(self) -> str:
        words = [*self.values, f"{self.prefix}N"]
        return f"{self.meaning}: {' or '.join(words)}, N from {self.least}"


class SudokuFill(Thinker):
    """Runs the folder ``programs/sudokufill`` with the kernel beside it and keeps its events with the trial."""

    sessions: Sequence[str] = (STATE,)
    scorers: Sequence[str] = _SCORERS
    parts = (*ANSWERING, "toolbox.py", "crew/", "sudokufill/")
    known_options: ClassVar[Mapping[str, Option]] = {
        "mode": Option("debate, or one call a field with the whole paper", ("debate", "sequential")),
        "order": Count("order of the fields", ("ranked", "schema"), 0, "random:"),
        "reuse": Option(
            "what later fields are shown: fields settled in this paper (document), earlier papers (archive), both "
            "(on); without the first there is no column agent",
            ("on", "archive", "document", "off"),
        ),
        "rounds": Count("rounds of each debate", ("adaptive",)),
        "row": Option("the agent that looks along rows", _SWITCH),
        "column": Option("the agent that looks along columns", _SWITCH),
        "guidance": Option("fields with the schema's rules, or their names alone", ("schema", "names")),
        "tau": Fraction("confidence above which a page takes part, 0.5 by default"),
        "probe": Option("first calls, one a page or one a page and field", ("page", "cell")),
        "voices": Option("pages in each round, all or those that gave a value", ("all", "active")),
        "rebuttal": Option("a second phase in which positions are answered", _SWITCH),
        "coordinator": Option("whether rules check the coordinator", ("guarded", "free")),
        "objects": Option("a field is debated for all objects at once, or for each", ("joint", "each")),
        "stable": Count("rounds in which the leaders must not change, 2 by default"),
        "most": Fraction("share of agents that must have changed little, 0.8 by default"),
        "marginal": Fraction("a little change of confidence, 0.1 by default"),
        "max_rounds": Count("rounds of a debate at most, 6 by default"),
        "reopen": Count("how often a field that excludes another one is debated again, 1 by default", least=0),
        "check": Option("whether a quote that does not stand leaves a confidence of 0.3 at most", _SWITCH),
        "width": Count("calls at once, 8 by default"),
        "format": Option("how roles answer, by a tool or in tags for small models", ("tool", "tags")),
        "repairs": Count("how often a reply that does not fit is asked for again, 1 by default", least=0),
        "pictures": Option("whether page agents are shown pictures of their pages, yes by default", ("yes", "no")),
        "calls": Count("model calls after which it answers with what it has"),
        "tokens": Count("tokens after which it answers with what it has"),
        "seconds": Count("seconds after which it answers with what it has"),
        "effort": EFFORT,
    }

    def __init__(self, name: str, options: Mapping[str, str], model: ModelChoice | None) -> None:
        super().__init__(name, options, model)
        if options.get("mode") == "sequential" and options.get("order", "schema") != "schema":
            raise BadInputError(
                "mode=sequential fills the fields in the schema's order.", next="Leave out the option order."
            )

    def launch(self, briefing: Briefing) -> Launch:
        """The program as a package, with the kernel and the options."""
        files = {name: path.read_bytes() for name, path in self._files.items()}
        files[f"{FOLDER}/options.json"] = orjson.dumps(self._options)
        environment = {"PYTHONPATH": f"{briefing.workdir}/{FOLDER}"}
        return Launch((briefing.python, "-m", self.name), environment, files)

    def remarks(self, backend: str) -> Sequence[str]:
        """What it could not go by."""
        return (ARCHIVE,)
