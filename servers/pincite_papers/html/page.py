"""parse_html: the article on a web page as a Paper."""

import re
from dataclasses import replace

from pincite_core.errors import EmptySourceError, HostileError
from pincite_papers.html.blocks import Blocks
from pincite_papers.html.classes import classes, words
from pincite_papers.html.content import find_content
from pincite_papers.html.floats import LABEL, viewed_tables
from pincite_papers.html.head import Head, apply_head, read_head
from pincite_papers.html.inline import Inline
from pincite_papers.html.kinds import alike
from pincite_papers.html.references import find_entries
from pincite_papers.html.tree import Page, read_page
from pincite_papers.markup import PaperBuilder, Run
from pincite_papers.markup.elements import Element, plain_text
from pincite_papers.model import BlockKind, Paper, SourceFormat
from pincite_papers.references import find_citations, find_doi

PARSER = "pincite-html/2"
_WHOLE = 4000
"""Characters below which a page is likely not the whole article, which a warning says. Set by judgement."""
_LONGEST_MENTION = 60
"""Characters of a link that names a figure or table; a longer one is its caption in a list."""
_MOST_SHOWN = 8
"""Missing parts that a warning names."""
_NUMBER = re.compile(r"\d+(?:\.\d+)*|S\d+|[IVXL]+\b|[A-Z]\b")
_ARXIV = re.compile(r"(?:arxiv:\s*|^\[)(?P<id>\d{4}\.\d{4,5}(?:v\d+)?|[a-z-]+(?:\.[A-Z]{2})?/\d{7})", re.IGNORECASE)


def parse_html(data: bytes, *, max_pages: int) -> Paper:
    """The Paper of an HTML page's bytes; it has no pages, so ``max_pages`` bounds nothing.

    Raises EmptySourceError where the page has no text, HostileError where its nesting cannot be followed.
    """
    page = read_page(data)
    builder = PaperBuilder(SourceFormat.HTML, PARSER)
    head = read_head(page)
    content = find_content(page.body)
    _read_front(content, page, head, builder)
    inline = Inline({})
    try:
        entries = find_entries(content)
        inline.entries = entries.anchors
        blocks = Blocks(builder, inline, entries, _top_level(content, builder.title), viewed_tables(content))
        builder.add_block(BlockKind.TITLE, Run().add(builder.title))
        builder.add_block(BlockKind.AUTHORS, Run().add(", ".join(builder.authors)))
        blocks.children(content, BlockKind.PARAGRAPH)
    except RecursionError as error:
        raise HostileError(
            "The page is nested too deeply to be a paper.", seen=repr(error), next="Open another copy of the paper."
        ) from error
    _add_abstract(builder, head)
    _warn(builder, inline, page)
    if blocks.loading:
        builder.warnings.append(
            "The page loads a part of the article by a script: what is here is not all of it. Open its PDF or XML."
        )
    paper = _with_missing(builder.build(data), content)
    if len(paper.text) < _WHOLE:
        also = f" The page names a PDF: {head.pdf}" if head.pdf else ""
        note = f"The page holds little text: it may be no full text of the article.{also}"
        paper = replace(paper, warnings=(*paper.warnings, note))
    if not any(block.kind not in (BlockKind.TITLE, BlockKind.AUTHORS) for block in paper.blocks):
        where = (
            "Open the PDF that the page names (citation_pdf_url)." if head.pdf else "Give the address of the article."
        )
        raise EmptySourceError(
            "The web page has no text of an article.",
            seen=f"{len(data)} bytes" + (", and the page names a PDF" if head.pdf else ""),
            next=where,
        )
    if not paper.citations and paper.references:
        paper = replace(paper, citations=find_citations(paper.text, paper.blocks, paper.references))
    return paper


def _with_missing(paper: Paper, content: Element) -> Paper:
    """The paper with a warning that names the figures and tables that it links to and the page does not hold."""
    here = {_number(one.label) for one in (*paper.figures, *paper.tables)}
    here |= {_number(label) for warning in paper.warnings if (label := warning.partition(" is not on the page")[0])}
    missing: dict[str, str] = {}
    for link in content.iter("a"):
        text = plain_text(link)
        match = LABEL.match(text)
        if match is not None and _number(text) not in here and len(text) <= _LONGEST_MENTION:
            missing.setdefault(_number(text), " ".join(match["label"].split()))
    if not missing:
        return paper
    shown = ", ".join(list(missing.values())[:_MOST_SHOWN])
    more = f" and {len(missing) - _MOST_SHOWN} more" if len(missing) > _MOST_SHOWN else ""
    note = f"The text links to {shown}{more}, which the page does not hold: open the paper's PDF or XML for them."
    return replace(paper, warnings=(*paper.warnings, note))


def _number(label: str) -> str:
    """What a label numbers, spelled alike: ``fig 1`` of "Figure 1A", "Fig. 1" and "FIG. 1."."""
    match = LABEL.match(label)
    if match is None:
        return label
    number = _NUMBER.search(match["label"], match.end("kind"))
    return f"{match['kind'][:3].lower()} {number.group() if number else ''}"


def _read_front(content: Element, page: Page, head: Head, builder: PaperBuilder) -> None:
    """Title, authors and DOI: of LaTeXML's own elements, else of the head, else of the first heading."""
    latex = next((one for one in content.iter() if "ltx_title_document" in classes(one)), None)
    if latex is not None:
        builder.title = str(Inline({}).run(latex, without=lambda one: "ltx_note" in classes(one)))
        builder.authors = tuple(dict.fromkeys(_latex_authors(content)))
        builder.keywords = tuple(_latex_keywords(content))
    apply_head(head, builder)
    heading = next((one for one in content.iter("h1") if plain_text(one)), None)
    if heading is None:
        heading = next((one for one in page.body.iter("h1") if plain_text(one)), None)
    if heading is not None:
        shown = str(Inline({}).run(heading, without=lambda one: "ltx_note" in classes(one)))
        if not builder.title or alike(shown, builder.title):
            builder.title = shown
    builder.title = builder.title or page.title
    mark = next((one for one in page.body.iter("div") if one.get("id") == "watermark-tr"), None)
    if match := _ARXIV.search(page.title) or _ARXIV.search(plain_text(mark)):
        builder.metadata["arxiv"] = builder.metadata.get("arxiv") or match["id"]
    if builder.doi is None:
        builder.doi = _printed_doi(content)


def _latex_authors(content: Element) -> list[str]:
    found: list[str] = []
    for name in content.iter("span", "div"):
        if "ltx_personname" not in classes(name):
            continue
        run = Run()
        Inline({}).text(name.text, run)
        for child in name:
            if child.tag == "br":
                break
            if child.tag != "sup" and "ltx_note" not in classes(child):
                Inline({}).child(child, run)
            Inline({}).text(child.tail, run)
        found += [part.strip(" ,&∗*†‡") for part in re.split(r",|\band\b|&|\s{3,}", str(run))]
    return [name for name in found if 2 < len(name) < 100 and "@" not in name]


def _latex_keywords(content: Element) -> list[str]:
    for element in content.iter("div", "section"):
        if "ltx_keywords" in classes(element):
            texts = [plain_text(one) for one in element if "ltx_title" not in classes(one)] or [plain_text(element)]
            text = re.sub(r"^key\s?words?\W*", "", " ".join([element.text or "", *texts]).strip(), flags=re.IGNORECASE)
            return [part.strip(" .") for part in re.split(r"[;,]| and ", text) if part.strip(" .")]
    return []


def _printed_doi(content: Element) -> str | None:
    """A DOI that stands before the first section of the article."""
    for element in content.iter("a", "span", "p", "div", "h2"):
        if element.tag == "h2":
            return None
        if not words(element).isdisjoint(("doi", "citation")) or "doi.org" in (element.get("href") or ""):
            doi = find_doi([element.get("href") or ""]) or find_doi([plain_text(element)[:300]])
            if doi is not None:
                return doi
    return None


def _top_level(content: Element, title: str) -> int:
    """The level of the highest headings of the article, its title left out."""
    levels = [
        int(one.tag[1])
        for one in content.iter("h1", "h2", "h3", "h4", "h5", "h6")
        if (text := plain_text(one)) and not alike(text, title)
    ]
    return min(levels, default=2)


def _add_abstract(builder: PaperBuilder, head: Head) -> None:
    """Where the page shows no abstract but its head has one, it is part of the metadata."""
    if head.abstract:
        builder.metadata["abstract"] = head.abstract[:5000]


def _warn(builder: PaperBuilder, inline: Inline, page: Page) -> None:
    count = sum(inline.hidden.values())
    if count:
        reasons = ", ".join(sorted(inline.hidden))
        builder.metadata["hidden_characters"] = str(count)
        builder.warnings.append(f"{count} characters that the page does not show were set apart ({reasons}).")
    if inline.lost:
        builder.warnings.append(f"{inline.lost} formulas are pictures only: [formula] stands for each.")
    if page.cut:
        builder.warnings.append("The page's markup is nested too deeply or too large: parts of it were left out.")
