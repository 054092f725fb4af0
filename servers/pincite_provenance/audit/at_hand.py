"""Whether a reference of a report is one of the papers at hand, or stands in the list of one."""

from collections.abc import Sequence
from dataclasses import dataclass

from pincite_literature.dates import PartialDate
from pincite_literature.model import Author, Identifiers, Work
from pincite_papers.model import Paper
from pincite_provenance.audit.citing import AuditSource
from pincite_provenance.audit.finding import AuditVerdict
from pincite_provenance.audit.references import ListedReference
from pincite_provenance.audit.titles import gives_title
from pincite_provenance.citations.reference import compare, read_reference


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
    for source in sources:
        if doi and any((each.doi or "").lower() == doi for each in source.paper.references):
            return ReferenceStanding("exists", f"{source.name} cites it with this DOI")
    return ReferenceStanding("not checked", "no paper at hand knows it, and no registry was asked")


def work_of(paper: Paper) -> Work:
    """The record that a paper gives of itself."""
    published = PartialDate(paper.year) if paper.year else None
    authors = tuple(Author(name) for name in paper.authors)
    return Work(paper.title, Identifiers(doi=(paper.doi or "").lower() or None), authors, published)
