"""Two runs side by side, two trials of one task, and the charts of runs."""

import html
import re
from collections.abc import Iterator
from typing import Any

import pytest


@pytest.fixture(scope="module")
def two(open_desk: Any, make_run: Any, answer_of: Any, tmp_path_factory: Any) -> Iterator[Any]:
    """A desk with two runs: the second lost some records of one task, has another value in it, and lacks a task."""
    folder = tmp_path_factory.mktemp("two")
    names = ("ybco_oxygen", "crconi_alloy", "garnet_electrolyte")
    first = make_run(folder / "first", {name: answer_of(name) for name in names})
    lost = answer_of("ybco_oxygen")
    del lost["properties"][10:]
    lost["properties"][3]["value_string"] = "99.9"
    second = make_run(folder / "second", {"ybco_oxygen": lost, "crconi_alloy": answer_of("crconi_alloy")})
    with open_desk(first, second) as opened:
        yield opened


def rows(page: str) -> list[str]:
    return re.findall(r"<tr.*?</tr>", page.partition("<tbody>")[2], re.DOTALL)


def test_tasks_that_differ_come_first_with_their_difference(two: Any) -> None:
    page = two.text("compare/0,1")
    first, second, third = rows(page)
    assert "ybco_oxygen" in first and re.search(r"worse\">-0\.\d{3}", first)
    assert "garnet_electrolyte" in second and "not in it" in second
    assert "crconi_alloy" in third and "differs" not in third and "+0.000" in third
    counts = dict(re.findall(r">(all|differ|first is better|second is better|in one run alone) <b>(\d+)</b>", page))
    assert counts == {
        "all": "3",
        "differ": "2",
        "first is better": "1",
        "second is better": "0",
        "in one run alone": "1",
    }
    assert len(rows(two.text("compare/0,1?show=differ"))) == 2
    assert "ybco_oxygen" in rows(two.text("compare/1,0?show=second"))[0], "the other way round"
    assert "No task fits" in two.text("compare/0,1?q=nothing")
    for path, status in (("compare/0", 400), ("compare/0,9", 404), ("compare/0,x", 404), ("compare/0,0", 400)):
        assert two.get(path).status_code == status, path


def test_two_trials_of_one_task_are_compared_record_by_record(two: Any, browser: Any) -> None:
    (address,) = re.findall(r'href="[^"]*/(pair/0,1\?[^"]*ybco_oxygen[^"]*)"', two.text("compare/0,1"))
    page = html.unescape(two.text(html.unescape(address)))
    golds = len(two.site.answer(0, "ybco_oxygen__1").records)
    assert f"{golds - 10 + 1} of {golds} records differ" in page, "those that are lost, and the changed one"
    changed = next(part for part in page.split("<details")[1:] if "99.9" in part)
    assert re.search(r'given differs">99\.9', changed)
    browser.open(f"{two.address}/{html.unescape(address)}")
    browser.press("j")
    browser.run("document.querySelector('.pairing').open = true")
    browser.press("n")
    browser.until("document.querySelector('#pane .mark')")
    assert not browser.complaints
    alone = two.text("pair/0,1?family=property_extraction&task=garnet_electrolyte&attempt=1")
    assert "This run does not have the task" in alone
    assert two.get("pair/0,1?family=x&task=y&attempt=1").status_code == 404


def test_charts_of_reports_and_analyses_are_drawn_in_the_desk(two: Any, browser: Any) -> None:
    browser.open(f"{two.address}/charts/0,1")
    browser.until("document.querySelectorAll('#report svg[role=img]').length >= 3")
    said = browser.run("document.getElementById('report').textContent")
    assert "Paired comparison" in said and "F1 at 0.1 %" in said
    colours = (
        "new Set([...document.querySelectorAll('#report svg rect')].map((each) => getComputedStyle(each).fill)).size"
    )
    assert browser.run(colours) >= 2, "each run has its colour"
    browser.press("2")
    browser.until("document.querySelector('#analyses section h3')")
    assert "Efficiency" in browser.run("document.getElementById('analyses').textContent")
    assert not browser.complaints
    assert two.get("charts/0,1,2").status_code == 404
