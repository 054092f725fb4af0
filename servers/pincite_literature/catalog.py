"""The catalog: one row a source of works, and every table by which the sources are told apart.

A new source is a client of its API in ``sources``, what reads its records beside it, its name in ``SourceName`` and
its row here; a contract test asks, cites and probes each row and looks for it in what users read.
"""

from dataclasses import dataclass, fields
from typing import Literal

from pincite_literature.model import Identifiers

SourceName = Literal["arxiv", "pubmed", "crossref", "semantic_scholar", "openalex", "europe_pmc"]
"""The names of the rows, for the arguments of tools."""

Kind = Literal["doi", "arxiv", "pmid", "pmcid", "s2", "openalex"]
"""A field of ``Identifiers``."""

Tells = Literal["", "retractions", "notices"]
"""What a source says that became of a work: nothing, retractions and withdrawals alone, or every kind of notice."""


@dataclass(frozen=True, slots=True)
class Phrasing:
    """How a source's own query language takes phrases that any one of which may fit.

    ``phrase`` holds one at ``{}``; ``either`` and ``both`` stand between phrases, "" for a language without operators;
    ``parameter`` comes first where queries are parameters of an address.
    """

    phrase: str
    either: str = " OR "
    both: str = " AND "
    parameter: str = ""


@dataclass(frozen=True, slots=True)
class Ranks:
    """Whose word counts first where sources differ: the lowest rank, in steps of ten so that others fit between.

    ``fields``: kind, venue, publisher, volume, issue, pages, ISSN and ISBN, and the page for people: publishers'
    deposits, then curated indexes, then gathered ones, then preprints. ``titles``: typed by hand before deposited with
    markup. ``abstracts``: how near they are to the printed one. ``texts``: archives that checked the full texts they
    hold, then who links to others; None for who offers none.
    """

    fields: int
    titles: int
    abstracts: int
    texts: int | None = None


@dataclass(frozen=True, slots=True)
class SourceRow:
    """A source of works: what it can be asked, and how far its word counts."""

    name: SourceName
    """As its policy, its module in ``sources`` and PINCITE_SOURCE_URLS name it."""
    title: str
    made: str
    """The name of its class in its module."""
    knows: frozenset[Kind]
    """The identifiers by which it finds a work."""
    registers: Kind
    """The identifier on which its word is the last, where two sources' records of it cannot be of one work."""
    ranks: Ranks
    phrasing: Phrasing
    example: str
    """A query in its own language, for the description of query_source."""
    probe: Identifiers
    """A work that every copy of it has."""
    cites: bool = False
    """Whether it knows which works cite one."""
    refers: bool = False
    """Whether it knows which works one cites."""
    recommends: bool = False
    """Whether it knows which works are alike."""
    tells: Tells = ""
    archive: bool = False
    """Whether it checked the full texts that it holds."""
    finds_references: bool = False
    """Whether a reference without an identifier is searched for there: who registers works."""
    slow: bool = False
    """Whether it answers so seldom that calls about many works leave it out (arXiv: once in three seconds)."""
    two_requests: bool = False
    """Whether a search takes two requests in a row, so that it is asked before the others."""
    mixes_versions: bool = False
    """Whether the date of a published work may be its preprint's."""
    libraries: tuple[str, ...] = ()
    """What its client imports when it is first asked."""


_CODON_PAPER = Identifiers(doi="10.1038/171737a0", pmid="13054692")
"""Watson and Crick 1953, which every index of journals has."""

_AS_ON_PAGES = "as on their pages (MeSH)"
_PARAMETERS = "parameters, as query.title=cuprate&filter=type:journal-article"

ROWS = (
    SourceRow(
        name="arxiv",
        title="arXiv",
        made="Arxiv",
        knows=frozenset({"arxiv"}),
        registers="arxiv",
        ranks=Ranks(fields=60, titles=30, abstracts=30, texts=30),
        phrasing=Phrasing("all:{}"),
        example="ti:cuprate AND cat:cond-mat.supr-con",
        probe=Identifiers(arxiv="1706.03762"),
        tells="retractions",
        archive=True,
        finds_references=True,
        slow=True,
        libraries=("arxiv",),
    ),
    SourceRow(
        name="pubmed",
        title="PubMed",
        made="PubMed",
        knows=frozenset({"pmid", "pmcid", "doi"}),
        registers="pmid",
        ranks=Ranks(fields=20, titles=10, abstracts=10),
        phrasing=Phrasing("{}[tiab]"),
        example=_AS_ON_PAGES,
        probe=Identifiers(pmid="13054692"),
        cites=True,
        refers=True,
        recommends=True,
        tells="notices",
        two_requests=True,
        libraries=("Bio.Entrez",),
    ),
    SourceRow(
        name="crossref",
        title="Crossref",
        made="Crossref",
        knows=frozenset({"doi"}),
        registers="doi",
        ranks=Ranks(fields=10, titles=40, abstracts=40, texts=50),
        phrasing=Phrasing("{}", either="", both="", parameter="query.bibliographic="),
        example=_PARAMETERS,
        probe=_CODON_PAPER,
        refers=True,
        tells="notices",
        finds_references=True,
    ),
    SourceRow(
        name="semantic_scholar",
        title="Semantic Scholar",
        made="SemanticScholar",
        knows=frozenset({"s2", "doi", "arxiv", "pmid", "pmcid"}),
        registers="s2",
        ranks=Ranks(fields=50, titles=60, abstracts=50, texts=80),
        phrasing=Phrasing("{}", either=" | ", both=" "),
        example='(cuprate | "iron pnictide") -review',
        probe=_CODON_PAPER,
        cites=True,
        refers=True,
        recommends=True,
        mixes_versions=True,
    ),
    SourceRow(
        name="openalex",
        title="OpenAlex",
        made="OpenAlex",
        knows=frozenset({"openalex", "doi", "pmid", "pmcid", "arxiv"}),
        registers="openalex",
        ranks=Ranks(fields=40, titles=50, abstracts=60, texts=70),
        phrasing=Phrasing("{}", parameter="search="),
        example=_PARAMETERS,
        probe=_CODON_PAPER,
        cites=True,
        refers=True,
        recommends=True,
        tells="retractions",
        finds_references=True,
    ),
    SourceRow(
        name="europe_pmc",
        title="Europe PMC",
        made="EuropePmc",
        knows=frozenset({"pmid", "pmcid", "doi"}),
        registers="pmcid",
        ranks=Ranks(fields=30, titles=20, abstracts=20, texts=20),
        phrasing=Phrasing("TITLE_ABS:{}"),
        example=_AS_ON_PAGES,
        probe=Identifiers(pmid="13054692"),
        cites=True,
        refers=True,
        tells="notices",
        archive=True,
    ),
)
"""The sources, in the order in which results name them."""

_OFFERING_TEXTS = {"PMC": 10, "publisher": 40, "Unpaywall": 60}
"""Who offers full texts without being a source of works, with the rank among ``Ranks.texts``."""

_ARCHIVES = frozenset({"PMC"})
"""Which of these checked what they hold."""

_BY_FIELDS = sorted(ROWS, key=lambda row: row.ranks.fields)
_BY_TITLES = sorted(ROWS, key=lambda row: row.ranks.titles)
_BY_ABSTRACTS = sorted(ROWS, key=lambda row: row.ranks.abstracts)

SOURCES: tuple[str, ...] = tuple(row.name for row in ROWS)
TITLES: dict[str, str] = {row.name: row.title for row in ROWS}
PLACES: dict[str, str] = {row.name: f"pincite_literature.sources.{row.name}:{row.made}" for row in ROWS}
"""Where the class of each source is, as ``module:attribute``."""

KNOWS: dict[str, frozenset[str]] = {row.name: row.knows for row in ROWS}
"""The kinds of identifiers by which each source finds a work."""

_REGISTRIES = {row.registers: row.name for row in ROWS}
AUTHORITIES: dict[str, str] = {
    field.name: _REGISTRIES[field.name] for field in fields(Identifiers) if field.name in _REGISTRIES
}
"""Whose word counts on each kind of identifier, and whose date on a work asked for by it."""


def _examples() -> str:
    names: dict[str, list[str]] = {}
    for row in ROWS:
        names.setdefault(row.example, []).append(row.name)
    return "; ".join(f"{', '.join(found)}: {example}" for example, found in names.items())


EXAMPLES = _examples()
"""A query in each source's own language; sources of one language stand together."""

CITING = tuple(row.name for row in ROWS if row.cites)
"""Sources that know which works cite one."""

REFERRING = tuple(row.name for row in ROWS if row.refers)
"""Sources that know what a work cites."""

RECOMMENDING = tuple(row.name for row in ROWS if row.recommends)
"""Sources that know which works are alike."""

FIELDS_FIRST: tuple[str, ...] = tuple(row.name for row in _BY_FIELDS)
"""The sources by ``Ranks.fields``."""

TITLES_FIRST: tuple[str, ...] = tuple(row.name for row in _BY_TITLES)
"""The sources by ``Ranks.titles``."""

ABSTRACTS_FIRST: tuple[str, ...] = tuple(row.name for row in _BY_ABSTRACTS)
"""The sources by ``Ranks.abstracts``."""

REFERENCES_SEARCHED = tuple(row.name for row in _BY_FIELDS if row.finds_references)
"""Where a reference without an identifier is searched for."""

MIXING_VERSIONS = frozenset(row.name for row in ROWS if row.mixes_versions)
"""Sources whose date of a published work may be its preprint's."""

TELL_NOTICES = frozenset(row.name for row in ROWS if row.tells == "notices")
"""Sources that tell of every kind of notice; Crossref of the publishers' and of Retraction Watch's."""

TELL_RETRACTIONS = frozenset(row.name for row in ROWS if row.tells)
"""Sources that tell of retractions or withdrawals."""

_TEXT_RANKS = _OFFERING_TEXTS | {row.title: row.ranks.texts for row in ROWS if row.ranks.texts is not None}
TRUST = tuple(sorted(_TEXT_RANKS, key=_TEXT_RANKS.__getitem__))
"""Who offers a full text, by title, the most trusted first."""

ARCHIVES = _ARCHIVES | {row.title for row in ROWS if row.archive}
"""Who checked the full texts that it holds, by title."""
