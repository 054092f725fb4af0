"""Gathered: how much of what the gold rests on reached a trial: its works, its figures, its quotes. For every family.

``doi_recall`` and ``doi_recall_top`` (the first entry of a list of results), ``figure_recall`` (the figure was named or
shown) and ``figure_inspected`` (it was looked at), as the published literature agent is measured, but on all trials,
right or wrong. A metric is there only where the gold has such things and the trial was recorded.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import orjson

from pincite_papers.doi import first_doi
from pincite_scoring import given
from pincite_scoring.case import Case
from pincite_scoring.literature_qa.failures import looks_at, says_label, squeezed, words_of
from pincite_scoring.literature_qa.gold import Source
from pincite_scoring.tool_uses import ToolUse, tool_uses

_LEAST_TITLE = 15
"""Letters of a title that names a work by itself; shorter ones stand in other texts. Set by judgement."""
_QUOTES = ("quote", "quoted_span", "evidence")
_LABEL = re.compile(r"\b(?:Fig(?:ure)?\.?|Scheme)\s*S?\d{1,3}", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Result:
    """What one call brought: the call and its words, squeezed, and the entries of its list, best first."""

    use: ToolUse
    told: str
    entries: Sequence[str]


def gathered(case: Case) -> dict[str, float]:
    """The metrics that are defined for this case; empty without gold or a trial."""
    if case.trial is None or case.gold is None:
        return {}
    found: dict[str, float] = {}
    share = given.evidence_shown(case.trial, _quotes(case.gold))
    if share is not None:
        found[given.METRIC] = share
    uses = tool_uses(case.trial)
    if uses is None:
        return found
    works, figures = _works(case.gold), _figures(case)
    results = [_result(use) for use in uses] if works or figures else []
    if works:
        told = [result.told for result in results]
        firsts = [result.entries[0] for result in results if result.entries]
        found["doi_recall"] = _share(any(map(names, told)) for names in works)
        found["doi_recall_top"] = _share(any(map(names, firsts)) for names in works)
    if figures:
        found["figure_recall"] = _share(any(figure.brought_by(each) for each in results) for figure in figures)
        found["figure_inspected"] = _share(any(looks_at(use, figure.source) for use in uses) for figure in figures)
    return found


class _Work(tuple[str, ...]):
    """The squeezed names of a work: called with a text, whether one stands in it."""

    __slots__ = ()

    def __call__(self, told: str) -> bool:
        return any(name in told for name in self)


@dataclass(frozen=True, slots=True)
class _Figure:
    source: Source
    names: _Work

    def brought_by(self, result: _Result) -> bool:
        """Whether the figure was looked at, or one entry, or a call about its paper, has its label."""
        if looks_at(result.use, self.source):
            return True
        if self.source.label is None:
            return False
        asked = squeezed(words_of(result.use.arguments))
        for entry in result.entries or [result.told]:
            about = self.names(entry) or self.names(asked) or not self.names
            if about and says_label(entry, self.source.label):
                return True
        return False


def _works(gold: Any) -> list[_Work]:
    """The works that the gold names by DOI, each once, with their titles."""
    found: dict[str, str] = {}
    for each in objects_in(gold):
        doi = each.get("doi")
        if isinstance(doi, str) and doi.strip():
            found.setdefault((first_doi(doi) or doi.strip()).lower(), str(each.get("title") or ""))
    return [_named(doi, title) for doi, title in found.items()]


def _figures(case: Case) -> list[_Figure]:
    """The figures that the gold's evidence stands in."""
    found: dict[Source, _Figure] = {}
    for each in objects_in(case.gold):
        if not is_of_figure(each):
            continue
        paper = each.get("paper") or next(iter(case.papers), None)
        source = Source(paper=paper, page=each.get("page"), place="figure", label=figure_label(each))
        if source.label is not None or source.page is not None:
            names = [*(str(each.get(key) or "") for key in ("doi", "title")), str(paper or "")]
            title = case.papers[paper].title if paper is not None and paper in case.papers else ""
            found[source] = _Figure(source, _named(*names, title))
    return list(found.values())


def _printed(text: Any) -> str | None:
    label = _LABEL.search(str(text or ""))
    return label[0] if label is not None else None


def _named(doi: str, *others: str) -> _Work:
    squeezed_others = [squeezed(name) for name in others]
    return _Work([*filter(None, (squeezed(doi),)), *(name for name in squeezed_others if len(name) >= _least(name))])


def _least(name: str) -> int:
    return 1 if re.search(r"\.(?:pdf|xml|html?|tex|gz)$", name) else _LEAST_TITLE


def _quotes(gold: Any) -> list[str]:
    """The gold's quotes, but those of figures: words of a picture are given in no text."""
    found: list[str] = []
    for each in objects_in(gold):
        if not is_of_figure(each):
            found += quotes_of(each)
    return found


def quotes_of(named: Mapping[str, Any]) -> list[str]:
    """The words that one object of the gold quotes."""
    return [text for key in _QUOTES if isinstance(text := named.get(key), str) and text.strip()]


def is_of_figure(named: Mapping[str, Any]) -> bool:
    """Whether an object of the gold says that its evidence stands in a figure."""
    return "figure" in (named.get("place"), named.get("source_type"))


def figure_label(named: Mapping[str, Any]) -> str | None:
    """The figure's printed label (``Figure 2``), from its own field or from what is said of the place."""
    return named.get("label") or _printed(named.get("section")) or _printed(named.get("evidence"))


def objects_in(value: Any) -> Iterator[Mapping[str, Any]]:
    """Every object in a JSON value, outermost first."""
    if isinstance(value, dict):
        held = cast("dict[str, Any]", value)
        yield held
        for inner in held.values():
            yield from objects_in(inner)
    elif isinstance(value, list):
        for inner in cast("list[Any]", value):
            yield from objects_in(inner)


def _result(use: ToolUse) -> _Result:
    asked = words_of(use.arguments)
    return _Result(use, squeezed(f"{asked} {use.text}"), [squeezed(words_of(each)) for each in _entries(use.text)])


def _entries(text: str) -> list[Any]:
    """The entries of the first list of a result; none where it is not a JSON object with one."""
    if not text.lstrip().startswith("{"):
        return []
    try:
        told = orjson.loads(text)
    except orjson.JSONDecodeError:
        return []
    for value in cast("dict[str, Any]", told).values():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            return cast("list[Any]", value)
    return []


def _share(found: Iterator[bool]) -> float:
    each = list(found)
    return sum(each) / len(each)
