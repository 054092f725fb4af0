"""A work as sources describe it."""

from dataclasses import dataclass, fields
from typing import Literal

from pincite_literature.dates import PartialDate

FulltextKind = Literal["latex", "jats", "html", "pdf"]
Version = Literal["", "submitted", "accepted", "published"]
Dated = Literal["", "issue", "online"]
WorkKind = Literal[
    "", "article", "preprint", "review", "conference", "chapter", "book", "thesis", "report", "dataset", "other"
]


@dataclass(frozen=True, slots=True)
class Identifiers:
    """The identifiers of a work, each in its normal form (``identifiers.py`` makes it), None where not known."""

    doi: str | None = None
    """Lower case without prefix: ``10.1038/nature14539``."""
    arxiv: str | None = None
    """Without version: ``2301.00001``, ``cond-mat/9901001``."""
    pmid: str | None = None
    """Digits."""
    pmcid: str | None = None
    """``PMC`` and digits."""
    s2: str | None = None
    """Semantic Scholar's paperId: 40 hexadecimal digits."""
    openalex: str | None = None
    """``W`` and digits."""

    def known(self) -> dict[str, str]:
        """Those that are known, by kind."""
        return {f.name: value for f in fields(self) if (value := getattr(self, f.name)) is not None}


@dataclass(frozen=True, slots=True)
class Author:
    """``name`` as shown ("Ada M. Lovelace"); family and given name where the source parts them."""

    name: str
    family: str = ""
    given: str = ""
    orcid: str = ""


@dataclass(frozen=True, slots=True)
class FulltextLink:
    """An open-access route to a full text."""

    kind: FulltextKind
    url: str
    route: str
    """Who offers it: "arXiv", "PMC", "Europe PMC", "Unpaywall", "publisher"."""
    version: Version = ""
    licence: str = ""


NoticeKind = Literal[
    "retraction", "partial_retraction", "withdrawal", "removal", "concern", "correction", "reinstatement", "other"
]
"""``correction`` is any change of a work that stands: erratum, corrigendum, addendum, corrected and republished."""

RETRACTING: frozenset[NoticeKind] = frozenset({"retraction", "withdrawal", "removal"})
"""Notices after which a work does not stand any more; a part of it may be retracted alone."""


@dataclass(frozen=True, slots=True)
class Notice:
    """A published notice on a work, as one source tells of it."""

    kind: NoticeKind
    source: str
    """Name of the source, such as "crossref"."""
    said_by: str = ""
    """Who told the source, where it says so: "publisher", "Retraction Watch"."""
    date: PartialDate | None = None
    id: str = ""
    """The notice's own ``doi:…`` or ``pmid:…``; that of the work which it is on, among a work's ``notice_of``."""
    label: str = ""
    """The source's own word for it."""


@dataclass(frozen=True, slots=True)
class Work:
    """One work, from one source or merged from several. Texts are plain: no markup, entities resolved, NFC."""

    title: str
    ids: Identifiers
    authors: tuple[Author, ...] = ()
    published: PartialDate | None = None
    """The date of the version cited, whose DOI, venue and volume these are: of its issue where one is given, else of
    its publication online; of a preprint the day it was posted first. None where only another version is dated."""
    dated_by: Dated = ""
    """Which date ``published`` is; "" where the source does not say."""
    first_public: PartialDate | None = None
    """When any version could first be read, where that is another date than ``published``; see ``public``."""
    updated: PartialDate | None = None
    """Its newest version where the source says so (arXiv)."""
    kind: WorkKind = ""
    venue: str = ""
    publisher: str = ""
    volume: str = ""
    issue: str = ""
    pages: str = ""
    """First and last page ("421-444") or the article number."""
    issn: str = ""
    isbn: str = ""
    language: str = ""
    abstract: str = ""
    subjects: tuple[str, ...] = ()
    url: str = ""
    """Its page for people."""
    links: tuple[FulltextLink, ...] = ()
    open_access: bool | None = None
    cited_by: int | None = None
    """How many works cite it, by the source that counts most."""
    retracted: bool = False
    """A source says that it is retracted or withdrawn."""
    notices: tuple[Notice, ...] = ()
    """Notices on it: retractions, corrections, expressions of concern."""
    notice_of: tuple[Notice, ...] = ()
    """What this is a notice on itself, where it is one."""
    version_of: tuple[str, ...] = ()
    """DOIs, arXiv ids or PMIDs that a source names as other versions of the same work (preprint and article)."""
    sources: tuple[str, ...] = ()
    """Names of the sources that gave it, in alphabetical order."""

    @property
    def public(self) -> PartialDate | None:
        """The earliest date on which any version could be read: the one that a cutoff counts by."""
        return self.first_public or self.published

    @property
    def cited_as_of(self) -> PartialDate | None:
        """The date to sort and to filter by: of the version cited, else the first known."""
        return self.published or self.first_public


@dataclass(frozen=True, slots=True)
class CitationLink:
    """A citing or cited work with what the source knows of the citation."""

    work: Work
    contexts: tuple[str, ...] = ()
    """Sentences that cite."""
    intents: tuple[str, ...] = ()
    """As the source names them ("background", "methodology", "result")."""
    influential: bool | None = None
