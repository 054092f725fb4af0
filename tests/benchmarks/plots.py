"""Print how well read_plot reads the plots of tests/figures/plots: a row a plot, and the totals.

    python tests/benchmarks/plots.py [--only WORD] [--out FOLDER] [--show]

Errors are shares of the axis range (decades on logarithmic axes) at the true points. ``--out`` writes contact sheets:
the series as they were read, drawn over the rendered plots.
"""

import argparse
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "figures" / "plots"))

import numpy as np
from plot_cases import CASES
from plot_others import have
from plot_score import Score, read_drawn, score
from plot_sheet import Sheet


def main() -> None:
    """Draw, read, score."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", help="plots whose name contains this")
    parser.add_argument("--out", type=Path, help="folder for contact sheets")
    parser.add_argument("--show", action="store_true", help="print every series")
    arguments = parser.parse_args()
    sheet = Sheet(arguments.out) if arguments.out else None
    scores: list[Score] = []
    seconds = 0.0
    print(f"{'plot':34} {'median':>8} {'p95':>8} {'series':>8} {'false':>6} {'names':>7}  refused")
    for case in CASES:
        if arguments.only not in case.name:
            continue
        if not have(case.needs):
            print(f"{case.name:34} {case.needs} is missing")
            continue
        with tempfile.TemporaryDirectory() as folder:
            drawn = case.draw(Path(folder))
        start = time.process_time()
        plot, box, page = read_drawn(drawn)
        seconds += time.process_time() - start
        found = score(drawn, plot)
        scores.append(found)
        print(_row(case.name, found))
        if arguments.show:
            for panel in plot.panels:
                for series in panel.series:
                    look = f"{series.kind} {series.name!r} {series.color} n={len(series)}"
                    print(f"    {panel.label:2} {look} {series.notes}")
        if sheet is not None:
            sheet.add(case.name, drawn.pdf, page, box, plot)
    if sheet is not None:
        sheet.close()
    _totals(scores, seconds)


def _row(name: str, found: Score) -> str:
    if found.right_refusal is not None:
        verdict = "" if found.right_refusal else "WRONG"
        return f"{name:34} {'':26} {found.false_series:>6} {'':>7}  {found.refused or 'READ'} {verdict}"
    median, high = (np.percentile(found.errors, p) if found.errors else 1.0 for p in (50, 95))
    return (
        f"{name:34} {median:8.3%} {high:8.3%} {found.recalled:>4}/{found.true_series:<3} {found.false_series:>6} "
        f"{found.right_names:>3}/{found.named:<3}  {found.refused}"
    )


def _totals(scores: list[Score], seconds: float) -> None:
    plots = [found for found in scores if found.right_refusal is None]
    errors = np.concatenate([found.errors for found in plots]) if plots else np.array([1.0])
    medians = [float(np.median(found.errors)) for found in plots if found.errors]
    print(f"\n{len(plots)} plots, {len(errors)} true points, {seconds:.1f} CPU s")
    high, worst, false = np.percentile(errors, 95), max(medians, default=1), sum(f.false_series for f in plots)
    print(f"error: median {np.median(errors):.4%}, 95th percentile {high:.4%}, worst plot's median {worst:.4%}")
    print(f"series: {sum(f.recalled for f in plots)} of {sum(f.true_series for f in plots)} read, {false} false")
    print(f"legend names: {sum(f.right_names for f in plots)} of {sum(f.named for f in plots)} right")
    print(f"panel letters: {sum(f.right_labels for f in plots)} of {sum(f.panels for f in plots)} right")
    others = [found for found in scores if found.right_refusal is not None]
    print(f"no plots: {sum(bool(f.right_refusal) for f in others)} of {len(others)} refused for the right reason")


if __name__ == "__main__":
    main()
