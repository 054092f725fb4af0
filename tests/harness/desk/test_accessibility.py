"""Every view of the desk for people who use a keyboard, a screen reader or little contrast."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from pincite_harness.cli.main import app

PAPER = Path(__file__).parents[3] / "tasks" / "property_extraction" / "papers" / "garnet_electrolyte.pdf"
REPORT = """# Garnets

The relative density of the gallium garnet is 98.4 %, and its activation energy 0.72 eV.

> Both garnets are cubic, space group Ia−3d for tantalum and I−43d for gallium.
"""
TRIAL = "run/0/trial/ybco_oxygen__1"


@pytest.fixture(scope="module")
def everything(open_desk: Any, make_run: Any, answer_of: Any, tmp_path_factory: Any) -> Iterator[Any]:
    """A desk with two runs, a paper, an audited report and a library."""
    folder = tmp_path_factory.mktemp("everything")
    changes = {1: {"evidence": "words that nobody ever printed in this paper"}, 2: {"page": 2}}
    first = make_run(folder / "first", {"ybco_oxygen": answer_of("ybco_oxygen", changes)})
    second = make_run(folder / "second", {"ybco_oxygen": answer_of("ybco_oxygen")})
    report = folder / "garnets.md"
    report.write_text(REPORT)
    collection = folder / "a_collection_whose_name_is_wider_than_the_window_of_a_telephone"
    collection.mkdir()
    added = ["library", "add", shutil.copy(PAPER, collection), "--library", str(folder / "library")]
    assert CliRunner().invoke(app, added).exit_code == 0
    with open_desk(first, second, PAPER, report, folder / "library", sources=[PAPER]) as desk:
        yield desk


def views_of(desk: Any) -> dict[str, str]:
    """Each view's address with what is there once it is drawn."""
    paper = f"paper/{desk.site.given[0]}"
    return {
        "": "document.querySelector('.list')",
        "run/0": "document.querySelector('tr[data-trial]')",
        TRIAL: "document.querySelectorAll('.record').length > 20",
        f"{TRIAL}#step-0-2": "document.querySelector('#step-0-2 pre')",
        f"{TRIAL}/ledger": "true",
        paper: "document.querySelector('.print img')?.complete",
        f"{paper}/plot/0": "document.querySelector('.plot-shown svg')",
        "audit/0/0": "document.querySelector('a.claim')",
        "library/0": "document.querySelector('form')",
        "library/0?q=activation+energy+of+garnets": "document.querySelector('a.place')",
        "library/0/papers": "true",
        "compare/0,1": "document.querySelector('tbody tr')",
        "pair/0,1?family=property_extraction&task=ybco_oxygen&attempt=1": "document.querySelector('a.place')",
        "charts/0,1": "document.querySelector('svg')",
        "run/0/trial/nobody": "true",
    }


def test_axe_finds_nothing_serious_in_any_view(
    everything: Any, browser: Any, serious: Callable[[Any], list[str]]
) -> None:
    found: dict[str, list[str]] = {}
    for path, drawn in views_of(everything).items():
        browser.open(f"{everything.address}/{path}")
        browser.until(drawn)
        if path == TRIAL:
            browser.press("n")
            browser.until("document.querySelector('#pane .mark')")
        found[path] = serious(browser)[:4]
    assert not any(found.values()), found


def test_the_main_actions_of_every_view_have_keys_and_the_focus_is_seen(everything: Any, browser: Any) -> None:
    paper = f"paper/{everything.site.given[0]}"
    marked = "document.querySelector('#pane .mark')"
    pair = "pair/0,1?family=property_extraction&task=ybco_oxygen&attempt=1"
    cases = [
        ("run/0", "j", "document.activeElement.closest('tr[data-trial]')"),
        ("run/0", "/", "document.activeElement.type === 'search'"),
        (TRIAL, "j", "document.activeElement.closest('.record')"),
        (TRIAL, "n", marked),
        (TRIAL, "2/", "document.activeElement.name === 'q'"),
        (paper, "1", "document.querySelector('.show-blocks')"),
        (paper, "/", "document.activeElement.type === 'search'"),
        ("audit/0/0", "j", marked),
        ("library/0?q=activation+energy+of+garnets", "j", marked),
        (pair, "n", marked),
    ]
    views = views_of(everything)
    for path, keys, done in cases:
        browser.open(f"{everything.address}/{path}")
        browser.until(views[path])
        for key in keys:
            browser.press(key)
        browser.until(done)
        outline = browser.run("getComputedStyle(document.activeElement).outlineStyle")
        assert document_has_no_focus(browser) or outline != "none", (path, keys)
        if done == marked:
            browser.press("Escape")
            browser.until("document.activeElement !== document.body")


def document_has_no_focus(browser: Any) -> bool:
    """A key that switches something on leaves the focus where it was."""
    return browser.run("document.activeElement === document.body")
