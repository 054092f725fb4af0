"""Reading: an answer's text becomes a table of texts, or a reason why pandas cannot read it."""

from dataclasses import dataclass
from io import StringIO
from typing import Any

from pincite_core.errors import MissingExtraError

_FENCE, _END = "```csv", "```"
MAX_COLUMNS = 2_000
MAX_ROWS = 20_000
MAX_CELLS = 400_000
"""A larger table is none that answers a question; comparing it would take minutes."""


@dataclass(frozen=True, slots=True)
class Table:
    """Headers and rows of texts; every row has a cell for every header, headers are distinct."""

    headers: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Why a text is no table."""

    reason: str


def read_table(text: str) -> Table | Unreadable:
    """Read CSV by ``pandas.read_csv`` with every cell kept as its text.

    Rows longer than the header, no header, or more than MAX_ROWS rows or MAX_CELLS cells make it unreadable; pandas
    fills short rows, and a header without rows is a table. MissingExtraError without pandas.
    """
    frame = parse_frame(text, dtype=object, keep_default_na=False, skipinitialspace=True)
    if isinstance(frame, Unreadable):
        return frame
    if not isinstance(frame.index, pandas().RangeIndex):
        return Unreadable("the rows have more cells than the header")
    rows = tuple(tuple(cell.strip() if isinstance(cell, str) else "" for cell in row) for row in frame.to_numpy())
    return Table(tuple(str(header).strip() for header in frame.columns), rows)


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
