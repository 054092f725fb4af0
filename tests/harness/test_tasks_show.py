"""pincite tasks show gives no right answer away, in any bundled family."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

from typer.testing import CliRunner

from pincite_harness.cli.main import app
from pincite_tasks.family import load_family

TASKS = Path(__file__).parents[2] / "tasks"


def shown(*words: str) -> str:
    done = CliRunner().invoke(app, ["tasks", "show", *words], env={"COLUMNS": "200"})
    assert done.exit_code == 0, done.output
    return done.output


def texts_of(gold: Any) -> Iterator[str]:
    """Every text in a gold answer that is long enough to be known again."""
    if isinstance(gold, dict):
        for value in cast("dict[str, Any]", gold).values():
            yield from texts_of(value)
    elif isinstance(gold, list):
        for value in cast("list[Any]", gold):
            yield from texts_of(value)
    elif isinstance(gold, str) and len(gold) >= 12:
        yield gold


def test_neither_gold_nor_titles_that_hint_at_it_are_shown() -> None:
    away: list[str] = []
    for folder in sorted(path for path in TASKS.iterdir() if (path / "family.toml").is_file()):
        family = load_family(folder)
        listed = shown(folder.name)
        # What agents are told may stand in the gold too: a paper's name, a material, an option's words.
        told = "\n".join(family.fill_prompt(task) for task in family.tasks)
        for task in family.tasks:
            page = shown(folder.name, task.task_id)
            secret = [text for text in texts_of(task.gold) if text not in told]
            title = str(task.metadata.get("title") or "")
            if title and title not in told:
                secret.append(title)
            away += [f"{task.task_id}: {text}" for text in secret if text in page or text in listed]
            assert "gold: " not in page
    assert not away, "\n".join(away[:20])


def test_gold_is_shown_when_it_is_asked_for() -> None:
    assert "gold: {" in shown("literature_qa", "kelp-limit-held-constant", "--gold")
    assert "True reports at ambient and high pressure" in shown("precedent_search", "--gold")
