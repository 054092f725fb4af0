"""Index: the words of a corpus by field, for boolean tests and for a ranking by BM25.

Stated here: Okapi BM25 with k1 = 1.2 and b = 0.75 over all fields that a source searches, a word of the title counting
three times and one of the full text a third; equal scores stand in the order of works.jsonl.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from pincite_tasks.corpus.search_words import STOP, split

TITLE, ABSTRACT, AUTHORS, VENUE, SUBJECTS, TEXT = FIELDS = ("title", "abstract", "authors", "venue", "subjects", "text")
"""Fields of a work that have words."""

_WEIGHTS = {TITLE: 3.0, TEXT: 1 / 3}
_K1, _B = 1.2, 0.75
"""BM25's usual parameters (Robertson and Zaragoza 2009): saturation of counts, and weight of lengths."""


@dataclass(frozen=True, slots=True)
class FieldWords:
    """Where each word stands in one field of one work."""

    places: Mapping[str, Sequence[int]]
    length: int

    @classmethod
    def of(cls, text: str) -> "FieldWords":
        """The words of a text."""
        words = split(text)
        places: dict[str, list[int]] = {}
        for at, word in enumerate(words):
            places.setdefault(word, []).append(at)
        return cls(places, len(words))

    def has(self, phrase: Sequence[str], *, prefix: bool = False, slop: int = 0) -> bool:
        """Whether these words stand here one after another, at most ``slop`` words apart from their places; ``prefix``:
        the last one may go on."""
        lists = [self.places.get(word, ()) for word in phrase]
        if prefix:
            goes_on = (places for word, places in self.places.items() if word.startswith(phrase[-1]))
            lists[-1] = sorted(place for places in goes_on for place in places)
        sets = [set(places) for places in lists]
        return any(
            all(any(first + at + off in places for off in range(-slop, slop + 1)) for at, places in enumerate(sets))
            for first in lists[0]
        )


class Index:
    """``documents`` give the text of each field of each work; works are known by their number, from 0."""

    def __init__(self, documents: Sequence[Mapping[str, str]]) -> None:
        self.works = [{name: FieldWords.of(fields.get(name, "")) for name in FIELDS} for fields in documents]
        self._having: dict[str, list[int]] = {}
        for number, work in enumerate(self.works):
            for word in dict.fromkeys(word for field in work.values() for word in field.places):
                self._having.setdefault(word, []).append(number)
        self._lengths: dict[tuple[str, ...], list[float]] = {}

    def rank(self, numbers: Iterable[int], words: Iterable[str], fields: Sequence[str]) -> list[int]:
        """These works, those that fit the words best first."""
        scores = self.scores(words, fields)
        return sorted(numbers, key=lambda number: (-scores[number], number))

    def scores(self, words: Iterable[str], fields: Sequence[str]) -> list[float]:
        """The score of each work: 0 where it has none of the words in any of the fields."""
        lengths = self._lengths_of(tuple(fields))
        mean = sum(lengths) / len(lengths) if lengths else 0.0
        scores = [0.0] * len(self.works)
        for word in dict.fromkeys(word for word in words if word not in STOP):
            counts = {number: self._count(number, word, fields) for number in self._having.get(word, ())}
            counts = {number: count for number, count in counts.items() if count}
            rarity = math.log(1 + (len(scores) - len(counts) + 0.5) / (len(counts) + 0.5))
            for number, count in counts.items():
                long = _K1 * (1 - _B + _B * lengths[number] / mean)
                scores[number] += rarity * count * (_K1 + 1) / (count + long)
        return scores

    def _count(self, number: int, word: str, fields: Sequence[str]) -> float:
        work = self.works[number]
        return sum(_weight(name) * len(work[name].places.get(word, ())) for name in fields)

    def _lengths_of(self, fields: tuple[str, ...]) -> list[float]:
        if fields not in self._lengths:
            self._lengths[fields] = [sum(_weight(name) * work[name].length for name in fields) for work in self.works]
        return self._lengths[fields]


def _weight(field: str) -> float:
    return _WEIGHTS.get(field, 1.0)
