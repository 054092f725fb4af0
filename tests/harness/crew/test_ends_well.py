"""A crew whose own budget ends it: the trial is completed with the answer that was there; options of all kinds."""

import sys
from pathlib import Path
from typing import Any

import orjson
import pytest

from pincite_doors.testing import ScriptedModel, say
from pincite_harness.cli.main import main
from pincite_tasks.files import read_json

PROGRAM = """
import json
import sys
from pathlib import Path

from crew import Crew, Role, run

ASKER = Role("asker", "Say a word.", str)


async def work(crew: Crew) -> None:
    plan = json.loads(Path(crew.options["plan"]).read_text())
    for number, step in enumerate(plan):
        said = await crew.ask(ASKER, [step], who=f"a{number}", step=step)
        assert said.ok and float(crew.options["least"]) == 0.25
        crew.answer({"properties": []})


if __name__ == "__main__":
    sys.exit(run(work, name="asker", defaults={"plan": "", "least": "1"}))
"""


@pytest.mark.parametrize("words", [["--agent-option", "calls=3"], ["--limit", "model_calls=3"]])
def test_a_crew_that_spends_its_budget_completes_its_trial(
    words: list[str], make_family: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    (tmp_path / "asker.py").write_text(PROGRAM)
    (tmp_path / "plan.json").write_bytes(orjson.dumps([f"step {number}" for number in range(9)]))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PINCITE_MODEL_API_KEY", "key-of-the-model-1")
    monkeypatch.setenv("PINCITE_PASS_LABELS", "yes")
    family = make_family(servers="[]")
    with ScriptedModel(cast={"asker": lambda _: say("word")}) as model:
        given = ["run", "tiny", "--tasks", str(family), "--agent", "asker.py", "--sandbox", "local", "--unsafe"]
        for option in ("dialect=openai.chat", "plan=@plan.json", "least=0.25"):
            given += ["--agent-option", option]
        given += ["--model", "openai:scripted", "--model-url", model.url, "--name", "one", *words]
        monkeypatch.setattr(sys, "argv", ["pincite", *given])
        with pytest.raises(SystemExit):
            main()
        said = capsys.readouterr()
        assert (len(model.requests), model.troubles) == (3, [])
    trial = tmp_path / "runs" / "one" / "trials" / "t1__1"
    record = read_json(trial / "trial.json")
    assert "asker: spent" in (trial / "agent.log").read_text(), said.out + said.err
    assert (record["status"], record["cause"], record["answered"]) == ("completed", None, True)
    assert record["roles"]["asker"]["model_calls"] == 3
