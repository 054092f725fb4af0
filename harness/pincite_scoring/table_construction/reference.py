"""The published definitions, quirks included: ``src/eval/eval_parallel.py`` of github.com/tianyumyum/AOE (2025).

What that code asks a language model is asked the judge; without one, columns are aligned by the rule of ``columns``, no
row is matched beyond exact and fuzzy keys, and text cells get the rule of ``cells``.
"""

import math
from typing import Any

from rapidfuzz import fuzz, process, utils

from pincite_scoring.judging.judge import Judge, Question, decide_all
from pincite_scoring.table_construction.cells import CellScore, cell_question, judged, partial
from pincite_scoring.table_construction.columns import align, column_rows
from pincite_scoring.table_construction.counting import Metrics, given_pass, rates
from pincite_scoring.table_construction.gold import GoldTable, to_csv
from pincite_scoring.table_construction.lists import items_of, list_score
from pincite_scoring.table_construction.reading import (
    NOT_ASKED,
    Unreadable,
    fenced,
    has_fence,
    no_table,
    parse_frame,
)
from pincite_scoring.table_construction.rubrics import NONE, row_rubric

Row = dict[str, Any]
Columns = dict[str, list[Any]]
"""Cells by column, as pandas read them."""
UNDEFINED = ("column_precision", "column_f1", "derived_recall")
"""Metrics that these definitions do not have."""
_THRESHOLD = 90
"""Similarity of 0 to 100 from which rows match, as published."""
_HUNDREDTHS = 100
"""Scores of the published judge are hundredths."""
_RELATIVE, _ABSOLUTE = 1e-5, 1e-6
"""Tolerances of the published comparison of numbers."""
_LATIN_1 = dict.fromkeys(range(128, 256))
"""What thefuzz drops before it compares; other letters stay."""


def compare(gold: GoldTable, text: str, judge: Judge) -> tuple[Metrics, list[Row]] | Unreadable:
    """The metrics as published, and rows for score.json. A table without rows cannot be read."""
    answer = parse_frame(fenced(text))
    if isinstance(answer, Unreadable):
        return answer
    if answer.empty:
        return Unreadable("the table has no rows")
    if fault := "" if has_fence(text) else no_table([str(header) for header in answer.columns], len(answer)):
        return Unreadable(fault)
    answer = answer.reset_index(drop=True)
    wanted = parse_frame(to_csv(gold))
    headers = [str(header) for header in answer.columns]
    alignment = align(gold.columns, headers, judge, gold.names)
    if not alignment.columns and not has_fence(text):
        return Unreadable(NOT_ASKED)
    expected = {name: list(wanted[name]) for name in gold.columns}
    given = {name: list(answer.iloc[:, place]) for name, place in alignment.columns.items()}
    keys = _keys(expected, gold.keys, len(gold.rows))
    matches, via = _match(keys, _keys(given, gold.keys, len(answer)), gold.keys, judge)
    rows = column_rows(gold.columns, headers, alignment)
    total = 0.0
    for (a, g, name), cell in _cells(gold, expected, given, matches, judge).items():
        total += cell.score
        status = "correct" if cell.score == 1 else "partial" if cell.score else "wrong"
        said = _text(given[name][a]) if name in given else None
        row: Row = {"status": status, "row": str(keys[g]), "column": name, "gold": _text(expected[name][g])}
        row |= {"answer_row": a, "answer": said, "score": cell.score, "how": cell.how, "row_via": via[g]}
        rows.append(row if cell.verdict is None else row | {"verdict": cell.verdict.to_json()})
    rows += [{"status": "missed", "row": str(key), "score": 0.0} for g, key in enumerate(keys) if g not in via]
    return _metrics(gold, len(answer), len(matches), total), rows


def _cells(
    gold: GoldTable, expected: Columns, given: Columns, matches: list[tuple[int, int]], judge: Judge
) -> dict[tuple[int, int, str], CellScore]:
    """The score of every cell of the matched rows, by answer row, gold row and column; absent columns are empty."""
    compared = {
        (a, g, name): _cell(name, expected[name][g], given[name][a] if name in given else "", name in gold.numeric)
        for a, g in matches
        for name in gold.targets
    }
    verdicts = iter(decide_all(judge, [each for each in compared.values() if isinstance(each, Question)]))
    return {at: judged(next(verdicts)) if isinstance(each, Question) else each for at, each in compared.items()}


def _metrics(gold: GoldTable, n_rows: int, matched: int, total: float) -> Metrics:
    """The published column recall compares the gold with its own configuration, so that it is 1 for any answer."""
    n_gold, n_targets = len(gold.rows), len(gold.targets)
    return {
        "pass": 1.0,
        "column_recall": 1.0,
        **rates("row", matched, n_rows, n_gold),
        **given_pass(rates("cell", total, n_rows * n_targets, n_gold * n_targets)),
        "cell_score": total / (matched * n_targets) if matched else 0.0,
        **dict.fromkeys(UNDEFINED),
        "n_gold_rows": float(n_gold),
        "n_answer_rows": float(n_rows),
    }


def clean_number(value: Any) -> float:
    """A cell of a numeric column as published: commas go, a per cent sign divides by 100, all else is not a number."""
    if _is_missing(value):
        return math.nan
    text = str(value).replace(",", "") if isinstance(value, str) else value
    try:
        return float(text.replace("%", "")) / 100 if isinstance(text, str) and "%" in text else float(text)
    except ValueError:
        return math.nan


def numbers_equal(gold: float, answer: float) -> bool:
    """Both missing, or ``numpy.isclose(gold, answer, atol=1e-6)``."""
    if math.isnan(gold) or math.isnan(answer):
        return math.isnan(gold) and math.isnan(answer)
    return gold == answer or abs(gold - answer) <= _ABSOLUTE + _RELATIVE * abs(answer)


def likeness(a: str, b: str) -> int:
    """``thefuzz.fuzz.token_sort_ratio``: rapidfuzz's, of processed texts, rounded."""
    return round(fuzz.token_sort_ratio(_processed(a), _processed(b)))


def _keys(columns: Columns, names: list[str], count: int) -> list[Any]:
    """The published key of every row: a text, or a tuple of texts; a missing column gives empty ones."""
    made: list[Any] = []
    for index in range(count):
        parts = tuple("" if name not in columns else _text(columns[name][index]) for name in names)
        made.append(parts[0] if len(parts) == 1 else parts)
    return made


def _match(
    gold: list[Any], answer: list[Any], names: list[str], judge: Judge
) -> tuple[list[tuple[int, int]], dict[int, str]]:
    """Pairs (answer, gold) in the answer's order: exact, then fuzzy, then judged; only the first of equal gold keys."""
    places: dict[Any, int] = {}
    for index, key in enumerate(gold):
        places.setdefault(key, index)
    texts = list(dict.fromkeys(str(key) for key in places))
    taken: dict[int, str] = {}
    pairs: list[tuple[int, int]] = []
    for a, key in enumerate(answer):
        g, how = places.get(key), "same key"
        if g is None or g in taken:
            g, how = _fuzzy(str(key), texts, places, taken), "fuzzy"
        if g is None and len(taken) < len(places):
            g, how = _judged(str(key), texts, places, taken, names, judge), judge.name
        if g is not None:
            pairs.append((a, g))
            taken[g] = how
    return pairs, taken


def _fuzzy(key: str, texts: list[str], places: dict[Any, int], taken: dict[int, str]) -> int | None:
    best = process.extractOne(key, texts, scorer=fuzz.token_sort_ratio, processor=_processed)
    if round(best[1]) < _THRESHOLD:
        return None
    return next((g for k, g in places.items() if str(k) == best[0] and g not in taken), None)


def _judged(
    key: str, texts: list[str], places: dict[Any, int], taken: dict[int, str], names: list[str], judge: Judge
) -> int | None:
    numbered = "\n".join(f"{number}. {text}" for number, text in enumerate(texts, 1))
    subject = {"key columns": ", ".join(names), "key of the answer's row": key, "keys of the expected rows": numbered}
    verdict = judge.decide(Question(row_rubric(len(texts)), subject, lambda: {"row": NONE}))
    label = verdict.labels.get("row")
    if label is None or label == NONE:
        return None
    return next((g for k, g in places.items() if str(k) == texts[int(label) - 1] and g not in taken), None)


def _cell(name: str, gold: Any, answer: Any, numeric: bool) -> CellScore | Question:
    if numeric:
        return CellScore(float(numbers_equal(clean_number(gold), clean_number(answer))), "number")
    expected, said = _text(gold), _text(answer)
    if not expected or not said or expected == said:
        return CellScore(float(expected == said), "same text" if expected == said else "one is empty")
    items = items_of(expected, commas=False)
    if items is None:
        return cell_question(name, expected, said, _HUNDREDTHS, partial(name, expected, said))
    score, _ = list_score(items, items_of(said, commas=True) or [said], name)
    return cell_question(name, expected, said, _HUNDREDTHS, score)


def _text(value: Any) -> str:
    return "" if _is_missing(value) else str(value).strip()


def _is_missing(value: Any) -> bool:
    return value is None or (isinstance(value, float) and math.isnan(value))


def _processed(text: str) -> str:
    return utils.default_process(text.translate(_LATIN_1))
