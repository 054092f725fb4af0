"""The bundled papers of the task family, read whole: what their sources say is what the parser finds."""

import re
from collections import Counter
from pathlib import Path

import pytest

from pincite_papers.model import Paper
from pincite_papers.pdf.parse import parse_pdf

FAMILY = Path(__file__).resolve().parents[2] / "tasks" / "property_extraction"
NAMES = sorted(path.stem for path in (FAMILY / "papers").glob("*.pdf"))
HEADING = re.compile(r"^=+ (.+)$", re.MULTILINE)
ROW = re.compile(r"^ +\[.*,$", re.MULTILINE)
NUMBER = re.compile(r"(?<= )\[([−-]?\d+(?:\.\d+)?(?:\(\d+\))?)\](?=,)")


def test_there_are_bundled_papers() -> None:
    assert len(NAMES) >= 8


@pytest.fixture(params=NAMES)
def bundled(request: pytest.FixtureRequest) -> tuple[str, Paper]:
    """The source of a bundled paper and what the parser makes of its PDF."""
    source = (FAMILY / "sources" / f"{request.param}.typ").read_text(encoding="utf-8")
    return source, parse_pdf((FAMILY / "papers" / f"{request.param}.pdf").read_bytes(), max_pages=20)


def test_sections_are_those_of_the_source(bundled: tuple[str, Paper]) -> None:
    source, paper = bundled
    printed = [heading.strip() for heading in HEADING.findall(source)]
    found = [section.title for section in paper.sections if section.title not in {"References", "Abstract"}]
    assert found == [heading for heading in printed if heading != "References"]


def test_floats_and_references_are_those_of_the_source(bundled: tuple[str, Paper]) -> None:
    source, paper = bundled
    floats = [*paper.figures, *paper.tables]
    assert all(each.caption is not None and each.label for each in floats)
    assert len(floats) == len(re.findall(r"^\s*caption: ", source, re.MULTILINE))
    assert [reference.key for reference in paper.references] == ["1", "2"]


def test_numbers_of_the_tables_stand_in_cells_of_their_own(bundled: tuple[str, Paper]) -> None:
    source, paper = bundled
    expected = Counter(number for row in ROW.findall(source) for number in NUMBER.findall(row))
    cells = Counter(cell.text for table in paper.tables for cell in table.cells)
    assert expected
    assert expected <= cells
