"""A library on the desk: its search says why each passage is there, and shows it on its page."""

import html
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from pincite_harness.cli.main import app

PAPERS = Path(__file__).parents[3] / "tasks" / "property_extraction" / "papers"


@pytest.fixture(scope="module")
def library(tmp_path_factory: Any) -> Path:
    """A library of three papers from two folders; the file of one is changed after it was added."""
    folder = tmp_path_factory.mktemp("library")
    for place, name in (("garnets", "garnet_electrolyte"), ("alloys", "crconi_alloy"), ("alloys", "mnbi_magnet")):
        (folder / place).mkdir(exist_ok=True)
        shutil.copyfile(PAPERS / f"{name}.pdf", folder / place / f"{name}.pdf")
    added = ["library", "add", str(folder / "garnets"), str(folder / "alloys"), "--library", str(folder / "held")]
    done = CliRunner().invoke(app, added)
    assert done.exit_code == 0, done.output
    (folder / "alloys" / "mnbi_magnet.pdf").write_bytes(b"%PDF-1.7 another one")
    return folder / "held"


@pytest.fixture(scope="module")
def shelf(open_desk: Any, library: Path) -> Iterator[Any]:
    with open_desk(library) as opened:
        yield opened


def test_a_search_says_who_ranked_and_why_each_passage_is_there(shelf: Any) -> None:
    page = html.unescape(shelf.text("library/0?q=total+conductivity+gallium+garnet"))
    assert "words (BM25): ran" in page and "meaning (vectors): skipped" in page
    first, second = page.split('<li class="passage">')[1:3]
    assert "Tantalum and gallium in garnet electrolytes" in first
    assert "words <b>1</b>" in first and "has all words" in first
    assert "lacks" in second and "gallium" in second.partition("lacks")[2]
    assert "pc:" in first
    assert "None" not in page


def test_filters_and_collections_narrow_it_down_and_what_means_nothing_says_so(shelf: Any, library: Path) -> None:
    folder = str(library.parent / "alloys")
    narrowed = shelf.text(f"library/0?q=yield+strength+temperature&collection={folder}")
    assert "garnet electrolytes" not in narrowed and 'class="passage"' in narrowed
    assert "No passage that the filters let pass" in shelf.text("library/0?q=garnet&year=1950")
    assert "not a year" in html.unescape(shelf.text("library/0?q=garnet&year=soon"))
    home = shelf.text("library/0")
    assert folder in home and "2 papers" in home
    listed = shelf.text(f"library/0/papers?collection={folder}")
    assert listed.count('<th scope="row">') == 2
    assert shelf.text("library/0/papers?q=nakagawa").count('<th scope="row">') == 1


def test_a_passage_opens_on_its_page_and_a_changed_file_marks_nothing(shelf: Any, browser: Any) -> None:
    browser.open(f"{shelf.address}/library/0?q=fracture+toughness+gallium+garnet")
    browser.press("j")
    browser.until("document.querySelector('#pane .mark') && document.querySelector('#pane img').complete")
    browser.open(f"{shelf.address}/library/0?q=MnBi+magnet+coercivity")
    browser.press("j")
    browser.until("document.querySelector('#pane mark')")
    said = browser.run("document.getElementById('pane').textContent")
    assert "has changed since" in said and "The library's own text is shown" in said
    assert browser.run("document.querySelectorAll('#pane .mark').length") == 0
    assert not browser.complaints
    opened = shelf.http.get(browser.run("document.querySelector('a.place').href").replace("/passage/", "/paper/"))
    assert opened.status_code == 404
    listed = shelf.text("library/0/papers?q=nakagawa")
    (address,) = re.findall(r'scope="row"><a href="([^"]+)"', listed)
    paper = shelf.http.get(f"http://127.0.0.1:{shelf.port}{address}", follow_redirects=True)
    assert paper.status_code == 200 and "What the parser found" in paper.text
