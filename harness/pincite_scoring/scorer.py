"""Scorer: what every family's scorer offers, and where each is found."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any, Protocol, cast, runtime_checkable

from pincite_core.errors import MissingExtraError, NotFoundError
from pincite_core.lazy import load
from pincite_scoring.case import Case
from pincite_scoring.outcomes import Outcomes
from pincite_scoring.result import Score, ScoringOptions


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric that reports show: its name in score.json, a title, and a heading with lines of at most 8 characters.

    Metrics with the same ``curve`` are one line through steps, each drawn at its ``step``; ``top`` is the end of the
    scale, None where there is none. A ``detail`` stands in the table of means and in report.json alone.
    """

    name: str
    title: str
    heading: str
    top: float | None = 1.0
    curve: str = ""
    step: str = ""
    detail: bool = False


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the report's table of records: the record's key, and its title. ``unit`` is the key of what stands
    behind the value; ``quoted`` sets it as a quotation."""

    key: str
    title: str
    unit: str = ""
    quoted: bool = False


@dataclass(frozen=True, slots=True)
class GoldProblem:
    """What is wrong with gold record ``index`` (None: the whole); a problem that is not ``fatal`` may be meant."""

    index: int | None
    field: str
    message: str
    fatal: bool = True

    def __str__(self) -> str:
        where = "gold" if self.index is None else f"record {self.index}"
        return f"{where}, {self.field}: {self.message}" if self.field else f"{where}: {self.message}"


class Scorer(Protocol):
    """Scores the answers of one kind of task. A scorer has no state and may be used from several threads."""

    name: str
    version: str
    """Changes with any score that it would give."""
    headline: tuple[Metric, ...]
    """What reports show, the one that tells most first, details last; each is between 0 and 1 unless its title names a
    unit."""
    columns: tuple[Column, ...]
    """What reports show of ``Score.records``; a record's ``status`` (``correct``, ``missed`` and so on) comes first."""
    outcomes: tuple[Outcomes, ...]
    """What reports count of ``Score.records`` over all trials, what tells most first."""

    def score(self, case: Case, options: ScoringOptions) -> Score:
        """The score; unscored without gold. No answer is the worst one. An answer that its schema let pass and that
        still cannot be read is unscored with a reason that begins with ``invalid_answer``; broken gold is a
        BadInputError."""
        ...

    def check(self, case: Case) -> list[GoldProblem]:
        """Everything wrong with the case's gold beyond the schema: its evidence does not stand in the papers, it
        contradicts itself or the parameters."""
        ...

    def ideal(self, gold: Any) -> Any:
        """The answer that gets full marks for this gold: what the oracle answers."""
        ...


@runtime_checkable
class Micro(Protocol):
    """A scorer whose data sets are published with micro averages: counted over all tasks, not averaged over them."""

    def micro(self, counts: Mapping[str, float]) -> Mapping[str, float]:
        """Metrics by their names in score.json, from the sums of the scores' counts (``n_…``); KeyError for a count
        that is not there."""
        ...


@runtime_checkable
class Detailed(Protocol):
    """A scorer with metrics whose names depend on the task, such as one for each field of its schema."""

    def details(self, names: Iterable[str]) -> tuple[Metric, ...]:
        """What reports show of these metrics of scores, beyond the headline; each is a ``detail``."""
        ...


_PLACES = {
    "property_extraction": "pincite_scoring.property_extraction.scorer:SCORER",
    "precedent_search": "pincite_scoring.precedent_search.scorer:SCORER",
    "record_filling": "pincite_scoring.record_filling.scorer:SCORER",
    "table_construction": "pincite_scoring.table_construction.scorer:SCORER",
    "figure_analysis": "pincite_scoring.figure_analysis.scorer:SCORER",
    "literature_qa": "pincite_scoring.literature_qa.scorer:SCORER",
}


_NEEDS: Mapping[str, tuple[str, Sequence[str]]] = {
    "property_extraction": ("materials", ("pymatgen",)),
    "precedent_search": ("materials", ("pymatgen",)),
    "record_filling": ("materials", ("pymatgen",)),
    "table_construction": ("scoring", ("pandas",)),
    "figure_analysis": ("scoring", ("sacrebleu", "nltk")),
}
"""The extra, and its modules, without which a scorer can score next to no answer; literature_qa needs one for some
questions only."""


def scorer_names() -> Sequence[str]:
    """The names that family.toml may give."""
    return sorted(_PLACES)


def check_scorer(name: str) -> None:
    """NotFoundError where there is no scorer of that name; nothing is imported."""
    if name not in _PLACES:
        raise NotFoundError(
            f"There is no scorer {name!r}.",
            seen=f"known scorers: {', '.join(scorer_names())}",
            next="Name one of them in family.toml.",
        )


def check_extra(name: str) -> None:
    """MissingExtraError where the extra that the scorer needs is not installed; nothing is imported."""
    extra, modules = _NEEDS.get(name, ("", ()))
    if any(find_spec(module) is None for module in modules):
        raise MissingExtraError.of(extra, needed_for=f"Scoring {name}")


def get_scorer(name: str) -> Scorer:
    """The scorer of that name; NotFoundError where there is none."""
    check_scorer(name)
    return cast("Scorer", load(_PLACES[name]))


def micro_metrics(name: str, scores: Iterable[Score]) -> Mapping[str, float]:
    """The metrics that the scorer of that name counts over all scored answers together; nothing where it counts none.

    A task weighs as much as there is to find in it. Unscored answers are left out, as they are of every mean; so are
    all metrics where the counts of a score are not there, because it was made before they were kept.
    """
    scorer = get_scorer(name)
    scored = [score.metrics for score in scores if score.status == "scored"]
    if not isinstance(scorer, Micro) or not scored:
        return {}
    try:
        return scorer.micro(_sums(scored))
    except KeyError:
        return {}


def _sums(metrics: Sequence[Mapping[str, float | None]]) -> dict[str, float]:
    """The sums of the counts (``n_…``) that all of ``metrics`` have."""
    first = [name for name, value in metrics[0].items() if name.startswith("n_") and value is not None]
    shared = [name for name in first if all(each.get(name) is not None for each in metrics)]
    return {name: float(sum(each[name] or 0 for each in metrics)) for name in shared}
