"""Semantic Scholar's records of papers (Academic Graph API v1)."""

from pincite_literature import identifiers
from pincite_literature.appearance import gathered
from pincite_literature.dates import PartialDate
from pincite_literature.model import Author, CitationLink, FulltextLink, Identifiers, Work, WorkKind
from pincite_literature.sources.plain import plain
from pincite_literature.sources.record import Record
from pincite_literature.sources.route import kind_of, route_of
from pincite_literature.sources.window import stated_date
from pincite_literature.versions import is_preprint_doi

NAME = "semantic_scholar"

FIELDS = (
    "paperId,externalIds,url,title,abstract,venue,publicationVenue,journal,year,publicationDate,publicationTypes"
    ",authors,citationCount,isOpenAccess,openAccessPdf,fieldsOfStudy"
)
LINK_FIELDS = f"contexts,intents,isInfluential,{FIELDS}"

_KINDS: tuple[tuple[str, WorkKind], ...] = (
    ("Review", "review"),
    ("MetaAnalysis", "review"),
    ("Dataset", "dataset"),
    ("BookSection", "chapter"),
    ("Book", "book"),
    ("Conference", "conference"),
    ("JournalArticle", "article"),
    ("CaseReport", "article"),
    ("ClinicalTrial", "article"),
    ("Study", "article"),
)
_MOST_CONTEXTS = 50
"""Sentences around citations that are read. Set by judgement."""


def work_of(record: Record) -> Work | None:
    """The work that a paper is, None when it has neither an identifier nor a title."""
    ids = _identifiers(record.text("paperId"), record.record("externalIds"))
    title = plain(record.text("title"))
    if not title and not ids.known():
        return None
    journal = record.record("journal")
    preprint = _on_arxiv(record, ids)
    date = stated_date(record.text("publicationDate")) or PartialDate.of(record.number("year"))
    return Work(
        title=title,
        ids=ids,
        authors=tuple(Author(name) for author in record.records("authors") if (name := plain(author.text("name")))),
        **gathered(date, ids, (), article=_is_article(record, ids)),
        kind="preprint" if preprint else _kind(record.texts("publicationTypes")),
        venue="arXiv" if preprint else _venue(record),
        volume="" if preprint else plain(journal.text("volume")),
        pages="" if preprint else plain(journal.text("pages")).replace(" ", ""),
        issn=record.record("publicationVenue").text("issn"),
        abstract=plain(record.text("abstract")),
        subjects=record.texts("fieldsOfStudy"),
        url=record.address("url"),
        links=_links(record),
        open_access=record.flag("isOpenAccess"),
        cited_by=record.number("citationCount"),
        sources=(NAME,),
    )


def link_of(record: Record, side: str) -> CitationLink | None:
    """The citation with the paper at its other end (``side``: "citingPaper", "citedPaper"), None when there is none."""
    work = work_of(record.record(side))
    if work is None:
        return None
    contexts = tuple(dict.fromkeys(plain(context) for context in record.texts("contexts")[:_MOST_CONTEXTS]))
    return CitationLink(work, contexts, record.texts("intents"), record.flag("isInfluential"))


def _identifiers(paper_id: str, named: Record) -> Identifiers:
    doi = identifiers.doi(named.text("DOI"))
    arxiv = identifiers.arxiv(named.text("ArXiv")) or (identifiers.arxiv_of_doi(doi) if doi else None)
    return Identifiers(
        doi=doi,
        arxiv=arxiv,
        pmid=identifiers.pmid(named.text("PubMed")),
        pmcid=identifiers.pmcid(named.text("PubMedCentral")),
        s2=identifiers.s2(paper_id),
    )


def _on_arxiv(record: Record, ids: Identifiers) -> bool:
    """Whether it is known from arXiv only: journal "ArXiv", volume "abs/2301.00001"."""
    venue = (record.text("venue") or record.record("journal").text("name")).lower()
    elsewhere = ids.doi is not None and identifiers.arxiv_of_doi(ids.doi) is None
    return ids.arxiv is not None and not elsewhere and venue in ("", "arxiv", "arxiv.org")


def _is_article(record: Record, ids: Identifiers) -> bool:
    """Whether it names an article: a DOI of its own, or a volume that is not arXiv's."""
    if ids.doi is not None and not is_preprint_doi(ids.doi):
        return True
    return not _on_arxiv(record, ids) and bool(record.record("journal").text("volume"))


def _venue(record: Record) -> str:
    journal, venue = record.record("journal"), record.record("publicationVenue")
    return plain(venue.text("name") or record.text("venue") or journal.text("name"))


def _kind(named: tuple[str, ...]) -> WorkKind:
    for name, kind in _KINDS:
        if name in named:
            return kind
    return "other" if named else ""


def _links(record: Record) -> tuple[FulltextLink, ...]:
    pdf = record.record("openAccessPdf")
    url = pdf.address("url")
    if not url:
        return ()
    route = route_of(url, otherwise="Semantic Scholar")
    return (FulltextLink(kind_of(url), url, route, licence=plain(pdf.text("license"))),)
