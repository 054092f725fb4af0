"""docs/heuristics.md is what the notes under the thresholds say."""

from collections.abc import Callable
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).parents[2]
EXPLAINED = (
    "pincite_papers/pdf/layout",
    "pincite_papers/pdf/tables",
    "pincite_papers/pdf/figures",
    "pincite_papers/pdf/captions",
    "pincite_figures/plots",
)
"""Packages in which each threshold of a single number has a note."""


def test_the_page_is_what_the_notes_say(module_at: Callable[[Path], ModuleType]) -> None:
    built = module_at(ROOT / "scripts/build_heuristics_page.py").page()
    assert (ROOT / "docs/heuristics.md").read_text() == built, "run python scripts/build_heuristics_page.py"


def test_thresholds_of_what_reads_pages_have_a_note(module_at: Callable[[Path], ModuleType]) -> None:
    found = module_at(ROOT / "scripts/build_heuristics_page.py").thresholds()
    ours = [one for one in found if one.package in EXPLAINED and "," not in one.name + one.value]
    assert ours
    assert not [f"{one.module}: {one.name}" for one in ours if not one.note]
