"""What the agent saw, in twenty recorded trajectories: sessions that four CLIs wrote and trials of react.

The steps that are expected come from a plain search for the words in the trajectory, written without the audit's code.
"""

import shutil
from pathlib import Path

import orjson
import pytest

from pincite_harness.audit.audited import audit_path
from pincite_harness.audit.data import to_json
from pincite_harness.audit.sources import open_sources
from pincite_trajectory.atif import Trajectory
from pincite_trajectory.sources import open_source

ROOT = Path(__file__).parents[3]
SESSIONS = ROOT / "tests/harness/sessions/files"
RECORDED = Path(__file__).with_name("recorded")
FAMILY = ROOT / "tasks/property_extraction"
TIN = "The critical temperature of white tin is 3.72 K in zero field."
DENSITY = "Its density at room temperature is 7.29 g/cm^3 after rolling."
PAPER = (
    '<article article-type="research-article"><front><article-meta><title-group><article-title>A study of white tin'
    f"</article-title></title-group></article-meta></front><body><sec><title>Results</title><p>{TIN}</p>"
    f"<p>{DENSITY.replace('^3', '<sup>3</sup>')}</p></sec></body></article>"
)
ARRANGED = (
    (TIN, "White tin has a critical temperature of 3.72 K.", "In zero field 3.72 K is its critical temperature."),
    ("Nothing is here.", "I begin.", "White tin has a density of 7.29 g/cm^3 at room temperature."),
    (DENSITY, f'They say "{DENSITY[:-1]}".', "It is done."),
    (DENSITY, "I begin.", f'They say "{TIN[:-1]}" and "{DENSITY[:-1]}".'),
)
"""What the tool showed, the first message and the last one: a claim said before and after it was shown, one of what was
never shown, one quoted before, and two of which one was shown."""
LOST = "Between δ = 0.05 and δ = 0.38 the zero-resistance temperature is lost at a rate that grows with δ"
"""What the answers of the trials quote; they give 93.4 K, from a table, besides."""


def flat(text: str) -> str:
    return " ".join(text.replace("−", "-").split())


def results_of(trajectory: Trajectory) -> list[tuple[int, str]]:
    """The text of every result, with its step; those of sub-agents at the step that called them are not needed here."""
    found: list[tuple[int, str]] = []
    for step in trajectory.steps:
        results = step.observation.results if step.observation else []
        texts = [str(result.content).replace("\\n", " ") for result in results]
        found += [(step.step_id, flat(text)) for text in texts]
    return found


@pytest.mark.parametrize("cli", ["claude", "codex", "gemini", "qwen"])
def test_sessions(cli: str, tmp_path: Path) -> None:
    (tmp_path / "tin.xml").write_text(PAPER)
    opened = open_sources([tmp_path / "tin.xml"])
    checked = 0
    for number, (shown, early, late) in enumerate(ARRANGED):
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
        wanted = {
            each: next((at for at, text in results_of(trajectory) if each in text), None) for each in (TIN, DENSITY)
        }
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


@pytest.mark.parametrize("number", range(4))
def test_trials_of_react(number: int) -> None:
    """Trials with a scripted model: page 2 read, nothing read, both pages, and a list of tables alone."""
    opened = open_sources([FAMILY / "papers/ybco_oxygen.pdf"])
    folder = RECORDED / f"react_{number}"
    trajectory = open_source(folder).trajectory
    (report,) = to_json(audit_path(folder, opened), opened)["reports"]
    claims = {claim["kind"]: claim for claim in report["claims"]}
    results = [(at, text) for at, text in results_of(trajectory) if "Written" not in text]
    for kind, words in (("quote", LOST), ("value", "93.4")):
        seen = next((at for at, text in results if flat(words) in text), None)
        sight = claims[kind]["sight"]
        assert sight["seen_step"] == seen, (claims[kind], results)
        assert sight["claimed_step"] == trajectory.steps[-1].step_id
        assert sight["from_memory"] == (seen is None)
