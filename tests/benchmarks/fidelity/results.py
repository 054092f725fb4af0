"""Results: what the comparison measured, as lines of print, as a Markdown table and as plots."""

import platform
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from lines import Lines

_Measure = Callable[[Lines], float | None]
QUALITY: dict[str, _Measure] = {
    "body": lambda lines: lines.body.recall,
    "sentences": lambda lines: lines.sentences.recall,
    "headings recall": lambda lines: lines.headings.recall,
    "headings precision": lambda lines: lines.headings.precision if lines.headings.expected else None,
    "captions": lambda lines: lines.captions.recall,
    "tables F1": lambda lines: lines.tables.f1,
    "references": lambda lines: lines.references.recall,
    "figures F1": lambda lines: lines.figures.f1,
    "plots F1": lambda lines: lines.plots.f1,
}
"""The lines of the table by their names."""


@dataclass(slots=True)
class ParserResult:
    """One parser on one set: scores, CPU seconds, pages, peak memory in MiB, files that failed."""

    name: str
    set: str
    lines: Lines
    files: int = 0
    seconds: float = 0.0
    pages: int = 0
    characters: int = 0
    peak_mib: float | None = None
    failures: list[str] = field(default_factory=list)

    @property
    def pages_per_second(self) -> float | None:
        """Pages per CPU second of all its threads and children."""
        return self.pages / self.seconds if self.seconds else None

    def row(self) -> str:
        """A line of print."""
        values = "  ".join(f"{name} {_short(measure(self.lines)):>5}" for name, measure in QUALITY.items())
        return (
            f"{self.name:14} {values}  pages/s {_plain(self.pages_per_second):>6}  peak MiB {_plain(self.peak_mib):>5}"
        )


def write_documents(results: list[ParserResult], folder: Path) -> None:
    """``fidelity.md`` with a table a set, and the plots that it shows."""
    folder.mkdir(parents=True, exist_ok=True)
    parts = [_HEAD.format(python=platform.python_version(), machine=platform.machine())]
    for name in dict.fromkeys(result.set for result in results):
        chosen = [result for result in results if result.set == name]
        plot = f"fidelity-{name}.svg"
        _plot(chosen, name, folder / plot)
        parts += [f"## {name} ({chosen[0].pages} pages)", _table(chosen), f"![Scores and speed on {name}]({plot})"]
        failures = [f"- {result.name}: {failure}" for result in chosen for failure in result.failures]
        parts += ["Failed:", "\n".join(failures)] if failures else []
    (folder / "fidelity.md").write_text("\n\n".join(parts) + "\n", encoding="utf-8")


_HEAD = """# Fidelity, side by side

Written by `python tests/benchmarks/fidelity/compare.py --docs docs/benchmarks` (Python {python}, {machine}). Every
parser read the same files in the same run, each in a process of its own; pages per second are per CPU second. The
measures are defined in `tests/benchmarks/fidelity/README.md`; – means that the parser marks nothing of the kind."""


def _table(results: list[ParserResult]) -> str:
    names = ["parser", *QUALITY, "pages/s", "peak MiB"]
    rows = ["| " + " | ".join(names) + " |", "|---" * len(names) + "|"]
    for result in results:
        cells = [_short(measure(result.lines)) for measure in QUALITY.values()]
        cells += [_plain(result.pages_per_second), _plain(result.peak_mib)]
        rows.append("| " + " | ".join([result.name, *cells]) + " |")
    return "\n".join(rows)


def _short(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def _plain(value: float | None) -> str:
    return "–" if value is None else f"{value:.0f}" if value >= 10 else f"{value:.1f}"


def _plot(results: list[ParserResult], name: str, path: Path) -> None:
    """Scores as dots a measure (left), speed against memory (right)."""
    import matplotlib as mpl

    mpl.use("svg")
    mpl.rcParams["svg.hashsalt"] = "pincite"
    from matplotlib import pyplot as plt

    figure, (scores, speed) = plt.subplots(1, 2, figsize=(11, 4.2), width_ratios=(3, 2), layout="constrained")
    for k, result in enumerate(results):
        style = {"color": f"C{k}", "marker": "D" if k == 0 else "o", "markersize": 8 if k == 0 else 6}
        points = [(place, measure(result.lines)) for place, measure in enumerate(QUALITY.values())]
        shown = [(value, place) for place, value in points if value is not None]
        scores.plot(*zip(*shown, strict=True), linestyle="none", label=result.name, **style) if shown else None
        if result.pages_per_second and result.peak_mib:
            speed.plot(result.pages_per_second, result.peak_mib, **style)
            place = (result.pages_per_second, result.peak_mib)
            speed.annotate(result.name, place, xytext=(6, 4), textcoords="offset points", fontsize=8)
    scores.set(yticks=range(len(QUALITY)), yticklabels=QUALITY, xlim=(-0.02, 1.02), title=name)
    scores.invert_yaxis()
    scores.grid(axis="x", alpha=0.3)
    scores.legend(fontsize=7, loc="center left")
    speed.set(xscale="log", yscale="log", xlabel="pages per CPU second", ylabel="peak memory, MiB")
    speed.margins(0.2)
    speed.grid(alpha=0.3)
    figure.savefig(path, metadata={"Date": None})
    plt.close(figure)
