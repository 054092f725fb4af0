"""Full texts: ``.txt`` files of a corpus as the JATS of PMC, and as the LaTeX and HTML of arXiv.

The small language: blocks parted by empty lines. ``# Words`` is a heading; lines that begin with ``|`` are a table, of
which the first row is the head and the paragraph before it, if it begins with "Table", the caption; everything else is
a paragraph. Title, authors and abstract come from works.jsonl.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal
from xml.sax.saxutils import escape, quoteattr

from pincite_tasks.corpus.work import CorpusWork

_LICENCES = {
    "cc-by": "https://creativecommons.org/licenses/by/4.0/",
    "cc0": "https://creativecommons.org/publicdomain/zero/1.0/",
}
_TEX = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
}  # fmt: skip
_RULE = re.compile(r"\|?[\s:|-]+\|?")


@dataclass(frozen=True, slots=True)
class Block:
    """A heading, a paragraph, or a table of rows with its caption."""

    kind: Literal["heading", "paragraph", "table"]
    text: str = ""
    rows: tuple[tuple[str, ...], ...] = ()

    @property
    def plain(self) -> str:
        """Its words; the rows of a table on lines of their own, their cells parted by tabs."""
        return "\n".join(filter(None, (self.text, *("\t".join(row) for row in self.rows))))


def read_blocks(text: str) -> list[Block]:
    """The blocks of a ``.txt`` text."""
    blocks: list[Block] = []
    for part in re.split(r"\n\s*\n", text.strip()):
        words = " ".join(part.split())
        if words.startswith("|"):
            caption = ""
            if blocks and blocks[-1].kind == "paragraph" and blocks[-1].text.startswith("Table"):
                caption = blocks.pop().text
            blocks.append(Block("table", caption, _rows(part)))
        elif words.startswith("#"):
            blocks.append(Block("heading", words.lstrip("# ")))
        elif words:
            blocks.append(Block("paragraph", words))
    return blocks


def as_jats(work: CorpusWork, text: str, cited: Sequence[CorpusWork]) -> str:
    """A text as JATS (Journal Article Tag Suite) with the work's front matter and its references."""
    body, inside = "", False
    for number, block in enumerate(read_blocks(text), start=1):
        if block.kind == "heading":
            body += f"{'</sec>' if inside else ''}<sec id='s{number}'><title>{escape(block.text)}</title>"
            inside = True
        elif block.kind == "table":
            label, _, caption = block.text.partition(".")
            body += (
                f"<table-wrap id='t{number}'><label>{escape(label)}</label><caption><p>{escape(caption.strip())}</p>"
                f"</caption>{_html_table(block)}</table-wrap>"
            )
        else:
            body += f"<p>{escape(block.text)}</p>"
    listed = "".join(_reference(at, one) for at, one in enumerate(cited, 1))
    back = f"<back><ref-list>{listed}</ref-list></back>" if listed else ""
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<article xmlns:xlink="http://www.w3.org/1999/xlink"'
        f' article-type="research-article">{_front(work)}<body>{body}{"</sec>" if inside else ""}</body>'
        f"{back}</article>"
    )


def as_latex(work: CorpusWork, text: str, cited: Sequence[CorpusWork]) -> str:
    """A text as the LaTeX source that its authors would have submitted."""
    authors = r" \and ".join(_tex(f"{given} {family}".strip()) for family, given in work.names)
    lines = [
        r"\documentclass{article}",
        rf"\title{{{_tex(work.title)}}}",
        rf"\author{{{authors}}}",
        r"\begin{document}",
        r"\maketitle",
        rf"\begin{{abstract}}{_tex(work.abstract)}\end{{abstract}}",
    ]
    for block in read_blocks(text):
        if block.kind == "heading":
            lines += ["", rf"\section{{{_tex(block.text)}}}"]
        elif block.kind == "table":
            rows = [" & ".join(map(_tex, row)) + r" \\" for row in block.rows]
            caption = _tex(block.text.partition(".")[2].strip())
            columns = "l" * len(block.rows[0])
            lines += ["", rf"\begin{{table}}\caption{{{caption}}}", rf"\begin{{tabular}}{{{columns}}}", rows[0]]
            lines += [r"\hline", *rows[1:], r"\end{tabular}", r"\end{table}"]
        else:
            lines += ["", _tex(block.text)]
    if cited:
        items = [rf"\bibitem{{{one.id}}} {_tex(_cited_words(one))}" for one in cited]
        lines += ["", r"\begin{thebibliography}{99}", *items, r"\end{thebibliography}"]
    return "\n".join([*lines, r"\end{document}", ""])


def as_html(work: CorpusWork, text: str, cited: Sequence[CorpusWork]) -> str:
    """A text as a web page."""
    tags = {"heading": "h2", "paragraph": "p"}
    body = "".join(
        f"<p>{escape(block.text)}</p>{_html_table(block)}"
        if block.kind == "table"
        else f"<{tags[block.kind]}>{escape(block.text)}</{tags[block.kind]}>"
        for block in read_blocks(text)
    )
    authors = ", ".join(f"{given} {family}".strip() for family, given in work.names)
    listed = "".join(f"<li>{escape(_cited_words(one))}</li>" for one in cited)
    references = f"<h2>References</h2><ol>{listed}</ol>" if listed else ""
    return (
        f"<!DOCTYPE html><html lang='en'><head><meta charset='utf-8'><title>{escape(work.title)}</title></head><body>"
        f"<article><h1>{escape(work.title)}</h1><p>{escape(authors)}</p><h2>Abstract</h2><p>{escape(work.abstract)}</p>"
        f"{body}{references}</article></body></html>"
    )


def licence_url(licence: str) -> str:
    """The address of a licence, "" for one that is not known."""
    return _LICENCES.get(licence, "")


def _rows(part: str) -> tuple[tuple[str, ...], ...]:
    lines = [line.strip() for line in part.splitlines() if not _RULE.fullmatch(line.strip())]
    return tuple(tuple(cell.strip() for cell in line.strip("|").split("|")) for line in lines)


def _front(work: CorpusWork) -> str:
    year, month, day = (*work.published.split("-"), "", "")[:3]
    names = "".join(
        f'<contrib contrib-type="author"><name><surname>{escape(family)}</surname>'
        f"<given-names>{escape(given)}</given-names></name></contrib>"
        for family, given in work.names
    )
    ids = (("doi", work.doi), ("pmc", work.pmcid), ("pmid", work.pmid))
    listed = "".join(f'<article-id pub-id-type="{kind}">{escape(value)}</article-id>' for kind, value in ids if value)
    dated = "".join(
        f"<{tag}>{value}</{tag}>" for tag, value in (("day", day), ("month", month), ("year", year)) if value
    )
    url = licence_url(work.licence)
    licence = f"<permissions><license xlink:href={quoteattr(url)}/></permissions>" if url else ""
    return (
        f"<front><journal-meta><journal-title-group><journal-title>{escape(work.venue)}</journal-title>"
        f"</journal-title-group></journal-meta><article-meta>{listed}<title-group><article-title>{escape(work.title)}"
        f'</article-title></title-group><contrib-group>{names}</contrib-group><pub-date pub-type="epub">{dated}'
        f"</pub-date>{licence}<abstract><p>{escape(work.abstract)}</p></abstract></article-meta></front>"
    )


def _reference(number: int, work: CorpusWork) -> str:
    doi = f' <pub-id pub-id-type="doi">{escape(work.own_doi)}</pub-id>' if work.own_doi else ""
    return f"<ref id='r{number}'><mixed-citation>{escape(_cited_words(work))}{doi}</mixed-citation></ref>"


def _cited_words(work: CorpusWork) -> str:
    family, given = work.names[0]
    others = " et al." if len(work.authors) > 1 else ""
    return f"{given} {family}{others}, {work.title}, {work.venue or 'preprint'} ({work.published[:4]})."


def _html_table(block: Block) -> str:
    head, *rows = block.rows
    cells = "".join(f"<th>{escape(cell)}</th>" for cell in head)
    lines = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows)
    return f"<table><thead><tr>{cells}</tr></thead><tbody>{lines}</tbody></table>"


def _tex(text: str) -> str:
    return "".join(_TEX.get(character, character) for character in text)
