"""What a chunk is indexed by: the terms of its text and, weighing less, those of its context."""

from collections import Counter

from pincite_library.model import Chunk
from pincite_library.ranking.terms import index_terms

_TEXT_WEIGHT, _MOST_MORE = 4, 3
"""Times that a term of the text counts, and the most that its context may add. Set by judgement."""


def chunk_terms(chunk: Chunk) -> str:
    """The terms of a chunk, equal ones side by side: those of the context once, those of the text four times or more.

    That is BM25 over weighted fields (Robertson, Zaragoza, Taylor: Simple BM25 extension to multiple weighted fields,
    2004) by repetition, so that every store ranks by it. A term that stands often in the text counts up to three times
    more: passages are short, and there a second mention says little. A context is that of all chunks of a paper: at
    full weight every chunk of it would answer to the title (``tests/benchmarks/retrieval_quality.py``).
    """
    return weighed(index_terms(chunk.text), index_terms(chunk.context))


def weighed(text: str, context: str) -> str:
    """The stream of a chunk out of the terms of its text and of its context, as ``chunk_terms`` says."""
    counts = Counter(text.split())
    stream = [term for term in dict.fromkeys(context.split()) if term not in counts]
    for term, count in counts.items():
        stream += [term] * (_TEXT_WEIGHT + min(count - 1, _MOST_MORE))
    return " ".join(stream)
