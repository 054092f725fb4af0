"""Documents of 180,000 tokens for a model that takes less: what each policy shows, and the evidence in it."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from pincite_doors.testing import Request, ScriptedModel, call, say
from pincite_harness.agents.registry import get_agent
from pincite_harness.trial.marking import Marker
from pincite_harness.trial.plan import plan_trials
from pincite_harness.trial.run import Surroundings, TrialRun
from pincite_harness.trial.servers import SERVERS
from pincite_models.choice import ModelChoice
from pincite_scoring import ScoringOptions
from pincite_tasks.family import load_family

pytestmark = pytest.mark.anyio

BUILD = Path(__file__).parents[3] / "scripts" / "build_long_task.py"
TASK = "perplexity_ledgertext"
_BLOCKS = re.compile(r"\n\n(?=\[pc:)")


@pytest.fixture(scope="module")
def long_family(module_at: Callable[[Path], ModuleType], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One task whose evidence lies in four documents of 45,000 tokens each."""
    folder = tmp_path_factory.mktemp("long") / "table_construction"
    module_at(BUILD).build(TASK, folder)
    return folder


@pytest.fixture
def trial(tmp_path: Path, long_family: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Runs the long task with an agent and a script or a cast; the trial's folder and the model."""
    pytest.importorskip("pydantic_ai")
    monkeypatch.setenv("PINCITE_PASS_LABELS", "yes")

    async def run(script: Any, name: str = "zeroshot", cast: Any = None, **options: str) -> tuple[Path, ScriptedModel]:
        family = load_family(long_family)
        folder = tmp_path / f"trial-{len(list(tmp_path.iterdir()))}"
        with ScriptedModel(script, cast=cast, key="k") as model:
            monkeypatch.setenv("PINCITE_MODEL_API_KEY", "k")
            choice = ModelChoice.parse("openai:m", model.url)
            agent = get_agent(name, options, choice)
            [plan] = plan_trials([(family, family.tasks[0])], agent, 1, choice)
            marker = Marker([plan.task], ScoringOptions())
            try:
                await TrialRun(plan, folder, Surroundings("process", marker, SERVERS, unsafe=True)).run()
            finally:
                marker.close()
        return folder, model

    return run


def shown_of(folder: Path) -> dict[str, Any]:
    return json.loads((folder / "agent" / "agent" / "shown.json").read_text())


def metrics_of(folder: Path) -> dict[str, Any]:
    return json.loads((folder / "score.json").read_text())["metrics"]


def evidence_in(text: str, family: Path) -> float:
    """The share of the gold's quotes in a prompt, by hand: rows of tables are parted by tabs there."""
    plain = re.sub(r"\s+", " ", text)
    gold = json.loads((family / "records.jsonl").read_text())["gold"]
    return sum(each["quote"] in plain for each in gold["evidence"]) / len(gold["evidence"])


CSV = say("```csv\npaper_name,method,result\nSlow Gates: Recurrent Memory for Long Documents,SlowGate,24.61\n```")


async def test_what_does_not_fit_is_refused_before_the_call(trial: Any) -> None:
    folder, model = await trial([CSV], window="131072")
    assert not [request for request in model.requests if request.kind == "turn"]
    said = (folder / "agent.log").read_text()
    found = re.search(r"about (\d+) tokens, and the model takes 122880 beside its answer", said)
    assert found is not None, said
    assert int(found[1]) > 170_000


async def test_shown_tokens_and_evidence_equal_a_hand_count(trial: Any, long_family: Path) -> None:
    """By the published rule a model of 131,072 tokens is shown 127,072 characters; half of one document's text."""
    evidence: dict[str, float] = {}
    for policy in ("cut:published", "cut:tokens", "share"):
        folder, model = await trial([CSV], context=policy, window="131072", prompt="steps")
        prompt = model.turns[0].last
        shown = shown_of(folder)
        evidence[policy] = metrics_of(folder)["evidence_shown"]
        assert evidence[policy] == pytest.approx(evidence_in(prompt, long_family))
        documents = re.split(r"(?=The paper \w+\.html\. Each block)", prompt)[1:]
        bodies = [document.partition("\n\n")[2].strip("\n") for document in documents]
        for each, body in zip(shown["documents"], bodies, strict=True):
            assert each["shown"] == pytest.approx(len(body) / 4, abs=2), policy
            assert 40_000 < each["of"] < 60_000
        if policy == "cut:published":
            assert len(prompt) == pytest.approx(131_072 - 2 * 2_000, abs=8)
        else:
            assert shown["prompt"] + sum(each["shown"] for each in shown["documents"]) <= 131_072 - 8_192
    # The last two documents are never seen by their places; sharing the room shows every table.
    assert evidence["cut:published"] < evidence["cut:tokens"] < evidence["share"] == 1.0


COLUMNS = {
    "columns": [
        {"name": "paper_name", "key": True},
        {"name": "method", "key": True},
        {"name": "result"},
        {"name": "half", "formula": "{result} / 2"},
    ]
}


def read_by_rule(request: Request) -> Any:
    """Rows of tables that a paper marks as its own, below the paper's title; the column of the test part."""
    blocks = _BLOCKS.split(request.last)
    title = ""
    rows: list[dict[str, Any]] = []
    for block in blocks:
        mark, _, text = block.partition("] ")
        if mark.endswith("heading") and len(text.split()) >= 5:
            title = text.strip()
        if not mark.endswith("table"):
            continue
        header, *lines = [line.split("\t") for line in text.strip().splitlines()]
        named = r".*LedgerText.*test|Test|Perplexity"
        tests = [place for place, name in enumerate(header) if re.fullmatch(named, name)]
        for line in lines:
            if line[0].endswith("(ours)") and tests:
                cells = [("paper_name", title, title), ("method", line[0].removesuffix(" (ours)"), line[0])]
                cells.append(("result", line[tests[0]], "\t".join(line)))
                rows.append({"cells": [dict(zip(("column", "value", "quote"), cell, strict=True)) for cell in cells]})
    rows.append({"cells": [{"column": "result", "value": "1.00", "quote": "words that stand nowhere in the part"}]})
    return call("answer", rows=rows)


async def test_reading_in_parts_finds_the_rows_of_all_four_documents(trial: Any) -> None:
    cast = {"columns": [call("answer", **COLUMNS)], "reader": read_by_rule}
    folder, model = await trial((), cast=cast, context="parts", window="64000")
    metrics = metrics_of(folder)
    assert (metrics["row_f1"], metrics["evidence_shown"]) == (1.0, 1.0), (folder / "agent.log").read_text()
    assert metrics["cell_recall"] == 1.0
    events = [json.loads(line) for line in (folder / "agent/agent/state.jsonl").read_text().splitlines()]
    parts = [event for event in events if event["kind"] == "PartRead"]
    assert {event["document"] for event in parts} == {f"{name}.html" for name in (
        "slow_gates", "paging_attention", "braided_context", "plain_baseline")}  # fmt: skip
    assert all(event["tokens"] <= 64_000 - 8_192 for event in parts)
    assert sum(event["dropped"] for event in parts) == len(parts), "quotes that stand nowhere are not taken"
    answer = (folder / "answer.csv").read_text()
    assert "SlowGate,24.61,12.31" in answer, "computed by the program, rounded half up"
    assert len([request for request in model.requests if request.label is not None]) == 1 + len(parts)


async def test_rag_shows_the_nearest_chunks_and_counts_the_evidence_in_them(
    trial: Any, long_family: Path, faults_in_desk: Any
) -> None:
    folder, model = await trial([CSV], name="rag", retriever="bm25")
    prompt = model.turns[0].last
    heads = re.findall(r"^\[(\w+\.html), \d+\. chunk\]$", prompt, re.MULTILINE)
    chunks = re.split(r"\n*\[\w+\.html, \d+\. chunk\]\n", prompt)[1:]
    assert 0 < len(heads) <= 4 * 50
    assert all(len(chunk) <= 512 for chunk in chunks)
    assert metrics_of(folder)["evidence_shown"] == pytest.approx(evidence_in(prompt, long_family))
    shown = {each["name"]: each["shown"] for each in shown_of(folder)["documents"]}
    for name in set(heads):
        own = [chunk for head, chunk in zip(heads, chunks, strict=True) if head == name]
        assert shown[name] == pytest.approx(len("\n\n".join(own)) / 4, abs=2)
    assert model.turns[0].body["temperature"] == 0.0
    assert not faults_in_desk(folder)


async def test_dense_retrieval_needs_an_embedding_model(trial: Any) -> None:
    folder, model = await trial([CSV], name="rag")
    assert "--role-model embedding=PROVIDER:NAME; retriever=bm25 needs none" in (folder / "agent.log").read_text()
    assert not model.turns
