"""pincite trajectory: validate, show, convert, as a user types them."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pytest
from typer.testing import CliRunner, Result

from pincite_core.errors import BadInputError, NotFoundError
from pincite_harness.cli.main import app
from pincite_trajectory.sources import open_source

PNG = b"\x89PNG\r\n\x1a\n"
PIXEL = {"type": "image", "mimeType": "image/png", "path": "media/p.png", "bytes": 8}
LONG = "A very long answer. " * 30

SESSIONS = Path(__file__).parents[1] / "sessions" / "files"

Run = Callable[..., Result]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("COLUMNS", "300")

    def ran(*words: Any) -> Result:
        return CliRunner().invoke(app, ["trajectory", *map(str, words)])

    return ran


@pytest.fixture
def trial(wire: Any) -> Path:
    """A trial's folder: a call with an image, a failed attempt, a side request, a text with a terminal's code."""
    (wire.folder / "media").mkdir(parents=True)
    (wire.folder / "media" / "p.png").write_bytes(PNG)
    opening = [wire.user("Find Tc.")]
    wire.ask(opening, "Tc", body={"system": "Make a title.", "tools": []})
    wire.fail(opening, "rate_limited", 429)
    said = wire.ask(opening, "I look. \x1b[2J", wire.use("c1", "mcp__demo__picture", figure="Fig. 1"))
    wire.serve("picture", {"figure": "Fig. 1"}, [{"type": "text", "text": "a pixel"}, PIXEL])
    wire.ask([*said, wire.user(wire.result("c1", "a pixel"))], LONG)
    wire.build("Find Tc.")
    return wire.folder


def test_show_tells_the_whole_story(run: Run, trial: Path) -> None:
    shown = run("show", trial)
    assert shown.exit_code == 0
    for words in (
        "claude-x",
        "after 1 failed: rate_limited",
        'calls  mcp__demo__picture {"figure":"Fig. 1"}',
        "image media/p.png",
        "images dropped by the client",
        "side_request",
        "Make a title.",
        "file answer.json",
        f"({len(LONG):,} characters)",
        "4 calls of a model, 1 of tools; 30 tokens in (12 cached), 6 out; 0.7500 US dollars",
    ):
        assert words in shown.stdout
    assert "\x1b" not in shown.stdout


def test_show_one_step_in_full(run: Run, trial: Path) -> None:
    shown = run("show", trial, "--step", "4")
    assert LONG.strip().replace(" ", "") in "".join(shown.stdout.split())
    assert "I look." not in shown.stdout
    full = run("show", trial, "--full")
    assert LONG.strip().replace(" ", "") in "".join(full.stdout.split())
    assert "I look." in full.stdout


def test_show_a_step_that_is_not_there(run: Run, trial: Path) -> None:
    assert isinstance(run("show", trial, "--step", "99").exception, NotFoundError)


def test_validate_says_what_is_wrong_with_each_file(run: Run, trial: Path, tmp_path: Path) -> None:
    good = run("validate", trial, trial / "trajectory.json")
    assert good.exit_code == 0
    assert good.stdout.count("ATIF-v1.8, 5 steps, 1 embedded") == 2
    broken = tmp_path / "broken.json"
    broken.write_text('{"schema_version": "ATIF-v1.8", "steps": []}')
    bad = run("validate", trial, broken)
    assert bad.exit_code == 1
    assert "ATIF-v1.8, 5 steps" in bad.stdout
    assert "is not an ATIF 1.8 trajectory" in bad.stdout


def test_validate_misses_an_image(run: Run, trial: Path) -> None:
    (trial / "media" / "p.png").unlink()
    said = run("validate", trial)
    assert said.exit_code == 1
    assert "media/p.png" in said.stdout


def test_convert_to_atif_takes_the_images_along(run: Run, trial: Path, tmp_path: Path) -> None:
    out = tmp_path / "elsewhere" / "t.json"
    assert run("convert", trial, "--out", out).exit_code == 0
    assert (tmp_path / "elsewhere" / "media" / "p.png").read_bytes() == PNG
    assert run("validate", out).exit_code == 0


@pytest.mark.parametrize(("form", "suffix"), [("otel", ".otlp.json"), ("inspect", ".eval")])
def test_convert_writes_beside_the_source_and_never_over_a_file(run: Run, trial: Path, form: str, suffix: str) -> None:
    written = trial.with_name(f"trial{suffix}")
    assert run("convert", trial, "--to", form).stdout.strip() == str(written)
    assert written.stat().st_size > 0
    assert isinstance(run("convert", trial, "--to", form).exception, BadInputError)


def test_convert_an_atif_file(run: Run, trial: Path, tmp_path: Path) -> None:
    out = tmp_path / "spans.json"
    assert run("convert", trial / "trajectory.json", "--to", "otel", "--out", out).exit_code == 0
    assert "resourceSpans" in orjson.loads(out.read_bytes())


def test_a_killed_trial_is_read_from_its_records(trial: Path) -> None:
    before = open_source(trial).trajectory
    (trial / "trajectory.json").unlink()
    after = open_source(trial).trajectory
    assert [step.message for step in after.steps[:-1]] == [step.message for step in before.steps[:-1]]


def test_the_folder_of_a_run_names_its_trials(trial: Path, tmp_path: Path) -> None:
    (tmp_path / "run" / "trials").mkdir(parents=True)
    shutil.move(trial, tmp_path / "run" / "trials" / "t1")
    with pytest.raises(BadInputError, match="is a run") as caught:
        open_source(tmp_path / "run")
    assert caught.value.seen == "t1"


def test_nothing_there(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError):
        open_source(tmp_path / "gone")


@pytest.mark.parametrize("agent", ["claude", "codex", "gemini", "qwen"])
def test_the_session_that_a_cli_left_is_read_too(run: Run, tmp_path: Path, agent: str) -> None:
    sessions = tmp_path / "sessions"
    shutil.copytree(SESSIONS / agent, sessions)
    (session,) = [path for path in sessions.rglob("*.jsonl") if open_source(path).trajectory.subagent_trajectories]
    for source in (session, sessions):
        assert "subagent" in run("show", source).stdout
    for form in ("atif", "otel", "inspect"):
        out = tmp_path / "out" / f"session.{form}"
        assert run("convert", session, "--to", form, "--out", out).exit_code == 0
    assert run("validate", tmp_path / "out" / "session.atif").exit_code == 0
