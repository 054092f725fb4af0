"""Quotes of an answer: which of them do not stand in the task's papers, as the documents server says."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from door import RequestError, SlowError, ToolError

TOOL = "verify_quotes"
MOST_QUOTES = 100
"""Quotes that one call takes."""
_NAMES = ("quote", "evidence", "quoted_span")
_MOST_SAID = 20
"""Quotes that do not stand of which the model reads; of the rest the number is said."""
_SHOWN = 80
"""Characters of such a quote."""


@dataclass(frozen=True, slots=True)
class Quoted:
    """A quote of the answer, where it stands in it, and what it says of its place; page 0 and no paper are unsaid."""

    where: str
    quote: str
    page: int
    paper: str


def quotes_of(answer: object, where: str = "$") -> Iterator[Quoted]:
    """Every quote in an answer, in its order: a text called quote, evidence or quoted_span."""
    if isinstance(answer, list):
        for number, item in enumerate(cast("list[object]", answer)):
            yield from quotes_of(item, f"{where}[{number}]")
    if not isinstance(answer, dict):
        return
    held = cast("dict[str, object]", answer)
    page, paper = held.get("page"), held.get("paper")
    for name, value in held.items():
        if name in _NAMES and isinstance(value, str) and value.strip():
            number = page if isinstance(page, int) and page > 0 else 0
            yield Quoted(f"{where}.{name}", value, number, paper if isinstance(paper, str) else "")
        else:
            yield from quotes_of(value, f"{where}.{name}")


def faults_of(answer: object, papers: Sequence[str], check: Callable[..., Mapping[str, Any]] | None) -> list[str]:
    """A line for each quote that does not stand, or not on its page; nothing where there is no tool to ask.

    A quote that names no paper is looked for in the task's only one; with several it is left unchecked.
    """
    if check is None:
        return []
    by_paper: dict[str, list[Quoted]] = {}
    for quoted in quotes_of(answer):
        names = [name for name in papers if name == quoted.paper or name.rpartition("/")[2] == quoted.paper]
        if len(names or papers) == 1:
            by_paper.setdefault((names or list(papers))[0], []).append(quoted)
    lines: list[str] = []
    for paper, quotes in by_paper.items():
        for start in range(0, len(quotes), MOST_QUOTES):
            lines += _of_paper(paper, quotes[start : start + MOST_QUOTES], check)
    more = len(lines) - _MOST_SAID
    return [*lines[:_MOST_SAID], *([f"… and {more} more quotes that do not stand"] if more > 0 else [])]


def _of_paper(paper: str, quotes: Sequence[Quoted], check: Callable[..., Mapping[str, Any]]) -> list[str]:
    try:
        pages = [quoted.page for quoted in quotes]
        found = check(TOOL, paper=paper, quotes=[quoted.quote for quoted in quotes], pages=pages)
    except (ToolError, RequestError, SlowError) as error:
        return [f"The quotes of {paper} could not be checked: {error}"]
    checked: list[Mapping[str, Any]] = [each for each in found.get("checked", []) if "fault" in each]
    return [_said(quotes[int(each["number"]) - 1], each) for each in checked]


def _said(quoted: Quoted, checked: Mapping[str, Any]) -> str:
    nearest = f"; the paper says: {checked['paper_says']!r}" if checked.get("paper_says") else ""
    return f"Check {quoted.where} {quoted.quote[:_SHOWN]!r}: {checked['fault']}{nearest}"
