"""Reading: an answer's text becomes a table of texts, or a reason why pandas cannot read it."""

import csv
import re
from collections.abc import Sequence
from dataclasses import dataclass
from io import StringIO
from typing import Any

from pincite_core.errors import MissingExtraError

_FENCE, _END = "```csv", "```"
_FENCED = re.compile(r"^[ \t]*```[ \t]*\w*[ \t]*$", re.MULTILINE)
_SEPARATORS = "\t;|"
"""What stands between cells where it is not a comma."""
_RULE = re.compile(r"[\s|:]*-[\s|:-]*")
"""The line below the header of a Markdown table."""
_LONGEST_HEADER = 300
"""Characters of a column's name; a longer one is a paragraph."""
NOT_ASKED = "no column holds anything that the query asks for"
"""Why prose that pandas reads is not a table."""
MAX_COLUMNS = 2_000
"""Columns of an answer; more are refused. Set by judgement."""
MAX_ROWS = 20_000
"""Rows of an answer; more are refused. Set by judgement."""
MAX_CELLS = 400_000
"""A larger table is none that answers a question; comparing it would take minutes."""


@dataclass(frozen=True, slots=True)
class Table:
    """Headers and rows of texts; every row has a cell for every header, headers are distinct."""

    headers: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Why a text is not a table."""

    reason: str


def read_table(text: str) -> Table | Unreadable:
    """Read a table by ``pandas.read_csv`` with every cell kept as its text.

    Cells may be separated by commas, or all of them by tabs, semicolons or upright strokes (Markdown), with or without
    a fence. Rows longer than the header, no row, JSON, a first line that is a sentence, or more than MAX_ROWS rows or
    MAX_CELLS cells make it unreadable; pandas fills short rows. MissingExtraError without pandas.
    """
    text, separator = _separated(_unfenced(text.lstrip("\ufeff")))
    frame = parse_frame(text, sep=separator, dtype=object, keep_default_na=False, skipinitialspace=True)
    if isinstance(frame, Unreadable):
        return frame
    if not isinstance(frame.index, pandas().RangeIndex):
        return Unreadable("the rows have more cells than the header")
    rows = tuple(tuple(cell.strip() if isinstance(cell, str) else "" for cell in row) for row in frame.to_numpy())
    table = Table(tuple(str(header).strip() for header in frame.columns), rows)
    fault = no_table(table.headers, len(rows))
    return Unreadable(fault) if fault else table


def no_table(headers: Sequence[str], n_rows: int) -> str:
    """Why what pandas read is not a table that answers anything; empty where it is one."""
    if not n_rows:
        return "the table has no rows"
    if headers[0].startswith(("{", "[{")):
        return "this is JSON"
    if any(len(header) > _LONGEST_HEADER for header in headers) or _ends_a_sentence(headers[-1]):
        return "the first line is a sentence and no header"
    return ""


def _ends_a_sentence(header: str) -> bool:
    """Whether the last name of a first line ends as prose does; the stop of an abbreviation (``Case No.``) does not."""
    return header.endswith(("。", "!", "?", "：", ":")) or (header.endswith(".") and len(header.split()) > 3)


def _unfenced(text: str) -> str:
    """The only fenced block where there is one, without the prose around it; else the whole text."""
    fences = list(_FENCED.finditer(text))
    return text[fences[0].end() : fences[1].start()].strip("\n") if len(fences) == 2 else text


def _separated(text: str) -> tuple[str, str]:
    """The text as pandas can read it, and what separates its cells.

    It is a comma unless the header has none outside of quotes and another separator splits all lines alike; the strokes
    at the ends of a Markdown table's lines and the line below its header go.
    """
    lines = [line for line in text.splitlines() if line.strip()]
    for separator in _SEPARATORS if len(lines) > 1 and len(lines) <= MAX_ROWS else "":
        if separator not in lines[0]:
            continue
        if separator == "|" and (lines[0].lstrip().startswith("|") or not _splits_alike(lines, ",")):
            lines = [line.strip().removeprefix("|").removesuffix("|") for line in lines if not _RULE.fullmatch(line)]
            return "\n".join("|".join(part.strip() for part in line.split("|")) for line in lines), "|"
        if separator != "|" and _splits_alike(lines, separator) and not _splits_alike(lines, ","):
            return text, separator
    return text, ","


def _splits_alike(lines: Sequence[str], separator: str) -> bool:
    """Whether the separator makes as many cells, two at least, of every line."""
    try:
        widths = {len(row) for row in csv.reader(lines, delimiter=separator)}
    except csv.Error:
        return False
    return len(widths) == 1 and widths != {1}


def has_fence(text: str) -> bool:
    """Whether there is a block fenced as csv."""
    begun = text.find(_FENCE)
    return begun >= 0 and text.find(_END, begun + len(_FENCE)) >= 0


def fenced(text: str) -> str:
    """The last block fenced as csv, as the published code takes it; the whole text where there is none."""
    # Block by block and not by a pattern, which would look for the end of each fence that has none to the text's end.
    block, at = text, 0
    while (begun := text.find(_FENCE, at)) >= 0 and (ended := text.find(_END, begun + len(_FENCE))) >= 0:
        block, at = text[begun + len(_FENCE) : ended], ended + len(_END)
    return block.strip()


def parse_frame(text: str, **options: Any) -> Any:
    """The data frame of a CSV text, or Unreadable; ``options`` are those of ``pandas.read_csv``."""
    commas = text.lstrip().partition("\n")[0].count(",")
    if commas >= MAX_COLUMNS:
        # pandas makes an object of each column, which takes minutes where there are a hundred thousand.
        return Unreadable(f"the table has {commas + 1} columns")
    try:
        frame = pandas().read_csv(StringIO(text), **options)
    except (ValueError, OverflowError, RecursionError) as error:
        # EmptyDataError, ParserError and UnicodeDecodeError are all ValueErrors.
        return Unreadable(f"pandas cannot read the table: {str(error)[:300]}")

    if len(frame) > MAX_ROWS or frame.size > MAX_CELLS:
        return Unreadable(f"the table has {len(frame)} rows and {frame.size} cells")
    return frame


def pandas() -> Any:
    """The module; MissingExtraError where it is not installed."""
    try:
        import pandas as module
    except ImportError:
        raise MissingExtraError.of("scoring", needed_for="Scoring of tables") from None
    return module
