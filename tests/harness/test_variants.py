"""Variants of a family: the properties of a list alone, and the open web."""

import json
from pathlib import Path
from typing import Any

import orjson
import pytest
from typer.testing import CliRunner

from pincite_core.errors import BadInputError
from pincite_harness.agents.agent import Briefing
from pincite_harness.agents.registry import get_agent
from pincite_harness.cli.main import app
from pincite_harness.runs.specification import RunSpecification, specify_families
from pincite_harness.runs.variants import on_open_web, read_targets, with_targets
from pincite_models.choice import ModelChoice
from pincite_tasks.catalog import Catalog
from pincite_tasks.family import load_family


def test_properties_of_a_list_are_asked_for_and_scored_alone(tmp_path: Path) -> None:
    (tmp_path / "names.txt").write_text(
        "# superconductivity\nsuperconducting transition temperature\nspace group # or\n"
    )
    targets = read_targets(tmp_path / "names.txt")
    assert targets == ["superconducting transition temperature", "space group"]
    out = tmp_path / "runs"
    words = ["run", "property_extraction", "--task", "cerhge2", "--agent", "oracle", "--unsafe", "--sandbox", "local"]
    task = next(iter(Catalog().family("property_extraction").tasks))
    words[3] = task.task_id
    result = CliRunner().invoke(
        app, [*words, "--targets", str(tmp_path / "names.txt"), "--out", str(out), "--name", "one"]
    )
    assert not result.exit_code, result.output
    trial = out / "one" / "trials" / f"{task.task_id}__1"
    answered = {record["property_name"] for record in json.loads((trial / "answer.json").read_text())["properties"]}
    assert "space group" in answered
    assert "crystal system" not in answered
    assert json.loads((trial / "score.json").read_text())["metrics"]["f1"] == 1.0
    family = with_targets(Catalog().family("property_extraction"), targets)
    prompt = family.fill_prompt(family.task(task.task_id))
    assert "- space group\n" in prompt
    counted = family.task(task.task_id).metadata["targets"]
    assert 0 < counted["gold"] < counted["of"] == len(task.gold["properties"])
    report = json.loads((out / "one" / "report.json").read_text())
    assert "changed" not in json.dumps(report), "its tasks are those that were run"


def test_a_list_that_is_none_and_a_family_without_properties_are_refused(tmp_path: Path) -> None:
    (tmp_path / "empty.txt").write_text("# nothing\n")
    with pytest.raises(BadInputError, match="not a list of properties"):
        read_targets(tmp_path / "empty.txt")
    with pytest.raises(BadInputError, match="supercon97"):
        read_targets(tmp_path / "absent.txt")
    with pytest.raises(BadInputError, match="does not ask for properties"):
        with_targets(Catalog().family("record_filling"), ["yield strength"])


def test_the_published_list_of_97_names_is_asked_by_its_name() -> None:
    targets = read_targets(Path("supercon97"))
    assert len(targets) == 97
    family = with_targets(Catalog().family("property_extraction"), targets)
    assert "- Tc (of this sample) recommended\n" in family.fill_prompt(family.tasks[0])
    counted = [task.metadata["targets"] for task in family.tasks]
    assert 0 < sum(each["gold"] for each in counted) < sum(each["of"] for each in counted)


def test_the_open_web_is_what_a_family_says(make_family: Any, tmp_path: Path) -> None:
    more = '[open_web]\nallowed_hosts = ["api.crossref.org", "*.arxiv.org"]\nhosted_tools = ["web_search"]\n'
    folder = make_family(servers="[]", more=more + "wall_clock_seconds = 1200")
    specification = RunSpecification(families=specify_families(["tiny"], Catalog(folder)), agent="nop", open_web=True)
    family = specification.load_families()[0]
    assert family.settings.web.allowed_hosts == ["api.crossref.org", "*.arxiv.org"]
    assert family.settings.model.hosted_tools == ["web_search"]
    assert family.settings.limits.wall_clock_seconds == 1200
    assert "- *.arxiv.org\n" in family.fill_prompt(family.tasks[0])
    assert load_family(folder).settings.web.allowed_hosts == [], "without the option it stays closed"
    with pytest.raises(BadInputError, match="does not say what the open web is"):
        on_open_web(load_family(make_family("other", servers="[]")))
    with pytest.raises(BadInputError, match="made-up literature"):
        on_open_web(Catalog().family("precedent_search"))


def test_imported_precedents_can_be_asked_on_the_open_web_which_is_recorded(tmp_path: Path) -> None:
    csv = tmp_path / "tc.csv"
    csv.write_text(
        "refno,material,property_name,Has material been reported to be superconducting?,What is the highest measured "
        "Tc?,What is the lowest temp for measurement at which material was not superconducting?\n"
        "PRL122027001,LaH10,tc,Yes,250,\nB,Cu,tcn,No,,0.01\n"
    )
    tasks, out = tmp_path / "tasks", tmp_path / "runs"
    made = CliRunner().invoke(app, ["tasks", "import", "precedent_search", "--from", str(csv), "--out", str(tasks)])
    assert not made.exit_code, made.output
    words = ["run", "precedent_search", "--tasks", str(tasks), "--open-web", "--agent", "nop", "--unsafe"]
    result = CliRunner().invoke(
        app, [*words, "--sandbox", "local", "--sample", "1", "--out", str(out), "--name", "open"]
    )
    assert not result.exit_code, result.output
    document = orjson.loads((out / "open" / "run.json").read_bytes())
    assert document["specification"]["open_web"]
    assert document["specification"]["web"]["mode"] == "record"
    assert document["specification"]["web"]["store"] == str((out / "open-web").resolve())


def test_gemini_and_qwen_are_told_how_hard_to_think() -> None:
    def settings(agent: str, model: str, effort: str) -> dict[str, Any]:
        chosen = ModelChoice(provider="compatible", name=model, base_url="http://127.0.0.1:1")
        briefing = Briefing(
            prompt="p", workdir="/work", tools={}, token="t", seconds=60, model=chosen, model_url="http://127.0.0.1:8"
        )
        files = get_agent(agent, {"effort": effort}, chosen).launch(briefing).files
        return json.loads(next(data for name, data in files.items() if name.endswith("settings.json")))

    qwen = settings("qwen-code", "qwen3", "high")
    assert qwen["model"]["generationConfig"]["extra_body"] == {"reasoning_effort": "high"}
    for model, effort, thinking in (
        ("gemini-3-pro", "low", {"thinkingLevel": "LOW"}),
        ("gemini-2.5-flash", "high", {"thinkingBudget": 24_576}),
        ("gemini-2.5-flash", "512", {"thinkingBudget": 512}),
    ):
        override = settings("gemini-cli", model, effort)["modelConfigs"]["customOverrides"][0]
        assert override["modelConfig"]["generateContentConfig"]["thinkingConfig"] == thinking
    for model, effort, words in (("gemini-3-pro", "512", "not a budget"), ("gemini-3-pro", "much", "not a valid")):
        with pytest.raises(BadInputError, match=words):
            settings("gemini-cli", model, effort)
