"""What was recorded of a trial on the desk: wire records of a step, the time line, the claims of the ledger."""

import html
import json
import re
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pincite_core.errors import NotFoundError
from pincite_harness.desk.wire import WireBook
from pincite_papers.passages import locate
from pincite_provenance.claims.check import check_claim
from pincite_provenance.ledger.entry import Caller, claim_content
from pincite_provenance.ledger.ledger import Ledger
from pincite_provenance.model import Claim

TRIAL = "run/0/trial/ybco_oxygen__1"
QUOTE = "oxygen"


def model_call(number: int, messages: list[Any], answer: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """A request and its response as the model door records them."""
    tools = [{"name": "documents__read_pages", "input_schema": {"type": "object"}}]
    body = {"model": "m", "tools": tools, "messages": messages}
    asked = {"kind": "request", "at": f"2026-01-01T00:00:{number:02}+00:00", "seq": number, "model": "m"}
    asked |= {"dialect": "anthropic.messages", "operation": "generate", "method": "POST", "path": "/v1/messages"}
    ended = {"kind": "response", "at": f"2026-01-01T00:00:{number + 1:02}+00:00", "seq": number, "status": 200}
    ended |= {"seconds": 1.0, "cause": None, "complete": True}
    ended["usage"] = {"input_tokens": 1000 * number, "output_tokens": 10, "cached_tokens": 0}
    response = {"id": f"answer-{number}", "role": "assistant", "content": answer, "stop_reason": "tool_use"}
    return [{**asked, "streamed": False, "body": body}, {**ended, "body": response}]


def tool_call(at: str) -> list[dict[str, Any]]:
    """A call of read_pages as the tool door records it."""
    call = {"name": "read_pages", "arguments": {"paper": "a.pdf"}}
    request = {"kind": "request", "at": at, "seq": 7, "server": "documents", "method": "tools/call", "params": call}
    result = {"content": [{"type": "text", "text": "page one"}]}
    return [request, {"kind": "response", "at": at, "seq": 7, "seconds": 0.4, "result": result}]


@pytest.fixture(scope="module")
def recorded(
    open_desk: Any, make_run: Any, answer_of: Callable[..., Any], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Any]:
    """A desk with a trial of two model calls, one tool call and a ledger of one claim; its steps are built from its
    wire."""
    folder = make_run(tmp_path_factory.mktemp("recorded") / "run", {"ybco_oxygen": answer_of("ybco_oxygen")})
    trial = folder / "trials" / "ybco_oxygen__1"
    (trial / "trajectory.json").unlink()
    (trial / "wire").mkdir()
    use = {"type": "tool_use", "id": "c1", "name": "documents__read_pages", "input": {"paper": "a.pdf"}}
    asked = [{"role": "user", "content": "Go and read."}]
    told = [{"type": "tool_result", "tool_use_id": "c1", "content": "page one"}]
    later = [*asked, {"role": "assistant", "content": [use]}, {"role": "user", "content": told}]
    lines = model_call(1, asked, [use]) + model_call(4, later, [{"type": "text", "text": "It is read."}])
    (trial / "wire" / "llm.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    calls = tool_call("2026-01-01T00:00:02.500000+00:00")
    (trial / "wire" / "mcp.jsonl").write_text("".join(json.dumps(line) + "\n" for line in calls))
    with open_desk(folder) as desk:
        desk.text(f"{TRIAL}/answer")  # opens the paper
        paper = desk.site.papers.get(next(iter(desk.site.papers._papers)))
        start = paper.text.index(QUOTE)
        claim = Claim(QUOTE, locate(paper, start, start + len(QUOTE)), "", "", "YBCO", "oxygen content")
        content = claim_content(claim, check_claim(paper, claim), paper, Caller("tester"))
        Ledger(trial / "claims.db").append(lambda _past: content)
        yield desk


def linked(page: str, words: str) -> list[str]:
    return [html.unescape(link) for link in re.findall(r'class="place wire" href="([^"]+)"', page) if words in link]


def test_a_step_leads_to_what_the_doors_recorded_of_it(recorded: Any) -> None:
    pages = [recorded.text(f"{TRIAL}/step?conversation=0&number={number}") for number in (2, 3)]
    models = [link for page in pages for link in linked(page, "door=model")]
    tools = [link for page in pages for link in linked(page, "door=tool")]
    origin = f"http://127.0.0.1:{recorded.port}"
    first, second = (html.unescape(recorded.http.get(origin + link).text) for link in models)
    assert "Go and read." in first
    assert "answer-1" in first
    assert "answer-4" not in first
    assert "answer-4" in second
    (tool,) = (html.unescape(recorded.http.get(origin + link).text) for link in tools)
    assert '"page one"' in tool
    for wrong in ("door=model&seq=99", "door=none&seq=1", "door=tool&at=never", "door=..%2F..&seq=1"):
        assert recorded.get(f"{TRIAL}/wire?{wrong}").status_code == 404
    assert recorded.get(f"{TRIAL}/wire?door=model&seq=x").status_code == 400


def test_a_record_is_found_in_a_file_without_holding_the_file(tmp_path: Path) -> None:
    wire = tmp_path / "wire" / "llm.jsonl"
    wire.parent.mkdir()
    with wire.open("wb") as file:
        for number in range(1, 9):
            head = b'{"kind":"request","at":"2026-01-01T00:00:0%d+00:00","seq":%d,"body":"' % (number, number)
            file.write(head + b"x" * (5 << 20) + b'"}\n')
    book = WireBook()
    tracemalloc.start()
    try:
        (record,) = book.records(tmp_path, "model", 6, "")
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert (record.kind, record.at) == ("request", "2026-01-01T00:00:06+00:00")
    assert len(record.text) + record.left == len(head) + (5 << 20) + 3
    assert peak < 4 << 20, "a line alone has more"
    with wire.open("ab") as file:
        file.write(b'{"kind":"request","at":"2026-01-01T00:00:09+00:00","seq":9}\n')
    assert book.records(tmp_path, "model", None, "2026-01-01T00:00:09+00:00")[0].left == 0
    with pytest.raises(NotFoundError):
        book.records(tmp_path, "model", 10, "")


def test_the_time_line_has_a_bar_where_the_model_and_the_tool_worked(recorded: Any, browser: Any) -> None:
    drawn = recorded.text(f"{TRIAL}/timeline")
    bars = re.findall(r'<rect class="(\w+)" data-step="(step-0-\d)" x="([\d.]+)" y="1" width="([\d.]+)"', drawn)
    assert [(kind, step) for kind, step, _, _ in bars] == [
        ("model", "step-0-2"),
        ("tool", "step-0-2"),
        ("model", "step-0-3"),
    ]
    starts = [float(x) for _, _, x, _ in bars]
    # Four seconds in all: the second call came three, the tool one and a half seconds after the first.
    assert starts == pytest.approx([0, 375, 750], abs=3)
    browser.open(f"{recorded.address}/{TRIAL}#steps")
    browser.until("document.querySelectorAll('#timeline svg rect').length >= 3")
    tall = "document.getElementById('timeline').getBoundingClientRect().height"
    assert browser.run(tall) < 140
    last = "[...document.querySelectorAll('#timeline rect.model')].at(-1)"
    browser.run(f"{last}.dispatchEvent(new MouseEvent('click', {{ bubbles: true }}))")
    browser.until("document.querySelector('#step-0-3 a.wire')")
    browser.run("document.querySelector('#step-0-3 a.wire').click()")
    browser.until("document.getElementById('pane').textContent.includes('answer-4')")
    assert not browser.complaints


def test_claims_of_the_ledger_stand_with_their_verdict_and_lead_to_their_words(recorded: Any, browser: Any) -> None:
    shown = recorded.text(f"{TRIAL}/ledger")
    assert "oxygen content" in shown
    assert re.search(r'class="badge \w+">(holds|unsure)<', shown)
    browser.open(f"{recorded.address}/{TRIAL}#ledger")
    browser.until("document.querySelector('#ledger a.place')")
    browser.run("document.querySelector('#ledger a.place').click()")
    browser.until("document.querySelector('#pane .mark')")
    assert browser.run("document.querySelector('#pane blockquote').textContent") == QUOTE
    assert not browser.complaints
