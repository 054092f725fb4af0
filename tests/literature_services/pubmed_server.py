"""NCBI's E-utilities for PubMed over invented works."""

from collections.abc import Callable, Mapping, Sequence

from invented import Invented
from speaking import as_asked, corpus_of, given, replying

from pincite_tasks.corpus.sources import pubmed
from source_server import Asked, Given

HEAD = pubmed.HEAD


def make_pubmed(works: Sequence[Invented]) -> Callable[[Asked], Given]:
    """Answers esearch, efetch and elink over the works with a PMID; GET and POST alike."""
    answer = replying(pubmed.answer, [work for work in works if work.pmid], _own)

    def around(asked: Asked) -> Given:
        if as_asked(asked).text("api_key") == "wrong":
            said = {"error": "API key invalid", "api-key": "wrong", "type": "client", "status": "unknown"}
            return Given(said, status=400)
        return answer(asked)

    return around


def article(work: Invented) -> str:
    """The PubmedArticle of a work; ``raw`` holds XML instead of an element, by its name ("" to drop it)."""
    corpus = corpus_of([work], _own)
    return pubmed.article(corpus, corpus.works[0])


def articles(bodies: Sequence[str], head: str = HEAD) -> Given:
    """Records as EFetch gives them."""
    return given(pubmed.articles(bodies, head))


def refused(words: str) -> Given:
    """An error of ESearch."""
    return given(pubmed.refused(words))


def _own(work: Invented) -> Mapping[str, str]:
    return {"CommentsCorrectionsList": ""}
