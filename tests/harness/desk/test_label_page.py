"""The page that people label on: keys, labels after a kill, hostile texts, and the page without a server."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from typer.testing import CliRunner

from pincite_core.settings import load_settings
from pincite_harness.cli.main import app
from pincite_harness.labels.label_file import Given, LabelFile
from pincite_harness.labels.making import Wanted, make
from pincite_harness.labels.one_page import write_page
from pincite_harness.labels.queue import read_queue
from pincite_scoring.judging.rubrics import find_rubric

HOSTILE = "</script><script>window.ran = 1</script><img src=x onerror='window.ran = 1'>"


@pytest.fixture(scope="module")
def queue(make_run: Any, answer_of: Any, tmp_path_factory: Any) -> Path:
    """A queue of five quotes; the record of the first one is hostile."""
    folder = tmp_path_factory.mktemp("label-page")
    answer = answer_of("ybco_oxygen", {0: {"evidence": f"{HOSTILE} nobody printed this"}})
    answer["properties"][0]["value_string"] = HOSTILE
    run = make_run(folder / "run", {"ybco_oxygen": answer})
    wanted = Wanted("labels/evidence", 5, doubtful=True)
    make([run], find_rubric(wanted.rubric), wanted, folder / "queue", load_settings())
    return folder / "queue"


@contextmanager
def served(queue: Path, by: str) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """``pincite label serve`` as a user starts it."""
    program = [Path(sys.executable).with_name("pincite"), "label", "serve", queue, "--by", by, "--no-browser"]
    with subprocess.Popen(program, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip(), process
        finally:
            process.kill()


def labels(queue: Path, by: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (queue / "labels" / f"{by}.jsonl").read_text().splitlines()]


def test_labels_of_keys_are_on_the_disk_after_a_kill(queue: Path, browser: Any, serious: Any) -> None:
    with served(queue, "ann") as (address, process):
        browser.open(address)
        browser.until("document.querySelector('#pane .notice, #pane .sheet')")
        assert browser.run("document.querySelectorAll('.subject script, .subject img').length") == 0
        assert browser.run("window.ran ?? 0") == 0
        for key in ("1", "2", "3", "f", "Enter", "3", "3", "3"):
            browser.press(key)
        browser.until("document.getElementById('saved').textContent === 'saved'")
        assert browser.run("document.getElementById('count').textContent").startswith("item 2 of 5, 2 labelled")
        assert browser.run("document.querySelectorAll('#pane .mark').length") >= 1
        browser.run("document.getElementById('note').focus()")
        for key in "a1":
            browser.press(key)
        browser.press("Escape")
        browser.until("document.getElementById('saved').textContent === 'saved'")
        assert not serious(browser)
        assert not browser.complaints
        os.kill(process.pid, signal.SIGKILL)
    first, second = labels(queue, "ann")
    assert first["labels"] == {"property": "wrong", "value": "unsure", "quote": "right"}
    assert first["flagged"] and "flagged" not in second
    assert second["labels"] == dict.fromkeys(("property", "value", "quote"), "right")
    assert second["note"] == "a1", "digits of a note are no labels"
    with served(queue, "ann") as (address, _):
        browser.open(address)
        browser.until("document.getElementById('count').textContent.includes('2 labelled')")
        browser.press("k")
        browser.press("k")
        browser.until("document.querySelector('input[name=value][value=unsure]').checked")
        assert browser.run("document.getElementById('flag').checked")
        browser.press("1")
        browser.until("document.getElementById('saved').textContent === 'saved'")
        with served(queue, "ann") as (second_address, again):
            assert (second_address, again.wait(30)) == ("", 1), "one page a person"


def test_only_the_pages_own_script_writes(queue: Path) -> None:
    item = read_queue(queue).items[2].id
    body = {"id": item, "labels": {"value": "right"}}
    with served(queue, "mallory") as (address, _), httpx.Client(timeout=30) as http:
        own = {"origin": address.rsplit("/", 2)[0], "content-type": "application/json"}
        text = json.dumps(body)
        cases = [
            (text, {"content-type": "application/json"}, 403),
            (text, {**own, "origin": "https://evil.example"}, 403),
            (text, {**own, "origin": "null"}, 403),
            (text, {**own, "content-type": "text/plain"}, 403),
            (text, {**own, "sec-fetch-site": "cross-site"}, 403),
            ("[", own, 400),
            (json.dumps({**body, "path": "/etc/passwd"}), own, 400),
            (json.dumps({**body, "id": "../../x"}), own, 400),
            (json.dumps({**body, "note": "x" * 200_000}), own, 400),
        ]
        for content, headers, status in cases:
            answer = http.post(f"{address}label", content=content, headers=headers)
            assert answer.status_code == status, (content[:80], headers, answer.status_code)
        assert http.post(f"{address}", content=text, headers=own).status_code == 405
        for path in ("file/queue.json", "file/labels/mallory.jsonl", "file/../queue.json", "file/%2e%2e/queue.json"):
            assert http.get(f"{address}{path}").status_code == 404, path
        assert not (queue / "labels" / "mallory.jsonl").exists()
        assert http.post(f"{address}label", content=text, headers=own).json() == {"done": 0}
        assert labels(queue, "mallory")[0]["id"] == item


def test_one_page_is_labelled_from_the_disk_and_gives_its_labels(
    queue: Path, browser: Any, serious: Any, tmp_path: Path
) -> None:
    page = tmp_path / "page.html"
    assert write_page(page, read_queue(queue), queue) == 0
    assert "<script>window.ran" not in page.read_text()
    browser.open(page.as_uri())
    browser.until("document.querySelector('#pane .notice, #pane .sheet')")
    assert browser.run("window.ran ?? 0") == 0
    for key in ("3", "3", "1", "Enter"):
        browser.press(key)
    browser.until("document.querySelector('#pane img')?.naturalWidth > 100")
    assert browser.run("document.querySelectorAll('#pane .mark').length") >= 1
    browser.run("{ const by = document.getElementById('by'); by.value = 'ben'; by.dispatchEvent(new Event('change')) }")
    browser.open(page.as_uri())
    browser.until("document.getElementById('count').textContent.includes('1 labelled')")
    browser.run("URL.createObjectURL = (blob) => { blob.text().then((text) => { window.held = text }); return '#' }")
    browser.run("document.getElementById('download').click()")
    browser.until("window.held")
    line = json.loads(browser.run("window.held"))
    assert not serious(browser)
    assert (line["by"], line["labels"]) == ("ben", {"property": "right", "value": "right", "quote": "wrong"})
    assert not browser.complaints
    (tmp_path / "ben.jsonl").write_text(browser.run("window.held"))
    other = LabelFile(queue, read_queue(queue), "cid")
    other.put(Given(id=line["id"], labels={"property": "right"}))
    words = ["label", "compare", tmp_path / "ben.jsonl", other.path, "--queue", queue]
    assert "1 item labelled by ben and cid" in CliRunner().invoke(app, [str(word) for word in words]).output
