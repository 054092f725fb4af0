"""Print, for figures typeset with known boxes, which are found and how well their boxes agree.

python tests/benchmarks/float_styles/figures.py [--count N] [--first SEED] [--show] [--save DIR] [--json FILE]
"""

import argparse
import json
import sys
from collections import Counter, defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from figure_pages import FigurePaper, TrueFigure, make_paper

from pincite_papers.model import Figure, Paper
from pincite_papers.pdf.parse import parse_pdf

LEAST = 0.8
"""Least intersection over union of a box that counts as right."""


def overlap(figure: Figure, truth: TrueFigure) -> float:
    """Intersection over union of two boxes; 0 on different pages."""
    box = figure.bbox
    if box is None or figure.page != truth.page:
        return 0.0
    x0, y0, x1, y1 = truth.box
    wide, high = min(box.x1, x1) - max(box.x0, x0), min(box.y1, y1) - max(box.y0, y0)
    if wide <= 0 or high <= 0:
        return 0.0
    shared = wide * high
    return shared / ((box.x1 - box.x0) * (box.y1 - box.y0) + (x1 - x0) * (y1 - y0) - shared)


def score(made: FigurePaper, paper: Paper) -> tuple[list[tuple[TrueFigure, float, Figure | None]], list[Figure]]:
    """Each true figure with the overlap of the figure of its label, and the captioned figures that are none."""
    found: list[tuple[TrueFigure, float, Figure | None]] = []
    used: list[Figure] = []
    for truth in made.figures:
        own = [each for each in paper.figures if each.label.split(" ")[-1] == truth.number and each.caption]
        best = max(own, key=lambda each: overlap(each, truth), default=None)
        found.append((truth, overlap(best, truth) if best is not None else 0.0, best))
        used += [best] if best is not None else []
    wrong = [each for each in paper.figures if each not in used and (each.caption or _small(each))]
    return found, wrong


def _small(figure: Figure) -> bool:
    """Whether an uncaptioned figure is smaller than the one that a paper may have."""
    box = figure.bbox
    return box is None or (box.x1 - box.x0) * (box.y1 - box.y0) < 150 * 90


def main() -> None:
    """Typeset, parse and compare the papers asked for."""
    arguments = _arguments()
    seen, right, kinds, panels, wanted = Counter[str](), Counter[str](), 0, 0, 0
    false, worst = 0, defaultdict[str, list[float]](list)
    for seed in range(arguments.first, arguments.first + arguments.count):
        made = make_paper(seed)
        if arguments.save:
            arguments.save.mkdir(parents=True, exist_ok=True)
            (arguments.save / f"{seed}.pdf").write_bytes(made.data)
        found, wrong = score(made, parse_pdf(made.data, max_pages=60))
        false += len(wrong)
        for truth, shared, figure in found:
            seen[truth.style] += 1
            right[truth.style] += shared >= LEAST
            worst[truth.style].append(shared)
            kinds += figure is not None and figure.kind == truth.painted
            letters = [panel.label for panel in figure.panels if panel.bbox and panel.caption] if figure else []
            wanted += len(truth.letters)
            panels += len(set(letters) & set(truth.letters))
            if arguments.show and shared < LEAST:
                box = None if figure is None or figure.bbox is None else (figure.page, *_short(figure))
                print(
                    f"seed {seed} p{truth.page} {truth.number} ({truth.style}): {shared:.2f} {_round(truth)} read {box}"
                )
        for figure in wrong if arguments.show else ():
            print(f"seed {seed}: no figure: {figure.label!r} p{figure.page} {_short(figure)}")
    total = seen.total()
    least = min(min(shares) for shares in worst.values())
    report = {"figures": total, "right": right.total(), "false": false, "least": round(least, 3), "kinds": kinds}
    report |= {"panels": panels, "panels_expected": wanted}
    print("  ".join(f"{name}={value}" for name, value in report.items()))
    if arguments.json:
        arguments.json.write_text(json.dumps(report), encoding="utf-8")


def _short(figure: Figure) -> list[int]:
    box = figure.bbox
    return [] if box is None else [round(edge) for edge in (box.x0, box.y0, box.x1, box.y1)]


def _round(truth: TrueFigure) -> list[int]:
    return [round(edge) for edge in truth.box]


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=30)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--show", action="store_true", help="print every figure that is missed or wrong")
    parser.add_argument("--save", type=Path, help="write the papers to this folder")
    parser.add_argument("--json", type=Path, help="write the totals to this file")
    return parser.parse_args()


if __name__ == "__main__":
    main()
