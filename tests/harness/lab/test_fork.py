"""pincite fork: the record answers up to the step, the change is seen after it, and the cause is named."""

import base64
import json
from pathlib import Path
from types import ModuleType

import pytest

from pincite_core.errors import BadInputError, NotFoundError
from pincite_doors.models.playback import Playback
from pincite_doors.models.store import question
from pincite_doors.testing import ScriptedModel, say
from pincite_harness.cli.main import load_command
from pincite_harness.lab.evidence import figures_shown, page_shown, passages_shown
from pincite_harness.lab.forking import repairing
from pincite_tasks.catalog import Catalog
from pincite_trajectory.validate import validate_trajectory


def test_a_failure_is_repaired_by_another_result_of_its_call(
    planted: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PINCITE_PASS_LABELS", "yes")
    right = tmp_path / "right.txt"
    right.write_text(f"The number of t1 is {planted.truth('t1')}.")
    with planted.solver(7, 0.0) as model:
        families = planted.write_numbers(tmp_path, 1)
        planted.run_lab(families, tmp_path, "lab", model, "harmful", "--attempts", "1")
        trial = tmp_path / "lab" / "with" / "trials" / "t1__1"
        words = [str(trial), "--out", str(tmp_path), "--name", "fork", "--at"]
        with pytest.raises(NotFoundError, match="no step 99"):
            load_command("fork").main([*words, "99", "--replace-result", str(right)], standalone_mode=False)
        with pytest.raises(BadInputError, match="Nothing"):
            load_command("fork").main([*words, "2"], standalone_mode=False)
        asked = len(model.requests)
        load_command("fork").main([*words, "2", "--replace-result", str(right)], standalone_mode=False)
        live = model.requests[asked:]
    told = json.loads((tmp_path / "fork" / "fork.json").read_text())
    assert told["recorded"] == 0
    assert [(one["fork"], one["mean"], one["calls_played"]) for one in told["forks"]] == [
        ("control", 0, 1),
        ("result", 1, 1),
    ]
    assert told["says"] == "The first change that repairs the failure: result."
    assert [f"is {planted.truth('t1')}." in request.last for request in live] == [False, True]


PAIR = """
import sys
from crew import Crew, Role, Tags, run

READER = Role("reader", "Say what stands there.", Tags(("words",)))
CRITIC = Role("critic", "Correct it.", Tags(("words",)))

async def work(crew: Crew) -> None:
    said = await crew.ask(READER, ["A page."], who="r1")
    again = await crew.ask(CRITIC, [said.text], who="c1")
    crew.answer({"answer": again.value["words"]})

if __name__ == "__main__":
    sys.exit(run(work, name="pair", defaults={}))
"""


def test_a_failure_is_repaired_by_another_model_of_one_role(
    planted: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PINCITE_PASS_LABELS", "yes")
    (tmp_path / "pair.py").write_text(PAIR)
    families = planted.write_numbers(tmp_path, 1)
    wrong, right = "<words>13</words>", f"<words>{planted.truth('t1')}</words>"
    weak = {"reader": [say("<words>read</words>")], "critic": [say(wrong)]}
    with ScriptedModel(cast=weak) as first, ScriptedModel(cast={"critic": [say(right)]}) as second:
        words = ["numbers", "--tasks", str(families), "--agent", str(tmp_path / "pair.py"), "--sandbox", "local"]
        words += ["--unsafe", "--agent-option", "dialect=openai.chat", "--model", "weak", "--model-url", first.url]
        load_command("run").main([*words, "--out", str(tmp_path), "--name", "run"], standalone_mode=False)
        trial = tmp_path / "run" / "trials" / "t1__1"
        steps = validate_trajectory(trial / "trajectory.json").steps
        asked = [step.step_id for step in steps if step.source == "agent" and step.timestamp]  # reader, critic, answer
        words = [str(trial), "--at", str(asked[-2]), "--out", str(tmp_path), "--name", "fork"]
        words += ["--role-model-url", f"critic={second.url}"]
        with pytest.raises(BadInputError, match="no role judge"):
            load_command("fork").main([*words[:-2], "--role-model", "judge=openai:strong"], standalone_mode=False)
        load_command("fork").main([*words, "--role-model", "critic=strong"], standalone_mode=False)
        assert (first.left, second.left) == (0, 0)
    told = json.loads((tmp_path / "fork" / "fork.json").read_text())
    assert [(one["fork"], one["mean"]) for one in told["forks"]] == [("control", 0), ("role-critic", 1)]
    assert told["says"] == "The first change that repairs the failure: role-critic."


def test_the_golds_passages_and_figures_are_shown() -> None:
    """The paragraph around a quoted row, and the drawn figure under its caption, of bundled tasks."""
    tasks = Catalog().family("literature_qa")
    quoted = tasks.task("kelp-limit-held-constant")
    (passage,) = passages_shown(quoted)
    assert passage["text"].startswith("kelp_nitrate.pdf, page 1:\n\n")
    assert len(passage["text"]) > 200, "the paragraph, not the quoted sentence alone"
    assert quoted.gold["source"]["quote"] in " ".join(passage["text"].split())
    caption, picture = figures_shown(tasks.task("kelp-crossing-figure"))
    assert "Growth of the blades" in caption["text"]
    assert base64.b64decode(picture["data"]).startswith(b"\x89PNG") == (picture["mimeType"] == "image/png")
    with pytest.raises(NotFoundError, match="names no figure"):
        figures_shown(quoted)
    with pytest.raises(NotFoundError, match="quotes no passage"):
        passages_shown(tasks.task("kelp-crossing-figure"))
    (page,) = page_shown(quoted, "1")
    assert passage["text"].partition("\n\n")[2] in page["text"]
    content = [{"type": "text", "text": "seen"}, picture]
    asked = {"kind": "request", "seq": 4, "at": "1", "server": "s", "method": "tools/call", "params": {"name": "t"}}
    answered = {"kind": "response", "seq": 4, "result": {"content": []}}
    assert Playback.of([], [asked, answered], "", {4: content}).tools.find("s", "t", {}) == {
        "content": content,
        "isError": False,
    }


def test_what_was_said_before_a_moment_is_given_once_and_what_is_after_it_is_not() -> None:
    def asked(number: int, text: str) -> dict[str, object]:
        return {"kind": "request", "seq": number, "at": f"0{number}", "operation": "generate", "body": {"q": text}}

    def answered(number: int, **more: object) -> dict[str, object]:
        return {"kind": "response", "seq": number, "status": 200, "complete": True, "cause": None, **more}

    lines = [asked(1, "a"), answered(1, body={"a": 1}), asked(2, "b"), answered(2, stream="data: 2"), asked(3, "c")]
    models = Playback.of([*lines, answered(3, body=3)], [], "03").models
    wanted = [question("p", "/v1", json.dumps({"q": text, "model": "other"}).encode()) for text in "aabc"]
    found = [models.find(one) for one in wanted]
    assert [one.content if one is not None else None for one in found] == [b'{"a":1}', None, b"data: 2", None]
    assert (models.recorded, models.played) == (2, 2)


def test_what_forks_say_of_a_cause() -> None:
    names = ["control", "result", "model"]
    assert "chance" in repairing(names, [1.0, 1.0, 1.0], 1.0, 0.0)
    assert repairing(names, [0.0, 0.5, 1.0], 1.0, 0.0).endswith("failure: model.")
    assert repairing(names, [0.0, None, 0.0], 1.0, 0.0) == "No change repairs the failure."
    assert repairing(names, [1.0, 0.0, 1.0], 1.0, 1.0) == "The answer rests on what was changed: result."
    assert "chance alone" in repairing(names, [0.0, 0.0, 0.0], 1.0, 1.0)
