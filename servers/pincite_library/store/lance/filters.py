"""Filters as conditions that LanceDB applies before it ranks."""

from collections.abc import Callable, Collection, Iterable

from pincite_library.model import Filters
from pincite_library.store.lance.rows import CHUNKS, paper_number

_JOURNALS = 500
"""Journals of one condition; more are looked for by their text. Set by judgement."""


def condition(filters: Filters, journals: Callable[[], Collection[str]]) -> str | None:
    """The SQL condition for chunks that pass, None where all do; ``journals`` says all of the library, case folded."""
    parts = [f"kind IN ({texts(filters.kinds)})"] if len(filters.kinds) < len(CHUNKS) else []
    if not filters.kinds:
        return "false"
    first, last = filters.years
    if first is not None:
        parts.append(f"year >= {int(first)}")
    if last is not None:
        parts.append(f"year <= {int(last)}")
    if filters.papers:
        parts.append(in_papers(filters.papers))
    if filters.journal:
        parts.append(_in_journal(filters.journal.casefold(), journals()))
    if filters.section:
        parts.append(f"contains(section, {text(filters.section.casefold())})")
    return " AND ".join(parts) or None


def in_papers(papers: Collection[str]) -> str:
    """The condition for rows of these papers."""
    numbers_ = sorted(paper_number(paper) for paper in papers if is_paper_id(paper))
    return f"paper IN ({numbers(numbers_)})" if numbers_ else "false"


def is_paper_id(paper: str) -> bool:
    """Whether a text has the form of a paper's id."""
    digits = paper.removeprefix("sha256:")
    return len(digits) == 64 and all(digit in "0123456789abcdef" for digit in digits)


def numbers(values: Iterable[int]) -> str:
    """Whole numbers for the brackets of IN."""
    return ",".join(str(int(value)) for value in values)


def texts(values: Iterable[str]) -> str:
    """Texts for the brackets of IN."""
    return ",".join(sorted(text(str(value)) for value in values))


def text(value: str) -> str:
    """A text as SQL writes it."""
    return "'" + value.replace("'", "''") + "'"


def _in_journal(wanted: str, journals: Collection[str]) -> str:
    matching = [journal for journal in journals if wanted in journal]
    if not matching:
        return "false"
    # An index answers IN, where contains() reads the column of every row.
    return f"journal IN ({texts(matching)})" if len(matching) <= _JOURNALS else f"contains(journal, {text(wanted)})"
