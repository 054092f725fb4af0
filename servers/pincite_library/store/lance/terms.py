"""BM25 in LanceDB over the stream of terms: k1 1.2 and b 0.75, as in the other stores."""

from collections.abc import Sequence
from typing import Any

from pincite_library.model import Scored
from pincite_library.store.lance.modules import index, query
from pincite_library.store.lance.session import Session

_MORE = 16
"""Hits beyond those wanted, so that equal scores can be put in order."""
_MOST = 256
"""Where more chunks than this are equal, which of them come is by chance."""


def terms_index() -> Any:
    """The index of the stream as it is: each run of characters between spaces is a term."""
    return index().FTS(
        base_tokenizer="whitespace",
        stem=False,
        remove_stop_words=False,
        ascii_folding=False,
        lower_case=False,
        max_token_length=None,
        with_position=False,
    )


def rank(session: Session, terms: Sequence[str], k: int, where: str | None) -> list[Scored]:
    """The best chunks for any of the terms, best first, equal ones by key."""
    terms = list(dict.fromkeys(terms))
    limit = k + _MORE
    while True:
        found = session.reading("rows", lambda table, limit=limit: _asked(table, terms, limit, where))
        ranked = sorted(found, key=lambda one: (-one.score, one.key))
        if len(found) < limit or limit > _MOST or ranked[-1].score < ranked[k - 1].score:
            return ranked[:k]
        limit *= 4


def _asked(table: Any, terms: Sequence[str], limit: int, where: str | None) -> list[Scored]:
    asked = table.search(query().MatchQuery(" ".join(terms), "terms"), query_type="fts")
    asked = asked.select(["key", "_score"]).limit(limit)
    found = (asked.where(where, prefilter=True) if where else asked).to_arrow()
    pairs = zip(found.column("key").to_pylist(), found.column("_score").to_pylist(), strict=True)
    # Scores of equal chunks differ in the last bits, by where they are kept.
    return [Scored(key, float(f"{score:.6g}")) for key, score in pairs]
