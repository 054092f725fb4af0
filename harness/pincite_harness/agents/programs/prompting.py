"""Prompting: what a model is asked, in the task's words, in those of AOE's baselines, or in the user's own."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).with_name("table_prompts")
_NAMED = ("steps", "plain")
_SLOT = re.compile(r"\{\{\s*(\w+)\s*\}\}")
_HAN = re.compile(r"[\u4e00-\u9fff]")


def is_own(options: Mapping[str, str]) -> bool:
    """Whether another prompt than the task's is asked for."""
    return options.get("prompt", "task") != "task"


def prompt_of(task: Mapping[str, Any], text: str, options: Mapping[str, str]) -> str:
    """What is asked: the task's own ``text``; ``prompt=steps`` and ``plain`` (a query for a table, with ``examples``
    and ``style``); or a file of the user's, in which ``{{task}}`` is the task's text and ``{{NAME}}`` one of its
    parameters. ValueError where the task has no such parameter."""
    kind = options.get("prompt", "task")
    if kind == "task":
        return text.strip()
    known = {"task": text.strip(), **{name: str(value) for name, value in task.get("parameters", {}).items()}}
    if kind not in _NAMED:
        return _SLOT.sub(lambda found: _value(known, found[1], kind), Path(kind).read_text(encoding="utf-8")).strip()
    query = _value(known, "query", kind)
    language = "zh" if _HAN.search(query) else "en"
    examples = _read(f"examples-{language}") if options.get("examples", "3") == "3" else ""
    style = _read("published" if options.get("style") == "published" else "empty")
    filled = _read(kind).replace("{style}", style).replace("{examples}", examples).replace("{query}", query)
    return re.sub(r"\n{3,}", "\n\n", filled).strip()


def _value(known: Mapping[str, str], name: str, kind: str) -> str:
    if name not in known:
        raise ValueError(f"prompt={kind} needs the task's {name}; it has {', '.join(sorted(known))}")
    return known[name]


def _read(name: str) -> str:
    return (FOLDER / f"{name}.md").read_text(encoding="utf-8").strip()
