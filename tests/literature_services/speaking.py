"""Invented works as the works of a corpus, and the corpus's services as the answers of test servers."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote

from invented import Invented

from pincite_tasks.corpus.corpus import Corpus
from pincite_tasks.corpus.exchange import Asked as CorpusAsked
from pincite_tasks.corpus.exchange import CorpusReply
from pincite_tasks.corpus.index import Index
from pincite_tasks.corpus.texts import Texts
from pincite_tasks.corpus.work import CorpusWork, Retraction
from source_server import Asked, Given

Own = Callable[[Invented], Mapping[str, Any]]
"""Fields of a source's record that a corpus does not make; what a work gives in ``raw`` comes before them."""

_RETRACTION = Retraction.model_construct(notice="", on="2024-01-01", labelled=False)


def _nothing(_: Invented) -> Mapping[str, Any]:
    return {}


class AdaptedWork(CorpusWork):
    """An invented work: what a corpus does not allow (ids of its own, unknown days, raw fields) is its own."""

    made_of: Any

    @property
    def names(self) -> list[tuple[str, str]]:
        return list(self.made_of.authors)

    @property
    def day_posted(self) -> str:
        return self.published

    @property
    def updated(self) -> str:
        return self.made_of.updated

    @property
    def categories(self) -> tuple[str, ...]:
        return self.made_of.subjects or ("cond-mat.supr-con",)

    @property
    def comment(self) -> str:
        return self.made_of.comment

    @property
    def raw(self) -> Mapping[str, Any]:
        return self.made_of.raw

    @property
    def own_doi(self) -> str:
        return self.doi

    @property
    def first_day(self) -> str:
        return super().first_day if self.published else ""

    @property
    def open(self) -> bool:
        return self.made_of.open_access

    @property
    def ppr(self) -> str:
        return self.made_of.ppr

    @property
    def in_europe_pmc(self) -> bool:
        return self.made_of.open_access

    @property
    def has_pdf(self) -> bool:
        return bool(self.made_of.pdf)

    @property
    def publisher_pdf(self) -> str:
        return self.made_of.pdf

    @property
    def publisher_licence(self) -> str:
        return self.made_of.licence

    @property
    def openalex(self) -> str:
        return self.made_of.openalex

    @property
    def s2(self) -> str:
        return self.made_of.s2


class InventedCorpus(Corpus):
    """Invented works, indexed by their words."""

    def notice(self, work: CorpusWork) -> CorpusWork | None:
        """What retracts a work, which no source knows."""
        if work.retracted is None:
            return None
        return CorpusWork.model_construct(title="A retraction", doi=f"{work.doi}.r", published="2024")

    def context(self, citing: CorpusWork) -> dict[str, Any]:
        words = f"As was shown [1], {citing.title.lower()}."
        return {"contexts": [words, words], "intents": ["background"], "isInfluential": False}

    def alike(self, work: CorpusWork, among: Iterable[CorpusWork]) -> list[CorpusWork]:
        """The works that are named to be like this one."""
        named = [_named(self.works, name) for name in work.made_of.like]
        return [other for other in named if other is not None]


class GivenOrder(Index):
    """Words of works that are ranked in the order in which they were given."""

    def rank(self, numbers: Iterable[int], words: Iterable[str], fields: Sequence[str]) -> list[int]:
        """The works in their own order."""
        return sorted(numbers)


def adapted(works: Sequence[Invented], own: Own = _nothing) -> list[AdaptedWork]:
    """The works, citing each other by their numbers here, others by their names."""
    works = [replace(work, raw={**own(work), **work.raw}) for work in works]
    known = {name: f"w{at}" for at, work in reversed([*enumerate(works)]) for name in _names(work)}
    return [
        AdaptedWork.model_construct(
            made_of=work,
            id=f"w{at}",
            title=work.title,
            authors=[f"{family}, {given}" for family, given in work.authors],
            published=work.published,
            venue=work.journal,
            publisher="Invented Press",
            volume=work.volume,
            issue=work.issue,
            pages=work.pages,
            issn="1234-5679",
            doi=work.doi,
            arxiv=work.arxiv,
            pmid=work.pmid,
            pmcid=work.pmcid,
            abstract=work.abstract,
            subjects=list(work.subjects),
            references=[known.get(name, name) for name in work.cites],
            licence=work.licence,
            retracted=_RETRACTION if work.retracted else None,
        )
        for at, work in enumerate(works)
    ]


def corpus_of(works: Sequence[Invented], own: Own = _nothing) -> InventedCorpus:
    """A corpus of these works."""
    words = [
        {
            "title": unescape(re.sub("<[^<>]*>", "", work.title)),
            "abstract": work.abstract,
            "authors": " ".join(f"{given} {family}" for family, given in work.authors),
            "venue": work.journal,
            "subjects": f"{' '.join(work.subjects)} {work.comment}",
        }
        for work in works
    ]
    return InventedCorpus(Path(), tuple(adapted(works, own)), GivenOrder(words), Texts(Path(), {}))


def replying(
    answer: Callable[[Corpus, CorpusAsked], CorpusReply], works: Sequence[Invented], own: Own = _nothing
) -> Callable[[Asked], Given]:
    """What a service of a corpus answers over these works."""
    corpus = corpus_of(works, own)
    return lambda asked: given(answer(corpus, as_asked(asked)))


def as_asked(asked: Asked) -> CorpusAsked:
    """A request to a test server as one to a corpus."""
    return CorpusAsked("", unquote(asked.path), {**asked.params, **dict(parse_qsl(asked.body.decode()))})


def given(reply: CorpusReply) -> Given:
    """A corpus's reply as that of a test server."""
    return Given(reply.content, reply.status, {"Content-Type": reply.kind})


def _names(work: Invented) -> list[str]:
    return [name for name in (work.doi, work.pmid, work.arxiv, work.s2, work.openalex) if name]


def _named(works: Sequence[CorpusWork], name: str) -> CorpusWork | None:
    return next((work for work in works if name in _names(work.made_of)), None)
