"""The lock of a run: the same things give the same lock, and any other thing is noticed by name."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pincite_core.errors import BadInputError, NotFoundError
from pincite_harness.agents.registry import get_agent
from pincite_harness.runs.lock import Lock, git_revision, lock_run
from pincite_harness.trial.plan import plan_trials
from pincite_tasks.family import load_family


@pytest.fixture
def locked(make_family: Any, tmp_path: Path) -> Callable[[], Lock]:
    folder = make_family(tasks=2)
    (tmp_path / "mine.py").write_text("pass")

    def lock() -> Lock:
        family = load_family(folder)
        agent = get_agent(str(tmp_path / "mine.py"))
        return lock_run(plan_trials([(family, task) for task in family.tasks], agent, 2))

    return lock


def append(path: Path, text: str) -> None:
    with path.open("a") as file:
        file.write(text)


CHANGES: dict[str, tuple[str, str]] = {
    "family/tiny/family.toml": ("families/tiny/family.toml", "# more"),
    "family/tiny/prompt.md": ("families/tiny/prompt.md", "more"),
    "family/tiny/schema.json": ("families/tiny/schema.json", "\n"),
    "paper/tiny/t2/a.pdf": ("families/tiny/papers/a.pdf", "%"),
    "agent/.agent/mine.py": ("mine.py", "\n"),
    "task/tiny/t3": (
        "families/tiny/records.jsonl",
        '\n{"task_id": "t3", "inputs": {"papers": ["papers/a.pdf"]}}',
    ),
}


def test_nothing_changed(locked: Callable[[], Lock]) -> None:
    first = locked()
    first.check(locked())
    assert first.digests["paper/tiny/t1/a.pdf"] == first.digests["paper/tiny/t2/a.pdf"]
    assert all(digest.startswith("sha256:") for digest in first.digests.values())
    assert first.versions["mcp"]


def test_tasks_made_of_one_paper_are_told(locked: Callable[[], Lock], tmp_path: Path) -> None:
    lines = [
        f'{{"task_id": "{task}", "inputs": {{"papers": ["papers/a.pdf"]}}, "metadata": {{"paper_id": "sha256:1"}}}}'
        for task in ("t1", "t2")
    ]
    (tmp_path / "families/tiny/records.jsonl").write_text("\n".join(lines))
    digests = locked().digests
    assert [digests[f"origin/tiny/{task}/paper"] for task in ("t1", "t2")] == ["sha256:1"] * 2


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_is_named(locked: Callable[[], Lock], tmp_path: Path, name: str) -> None:
    first = locked()
    file, more = CHANGES[name]
    append(tmp_path / file, more)
    with pytest.raises(BadInputError, match="has changed") as caught:
        first.check(locked())
    assert name in caught.value.seen


def test_the_revision_of_a_checkout() -> None:
    revision = git_revision()
    inside = (Path(__file__).parents[2] / ".git").exists()
    assert (revision is not None) is inside
    assert revision is None or len(revision.commit) == 40


@pytest.mark.parametrize("name", ["baseline", "oracle", "nop"])
def test_the_harness_own_agents(name: str) -> None:
    agent = get_agent(name)
    assert agent.argv == ("python3", f".agent/{name}.py")
    assert agent.argv[1] in agent.files
    assert agent.digests().keys() == agent.files.keys()
    assert agent.needs_gold is (name == "oracle")
    assert not [file for file in agent.files if "__pycache__" in file]


def test_other_agents(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match="no agent 'gpt'"):
        get_agent("gpt")
    with pytest.raises(NotFoundError):
        get_agent(str(tmp_path / "gone.py"))
