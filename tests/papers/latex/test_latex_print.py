"""The same source typeset by pdflatex and read as a PDF says the same: words, numbers, captions, headings."""

import re
import shutil
import subprocess
import unicodedata
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from latex_archives import blocks, read

from pincite_papers.model import BlockKind, Paper
from pincite_papers.pdf.parse import parse_pdf

SOURCES = Path(__file__).parent / "sources"
PAGE_NUMBERS = {"1", "2", "3", "4"}


@pytest.fixture(scope="module")
def both(missing: Callable[[str], None], tmp_path_factory: pytest.TempPathFactory) -> tuple[Paper, Paper]:
    """The article as its source and as its print, pictures as empty boxes."""
    if shutil.which("pdflatex") is None:
        missing("no pdflatex (Debian: apt-get install texlive-latex-recommended texlive-fonts-recommended)")
    folder = tmp_path_factory.mktemp("print")
    source = (SOURCES / "article.tex").read_bytes()
    (folder / "article.tex").write_bytes(
        source.replace(b"{article}", b"{article}\\PassOptionsToPackage{demo}{graphicx}")
    )
    for _ in range(2):
        command = ["pdflatex", "-interaction=nonstopmode", "article.tex"]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace", timeout=120)
    if not (folder / "article.pdf").exists():
        pytest.fail(done.stdout[-2000:])
    return read(source), parse_pdf((folder / "article.pdf").read_bytes(), max_pages=9)


def words(text: str) -> Counter[str]:
    return Counter(re.findall(r"[^\W\d_]{2,}", unicodedata.normalize("NFKC", text).lower()))


def numbers(text: str) -> Counter[str]:
    return Counter(re.findall(r"\d+(?:\.\d+)?", unicodedata.normalize("NFKC", text)))


def test_the_words_are_those_of_the_print(both: tuple[Paper, Paper]) -> None:
    source, printed = words(both[0].text), words(both[1].text)
    assert 2 * (source & printed).total() / (source.total() + printed.total()) > 0.96


def test_no_number_of_the_source_is_missing_from_the_print_or_added_to_it(both: tuple[Paper, Paper]) -> None:
    source, printed = numbers(both[0].text), numbers(both[1].text)
    assert not source - printed
    # The print has page numbers, and fractions and scripts that its reader may repeat.
    assert set(printed - source) <= PAGE_NUMBERS


def test_headings_and_labels_are_those_of_the_print(both: tuple[Paper, Paper]) -> None:
    source, printed = both
    numbered = {(one.number, one.title) for one in source.sections if one.number[:1].isdecimal() and one.level < 3}
    assert len(numbered) == 4
    assert numbered <= {(one.number, one.title) for one in printed.sections}
    assert [table.label for table in source.tables] == [table.label for table in printed.tables]
    assert {"Figure 1"} == {figure.label for figure in source.figures}
    captions = blocks(printed, BlockKind.CAPTION)
    assert "Table 1: Critical temperatures T_c." in captions
    assert "Table 1: Critical temperatures T_c." in blocks(source, BlockKind.CAPTION)
