"""Front matter of a JATS article: title, authors, abstracts, notes, and what identifies the article."""

import re
from collections.abc import Callable, Iterator

from pincite_papers.jats.inline import Inline
from pincite_papers.markup import PaperBuilder, Run
from pincite_papers.markup.elements import Element, href, plain_text
from pincite_papers.model import BlockKind
from pincite_papers.references import find_doi

_YEAR = re.compile(r"\b(?:1[5-9]|20)\d\d\b")
_YEAR_OF = ("collection", "ppub", "pub", "epub", "epub-ppub", "epreprint", "preprint", "")
_NO_YEAR_OF = ("pmc-release", "nihms-submitted", "retracted", "corrected")
_ASIDE = ("fn", "xref", "target", "graphic")
_NO_NAME = ("contrib-group", "xref", "fn", "email", "aff", "bio")
_NO_AUTHORS = re.compile(r"edit|review|translat|section|illustrat|assignee", re.IGNORECASE)


def read_front(article: Element, builder: PaperBuilder, inline: Inline) -> None:
    """Set the builder's title, authors, journal and other data."""
    meta = article.find("front/article-meta")
    meta = meta if meta is not None else article.find("front")
    if meta is None:
        return
    group = meta.find("title-group")
    title = (group if group is not None else meta).find(".//article-title")
    builder.title = str(_title(title, group, inline)) if title is not None else ""
    builder.authors = tuple(byline(meta))
    builder.keywords = tuple(dict.fromkeys(_keywords(meta, inline)))
    builder.journal = _journal(article)
    builder.year = _year(meta)
    ids = {_kind(one): plain_text(one) for one in reversed(meta.findall("article-id"))}
    builder.doi = find_doi([ids["doi"]]) if "doi" in ids else None
    builder.metadata |= {
        "pmid": ids.get("pmid", ""),
        "pmcid": _pmcid(ids),
        "arxiv": ids.get("arxiv", ""),
        "article_type": article.get("article-type", ""),
        "volume": plain_text(meta.find("volume")),
        "issue": plain_text(meta.find("issue")),
        "pages": "–".join(text for tag in ("fpage", "lpage", "elocation-id") if (text := plain_text(meta.find(tag)))),
        "published": _date(meta),
        "publisher": plain_text(article.find("front/journal-meta/publisher/publisher-name")),
        "subjects": "; ".join(dict.fromkeys(plain_text(one) for one in meta.iter("subject"))),
        "license": _licence(meta),
    }


def write_front(
    article: Element, builder: PaperBuilder, inline: Inline, block: Callable[[Element, BlockKind], None]
) -> None:
    """Write title, authors, affiliations, abstracts, then notes and funding, as blocks."""
    meta = article.find("front/article-meta")
    meta = meta if meta is not None else article.find("front")
    if meta is None:
        return
    builder.add_block(BlockKind.TITLE, Run().add(builder.title))
    builder.add_block(BlockKind.AUTHORS, Run().add(", ".join(builder.authors)))
    for place in meta.iter("aff"):
        builder.add_block(BlockKind.AUTHORS, _labelled(place, inline))
    write_abstracts(meta, builder, inline, block)
    for notes in meta.findall("author-notes"):
        for note in notes:
            if note.tag == "corresp":
                builder.add_block(BlockKind.FOOTNOTE, _labelled(note, inline))
            elif note.tag not in ("title", "label"):
                block(note, BlockKind.FOOTNOTE)
    for statement in (*meta.iter("funding-statement"), *meta.iter("open-access")):
        builder.add_block(BlockKind.FOOTNOTE, inline.run(statement))
    for notes in article.findall("front/notes"):
        block(notes, BlockKind.FOOTNOTE)


def write_abstracts(
    meta: Element,
    builder: PaperBuilder,
    inline: Inline,
    block: Callable[[Element, BlockKind], None],
    *,
    level: int = 1,
) -> None:
    """Write the abstracts, translated ones last.

    Their own titles are headings of ``level``; the titles of their parts are not, being no sections of the paper.
    """
    for abstract in [*meta.findall("abstract"), *meta.findall("trans-abstract")]:
        title = abstract.find("title")
        if title is not None:
            builder.add_heading(inline.run(title), level=level)
        _write_parts(abstract, builder, inline, block)
        builder.end_section(level)


def byline(meta: Element) -> Iterator[str]:
    """The authors in order as they are spelled out: "Ada B. Writer Jr", "The Example Collaboration"."""
    seen: set[str] = set()
    for group in [meta, *meta.findall("contrib-group"), *meta.findall("contrib-group/contrib-group")]:
        if _NO_AUTHORS.search(group.get("content-type", "")):
            continue
        for contributor in group.findall("contrib"):
            if _NO_AUTHORS.search(contributor.get("contrib-type", "")):
                continue
            name = _contributor(contributor)
            if name and name not in seen:
                seen.add(name)
                yield name


def _contributor(contributor: Element) -> str:
    for given in contributor:
        child = given[0] if given.tag in ("name-alternatives", "collab-alternatives") and len(given) else given
        tag = child.tag
        if tag == "name":
            return _name(child)
        if tag == "string-name":
            parts = [one for one in child if one.tag in ("surname", "given-names", "suffix", "prefix")]
            return _name(child) if parts and not (child.text or "").strip() else plain_text(child)
        if tag == "collab":
            own = [child.text or ""]
            for one in child:
                own += ["" if one.tag in _NO_NAME else plain_text(one), one.tail or ""]
            return " ".join("".join(own).split())
        if tag == "anonymous":
            return plain_text(child) or "Anonymous"
    return ""


def _name(name: Element) -> str:
    order = ("given-names", "surname", "suffix")
    if name.get("name-style") == "eastern":
        order = ("surname", "given-names", "suffix")
    parts = [plain_text(name.find(tag)) for tag in order]
    return " ".join(part for part in parts if part)


def _title(title: Element, group: Element | None, inline: Inline) -> Run:
    run = inline.run(title, without=_ASIDE)
    for subtitle in group.findall("subtitle") if group is not None else []:
        run.add("" if str(run)[-1:] in ":?!." else ":").add(" ").add_run(inline.run(subtitle, without=_ASIDE))
    return run


def _labelled(element: Element, inline: Inline) -> Run:
    """An affiliation or address behind its printed mark."""
    label = plain_text(element.find("label"))
    run = Run().add(f"{label} " if label else "")
    for institution in element.findall("institution"):
        if institution.get("content-type") == "original":
            return run.add_run(inline.run(institution))
    parts = [child for child in element if child.tag != "label"]
    bare = not (element.text or "").strip() and not any((child.tail or "").strip() for child in parts)
    if bare and len(parts) > 1:
        texts = [inline.run(child) for child in parts]
        for index, text in enumerate(text for text in texts if text):
            run.add(", " if index else "").add_run(text)
        return run
    return run.add_run(inline.run(element, without=("label",)))


def _write_parts(
    part: Element, builder: PaperBuilder, inline: Inline, block: Callable[[Element, BlockKind], None]
) -> None:
    if (part.text or "").strip():
        builder.add_block(BlockKind.ABSTRACT, inline.run(part))
        return
    for child in part:
        if child.tag == "sec":
            if child.find("title") is not None:
                builder.add_block(BlockKind.ABSTRACT, inline.run(child, without=_all_but(child, "title", "label")))
            _write_parts(child, builder, inline, block)
        elif child.tag not in ("title", "label", "object-id"):
            block(child, BlockKind.ABSTRACT)


def _all_but(element: Element, *tags: str) -> list[str]:
    return [child.tag for child in element if child.tag not in tags]


def _keywords(meta: Element, inline: Inline) -> Iterator[str]:
    for group in meta.iter("kwd-group"):
        for keyword in group.iter("kwd", "compound-kwd"):
            text = str(inline.run(keyword))
            if text:
                yield text


def _journal(article: Element) -> str | None:
    for path in ("journal-title-group/journal-title", "journal-title", "abbrev-journal-title", "journal-id"):
        found = plain_text(article.find(f"front/journal-meta/{path}"))
        if found:
            return found
    return None


def _kind(identifier: Element) -> str:
    return identifier.get("pub-id-type", "").lower()


def _pmcid(ids: dict[str, str]) -> str:
    found = ids.get("pmcid") or ids.get("pmc") or ""
    return f"PMC{found}" if found.isdecimal() else found


def _year(meta: Element) -> int | None:
    """The year that citations of the article give: that of the issue before that of the online version."""
    found: dict[str, int] = {}
    for date in meta.iter("pub-date"):
        kind = date.get("pub-type") or date.get("date-type") or ""
        year = _YEAR.search(plain_text(date.find("year")) or plain_text(date))
        if year is not None and kind not in _NO_YEAR_OF:
            found.setdefault(kind, int(year.group()))
    for kind in _YEAR_OF:
        if kind in found:
            return found[kind]
    if found:
        return min(found.values())
    copyright_year = _YEAR.search(plain_text(meta.find(".//copyright-year")))
    return int(copyright_year.group()) if copyright_year is not None else None


def _date(meta: Element) -> str:
    """The earliest day of publication: "2015-01-21", "2015-01", "2015" or ""."""
    dates: list[str] = []
    for date in meta.iter("pub-date"):
        if (date.get("pub-type") or date.get("date-type") or "") in _NO_YEAR_OF:
            continue
        parts = [plain_text(date.find(tag)) for tag in ("year", "month", "day")]
        known = [part.zfill(2) for part in parts if part.isdecimal()]
        if known and len(known[0]) == 4:
            dates.append("-".join(known))
    return min(dates, key=lambda one: one.ljust(10, "~"), default="")


def _licence(meta: Element) -> str:
    """The address of the licence, else its text."""
    for licence in meta.iter("license"):
        for element in (licence, *licence.iter("ext-link", "license_ref", "uri")):
            place = href(element)
            if place.startswith("http"):
                return place
        reference = plain_text(licence.find("license_ref"))
        if reference:
            return reference
    for tag in ("license", "copyright-statement"):
        found = next((text for one in meta.iter(tag) if (text := plain_text(one))), "")
        if found:
            return found[:500]
    return ""
