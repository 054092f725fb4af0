"""The agents on tasks of any family: text answers, files and pictures, no papers; and what they cannot do is said."""

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from pincite_core.errors import BadInputError
from pincite_doors.testing import call, say
from pincite_harness.runs.specification import RunSpecification
from pincite_tasks.family import load_family

TEXT = {"type": "string", "minLength": 1, "description": "A table."}
TABLE = "name,year\nA,2001\n"
PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
FILES = {"figure.png": PIXEL, "notes.txt": "Ω is 3".encode(), "data.bin": b"\xff\xfe\x00\xd8"}
CSV = {"schema": TEXT, "answer": "answer.csv", "papers": (), "servers": ()}


@pytest.mark.parametrize("reply", [TABLE, f"Here:\n```\nx\n```\nBetter:\n```csv\n{TABLE}```\nDone."])
def test_zeroshot_leaves_a_text(run: Any, reply: str) -> None:
    ran = run("zeroshot", [say(reply)], **CSV)
    assert (ran.code, ran.answer.strip()) == (0, TABLE.strip())
    assert "the content of answer.csv and nothing else" in ran.asked[0].last


def test_zeroshot_leaves_a_text_held_to_its_schema(run: Any) -> None:
    ran = run("zeroshot", [call("answer", answer=TABLE)], output="structured", **CSV)
    assert (ran.code, ran.answer) == (0, TABLE)


def test_zeroshot_says_when_a_text_is_missing(run: Any) -> None:
    ran = run("zeroshot", [say(" \n ")], **CSV)
    assert (ran.code, ran.answer) == (0, None)
    assert "the reply is empty" in ran.complained


def test_react_writes_a_text_through_its_tool_or_by_a_fenced_block(run: Any) -> None:
    ran = run("react", [call("write_answer", answer=TABLE), say("Done.")], **CSV)
    assert (ran.code, ran.answer) == (0, TABLE)
    assert "answer.csv" in ran.asked[0].system
    said = run("react", [say("I am done."), say(f"```csv\n{TABLE}```")], **CSV)
    assert (said.code, said.answer, len(said.asked)) == (0, TABLE, 2), "a closing sentence is not an answer"


@pytest.mark.parametrize("agent", ["zeroshot", "react"])
def test_files_are_shown_pictures_too(run: Any, agent: str) -> None:
    script = (
        [call("write_answer", answer={"values": []}), say("Done.")] if agent == "react" else [say('{"values": []}')]
    )
    ran = run(agent, script, files=FILES, papers=())
    assert (ran.code, ran.answer) == (0, {"values": []})
    first = ran.asked[0]
    assert first.images == 1
    for part in ("The file figure.png:", "The file notes.txt.", "Ω is 3", "data.bin (4 bytes) is not text"):
        assert part in first.last


def test_a_model_that_takes_no_pictures_is_told_of_them(run: Any) -> None:
    ran = run("zeroshot", [say('{"values": []}')], files=FILES, papers=(), pictures="no")
    assert ran.asked[0].images == 0
    assert "The file figure.png is a picture, which you are not shown." in ran.asked[0].last


def test_baseline_is_refused_by_name_before_any_trial(make_family: Any) -> None:
    folder: Path = make_family()
    settings = (folder / "family.toml").read_text(encoding="utf-8")
    (folder / "family.toml").write_text(settings.replace('"property_extraction"', '"literature_qa"'), encoding="utf-8")
    family = load_family(folder)
    specification = RunSpecification(families={"tiny": str(folder)}, agent="baseline")
    with pytest.raises(BadInputError, match="baseline cannot work on tiny") as refused:
        specification.plan([family])
    assert refused.value.next
    assert specification.model_copy(update={"agent": "nop"}).plan([family])


def test_replay_leaves_the_recorded_text(program: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = program("replay")
    recording: dict[str, Any] = {
        "source": {"agent": "a", "model": "m", "id": "i"},
        "calls": [],
        "volatile": [],
        "answer": TABLE,
    }
    (tmp_path / "recordings.json").write_text(json.dumps({"*": recording}))
    task: dict[str, Any] = {"family": "f", "task_id": "t", "tools": {}, "answer": "answer.csv"}
    (tmp_path / "task.json").write_text(json.dumps(task))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(module, "RECORDINGS", tmp_path / "recordings.json")
    assert module.main() == 0
    assert (tmp_path / "answer.csv").read_text() == TABLE
