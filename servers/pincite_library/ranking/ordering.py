"""Ordering: what a passage is, beside how well it fits: running text before title pages, tables for values."""

import os
from collections.abc import Sequence
from dataclasses import replace

from pincite_library.model import FRONT_LABELS, ChunkKind
from pincite_library.ranking.questions import asks_for_value
from pincite_library.ranking.ranked import Found

CONSIDERED = 30
"""How many of the best passages are put in order: one further down is not a matter of what it is."""

_FRONT = float(os.environ.get("X_FRONT", 0.7))
_NO_TABLE = float(os.environ.get("X_TABLE", 0.8))


def ordered(found: Sequence[Found], query: str, *, exact: bool) -> list[Found]:
    """The passages in the order of their fused scores, those of front matter and, where a value is asked for, those
    that are no table lowered by a factor. Who looks for an identifier (``exact``) gets it from wherever it stands."""
    if exact:
        return list(found)
    tables = asks_for_value(query)
    weighed = [replace(one, fused=one.fused * _factor(one, tables=tables)) for one in found]
    return sorted(weighed, key=lambda one: -one.fused)


def _factor(one: Found, *, tables: bool) -> float:
    chunk = one.stored.chunk
    factor = _FRONT if chunk.kind is ChunkKind.TEXT and chunk.label in FRONT_LABELS else 1.0
    return factor * (_NO_TABLE if tables and chunk.kind is not ChunkKind.TABLE else 1.0)
