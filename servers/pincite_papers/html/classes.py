"""Classes: what the names that pages give to elements say of them."""

import re

from pincite_papers.markup.elements import Element

_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|\d+")


def classes(element: Element) -> frozenset[str]:
    """The classes of an element."""
    return frozenset((element.get("class") or "").split())


def words(element: Element) -> frozenset[str]:
    """The words that classes, id and data names of an element are made of, in small letters.

    ``c-article-section__figure-caption`` is made of c, article, section, figure, caption.
    """
    names = " ".join(
        element.get(name) or "" for name in ("class", "id", "role", "data-test", "data-title", "data-type", "itemprop")
    )
    return frozenset(word.lower() for word in _WORD.findall(names[:400]))
