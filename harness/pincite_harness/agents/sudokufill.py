"""SudokuFill: page agents that fill records field by field and debate the values, on the kernel ``crew``."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import ClassVar

from pincite_core.errors import BadInputError
from pincite_harness.agents.needs import Needs
from pincite_harness.agents.options import Number, Option
from pincite_harness.agents.registry import FOLDER
from pincite_harness.agents.roles import roles_in
from pincite_harness.agents.thinker import EFFORT, CrewThinker
from pincite_models.choice import ModelChoice
from pincite_scoring.record_filling.schema import PARAMETER, schema_of
from pincite_tasks.family import Family
from pincite_tasks.task import Task

ARCHIVE = "sudokufill: the archive of earlier papers is empty unless trials run in a chain (--chain run)."
_SWITCH = ("on", "off")
_SCORERS = ("record_filling", "property_extraction")
_SHARE = Number(least=0, most=1, decimals=True)
_MAYBE_NONE = Number(least=0)


class SudokuFill(CrewThinker):
    """Runs the folder ``programs/sudokufill`` with the kernel beside it and keeps its events with the trial."""

    scorers: Sequence[str] = _SCORERS
    known_options: ClassVar[Mapping[str, Option]] = {
        "mode": Option("debate, or one call a field with the whole paper", ("debate", "sequential")),
        "order": Option("order of the fields", ("ranked", "schema"), number=Number(least=0, prefix="random:")),
        "reuse": Option(
            "what later fields are shown: fields settled in this paper (document), earlier papers (archive), both "
            "(on); without the first there is no column agent",
            ("on", "archive", "document", "off"),
        ),
        "rounds": Option("rounds of each debate", ("adaptive",), number=Number()),
        "row": Option("the agent that looks along rows", _SWITCH),
        "column": Option("the agent that looks along columns", _SWITCH),
        "guidance": Option("fields with the schema's rules, or their names alone", ("schema", "names")),
        "tau": Option("confidence above which a page takes part, 0.5 by default", number=_SHARE),
        "probe": Option("first calls, one a page or one a page and field", ("page", "cell")),
        "voices": Option("pages in each round, all or those that gave a value", ("all", "active")),
        "rebuttal": Option("a second phase in which positions are answered", _SWITCH),
        "coordinator": Option("whether rules check the coordinator", ("guarded", "free")),
        "objects": Option("a field is debated for all objects at once, or for each", ("joint", "each")),
        "stable": Option("rounds in which the leaders must not change, 2 by default"),
        "most": Option("share of agents that must have changed little, 0.8 by default", number=_SHARE),
        "marginal": Option("a little change of confidence, 0.1 by default", number=_SHARE),
        "max_rounds": Option("rounds of a debate at most, 6 by default"),
        "reopen": Option(
            "how often a field that excludes another one is debated again, 1 by default", number=_MAYBE_NONE
        ),
        "steady": Option("whether a position that changes without a reason counts only once it holds", _SWITCH),
        "check": Option("whether a quote that does not stand leaves a confidence of 0.3 at most", _SWITCH),
        "width": Option("calls at once, 8 by default"),
        "format": Option("how roles answer, by a tool or in tags for small models", ("tool", "tags")),
        "repairs": Option("how often a reply that does not fit is asked for again, 1 by default", number=_MAYBE_NONE),
        "pictures": Option("whether page agents are shown pictures of their pages, yes by default", ("yes", "no")),
        "calls": Option("model calls after which it answers with what it has"),
        "tokens": Option("tokens after which it answers with what it has"),
        "seconds": Option("seconds after which it answers with what it has"),
        "effort": EFFORT,
    }

    def __init__(self, name: str, options: Mapping[str, str], model: ModelChoice | None) -> None:
        super().__init__(name, options, model)
        self.roles = roles_in(path for name, path in self._files.items() if name.startswith(f"{FOLDER}/sudokufill/"))
        if options.get("mode") == "sequential" and options.get("order", "schema") != "schema":
            raise BadInputError(
                "mode=sequential fills the fields in the schema's order.", next="Leave out the option order."
            )

    def needs(self, family: Family, task: Task, pages: Callable[[Path], int]) -> Needs | None:
        """The calls of a run whose debates all converge as soon as they can, at most what the option ``calls`` lets it
        make; None where the task's schema is not known."""
        if PARAMETER not in task.parameters:
            return None
        fields = len(schema_of(task.parameters).fields)
        count = sum(pages(path) or 1 for path in task.papers)
        return self._at_most(self._calls(fields, count))

    def _calls(self, fields: int, pages: int) -> int:
        """Model calls for so many fields and pages: the matrix, the order, and the rounds of each field's debate."""
        given = self._options.get
        if given("mode") == "sequential":
            return fields
        rounds = given("rounds", "adaptive")
        most = int(given("max_rounds", "6"))
        count = min(int(given("stable", "2")) + 1, most) if rounds == "adaptive" else int(rounds)
        phases = 1 if given("rebuttal") == "off" else 2
        reads = given("reuse", "on") in ("on", "document")
        views = sum(reads and given(name) != "off" for name in ("row", "column"))
        first = pages * fields if given("probe") == "cell" else pages
        ranking = 1 if given("order", "ranked") == "ranked" else 0
        return first + ranking + fields * count * (phases * (pages + views) + 1)

    def remarks(self, backend: str) -> Sequence[str]:
        """What it could not go by."""
        return (ARCHIVE,)
