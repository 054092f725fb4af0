"""Details of a key: what an answer's row says behind its name, and whether the documents bear it out."""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import orjson

from pincite_papers.model import Paper
from pincite_scoring.table_construction.forms import key_form, numbers, remark_of, words

Documents = Callable[[], Sequence[tuple[str, ...]]]
"""The words of each document; none where nothing is at hand."""
_MOST_CHARS = 400_000
"""Characters of a document that are looked at."""
_SAYS_NOTHING = frozenset({
    "and", "others", "et", "al", "the", "of", "in", "with", "c", "about", "k", "m", "b", "t", "thousand", "million",
    "billion", "param", "params", "parameter", "parameters", "weights",
})  # fmt: skip
"""Words of a detail that a document may say otherwise: its number tells."""
_OURS = frozenset({"our", "ours", "this", "present", "proposed", "author", "authors", "我", "本"})
_WITHOUT = re.compile(
    r"^(?P<name>.+?)\s*[,(\[]?\s*\b(?:without|no|w/o|excluding)\s+(?:the |an? )?(?P<what>[^()\[\]]+?)[)\]]?$"
)


def documents_of(papers: Mapping[str, Paper], corpus: Path | None) -> Documents:
    """The documents of a task, read when they are first needed: its papers, else the works of its corpus."""

    @cache
    def read() -> Sequence[tuple[str, ...]]:
        texts = [paper.text for paper in papers.values()] or (_works(corpus) if corpus is not None else [])
        return [words(text[:_MOST_CHARS]) for text in texts]

    return read


def details_agree(gold: Sequence[str], answer: Sequence[str], documents: Documents) -> bool:
    """Whether what stands beside the names of one side does not contradict the other side or the documents.

    Two details must have the same numbers; of one that the gold does not have every word must stand in the document
    that the row is about. Where no document is at hand it is believed.
    """
    for true, mine in zip(gold, answer, strict=True):
        told, said = remark_of(true), remark_of(mine)
        if told and said and numbers(words(told)) != numbers(words(said)):
            return False
        if not said or told:
            continue
        wanted = {*words(said)} - _SAYS_NOTHING
        homes = [home for name in (true, " ".join(gold)) if (home := _home(name, documents()))]
        if homes and not wanted & _OURS and not any(wanted <= _said(home) for home in homes):
            return False
    return True


def without_denied(key: tuple[str, ...], others: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """A key without "(without cache)", where another gold key is the same with "cache" added; else as it is."""
    for place, part in enumerate(key):
        found = _WITHOUT.match(part.strip())
        if found is None:
            continue
        named = (*key[:place], found["name"], *key[place + 1 :])
        added = key_form(f"{found['name']} {found['what']}")
        if any(key_form(other[place]) == added and _same_but(place, other, named) for other in others):
            return named
    return key


def _same_but(place: int, a: Sequence[str], b: Sequence[str]) -> bool:
    return all(n == place or key_form(one) == key_form(other) for n, (one, other) in enumerate(zip(a, b, strict=True)))


def _home(name: str, documents: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """The document that a name is of: it has most of the name's pairs of words, and has the first one earliest."""
    own = words(name)
    pairs = set(pairwise(own)) or {own}
    best: tuple[float, int] = (0.0, 0)
    home: tuple[str, ...] = ()
    for document in documents:
        place: dict[tuple[str, ...], int] = {}
        for at, pair in enumerate(pairwise(document) if len(own) > 1 else zip(document)):
            if pair in pairs:
                place.setdefault(pair, at)
        rank = (float(len(place)), -min(place.values(), default=0))
        if place and (not home or rank > best):
            best, home = rank, document
    return home


def _said(document: Sequence[str]) -> set[str]:
    """The words of a document, and the years of its dates."""
    return {*document, *(word[:4] for word in document if word[4:5] == "-" and word[:4].isdigit())}


def _works(corpus: Path) -> list[str]:
    """Title, authors, date, abstract and, where it is plain, the text of every work of a corpus."""
    found: list[str] = []
    path = corpus / "works.jsonl"
    for line in path.read_bytes().splitlines() if path.is_file() else []:
        work: dict[str, Any] = orjson.loads(line)
        text = corpus / str(work.get("text") or "")
        full = text.read_text("utf-8", "replace") if text.suffix == ".txt" and text.is_file() else ""
        head: list[object] = [work.get("title"), work.get("authors"), work.get("published"), work.get("abstract"), full]
        found.append("\n".join(str(part) for part in head if part))
    return found
