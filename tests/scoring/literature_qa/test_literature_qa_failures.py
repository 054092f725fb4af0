"""Why a question failed: told from the calls that were made."""

from pathlib import Path
from typing import Any

import pytest

from pincite_doors.recorder import WireRecorder
from pincite_doors.redactor import Redactor
from pincite_harness.trial.marking import Marker
from pincite_scoring import ScoringOptions
from pincite_scoring.literature_qa.failures import CLASSES, classify
from pincite_scoring.literature_qa.gold import Gold
from pincite_scoring.tool_uses import ToolUse, tool_uses
from pincite_tasks.family import Family

TEXT = {"paper": "kelp.pdf", "page": 1, "quote": "Phosphate was held at 2 μmol/L throughout."}
TABLE = {"paper": "kelp.pdf", "page": 1, "place": "table", "label": "Table 1", "quote": "12 2.63 1.98 24"}
FIGURE = {"paper": "kelp.pdf", "page": 2, "place": "figure", "label": "Fig. 1", "quote": "Growth of the blades."}
FOUND = {"doi": "10.5555/aio.1", "title": "Nightly layers", "quote": "most larvae were caught at 12 m"}
WORK = {"doi": "10.5555/aio.1", "title": "Nightly layers"}


def read(text: str, **arguments: Any) -> ToolUse:
    return ToolUse("documents", "read_pages", {"paper": "kelp.pdf", **arguments}, text)


def look(text: str = "", *, tool: str = "view_figure", images: int = 1, **arguments: Any) -> ToolUse:
    return ToolUse("figures", tool, {"paper": "kelp.pdf", **arguments}, text, images)


def search(text: str, **arguments: Any) -> ToolUse:
    return ToolUse("literature", "search_papers", {"query": "larvae", **arguments}, text)


CASES: list[tuple[dict[str, Any] | None, list[str], list[ToolUse], str]] = [
    (TEXT, ["documents"], [], "routing"),
    (TEXT, ["documents"], [search("kelp")], "routing"),
    (TEXT, ["documents"], [read("1 Introduction: Farms of kelp")], "retrieval"),
    (TEXT, ["documents"], [read("[pc:1] Phosphate was held at 2 µmol/L\nthroughout. [pc:2] More")], "reading"),
    (TEXT, [], [search("nothing")], "retrieval"),
    (TABLE, ["documents"], [read("| 12 | 2.63 | 1.98 | 24 |")], "reading"),
    (TABLE, ["documents"], [read("| 12 | 2.63 | 24 |")], "retrieval"),
    (TEXT, ["documents"], [read("Phosphate | was held | at 2 μmol/L")], "retrieval"),
    (FIGURE, ["figures"], [read("Fig. 1. Growth of the blades.")], "routing"),
    (FIGURE, ["figures"], [look("Fig. 1. Growth of the blades.", tool="list_figures", images=0)], "retrieval"),
    (FIGURE, ["figures"], [look("x 1 y 0.8", tool="read_plot", images=0, figure="Fig. 1")], "reading"),
    (FIGURE, ["figures"], [look("x 1 y 0.8", tool="read_plot", images=0, figure="Fig. 2")], "retrieval"),
    (FIGURE, ["figures"], [look("Figure 1, 400 x 300", figure="fig1")], "reading"),
    (FIGURE, ["figures"], [look(figure="Figure 12")], "retrieval"),
    (FIGURE, ["figures"], [look(page=2)], "reading"),
    (FIGURE, ["figures"], [look(page=1)], "retrieval"),
    (FIGURE, ["figures"], [ToolUse("figures", "view", {"paper": "other.pdf", "page": 2}, "", 1)], "retrieval"),
    (FOUND, ["literature"], [read("x")], "routing"),
    (FOUND, ["literature"], [search("Nightly layers, doi 10.5555/aio.1")], "retrieval"),
    (FOUND, ["literature"], [search("…"), read("At night most larvae were caught at 12 m, in")], "reading"),
    (WORK, ["literature"], [search("another work")], "retrieval"),
    (WORK, ["literature"], [search("1. NIGHTLY LAYERS (2017)")], "reading"),
    (WORK, ["literature"], [search("full text …", doi="10.5555/AIO.1")], "reading"),
    (None, ["figures"], [look()], "reading"),
]  # fmt: skip


@pytest.mark.parametrize(("source", "route", "uses", "expected"), CASES)
def test_the_first_thing_that_went_wrong(source: Any, route: list[str], uses: list[ToolUse], expected: str) -> None:
    gold = Gold.model_validate({"kind": "text", "answer": "x", "source": source, "route": route})
    assert classify(uses, gold) == expected


def test_the_trials_own_record_tells_it(questions: Family, tmp_path: Path) -> None:
    task = questions.task("kelp-limit-held-constant")
    recorder = WireRecorder(tmp_path / "wire" / "mcp.jsonl", Redactor([]))
    marker = Marker([task], ScoringOptions())

    def call(tool: str, result: Any) -> None:
        params = {"name": tool, "arguments": {"paper": task.paper_names[0]}}
        sequence = recorder.request("documents", "tools/call", params, size=1, protocol="2025-06-18")
        recorder.response(sequence, {"result": result}, size=1)

    def failure() -> Any:
        marked = marker.mark(questions, task, {"answer": "nitrate"}, tmp_path)
        (row,) = marked["records"]
        told = [name for name in CLASSES if marked["metrics"][f"failed_{name}"] == 1.0]
        assert told == [row["failure"]]
        return row["failure"]

    try:
        assert failure() == "routing"
        said = {"content": [{"type": "text", "text": task.gold["source"]["quote"]}]}
        call("read_pages", {**said, "isError": True})
        assert failure() == "routing", "a call that failed brought nothing"
        call("open_paper", {"content": []})
        assert failure() == "retrieval"
        call("read_pages", said)
        assert failure() == "reading"
        right = marker.mark(questions, task, {"answer": "phosphate"}, tmp_path)
        assert [right["metrics"][f"failed_{name}"] for name in CLASSES] == [0.0, 0.0, 0.0]
        unknown = marker.mark(questions, task, {"answer": "nitrate"})
        assert [unknown["metrics"][f"failed_{name}"] for name in CLASSES] == [None, None, None]
    finally:
        marker.close()
        recorder.close()


def test_nothing_is_told_of_a_trial_that_left_no_record(tmp_path: Path) -> None:
    assert tool_uses(tmp_path) is None
    assert tool_uses(None) is None
