"""What the agent saw, in twenty recorded trajectories: sessions that four CLIs wrote and trials of react.

The steps that are expected come from a plain search for the words in the trajectory, written without the audit's code.
"""

import shutil
from pathlib import Path
from typing import Any

import orjson
import pytest

from pincite_core.settings import Settings
from pincite_doors.testing import ScriptedModel, call, say
from pincite_harness.agents.registry import get_agent
from pincite_harness.audit.audited import audit_path
from pincite_harness.audit.data import to_json
from pincite_harness.audit.sources import open_sources
from pincite_harness.trial.marking import Marker
from pincite_harness.trial.plan import plan_trials
from pincite_harness.trial.run import Surroundings, TrialRun
from pincite_harness.trial.servers import SERVERS
from pincite_models.choice import ModelChoice
from pincite_scoring import ScoringOptions
from pincite_tasks.family import load_family
from pincite_trajectory.sources import open_source

ROOT = Path(__file__).parents[3]
SESSIONS = ROOT / "tests/harness/sessions/files"
FAMILY = ROOT / "tasks/property_extraction"
TIN = "The critical temperature of white tin is 3.72 K in zero field."
DENSITY = "Its density at room temperature is 7.29 g/cm^3 after rolling."
PAPER = (
    '<article article-type="research-article"><front><article-meta><title-group><article-title>A study of white tin'
    f"</article-title></title-group></article-meta></front><body><sec><title>Results</title><p>{TIN}</p>"
    f"<p>{DENSITY.replace('^3', '<sup>3</sup>')}</p></sec></body></article>"
)
ARRANGED = {
    "said before and after it was shown": (TIN, "White tin has a critical temperature of 3.72 K.", "In zero field 3.72 K is its critical temperature."),
    "never shown": ("Nothing of tin is here.", "I begin.", "White tin has a density of 7.29 g/cm^3 at room temperature."),
    "quoted before it was shown": (DENSITY, f'They say "{DENSITY[:-1]}".', "It is done."),
    "one of two shown": (DENSITY, "I begin.", f'They say "{TIN[:-1]}" and "{DENSITY[:-1]}".'),
}  # fmt: skip
"""What the tool showed, the first message and the last one."""
YBCO = [
    {"material_or_system": "YBa2Cu3O6.95", "property_name": "onset temperature", "value_string": "93.4",
     "value_unit": "K", "location": {"page": 2, "source_type": "text", "evidence":
     "Between δ = 0.05 and δ = 0.38 the zero-resistance temperature is lost at a rate that grows with δ"}},
]  # fmt: skip


def flat(text: str) -> str:
    return " ".join(text.replace("−", "-").split())


def results_of(trajectory: Any) -> list[tuple[int, str]]:
    """The text of every result, with its step; those of sub-agents at the step that called them are not needed here."""
    found: list[tuple[int, str]] = []
    for step in trajectory.steps:
        for result in step.observation.results if step.observation else []:
            found.append((step.step_id, flat(str(result.model_dump()["content"]).replace("\\n", " "))))
    return found


@pytest.mark.parametrize("cli", ["claude", "codex", "gemini", "qwen"])
def test_sessions(cli: str, tmp_path: Path) -> None:
    (tmp_path / "tin.xml").write_text(PAPER)
    opened = open_sources([tmp_path / "tin.xml"])
    checked = 0
    for number, (shown, early, late) in enumerate(ARRANGED.values()):
        folder = tmp_path / str(number)
        shutil.copytree(SESSIONS / cli, folder)
        for file in folder.rglob("*.json*"):
            text = file.read_text()
            for spelling in ("hello é中", "hello \\u00e9\\u4e2d"):
                text = text.replace(spelling, shown)
            words = [orjson.dumps(each).decode()[1:-1] for each in (early, late)]
            file.write_text(text.replace("Let me look.", words[0]).replace("Done, all written.", words[1]))
        trajectory = open_source(folder, tmp_path / f"media{number}").trajectory
        messages = {step.step_id: flat(str(step.message)) for step in trajectory.steps if step.source == "agent"}
        (report,) = to_json(audit_path(folder, opened), opened)["reports"]
        wanted = {each: next((at for at, text in results_of(trajectory) if each in text), None) for each in (TIN, DENSITY)}
        for claim in report["claims"]:
            passage = TIN if "3.72" in claim["text"] else DENSITY
            said = [at for at, text in messages.items() if claim["text"] in text]
            sight = claim["sight"]
            assert sight["claimed_step"] in said, (cli, number, claim)
            assert sight["seen_step"] == wanted[passage], (cli, number, claim)
            seen = wanted[passage]
            assert sight["from_memory"] == (seen is None or sight["claimed_step"] <= seen), (cli, number, claim)
            checked += 1
    assert checked == 6


async def test_trials_of_react(bubblewrap_ready: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PINCITE_MODEL_API_KEY", "a-key")
    family = load_family(FAMILY)
    task = next(task for task in family.tasks if task.id == "ybco_oxygen")
    paper = "ybco_oxygen.pdf"
    read = [call("documents.read_pages", paper=paper, pages=page) for page in ("1", "2")]
    opened = open_sources([FAMILY / f"papers/{paper}"])
    quote = YBCO[0]["location"]["evidence"]
    for number, looks in enumerate(([read[1]], [], [read[0], read[1]], [call("documents.list_tables", paper=paper)])):
        script = [*looks, call("write_answer", answer={"properties": YBCO}), say("Done.")]
        with ScriptedModel(script, key="a-key") as model:
            choice = ModelChoice.parse("anthropic:claude-opus-4-8", model.url)
            [plan] = plan_trials([(family, task)], get_agent("react", {}, choice), 1, choice)
            marker = Marker([plan.task], ScoringOptions())
            folder = tmp_path / f"run/trials/{number}"
            around = Surroundings("bubblewrap", marker, SERVERS, settings=Settings(cache_dir=tmp_path / "cache"))
            try:
                await TrialRun(plan, folder, around).run()
            finally:
                marker.close()
        trajectory = open_source(folder).trajectory
        (report,) = to_json(audit_path(folder, opened), opened)["reports"]
        claims = {claim["kind"]: claim for claim in report["claims"]}
        results = results_of(trajectory)
        seen = {
            "quote": next((at for at, text in results if flat(quote) in text), None),
            "value": next((at for at, text in results if "93.4" in text), None),
        }
        for kind, at in seen.items():
            assert claims[kind]["sight"]["seen_step"] == at, (number, kind, claims[kind], results)
            assert claims[kind]["sight"]["claimed_step"] == trajectory.steps[-1].step_id
