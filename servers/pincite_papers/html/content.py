"""Content: the part of a page that holds the article."""

import re

from pincite_papers.html.classes import classes, words
from pincite_papers.html.tree import HIDDEN
from pincite_papers.markup.elements import Element, plain_text

_TEXT = frozenset({"p", "td", "th", "dd", "dt", "li", "pre", "blockquote", "figcaption", "caption"})
_HEADINGS = frozenset({"h2", "h3", "h4"})
_MOST_OF_IT = 0.5
"""Share of a page's text from which the element with it is the article. Set by judgement."""
_DENSE = 0.75
"""Share of an element's text that one inside it must have to stand for it. Set by judgement."""
_SMALL_CHARS = 3000
"""Characters below which a part named like a sidebar is one. Set by judgement."""
_NOISE = frozenset({
    "cookie", "cookies", "consent", "share", "sharing", "social", "breadcrumb", "breadcrumbs", "advert",
    "advertisement", "ads", "promo", "altmetric", "metrics", "subscribe", "newsletter", "login", "signin", "sidebar",
    "toolbar", "pager", "pagination", "popup", "modal", "toast", "recommended", "recommendations", "skip",
    "masthead", "crossmark", "menu", "navbar", "nav", "toc", "paywall", "permissions", "reprints",
})  # fmt: skip
_NOISY_TITLES = re.compile(
    r"(?:(?:similar|related|recommended|cited by other) (?:articles?|content|papers?)|cited by|recommended for you"
    r"|share(?: this)?(?: article)?|article metrics|metrics|about this article|on this page|actions|resources|cite"
    r"|add to collections|download(?:s| references| citation| pdf)?|associated data|rights and permissions|permalink"
    r"|table of contents|contents|sections|navigation|comments|links to ncbi databases|export citation|keep up to date"
    r"|reprints and permissions|open in a new tab|view on publisher site)(?:\s*\(\d+\))?",
    re.IGNORECASE,
)
_SHORT = 60
"""Characters of a heading that may be a page's furniture. Set by judgement."""
_OWN_DOI = re.compile(r"(?:doi:?\s*)?(?:https?://(?:dx\.)?doi\.org/)?10\.\d{4,9}/\S+", re.IGNORECASE)


def find_content(body: Element) -> Element:
    """The smallest part of the body that holds the article: where it is marked, else where most of the text is."""
    marked = next((one for one in body.iter("article", "div", "section") if "ltx_document" in classes(one)), None)
    if marked is not None:
        return marked
    weights = _weights(body)
    total = weights.get(body, 0)
    named = [one for one in body.iter("article", "main", "div", "section") if _is_named(one)]
    best = max(named, key=lambda one: weights.get(one, 0), default=None)
    if best is not None and weights.get(best, 0) > _MOST_OF_IT * total:
        return best
    return _densest(body, weights)


def _is_named(element: Element) -> bool:
    return (
        element.tag in ("article", "main")
        or (element.get("role") or "").lower() in ("main", "article")
        or (element.get("itemprop") or "") == "articleBody"
    )


def _weights(body: Element) -> dict[Element, int]:
    """How many characters of running text stand in each element, without those of its links."""
    weights: dict[Element, int] = {}
    for element in body.iter():
        if element.tag not in _TEXT or element.get(HIDDEN) is not None:
            continue
        own = len(element.text or "") + sum(len(child.tail or "") for child in element)
        own += sum(len(child.text or "") for child in element if child.tag not in ("a", "li", "p"))
        at: Element | None = element
        while at is not None:
            weights[at] = weights.get(at, 0) + own
            if at is body:
                break
            at = at.getparent()
    return weights


def _densest(body: Element, weights: dict[Element, int]) -> Element:
    """The deepest element that still holds most of the running text."""
    found = body
    total = weights.get(body, 0)
    while total:
        inner = max(found, key=lambda child: weights.get(child, 0), default=None)
        if inner is None or weights.get(inner, 0) < _DENSE * total or inner.tag in _TEXT:
            break
        if any(child.tag in _HEADINGS for child in found):
            # Its headings and what they head stand side by side.
            break
        found = inner
    return found


def is_noise(element: Element) -> bool:
    """Whether an element inside of the article is not part of it: tools of the page, notices, other articles."""
    tag = element.tag
    if tag in ("footer", "aside"):
        return not _has_evidence(element) and not _has_notes(element)
    if tag not in ("div", "section", "ul", "ol", "p", "span"):
        return False
    if not _NOISE.isdisjoint(words(element)) and "ltx" not in (element.get("class") or ""):
        return len(plain_text(element)) < _SMALL_CHARS and not _has_evidence(element)
    if tag in ("div", "section"):
        first = next((child for child in element if child.tag in ("h1", "h2", "h3", "h4", "h5", "header")), None)
        if first is not None and _NOISY_TITLES.fullmatch(plain_text(first)):
            return True
    own = plain_text(element) if len(element) < 5 else ""
    return 0 < len(own) < _SHORT and _NOISY_TITLES.fullmatch(own) is not None


def is_own_doi(element: Element) -> bool:
    """Whether an element is the printed DOI of the part of the article that it stands in."""
    return "doi" in words(element) and _OWN_DOI.fullmatch(plain_text(element)) is not None


def _has_evidence(element: Element) -> bool:
    """Whether an element holds a figure, a table or a formula."""
    return any(True for _ in element.iter("figure", "table", "math", "picture"))


def _has_notes(element: Element) -> bool:
    return not words(element).isdisjoint(("fn", "footnote", "footnotes", "references", "ref"))
