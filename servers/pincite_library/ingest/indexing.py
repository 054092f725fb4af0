"""Indexing: the chunks of a paper with their terms, and their way out of the processes that make them."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import orjson

from pincite_library.chunks.cut import cut_paper
from pincite_library.model import Chunk, ChunkKind, IndexedChunk
from pincite_library.ranking.fields import chunk_terms
from pincite_papers.model import Span

if TYPE_CHECKING:
    from pincite_library.chunks.context import Context
    from pincite_papers.model import Paper


def cut_indexed(paper: "Paper", context: "Context" = "short") -> list[IndexedChunk]:
    """The chunks of a paper with their terms."""
    return [with_terms(chunk) for chunk in cut_paper(paper, context)]


def with_terms(chunk: Chunk) -> IndexedChunk:
    """A chunk with the terms of its context and text."""
    return IndexedChunk(chunk, chunk_terms(chunk))


def encode_chunks(chunks: Sequence[IndexedChunk]) -> bytes:
    """Chunks with their terms as JSON."""
    return orjson.dumps(chunks)


def decode_chunks(content: bytes) -> list[IndexedChunk]:
    """What ``encode_chunks`` wrote."""
    return [IndexedChunk(_chunk(made["chunk"]), made["terms"]) for made in orjson.loads(content)]


def _chunk(made: dict[str, Any]) -> Chunk:
    made["kind"] = ChunkKind(made["kind"])
    made["rows"] = tuple(made["rows"]) if made["rows"] is not None else None
    made["spans"] = tuple(Span(span["start"], span["end"]) for span in made["spans"])
    return Chunk(**made)
