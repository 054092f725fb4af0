"""Draw the pictures of analyses of runs as SVG files that need no page: docs/analyses.md shows some.

python scripts/draw_analyses.py DIR RUN…      writes DIR/analysis-KEY-N.svg, one for each picture of each analysis
"""

import re
import sys
from importlib.resources import files
from pathlib import Path

from pincite_harness.analyses.trials import TrialData
from pincite_harness.analyses.write import analyse_group
from pincite_harness.reports import Selection
from pincite_harness.reports.groups import group_runs
from pincite_harness.reports.write import read_selected

_SVG = re.compile(r"<svg .*?</svg>", re.DOTALL)
_PAPER = '<rect width="100%" height="100%" style="fill: var(--card)"/>'


def main(out: Path, runs: list[Path]) -> None:
    """Draw every picture of the runs."""
    selected = read_selected(runs, Selection())
    data = TrialData((), {run.path: keys for run, keys, _ in selected})
    style = files("pincite_harness.reports").joinpath("report.css").read_text(encoding="utf-8")
    out.mkdir(parents=True, exist_ok=True)
    for group in group_runs([parts for _, _, parts in selected]):
        for analysis in analyse_group(group, data):
            for number, drawing in enumerate(_SVG.findall(analysis.picture), start=1):
                path = out / f"analysis-{analysis.key}-{number}.svg"
                path.write_text(_alone(drawing, style), encoding="utf-8")
                sys.stdout.write(f"wrote {path}\n")


def _alone(drawing: str, style: str) -> str:
    """A drawing with the style sheet and a background of its own."""
    opening, rest = drawing.split(">", 1)
    box = re.search(r'viewBox="0 0 (\S+) (\S+)"', opening)
    size = f' width="{box[1]}" height="{box[2]}"' if box is not None else ""
    return f'{opening} xmlns="http://www.w3.org/2000/svg"{size}><style>{style}</style>{_PAPER}{rest}\n'


if __name__ == "__main__":
    main(Path(sys.argv[1]), [Path(argument) for argument in sys.argv[2:]])
