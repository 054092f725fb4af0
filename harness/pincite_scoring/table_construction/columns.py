"""Column alignment: which column of an answer holds what a gold column holds."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rapidfuzz import fuzz

from pincite_scoring.judging.judge import Judge, Labels, Question, Verdict
from pincite_scoring.table_construction.amounts import header_unit, same_kind
from pincite_scoring.table_construction.concepts import LONGEST, column_form, concept_form, concepts_of
from pincite_scoring.table_construction.forms import marks, words
from pincite_scoring.table_construction.rubrics import NONE, column_rubric

FUZZY = 90.0
"""Least normalised likeness, in per cent, of two names or keys that are taken for the same without a judge."""
MAX_OFFERED = 60
"""Columns that a judge chooses from; an answer with more has its last ones left out."""
_BY_NAME: dict[str, Callable[[str], str]] = {"same name": str, "normalised name": column_form}
_ANY = "result"
"""The concept of a column that each answer names after what was measured."""


@dataclass(frozen=True, slots=True)
class Alignment:
    """Index of the answer's column by gold column, how each was found, and the judge's verdict where one was asked."""

    columns: Mapping[str, int]
    via: Mapping[str, str]
    verdict: Verdict | None


Names = Mapping[str, Sequence[str]]
"""Other names of gold columns, see ``gold.GoldTable.names``."""


def align(gold: Sequence[str], headers: Sequence[str], judge: Judge, names: Names | None = None) -> Alignment:
    """Align one to one: the same name, then the same name after normalisation, then what the judge says.

    Without a model the judge goes by concepts (``concepts``) and, failing that, by likeness (FUZZY); a column called
    ``result`` takes the only one that is left.
    """
    columns: dict[str, int] = {}
    via: dict[str, str] = {}
    for how, form in _BY_NAME.items():
        for name in gold:
            index = _first(form, name, headers, set(columns.values())) if name not in columns else None
            if index is not None:
                columns[name], via[name] = index, how
    open_names = [name for name in gold if name not in columns]
    offered = [index for index in range(len(headers)) if index not in set(columns.values())][:MAX_OFFERED]
    if not open_names or not offered:
        return Alignment(columns, via, None)
    called = [(name, *(names or {}).get(name, ())) for name in open_names]
    verdict = judge.decide(_question(called, [headers[index] for index in offered]))
    for number, name in enumerate(open_names, 1):
        label = verdict.labels.get(f"column {number}")
        index = offered[int(label) - 1] if label is not None and label != NONE else None
        if index is not None and index not in columns.values():
            columns[name], via[name] = index, verdict.judge
    return Alignment(columns, via, verdict)


def column_rows(gold: Sequence[str], headers: Sequence[str], alignment: Alignment) -> list[dict[str, Any]]:
    """Rows for score.json: columns that go by another name, gold columns that none holds, and those beyond the gold.

    The first column that a judge was asked about has its verdict.
    """
    rows: list[dict[str, Any]] = []
    for name in gold:
        index = alignment.columns.get(name)
        if index is None:
            rows.append({"status": "no_column", "column": name, "how": "no column holds this"})
        elif headers[index] != name:
            row = {"status": "aligned", "column": name, "answer": headers[index], "how": alignment.via[name]}
            rows.append(row)
    asked = [row for row in rows if row["status"] == "no_column" or row["how"] not in _BY_NAME]
    if alignment.verdict is not None and asked:
        asked[0]["verdict"] = alignment.verdict.to_json()
    extra = [header for index, header in enumerate(headers) if index not in alignment.columns.values()]
    rows += [{"status": "extra_column", "answer": header} for header in extra[:MAX_OFFERED]]
    return rows


def _first(form: Callable[[str], str], name: str, headers: Sequence[str], taken: set[int]) -> int | None:
    """The first header of the same form that is not taken; those that count the same thing go before others."""
    wanted = form(name)
    found = [i for i, header in enumerate(headers) if i not in taken and form(header) == wanted]
    return next((i for i in found if _counts_alike(name, headers[i])), found[0] if found else None)


def _counts_alike(name: str, header: str) -> bool:
    return same_kind(header_unit(name), header_unit(header))


def _question(gold: Sequence[Sequence[str]], offered: Sequence[str]) -> Question:
    """``gold`` has for every column its name and others that it may have."""

    def rule() -> Labels:
        return _by_name(gold, offered)

    numbered = "\n".join(f"{number}. {name}" for number, name in enumerate(offered, 1))
    expected = "\n".join(f"column {number}: {_called(*names)}" for number, names in enumerate(gold, 1))
    return Question(
        column_rubric([names[0] for names in gold], offered),
        {"expected columns": expected, "columns of the answer": numbered},
        rule,
    )


def _called(name: str, *others: str) -> str:
    return f"{name} (or: {'; '.join(others)})" if others else name


def _by_name(gold: Sequence[Sequence[str]], offered: Sequence[str]) -> dict[str, str | None]:
    """Labels by concept, then by likeness, best first, each offered column once."""
    pairs: list[tuple[float, int, int]] = []
    for i, names in enumerate(gold):
        for j, header in enumerate(offered):
            likeness = max(_likeness(name, header) for name in names)
            if likeness >= FUZZY:
                pairs.append((-likeness, i, j))
    found: dict[int, int] = {}
    for _, i, j in sorted(pairs):
        if i not in found and j not in found.values():
            found[i] = j
    left = [j for j in range(len(offered)) if j not in found.values()]
    for i, names in enumerate(gold):
        if i not in found and len(left) == 1 and _ANY in concepts_of(names[0]):
            found[i] = left.pop()
    return {f"column {i + 1}": str(found[i] + 1) if i in found else NONE for i in range(len(gold))}


def _likeness(name: str, header: str) -> float:
    """100 for one concept, 0 for two, for other units, other numbers or a name beyond LONGEST, else how alike the
    normalised names are."""
    if not _counts_alike(name, header):
        return 0.0
    if concept_form(name) == concept_form(header):
        return 100.0
    if max(len(name), len(header)) > LONGEST:
        return 0.0
    mine, theirs = concepts_of(name), concepts_of(header)
    if mine and theirs:
        return 100.0 if mine & theirs else 0.0
    a, b = column_form(name), column_form(header)
    return fuzz.ratio(a, b) if marks(words(a)) == marks(words(b)) else 0.0
