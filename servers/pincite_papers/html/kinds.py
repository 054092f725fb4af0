"""Kinds: what an element of an article's page is: title, byline, menu, keywords, formula."""

import re

from pincite_papers.html.classes import classes, words
from pincite_papers.html.floats import LABEL
from pincite_papers.markup.elements import Element, plain_text

_FRONT_WORDS = frozenset({
    "ameta", "cg", "publication", "front", "metadata", "authors", "author", "byline", "contrib", "contributors",
    "affiliations", "affiliation", "history", "dateline", "dates", "doi", "issn", "citation", "license", "journal",
    "identifiers", "badge", "orcid", "permalink", "notice", "articleinfo", "bylines", "contributor",
})  # fmt: skip
_EQUATION_WORDS = frozenset({"equation", "formula", "eqn", "display", "displaymath", "disp"})
_SECTION_WORDS = frozenset({"section", "subsection", "sec", "subsec"})
_TITLE_WORDS = frozenset({"title", "heading"})
_LONGEST_TITLE = 200
"""Characters of a heading: longer ones are paragraphs that a class calls a title."""
_SHORT_ITEM = 40
"""Characters of an item in a list of numbers and tools above an article ("Cited 12"); key points are sentences."""
_LOADING = re.compile(r"(?:[\w ]{0,40}\b)?(?:is )?loading(?:\s+[\w ]{0,30})?\s*(?:\.{2,}|…)", re.IGNORECASE)
KEYWORDS = re.compile(r"(?:key\s?words?|index terms)(?: and phrases)?\s*[:.—–-]?\s*", re.IGNORECASE)


def is_title(element: Element, text: str, title: str) -> bool:
    """Whether a heading is the title of the article."""
    return "ltx_title_document" in classes(element) or (element.tag in ("h1", "h2") and alike(text, title))


def is_run_in(element: Element) -> bool:
    """Whether a heading is the name of a theorem, a proof or the like, which print sets into its first line."""
    return not classes(element).isdisjoint({"ltx_title_theorem", "ltx_title_proof", "ltx_runin"})


def alike(one: str, other: str) -> bool:
    """Whether two titles say the same but for marks and spaces, or the second goes on with the name of the site."""
    plain = [re.sub(r"\W+", "", text).casefold() for text in (one, other)]
    return bool(plain[0]) and (plain[0] == plain[1] or (len(plain[0]) > 20 and plain[1].startswith(plain[0])))


def is_byline(element: Element) -> bool:
    """Whether an element before the first section names authors, dates or the journal."""
    named = words(element)
    if (
        named.isdisjoint(_FRONT_WORDS)
        or not named.isdisjoint(("abstract", "body"))
        or element.tag in ("article", "main")
    ):
        return False
    if element.tag == "section" and len(plain_text(element)) > 3000:
        return False
    return not any("abstract" in words(one) for one in element.iter("div", "section", "p"))


def heads_section(element: Element, title: str) -> bool:
    """Whether a ``header`` is that of a section, not of the article: its heading says something else than the title."""
    heading = next((one for one in element.iter("h1", "h2", "h3", "h4", "h5", "h6")), None)
    if heading is None or heading.tag == "h1":
        return False
    text = plain_text(heading)
    return not alike(text, title) and len(plain_text(element)) < len(text) + _LONGEST_TITLE


def is_section_title(element: Element) -> bool:
    """Whether an element that is not a heading is named the title of the section that it begins."""
    parent = element.getparent()
    if element.tag not in ("div", "p") or parent is None or parent[0] is not element:
        return False
    if words(element).isdisjoint(_TITLE_WORDS) or words(parent).isdisjoint(_SECTION_WORDS) or len(parent) < 2:
        return False
    return 0 < len(plain_text(element)) <= _LONGEST_TITLE and element.find(".//p") is None


def section_depth(element: Element) -> int:
    """How many sections an element stands in."""
    depth, at = 0, element.getparent()
    while at is not None:
        depth += not words(at).isdisjoint(_SECTION_WORDS)
        at = at.getparent()
    return max(depth, 1)


def is_loading(element: Element) -> bool:
    """Whether an element stands where a script puts a part of the article."""
    if element.tag not in ("div", "p", "span", "section"):
        return False
    text = plain_text(element)
    return 0 < len(text) < _LONGEST_TITLE and _LOADING.fullmatch(text) is not None


def is_menu(element: Element) -> bool:
    """Whether an element before the first section is little more than links, or counts."""
    if element.tag not in ("ul", "ol", "div", "table", "p", "td", "center"):
        return False
    text = plain_text(element)
    if (
        element.tag in ("ul", "ol")
        and len(element) > 1
        and all(len(plain_text(item)) <= _SHORT_ITEM for item in element)
    ):
        return True
    links = [plain_text(one) for one in element.iter("a")]
    return len(links) > 1 and 0 < len(text) < 1000 and sum(map(len, links)) > 0.7 * len(text)


def is_keywords(element: Element) -> bool:
    """Whether an element holds keywords, behind a title or a word that says so."""
    if element.tag not in ("div", "section", "p", "ul"):
        return False
    text = plain_text(element)
    match = KEYWORDS.match(text)
    return match is not None and match.end() >= 8 and len(text) < 1000


def is_keyword(element: Element) -> bool:
    return not classes(element).isdisjoint({"keyword", "kwd", "keyword-text", "c-article-subject-list__subject"}) and (
        element.find(".//li") is None
    )


def cut(parent: Element, child: Element) -> None:
    """Take an element out of its parent, its tail left in."""
    tail = child.tail or ""
    before = child.getprevious()
    if before is not None:
        before.tail = (before.tail or "") + tail
    else:
        parent.text = (parent.text or "") + tail
    child.tail = None
    parent.remove(child)


def is_tag(element: Element) -> bool:
    """Whether an element is the number of a heading, or a tool in it."""
    names = classes(element)
    return "ltx_tag" in names or "ltx_note" in names or "sectionNumber" in names


def is_mark(element: Element) -> bool:
    return not classes(element).isdisjoint({"ltx_note_mark", "ltx_tag_note", "ltx_note_type"})


def is_equation_number(element: Element) -> bool:
    names = classes(element)
    if "ltx_tag" in names:
        return True
    named = words(element)
    text = plain_text(element)
    return (
        element.tag in ("span", "div", "td")
        and not named.isdisjoint(("label", "number", "eqno", "num"))
        and "formula" not in named
        and len(text) < 12
        and element.find(".//math") is None
    )


def is_equation(element: Element, names: frozenset[str]) -> bool:
    if element.tag == "math" or element.tag == "script":
        return True
    if "ltx_eqn_table" in names or "ltx_equation" in names or "ltx_equationgroup" in names:
        return True
    if element.tag not in ("div", "table", "p", "span", "section") or words(element).isdisjoint(_EQUATION_WORDS):
        return False
    formulas = len(element.findall(".//math")) + len(element.findall(".//script")) + len(element.findall(".//img"))
    text = plain_text(element)
    marked = "$$" in text or "\\(" in text or "\\[" in text
    return (formulas > 0 or marked) and len(text) < 4000 and element.find(".//p/p") is None and _mostly_formula(element)


def _mostly_formula(element: Element) -> bool:
    """Whether little stands in an element beside its formulas."""
    inside = sum(len(plain_text(one)) for one in element.iter("math"))
    text = plain_text(element)
    words_beside = re.findall(r"[A-Za-z]{4,}", text) if not inside and "\\" not in text else []
    return len(text) - inside < 60 or ("\\" in text) or len(words_beside) < 3


def stands_alone(math: Element) -> bool:
    """Whether a displayed formula is not one of several in a line of its own wrapper."""
    parent = math.getparent()
    return parent is None or parent.tag != "td"


def label_of(table: Element) -> str:
    own = table.find("caption")
    match = LABEL.match(plain_text(own)) if own is not None else None
    return " ".join(match["label"].split()) if match is not None else ""
