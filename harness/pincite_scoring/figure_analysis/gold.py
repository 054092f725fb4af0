"""Gold of figure_analysis: the reference analysis, and the quotes of the paper that it rests on."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from pincite_core.errors import BadInputError
from pincite_papers.model import Paper
from pincite_scoring.case import Case
from pincite_scoring.figure_analysis.claims.model import Claims
from pincite_scoring.figure_analysis.metrics.tokens import split_words
from pincite_scoring.quotations import check_in_paper
from pincite_scoring.scorer import GoldProblem
from pincite_tasks.task import describe_validation

LEAST_WORDS = 15
"""Words of a reference analysis at least. Set by judgement."""
_LEAK_WORDS = 12
"""Words in a row that a task must not share with its gold: longer than set phrases. Set by judgement."""
TEXTS = frozenset({".csv", ".tsv", ".tex", ".xml", ".md", ".html", ".txt"})
_TEXT_CHARS = 20_000
"""Characters of a task's text file that are compared."""


class Evidence(BaseModel):
    """A quote that a statement of the analysis rests on; ``paper`` is the paper's file name."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    paper: str
    quote: str = Field(min_length=1)
    page: int | None = None


class Gold(BaseModel):
    """``analysis`` is the reference text, as an answer would be written; ``claims`` are what it says, one by one.
    Without them they are derived from its text by rule."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    analysis: str = Field(min_length=1)
    evidence: list[Evidence] = Field(default_factory=list[Evidence])
    claims: Claims | None = None


def read_gold(gold: Any) -> Gold:
    """The gold of a record; BadInputError where it is none."""
    try:
        return Gold.model_validate(gold)
    except ValidationError as error:
        raise BadInputError(
            "The gold is not a reference analysis.",
            seen=describe_validation(error),
            next='Give {"analysis": "…", "evidence": [{"paper", "quote", "page"?}], "claims"?}.',
        ) from error


def check_gold(case: Case) -> list[GoldProblem]:
    """Problems of a case's gold: its shape, its length, quotes that do not stand in the paper, and stretches of the
    analysis that a paper or file of the task gives away."""
    try:
        gold = read_gold(case.gold)
    except BadInputError as error:
        return [GoldProblem(None, "", error.short())]
    problems: list[GoldProblem] = []
    count = len(split_words(gold.analysis))
    if count < LEAST_WORDS:
        problems.append(GoldProblem(None, "analysis", f"has {count} words, at least {LEAST_WORDS} are needed"))
    for index, evidence in enumerate(gold.evidence):
        problem = _missing(index, evidence, case.papers)
        problems += [problem] if problem is not None else []
    texts = {name: case.papers[name].text for name in case.papers} | read_texts(case.files)
    given = {name: shared_stretch(gold.analysis, text) for name, text in texts.items()}
    problems += [
        GoldProblem(None, "analysis", f"{name} says the same words: {stretch!r}")
        for name, stretch in given.items()
        if stretch
    ]
    return problems


def read_texts(files: Mapping[str, Path]) -> dict[str, str]:
    """The beginnings of the files that are texts, such as the data of tables; pictures are none."""
    texts = {name: path for name, path in files.items() if path.suffix.lower() in TEXTS}
    return {name: path.read_text(encoding="utf-8", errors="replace")[:_TEXT_CHARS] for name, path in texts.items()}


def shared_stretch(analysis: str, text: str, length: int = _LEAK_WORDS) -> str:
    """The first ``length`` words of the analysis in a row that ``text`` also has; empty where there are none."""
    mine, theirs = split_words(analysis), split_words(text)
    known = {tuple(theirs[i : i + length]) for i in range(len(theirs) - length + 1)}
    runs = (tuple(mine[i : i + length]) for i in range(len(mine) - length + 1))
    return " ".join(next((run for run in runs if run in known), ()))


def _missing(index: int, evidence: Evidence, papers: Mapping[str, Paper]) -> GoldProblem | None:
    """What is wrong with where a quote stands; what cannot be verified on a page that was read poorly is not fatal."""
    if evidence.paper not in papers:
        return GoldProblem(index, "evidence", f"names {evidence.paper!r}, which the task has not")
    checked = check_in_paper(papers[evidence.paper], evidence.quote, evidence.page)
    if checked.standing == "verified":
        return None
    if checked.standing == "unverifiable":
        return GoldProblem(index, "evidence", f"cannot be verified here: {checked.note}", fatal=False)
    if checked.standing == "wrong_page":
        return GoldProblem(index, "evidence", f"stands on another page than {evidence.page}: {evidence.quote!r}")
    return GoldProblem(index, "evidence", f"does not stand in {evidence.paper}: {evidence.quote!r}")
