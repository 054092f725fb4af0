"""The static copy: it opens from the disk, without a server, a script or the network."""

import html
import re
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from pincite_core.errors import BadInputError
from pincite_core.settings import load_settings
from pincite_harness.cli.main import app
from pincite_harness.desk.export import export
from pincite_harness.desk.targets import read_targets


@pytest.fixture(scope="module")
def copied(make_run: Any, answer_of: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The copy of a run of two trials, made by the command."""
    changes = {1: {"evidence": "words that nobody ever printed in this paper"}}
    answers = {"ybco_oxygen": answer_of("ybco_oxygen", changes), "crconi_alloy": answer_of("crconi_alloy")}
    run = make_run(tmp_path_factory.mktemp("copied") / "run", answers)
    folder = run.parent / "copy"
    done = CliRunner().invoke(app, ["view", str(run), "--export", str(folder)])
    assert done.exit_code == 0, done.output
    assert f"{folder}/index.html: 2 trials" in done.output
    return folder


def test_every_link_of_the_copy_leads_to_what_is_there(copied: Path) -> None:
    missing: list[str] = []
    for page in copied.glob("*.html"):
        text = page.read_text()
        ids = set(re.findall(r' id="([^"]+)"', text))
        for address in map(html.unescape, re.findall(r'(?:href|src)="([^"]+)"', text)):
            name, _, anchor = address.partition("#")
            if (name and not (copied / name).is_file()) or (anchor and not name and anchor not in ids):
                missing.append(f"{page.name}: {address}")
        assert "<script" not in text
    assert not missing


def test_the_copy_opens_from_the_disk_with_marks_on_pictures(copied: Path, browser: Any, serious: Any) -> None:
    browser.open((copied / "index.html").as_uri())
    assert not serious(browser)
    browser.open((copied / "index.html").as_uri())
    browser.run("document.querySelector('tbody a').click()")
    browser.until("document.querySelector('.record a.place')")
    browser.run("document.querySelector('.record a.place').click()")
    browser.until("location.hash === '#place-1'")
    browser.until("document.querySelector('#place-1 img').naturalWidth > 500")
    page = "document.querySelector('#place-1 .print').getBoundingClientRect()"
    mark = "document.querySelector('#place-1 .mark').getBoundingClientRect()"
    assert browser.run(f"(({page}.left < {mark}.left) && ({mark}.right < {page}.right) && {mark}.width > 20)")
    assert browser.run("getComputedStyle(document.querySelector('.pane')).position") == "sticky", "the style is loaded"
    lost = browser.run("document.querySelector('#record-2 a.place').hash")
    assert "nothing is marked" in browser.run(f"document.querySelector('{lost}').textContent")
    assert not serious(browser)
    assert not browser.complaints


def test_a_copy_goes_into_a_new_folder_and_is_of_one_run(copied: Path) -> None:
    run = copied.parent / "run"
    with pytest.raises(BadInputError, match="is there already"):
        export(read_targets([run]), load_settings(), copied)
    with pytest.raises(BadInputError, match="one trial is copied at a time"):
        paper = Path(__file__).parents[3] / "tasks/property_extraction/papers/ybco_oxygen.pdf"
        export(read_targets([run, paper]), load_settings(), copied.parent / "other")
    one = export(read_targets([run / "trials" / "crconi_alloy__1"]), load_settings(), copied.parent / "one")
    assert one.index.name == "crconi_alloy__1.html"
    assert not (copied.parent / "one" / "ybco_oxygen__1.html").exists()


def test_one_page_holds_a_trial_with_its_pictures(copied: Path, browser: Any, tmp_path: Path) -> None:
    page = tmp_path / "away" / "trial.html"
    trial = copied.parent / "run" / "trials" / "ybco_oxygen__1"
    done = CliRunner().invoke(app, ["view", str(trial), "--export", str(page)])
    assert (done.exit_code, [each.name for each in page.parent.iterdir()]) == (0, ["trial.html"]), done.output
    text = page.read_text()
    ids = set(re.findall(r' id="([^"]+)"', text))
    links = set(map(html.unescape, re.findall(r' (?:href|src)="([^"]+)"', text)))
    assert not [each for each in links if not each.startswith("data:image/") and each[1:] not in ids]
    assert text.count("data:image/webp") == len(re.findall("<symbol", text)), "a page is held once"
    browser.open(page.as_uri())
    browser.run("document.querySelector('.record a.place').click()")
    browser.until("location.hash === '#place-1'")
    sheet = "document.querySelector('#place-1 .print').getBoundingClientRect()"
    mark = "document.querySelector('#place-1 .mark').getBoundingClientRect()"
    assert browser.run(f"(({sheet}.left < {mark}.left) && ({mark}.right < {sheet}.right) && {mark}.width > 20)")
    drawn = "document.querySelector('#place-1 svg.page use').getBoundingClientRect()"
    assert browser.run(f"Math.abs({drawn}.width - {sheet}.width) < 2 && Math.abs({drawn}.height - {sheet}.height) < 2")
    assert not browser.complaints
    with pytest.raises(BadInputError, match="A page holds one trial"):
        export(read_targets([copied.parent / "run"]), load_settings(), tmp_path / "both.html")
    with pytest.raises(BadInputError, match="is there already"):
        export(read_targets([trial]), load_settings(), page)
