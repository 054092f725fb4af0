"""Ordering: what a passage is, beside how well it fits: running text before title pages, tables for values."""

import re
from collections.abc import Sequence
from dataclasses import replace

from pincite_library.model import FRONT_LABELS, ChunkKind
from pincite_library.ranking.folding import fold
from pincite_library.ranking.questions import asks_for_value
from pincite_library.ranking.ranked import Found

CONSIDERED = 30
"""How many of the best passages are put in order: one further down is not a matter of what it is."""

_FRONT, _NO_TABLE = 0.7, 0.7
"""What the fused score of a title page or footnote is multiplied with, and where a value is asked for that of what is
no table. Set by ``tests/benchmarks/passage_order.py`` on its first 160 papers: of 0.85, 0.7 and 0.5, and of 0.9 to 0.5
in tenths, those beyond which nothing is gained."""

_QUOTED_WORDS = 4
"""So many words in a row of a title page, and the query is its title; fewer stand in a row by chance."""
_WORDS = re.compile(r"\w+")


def ordered(found: Sequence[Found], query: str, *, exact: bool) -> list[Found]:
    """The passages in the order of their fused scores, those of front matter and, where a value is asked for, those
    that are not a table lowered by a factor. Who looks for an identifier (``exact``) or writes out a title gets it from
    wherever it stands."""
    if exact:
        return list(found)
    tables, quoted = asks_for_value(query), _run_of_words(query)
    weighed = [replace(one, fused=one.fused * _factor(one, quoted, tables=tables)) for one in found]
    return sorted(weighed, key=lambda one: -one.fused)


def _factor(one: Found, quoted: str, *, tables: bool) -> float:
    chunk = one.stored.chunk
    factor = _NO_TABLE if tables and chunk.kind is not ChunkKind.TABLE else 1.0
    if chunk.kind is ChunkKind.TEXT and chunk.label in FRONT_LABELS and not _holds(chunk.text, quoted):
        factor *= _FRONT
    return factor


def _holds(text: str, quoted: str) -> bool:
    return quoted.count(" ") > _QUOTED_WORDS and quoted in _run_of_words(text)


def _run_of_words(text: str) -> str:
    """The words of a text, each between single spaces."""
    return f" {' '.join(_WORDS.findall(fold(text).casefold()))} "
