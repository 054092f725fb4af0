"""The works that a report cites by DOI, fetched where they are open."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from pincite_core.errors import PinciteError
from pincite_literature.fulltext.fetch_fulltext import get_fulltext
from pincite_provenance.audit.references import find_dois, find_entries
from pincite_provenance.audit.text import ReportText
from pincite_provenance.state import ProvenanceState

_KINDS = ("jats", "latex", "html", "pdf")
"""In the order to try: with JATS tables and references are as the publisher marked them."""


@dataclass
class FetchedPapers:
    """The files by DOI, and why the others could not be had."""

    files: dict[str, Path] = field(default_factory=dict[str, Path])
    failed: dict[str, str] = field(default_factory=dict[str, str])


def cited_dois(report: ReportText) -> list[str]:
    """The DOIs that a report names, in its list or in its text, each once."""
    named = [entry.doi for entry in find_entries(report) if entry.doi]
    return list(dict.fromkeys([*named, *(doi for _, doi in find_dois(report.text))]))


async def fetch_cited(state: ProvenanceState, dois: Iterable[str]) -> FetchedPapers:
    """Fetch the open full texts, one after the other."""
    fetched = FetchedPapers()
    for doi in dois:
        try:
            result = await get_fulltext(state.literature, doi, _KINDS, lambda _: None)
        except PinciteError as error:
            fetched.failed[doi] = str(error)
            continue
        if "path" in result:
            fetched.files[doi] = Path(result["path"])
        else:
            fetched.failed[doi] = result["says"]
    return fetched
