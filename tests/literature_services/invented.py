"""Works that nobody wrote, for servers that speak the sources' languages."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Invented:
    """A work; a source serves it when it has that source's id (arXiv, PMID; Europe PMC any of PMID, PMCID, PPR;
    Crossref and Unpaywall a DOI).
    """

    title: str
    authors: tuple[tuple[str, str], ...] = (("Lovelace", "Ada M."), ("Noether", "Emmy"))
    """Family and given names."""
    abstract: str = "An abstract."
    published: str = "2019-03-05"
    """ISO date: year, month or day."""
    updated: str = ""
    doi: str = ""
    arxiv: str = ""
    pmid: str = ""
    pmcid: str = ""
    ppr: str = ""
    """Europe PMC's id of a preprint: ``PPR`` and digits."""
    s2: str = ""
    """Semantic Scholar's: 40 hexadecimal digits."""
    openalex: str = ""
    journal: str = "Journal of Invented Results"
    volume: str = "12"
    issue: str = "3"
    pages: str = "101-110"
    subjects: tuple[str, ...] = ()
    """arXiv categories or MeSH terms."""
    comment: str = ""
    """arXiv's comment."""
    cites: tuple[str, ...] = ()
    """PMIDs; DOIs for Crossref, Semantic Scholar and OpenAlex."""
    like: tuple[str, ...] = ()
    """Works that are alike, named as in ``cites``."""
    retracted: bool = False
    open_access: bool = False
    licence: str = ""
    """As OpenAlex and Unpaywall name it: ``cc-by``."""
    pdf: str = ""
    """Address of an open PDF at the publisher."""
    raw: Mapping[str, Any] = field(default_factory=dict)
    """Fields as one source sends them, beside or instead of those made of the above."""

    @property
    def words(self) -> str:
        """What a search looks through."""
        names = " ".join(f"{given} {family}" for family, given in self.authors)
        return f"{self.title} {self.abstract} {names} {self.journal} {' '.join(self.subjects)}".lower()


def known_everywhere() -> Invented:
    """A work that every source knows."""
    return Invented(
        "Superconductivity of a cuprate that nobody has made",
        (("Lovelace", "Ada M."), ("Gödel", "Kurt"), ("Noether", "Emmy")),
        "We report the transition temperature of a cuprate that was invented for a test.",
        "2019-03-05",
        doi="10.5555/cuprate.2019.1",
        arxiv="1903.01234",
        pmid="31000001",
        pmcid="PMC6500001",
        s2="a" * 40,
        openalex="W2900000001",
        open_access=True,
    )
