import hashlib
import os
import zipfile
from pathlib import Path

import pytest

from pincite_core.errors import (
    BadInputError,
    EmptySourceError,
    ForbiddenError,
    LimitReachedError,
    NotFoundError,
    UnavailableError,
)
from pincite_library.ingest.looking import ForeignError, look

MOST = 1 << 20


def _foreign(path: Path) -> str:
    with pytest.raises(ForeignError) as caught:
        look(str(path), most=MOST, direct=False)
    assert look(str(path), most=MOST, direct=True).size == path.stat().st_size
    return caught.value.why


def test_a_file_is_told_by_its_bytes(papers: Path, tex: str, page: str) -> None:
    for name, text in (("paper", tex), ("page.txt", page)):
        (papers / name).write_text(text)
    for name in ("one.xml", "sub/three", "paper", "page.txt"):
        looked = look(str(papers / name), most=MOST, direct=False)
        assert looked.digest == hashlib.sha256((papers / name).read_bytes()).hexdigest()


def test_what_is_no_paper_is_foreign_in_a_folder_only(papers: Path) -> None:
    assert "not a paper" in _foreign(papers / "notes.txt")
    (papers / "data.csv").write_bytes(b"a,b\n1,2\n" * 50_000)
    assert "not a paper" in _foreign(papers / "data.csv")


def test_parts_and_styles_of_latex_are_foreign(papers: Path) -> None:
    (papers / "intro.tex").write_text("% \\documentclass{article}\n\\section{Introduction} Words of \\emph{it}.")
    assert "part of a LaTeX source" in _foreign(papers / "intro.tex")
    (papers / "own.cls").write_text("\\NeedsTeXFormat{LaTeX2e}\n\\ProvidesClass{own}\n\\begin{x}\\documentclass")
    assert "style" in _foreign(papers / "own.cls")


def test_an_archive_is_read_whatever_it_holds(papers: Path) -> None:
    with zipfile.ZipFile(papers / "source.zip", "w") as archive:
        archive.writestr("main.tex", "\\documentclass{article}")
    assert look(str(papers / "source.zip"), most=MOST, direct=False).size


def test_files_that_cannot_be_read_say_why(papers: Path) -> None:
    (papers / "empty.xml").touch()
    (papers / "large.pdf").write_bytes(b"%PDF-1.7" + bytes(MOST))
    os.mkfifo(papers / "pipe")
    (papers / "link.xml").symlink_to(papers / "one.xml")
    wrong = {
        "empty.xml": EmptySourceError,
        "large.pdf": LimitReachedError,
        "pipe": BadInputError,
        "none": NotFoundError,
    }
    for name, kind in (wrong | {"link.xml": UnavailableError}).items():
        with pytest.raises(kind):
            look(str(papers / name), most=MOST, direct=True)
    if os.geteuid():
        (papers / "one.xml").chmod(0)
        with pytest.raises(ForbiddenError):
            look(str(papers / "one.xml"), most=MOST, direct=True)


def test_a_file_that_changed_a_moment_ago_is_not_trusted_by_its_time(papers: Path) -> None:
    assert look(str(papers / "one.xml"), most=MOST, direct=True).mtime_ns == 0
    os.utime(papers / "one.xml", ns=(10**18, 10**18))
    assert look(str(papers / "one.xml"), most=MOST, direct=True).mtime_ns == 10**18
