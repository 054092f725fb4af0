"""Text that a reader cannot see: how much of what is planted is marked, and how much of clean papers falsely.

    python tests/benchmarks/hidden_text.py

Clean papers are the PDFs of ../shared/data and ones typeset here. A mark on one of them counts as false unless the
page, rendered with and without that text, is the same. The exit status is 1 below 95 % or above 1 %.
"""

import sys
from pathlib import Path

import typst
from parts.planted_text import HIDDEN, VISIBLE, Case, share_of_prompt

from pincite_core.errors import UnreadableError
from pincite_papers.model import FurnitureKind, Paper
from pincite_papers.pdf.parse import parse_pdf

_DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
_LEAST_MARKED, _MOST_FALSE = 0.95, 0.01
_CLEAN = """
#set page(columns: 2)
#set heading(numbering: "1.1")
= Introduction
#lorem(300) $T_c = 92$ K, #text(fill: gray)[grey words], #highlight[marked words].
#figure(rect(fill: navy, width: 4cm, height: 2cm)[#text(fill: white)[A white label]], caption: [A banner.])
#figure(table(columns: 3, fill: (_, y) => if y == 0 { navy } else if calc.odd(y) { luma(240) },
  text(fill: white)[a], text(fill: white)[b], text(fill: white)[c], [1], [2], [3], [4], [5], [6]), caption: [Values.])
#footnote[A note in small print.] #text(size: 4pt)[Very small print.] #lorem(500)
"""


def main() -> int:
    """Print both shares; 1 when one misses its bar."""
    missed = [case.name for case in HIDDEN if not is_marked(case)]
    lost = [case.name for case in VISIBLE if not is_shown(case)]
    marked = 1 - len(missed) / len(HIDDEN)
    print(f"planted: {marked:.1%} of {len(HIDDEN)} hidden texts marked; missed: {', '.join(missed) or 'none'}")
    print(
        f"in sight: {len(VISIBLE) - len(lost)} of {len(VISIBLE)} suspect texts kept; lost: {', '.join(lost) or 'none'}"
    )
    files = [(path.name, path.read_bytes()) for path in sorted(_DATA.rglob("*.pdf"))]
    files.append(("typeset here", typst.compile(_CLEAN.encode(), format="pdf")))
    total = hidden = 0
    for name, data in files:
        paper = parse_pdf(data, max_pages=1000)
        found = hidden_texts(paper)
        total += len(paper.text)
        hidden += sum(len(text) for _, _, text in found)
        for number, reason, text in found:
            print(f"  {name}, page {number}: {reason}: {text[:60]!r} ({len(text)} characters)")
    share = hidden / total
    print(f"clean: {hidden} of {total} characters marked ({share:.3%}) in {len(files)} papers")
    return 0 if marked >= _LEAST_MARKED and not lost and share <= _MOST_FALSE else 1


def hidden_texts(paper: Paper) -> list[tuple[int, str, str]]:
    """(page, reason, text) of what was set apart as hidden."""
    return [
        (page.number, item.reason, item.text)
        for page in paper.pages
        for item in page.furniture
        if item.kind is FurnitureKind.HIDDEN
    ]


def is_marked(case: Case) -> bool:
    """Whether the planted words are set apart for the right reason, and the plain ones are read."""
    try:
        paper = parse_pdf(case.make(), max_pages=9)
    except UnreadableError:
        return False
    found = hidden_texts(paper)
    reasons = {reason for _, reason, _ in found}
    return (
        share_of_prompt([paper.text]) < 0.3
        and share_of_prompt([text for _, _, text in found]) > 0.6
        and (not case.reason or case.reason in reasons)
        and "92 K" in paper.text
    )


def is_shown(case: Case) -> bool:
    """Whether the suspect words are read."""
    try:
        paper = parse_pdf(case.make(), max_pages=9)
    except UnreadableError:
        return False
    return share_of_prompt([paper.text]) > 0.9 and "92 K" in paper.text and not hidden_texts(paper)


if __name__ == "__main__":
    sys.exit(main())
