"""The rubrics that can be named: those of the scorers, those for people, or one in a file of the user's own."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from pincite_core.errors import BadInputError, NotFoundError
from pincite_core.lazy import load
from pincite_scoring.judging.judge import Item, Labels, Rubric
from pincite_tasks.files import read_json
from pincite_tasks.task import describe_validation

Rule = Callable[[Mapping[str, str]], Labels]
_SCORERS = "pincite_scoring"


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a rubric is, or the function that makes it of ``steps``; the names of a subject's texts as its scorer gives
    them, with ``?`` behind what may be left out; and the rule that decides from these texts alone, where there is
    one."""

    rubric: str
    texts: tuple[str, ...]
    rule: str = ""
    steps: int | None = None


_ANALYSIS = ("query?", "tables?", "files that you are not shown?", "reference analysis", "analysis")
_PLACES: dict[str, _Place] = {
    "property_extraction/same_measurement": _Place(
        "property_extraction.judged:RUBRIC",
        ("first record", "second record"),
        "property_extraction.judged:lexicon_rule",
    ),
    "record_filling/same_value": _Place(
        "record_filling.same_meaning:RUBRIC", ("field", "definition", "first", "second")
    ),
    "table_construction/cells": _Place(
        "table_construction.rubrics:cell_rubric",
        ("column", "expected cell", "cell of the answer"),
        "table_construction.cells:cell_rule",
        steps=10,
    ),
    "table_construction/quality": _Place(
        "table_construction.rubrics:quality_rubric", ("query", "expected table", "answer"), steps=10
    ),
    "figure_analysis": _Place("figure_analysis.rubric:RUBRIC", _ANALYSIS),
    "figure_analysis/claims": _Place("figure_analysis.claims.judging:RUBRIC", ("claim", "analysis")),
    "literature_qa": _Place(
        "literature_qa.deciding:RUBRIC",
        ("question", "expected answer", "tolerance?", "also expected?", "handed in"),
        "literature_qa.deciding:answer_rule",
    ),
    "labels/evidence": _Place("label_rubrics:EVIDENCE", ("record", "quote", "passage?")),
    "labels/candidate": _Place("label_rubrics:CANDIDATE", ("record", "quote?", "passage?")),
    "labels/error_patterns": _Place("label_rubrics:ERROR_PATTERNS", _ANALYSIS),
    "labels/reading_errors": _Place(
        "label_rubrics:READING_ERRORS", ("question", "expected answer?", "source?", "answer")
    ),
    "labels/analysis_quality": _Place("label_rubrics:ANALYSIS_QUALITY", _ANALYSIS),
}


@dataclass(frozen=True, slots=True)
class KnownRubric:
    """A rubric with its rule, if it has one, and the names of a subject's texts in their order (``?`` behind what may
    be left out); without names they may be any."""

    rubric: Rubric
    rule: Rule | None = None
    texts: tuple[str, ...] = ()

    def fault(self, subject: Mapping[str, str]) -> str:
        """What is missing in a subject or strange in it; empty for nothing."""
        known = {name.removesuffix("?") for name in self.texts}
        missing = [name for name in self.texts if not name.endswith("?") and name not in subject]
        strange = [name for name in subject if self.texts and name not in known]
        parts = ("missing", missing), ("strange", strange)
        return "; ".join(f"{what}: {', '.join(names)}" for what, names in parts if names)

    def ordered(self, subject: Mapping[str, str]) -> dict[str, str]:
        """A subject in the order in which the scorer shows it: verdicts are kept by it."""
        names = [name.removesuffix("?") for name in self.texts] or list(subject)
        return {name: subject[name] for name in names if name in subject}


class _Item(BaseModel):
    model_config = ConfigDict(extra="forbid")

    name: str = Field(min_length=1)
    labels: list[str] = Field(min_length=2)
    meaning: str


class _RubricFile(BaseModel):
    model_config = ConfigDict(extra="forbid")

    name: str = Field(min_length=1)
    instruction: str = Field(min_length=1)
    items: list[_Item] = Field(min_length=1)


def rubric_names() -> list[str]:
    """The names that ``find_rubric`` knows."""
    return sorted(_PLACES)


def find_rubric(name: str) -> KnownRubric:
    """The rubric of that name, or of the JSON file there: ``{"name", "instruction", "items": [{"name", "labels",
    "meaning"}]}``. NotFoundError for neither, BadInputError for a file that holds none."""
    if name in _PLACES:
        place = _PLACES[name]
        found = _load(place.rubric)
        rubric = found if place.steps is None else found(place.steps)
        return KnownRubric(rubric, _load(place.rule) if place.rule else None, place.texts)
    if not name.endswith(".json"):
        raise NotFoundError(
            f"There is no rubric {name!r}.",
            seen=f"known rubrics: {', '.join(rubric_names())}",
            next="Name one of them, or a JSON file with a rubric of your own.",
        )
    try:
        read = _RubricFile.model_validate(read_json(Path(name)))
    except ValidationError as error:
        raise BadInputError(f"{name} is not a rubric.", seen=describe_validation(error)) from error
    items = tuple(Item(item.name, tuple(item.labels), item.meaning) for item in read.items)
    return KnownRubric(Rubric(read.name, read.instruction, items))


def _load(place: str) -> Any:
    return load(f"{_SCORERS}.{place}")
