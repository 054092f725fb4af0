"""A rubric's instruction from a user's file: what the judge is told, and what stands in the lock."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from pincite_core.errors import BadInputError, NotFoundError
from pincite_doors.testing import Request, ScriptedModel, say
from pincite_harness.cli.main import app
from pincite_scoring.judging.choice import JudgeChoice
from pincite_scoring.judging.own_prompt import OwnPrompt
from pincite_tasks.files import read_json

FAMILY = Path(__file__).parents[2] / "tasks"
PUBLISHED = "Grade the answer as the published evaluator does. Be lenient."


def answering(request: Request) -> Any:
    labels = {"greeting": "yes"} if "greeting" in request.system else {"outcome": "correct"}
    return say(json.dumps({"reason": "So it says.", "labels": labels}))


def called(*words: object, code: int = 0) -> str:
    done = CliRunner().invoke(app, [*map(str, words)])
    assert done.exit_code == code, (done.output, done.exception)
    return done.output or str(done.exception)


def test_a_run_is_judged_by_the_given_words_and_locks_their_digest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PINCITE_CACHE_DIR", str(tmp_path / "cache"))
    prompt = tmp_path / "published.txt"
    prompt.write_text(PUBLISHED + "\n", encoding="utf-8")
    run = tmp_path / "runs" / "r"
    words = ["run", "literature_qa", "--task", "perovskite-chamber-gas", "--agent", "oracle", "--sandbox", "local"]
    digest = "sha256:" + hashlib.sha256(prompt.read_bytes()).hexdigest()
    with ScriptedModel([answering] * 20) as model:
        judge = ["--judge", "scripted", "--judge-url", model.url]
        # By the published definitions a model is asked about every open answer.
        called(*words, "--compat", "reference", "--out", run.parent, "--name", "r", *judge)
        before = [request.system for request in model.requests]
        assert not any(PUBLISHED in system for system in before)
        called("score", run, *judge, "--judge-prompt", f"literature_qa={prompt}")
        asked = [request.system for request in model.requests[len(before) :] if "greeting" not in request.system]
        assert len(asked) == 1, "a verdict by other words is not taken for one by these"
        assert PUBLISHED in asked[0]
        assert "outcome" in asked[0], "the form that is asked for stays"
        document = read_json(run / "run.json")
        assert document["lock"]["digests"]["judge/prompt/literature_qa"] == digest
        (score,) = (read_json(path) for path in run.glob("trials/*/score.json"))
        assert digest[: len("sha256:") + 12] in score["matcher"]
        called("score", run)
        assert read_json(run / "run.json")["lock"]["digests"]["judge/prompt/literature_qa"] == digest
        called("score", run, *judge)
        assert "judge/prompt/literature_qa" not in read_json(run / "run.json")["lock"]["digests"]


def test_what_cannot_be_a_prompt_is_told_with_the_rubrics_there_are(tmp_path: Path) -> None:
    empty = tmp_path / "empty.txt"
    empty.write_text(" \n", encoding="utf-8")
    prompt = tmp_path / "p.txt"
    prompt.write_text("Judge.", encoding="utf-8")
    cases: list[tuple[list[str], type[Exception], str]] = [
        (["no_such"], BadInputError, "names no file"),
        ([f"no_such={prompt}"], NotFoundError, "literature_qa"),
        ([f"literature_qa={tmp_path / 'none.txt'}"], NotFoundError, "cannot be read"),
        ([f"literature_qa={empty}"], BadInputError, "is empty"),
        ([f"literature_qa={prompt}", f"literature_qa={prompt}"], BadInputError, "Two prompts"),
    ]
    wrong: list[str] = []
    for given, kind, said in cases:
        try:
            JudgeChoice.parse("scripted", "http://127.0.0.1:9", prompts=given)
        except (BadInputError, NotFoundError) as error:
            if not isinstance(error, kind) or said not in str(error):
                wrong.append(f"{given}: {error}")
        else:
            wrong.append(f"{given}: taken")
    assert not wrong
    with pytest.raises(BadInputError, match="no model to judge"):
        JudgeChoice.parse("", prompts=[f"literature_qa={prompt}"])


def test_a_prompt_is_for_all_versions_and_scales_of_its_rubric() -> None:
    own = {
        name: OwnPrompt(rubric=name, text="x", digest="sha256:0")
        for name in ("literature_qa", "table_construction/cells")
    }
    cases = [
        ("literature_qa", "literature_qa/1", True),
        ("literature_qa", "literature_qa/2", True),
        ("literature_qa", "figure_analysis/1", False),
        ("table_construction/cells", "table_construction/cells-10/1", True),
        ("table_construction/cells", "table_construction/quality-10/1", False),
    ]
    assert [(name, rubric, own[name].replaces(rubric)) for name, rubric, _ in cases] == cases
