"""Citations of which the XML gives only the parts: authors (year) title. Source volume(issue): pages."""

from pincite_papers.jats.inline import IDENTIFIERS, Inline
from pincite_papers.markup import Run
from pincite_papers.markup.elements import Element, href, plain_text

_AUTHORS = (
    *("person-group", "name", "string-name", "collab", "anonymous", "etal"),
    *("name-alternatives", "collab-alternatives"),
)
_TITLES = ("article-title", "chapter-title", "part-title", "data-title", "trans-title")
_YEARS = ("year", "month", "day", "season", "date")
_PAGES = ("fpage", "lpage", "page-range", "elocation-id", "size")
_PLACED = frozenset(
    (*_AUTHORS, *_TITLES, *_YEARS, *_PAGES, "source", "volume", "issue", "publisher-name", "publisher-loc", "edition")
)


def compose_citation(citation: Element, inline: Inline) -> Run:
    """A citation in the order and with the punctuation that readers expect; no part of it is left out."""
    run = Run()
    authors = _authors(citation, inline, editors=False)
    years = "-".join(text for one in citation if one.tag in _YEARS and (text := plain_text(one)))
    run.add_run(authors)
    if years:
        run.add(f" ({years})" if authors else f"({years})")
    if authors or years:
        _end(run)
    for title in _TITLES:
        for one in citation.findall(title):
            _end(run.add_run(inline.run(one).stripped()))
    editors = _authors(citation, inline, editors=True)
    if editors:
        _end(run.add("In: ").add_run(editors).add(" (editors)"))
    _source(citation, run, inline)
    for one in citation:
        if one.tag not in _PLACED and (part := _rest(one, inline)):
            _end(run.add_run(part.stripped()))
    return run


def _end(run: Run) -> None:
    """End a part by a full stop, unless it ends a sentence by itself, and a space."""
    ending = run.ending
    if ending:
        closed = ending[-1] in ".?!" or (ending[-1] in "\"'”’" and ending[0] in ".?!")
        run.add(" " if closed else ". ")


def _authors(citation: Element, inline: Inline, *, editors: bool) -> Run:
    """Names as in the source, "Smith AB, Jones C, et al."; editors and others than authors where asked for."""
    run = Run()
    for one in citation:
        if one.tag not in _AUTHORS:
            continue
        if editors != (one.get("person-group-type", "author") not in ("author", "allauthors", "inventor", "assignee")):
            continue
        for member in one if one.tag == "person-group" and len(one) else [one]:
            part = _person(member, inline)
            if part:
                run.add((" " if run.ending.endswith(",") else ", ") if run else "").add_run(part)
    return run


def _person(member: Element, inline: Inline) -> Run:
    if member.tag == "etal":
        return Run().add(plain_text(member) or "et al.")
    if member.tag == "anonymous":
        return Run().add(plain_text(member) or "Anonymous")
    if member.tag.endswith("-alternatives") and len(member):
        return _person(member[0], inline)
    return inline.name(member) if member.tag == "name" else inline.run(member).stripped()


def _source(citation: Element, run: Run, inline: Inline) -> None:
    """Source, edition, volume(issue): pages, publisher."""
    for one in (*citation.findall("source"), *citation.findall("edition")):
        if run.ending[-1:].isalnum():
            run.add(". ")
        run.add_run(inline.run(one).stripped())
    volume = ", ".join(plain_text(one) for one in citation.findall("volume"))
    issue = ", ".join(plain_text(one) for one in citation.findall("issue"))
    pages = _pages(citation)
    place = f"{volume}({issue})" if issue else volume
    if pages:
        place += f": {pages}" if place else pages
    run.add(f" {place}" if place else "")
    if volume or issue or pages or citation.find("source") is not None:
        _end(run)
    names = [*citation.findall("publisher-loc"), *citation.findall("publisher-name")]
    publisher = ": ".join(text for one in names if (text := plain_text(one)))
    if publisher:
        _end(run.add(publisher))


def _pages(citation: Element) -> str:
    first = [text for one in citation.findall("fpage") if (text := plain_text(one))]
    last = [text for one in citation.findall("lpage") if (text := plain_text(one))]
    ranges = [f"{low}–{high}" for low, high in zip(first, last, strict=False)]
    ranges += [*first[len(last) :], *last[len(first) :]]
    for tag in ("page-range", "elocation-id", "size"):
        ranges += [text for one in citation.findall(tag) if (text := plain_text(one))]
    return ", ".join(ranges)


def _rest(one: Element, inline: Inline) -> Run:
    """Identifiers behind their names, links, comments and whatever else a citation holds."""
    if one.tag in ("pub-id", "object-id", "article-id"):
        text = plain_text(one)
        name = IDENTIFIERS.get(one.get("pub-id-type", "").lower(), "")
        return Run().add(text if text.lower().startswith(name.strip(": ").lower()) and name else name + text)
    if one.tag in ("issn", "isbn"):
        return Run().add(f"{one.tag.upper()} {plain_text(one)}")
    if one.tag in ("date-in-citation", "access-date"):
        return Run().add("-".join(plain_text(part) for part in one) if len(one) else plain_text(one))
    if one.tag == "ext-link" and not plain_text(one):
        return Run().add(href(one))
    return inline.run(one)
