"""Print how faithfully ``parse_pdf`` reads the PDFs whose truth is known: a publisher's XML, or our own typesetting.

python tests/benchmarks/fidelity [--set NAME] [--paper PART] [--misses N] [--json FILE]
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pypdfium2

sys.path.insert(0, str(Path(__file__).parent))

from load import load_truth
from pairs import SETS, find_pairs
from scores import PaperScore, score_paper, totals
from truth import Truth
from typeset import TYPESET, typeset_papers

from pincite_core.errors import PinciteError
from pincite_papers.pdf.parse import parse_pdf

_HEADER = (
    f"{'paper':22} {'raw':>5} {'body':>6} {'par.':>7} {'headings':>9} {'fig.':>5} {'tab.':>5} {'cells':>9} "
    f"{'adj.F1':>6} {'refs':>9} {'DOIs':>7} {'cited':>13} {'front':>8}"
)


def main() -> int:
    """Score every pair asked for; 1 when no pair was found."""
    arguments = _arguments()
    report: dict[str, object] = {}
    with tempfile.TemporaryDirectory(prefix="pincite-fidelity-") as folder:
        for name in [arguments.set] if arguments.set else (*SETS, TYPESET):
            papers = _papers(name, Path(folder))
            scores = [_score(pdf, truth) for pdf, truth in papers if not arguments.paper or arguments.paper in pdf.name]
            if scores:
                _print(name, scores, arguments.misses)
                report[name] = {"totals": totals(scores), "misses": {each.name: each.misses for each in scores}}
    if arguments.json:
        arguments.json.write_text(json.dumps(report, ensure_ascii=False, indent=1), encoding="utf-8")
    if not report:
        print("No PDF with a known truth was found.", file=sys.stderr)
    return 0 if report else 1


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--set", choices=(*SETS, TYPESET), help="only this set of pairs")
    parser.add_argument("--paper", help="only papers whose file name holds this")
    parser.add_argument("--misses", type=int, default=12, help="how many misses of each paper to name")
    parser.add_argument("--json", type=Path, help="write totals and every miss to this file")
    return parser.parse_args()


def _papers(name: str, folder: Path) -> Iterator[tuple[Path, Truth]]:
    if name == TYPESET:
        return typeset_papers(folder)
    return ((pdf, load_truth(xml)) for pdf, xml in find_pairs(name))


def _score(pdf: Path, truth: Truth) -> PaperScore:
    data = pdf.read_bytes()
    try:
        paper = parse_pdf(data, max_pages=1000)
    except PinciteError as error:
        raise SystemExit(f"{pdf.name}: {error}") from error
    return score_paper(pdf.stem, truth, paper, _raw_text(data))


def _raw_text(data: bytes) -> str:
    document = pypdfium2.PdfDocument(data)
    try:
        return " ".join(page.get_textpage().get_text_range() for page in document)
    finally:
        document.close()


def _print(name: str, scores: list[PaperScore], misses: int) -> None:
    print(f"\n{name}\n{_HEADER}")
    for each in scores:
        print(_row(each))
    print("total:", "  ".join(f"{key}={_short(value)}" for key, value in totals(scores).items()))
    for each in scores:
        shown = each.misses[:misses]
        if shown:
            print(f"  {each.name}: {len(each.misses)} differences")
        for miss in shown:
            print(f"    {miss}")


def _row(each: PaperScore) -> str:
    f1 = each.cells.adjacency_f1
    return (
        f"{each.name:22} {each.floor:5.3f} {each.body.similarity:6.4f} "
        f"{each.body.whole_paragraphs:3}/{each.body.paragraphs:<3} "
        f"{each.headings.found:2}/{each.headings.expected}({each.headings.reported})".ljust(54)
        + f"{each.figures.found:2}/{each.figures.expected:<2} {each.tables.found:2}/{each.tables.expected:<2} "
        f"{each.cells.exact:4}/{each.cells.cells:<4} {'' if f1 is None else f'{f1:.3f}':>6} "
        f"{each.references.found:3}/{each.references.expected}({each.references.reported}) "
        f"{each.references.dois:3}/{each.references.expected_dois:<3} "
        f"{each.xrefs.found:4}/{each.xrefs.expected}({each.xrefs.reported}) "
        f"{_sum(each, 0):4}/{_sum(each, 1)}({_sum(each, 2)})"
    )


def _sum(each: PaperScore, part: int) -> int:
    return sum(counts[part] for counts in each.front.counts.values())


def _short(value: float | None) -> str:
    return "-" if value is None else f"{value:.4f}" if isinstance(value, float) else str(value)


if __name__ == "__main__":
    raise SystemExit(main())
