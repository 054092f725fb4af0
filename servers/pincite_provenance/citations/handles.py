"""doi.org: whether a DOI is registered, whichever agency registered it (Handle System proxy REST API, version 8)."""

from collections.abc import Iterable
from urllib.parse import quote

from pincite_core.http.client import Web
from pincite_core.http.policy import Rate, SourcePolicy
from pincite_literature.identifiers import arxiv_of_doi
from pincite_literature.model import Work
from pincite_literature.sources.record import Record

POLICY = SourcePolicy("doi", "doi.org", "https://doi.org", Rate(5, 1.0, at_once=2))

_FOUND = (1, 200)
"""``responseCode``: found; found, but without values of the kind asked for."""
_UNKNOWN = 100


def registry_has(records: Iterable[Work], doi: str | None) -> bool:
    """Whether one of these records of sources is the registry's own of that DOI: Crossref's, or arXiv's of its own."""
    if doi is None:
        return False
    arxiv = arxiv_of_doi(doi)
    if arxiv is not None:
        return any(record.sources == ("arxiv",) and record.ids.arxiv == arxiv for record in records)
    return any(record.sources == ("crossref",) and record.ids.doi == doi for record in records)


async def is_registered(web: Web, doi: str) -> bool:
    """Whether the DOI exists. Raises SourceError when doi.org does not answer, or with something else."""
    answer = await web.get(POLICY, f"api/handles/{quote(doi, safe='/')}", {"type": "URL"}, expect=(404,))
    code = Record.frame(answer).number("responseCode")
    if code in _FOUND:
        return True
    if code == _UNKNOWN:
        return False
    raise answer.malformed("it has no responseCode of the Handle System")
