"""Every command of docs/reproducing.md is one that pincite takes: its options, agents, agents' options and families.

``python -m tests.benchmarks run reproducing_commands`` runs them."""

import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from pincite_harness.agents.registry import get_agent
from pincite_harness.cli.main import load_command
from pincite_harness.runs.settings import parse_vary, settings_of
from pincite_models.choice import ModelChoice
from pincite_tasks.catalog import bundled_folder

PAGE = Path(__file__).parents[2] / "docs" / "reproducing.md"
STUDIES = ("AOE", "Reliability Gap", "literature agent", "SudokuFill", "ANAGENT")


MODELS = ("MODEL", "STRONGER", "JUDGE", "EMBEDDER", "VISION")
"""Words of the page that stand for a PROVIDER:NAME."""


def commands() -> list[str]:
    blocks = re.findall(r"^```sh\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    lines = [line for block in blocks for line in block.strip().splitlines()]
    return [line for line in lines if not line.startswith("#")]


def parsed(words: list[str]) -> tuple[str, dict[str, Any], list[str]]:
    """The command's name, what it would be given, and what it would hand on; an error for what it does not take."""
    command: Any = load_command(words[0])
    path = [words.pop(0)]
    while words and words[0] in getattr(command, "commands", {}):
        command = command.commands[words[0]]
        path.append(words.pop(0))
    context = command.make_context(path[-1], words)
    return " ".join(path), context.params, context.args


def runs_of(name: str, given: dict[str, Any], handed_on: list[str]) -> list[dict[str, Any]]:
    """What each run of a command is given."""
    if name == "run":
        return [given]
    if name != "sweep":
        return []
    settings = settings_of(parse_vary(given["vary"]), given["design"])
    return [load_command("run").make_context("run", [*handed_on, *one.arguments()]).params for one in settings]


def prepare(words: list[str]) -> None:
    """Make the files and folders that a command is only taken with."""
    for option in ("--from", "--gold", "--papers", "--library"):
        if option in words:
            path = Path(words[words.index(option) + 1])
            if path.suffix:
                path.touch()
            else:
                path.mkdir(exist_ok=True)


def test_each_study_has_commands_and_each_command_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    headings = re.findall(r"^## (.*)$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert all(any(study in heading for heading in headings) for study in STUDIES)
    lines = commands()
    assert len(lines) > 50
    for line in lines:
        words = shlex.split(re.sub(rf"\b(?:{'|'.join(MODELS)})\b", "openai:some-model", line))
        assert words.pop(0) == "pincite", line
        prepare(words)
        for given in runs_of(*parsed(words)):
            for family in given["families"]:
                assert (bundled_folder() / family).is_dir(), line
            pairs: list[str] = given["agent_option"] or []
            options = dict(pair.split("=", 1) for pair in pairs)
            agent = get_agent(given["agent"], options, ModelChoice.parse(given["model"], ""))
            assert agent.dialect is not None, line


def test_a_library_of_distractors_can_be_made_of_what_is_bundled(module_at: Any) -> None:
    script = module_at(PAGE.parents[1] / "scripts" / "build_distractor_library.py")
    asked, near, far = script.asked(), script.neighbours(), script.others()
    assert asked and len(near) == 20 and len(far) >= 20
    assert not {path.name for path in asked} & {path.name for path in (*near, *far)}
