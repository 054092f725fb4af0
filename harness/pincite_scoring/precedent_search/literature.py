"""Literature: the works of a task's corpus, in which cited works exist, stand or are retracted, and hold quotes."""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal

from pincite_papers.model import Paper
from pincite_papers.quoting.quotes import MAX_QUOTE_CHARS, quote_stands
from pincite_scoring.precedent_search.answer import Source
from pincite_scoring.precedent_search.citations import doi_form, title_form
from pincite_scoring.quotations import stands_in
from pincite_scoring.shown import NOTHING_SHOWN, Shown, text_paper
from pincite_tasks.corpus.corpus import Corpus, open_corpus

Standing = Literal["verified", "unverifiable", "absent", "no_quote", "unknown_work"]


@dataclass(frozen=True, slots=True)
class KnownWork:
    """A work of the corpus: its text is its title, abstract and full text."""

    title: str
    retracted: bool
    paper: Paper
    names: tuple[str, ...] = ()
    """DOI, arXiv id and title: what a tool's call or result calls it."""


class Literature:
    """The works of one corpus, by DOI, arXiv DOI and title."""

    def __init__(self, corpus: Corpus) -> None:
        self._by_doi: dict[str, KnownWork] = {}
        self._by_title: dict[str, KnownWork] = {}
        self._standings: dict[tuple[str, str, str], Standing] = {}
        for work in corpus.works:
            text = "\n\n".join(filter(None, (work.title, work.abstract, corpus.plain_text(work))))
            known = KnownWork(
                work.title, work.retracted is not None, text_paper(text), (work.doi, work.arxiv, work.title)
            )
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

    def elsewhere(self, source: Source) -> bool:
        """Whether the quoted span stands in another work than the cited one."""
        cited = self.find(source)
        works = {id(work): work for work in (*self._by_doi.values(), *self._by_title.values()) if work is not cited}
        return any(quote_stands(work.paper, source.quoted_span) for work in works.values())

    def _stands(self, source: Source) -> Standing:
        work, quote = self.find(source), source.quoted_span
        if work is None:
            return "unknown_work"
        return stands_in(work.paper, quote)


@dataclass(frozen=True, slots=True)
class Evidence:
    """What quoted spans are looked for in: the works of a corpus, and what tools showed in the trial."""

    literature: Literature | None = None
    shown: Shown = NOTHING_SHOWN

    @property
    def at_hand(self) -> bool:
        """Whether there is anything to look in."""
        return self.literature is not None or bool(self.shown.results)

    def find(self, source: Source) -> KnownWork | None:
        """The cited work, where there is a corpus and it has it."""
        return self.literature.find(source) if self.literature is not None else None

    def standing(self, source: Source) -> Standing:
        """Whether the quoted span stands in the cited work, or in what a tool showed of it; what stands in another
        work of the corpus was not shown of this one."""
        standing = self.literature.standing(source) if self.literature is not None else "absent"
        if standing not in ("absent", "unverifiable"):
            return standing
        quote, work = source.quoted_span, self.find(source)
        if not quote or len(quote) > MAX_QUOTE_CHARS:
            return "no_quote"
        names = work.names if work is not None else (doi_form(source.doi), source.title)
        if not self.shown.holds(quote, names):
            return standing
        return standing if self.literature is not None and self.literature.elsewhere(source) else "verified"

    def stands(self, source: Source) -> bool:
        """Whether the quoted span stands, and not in a retracted work."""
        work = self.find(source)
        return self.standing(source) == "verified" and not (work is not None and work.retracted)


def open_literature(folder: Path) -> Literature:
    """The corpus in ``folder``; made once as long as its files stay the same."""
    return _literature(open_corpus(folder))


@lru_cache(maxsize=16)
def _literature(corpus: Corpus) -> Literature:
    return Literature(corpus)
