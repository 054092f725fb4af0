"""Counting: precision, recall and F1 of columns, rows and cells."""

from pincite_scoring.shares import f1

Metrics = dict[str, float | None]


def rates(name: str, right: float, given: int, wanted: int) -> Metrics:
    """``<name>_precision``, ``_recall`` and ``_f1`` of ``right`` among ``given`` and ``wanted``; 0 of nothing."""
    precision = right / given if given else 0.0
    recall = right / wanted if wanted else 0.0
    return {f"{name}_precision": precision, f"{name}_recall": recall, f"{name}_f1": f1(precision, recall)}


def given_pass(cells: Metrics) -> Metrics:
    """The cell rates of a table that passed, with ``cell_f1_given_pass``: cell F1 over passing tables alone (AOE, table
    9), undefined for those that did not pass."""
    return cells | {"cell_f1_given_pass": cells["cell_f1"]}
