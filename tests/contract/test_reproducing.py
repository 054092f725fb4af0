"""Every command of docs/reproducing.md is one that pincite takes: its options, agents, agents' options and families."""

import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from pincite_harness.agents.registry import get_agent
from pincite_harness.cli.main import load_command
from pincite_models.choice import ModelChoice
from pincite_tasks.catalog import bundled_folder

PAGE = Path(__file__).parents[2] / "docs" / "reproducing.md"
STUDIES = ("AOE", "Reliability Gap", "literature agent", "SudokuFill", "ANAGENT")


def commands() -> list[str]:
    blocks = re.findall(r"^```sh\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    return [line for block in blocks for line in block.strip().splitlines()]


def parsed(words: list[str]) -> tuple[str, dict[str, Any]]:
    """The command's name and what it would be given; an error for what it does not take."""
    command: Any = load_command(words[0])
    path = [words.pop(0)]
    while words and words[0] in getattr(command, "commands", {}):
        command = command.commands[words[0]]
        path.append(words.pop(0))
    return " ".join(path), command.make_context(path[-1], words).params


def test_each_study_has_commands_and_each_command_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    headings = re.findall(r"^## (.*)$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert all(any(study in heading for heading in headings) for study in STUDIES)
    lines = commands()
    assert len(lines) > 20
    for line in lines:
        words = shlex.split(line.replace("MODEL", "openai:some-model"))
        assert words.pop(0) == "pincite", line
        if "--from" in words:
            Path(words[words.index("--from") + 1]).touch()
        name, given = parsed(words)
        if name != "run":
            continue
        for family in given["families"]:
            assert (bundled_folder() / family).is_dir(), line
        pairs: list[str] = given["agent_option"] or []
        options = dict(pair.split("=", 1) for pair in pairs)
        agent = get_agent(given["agent"], options, ModelChoice.parse(given["model"], ""))
        assert agent.dialect is not None, line


def test_a_library_of_distractors_can_be_made_of_what_is_bundled(module_at: Any) -> None:
    asked, others = module_at(PAGE.parents[1] / "scripts" / "build_distractor_library.py").papers()
    assert asked and len(others) >= 20
    assert not {path.name for path in asked} & {path.name for path in others}
