"""Literature agent: gate, orchestrator, selector, reranker, inspector and synthesis, on the kernel ``crew``."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import ClassVar

from pincite_harness.agents.agent import Ending
from pincite_harness.agents.crew import outage_of
from pincite_harness.agents.needs import Needs
from pincite_harness.agents.options import Number, Option
from pincite_harness.agents.thinker import EFFORT, CrewThinker
from pincite_models.choice import ModelChoice
from pincite_tasks.failure import Failure
from pincite_tasks.family import Family
from pincite_tasks.task import Task

_SWITCH = ("on", "off")
_LEVELS = ("minimal", "low", "medium", "high")
_MAYBE_NONE = Number(least=0)
_ROLES = ("gate", "orchestrator", "selector", "reranker", "inspector", "synthesis")
_OWN = "server"
"""The value of an option that leaves the library its own setting."""
_FEWEST = 4
"""Calls of a trial that goes straight: gate, a search, the conclusion, the synthesis."""
_UNSET: Mapping[str, Sequence[str]] = {
    "off": ("PINCITE_RERANKER", "PINCITE_TEXT_MODEL", "PINCITE_TEXT_URL"),
    "cross": ("PINCITE_TEXT_MODEL", "PINCITE_TEXT_URL"),
    "judge": ("PINCITE_RERANKER",),
}
"""Variables of the servers that a value of ``rerank`` takes away."""


class Literature(CrewThinker):
    """Runs the folder ``programs/literature`` with the kernel beside it and keeps its events with the trial."""

    scorers: Sequence[str] = ("literature_qa", "precedent_search")
    servers: Sequence[str] = ("literature", "library", "documents", "figures", "provenance")
    roles = _ROLES
    known_options: ClassVar[Mapping[str, Option]] = {
        "gate": Option("a first look for questions that ask for help with harm", _SWITCH),
        "rerank": Option(
            "two scores for each passage and the server's cross-encoder (on), one of the two (judge, cross), or none",
            ("on", "off", "cross", "judge"),
        ),
        "inspect": Option("looking at figures", _SWITCH),
        "zoom": Option("rounds of zooming, or one look at the whole figure", _SWITCH),
        "abstain": Option("whether the inspector may say that it is the wrong figure", _SWITCH),
        "grep": Option("exact search in papers and passages", _SWITCH),
        "abstracts": Option("abstracts of works, and ending on them alone", _SWITCH),
        "fulltext": Option("full texts beyond the task's own papers", _SWITCH),
        "status": Option("publication status of every cited work", _SWITCH),
        "checks": Option("whether quotes and numbers of the answer must stand in its evidence", _SWITCH),
        "retracted": Option("what becomes of retracted works, named or left out", ("warn", "drop")),
        "fusion": Option(
            "how the library joins BM25 and vectors, its own setting by default", ("server", "convex", "rrf")
        ),
        "context": Option(
            "what stands before passages when the library indexes them: title, headings and the beginning of the "
            "abstract (short), all of the abstract, or nothing; its own setting by default",
            ("server", "short", "full_abstract", "none"),
        ),
        "describe": Option(
            "who describes tables and figures for the library: their headers, the text model, or for figures the "
            "vision model that sees their picture; its own setting by default",
            ("server", "headers", "text", "figures", "both"),
        ),
        "candidates": Option("passages that are scored in one search, 20 by default", number=Number(most=50)),
        "papers": Option("works that the selector takes from one search, 5 by default", number=_MAYBE_NONE),
        "inspections": Option("inspections of figures, 6 by default", number=_MAYBE_NONE),
        "rounds": Option("rounds of zooming before the careful one, 3 by default; 0 as zoom=off", number=Number(0, 6)),
        "steps": Option("replies of the orchestrator at most, 24 by default"),
        "kept": Option("passages for the synthesis where none are named, 12 by default", number=Number(most=100)),
        **{f"effort.{role}": Option(f"how hard the model of the {role} thinks", _LEVELS) for role in _ROLES},
        "format": Option("how roles answer, by a tool or in tags for small models", ("tool", "tags")),
        "repairs": Option("how often a reply that does not fit is asked for again, 1 by default", number=_MAYBE_NONE),
        "pictures": Option("whether roles are shown pictures, yes by default", ("yes", "no")),
        "calls": Option("model calls of all roles after which it answers with what it has"),
        "tokens": Option("tokens after which it answers with what it has"),
        "seconds": Option("seconds after which it answers with what it has"),
        "effort": EFFORT,
    }

    def __init__(self, name: str, options: Mapping[str, str], model: ModelChoice | None) -> None:
        super().__init__(name, options, model)
        self.server_environment = server_environment(options)

    def needs(self, family: Family, task: Task, pages: Callable[[Path], int]) -> Needs | None:
        """The calls of a trial that goes straight, at most what the option ``calls`` lets it make."""
        return self._at_most(_FEWEST)

    def diagnose(self, ending: Ending) -> Failure | None:
        """The model's failure where a role could not be asked."""
        return outage_of(self.name, ending) or super().diagnose(ending)


def server_environment(options: Mapping[str, str]) -> dict[str, str]:
    """The variables of servers that these options ask for; an empty one counts as not set."""
    named = {name: options.get(name, _OWN) for name in ("fusion", "context", "describe")}
    asked = {f"PINCITE_LIBRARY_{name.upper()}": value for name, value in named.items() if value != _OWN}
    return asked | dict.fromkeys(_UNSET.get(options.get("rerank", ""), ()), "")
