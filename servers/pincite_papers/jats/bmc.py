"""BioMed Central's older ``art`` format, put into the elements of JATS."""

from itertools import pairwise

from pincite_papers.markup.elements import Element, etree, plain_text

_RENAMED = {
    "bdy": "body",
    "bm": "back",
    "st": "title",
    "it": "italic",
    "b": "bold",
    "u": "underline",
    "ol": "list",
    "ul": "list",
    "li": "list-item",
    "display-formula": "disp-formula",
    "refgrp": "ref-list",
    "kwdg": "kwd-group",
    "abs": "abstract",
    "suppl": "supplementary-material",
    "tblfn": "fn",
    "snm": "surname",
    "suf": "suffix",
    "cnm": "collab",
    "insr": "xref",
    "url": "uri",
}
_BOOK = {"edition": "edition", "publisher": "publisher-name", "editor": "comment", "note": "comment", "url": "uri"}
_PARTS = ("source", "volume", "issue", "fpage", "lpage", "inpress", *_BOOK)
_PUBMED = {"pmpid": "pmid", "pmcid": "pmcid", "doi": "doi"}


def as_jats(art: Element) -> Element:
    """The ``article`` of an ``art``; the tree of ``art`` is taken apart."""
    article = _made("article")
    for kind in ("ol", "ul"):
        for element in art.iter(kind):
            element.set("list-type", "order" if kind == "ol" else "bullet")
    for element in list(art.iter("abbrgrp")):
        _set_citation(element)
    for element in list(art.iter("fig", "suppl")):
        _set_float(element)
    for element in list(art.iter("table", "tbl")):
        _set_table(element)
    for element in list(art.iter("refgrp")):
        for entry in element.findall("bibl"):
            _replace(entry, _reference(entry))
    front = art.find("fm")
    if front is not None:
        article.append(_front(front))
    for part in list(art):
        if part.tag in ("bdy", "bm"):
            article.append(part)
    for element in list(article.iter(*_RENAMED)):
        element.tag = _RENAMED[element.tag]
    return article


def _made(tag: str, text: str = "", **attributes: str) -> Element:
    element: Element = etree.Element(tag, {name.replace("_", "-"): value for name, value in attributes.items()})
    element.text = text or None
    return element


def _held(tag: str, *children: Element | None) -> Element:
    element = _made(tag)
    for child in children:
        if child is not None:
            element.append(child)
    return element


def _replace(old: Element, new: Element) -> None:
    new.tail = old.tail
    parent = old.getparent()
    if parent is not None:
        old.addprevious(new)
        old.tail = None
        parent.remove(old)


def _renamed(element: Element | None, tag: str) -> Element | None:
    if element is not None:
        element.tag = tag
        element.tail = None
    return element


def _set_citation(group: Element) -> None:
    """Numbers in brackets, three or more in a row as a range, as print draws them together."""
    made = _made("named-content")
    made.text = "["
    members = [(abbr.get("bid", ""), plain_text(abbr)) for abbr in group.iter("abbr")]
    rows: list[list[tuple[str, str]]] = []
    for before, member in pairwise([("", ""), *members]):
        if rows and before[1].isdecimal() and member[1].isdecimal() and int(member[1]) == int(before[1]) + 1:
            rows[-1].append(member)
        else:
            rows.append([member])
    for index, row in enumerate(rows):
        ends = [row[0], row[-1]] if len(row) > 2 else row
        between = "–" if len(row) > 2 else ","
        for place, (anchor, number) in enumerate(ends):
            xref = _made("xref", number, ref_type="bibr", rid=anchor)
            last = place == len(ends) - 1
            xref.tail = between if not last else "," if index < len(rows) - 1 else "]"
            made.append(xref)
    _replace(group, made)


def _set_float(element: Element) -> None:
    """Label and caption; the text of a figure repeats its short caption."""
    _renamed(element.find("title"), "label")
    text, caption = element.find("text"), element.find("caption")
    if text is not None and caption is not None:
        element.remove(caption)
    _renamed(text, "caption")
    for file in element.findall("file"):
        element.remove(file)


def _set_table(table: Element) -> None:
    wrap = _held("table-wrap", _renamed(table.find("title"), "label"), _renamed(table.find("caption"), "caption"))
    inner = _made("table")
    foot = _made("table-wrap-foot")
    for part in list(table):
        if part.tag in ("tblfn", "fn"):
            foot.append(part)
        elif part.tag not in ("title", "caption"):
            inner.append(part)
    for note in list(inner.iter("tfoot")):
        holder = note.getparent()
        for part in list(note):
            foot.append(part)
        if holder is not None:
            holder.remove(note)
    for part in (inner, foot):
        wrap.append(part)
    _replace(table, wrap)


def _reference(entry: Element) -> Element:
    """A ``ref`` with the parts of its citation under their names in JATS."""
    citation = _made("element-citation")
    authors = _made("person-group", person_group_type="author")
    for group in entry.findall("aug"):
        for author in group:
            authors.append(_made("etal") if author.tag == "etal" else _person(author))
    if len(authors):
        citation.append(authors)
    year = plain_text(entry.find("pubdate"))
    if year:
        citation.append(_made("year", year))
    title = _renamed(entry.find("title"), "article-title")
    if title is not None:
        citation.append(title)
    for part in entry:
        if part.tag in _PARTS:
            name = _BOOK.get(part.tag, "comment" if part.tag == "inpress" else part.tag)
            citation.append(_made(name, plain_text(part) or ("in press" if part.tag == "inpress" else "")))
    for identifier in entry.iter("pubid"):
        citation.append(_identifier(identifier, "pub-id"))
    ref = _held("ref", citation)
    ref.set("id", entry.get("id", ""))
    return ref


def _identifier(pubid: Element, tag: str) -> Element:
    kind = pubid.get("idtype", "")
    return _made(tag, plain_text(pubid), pub_id_type=_PUBMED.get(kind, kind))


def _person(author: Element) -> Element:
    collective = author.find("cnm")
    if collective is not None:
        return _made("collab", plain_text(collective))
    given = [text for tag in ("fnm", "mi", "mnm") if (text := plain_text(author.find(tag)))]
    name = _held("name", _made("surname", plain_text(author.find("snm"))), _made("given-names", " ".join(given)))
    suffix = plain_text(author.find("suf"))
    if suffix:
        name.append(_made("suffix", suffix))
    return name


def _front(front: Element) -> Element:
    entry = front.find("bibl")
    meta, journal = _made("article-meta"), _made("journal-meta")
    if entry is None:
        return _held("front", journal, meta)
    journal.append(_made("journal-title", plain_text(entry.find("source"))))
    for identifier in entry.findall("xrefbib//pubid"):
        meta.append(_identifier(identifier, "article-id"))
    meta.append(_held("title-group", _renamed(entry.find("title"), "article-title")))
    people = _made("contrib-group")
    for author in entry.findall("aug/au"):
        people.append(_held("contrib", _person(author)))
    meta.append(people)
    for place in entry.findall("insg/ins"):
        place.tag, place.tail = "aff", None
        meta.append(place)
    meta.append(_held("pub-date", _made("year", plain_text(entry.find("pubdate")))))
    for tag in ("volume", "issue", "fpage", "lpage"):
        meta.append(_made(tag, plain_text(entry.find(tag))))
    licence = front.find("cpyrt/note")
    if licence is not None:
        meta.append(_held("permissions", _renamed(licence, "license")))
    for tag in ("kwdg", "abs"):
        for part in front.findall(tag):
            meta.append(_unwrapped(part))
    return _held("front", journal, meta)


def _unwrapped(part: Element) -> Element:
    """An abstract whose only section, "Abstract", is the abstract itself."""
    sections = part.findall("sec")
    if part.tag == "abs" and len(sections) == 1 and len(part) == 1:
        for child in list(sections[0]):
            part.append(child)
        part.remove(sections[0])
    return part
