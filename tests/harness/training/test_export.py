"""Examples from recorded runs of anagent, whose roles a cast plays behind the doors."""

import json
import shutil
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from pincite_core.errors import BadInputError
from pincite_doors.testing import ScriptedModel, call
from pincite_harness.cli.main import main
from pincite_harness.training.calling import is_used
from pincite_harness.training.export import Wanted, export
from pincite_harness.training.filters import Filters

FAMILY = Path(__file__).parents[3] / "tasks" / "figure_analysis"
TASK = "sparse_router-table-1"
GOLD = "Table 1 shows that routing to two experts keeps almost all of the accuracy"
GOOD = "Two experts keep almost all of the accuracy of the dense baseline at half its latency, give or take 0.2."
BAD = "Nothing can be said about these numbers without more of them being known to the reader."

Runs = dict[str, Path]


def family_with(folder: Path, **metadata: Any) -> Path:
    """A copy of the family with one of its tasks."""
    lines = (FAMILY / "records.jsonl").read_text().splitlines()
    record = next(json.loads(line) for line in lines if json.loads(line)["task_id"] == TASK)
    record["metadata"] |= metadata
    inputs = record["inputs"]
    for name in ("family.toml", "prompt.md", "schema.json", *inputs["papers"], *inputs["files"]):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(FAMILY / name, folder / name)
    (folder / "records.jsonl").write_text(json.dumps(record))
    return folder


def script(plan: str, answer: str) -> list[Any]:
    graded = dict.fromkeys(("accuracy", "completeness", "format", "clarity", "faithfulness"), 1)
    return [
        call("answer", thought="Wide.", plan=plan),
        call("documents.grep_paper", paper="sparse_router.pdf", pattern="seeds"),
        call("answer", thought="Enough.", summary="* Runs with other seeds differ a little."),
        call("answer", thought="t", answer="First."),
        call("answer", thought="t", **graded, feedback="Name the table."),
        call("answer", thought="t", answer=answer),
    ]


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Runs:
    """Two runs on one task, whose plans led to a bad and a good answer, and one on a task that is held out."""
    top = tmp_path_factory.mktemp("training")
    canary = {"canary": "canary GUID 1234", "dimensions": {"type": "table"}}
    families = {
        "base": family_with(top / "a" / "figure_analysis", **canary),
        "apart": family_with(top / "b" / "figure_analysis", held_out=True),
    }
    families["other"] = families["base"]
    said = {"base": ("* Look.", BAD), "other": ("* Compare the rows.", GOOD), "apart": ("* Look.", GOOD)}
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(top)
        patch.setenv("PINCITE_CACHE_DIR", str(top / "cache"))
        patch.setenv("PINCITE_MODEL_API_KEY", "key")
        for name, family in families.items():
            with ScriptedModel(script(*said[name])) as model:
                words = ["run", "figure_analysis", "--tasks", str(family), "--agent", "anagent", "--sandbox", "local"]
                words += ["--unsafe", "--model", "openai:scripted", "--model-url", model.url, "--name", name]
                words += ["--agent-option", "context=none"]
                patch.setattr(sys, "argv", ["pincite", *words])
                with pytest.raises(SystemExit) as ended:
                    main()
            assert ended.value.code in (0, None)
    return {name: top / "runs" / name for name in families}


Export = Callable[..., tuple[list[dict[str, Any]], Mapping[str, int]]]


@pytest.fixture
def exported(runs: Runs, tmp_path: Path) -> Export:
    """Rows of an export of the named runs, and what was left out."""

    def of(*names: str, form: Any = "jsonl", **wanted: Any) -> tuple[list[dict[str, Any]], Mapping[str, int]]:
        folder = tmp_path / f"{len(list(tmp_path.iterdir()))}"
        done = export([runs[name] for name in names], Wanted(**wanted), folder, form)
        rows = [json.loads(line) for line in done.path.read_text().splitlines()]
        manifest = json.loads((folder / "dataset.json").read_text())
        assert (manifest["examples"], manifest["left_out"]) == (len(rows), done.left_out)
        return rows, done.left_out

    return of


def test_the_gold_stands_where_the_answer_stood(exported: Export) -> None:
    [first], left = exported("base", "apart", role="sft")
    [last], _ = exported("base", role="solver")
    assert left == {"held out": 1}
    for row in (first, last):
        [said] = row["completion"]
        arguments = json.loads(said["tool_calls"][0]["function"]["arguments"])
        assert list(arguments) == ["answer"]
        assert arguments["answer"].startswith(GOLD)
        assert row["truth"]["answer"] == arguments["answer"]
        assert row["origin"]["canary"] == "canary GUID 1234"
        assert row["prompt"][0]["role"] == "system"
    assert "Name the table." not in json.dumps(first["prompt"])
    assert "Name the table." in json.dumps(last["prompt"])


def test_planners_choose_what_led_to_more(exported: Export) -> None:
    metrics = ("s_lex", "s_avg_of_3")
    [row], _ = exported("base", "other", role="planner", baselines=frozenset({"base"}), metrics=metrics)
    question = row["prompt"][-1]["content"]
    [letter] = row["truth"]["choice"]
    assert row["completion"] == [{"role": "assistant", "content": letter}]
    assert f"{letter}.\n* Compare the rows." in question
    assert "* Look." in question
    with pytest.raises(BadInputError, match="1 none is better than the baseline"):
        exported("base", "other", role="planner", baselines=frozenset({"other"}), metrics=metrics)
    with pytest.raises(BadInputError, match="--baseline"):
        exported("base", "other", role="planner")


def test_experts_learn_calls_whose_result_was_used(exported: Export) -> None:
    rows, _ = exported("base", "other", role="expert")
    taken = [row for row in rows if not row["origin"]["made"]]
    assert [row["origin"]["run"] for row in taken] == ["other"], "only this answer has a number of the result"
    assert taken[0]["truth"]["call"]["tool"] == "mcp__documents__grep_paper"
    made = [row for row in rows if row["origin"]["made"]]
    named = [row["truth"]["call"]["arguments"] for row in made]
    assert {one.get("paper", one.get("file")) for one in named} <= {"sparse_router.pdf", "sparse_router-table-1.csv"}
    assert all(row["truth"]["schema"]["required"] for row in made)


def test_what_counts_as_used() -> None:
    result = "Top-2 routing needs 10.6 GB of memory in this setting, 7 of 9 runs"
    rows = [
        ("It takes 10.6 GB.", "", True),
        ("It takes 10.6 GB.", "10.6 GB are known", False),
        ("It was seen in 7 of 9 cases.", "", False),
        ("The top-2 routing needs 10.6 gb of memory in it.", "10.6", True),
        ("Routing is good.", "", False),
    ]
    assert [is_used(result, before, answer) for answer, before, _ in rows] == [used for *_, used in rows]


def test_filters_say_what_they_left_out(exported: Export, runs: Runs, tmp_path: Path) -> None:
    good = min(json.loads((runs["other"] / "trials" / f"{TASK}__1" / "score.json").read_text())["metrics"]["s_lex"], 1)
    rows, left = exported("base", "other", role="solver", filters=Filters(least={"s_lex": good}))
    assert ([row["origin"]["run"] for row in rows], left) == (["other"], {f"s_lex below {good:g}": 1})
    rows, left = exported("base", role="solver", filters=Filters(where={"dimensions.type": "table"}))
    assert (len(rows), left) == (1, {})
    refused = [
        (Filters(where={"dimensions.type": "figure"}), "another dimensions.type"),
        (Filters(least_words=500), "fewer than 500 words"),
        (Filters(most_words=20), "more than 20 words"),
        (Filters(most_context=10), "a prompt of more than 10 tokens"),
        (Filters(held_out=frozenset({TASK})), "held out"),
        (Filters(least={"s_sem_of_all": 0.1}), "s_sem_of_all is not known"),
    ]
    for filters, why in refused:
        with pytest.raises(BadInputError, match=f"1 {why}"):
            exported("base", role="solver", filters=filters)
    assert len(list(tmp_path.glob("*/dataset.json"))) == 2, "nothing is written where nothing is found"


def test_any_other_role_is_imitated(runs: Runs, tmp_path: Path) -> None:
    from pincite_harness.training.imitating import imitated
    from pincite_harness.training.trials import read_trials

    [trial] = read_trials([runs["other"]]).trials
    said = [
        json.loads(one.completion[0]["tool_calls"][0]["function"]["arguments"]) for one in imitated(trial, "critic")
    ]
    assert [one["feedback"] for one in said] == ["Name the table."]
    with pytest.raises(BadInputError, match="no call of orchestrator that teaches"):
        export([runs["other"]], Wanted("orchestrator"), tmp_path / "none", "jsonl")


def test_forms_for_training_libraries(exported: Export, runs: Runs, tmp_path: Path) -> None:
    [row], _ = exported("other", role="solver", form="trl")
    assert {"prompt", "completion", "tools", "truth", "canary"} <= set(row)
    datasets = pytest.importorskip("trl", reason="trl is not installed: pip install trl")
    assert datasets.is_conversational(row)


def test_parquet_for_verl(runs: Runs, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed: pip install 'pincite[scale]'")
    done = export([runs["other"]], Wanted("expert"), tmp_path / "verl", "verl")
    rows = parquet.read_table(done.path).to_pylist()
    assert {row["data_source"] for row in rows} == {"pincite/figure_analysis"}
    assert all(set(message) == {"role", "content"} for row in rows for message in row["prompt"])
    assert json.loads(rows[0]["reward_model"]["ground_truth"])["role"] == "expert"


def test_the_command(runs: Runs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    words = [
        "train",
        "export",
        str(runs["base"]),
        str(runs["apart"]),
        "--for",
        "solver",
        "--out",
        str(tmp_path / "set"),
    ]
    monkeypatch.setattr(sys, "argv", ["pincite", *words])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code in (0, None)
    assert "1 example in" in capsys.readouterr().out
    monkeypatch.setattr(sys, "argv", ["pincite", *words])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    assert "is not empty" in capsys.readouterr().err
