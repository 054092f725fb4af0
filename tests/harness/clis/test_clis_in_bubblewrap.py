"""The real CLIs in bubblewrap: the same work, and the ways in which it can end badly."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from pincite_doors.testing import Usage, call, fail, hang, refuse, say, shell, turn, write
from pincite_harness.agents.agent import Briefing
from pincite_harness.agents.cli.claude_code import ClaudeCode

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("name", ["claude-code", "codex"])
async def test_does_the_same_in_bubblewrap(
    name: str, on_this_machine: None, cli_trials: ModuleType, tmp_path: Path
) -> None:
    family = cli_trials.one_paper()
    ran = await cli_trials.run_cli(name, "bubblewrap", tmp_path / "trial", cli_trials.work(family), family)
    assert (ran.record.status, ran.record.detail) == ("completed", None), ran.log
    assert ran.record.sandbox.backend == "bubblewrap"
    assert ran.score["metrics"]["f1"] == 1.0


@pytest.mark.parametrize(("name", "model"), [("gemini-cli", "gemini-2.5-flash"), ("codex", "gpt-6-sol")])
async def test_a_model_that_it_knows_is_asked_and_shown_the_tools(
    name: str, model: str, on_this_machine: None, cli_trials: ModuleType, tmp_path: Path
) -> None:
    """Gemini CLI would take a newer model for it; Codex would show it one tool that finds and runs the others."""
    script = [write("answer.json", '{"properties": []}'), say("Done.")]
    family = cli_trials.one_paper()
    ran = await cli_trials.run_cli(name, "bubblewrap", tmp_path / "trial", script, family, thinking=model)
    assert (ran.record.status, ran.record.detail) == ("completed", None), ran.log
    assert {request.model for request in ran.model.requests} == {model}


class Deaf(ClaudeCode):
    """Is told a wrong address for one of its servers."""

    def settings(self, briefing: Briefing, home: str) -> Mapping[str, bytes]:
        lost = {**briefing.tools, "figures": "http://127.0.0.1:9/mcp/figures"}
        return super().settings(replace(briefing, tools=lost), home)


async def test_a_lost_server_is_a_failure_of_its_own(
    on_this_machine: None, cli_trials: ModuleType, tmp_path: Path
) -> None:
    """Claude Code goes on without a server that it could not reach, and writes an answer all the same."""
    script = [write("answer.json", '{"properties": []}'), say("Done.")]
    family = cli_trials.one_paper()
    ran = await cli_trials.run_cli("claude-code", "bubblewrap", tmp_path / "trial", script, family, make=Deaf)
    assert (ran.record.status, ran.record.cause) == ("failed", "server_failed")
    assert "figures (its tools were never asked for)" in ran.record.detail
    assert ran.score["status"] == "unscored"


SPENT = Usage(900, 9)
ENDINGS = (
    ("model_failed", "server_error", [fail(500, times=None)], {}),
    ("refused", "refused", [refuse()], {}),
    ("limit_reached", "tokens: 500", [turn(call("documents.list_tables", paper="a"), usage=SPENT)], {"tokens": 500}),
    ("limit_reached", "wall clock: 12 s", [shell("sleep 9")] * 5, {"wall_clock_seconds": 12}),
    ("model_failed", "had sent nothing", [hang(times=None)], {"wall_clock_seconds": 12}),
    ("agent_failed", "ended with exit code", [shell("kill -9 $PPID")], {}),
)


async def test_failures_are_told_apart(on_this_machine: None, cli_trials: ModuleType, tmp_path: Path) -> None:
    """One real CLI, six ways to end badly, side by side."""

    def trial(number: int) -> Any:
        *_, script, limits = ENDINGS[number]
        family = cli_trials.one_paper(**limits)
        return cli_trials.run_cli("codex", "bubblewrap", tmp_path / str(number), [*script, say("Done.")], family)

    ended = await asyncio.gather(*map(trial, range(len(ENDINGS))))
    for (cause, said, *_), ran in zip(ENDINGS, ended, strict=True):
        assert (ran.record.cause, said in ran.record.detail) == (cause, True), f"{ran.record.detail}\n{ran.log}"
    assert len(ended[0].model.requests) == 5, "it gives up after it asked four more times"
