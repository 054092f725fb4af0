"""Queries for passages: titles, sentences in other words, captions in other words."""

import random
import re
from collections.abc import Iterator

from parts.known_items.corpus import Corpus
from parts.known_items.item import KnownItem
from parts.known_items.paraphrase import content_words, paraphrase

from pincite_library.model import Chunk, ChunkKind
from pincite_papers.passages import sentence_breaks, trim

_SHORTEST, _LONGEST = 80, 300
_LEAST_CONTENT = 7
_RARE = 0.01
_SAME = 0.8
_MOST_RELEVANT = 4
UNSPOKEN = re.compile(
    r"acknowledg|funding|contribution|competing|conflict|supporting|supplement|additional|abbreviation|availability"
    r"|copyright|licen[cs]e|correspond|e-?mail|https?:|et al\.",
    re.IGNORECASE,
)
"""What marks sections and sentences that nobody looks for."""
_POINTING = re.compile(r"(?:This|These|Those|It|They|Such|That|Here|There|He|She|Its|Their)\b")
_LABEL = re.compile(
    r"^(?:Extended Data )?(?:Fig(?:ure)?|Table|Scheme|Box)s?\.?\s*[A-Z]?\d*[A-Za-z]?\s*[.:|]?\s*", re.IGNORECASE
)


def titles(corpus: Corpus, number: int, rng: random.Random) -> Iterator[KnownItem]:
    """The title, every other one cut behind its sixth word or colon: the chunks in whose text it stands whole."""
    title = " ".join(corpus.papers[number].title.split()).rstrip(".")
    relevant = {locator for locator, chunk in corpus.all if title.lower() in " ".join(chunk.text.split()).lower()}
    if len(title.split()) < 3 or not 0 < len(relevant) <= _MOST_RELEVANT:
        return
    query = title
    if rng.random() < 0.5:
        head, colon, _ = title.partition(":")
        query = head if colon and len(head.split()) > 3 else " ".join(title.split()[:9])
    yield KnownItem("titles", query.lower(), frozenset(relevant), title)


def sentences(corpus: Corpus, number: int, rng: random.Random) -> Iterator[KnownItem]:
    """Sentences of running text in other words: the chunk they stand in, and others of the paper that say the same."""
    paper = corpus.papers[number]
    chunks = [
        chunk for chunk in corpus.chunks[number] if chunk.kind is ChunkKind.TEXT and not UNSPOKEN.search(chunk.section)
    ]
    for chunk in rng.sample(chunks, len(chunks)):
        told = [sentence for sentence in _sentences(chunk.text) if _tells(corpus, sentence)]
        if not told:
            continue
        sentence = rng.choice(told)
        query = paraphrase(sentence, rng, corpus.weigh)
        relevant = {chunk.locator(paper.paper_id)} | _repeating(corpus, number, sentence)
        if query is not None and len(relevant) <= _MOST_RELEVANT:
            yield KnownItem("sentences", query, frozenset(relevant), sentence)


def captions(corpus: Corpus, number: int, rng: random.Random) -> Iterator[KnownItem]:
    """First sentences of captions in other words: the chunks of that table or figure that have them."""
    paper = corpus.papers[number]
    floats = [chunk for chunk in corpus.chunks[number] if chunk.kind in (ChunkKind.TABLE, ChunkKind.FIGURE)]
    for chunk in rng.sample(floats, len(floats)):
        sentence = _caption(chunk)
        if len(content_words(sentence)) < 4:
            continue
        query = paraphrase(sentence, rng, corpus.weigh)
        relevant = {one.locator(paper.paper_id) for one in floats if sentence in one.text}
        if query is not None and 0 < len(relevant) <= _MOST_RELEVANT:
            yield KnownItem("captions", query, frozenset(relevant), sentence)


def _caption(chunk: Chunk) -> str:
    """What a caption says first behind its label: one sentence, two where the first is short."""
    line = _LABEL.sub("", chunk.text.split("\n", 1)[0]) if chunk.label else ""
    ends = [at for at in sentence_breaks(line, 0, len(line)) if at >= 50]
    return line[: ends[0] if ends else len(line)].strip()[:_LONGEST]


def _sentences(text: str) -> Iterator[str]:
    at = 0
    for end in [*sentence_breaks(text, 0, len(text)), len(text)]:
        start, stop = trim(text, at, end)
        yield text[start:stop]
        at = end


def _tells(corpus: Corpus, sentence: str) -> bool:
    """Whether a sentence says something that can be looked for: whole, with rare words, pointing at nothing before."""
    if (
        not _SHORTEST <= len(sentence) <= _LONGEST
        or sentence[-1] != "."
        or not sentence[0].isupper()
        or "\n" in sentence
    ):
        return False
    words = content_words(sentence)
    most = max(3, int(_RARE * len(corpus.all)))
    rare = [word for word in words if word.isalpha() and corpus.weigh(word) <= most]
    spoken = not _POINTING.match(sentence) and not UNSPOKEN.search(sentence)
    return spoken and len(words) >= _LEAST_CONTENT and len(rare) > 1


def _repeating(corpus: Corpus, number: int, sentence: str) -> set[str]:
    """The chunks of the paper with a sentence of nearly the same words."""
    words = content_words(sentence)
    found: set[str] = set()
    for chunk in corpus.chunks[number]:
        if len(words & content_words(chunk.text)) >= _SAME * len(words) and any(
            len(words & (there := content_words(one))) >= _SAME * len(words | there) for one in _sentences(chunk.text)
        ):
            found.add(chunk.locator(corpus.papers[number].paper_id))
    return found
