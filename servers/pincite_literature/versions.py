"""Which DOIs name preprints and deposited copies, and which DOIs are versions of one."""

import re

from pincite_literature.dates import PartialDate
from pincite_literature.identifiers import arxiv_of_doi
from pincite_literature.model import Work

_DATED_DOI = re.compile(r"10\.(?:1101|64898)/(\d{4})\.(\d\d)\.\d\d\.\d+")
_ARXIV_MONTH = re.compile(r"(?:[a-z-]+/)?(\d{2})(\d{2})(?:\.\d{4,5}|\d{3})")
_ARXIV_BEGAN = 91
"""The year (of the century) of arXiv's first ids: smaller numbers are of the next century."""

_PREPRINT = re.compile(
    r"10\.48550/arxiv\.|10\.(?:1101|64898)/(?:\d{4}\.\d\d\.\d\d\.\d+|\d{6}$)|10\.26434/chemrxiv|10\.21203/rs\.|"
    r"10\.2139/ssrn\.|10\.20944/preprints|10\.31219/osf\.io|10\.31234/osf\.io|10\.31235/osf\.io|10\.36227/techrxiv|"
    r"10\.22541/|10\.7287/peerj\.preprints|10\.33774/|10\.31223/|10\.1002/essoar\.|10\.22443/|10\.14293/s2199-1006|"
    r"10\.5194/[a-z]+d-\d|10\.5194/egusphere|10\.1590/scielopreprints"
)
"""arXiv, bioRxiv and medRxiv, ChemRxiv, Research Square, SSRN, Preprints.org, OSF, PsyArXiv, SocArXiv, TechRxiv,
Authorea, PeerJ Preprints, Cambridge Engage, EarthArXiv, ESSOAr, ScienceOpen, Copernicus discussions, SciELO."""

_DEPOSIT = re.compile(
    r"10\.(?:5281/zenodo|6084/m9\.figshare|17863/cam|13140/rg|3929/ethz|25560/|5075/|17605/|7939/dvn)"
)
"""Zenodo, figshare, university repositories, ResearchGate: copies of published works, or works of their own."""

_VERSIONED = re.compile(
    r"(10\.26434/chemrxiv[\w.-]*?)-v\d+|(10\.21203/rs\.[\w.-]+?)/v\d+|(10\.20944/preprints[\d.]+?)\.v\d+|"
    r"(10\.7287/peerj\.preprints\.\d+)v\d+|(10\.12688/[a-z0-9]+\.\d+)\.\d+|(10\.7554/elife\.\d{5,6})\.\d+|"
    r"(10\.36227/techrxiv\.\d+)\.v\d+|(10\.22541/[\w.-]+?)/v\d+|(10\.31219/osf\.io/\w+?)_v\d+"
)
"""DOIs that end in a version: ChemRxiv, Research Square, Preprints.org, PeerJ, F1000 and Wellcome, eLife, TechRxiv."""


def stem(doi: str) -> str:
    """The DOI without the version at its end; one for both editions of Angewandte Chemie.

    That journal prints every article in German (``ange.``) and English (``anie.``) under the same number.
    """
    if doi.startswith("10.1002/ange."):
        return "10.1002/anie." + doi.removeprefix("10.1002/ange.")
    match = _VERSIONED.fullmatch(doi)
    return next(filter(None, match.groups())) if match else doi


def is_preprint_doi(doi: str) -> bool:
    """Whether a preprint server registered the DOI."""
    return bool(_PREPRINT.match(doi))


def is_copy_doi(doi: str) -> bool:
    """Whether the DOI names a preprint or a copy deposited in a repository, beside which a published one may stand."""
    return bool(_PREPRINT.match(doi) or _DEPOSIT.match(doi))


def preprint_month(name: str) -> PartialDate | None:
    """The month that the arXiv id or bioRxiv DOI of a preprint carries: its first version was there by its end."""
    dated = _DATED_DOI.match(name)
    if dated is not None:
        return PartialDate.of(dated[1], dated[2])
    numbered = _ARXIV_MONTH.fullmatch(arxiv_of_doi(name) or name)
    if numbered is None:
        return None
    year = int(numbered[1])
    return PartialDate.of((1900 if year >= _ARXIV_BEGAN else 2000) + year, int(numbered[2]))


def is_preprint(work: Work) -> bool:
    """Whether a source's record describes the preprint rather than the published version."""
    if work.kind == "preprint" or work.sources == ("arxiv",):
        return True
    if work.ids.doi:
        return is_preprint_doi(work.ids.doi)
    return work.ids.arxiv is not None and work.ids.pmid is None and not work.volume
