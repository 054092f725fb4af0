"""GROBID's TEI on our paper: header fields, and references found again in our text."""

import re
from dataclasses import dataclass, replace
from typing import Any, cast

from lxml import etree  # pyright: ignore[reportAttributeAccessIssue, reportUnknownVariableType]

from pincite_core.errors import DamagedError
from pincite_papers.characters import clean
from pincite_papers.codec import decode_paper, encode_paper
from pincite_papers.doi import first_doi
from pincite_papers.markup.elements import Element, plain_text
from pincite_papers.model import Paper, Reference
from pincite_papers.references import find_citations

_TEI = "{http://www.tei-c.org/ns/1.0}"
_ARXIV = re.compile(r"(?:arXiv:)?(\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?/\d{7})(?:v\d+)?", re.IGNORECASE)
_YEAR = re.compile(r"(?:1[89]|20)\d\d")
_FEWEST_LETTERS = 20
"""Letters of a reference that is looked for in the text: shorter ones stand elsewhere too. Set by judgement."""
_PROBE = 32
"""First letters of a reference by which its place is found."""
_ENOUGH = 0.9
"""Share of GROBID's references that must be found in our text for its list to be taken. Set by judgement."""


@dataclass(frozen=True, slots=True)
class TeiReference:
    """An entry of GROBID's reference list: the citation as printed, and its identifiers."""

    raw: str
    doi: str | None
    arxiv: str | None
    pmid: str | None


def merge_job(header: dict[str, Any], data: bytes) -> tuple[dict[str, Any], bytes]:
    """The encoded paper with what the TEI behind it says."""
    split = header["split"]
    return {}, encode_paper(merge(decode_paper(data[:split]), data[split:], header["described"]))


def merge(paper: Paper, tei: bytes, described: str) -> Paper:
    """The paper with GROBID's header and references; DamagedError when the answer is not TEI."""
    root = _parse(tei)
    entries = [_entry(element) for element in root.iter(f"{_TEI}listBibl")]
    listed = [entry for group in entries for entry in group]
    references, located = _references(paper, listed)
    paper = _with_header(paper, root)
    note = f"Header and references were read by {described}"
    if listed:
        used = "" if located >= _ENOUGH * len(paper.references) else "; the list of our own parser was kept"
        note += f": {located} of its {len(listed)} references stand in the text{used}"
    return replace(
        paper,
        references=references,
        citations=find_citations(paper.text, paper.blocks, references),
        metadata={**paper.metadata, "backend": described},
        warnings=(*paper.warnings, note + "."),
    )


def _parse(tei: bytes) -> Element:
    make = cast("Any", etree)
    parser = make.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        root = cast("Element", make.fromstring(tei, parser))
    except make.XMLSyntaxError as error:
        raise DamagedError("GROBID's answer is not XML.", seen=str(error)[:200]) from error
    if root.tag != f"{_TEI}TEI":
        raise DamagedError("GROBID's answer is not TEI.", seen=str(root.tag)[:100])
    return root


def _with_header(paper: Paper, root: Element) -> Paper:
    """The fields that the header gives; a title must stand in the text, so that a locator can be given for it."""
    header = root.find(f"{_TEI}teiHeader")
    if header is None:
        return paper
    source = header.find(f".//{_TEI}sourceDesc//{_TEI}biblStruct")
    title = clean(plain_text(header.find(f".//{_TEI}titleStmt/{_TEI}title")))
    authors = tuple(filter(None, (_name(person) for person in _all(source, f".//{_TEI}analytic//{_TEI}persName"))))
    keywords = tuple(clean(plain_text(term)) for term in header.findall(f".//{_TEI}keywords//{_TEI}term"))
    journal = clean(plain_text(_first(source, f".//{_TEI}monogr/{_TEI}title")))
    date = _first(source, f".//{_TEI}monogr//{_TEI}date")
    year = _YEAR.search(date.get("when") or plain_text(date)) if date is not None else None
    identifiers = _identifiers(source)
    return replace(
        paper,
        title=title if title and _letters(title) in _letters(paper.text) else paper.title,
        authors=authors or paper.authors,
        keywords=tuple(filter(None, keywords)) or paper.keywords,
        journal=journal or paper.journal,
        year=int(year[0]) if year is not None else paper.year,
        doi=paper.doi or identifiers.get("doi"),
    )


def _name(person: Element) -> str:
    """Forenames and surname as they are printed."""
    parts = [plain_text(part) for part in person.iter(f"{_TEI}forename", f"{_TEI}surname")]
    return clean(" ".join(filter(None, parts)))


def _entry(listed: Element) -> list[TeiReference]:
    found: list[TeiReference] = []
    for entry in listed.findall(f"{_TEI}biblStruct"):
        raw = next((plain_text(n) for n in entry.iter(f"{_TEI}note") if n.get("type") == "raw_reference"), "")
        identifiers = _identifiers(entry)
        found.append(TeiReference(raw, identifiers.get("doi"), identifiers.get("arxiv"), identifiers.get("pmid")))
    return found


def _identifiers(entry: Element | None) -> dict[str, str]:
    """DOI, arXiv id and PMID, each only where it has the form of one."""
    found: dict[str, str] = {}
    for idno in _all(entry, f".//{_TEI}idno"):
        kind, value = (idno.get("type") or "").casefold(), plain_text(idno)
        if kind == "doi" and (doi := first_doi(value)):
            found.setdefault("doi", doi.lower())
        elif kind == "arxiv" and (match := _ARXIV.search(value)):
            found.setdefault("arxiv", match[1])
        elif kind == "pmid" and value.isascii() and value.isdecimal() and len(value) < 10:
            found.setdefault("pmid", value)
    return found


def _references(paper: Paper, listed: list[TeiReference]) -> tuple[tuple[Reference, ...], int]:
    """The reference list and how many of GROBID's entries stand in the text.

    GROBID's list counts where nearly as many of its entries as ours are found; else ours, with its identifiers.
    """
    places = _Places(paper)
    found: list[Reference] = []
    for entry in listed:
        span = places.find(entry.raw)
        if span is None:
            continue
        ours = next((r for r in paper.references if r.start < span[1] and span[0] < r.end), None)
        start, end, key = (ours.start, ours.end, ours.key) if ours is not None else (*span, "")
        doi, arxiv = (ours.doi, ours.arxiv) if ours is not None else (None, None)
        pmid = entry.pmid or (ours.pmid if ours is not None else None)
        page = paper.page_at(start)
        found.append(Reference(key, start, end, page, doi or entry.doi, arxiv or entry.arxiv, pmid))
    located = len(found)
    unique = {reference.start: reference for reference in found}
    if located < _ENOUGH * len(paper.references):
        kept = [unique.get(reference.start, reference) for reference in paper.references]
        return tuple(kept), located
    missed = {reference.start: reference for reference in paper.references}
    return tuple(sorted((missed | unique).values(), key=lambda reference: reference.start)), located


class _Places:
    """Finds citations in the text by their letters and digits alone, each after the one before where it can."""

    def __init__(self, paper: Paper) -> None:
        self._at = [k for k, character in enumerate(paper.text) if character.isalnum()]
        self._letters = "".join(paper.text[k] for k in self._at).casefold()
        self._exact = len(self._letters) == len(self._at)
        self._from = 0

    def find(self, raw: str) -> tuple[int, int] | None:
        """The range that prints ``raw``; None where the text does not hold its start and its end."""
        wanted = _letters(raw)
        if len(wanted) < _FEWEST_LETTERS or not self._exact:
            return None
        low = self._letters.find(wanted[:_PROBE], self._from)
        if low < 0:
            low = self._letters.find(wanted[:_PROBE])
        if low < 0:
            return None
        high = self._letters.find(wanted[-_PROBE:], low, low + 2 * len(wanted) + _PROBE)
        if high < 0:
            return None
        self._from = high
        return self._at[low], self._at[min(high + _PROBE, high + len(wanted)) - 1] + 1


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text)).casefold()


def _all(element: Element | None, path: str) -> list[Element]:
    return [] if element is None else element.findall(path)


def _first(element: Element | None, path: str) -> Element | None:
    return None if element is None else element.find(path)
