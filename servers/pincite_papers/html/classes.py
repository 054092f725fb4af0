"""Classes: what the names that pages give to elements say of them."""

import re
from functools import lru_cache

from pincite_papers.markup.elements import Element

_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|\d+")
_NAMED = ("class", "id", "role", "data-test", "data-title", "data-type", "itemprop")
_LONGEST = 400
"""Characters of an element's class names that are read. Set by judgement."""


def classes(element: Element) -> frozenset[str]:
    """The classes of an element."""
    return _split((element.get("class") or "")[:_LONGEST])


def words(element: Element) -> frozenset[str]:
    """The words that classes, id and data names of an element are made of, in small letters.

    ``c-article-section__figure-caption`` is made of c, article, section, figure, caption.
    """
    return _words(" ".join([element.get(name, "") for name in _NAMED])[:_LONGEST])


@lru_cache(maxsize=2048)
def _split(names: str) -> frozenset[str]:
    return frozenset(names.split())


@lru_cache(maxsize=2048)
def _words(names: str) -> frozenset[str]:
    return frozenset(word.lower() for word in _WORD.findall(names))
