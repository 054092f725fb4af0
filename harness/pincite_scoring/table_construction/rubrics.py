"""Rubrics: what a judge is asked about columns, rows, cells and the whole table, in our own words."""

from collections.abc import Sequence

from pincite_scoring.judging.judge import Item, Rubric

NONE = "none"
"""The label of a column or a row that has no counterpart."""


def column_rubric(gold: Sequence[str], offered: Sequence[str]) -> Rubric:
    """Which of the ``offered`` columns of an answer, by number from 1, stands for each ``gold`` column."""
    labels = (NONE, *map(str, range(1, len(offered) + 1)))
    items = tuple(
        Item(f"column {number}", labels, f"The answer's column that holds what {name!r} holds, or none.")
        for number, name in enumerate(gold, 1)
    )
    return Rubric(
        "table_construction/columns/1",
        "Two tables answer the same query with columns of their own naming. Say for every column of the expected table "
        "which column of the answer holds the same quantity or kind of content. Names may differ in wording, language, "
        "unit and case; a name that means another quantity (net profit and net profit margin, this year and growth) is "
        "no counterpart. A column of the answer stands for one expected column at most.",
        items,
    )


def row_rubric(candidates: int) -> Rubric:
    """Which of so many numbered rows of an answer has the gold row's key."""
    labels = (NONE, *map(str, range(1, candidates + 1)))
    return Rubric(
        "table_construction/rows/1",
        "A row of the expected table is named by its key. Say which numbered row of the answer is about the same "
        "thing. Every part of the key must mean the same: differences in case, punctuation, abbreviation, file endings "
        "and language do not matter; another year, number, person or method does. A key with an empty part matches "
        "nothing.",
        (Item("row", labels, "The number of the row with the same key, or none."),),
    )


def cell_rubric(steps: int) -> Rubric:
    """How much of a gold cell an answer's cell holds, from 0 to 1 in so many steps."""
    digits = len(str(steps)) - 1
    labels = tuple(f"{step / steps:.{digits}f}" for step in range(steps + 1))
    return Rubric(
        f"table_construction/cells-{steps}/1",
        "Compare one cell of an answer with the expected cell of the same column, by these two texts alone. "
        "1: the same information, whatever its format, currency sign, date style, synonyms that change no meaning or "
        "harmless punctuation. 0: a fact is wrong, the text is about something else, or what matters is missing. "
        "A list: 1 if it has the same items, else 0.8 x (expected items that the answer has) / (expected items); items "
        "are compared without regard to case and spacing. Else, for one that is right in part: 0.5 to 0.9 if only a "
        "detail is wrong or missing, 0.1 to 0.5 if the main part is. Both empty (or n/a): 1; only one empty: 0.",
        (Item("score", labels, "How much of the expected content the answer's cell holds, from 0 to 1."),),
    )


def quality_rubric(step: int) -> Rubric:
    """The four parts of the table's quality, each from 0 to 100 in steps of ``step``."""
    labels = tuple(str(value) for value in range(0, 101, step))
    return Rubric(
        f"table_construction/quality-{step}/1",
        "Judge a table (CSV) that was made from several documents to answer a query, by the expected table. Each part "
        "gets 0 to 100: 100 nothing is wrong; 80 to 99 a small flaw; 40 to 79 right in part; 1 to 39 mostly wrong; 0 "
        "nothing of it is there.",
        (
            Item(
                "intent", labels, "Does the table give what the query asks for: the right things, and how they relate?"
            ),
            Item(
                "schema", labels, "Are the columns the ones that are needed, none missing or idle, and clearly named?"
            ),
            Item("content", labels, "Are the cells correct and complete, without anything made up?"),
            Item("format", labels, "Is it clean CSV: one header, one delimiter, quotes where they are needed?"),
        ),
    )
