"""Queries for what stands in tables, for names and for exact tokens."""

import random
import re
from collections.abc import Iterator
from functools import lru_cache

from parts.known_items.corpus import Corpus
from parts.known_items.item import KnownItem
from parts.known_items.paraphrase import words_of
from parts.known_items.passages import UNSPOKEN

from pincite_library.chunks.grid import Grid
from pincite_library.model import ChunkKind
from pincite_papers.model import Table

_MOST_RELEVANT = 5
_MOST_STANDING = 8
_CAPTION_CHARS = 240
_LABEL_CHARS, _NAME_CHARS = 60, 70
_NAME = re.compile(
    r"(?<![\w^_{/-])(?:[A-Z][a-z]{1,5}-?\d{1,4}[a-z]?|[A-Z]{2,6}-?\d{0,4}[A-Z]?|[a-z]{1,3}[A-Z][A-Za-z]{1,6}\d{0,3}"
    r"|(?:[A-Z][a-z]?\d{0,2}){2,6}|[A-Z]\. [a-z]{5,15})(?![\w^_{-])"
)
_LONG_WORD = re.compile(r"(?<![\w-])[A-Za-z][a-z]{5,}(?![\w-])")
_EDGES = ".,:;!?'\"“”‘’()[]{}<>|=*†‡%°"
_SEPARATORS = re.compile(r"[\s,;|=<>≤≥±×~≈–—−()\[\]{}\"“”]+")
_CLASSES = {
    "doi": re.compile(r"10\.\d{4,9}/\S+"),
    "accession": re.compile(
        r"(?:[A-Z]{1,2}\d{5,8}|[A-Z]{2,3}_\d{6,9}|GSE\d{3,7}|rs\d{3,9}|PRJ[A-Z]{2}\d+|ENS[A-Z]+\d+)(?:\.\d)?"
    ),
    "identifier": re.compile(r"(?=.*\d)(?=.*[A-Za-z])[A-Za-z][\w/-]{3,18}"),
    "formula": re.compile(r"(?=.*\d)(?:(?:[BCFHIKNOPSUVWY]|[A-Z][a-z])\d{0,2}){2,8}"),
    "number": re.compile(r"\d{1,3}(?:,\d{3})+|\d{1,4}\.\d{2,6}|\d{4,8}"),
}


def table_values(corpus: Corpus, number: int, rng: random.Random) -> Iterator[KnownItem]:
    """A column's name, a row's label and three rare words of the caption: the table chunks that have all of them."""
    tables = [table for table in corpus.papers[number].tables if table.caption is not None]
    for table in rng.sample(tables, len(tables)):
        grid = Grid(table)
        about = _rare_words(corpus, corpus.papers[number].text, table)
        for row in rng.sample(list(grid.body()), len(grid.body())):
            cells = grid.cells[row]
            named = [cell for cell in cells[1:] if _says(grid.names[cell.column], _NAME_CHARS)]
            if not named or cells[0].column or not _says(grid.text(cells[0]), _LABEL_CHARS) or len(about) < 2:
                continue
            label, name = grid.text(cells[0]), grid.names[rng.choice(named).column]
            relevant = {locator for locator, text in _tables(corpus) if _has(text, label, name, about)}
            if 0 < len(relevant) <= _MOST_RELEVANT:
                query = " ".join((name.replace(" / ", " "), "of", label, *rng.sample(about, len(about))))
                yield KnownItem("tables", query, frozenset(relevant), f"{label} / {name}")


def names(corpus: Corpus, number: int, rng: random.Random) -> Iterator[KnownItem]:
    """A name of a gene, protein, species or material with two words beside it: the chunks with all of them."""
    chunks = [c for c in corpus.chunks[number] if c.kind is ChunkKind.TEXT and not UNSPOKEN.search(c.section)][1:]
    for chunk in rng.sample(chunks, len(chunks)):
        found = [match for match in _NAME.finditer(chunk.text) if _rare(corpus, match[0])]
        if not found:
            continue
        match = rng.choice(found)
        beside = chunk.text[max(match.start() - 90, 0) : match.end() + 90]
        words = _beside(corpus, chunk.text, match)
        if len(words) < 2:
            continue
        one, other = words[:2]
        relevant = {
            locator for locator, text in _words(corpus, match[0]) if _stem(one) in text and _stem(other) in text
        }
        if 0 < len(relevant) <= _MOST_RELEVANT:
            forms = (
                f"{match[0]} {one} {other}",
                f"role of {match[0]} in {one} {other}",
                f"{one} {other} of {match[0]}",
            )
            yield KnownItem("names", rng.choice(forms), frozenset(relevant), beside)


def exact_tokens(corpus: Corpus, number: int, rng: random.Random) -> Iterator[KnownItem]:
    """A number, formula, identifier, accession number or DOI alone: all chunks whose text has it as a token.

    At most eight chunks have it in any case or as part of a compound ("C57Bl" stands in "C57BL/6" too), so that ten
    results have room for all that have it exactly.
    """
    tokens = sorted({token for chunk in corpus.chunks[number] for token in _tokens(chunk.text)})
    classed = {name: [token for token in tokens if form.fullmatch(token)] for name, form in _CLASSES.items()}
    for name in list(classed):
        rng.shuffle(classed[name])
    while any(classed.values()):
        for name, left in classed.items():
            while left:
                token = left.pop()
                relevant = _holding(corpus).get(token, ())
                if not 0 < len(relevant) <= _MOST_RELEVANT or _year(token) or _in_context(corpus, token):
                    continue
                if _standing(corpus, token) <= _MOST_STANDING:
                    yield KnownItem("exact", token, frozenset(relevant), name)
                    break


def _says(text: str, most: int) -> bool:
    return 3 <= len(text) <= most and sum(map(str.isalpha, text)) > 2


def _rare_words(corpus: Corpus, text: str, table: Table) -> list[str]:
    """The three rarest words at the start of a table's caption."""
    assert table.caption is not None
    caption = text[table.caption.start : min(table.caption.end, table.caption.start + _CAPTION_CHARS)]
    words = {word.lower() for word in words_of(caption)[2:-1] if len(word) > 3 and word.isalpha()}
    return sorted(words, key=lambda word: (corpus.weigh(word), word))[:3]


@lru_cache(maxsize=2)
def _tables(corpus: Corpus) -> list[tuple[str, str]]:
    return [(locator, chunk.text) for locator, chunk in corpus.all if chunk.kind is ChunkKind.TABLE]


def _has(text: str, label: str, name: str, about: list[str]) -> bool:
    low = text.lower()
    rows = (line.split(" | ")[0] for line in text.split("\n"))
    return name in text and all(word in low for word in about) and label in rows


def _rare(corpus: Corpus, name: str) -> bool:
    return 0 < len(_words(corpus, name)) <= max(6, len(corpus.all) // 200)


@lru_cache(maxsize=20_000)
def _words(corpus: Corpus, name: str) -> list[tuple[str, str]]:
    """The chunks in which a name stands as a word, with their texts in lower case."""
    whole = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
    return [
        (locator, chunk.text.lower())
        for locator, chunk in corpus.all
        if name in chunk.text and whole.search(chunk.text)
    ]


def _beside(corpus: Corpus, text: str, name: re.Match[str]) -> list[str]:
    """Words that describe, nearest to a name first."""
    near = [
        (min(abs(word.start() - name.end()), abs(name.start() - word.end())), word[0].lower())
        for word in _LONG_WORD.finditer(text, max(name.start() - 150, 0), name.end() + 150)
    ]
    most = len(corpus.all) / 12
    words = [word for _, word in sorted(near) if 2 < corpus.weigh(word) <= most and word not in name[0].lower()]
    return list(dict.fromkeys(words))


def _stem(word: str) -> str:
    """A word without its ending, at least five letters of it."""
    return re.sub(r"(?<=.{5})(?:ations?|ments?|ings?|ions?|ers?|ed|es|s|ly|al|ic)$", "", word)


def _tokens(text: str) -> set[str]:
    return {token for part in _SEPARATORS.split(text) if (token := part.strip(_EDGES))}


@lru_cache(maxsize=2)
def _holding(corpus: Corpus) -> dict[str, set[str]]:
    """The chunks that hold a token."""
    found: dict[str, set[str]] = {}
    for locator, chunk in corpus.all:
        for token in _tokens(chunk.text):
            found.setdefault(token, set()).add(locator)
    return found


@lru_cache(maxsize=2)
def _contexts(corpus: Corpus) -> frozenset[str]:
    return frozenset(token for _, chunk in corpus.all for token in _tokens(chunk.context))


def _in_context(corpus: Corpus, token: str) -> bool:
    """Whether a token stands in the context of some chunk, which would be found for it too."""
    return token in _contexts(corpus)


def _standing(corpus: Corpus, token: str) -> int:
    """How many chunks have a token between signs that are no letters or digits, in any case."""
    low = token.lower()
    whole = re.compile(rf"(?<![^\W_]){re.escape(low)}(?![^\W_])")
    return sum(low in text and whole.search(text) is not None for text in _lowered(corpus))


@lru_cache(maxsize=2)
def _lowered(corpus: Corpus) -> list[str]:
    return [chunk.text.lower() for _, chunk in corpus.all]


def _year(token: str) -> bool:
    return len(token) == 4 and token.isdigit() and token[:2] in ("18", "19", "20")
