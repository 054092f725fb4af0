"""OpenAlex's records of works (its API as documented in 2026)."""

from collections.abc import Iterator
from typing import cast

from pincite_literature import identifiers
from pincite_literature.appearance import gathered
from pincite_literature.dates import PartialDate
from pincite_literature.model import Author, FulltextLink, Identifiers, Work, WorkKind
from pincite_literature.sources.plain import plain
from pincite_literature.sources.record import Record
from pincite_literature.sources.route import VERSIONS, kind_of, route_of
from pincite_literature.sources.window import stated_date
from pincite_literature.versions import is_preprint_doi

NAME = "openalex"

SELECT = (
    "id,doi,ids,title,publication_date,publication_year,language,type,authorships,primary_location,locations"
    ",best_oa_location,open_access,biblio,cited_by_count,is_retracted,topics,abstract_inverted_index"
)
"""Fields of the root, which are all that lists can be cut to."""

_KINDS: dict[str, WorkKind] = {
    "article": "article",
    "letter": "article",
    "review": "review",
    "preprint": "preprint",
    "conference-paper": "conference",
    "proceedings-article": "conference",
    "book-chapter": "chapter",
    "reference-entry": "chapter",
    "book": "book",
    "dissertation": "thesis",
    "report": "report",
    "dataset": "dataset",
}
_MOST_WORDS = 20_000
"""Places of words in an inverted abstract; a higher one is damage. Set by judgement."""
_MOST_LOCATIONS = 50
"""Places of a work that are read. Set by judgement."""


def work_of(record: Record) -> Work | None:
    """The work that a record describes, None when it has neither an identifier nor a title."""
    locations = record.records("locations")[:_MOST_LOCATIONS]
    ids = _identifiers(record, locations)
    title = plain(record.text("title"))
    if not title and not ids.known():
        return None
    main = record.record("primary_location")
    venue = main.record("source")
    biblio = record.record("biblio")
    date = stated_date(record.text("publication_date")) or PartialDate.of(record.number("publication_year"))
    kind, others = _kind(record.text("type"), main), _versions(ids, locations)
    links = tuple(dict.fromkeys(_links(record.record("best_oa_location"), *locations)))
    return Work(
        title=title,
        ids=ids,
        authors=tuple(_authors(record)),
        **gathered(date, ids, others, article=kind != "preprint" and not is_preprint_doi(ids.doi or "")),
        kind=kind,
        venue=plain(venue.text("display_name")),
        publisher="" if venue.text("type") == "repository" else plain(venue.text("host_organization_name")),
        volume=plain(biblio.text("volume")),
        issue=plain(biblio.text("issue")),
        pages=_pages(plain(biblio.text("first_page")), plain(biblio.text("last_page"))),
        issn=venue.text("issn_l"),
        language=record.text("language"),
        abstract=abstract(record.fields.get("abstract_inverted_index")),
        subjects=tuple(name for topic in record.records("topics") if (name := plain(topic.text("display_name")))),
        url=record.address("doi") or main.address("landing_page_url") or record.address("id"),
        links=links,
        open_access=record.record("open_access").flag("is_oa"),
        cited_by=record.number("cited_by_count"),
        retracted=record.flag("is_retracted") is True,
        version_of=others,
        sources=(NAME,),
    )


def abstract(index: object) -> str:
    """The text of an inverted index (word to the places where it stands), of its first 20,000 words."""
    if not isinstance(index, dict):
        return ""
    placed: dict[int, str] = {}
    for word, places in cast("dict[str, object]", index).items():
        for place in cast("list[object]", places) if isinstance(places, list) else ():
            if isinstance(place, int) and 0 <= place < _MOST_WORDS:
                placed[place] = word
    return plain(" ".join(placed[place] for place in sorted(placed)))


def work_ids(record: Record, key: str) -> list[str]:
    """The OpenAlex ids of a list, once each."""
    found = (identifiers.openalex(text) for text in record.texts(key))
    return list(dict.fromkeys(one for one in found if one is not None))


def _identifiers(record: Record, locations: tuple[Record, ...]) -> Identifiers:
    named = record.record("ids")
    doi = identifiers.doi(record.text("doi")) or identifiers.doi(named.text("doi"))
    on_arxiv = (identifiers.arxiv(place.text("landing_page_url")) for place in locations)
    return Identifiers(
        doi=doi,
        arxiv=(identifiers.arxiv_of_doi(doi) if doi else None) or next((one for one in on_arxiv if one), None),
        pmid=identifiers.pmid(named.text("pmid")),
        pmcid=identifiers.pmcid(named.text("pmcid")),
        openalex=identifiers.openalex(record.text("id")),
    )


def _authors(record: Record) -> Iterator[Author]:
    for authorship in record.records("authorships"):
        author = authorship.record("author")
        name = plain(author.text("display_name") or authorship.text("raw_author_name"))
        if name:
            yield Author(name, orcid=author.text("orcid").rpartition("/")[2])


def _kind(named: str, main: Record) -> WorkKind:
    """Conferences and preprints are articles by type, and told by their place."""
    kind = _KINDS.get(named, "other") if named else ""
    if kind == "article" and main.text("version") == "submittedVersion":
        return "preprint"
    if kind == "article" and main.record("source").text("type") == "conference":
        return "conference"
    return kind


def _pages(first: str, last: str) -> str:
    return f"{first}-{last}" if first and last and first != last else first or last


def _links(*locations: Record) -> Iterator[FulltextLink]:
    for location in locations:
        if location.flag("is_oa") is not True:
            continue
        hosted = location.record("source").text("type") == "repository"
        version = VERSIONS.get(location.text("version"), "")
        licence = location.text("license")
        pdf, page = location.address("pdf_url"), location.address("landing_page_url")
        otherwise = "OpenAlex" if hosted else "publisher"
        if pdf:
            yield FulltextLink(kind_of(pdf), pdf, route_of(pdf, otherwise=otherwise), version, licence)
        if page and page != pdf:
            yield FulltextLink("html", page, route_of(page, otherwise=otherwise), version, licence)


def _versions(ids: Identifiers, locations: tuple[Record, ...]) -> tuple[str, ...]:
    """DOIs of its other places: the preprint that an article was, and the other way round."""
    dois = (identifiers.doi(place.text("landing_page_url")) for place in locations)
    others = (identifiers.arxiv_of_doi(doi) or doi for doi in dois if doi is not None and doi != ids.doi)
    return tuple(dict.fromkeys(other for other in others if other != ids.arxiv))
