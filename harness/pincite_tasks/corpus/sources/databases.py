"""Databases around a corpus (PubChem, UniProt, ClinicalTrials.gov, Materials Project, OPTIMADE): up, and empty.

Each says that it has nothing as its API does, so that nothing found is not an outage.
"""

from collections.abc import Callable, Mapping
from typing import Any

from pincite_tasks.corpus.corpus import Corpus
from pincite_tasks.corpus.exchange import Asked, CorpusReply, missing

_NO_COMPOUND: dict[str, Any] = {"Fault": {"Code": "PUGREST.NotFound", "Message": "No CID found", "Details": []}}
_NO_STRUCTURE: dict[str, Any] = {
    "data": [],
    "meta": {"data_returned": 0, "data_available": 0, "more_data_available": False},
    "links": {"next": None},
}


def pubchem(_: Corpus, __: Asked) -> CorpusReply:
    """PubChem has no such compound."""
    return CorpusReply.json(_NO_COMPOUND, 404)


def uniprot(_: Corpus, asked: Asked) -> CorpusReply:
    """UniProt has no such protein."""
    if asked.path == "/uniprotkb/search":
        return CorpusReply.json({"results": []})
    return CorpusReply.json({"url": asked.path, "messages": ["Resource not found"]}, 404)


def trials(_: Corpus, asked: Asked) -> CorpusReply:
    """ClinicalTrials.gov has no such study."""
    if asked.path == "/api/v2/version":
        return CorpusReply.json({"apiVersion": "2.0.5", "dataTimestamp": "2026-01-01T09:00:00"})
    return CorpusReply.json({"studies": [], "totalCount": 0}) if asked.path == "/api/v2/studies" else missing()


def materials_project(_: Corpus, asked: Asked) -> CorpusReply:
    """The Materials Project has no such material."""
    if asked.path == "/heartbeat":
        return CorpusReply.json({"status": "OK", "version": "2026.1.1"})
    return CorpusReply.json({"data": [], "meta": {"total_doc": 0}})


def optimade(_: Corpus, asked: Asked) -> CorpusReply:
    """A database of structures has no such structure."""
    return CorpusReply.json(_NO_STRUCTURE) if asked.path.endswith("/structures") else missing()


DATABASES: Mapping[str, Callable[[Corpus, Asked], CorpusReply]] = {
    "pubchem.ncbi.nlm.nih.gov": pubchem,
    "rest.uniprot.org": uniprot,
    "clinicaltrials.gov": trials,
    "api.materialsproject.org": materials_project,
    "optimade.materialsproject.org": optimade,
    "www.crystallography.net": optimade,
}
"""Who answers for each host."""
