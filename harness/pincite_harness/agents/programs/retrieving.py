"""Retrieving: documents in chunks of so many characters, and the chunks nearest to a query, by words or by vectors."""

import json
import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Any, cast
from urllib.parse import urlsplit

from locators import LOCATOR

SEPARATORS = ("\n\n", "\n", " ", "")
"""Where a text is cut: between paragraphs, lines, words, anywhere. The published splitter takes them in this order."""
_MARKS = re.compile(rf"\[{LOCATOR.pattern}(?: [a-z]+)?\] ?")
_FRAME = re.compile(r"^(?:Paper [0-9a-f]{8}, .*|<<<[0-9a-f]{8}|[0-9a-f]{8}>>>)$\n?", re.MULTILINE)
_WORD = re.compile(r"[\u3040-\u9fff\uac00-\ud7af]|[^\W_]+")
_K1, _B = 1.2, 0.75
"""The parameters of BM25 that most engines have as their own."""
_BATCH = 64
"""Texts of one request for vectors: what every known API takes."""
_SECONDS = 120.0
"""Seconds of one request for vectors. Set by judgement."""

Embed = Callable[[Sequence[str]], list[list[float]]]


@dataclass(frozen=True, slots=True)
class Chunk:
    """The ``number``-th chunk (from 1) of a document."""

    source: str
    number: int
    text: str


def plain(text: str) -> str:
    """A document's text as tools give it, without locators and the lines that frame it."""
    return _FRAME.sub("", _MARKS.sub("", text)).strip()


def split(text: str, size: int, overlap: int, separators: Sequence[str] = SEPARATORS) -> list[str]:
    """The text in pieces of at most ``size`` characters, cut at the first separator that is in it; what is still longer
    at the next one. Pieces are joined again up to ``size``, and begin with up to ``overlap`` characters of the one
    before (whole pieces). ValueError where the overlap is not below the size."""
    if not 0 <= overlap < size:
        raise ValueError(f"an overlap of {overlap} characters is not below the size of a chunk, {size}")
    separator, rest = _first(text, separators)
    pieces = list(text) if not separator else text.split(separator)
    found: list[str] = []
    small: list[str] = []
    for piece in pieces:
        if len(piece) <= size:
            small.append(piece)
            continue
        found += _joined(small, separator, size, overlap)
        small = []
        found += split(piece, size, overlap, rest or ("",))
    return [*found, *_joined(small, separator, size, overlap)]


def chunks_of(documents: Sequence[tuple[str, str]], size: int, overlap: int) -> list[Chunk]:
    """The chunks of all documents (name, text) in their order."""
    chunks: list[Chunk] = []
    for name, text in documents:
        pieces = [piece.strip() for piece in split(plain(text), size, overlap) if piece.strip()]
        chunks += [Chunk(name, number, piece) for number, piece in enumerate(pieces, start=1)]
    return chunks


def by_words(chunks: Sequence[Chunk], query: str) -> list[float]:
    """BM25 of each chunk for the words of the query; a sign of Chinese, Japanese or Korean is a word."""
    counted = [Counter(_words(chunk.text)) for chunk in chunks]
    lengths = [sum(counts.values()) for counts in counted]
    mean = sum(lengths) / max(len(lengths), 1) or 1.0
    scores = [0.0] * len(chunks)
    for word in set(_words(query)):
        having = sum(word in counts for counts in counted)
        weight = math.log(1 + (len(chunks) - having + 0.5) / (having + 0.5))
        for place, counts in enumerate(counted):
            if count := counts[word]:
                scores[place] += weight * count * (_K1 + 1) / (count + _K1 * (1 - _B + _B * lengths[place] / mean))
    return scores


def by_vectors(chunks: Sequence[Chunk], query: str, embed: Embed) -> list[float]:
    """The cosine of each chunk's vector and the query's."""
    texts = [chunk.text for chunk in chunks]
    vectors = [vector for start in range(0, len(texts), _BATCH) for vector in embed(texts[start : start + _BATCH])]
    [wanted] = embed([query])
    return [_cosine(vector, wanted) for vector in vectors]


def fused(rankings: Sequence[Sequence[float]]) -> list[float]:
    """Reciprocal rank fusion (k = 60, Cormack and others 2009) of several lists of scores."""
    scores = [0.0] * len(rankings[0])
    for ranking in rankings:
        order = sorted(range(len(ranking)), key=lambda place: -ranking[place])
        for rank, place in enumerate(order, start=1):
            scores[place] += 1 / (60 + rank)
    return scores


def nearest(chunks: Sequence[Chunk], scores: Sequence[float], k: int, per_document: int) -> list[Chunk]:
    """The ``k`` best chunks, at most so many of each document and none whose text is there already, by document in the
    order of its best chunk, and in the order of retrieval inside a document."""
    order = sorted(range(len(chunks)), key=lambda place: (-scores[place], place))[:k]
    groups: dict[str, list[Chunk]] = {}
    seen: set[str] = set()
    for place in order:
        chunk = chunks[place]
        group = groups.setdefault(chunk.source, [])
        if chunk.text not in seen and len(group) < per_document:
            seen.add(chunk.text)
            group.append(chunk)
    return [chunk for group in groups.values() for chunk in group]


def embedder(model: Mapping[str, Any]) -> Embed:
    """Asks the embedding model of ``task.json["models"]`` (OpenAI's /v1/embeddings) through the model door; OSError
    where it does not answer, ValueError for an answer that holds no vectors."""
    parts = urlsplit(f"{model['url']}/v1/embeddings")

    def embed(texts: Sequence[str]) -> list[list[float]]:
        body = json.dumps({"model": model["name"], "input": list(texts)})
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {model['api_key']}"}
        kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
        connection = kind(parts.hostname or "", parts.port, timeout=_SECONDS)
        try:
            connection.request("POST", parts.path, body, headers)
            response = connection.getresponse()
            said = response.read()
        except HTTPException as error:
            raise OSError(f"the embedding model cannot be reached: {error}") from error
        finally:
            connection.close()
        if response.status != 200:
            raise OSError(
                f"the embedding model answered HTTP {response.status}: {said[:300].decode('utf-8', 'replace')}"
            )
        return _vectors(json.loads(said), len(texts))

    return embed


def _vectors(answer: Any, count: int) -> list[list[float]]:
    held = cast("dict[str, Any]", answer) if isinstance(answer, dict) else {}
    data = cast("list[dict[str, Any]]", held.get("data") or [])
    if len(data) != count:
        raise ValueError(f"the embedding model gave {len(data)} vectors for {count} texts")
    ordered = sorted(data, key=lambda each: int(each.get("index", 0)))
    return [[float(value) for value in each["embedding"]] for each in ordered]


def _cosine(first: Sequence[float], second: Sequence[float]) -> float:
    product = sum(a * b for a, b in zip(first, second, strict=True))
    return product / ((math.hypot(*first) * math.hypot(*second)) or 1.0)


def _first(text: str, separators: Sequence[str]) -> tuple[str, Sequence[str]]:
    """The first separator that is in the text, and those behind it."""
    for place, separator in enumerate(separators):
        if not separator or separator in text:
            return separator, separators[place + 1 :]
    return "", ()


def _joined(pieces: Sequence[str], separator: str, size: int, overlap: int) -> Iterator[str]:
    """Pieces joined up to ``size`` characters; each begins with the last pieces before it, up to ``overlap``."""
    held: list[str] = []
    for piece in pieces:
        if held and len(separator.join([*held, piece])) > size:
            yield separator.join(held)
            while held and (len(separator.join(held)) > overlap or len(separator.join([*held, piece])) > size):
                held.pop(0)
        held.append(piece)
    if held:
        yield separator.join(held)


def _words(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(text)]
