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
TRIAL = "crconi_alloy__1"


def recorded(name: str, folder: Path) -> Trajectory:
    """A trajectory; its pictures lie in ``folder``."""
    if name in CLIS:
        return read_session(HARNESS / "sessions" / "files" / name, folder)
    return Trajectory.model_validate_json((HARNESS / "audit" / "recorded" / name / "trajectory.json").read_bytes())


def test_each_kind_of_agent_is_seen_step_by_step(
    desk_window: Any, make_run: Any, answer_of: Callable[..., Any], browser: Any, tmp_path: Path
) -> None:
    runs: list[Path] = []
    for name in (*CLIS, *RECORDED):
        media = tmp_path / "media" / name
        media.mkdir(parents=True)
        trajectory = recorded(name, media)
        run = make_run(tmp_path / name, {"crconi_alloy": answer_of("crconi_alloy")}, trajectory)
        shutil.copytree(media, run / "trials" / TRIAL, dirs_exist_ok=True)
        runs.append(run)
    with desk_window.open_desk(*runs) as desk:
        for number, name in enumerate((*CLIS, *RECORDED)):
            assert not desk_window.look_through(browser, desk, number, TRIAL), name
