"""Small papers made by the tests, and libraries that they go into."""

from collections.abc import Callable
from pathlib import Path

import pytest
import typst

from pincite_core.settings import Settings

ARTICLE = """<article article-type="research-article"><front><journal-meta><journal-title-group>
<journal-title>Journal of Made Papers</journal-title></journal-title-group></journal-meta>
<article-meta><article-id pub-id-type="doi">10.1234/{key}</article-id>
<title-group><article-title>{title}</article-title></title-group><pub-date><year>{year}</year></pub-date>
<abstract><p>Of {title} we say a little here.</p></abstract></article-meta></front>
<body><sec><title>Results</title><p>{text}</p>
<p>The critical temperature of {key} is 39 K.</p></sec></body></article>"""


@pytest.fixture
def article() -> Callable[..., str]:
    """The JATS of a small article: ``article(key, title=…, text=…, year=…)``."""

    def make(key: str, *, title: str = "", text: str = "Nothing more is known.", year: int = 2020) -> str:
        return ARTICLE.format(key=key, title=title or f"A study of {key}", text=text, year=year)

    return make


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """Settings whose folders lie under the test's own, one parsing process."""
    papers = tmp_path / "papers"
    papers.mkdir()
    return Settings(
        roots=(papers,),
        cache_dir=tmp_path / "cache",
        papers_dir=tmp_path / "fetched",
        library_dir=tmp_path / "library",
        parse_workers=1,
        source_rates="off",
    )


@pytest.fixture
def papers(settings: Settings, article: Callable[..., str]) -> Path:
    """A folder with three papers, a note that is none, and a hidden file."""
    folder = settings.roots[0]
    (folder / "sub").mkdir()
    for name, key in (("one.xml", "alpha"), ("two.nxml", "beta"), ("sub/three", "gamma")):
        (folder / name).write_text(article(key))
    (folder / "notes.txt").write_text("Buy milk.")
    (folder / ".hidden.xml").write_text(article("hidden"))
    return folder


@pytest.fixture
def tex() -> str:
    """A small LaTeX source."""
    return (
        "\\documentclass{article}\\title{On tin}\\author{A. Smith}\\begin{document}\\maketitle"
        "\\section{Results}The gap of tin is 1.15 meV at low temperature.\\end{document}"
    )


@pytest.fixture
def page() -> str:
    """A small web page of an article."""
    body = "<p>The lattice constant of gold is 4.08 angstrom, as was found long ago by others.</p>" * 8
    head = "<!DOCTYPE html><html><head><title>On gold</title></head>"
    return f"{head}<body><article><h1>On gold</h1>{body}</article></body></html>"


@pytest.fixture(scope="session")
def typeset() -> Callable[[str], bytes]:
    """Typst markup as the bytes of a PDF; the font is one that typst brings along."""
    return lambda source: typst.compile(f'#set text(font: "New Computer Modern")\n{source}'.encode())
