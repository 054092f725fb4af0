"""Slices of the benchmarks of figures and tables typeset with known boxes and cells."""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

BENCHMARKS = Path(__file__).resolve().parents[1] / "benchmarks" / "float_styles"


def measure(script: str, folder: Path, *options: str) -> dict[str, Any]:
    """What a benchmark reports."""
    report = folder / "report.json"
    subprocess.run(
        [sys.executable, str(BENCHMARKS / script), *options, "--json", str(report)], check=True, capture_output=True
    )
    return json.loads(report.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def figures(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return measure("figures.py", tmp_path_factory.mktemp("figures"), "--count", "20")


def test_every_typeset_figure_is_found_with_its_box(figures: dict[str, Any]) -> None:
    assert figures["figures"] >= 60
    assert figures["right"] == figures["figures"]
    assert figures["least"] >= 0.8


def test_nothing_else_is_a_figure(figures: dict[str, Any]) -> None:
    assert figures["false"] == 0


def test_what_paints_a_figure_is_told(figures: dict[str, Any]) -> None:
    assert figures["kinds"] >= 0.95 * figures["figures"]


def test_the_panels_of_figures_are_found(figures: dict[str, Any]) -> None:
    assert figures["panels_expected"] >= 16
    assert figures["panels"] >= 0.95 * figures["panels_expected"]


def test_hard_tables_are_read(tmp_path: Path) -> None:
    report = measure("tables.py", tmp_path, "--count", "2")
    for style, scores in report.items():
        assert scores["right"] == scores["documents"], style
        assert scores["f1"] >= 0.97, style
        assert scores["exact"] >= 0.98, style


def test_hard_tables_of_latex_are_read(tmp_path: Path, missing: Callable[[str], None]) -> None:
    if shutil.which("pdflatex") is None:
        missing("no pdflatex (apt-get install texlive-latex-recommended)")
    report = measure("tables.py", tmp_path, "--count", "2", "--style", "LaTeX")
    assert len(report) == 4
    assert all(scores["f1"] == 1.0 for scores in report.values()), report
