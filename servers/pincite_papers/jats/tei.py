"""TEI XML, as GROBID writes it, put into the elements of JATS."""

from pincite_papers.markup.elements import Element, etree, plain_text

_ID = "{http://www.w3.org/XML/1998/namespace}id"
_RENDITIONS = {"italic": "italic", "bold": "bold", "superscript": "sup", "subscript": "sub", "sup": "sup", "sub": "sub"}
_RENAMED = {
    "div": "sec",
    "list": "list",
    "item": "list-item",
    "cell": "td",
    "row": "tr",
    "note": "fn",
    "quote": "disp-quote",
}
_TARGETS = {"bibr": "bibr", "figure": "fig", "table": "table", "formula": "disp-formula", "foot": "fn"}


def tei_as_jats(tei: Element) -> Element:
    """The ``article`` of a TEI document whose names have no namespaces; the tree of ``tei`` is taken apart."""
    article = etree.Element("article")
    header, text = tei.find("teiHeader"), tei.find("text")
    if header is not None:
        article.append(_front(header))
    body, back = (text.find("body"), text.find("back")) if text is not None else (None, None)
    for part in (body, back):
        if part is not None:
            _reform(part)
            article.append(part)
    return article


def _made(tag: str, text: str = "", **attributes: str) -> Element:
    element = etree.Element(tag, {name.replace("_", "-"): value for name, value in attributes.items()})
    element.text = text
    return element


def _front(header: Element) -> Element:
    front, meta = _made("front"), _made("article-meta")
    source = header.find("fileDesc/sourceDesc/biblStruct")
    source = source if source is not None else _made("biblStruct")
    journal = plain_text(source.find("monogr/title"))
    if journal:
        about = _made("journal-meta")
        about.append(_made("journal-title", journal))
        front.append(about)
    for number in source.iter("idno"):
        kind = (number.get("type") or "").lower()
        if kind in ("doi", "arxiv", "pmid", "pmcid"):
            meta.append(_made("article-id", plain_text(number), pub_id_type=kind))
    title = header.find("fileDesc/titleStmt/title")
    group = _made("title-group")
    group.append(_made("article-title", plain_text(title)))
    meta.append(group)
    authors = _made("contrib-group")
    for author in source.findall("analytic/author"):
        person = author.find("persName")
        if person is not None:
            authors.append(_contributor(person))
    meta.append(authors)
    when = source.find("monogr/imprint/date")
    if when is not None and (year := (when.get("when") or plain_text(when))[:4]).isdecimal():
        date = _made("pub-date")
        date.append(_made("year", year))
        meta.append(date)
    _add_profile(header, meta)
    front.append(meta)
    return front


def _contributor(person: Element) -> Element:
    contributor, name = _made("contrib", contrib_type="author"), _made("name")
    name.append(_made("surname", plain_text(person.find("surname"))))
    name.append(_made("given-names", " ".join(plain_text(one) for one in person.findall("forename"))))
    contributor.append(name)
    return contributor


def _add_profile(header: Element, meta: Element) -> None:
    """Abstract and keywords."""
    abstract = header.find("profileDesc/abstract")
    if abstract is not None and plain_text(abstract):
        _reform(abstract)
        meta.append(abstract)
    words = [plain_text(one) for one in header.findall("profileDesc/textClass/keywords//term")]
    if words:
        group = _made("kwd-group")
        for word in words:
            group.append(_made("kwd", word))
        meta.append(group)


def _reform(part: Element) -> None:
    """Rename what stands in the body, the back or the abstract."""
    for element in list(part.iter()):
        anchor = element.get(_ID)
        if anchor:
            element.set("id", anchor)
        tag = element.tag
        if tag == "head" and element.getparent() is not None:
            _set_heading(element)
        elif tag == "figure":
            _set_float(element)
        elif tag == "ref":
            element.tag = "xref" if element.get("target") else "named-content"
            element.set("ref-type", _TARGETS.get(element.get("type") or "", ""))
            element.set("rid", (element.get("target") or "").removeprefix("#"))
        elif tag == "hi":
            element.tag = _RENDITIONS.get(element.get("rend") or "", "named-content")
        elif tag == "formula":
            _set_formula(element)
        elif tag == "cell":
            row = element.getparent()
            if row is not None and row.get("role") == "label":
                element.tag = "th"
            element.set("colspan", element.get("cols") or "1")
            element.set("rowspan", element.get("rows") or "1")
        element.tag = _RENAMED.get(element.tag, element.tag)
    for entries in list(part.iter("listBibl")):
        entries.tag = "ref-list"
        for entry in entries.findall("biblStruct"):
            entries.replace(entry, _reference(entry))


def _set_heading(head: Element) -> None:
    """A heading with its number as a label before it."""
    parent = head.getparent()
    number = head.get("n") or ""
    if parent is not None and parent.tag in ("div", "sec"):
        head.tag = "title"
        if number:
            parent.insert(0, _made("label", number))


def _set_float(figure: Element) -> None:
    """A figure or table: its head and its description are the caption."""
    is_table = figure.get("type") == "table" or figure.find("table") is not None
    head, description = figure.find("head"), figure.find("figDesc")
    caption = _made("caption")
    label = (
        plain_text(head).rstrip(" .:")
        or " ".join(("Table" if is_table else "Figure", plain_text(figure.find("label")))).strip()
    )
    if description is not None and plain_text(description):
        description.tag = "p"
        caption.append(description)
    for old in (head, figure.find("label")):
        if old is not None:
            figure.remove(old)
    figure.tag = "table-wrap" if is_table else "fig"
    figure.insert(0, _made("label", label))
    figure.insert(1, caption)


def _set_formula(formula: Element) -> None:
    label = formula.find("label")
    formula.tag = "disp-formula"
    if label is not None:
        tail = label.tail
        formula.remove(label)
        formula.text = (formula.text or "") + (tail or "")
        label.tail = None
        formula.append(label)


def _reference(entry: Element) -> Element:
    """An entry as it was printed (GROBID's raw reference), else put together from its parts."""
    made = _made("ref", id=entry.get(_ID) or entry.get("id") or "")
    raw = next((one for one in entry.iter("note", "fn") if one.get("type") == "raw_reference"), None)
    citation = _made("mixed-citation", plain_text(raw) if raw is not None else _composed(entry))
    for number in entry.iter("idno"):
        kind = (number.get("type") or "").lower()
        if kind in ("doi", "arxiv", "pmid", "pmcid"):
            identifier = _made("pub-id", plain_text(number), pub_id_type=kind)
            if raw is None or plain_text(number) not in plain_text(raw):
                citation.text = (citation.text or "") + " "
                citation.append(identifier)
    made.append(citation)
    return made


def _composed(entry: Element) -> str:
    """The parts of an entry in the order of print."""
    people: list[str] = []
    for person in entry.iter("persName"):
        names = [plain_text(one) for one in (*person.findall("forename"), *person.findall("surname"))]
        people.append(" ".join(name for name in names if name))
    titles = [plain_text(one) for one in entry.iter("title")]
    scopes: list[str] = []
    for scope in entry.iter("biblScope"):
        pages = "–".join(one for one in (scope.get("from"), scope.get("to")) if one)
        scopes.append(plain_text(scope) or pages)
    years = [(one.get("when") or plain_text(one))[:4] for one in entry.iter("date")][:1]
    parts = [", ".join(people), *titles, *scopes, *(f"({year})" for year in years)]
    return ", ".join(part for part in parts if part) + "."
