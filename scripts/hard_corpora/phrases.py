"""Phrases: pools of sentences with choices in them, drawn from without repeating one before all were used."""

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

_ARTICLE = re.compile(r"\b([Aa]) (?=[aeioAEIO])")
_CHOICE = re.compile(r"\[([^\[\]]*\|[^\[\]]*)\]")


class Phrases:
    """The pools of one file, by "section.name"; each is a deck that is shuffled again when it is empty."""

    def __init__(self, path: Path, seed: str) -> None:
        self.data: dict[str, dict[str, list[str]]] = tomllib.loads(path.read_text(encoding="utf-8"))
        self._random = Random(f"{seed}/phrases")
        self._decks: dict[str, list[str]] = {}

    def draw(self, pool: str, words: Mapping[str, Any] | None = None) -> str:
        """One phrase of a pool, its choices made and its {slots} filled."""
        deck = self._decks.setdefault(pool, [])
        if not deck:
            section, _, name = pool.partition(".")
            deck += self.data[section][name]
            self._random.shuffle(deck)
        return self.fill(deck.pop(), words or {})

    def several(self, pool: str, count: int, words: Mapping[str, Any] | None = None) -> list[str]:
        """Some phrases of a pool, no two of them from one, and at most as many as there are."""
        section, _, name = pool.partition(".")
        phrases = self.data[section][name]
        return [self.fill(phrase, words or {}) for phrase in self._random.sample(phrases, min(count, len(phrases)))]

    def fill(self, phrase: str, words: Mapping[str, Any]) -> str:
        """A phrase with its choices made, its slots filled and a capital letter."""
        while found := _CHOICE.search(phrase):
            phrase = phrase[: found.start()] + self._random.choice(found[1].split("|")) + phrase[found.end() :]
        text = re.sub(r"\s+([.,;:])", r"\1", " ".join(phrase.format(**words).split()))
        text = _ARTICLE.sub(r"\1n ", text)
        return text[:1].upper() + text[1:] if text[:2].islower() or text[1:2] == " " else text
