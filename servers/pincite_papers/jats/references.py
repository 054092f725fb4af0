"""The reference list of a JATS article: entries as print shows them, with their identifiers."""

import re
from collections.abc import Callable

from pincite_papers.jats.composed import compose_citation
from pincite_papers.jats.inline import Inline
from pincite_papers.markup import PaperBuilder, Run
from pincite_papers.markup.elements import Element, href, plain_text
from pincite_papers.references import find_arxiv, find_doi

CITATIONS = ("mixed-citation", "element-citation", "citation", "nlm-citation", "product", "related-article")
_LABEL_ENDS = re.compile(r"[.)\]:]$")
_IN_PLACE = re.compile(r"[,.;:()]")
_YEAR = re.compile(r"\b(?P<year>(?:17|18|19|20)\d\d[a-z]?)\b")
_PMID = re.compile(r"\d{4,9}")


def reference_ids(root: Element) -> dict[str, int]:
    """The anchors of all entries in order, each with its place in the list."""
    found: dict[str, int] = {}
    for index, ref in enumerate(root.iter("ref")):
        for element in (ref, *ref.iter(*CITATIONS)):
            anchor = element.get("id")
            if anchor:
                found.setdefault(anchor, index)
    return found


def add_references(element: Element, builder: PaperBuilder, inline: Inline, block: Callable[[Element], None]) -> None:
    """Append the entries of a list in order; ``block`` writes what else stands in it."""
    for child in element:
        if child.tag == "ref":
            _add_entry(child, builder, inline)
        elif child.tag not in ("title", "label"):
            block(child)


def _add_entry(ref: Element, builder: PaperBuilder, inline: Inline) -> None:
    label = plain_text(ref.find("label"))
    run = Run()
    if label:
        run.add(label + (" " if _LABEL_ENDS.search(label) or not label.isdecimal() else ". "))
    parts = [part.stripped() for part in _parts(ref, inline) if part]
    for index, part in enumerate(parts):
        if index:
            run.add(" " if parts[index - 1].ending[-1:] in ".;," else "; ")
        run.add_run(part)
    text = str(run)
    anchors = [one for element in (ref, *ref.iter(*CITATIONS)) if (one := element.get("id"))]
    builder.add_reference(
        run,
        key=label.strip("[]().: ") or _author_year(ref),
        anchors=anchors,
        doi=_doi(ref) or find_doi([text]),
        arxiv=_identifier(ref, "arxiv") or find_arxiv([text]),
        pmid=_pmid(ref),
    )


def _parts(ref: Element, inline: Inline) -> list[Run]:
    """The citations and notes of an entry as print shows them."""
    found: list[Run] = []
    for child in ref:
        if child.tag == "label":
            continue
        if child.tag == "citation-alternatives":
            forms = [one for one in child if one.tag in CITATIONS]
            written = [one for one in forms if _is_punctuated(one)]
            found += [_citation(one, inline) for one in (written or forms)[:1]]
        else:
            found.append(_citation(child, inline))
    loose = (ref.text or "").strip()
    return [Run().add(loose), *found] if loose else found


def _citation(element: Element, inline: Inline) -> Run:
    if element.tag in CITATIONS and not _is_punctuated(element):
        return compose_citation(element, inline)
    return inline.run(element)


def _is_punctuated(citation: Element) -> bool:
    """Whether a citation is written out, so that its own text and punctuation part its elements."""
    if (citation.text or "").strip() or not len(citation):
        return True
    tails = [child.tail or "" for child in citation]
    return sum(bool(_IN_PLACE.search(tail)) for tail in tails) >= min(2, len(tails))


def _author_year(ref: Element) -> str:
    """The key of an entry without a label: "Smith 2020", "" where it names no author or no year."""
    surname = next((plain_text(one) for one in ref.iter("surname", "collab", "snm", "string-name")), "")
    given = next((plain_text(one) for one in ref.iter("year")), "")
    year = _YEAR.search(given)
    return f"{surname} {year['year']}" if surname and year and len(surname) <= 60 else ""


def _identifier(ref: Element, kind: str) -> str | None:
    for one in ref.iter("pub-id", "object-id", "article-id"):
        if one.get("pub-id-type", "").lower() == kind and (text := plain_text(one)):
            return text
    return None


def _pmid(ref: Element) -> str | None:
    found = _identifier(ref, "pmid") or ""
    match = _PMID.search(found)
    return match.group() if match else None


def _doi(ref: Element) -> str | None:
    given = _identifier(ref, "doi")
    if given:
        return find_doi([given])
    for link in ref.iter("ext-link", "uri"):
        if "doi.org/10." in href(link):
            return find_doi([href(link)])
    return None
