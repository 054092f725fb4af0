"""What tasks validate proves: every kind of fault is found and said with its place."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pytest
from PIL import Image, ImageDraw, ImageFont, PngImagePlugin

from pincite_harness.curation.validation.check import Findings, check_family, shared_ids
from pincite_harness.curation.validation.leaks import find_leaks
from pincite_tasks.catalog import bundled_folder
from pincite_tasks.family import load_family

GOLD = "alizarin stains the otoliths of herring larvae"
QUESTION: dict[str, Any] = {
    "task_id": "q", "inputs": {"parameters": {"question": "Which dye stained them?"}},
    "gold": {"kind": "text", "answer": GOLD}, "metadata": {},
}  # fmt: skip


@pytest.fixture
def family(tmp_path: Path) -> Callable[..., Path]:
    """Writes a family of questions like the bundled one, without its papers: records, and changes of family.toml."""

    def made(*records: Any, settings: tuple[str, str] = ("", ""), name: str = "questions") -> Path:
        folder = tmp_path / name
        folder.mkdir()
        for file in ("family.toml", "prompt.md", "schema.json"):
            shutil.copyfile(bundled_folder() / "literature_qa" / file, folder / file)
        text = (folder / "family.toml").read_text(encoding="utf-8")
        assert settings[0] in text
        (folder / "family.toml").write_text(text.replace(*settings) if settings[0] else text, encoding="utf-8")
        (folder / "records.jsonl").write_bytes(b"\n".join(map(orjson.dumps, records or (QUESTION,))))
        return folder

    return made


def found(folder: Path) -> Findings:
    return check_family(load_family(folder))


def changed(**inputs: Any) -> dict[str, Any]:
    return {**QUESTION, "inputs": {**QUESTION["inputs"], **inputs}}


def test_a_sound_family_has_no_fault(family: Callable[..., Path]) -> None:
    findings = found(family())
    assert (findings.faults, findings.notes) == ([], [])


@pytest.mark.parametrize("shown", [GOLD, GOLD.upper().replace(" ", "\n "), f"Is it true that {GOLD}, or another dye?"])
def test_gold_in_the_prompt_is_a_fault(family: Callable[..., Path], shown: str) -> None:
    (fault,) = found(family(changed(parameters={"question": shown}))).faults
    assert fault == f"q: the prompt holds gold: {GOLD!r}"


def test_gold_in_a_file_its_name_or_its_picture_is_a_fault(family: Callable[..., Path]) -> None:
    files = ["files/a.txt", "files/b.png", f"files/{GOLD}.csv"]
    folder = family(changed(files=files))
    (folder / "files").mkdir()
    (folder / files[0]).write_text(f"Notes\n{GOLD}\n")
    (folder / files[2]).write_text("year,pairs\n")
    told = PngImagePlugin.PngInfo()
    told.add_text("Description", f"We say: {GOLD}.")
    Image.new("RGB", (1, 1)).save(folder / files[1], pnginfo=told)
    places = ("the prompt", "the file a.txt", "the file b.png")  # the prompt names the files
    assert found(folder).faults == [f"q: {place} holds gold: {GOLD!r}" for place in places]


def test_gold_that_is_printed_in_a_picture_is_a_fault(family: Callable[..., Path], missing: Any) -> None:
    if shutil.which("tesseract") is None:
        missing("no tesseract (apt install tesseract-ocr)")
    folder = family(changed(files=["files/a.png", "files/b.png"]))
    (folder / "files").mkdir()
    picture = Image.new("RGBA", (700, 90))
    font = ImageFont.load_default(size=24)
    ImageDraw.Draw(picture).multiline_text((20, 10), "Here " + GOLD.replace(" of ", "\nof "), fill="black", font=font)
    picture.save(folder / "files" / "a.png")
    (folder / "files" / "b.png").write_text("no picture")
    assert found(folder).faults == [
        f"q: the file a.png holds gold: {GOLD!r}", "q: b.png is not a picture that can be read.",
    ]  # fmt: skip


def test_words_that_everybody_must_know_are_no_leak(family: Callable[..., Path]) -> None:
    folder = family()
    schema = orjson.loads((folder / "schema.json").read_bytes())
    schema["properties"]["answer"]["enum"] = [GOLD, None]
    (folder / "schema.json").write_bytes(orjson.dumps(schema))
    loaded = load_family(folder)
    assert find_leaks(loaded, loaded.tasks[0], {"answer": GOLD}) == []
    schema["properties"]["answer"] = {"description": f"Such as: {GOLD}."}
    (folder / "schema.json").write_bytes(orjson.dumps(schema))
    assert found(folder).faults == [f"q: the schema holds gold: {GOLD!r}"]


def test_a_doi_of_the_gold_is_a_leak_however_short(family: Callable[..., Path]) -> None:
    source = {"doi": "10.5555/x.1"}
    record = changed(parameters={"question": "What does 10.5555/x.1 say?"})
    (fault,) = found(family({**record, "gold": {"kind": "text", "answer": "no", "source": source}})).faults
    assert "10.5555/x.1" in fault


def test_licences_are_stated_or_noted(family: Callable[..., Path]) -> None:
    none = ('licence = "Apache-2.0"\n', "")
    assert "no licence is stated, neither in family.toml nor for q" in found(family(settings=none)).notes
    own = {**QUESTION, "metadata": {"licence": "CC-BY-4.0"}}
    assert not found(family(own, settings=none, name="own")).notes


def test_an_empty_answer_that_breaks_the_schema_is_a_fault(family: Callable[..., Path]) -> None:
    (fault,) = found(family(settings=("'{\"answer\": null}'", "'{}'"))).faults
    assert "the empty answer of family.toml" in fault


def test_gold_that_cannot_be_read_is_a_fault(family: Callable[..., Path]) -> None:
    (fault,) = found(family({**QUESTION, "gold": {"kind": "number", "answer": "5 or 6"}})).faults
    assert fault.startswith("q: The gold")


def test_servers_corpora_names_of_gold_and_strays(family: Callable[..., Path]) -> None:
    folder = family(changed(files=["files/gold.jsonl"], corpus="corpora/x"), settings=('"figures"', '"figurez"'))
    (folder / "files").mkdir()
    (folder / "files" / "gold.jsonl").write_text("{}")
    (folder / "files" / "left.txt").touch()
    (folder / "corpora" / "x").mkdir(parents=True)
    (folder / "corpora" / "x" / "works.jsonl").write_text("{}\n")
    findings = found(folder)
    for part in ("figurez", "works.jsonl:1", "gold.jsonl is a name of gold"):
        assert any(part in fault for fault in findings.faults), part
    assert findings.notes == ["no task names files/left.txt"]


def test_a_prompt_that_does_not_name_the_answer_is_noted(family: Callable[..., Path]) -> None:
    folder = family()
    prompt = (folder / "prompt.md").read_text(encoding="utf-8")
    (folder / "prompt.md").write_text(prompt.replace("answer.json", "a file"), encoding="utf-8")
    assert found(folder).notes == ["prompt.md does not name answer.json, which the agent must leave"]


def test_a_scorer_that_there_is_not_is_a_fault(family: Callable[..., Path]) -> None:
    (fault,) = found(family(settings=('scorer = "literature_qa"', 'scorer = "mine"'))).faults
    assert "there is no scorer 'mine'; there are" in fault


def test_task_ids_of_two_families_must_differ(family: Callable[..., Path]) -> None:
    one, two = load_family(family()), load_family(family(name="two"))
    assert shared_ids({"one": one, "two": two}) == ["the task id 'q' is in one and in two"]
    assert shared_ids({"one": one}) == []
