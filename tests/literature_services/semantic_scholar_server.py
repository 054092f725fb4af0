"""The Academic Graph and Recommendations APIs of Semantic Scholar over invented works."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from invented import Invented
from speaking import corpus_of, replying

from pincite_tasks.corpus.sources import semantic_scholar
from source_server import Asked, Given


def make_semantic_scholar(
    works: Sequence[Invented], *, bulk_rows: int = 1000, elided: Sequence[str] = (), recent: str = ""
) -> Callable[[Asked], Given]:
    """Answers over the works that have a paperId; ``elided`` are those whose references the publisher withholds,
    ``recent`` is the first day of the pool of recent papers.
    """
    kept = [work for work in works if work.s2]
    speak = partial(semantic_scholar.answer, rows=bulk_rows)
    answer = replying(speak, kept, _own)
    older = {name for work in kept if work.published < recent for name in (work.doi, work.pmid, work.arxiv, work.s2)}
    newer = [replace(work, like=tuple(name for name in work.like if name not in older)) for work in kept]
    recently = replying(speak, newer, _own)

    def around(asked: Asked) -> Given:
        if asked.path.endswith("/references") and asked.path.split("/")[-2] in elided:
            info = {"paperId": asked.path.split("/")[-2], "openAccessPdf": {"url": ""}}
            return Given({"data": None, "citedPaperInfo": info})
        return recently(asked) if asked.params.get("from", "recent") == "recent" else answer(asked)

    return around


def paper(work: Invented) -> dict[str, Any]:
    """The paper as the API gives it; ``raw`` adds fields and changes them."""
    corpus = corpus_of([work], _own)
    return semantic_scholar.paper(corpus, corpus.works[0])


def _own(work: Invented) -> Mapping[str, Any]:
    licence = work.licence.upper().replace("-", "") or None
    open_pdf: dict[str, Any] = {"url": work.pdf, "status": "GOLD", "license": licence}
    none = {"url": "", "status": None, "license": None, "disclaimer": "Notice: …"}
    journal = {"name": work.journal, "volume": work.volume, "pages": f"\n          {work.pages}\n        "}
    fields = {
        "isOpenAccess": work.open_access,
        "openAccessPdf": open_pdf if work.pdf else none,
        "fieldsOfStudy": list(work.subjects) or None,
    }
    return fields if work.arxiv and not work.doi else {**fields, "journal": journal}
