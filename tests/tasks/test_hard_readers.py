"""The hard sets of tables and analyses keep a reader of one page and a reader of all pages apart."""

import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"


@pytest.mark.parametrize("family", ["table_construction", "figure_analysis"])
def test_rules_that_read_all_pages_beat_rules_that_read_one(
    module_at: Callable[[Path], ModuleType], monkeypatch: pytest.MonkeyPatch, family: str
) -> None:
    monkeypatch.setattr(sys, "path", [str(BENCHMARKS), *sys.path])
    bench = module_at(BENCHMARKS / "weak_strong_papers.py")
    means = bench.means(bench.measure(family, {}))
    assert means["difference"] >= bench.LEAST, means
    assert means["strong"] < 1.0, "a set that rules solve wholly measures nothing"
