"""Whether a reference of a report is one of the papers at hand, or stands in the list of one."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pincite_literature.dates import PartialDate
from pincite_literature.model import Author, Identifiers, Work
from pincite_papers.model import Paper
from pincite_provenance.audit.citing import AuditSource
from pincite_provenance.audit.finding import AuditVerdict
from pincite_provenance.audit.places import place_numbers
from pincite_provenance.audit.references import ListedReference
from pincite_provenance.audit.titles import gives_title
from pincite_provenance.citations.reference import compare, read_reference

_HEAD = 6000
"""Characters of a paper in which its volume and pages stand: the first page or two."""
_NUMBERS = 2
"""Volume and first page: numbers that tell a work of a journal from others."""
_MOST_NUMBERS = 3
"""Volume, issue and first page; the last page may be left out."""
_ARTICLE = 5
"""Digits from which on an article's number tells it alone."""


@dataclass(frozen=True, slots=True)
class ReferenceStanding:
    """What the papers at hand say of a reference; ``source`` is the one that it means, "" for none."""

    verdict: AuditVerdict
    reason: str
    source: str = ""


def check_at_hand(entry: ListedReference, sources: Sequence[AuditSource]) -> ReferenceStanding:
    """The verdict of the papers at hand; ``not checked`` where none of them knows the work."""
    reference = read_reference(entry.text)
    doi = entry.doi.lower()
    for source in sources:
        if doi and (source.paper.doi or "").lower() == doi:
            comparison = compare(reference, work_of(source.paper))
            if comparison.title == "differs" and gives_title(entry.text, source.paper.authors):
                reason = f"the paper at hand with this DOI is {source.paper.title!r}"
                return ReferenceStanding("is another work", reason, source.name)
            return ReferenceStanding("exists", f"it is at hand: {source.name}", source.name)
    for source in sources:
        if source.paper.title and compare(reference, work_of(source.paper)).title == "agrees":
            there = source.paper.doi or ""
            if doi and there:
                reason = f"the paper at hand with this title has the DOI {there}, the reference {entry.doi}"
                return ReferenceStanding("unsure", reason, source.name)
            return ReferenceStanding("exists", f"a paper with this title is at hand: {source.name}", source.name)
    placed = _at_place(entry, sources)
    if placed is not None:
        there = placed.paper.doi or ""
        if doi and there:
            reason = f"the paper at hand with this volume and pages has the DOI {there}, the reference {entry.doi}"
            return ReferenceStanding("unsure", reason, placed.name)
        return ReferenceStanding("exists", f"a paper with this volume and pages is at hand: {placed.name}", placed.name)
    for source in sources:
        if doi and any((each.doi or "").lower() == doi for each in source.paper.references):
            return ReferenceStanding("exists", f"{source.name} cites it with this DOI")
    return ReferenceStanding("not checked", "no paper at hand knows it, and no registry was asked")


def _at_place(entry: ListedReference, sources: Sequence[AuditSource]) -> AuditSource | None:
    """The one source whose first page prints the volume and the pages of a reference that gives no title."""
    if gives_title(entry.text, ()):
        return None
    numbers = place_numbers(entry.text)[:_MOST_NUMBERS]
    if len(numbers) < _NUMBERS and not any(len(number) >= _ARTICLE for number in numbers):
        return None
    printed = re.compile(r"(?<!\d)" + r"\D{1,12}".join(numbers) + r"(?!\d)")
    found = [each for each in sources if printed.search(f"{each.paper.doi or ''}\n{each.paper.text[:_HEAD]}")]
    return found[0] if len(found) == 1 else None


def work_of(paper: Paper) -> Work:
    """The record that a paper gives of itself."""
    published = PartialDate(paper.year) if paper.year else None
    authors = tuple(Author(name) for name in paper.authors)
    return Work(paper.title, Identifiers(doi=(paper.doi or "").lower() or None), authors, published)
