"""Slices of the benchmarks of figures and tables typeset with known boxes and cells."""

import json
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


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The report of every style; of one that this machine cannot typeset, what is missing."""
    return measure("tables.py", tmp_path_factory.mktemp("tables"), "--count", "2")


def test_hard_tables_are_read(tables: dict[str, Any]) -> None:
    read = {style: scores for style, scores in tables.items() if "missing" not in scores}
    assert len(read) >= 12
    wrong = {
        style: scores
        for style, scores in read.items()
        if scores["right"] != scores["documents"] or scores["f1"] < 0.97 or scores["exact"] < 0.98
    }
    assert not wrong


def test_hard_tables_of_latex_are_read(tables: dict[str, Any], missing: Callable[[str], None]) -> None:
    styles = {style: scores for style, scores in tables.items() if style.startswith("LaTeX")}
    assert len(styles) == 4
    for scores in styles.values():
        if "missing" in scores:
            missing(scores["missing"])
    assert all(scores["f1"] == 1.0 for scores in styles.values()), styles


def test_tables_in_chinese_are_read(tables: dict[str, Any], missing: Callable[[str], None]) -> None:
    if "missing" in tables["Chinese"]:
        missing(tables["Chinese"]["missing"])
    assert tables["Chinese"]["exact"] == 1.0
