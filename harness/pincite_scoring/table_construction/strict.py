"""The strict definitions: align columns, match rows, score cells, count."""

from fractions import Fraction
from typing import Any

from pincite_scoring.judging.judge import Judge, Question, decide_all
from pincite_scoring.table_construction.by_values import align_by_values
from pincite_scoring.table_construction.cells import CellScore, Column, compare_cell, judged
from pincite_scoring.table_construction.columns import Alignment, align, column_rows
from pincite_scoring.table_construction.counting import Metrics, given_pass, rates
from pincite_scoring.table_construction.details import Documents
from pincite_scoring.table_construction.formulas import compute
from pincite_scoring.table_construction.gold import GoldTable, cell_text
from pincite_scoring.table_construction.reading import NOT_ASKED, Table, Unreadable
from pincite_scoring.table_construction.rows import Match, match_rows

Row = dict[str, Any]
Cells = dict[tuple[int, str], CellScore]
"""By gold row and column."""
_SHOWN_EXTRA = 200
"""Rows of an answer without a gold row that score.json lists; the rest is counted."""


def compare(
    gold: GoldTable, answer: Table, judge: Judge, documents: Documents = tuple
) -> tuple[Metrics, list[Row]] | Unreadable:
    """The metrics of an answer's table, and rows for score.json: one for every gold cell, extra row, and column
    that goes by another name, is missing or extra. Prose that pandas reads, and no column of it says anything that is
    asked for, is not a table."""
    alignment = align(gold.columns, answer.headers, judge, gold.names)
    if not alignment.columns:
        return Unreadable(NOT_ASKED)
    matches = _match(gold, answer, alignment, judge, documents)
    alignment = align_by_values(gold, answer, alignment, matches)
    cells = _cells(gold, answer, alignment, matches, judge)
    return _metrics(gold, answer, alignment, matches, cells), _rows(gold, answer, alignment, matches, cells)


def _match(gold: GoldTable, answer: Table, alignment: Alignment, judge: Judge, documents: Documents) -> list[Match]:
    """Rows cannot be told apart where a key column is missing."""
    if any(name not in alignment.columns for name in gold.keys):
        return []
    places = [alignment.columns[name] for name in gold.keys]
    given = [tuple(row[place] for place in places) for row in answer.rows]
    return match_rows([gold.key(index) for index in range(len(gold.rows))], given, gold.keys, judge, documents)


def _cells(gold: GoldTable, answer: Table, alignment: Alignment, matches: list[Match], judge: Judge) -> Cells:
    """The scores of all cells that stand in a matched row and an aligned column."""
    compared: dict[tuple[int, str], CellScore | Question] = {}
    for match in matches:
        for name in gold.targets:
            if name in alignment.columns:
                place = alignment.columns[name]
                also, key = tuple(gold.names.get(name, ())), gold.key(match.gold)
                column = Column(name, answer.headers[place], name in gold.numeric, name in gold.lists, also, key)
                cell = answer.rows[match.answer][place]
                exact = _recomputed(gold, match.gold, name)
                compared[match.gold, name] = compare_cell(column, gold.rows[match.gold][name], cell, exact)
    questions = [each for each in compared.values() if isinstance(each, Question)]
    verdicts = iter(decide_all(judge, questions))
    return {at: judged(next(verdicts)) if isinstance(each, Question) else each for at, each in compared.items()}


def _recomputed(gold: GoldTable, row: int, name: str) -> Fraction | None:
    """The unrounded value of a computed cell; None for any other."""
    formula = gold.derived.get(name)
    return compute(formula, gold.row_inputs(row)) if formula is not None else None


def _metrics(gold: GoldTable, answer: Table, alignment: Alignment, matches: list[Match], cells: Cells) -> Metrics:
    n_targets, total = len(gold.targets), sum(cell.score for cell in cells.values())
    compared = len(matches) * n_targets
    derived = [(row, name) for row in range(len(gold.rows)) for name in gold.derived]
    right = sum(cells[place].score for place in derived if place in cells)
    return {
        "pass": 1.0,
        **rates("column", len(alignment.columns), len(answer.headers), len(gold.columns)),
        **rates("row", len(matches), len(answer.rows), len(gold.rows)),
        **given_pass(rates("cell", total, len(answer.rows) * n_targets, len(gold.rows) * n_targets)),
        "cell_score": total / compared if compared else None,
        "derived_recall": right / len(derived) if derived else None,
        "n_gold_rows": float(len(gold.rows)),
        "n_answer_rows": float(len(answer.rows)),
    }


def _rows(gold: GoldTable, answer: Table, alignment: Alignment, matches: list[Match], cells: Cells) -> list[Row]:
    by_gold = {match.gold: match for match in matches}
    rows = column_rows(gold.columns, answer.headers, alignment)
    for index in range(len(gold.rows)):
        match = by_gold.get(index)
        key = " | ".join(gold.key(index))
        for name in gold.targets:
            wanted = cell_text(gold.rows[index][name])
            row: Row = {"status": "missed", "row": key, "column": name, "gold": wanted, "answer": None, "score": 0.0}
            if match is None:
                row["how"] = "no row has this key"
            elif name not in alignment.columns:
                row |= {"answer_row": match.answer, "how": "no column holds this"}
            else:
                row |= _compared(match, answer.rows[match.answer][alignment.columns[name]], cells[index, name])
            rows.append(row)
    taken = {match.answer for match in matches}
    extra = [index for index in range(len(answer.rows)) if index not in taken]
    rows += [{"status": "extra", "answer_row": i, "answer": " | ".join(answer.rows[i])} for i in extra[:_SHOWN_EXTRA]]
    return rows


def _compared(match: Match, answer: str, cell: CellScore) -> Row:
    status = "correct" if cell.score == 1 else "partial" if cell.score > 0 else "wrong"
    row: Row = {"status": status, "answer_row": match.answer, "answer": answer, "score": cell.score, "how": cell.how}
    row["row_via"] = match.via
    if match.verdict is not None:
        row["row_verdict"] = match.verdict.to_json()
    if cell.verdict is not None:
        row["verdict"] = cell.verdict.to_json()
    return row
