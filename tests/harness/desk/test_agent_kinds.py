"""What agents of each recorded kind did, step by step in a browser: the CLIs' own sessions, and recorded trials."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pincite_trajectory.atif import Trajectory
from pincite_trajectory.sessions import read_session

HARNESS = Path(__file__).parents[1]
CLIS = ("claude", "codex", "gemini", "qwen")
RECORDED = ("react_0", "react_1")
TRIAL = "trial/crconi_alloy__1"


def recorded(name: str, folder: Path) -> Trajectory:
    """A trajectory; its pictures lie in ``folder``."""
    if name in CLIS:
        return read_session(HARNESS / "sessions" / "files" / name, folder)
    return Trajectory.model_validate_json((HARNESS / "audit" / "recorded" / name / "trajectory.json").read_bytes())


def test_each_kind_of_agent_is_seen_step_by_step(
    open_desk: Any, make_run: Any, answer_of: Callable[..., Any], browser: Any, tmp_path: Path
) -> None:
    runs: list[Path] = []
    for name in (*CLIS, *RECORDED):
        media = tmp_path / "media" / name
        media.mkdir(parents=True)
        trajectory = recorded(name, media)
        run = make_run(tmp_path / name, {"crconi_alloy": answer_of("crconi_alloy")}, trajectory)
        shutil.copytree(media, run / "trials" / "crconi_alloy__1", dirs_exist_ok=True)
        runs.append(run)
    with open_desk(*runs) as desk:
        for number, name in enumerate((*CLIS, *RECORDED)):
            told = desk.site.trajectories.of(runs[number] / "trials" / "crconi_alloy__1")
            browser.open(f"{desk.address}/run/{number}/{TRIAL}#steps")
            browser.until("document.querySelectorAll('#steps .step').length > 1")
            browser.run("document.querySelectorAll('.step').forEach((each) => { each.open = true; })")
            browser.until(
                "[...document.querySelectorAll('.step[open] > .body')].every((each) => each.textContent.trim())"
            )
            shown = browser.run("document.getElementById('steps').textContent")
            calls = [call for step in told.conversations[0].steps[:100] for call in step.tool_calls or []]
            missing = [call.function_name for call in calls if call.function_name not in shown]
            assert calls and not missing, (name, missing)
            pictures = "[...document.querySelectorAll('#steps img')]"
            browser.until(f"{pictures}.every((each) => each.complete)")
            assert browser.run(f"{pictures}.every((each) => each.naturalWidth > 0)"), name
            assert not browser.complaints, (name, browser.complaints)
