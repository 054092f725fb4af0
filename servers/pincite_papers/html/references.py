"""The reference list of a page: its entries, their anchors and identifiers."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from urllib.parse import unquote

from pincite_papers.html.classes import classes, words
from pincite_papers.html.inline import Inline, anchor_of
from pincite_papers.markup import PaperBuilder, Run
from pincite_papers.markup.elements import Element, href, plain_text
from pincite_papers.references import find_arxiv, find_doi, find_pmid

TITLES = re.compile(
    r"(?:\W*\d*\W*)(?:references?(?: and (?:notes|links))?|bibliography|literature(?: cited)?|works cited"
    r"|cited literature|list of references|引用文献|参考文献)\W*",
    re.IGNORECASE,
)
_LISTED = frozenset({
    "references", "reference", "ref", "refs", "bibliography", "biblist", "citations", "reflist", "bib",
})  # fmt: skip
_NOT_LISTED = frozenset({"links", "link", "companion", "nav", "toc"})
_LINK_TEXTS = re.compile(
    r"(?:view (?:article|in article)|google ?scholar|cross ?ref|pub ?med(?: central)?(?: abstract)?|article|cas|ads"
    r"|pmc(?: free article)?|mathscinet|math|full ?text|view(?: record in)? scopus|scopus|search ads|chemport|isi"
    r"|web of science®?(?: google scholar)?|open in a new tab|download(?: references| pdf)?|doi|pdf|link|ncbi|abstract"
    r"|\[?(?:cross ?ref|pub ?med|google ?scholar)\]?|↵"
    r"|find it @ .*|external link|medline|publisher full text|openurl|green version|view pdf|return to ref.*|back|↑|\^)"
    r"(?:\s*\(.*\))?",
    re.IGNORECASE,
)
_EMPTY = re.compile(r"\s*[\[(]\s*(?:[,;|·/]\s*)*[\])]|\s*[|·]\s*(?=[|·]|$)")
_NUMBERED = re.compile(r"\s*[\[(]?\d{1,4}[\])]?[.\s]?\s*\D")
_LOOSE = re.compile(r"\s+([.,;:](?:\s|$))")
"""A mark that the page's markup parted from its word."""
_LABEL = re.compile(r"\s*[\[(]?\s*(?P<key>\d{1,4}|[A-Z][\w+]{1,9}\d{2}[a-z]?)\s*(?:[\])]\s*\.?|\.(?=\s))\s*")
_ARXIV_LINK = re.compile(
    r"arxiv\.org/(?:abs|pdf)/(?P<id>\d{4}\.\d{4,5}(?:v\d+)?|[a-z-]+(?:\.[A-Z]{2})?/\d{7})", re.IGNORECASE
)
_PMID_LINK = re.compile(r"(?:pubmed\.ncbi\.nlm\.nih\.gov/|/pubmed/|list_uids=)(?P<id>\d{4,9})", re.IGNORECASE)


@dataclass(slots=True)
class Entries:
    """The entries of a page in order; ``anchors`` gives the place of the entry that each id in it names.

    ``lists`` are the elements that hold them, ``places`` the place of each.
    """

    items: list[Element] = field(default_factory=list[Element])
    lists: set[Element] = field(default_factory=set[Element])
    anchors: dict[str, int] = field(default_factory=dict[str, int])
    places: dict[Element, int] = field(default_factory=dict[Element, int])


def find_entries(content: Element) -> Entries:
    """The entries of the reference lists in the content."""
    found = Entries()
    for one in _lists(content):
        items = _items(one)
        if items:
            found.lists.add(one)
            found.items += items
    for place, item in enumerate(found.items):
        found.places[item] = place
        for element in item.iter():
            for name in map(element.get, ("id", "name", "data-bib-id", "content-id", "data-content-id")):
                if name:
                    found.anchors.setdefault(name, place)
        parent = item.getparent()
        if parent is not None and parent.tag in ("div", "dd") and len(parent) == 1 and parent.get("id"):
            found.anchors.setdefault(parent.get("id") or "", place)
    return found


def _lists(content: Element) -> Iterator[Element]:
    """The lists of entries: named so, or under a heading that says so; the outermost ones."""
    taken: set[Element] = set()
    titled = False
    for element in content.iter():
        tag = element.tag
        if tag in ("h1", "h2", "h3", "h4", "h5", "h6"):
            titled = bool(TITLES.fullmatch(plain_text(element)))
            continue
        if tag in ("div", "section"):
            if not (titled or _is_listed(element)) or not _holds_entries(element):
                continue
        elif tag not in ("ul", "ol", "dl"):
            continue
        if any(parent in taken for parent in _above(element)):
            continue
        if titled or any(_is_listed(one) for one in (element, *_above(element, 2))):
            taken.add(element)
            yield element


def _is_listed(element: Element) -> bool:
    if "ltx_biblist" in classes(element) or (element.get("role") or "") == "doc-bibliography":
        return True
    named = words(element)
    return not named.isdisjoint(_LISTED) and named.isdisjoint(_NOT_LISTED)


def _holds_entries(element: Element) -> bool:
    """Whether the parts of an element are entries that no list marks: each begins with its number."""
    if any(True for _ in element.iter("ul", "ol", "dl", "h2", "h3")):
        return False
    parts = [plain_text(part) for part in element if part.tag in ("div", "p")]
    return len(parts) > 1 and all(_NUMBERED.match(part) for part in parts)


def _above(element: Element, most: int = 200) -> Iterator[Element]:
    at = element.getparent()
    while at is not None and most > 0:
        yield at
        at, most = at.getparent(), most - 1


def _items(element: Element) -> list[Element]:
    if element.tag == "dl":
        return [child for child in element if child.tag == "dd"]
    tags = ("li",) if element.tag in ("ul", "ol") else ("div", "p")
    return [child for child in element if child.tag in tags and len(plain_text(child)) > 3]


def add_entries(element: Element, entries: Entries, builder: PaperBuilder, inline: Inline) -> None:
    """Append the entries of one list."""
    ordered = element.tag == "ol"
    for number, item in enumerate(_items(element), 1):
        _add_entry(item, entries.places[item], number if ordered else 0, builder, inline)


def _add_entry(item: Element, place: int, number: int, builder: PaperBuilder, inline: Inline) -> None:
    tag = next((one for one in item.iter("span", "div", "b", "strong", "a") if _is_label(one)), None)
    label = plain_text(tag) if tag is not None else (item.get("data-counter") or item.get("data-content") or "").strip()
    body = inline.run(item, without=lambda one: one is tag or _is_link_out(one)).stripped()
    text = _LOOSE.sub(r"\1", _EMPTY.sub("", str(body))).strip()
    if not label and (match := _LABEL.match(text)) is not None:
        label, text = match.group().strip(), text[match.end() :]
    if not label and number:
        label = f"{number}."
    run = Run().add(f"{label} " if label and not label.isdecimal() else f"{label}. " if label else "").add(text)
    links = [href(one) for one in item.iter("a")]
    whole = str(run)
    builder.add_reference(
        run,
        key=label.strip("()[].: ") if label.startswith(("(", "[")) else label.rstrip(".: "),
        anchor=anchor_of(place),
        doi=_own_doi(item) or _linked_doi(links) or find_doi([whole]) or find_doi([" ".join(item.itertext())]),
        arxiv=_linked(_ARXIV_LINK, links) or find_arxiv([whole]),
        pmid=_linked(_PMID_LINK, links) or find_pmid([whole]),
    )


def _is_label(element: Element) -> bool:
    """Whether an element is the printed number or key of its entry."""
    names = classes(element)
    if "ltx_tag_bibitem" in names or "ltx_role_refnum" in names:
        return True
    text = plain_text(element)
    return not names.isdisjoint({"label", "bullet", "order", "ref-label", "number", "counter", "citation-number"}) and (
        0 < len(text) <= 12
    )


def _is_link_out(element: Element) -> bool:
    """Whether an element is a link of the page's to where the entry can be found, or a list of such links."""
    if element.tag == "a":
        return bool(_LINK_TEXTS.fullmatch(plain_text(element)))
    if not classes(element).isdisjoint({"ltx_bib_cited", "ltx_bib_external", "ltx_bib_links"}):
        return True
    names = words(element)
    listed = "links" in names or "reflinks" in names or "getFTR" in (element.get("class") or "")
    return element.tag in ("ul", "div", "p", "span") and listed and "text" not in names


def _own_doi(item: Element) -> str | None:
    named = (one.get("data-doi") for one in item.iter())
    return next((doi for one in named if one and (doi := find_doi([one])) is not None), None)


def _linked_doi(links: Sequence[str]) -> str | None:
    for link in links:
        if "doi" in link and (doi := find_doi([unquote(link)])) is not None:
            return doi
    return None


def _linked(pattern: re.Pattern[str], links: Sequence[str]) -> str | None:
    return next((match["id"] for link in links if (match := pattern.search(link))), None)
