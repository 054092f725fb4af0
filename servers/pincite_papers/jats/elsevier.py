"""Elsevier's article XML (the common element schema, ``ce:``), put into the elements of JATS."""

from pincite_papers.markup.elements import Element, etree, plain_text

_RENAMED = {
    "section": "sec",
    "section-title": "title",
    "para": "p",
    "simple-para": "p",
    "note-para": "p",
    "inf": "sub",
    "cross-ref": "xref",
    "cross-refs": "xref",
    "inter-ref": "ext-link",
    "figure": "fig",
    "footnote": "fn",
    "table-footnote": "fn",
    "formula": "disp-formula",
    "acknowledgment": "ack",
    "appendices": "app-group",
    "e-component": "supplementary-material",
    "link": "graphic",
    "displayed-quote": "disp-quote",
}
_XLINK = "{http://www.w3.org/1999/xlink}href"


def is_elsevier(article: Element) -> bool:
    """Whether an ``article`` without namespaces is of Elsevier's schema."""
    return article.find("item-info") is not None or (article.find("head") is not None and article.find("front") is None)


def elsevier_as_jats(source: Element) -> Element:
    """The ``article`` of an Elsevier article whose names have no namespaces; the tree of ``source`` is taken apart."""
    article = etree.Element("article")
    item, head = source.find("item-info"), source.find("head")
    item, head = (part if part is not None else _made("none") for part in (item, head))
    article.append(_front(item, head))
    body, back = _made("body"), _made("back")
    for part in source.findall("body"):
        _reform(part)
        for sections in list(part):
            for child in list(sections) if sections.tag == "sections" else [sections]:
                body.append(child)
    floats = source.find("floats")
    if floats is not None:
        _reform(floats)
        floats.tag = "floats-group"
    for part in source.findall("tail") + source.findall("back"):
        _reform(part)
        for child in list(part):
            back.append(child)
    for one in (body, back, floats):
        if one is not None and len(one):
            article.append(one)
    return article


def _made(tag: str, text: str = "", **attributes: str) -> Element:
    element = etree.Element(tag, {name.replace("_", "-"): value for name, value in attributes.items()})
    element.text = text
    return element


def _front(item: Element, head: Element) -> Element:
    front, about, meta = _made("front"), _made("journal-meta"), _made("article-meta")
    front.append(about)
    front.append(meta)
    about.append(_made("journal-title", plain_text(item.find("jid"))))
    if doi := plain_text(item.find("doi")):
        meta.append(_made("article-id", doi, pub_id_type="doi"))
    copyright_of = item.find("copyright")
    if copyright_of is not None and (year := copyright_of.get("year")):
        date = _made("pub-date")
        date.append(_made("year", year))
        meta.append(date)
    group, title = _made("title-group"), head.find("title")
    if title is not None:
        _reform(title)
        title.tag = "article-title"
        group.append(title)
    meta.append(group)
    authors = _made("contrib-group")
    for author in head.iter("author"):
        contributor, name = _made("contrib", contrib_type="author"), _made("name")
        name.append(_made("surname", plain_text(author.find("surname"))))
        name.append(_made("given-names", plain_text(author.find("given-name"))))
        contributor.append(name)
        authors.append(contributor)
    meta.append(authors)
    _add_abstracts(head, meta)
    return front


def _add_abstracts(head: Element, meta: Element) -> None:
    """The abstract without graphical ones and highlights, and the keywords."""
    for abstract in head.findall("abstract"):
        if (abstract.get("class") or "author") != "author":
            continue
        _reform(abstract)
        made = _made("abstract")
        for part in abstract.iter("p"):
            made.append(part)
        meta.append(made)
    words = _made("kwd-group")
    for keyword in head.iter("keyword"):
        words.append(_made("kwd", plain_text(keyword.find("text")) or plain_text(keyword)))
    if len(words):
        meta.append(words)


def _reform(part: Element) -> None:
    """Rename what stands in a part; tables, references and links take the form of JATS."""
    for table in list(part.iter("table")):
        _set_table(table)
    for entry in list(part.iter("bib-reference")):
        parent = entry.getparent()
        if parent is not None:
            parent.replace(entry, _reference(entry))
    for entries in list(part.iter("bibliography")):
        entries.tag = "ref-list"
        for group in entries.findall("bibliography-sec"):
            for child in list(group):
                entries.append(child)
            entries.remove(group)
    for element in part.iter("*"):
        if element.tag in ("cross-ref", "cross-refs"):
            target = element.get("refid") or ""
            element.set("rid", target)
            element.set("ref-type", "bibr" if target.startswith("bib") else "")
        elif element.tag == "hsp":
            element.text = " "
        elif element.tag == "link" and (place := element.get("locator")):
            element.set(_XLINK, place)
        element.tag = _RENAMED.get(element.tag, element.tag)


def _set_table(table: Element) -> None:
    """A table as a wrap around its groups of rows, its legend and notes below it."""
    inner, foot = _made("table"), _made("table-wrap-foot")
    table.tag = "table-wrap"
    for child in list(table):
        if child.tag == "tgroup":
            inner.append(child)
        elif child.tag in ("legend", "table-footnote"):
            foot.append(child)
    table.append(inner)
    if len(foot):
        table.append(foot)


def _reference(entry: Element) -> Element:
    """An entry as it was printed where the source has that (``source-text``, ``textref``), else out of its parts."""
    made = _made("ref", id=entry.get("id") or "")
    label = plain_text(entry.find("label"))
    if label:
        made.append(_made("label", label))
    printed = next((text for one in entry.iter("source-text", "textref") if (text := plain_text(one))), "")
    citation = _made("mixed-citation", printed or _composed(entry))
    doi = next((text for one in entry.iter("doi") if (text := plain_text(one))), "")
    if doi and doi not in plain_text(citation):
        citation.text = f"{citation.text} "
        citation.append(_made("pub-id", doi, pub_id_type="doi"))
    made.append(citation)
    return made


def _composed(entry: Element) -> str:
    """The parts of an entry in the order of print."""
    people: list[str] = []
    for person in entry.iter("author", "editor"):
        names = (plain_text(person.find("given-name")), plain_text(person.find("surname")))
        people.append(" ".join(name for name in names if name))
    titles = [plain_text(one) for one in entry.iter("maintitle")]
    volumes = [plain_text(one) for one in entry.iter("volume-nr")]
    years = [f"({plain_text(one)})" for one in entry.iter("date")][:1]
    pages: list[str] = []
    for one in entry.iter("pages"):
        ends = (plain_text(one.find("first-page")), plain_text(one.find("last-page")))
        pages.append("–".join(end for end in ends if end))
    pages += [plain_text(one) for one in entry.iter("article-number")]
    parts = [", ".join(people), *titles, *volumes, *years, *pages]
    return ", ".join(part for part in parts if part) + "."
