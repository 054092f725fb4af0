"""Literature: the works of a task's corpus, in which cited works exist, stand or are retracted, and hold quotes."""

import hashlib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal

import numpy as np

from pincite_harness.corpus.corpus import Corpus, open_corpus
from pincite_harness.scoring.precedent_search.answer import Source
from pincite_harness.scoring.precedent_search.citations import doi_form, title_form
from pincite_harness.scoring.quotations import stands_in
from pincite_papers.geometry import Geometry
from pincite_papers.model import Page, Paper

Standing = Literal["verified", "unverifiable", "absent", "no_quote", "unknown_work"]


@dataclass(frozen=True, slots=True)
class KnownWork:
    """A work of the corpus: its text is its title, abstract and full text."""

    title: str
    retracted: bool
    paper: Paper


class Literature:
    """The works of one corpus, by DOI, arXiv DOI and title."""

    def __init__(self, corpus: Corpus) -> None:
        self._by_doi: dict[str, KnownWork] = {}
        self._by_title: dict[str, KnownWork] = {}
        self._standings: dict[tuple[str, str, str], Standing] = {}
        for work in corpus.works:
            text = "\n\n".join(filter(None, (work.title, work.abstract, corpus.plain_text(work))))
            known = KnownWork(work.title, work.retracted is not None, _paper(text))
            dois = (work.doi, f"10.48550/arxiv.{work.arxiv}" if work.arxiv else "")
            self._by_doi |= {doi_form(doi): known for doi in dois if doi}
            self._by_title.setdefault(title_form(work.title), known)

    def find(self, source: Source) -> KnownWork | None:
        """The cited work: by its DOI where one is given, else by its whole title."""
        doi = doi_form(source.doi)
        return self._by_doi.get(doi) if doi else self._by_title.get(title_form(source.title))

    def standing(self, source: Source) -> Standing:
        """Whether the quoted span stands in the cited work, as the provenance server finds quotes."""
        if source.key not in self._standings:
            self._standings[source.key] = self._stands(source)
        return self._standings[source.key]

    def _stands(self, source: Source) -> Standing:
        work, quote = self.find(source), source.quoted_span
        if work is None:
            return "unknown_work"
        return stands_in(work.paper, quote)


def open_literature(folder: Path) -> Literature:
    """The corpus in ``folder``; made once as long as its files stay the same."""
    return _literature(open_corpus(folder))


@lru_cache(maxsize=16)
def _literature(corpus: Corpus) -> Literature:
    return Literature(corpus)


def _paper(text: str) -> Paper:
    digest = hashlib.sha256(text.encode()).hexdigest()
    page = Page(1, "1", 0.0, 0.0, 0, len(text))
    rows = np.full((len(text), 4), np.nan, dtype=np.float32)
    return Paper(f"sha256:{digest}", "corpus/1", "", text, (page,), (), Geometry(rows))
