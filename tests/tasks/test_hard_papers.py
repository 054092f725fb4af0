"""The long papers: truth and records are what the sources build, and a paper is set again to the same text."""

import json
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pypdfium2
import pytest

REPOSITORY = Path(__file__).parents[2]
SHARED = REPOSITORY / "tasks" / "shared"
NOTICE = "Invented results"


@pytest.fixture(scope="session")
def script(module_at: Callable[[Path], ModuleType]) -> Callable[[str], ModuleType]:
    return lambda name: module_at(REPOSITORY / "scripts" / f"{name}.py")


def pages(path: Path) -> list[str]:
    document = pypdfium2.PdfDocument(path)
    try:
        return [page.get_textpage().get_text_range() for page in document]
    finally:
        document.close()


def test_truth_is_what_the_sources_write(script: Callable[[str], ModuleType]) -> None:
    papers = script("build_hard_papers")
    assert {path.stem for path in (SHARED / "truth").iterdir()} == set(papers.names())
    for name in papers.names():
        assert (SHARED / "truth" / f"{name}.json").read_bytes() == papers.truth(name), name


def test_papers_are_long_and_small_and_every_page_says_that_it_is_invented() -> None:
    for path in (SHARED / "papers").iterdir():
        texts = pages(path)
        assert 15 <= len(texts) <= 40, path.name
        assert all(NOTICE in text for text in texts), path.name
        assert path.stat().st_size < 250_000, path.name


def test_a_paper_is_set_again_to_the_same_text(script: Callable[[str], ModuleType], tmp_path: Path) -> None:
    built = script("build_hard_papers").set_paper("selenide_pressure", tmp_path)
    assert pages(built) == pages(SHARED / "papers" / built.name)


def test_records_are_what_the_truth_builds(script: Callable[[str], ModuleType]) -> None:
    files, faults = script("build_hard_records").build()
    assert faults == []
    for name, content in files.items():
        assert (REPOSITORY / "tasks" / name).read_bytes() == content, name
    for family in ("property_extraction", "record_filling"):
        lines = (REPOSITORY / "tasks" / family / "records-hard.jsonl").read_text(encoding="utf-8").splitlines()
        assert len({json.loads(line)["task_id"] for line in lines}) >= 10
