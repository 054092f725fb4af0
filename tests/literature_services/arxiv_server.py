"""The arXiv API over invented works."""

from collections.abc import Callable, Sequence

from invented import Invented
from speaking import adapted, given, replying

from pincite_tasks.corpus.sources import arxiv
from source_server import Asked, Given


def make_arxiv(works: Sequence[Invented]) -> Callable[[Asked], Given]:
    """Answers ``GET /api/query`` over the works that have an arXiv id."""
    return replying(arxiv.answer, [work for work in works if work.arxiv])


def entry(work: Invented) -> str:
    """The entry of a work; ``raw`` holds fields, without prefix, to change or drop."""
    return arxiv.entry(adapted([work])[0])


def feed(entries: Sequence[str], total: int, start: int = 0) -> Given:
    """A page of entries."""
    return given(arxiv.feed(entries, total, start))


def refused(words: str, status: int = 400) -> Given:
    """The feed of an error (the API sends it with status 400, earlier with 200)."""
    return given(arxiv.refused(words, status))
