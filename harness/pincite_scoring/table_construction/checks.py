"""Checks of a gold table: its keys, its formulas recomputed, and its evidence in the papers."""

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from pincite_core.errors import BadInputError
from pincite_papers.model import Paper
from pincite_scoring.quotations import check_in_paper
from pincite_scoring.scorer import GoldProblem
from pincite_scoring.table_construction.amounts import header_unit, read_amount
from pincite_scoring.table_construction.cells import close, half_unit
from pincite_scoring.table_construction.columns import FUZZY
from pincite_scoring.table_construction.forms import content_form, is_empty, key_form
from pincite_scoring.table_construction.formulas import compute
from pincite_scoring.table_construction.gold import Evidence, GoldTable
from pincite_scoring.table_construction.rows import same_key

MODES = ("offline", "online")
_SCALES = (1, 1_000, 10_000, 1_000_000, 100_000_000)
"""Scales that a table's header may give for the numbers of a quoted row: thousand, 万, million, 亿."""
_PRINTED = re.compile(
    r"\(?[+\-−–]?\d[\d,]*(?:\.\d+)?\)?\s*(?:%|万亿|[万亿]|million|billion|thousand)?元?", re.IGNORECASE
)


def problems_of(gold: GoldTable, papers: Mapping[str, Paper], parameters: Mapping[str, Any]) -> list[GoldProblem]:
    """Everything wrong with a gold table.

    Fatal: a key that is empty or there twice; a computed cell that its formula does not give; evidence that does not
    stand in its paper or does not print its number; a mode without what it needs. Not fatal, because it may be meant:
    keys alike enough to be taken for each other, a numeric cell without a number, a text that its evidence words
    otherwise.
    """
    return [
        *_of_mode(papers, parameters),
        *_of_keys(gold),
        *_of_numbers(gold),
        *_of_formulas(gold),
        *(problem for each in gold.evidence for problem in _of_evidence(gold, each, papers)),
    ]


def _of_mode(papers: Mapping[str, Paper], parameters: Mapping[str, Any]) -> Iterator[GoldProblem]:
    mode = parameters.get("mode", MODES[0])
    if mode not in MODES:
        yield GoldProblem(None, "mode", f"{mode!r} is none of {', '.join(MODES)}")
    if mode == "online" and not parameters.get("documents"):
        yield GoldProblem(None, "documents", "an online task names no documents")


def _of_keys(gold: GoldTable) -> Iterator[GoldProblem]:
    forms = [tuple(key_form(part) for part in gold.key(index)) for index in range(len(gold.rows))]
    for index, form in enumerate(forms):
        if any(is_empty(part) for part in gold.key(index)):
            yield GoldProblem(index, ", ".join(gold.keys), "a part of the key is empty")
        for other in range(index):
            if forms[other] == form:
                yield GoldProblem(index, ", ".join(gold.keys), f"record {other} has the same key")
            elif same_key(forms[other], form) >= FUZZY:
                yield GoldProblem(index, ", ".join(gold.keys), f"record {other} has a key much like it", fatal=False)


def _of_numbers(gold: GoldTable) -> Iterator[GoldProblem]:
    for index, row in enumerate(gold.rows):
        for name in gold.numeric:
            cell = row[name]
            if isinstance(cell, list) or not (is_empty(cell) or read_amount(cell)):
                yield GoldProblem(index, name, f"{cell!r} is not a number", fatal=False)


def _of_formulas(gold: GoldTable) -> Iterator[GoldProblem]:
    for name, formula in gold.derived.items():
        for index, row in enumerate(gold.rows):
            try:
                exact = compute(formula, gold.row_inputs(index))
            except BadInputError as error:
                yield GoldProblem(index, name, error.short())
                continue
            cell = row[name]
            amount = read_amount(cell) if isinstance(cell, str) else None
            if exact is None or amount is None:
                if exact is not None or amount is not None:
                    yield GoldProblem(index, name, f"{formula} gives {_shown(exact)}, the cell holds {cell!r}")
            elif abs(Fraction(amount.number) - exact) > half_unit(amount.number):
                yield GoldProblem(index, name, f"{formula} gives {_shown(exact)}, the cell holds {cell!r}")


def _of_evidence(gold: GoldTable, evidence: Evidence, papers: Mapping[str, Paper]) -> Iterator[GoldProblem]:
    if evidence.row >= len(gold.rows):
        yield GoldProblem(evidence.row, evidence.name, "the evidence is of a row that is not there")
        return
    values: Mapping[str, Any] = {**gold.rows[evidence.row], **gold.row_inputs(evidence.row)}
    if evidence.name not in values:
        yield GoldProblem(evidence.row, evidence.name, "the evidence is of no column and of no input")
        return
    if evidence.paper not in papers:
        yield GoldProblem(evidence.row, evidence.name, f"there is no paper {evidence.paper!r}")
        return
    checked = check_in_paper(papers[evidence.paper], evidence.quote)
    if checked.standing != "verified":
        unsure = checked.standing == "unverifiable"
        said = f"cannot be verified here: {checked.note}" if unsure else f"does not stand in {evidence.paper}"
        yield GoldProblem(evidence.row, evidence.name, f"the evidence {said}", fatal=not unsure)
        return
    value = values[evidence.name]
    counted = evidence.name in gold.numeric or evidence.name not in gold.columns
    amount = read_amount(value) if isinstance(value, str) and counted else None
    if amount is not None and not _prints(evidence.quote, Fraction(amount.number), evidence.name):
        yield GoldProblem(evidence.row, evidence.name, f"the evidence does not print {value}")
    elif amount is None and not _words(evidence.quote, value, evidence.name):
        yield GoldProblem(evidence.row, evidence.name, "the evidence words it otherwise", fatal=False)


def _prints(quote: str, number: Fraction, name: str) -> bool:
    """Whether a number of the quote is the value, by its own scale or one that a table's header may give."""
    scales = (1,) if header_unit(name).name == "%" else _SCALES
    for found in _PRINTED.finditer(quote):
        amount = read_amount(found[0].strip())
        if amount is not None:
            printed = Fraction(amount.number) * Fraction(amount.unit.scale)
            if any(close(abs(number), abs(printed) * scale) for scale in scales):
                return True
    return False


def _words(quote: str, value: str | list[str], name: str) -> bool:
    held = content_form(quote, name)
    return all(content_form(item, name) in held for item in ([value] if isinstance(value, str) else value))


def _shown(exact: Fraction | None) -> str:
    return "nothing" if exact is None else f"{float(exact):.6g}"
