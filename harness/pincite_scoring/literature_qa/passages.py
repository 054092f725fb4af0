"""The gold's passage with what stands around it: true detail from there costs an answer nothing."""

import re

from pincite_papers.model import Paper
from pincite_scoring.case import Case
from pincite_scoring.literature_qa.evidence import find_work
from pincite_scoring.literature_qa.gold import Gold, Source
from pincite_scoring.quotations import check_in_paper

_AROUND = 300
"""Characters on either side of the gold's quote: the rest of its sentence and the next ones (stated here)."""
_SENTENCE_START = re.compile(r"(?<=[.!?])\s+(?=[A-Z])")


def with_passage(gold: Gold, case: Case) -> Gold:
    """``gold`` with its quote read on to the sentences around it, where its source can be opened."""
    source = gold.source
    if source is None or not source.quote:
        return gold
    paper = _paper_of(source, case)
    found = check_in_paper(paper, source.quote, source.page) if paper is not None else None
    if paper is None or found is None or not found.located:
        return gold
    before = _SENTENCE_START.split(paper.text[max(0, found.start - _AROUND) : found.start])
    whole = before[1:] if found.start > _AROUND else before
    behind = paper.text[found.end : found.end + _AROUND]
    cut = list(_SENTENCE_START.finditer(behind))
    behind = behind[: cut[-1].start()] if cut else behind
    read = " ".join([source.quote, *whole, behind])
    return gold.model_copy(update={"source": source.model_copy(update={"quote": read})})


def _paper_of(source: Source, case: Case) -> Paper | None:
    if source.paper is not None:
        return case.papers.get(source.paper)
    work = find_work(case, source.doi or "", source.title or "")
    return None if work is None else work.paper
