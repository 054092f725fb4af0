"""The desk as a browser draws it, under its own policy."""

import json
import time
from pathlib import Path
from typing import Any

TRIAL = "run/0/trial/ybco_oxygen__1"


def test_a_quote_opens_its_page_with_the_mark_where_the_words_are(desk: Any, browser: Any) -> None:
    browser.open(f"{desk.address}/{TRIAL}")
    browser.until("document.querySelectorAll('.record').length > 20")
    browser.press("n")
    browser.until("document.querySelector('#pane .mark')")
    browser.until("document.querySelector('#pane img').complete")
    link = browser.run("document.querySelector('a.place[aria-current]').href")
    spans = link.partition("spans=")[2].split("-")
    paper = desk.site.papers.get(link.partition("/paper/")[2].partition("/")[0])
    ((_, box),) = paper.boxes(int(spans[0]), int(spans[1]))
    drawn = browser.run(
        """(() => {
          const mark = document.querySelector("#pane .mark").getBoundingClientRect();
          const page = document.querySelector("#pane img").getBoundingClientRect();
          const seen = document.getElementById("pane").getBoundingClientRect();
          const inside = mark.top > seen.top && mark.bottom < seen.bottom;
          return [mark.left - page.left, mark.top - page.top, mark.width, mark.height, page.width, inside];
        })()"""
    )
    scale = drawn[4] / paper.pages[0].width
    wanted = [box.x0 * scale, box.y0 * scale, (box.x1 - box.x0) * scale, (box.y1 - box.y0) * scale]
    assert all(abs(one - other) < 1 for one, other in zip(drawn[:4], wanted, strict=True)), (drawn, wanted)
    assert drawn[5], "the mark is brought into view"
    assert not browser.complaints


def test_the_quote_that_is_not_there_says_so_beside_its_page(desk: Any, browser: Any) -> None:
    browser.open(f"{desk.address}/{TRIAL}#record-2")
    browser.until("document.querySelector('#record-2')?.open")
    browser.run("document.querySelector('#record-2 a.place').click()")
    browser.until("document.querySelector('#pane .notice')")
    assert "could not be placed" in browser.run("document.getElementById('pane').textContent")
    assert browser.run("document.querySelectorAll('#pane .mark').length") == 0


def test_a_link_to_a_step_opens_it_and_a_search_finds_it(desk: Any, browser: Any) -> None:
    browser.open(f"{desk.address}/{TRIAL}#step-0-2")
    browser.until("document.querySelector('#step-0-2 pre')?.textContent.includes('Done.')")
    browser.press("/")
    browser.until("document.activeElement.name === 'q'")
    for key in "do it":
        browser.press(key)
    browser.press("Enter")
    browser.until("document.querySelector('#found a')?.textContent.includes('step 1')")
    assert not browser.complaints


def test_rows_move_while_another_process_writes_the_run(
    open_desk: Any, make_run: Any, answer_of: Any, browser: Any, tmp_path: Path
) -> None:
    folder = make_run(tmp_path / "live", {"ybco_oxygen": answer_of("ybco_oxygen")})
    trial = folder / "trials" / "ybco_oxygen__1"
    hidden = tmp_path / "hidden"
    trial.rename(hidden)
    (folder / ".lock").write_text("1")
    with open_desk(folder) as desk:
        browser.open(f"{desk.address}/run/0")
        browser.until("document.querySelector('td.state').textContent.trim() === 'waiting'")
        before = browser.run("document.querySelector('tr[data-trial]').getBoundingClientRect().top")
        trial.mkdir()
        (trial / "agent.log").write_text("")
        browser.until("document.querySelector('td.state').textContent.trim() === 'agent'")
        time.sleep(0.6)  # two changes within one look would be one
        for path in hidden.iterdir():
            path.rename(trial / path.name)
        browser.until("document.querySelector('td.state').textContent.trim() === 'done'")
        assert "1.000" in browser.run("document.querySelector('tr[data-trial]').textContent")
        assert browser.run("document.querySelector('tr[data-trial]').getBoundingClientRect().top") == before
    assert not [each for each in browser.complaints if "EventSource" not in each and "ERR_" not in each]


def test_the_steps_of_a_trial_come_as_its_doors_record_them(
    open_desk: Any, make_run: Any, answer_of: Any, browser: Any, tmp_path: Path
) -> None:
    folder = make_run(tmp_path / "live", {"ybco_oxygen": answer_of("ybco_oxygen")})
    trial = folder / "trials" / "ybco_oxygen__1"
    hidden = tmp_path / "hidden"
    trial.rename(hidden)
    (folder / ".lock").write_text("1")
    (trial / "wire").mkdir(parents=True)
    (trial / "agent.log").write_text("")
    wire = trial / "wire" / "mcp.jsonl"
    steps = "document.querySelectorAll('#steps .step').length"
    with open_desk(folder) as desk:
        browser.open(f"{desk.address}/{TRIAL}")
        browser.until("document.querySelector('#steps').textContent.includes('There are no steps yet')")
        for number in (1, 2):
            with wire.open("a") as file:
                file.write("".join(json.dumps(line) + "\n" for line in exchange(number)))
            browser.until(f"{steps} === {number + 1}")
        assert "read_pages(a.pdf, 2)" in browser.run("document.getElementById('step-0-3').textContent")
        for path in hidden.iterdir():
            path.rename(trial / path.name)
        browser.until("!document.getElementById('live') && document.querySelector('.record')")


def exchange(number: int) -> list[dict[str, Any]]:
    """A call as the tool door records it."""
    at = f"2026-01-01T00:00:0{number}+00:00"
    call = {"name": "read_pages", "arguments": {"paper": "a.pdf", "pages": str(number)}}
    request = {
        "kind": "request",
        "at": at,
        "seq": number,
        "server": "documents",
        "method": "tools/call",
        "params": call,
    }
    result = {"content": [{"type": "text", "text": f"page {number}"}]}
    return [request, {"kind": "response", "at": at, "seq": number, "seconds": 0.1, "result": result}]
