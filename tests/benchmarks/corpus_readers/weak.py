"""weak: asks one search, opens the first work that it finds, and takes the first number that fits. No model."""

import json
import re
from pathlib import Path
from typing import Any

from desk import Desk, Text

_TEMPERATURE = re.compile(r"(?<![\d.])(\d+(?:\.\d+)?) (mK|K)\b")
_NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?: ?(?:%|[a-zA-Zμ°]+(?:/\w+)?))")


def main() -> None:
    """Answer the task in the current folder."""
    task: dict[str, Any] = json.loads(Path("task.json").read_text(encoding="utf-8"))
    desk, told = Desk(task), task["parameters"]
    if task["family"] == "precedent_search":
        made = _precedent(desk, told["material"])
    else:
        made = _question(desk, told["question"])
    Path(task["answer"]).write_text(json.dumps(made, ensure_ascii=False), encoding="utf-8")


def _precedent(desk: Desk, material: str) -> dict[str, Any]:
    """Yes, with the first temperature of the first abstract that has one."""
    made: dict[str, Any] = {"reported": "Unknown", "sources": [], "measurements": [], "negative_measurements": []}
    works = desk.search(f"superconductivity {material}", 1)
    for work in works[:10]:
        for sentence in work.get("abstract", "").split(". "):
            found = _TEMPERATURE.search(sentence)
            if found:
                source = {**Text(work).source, "quoted_span": sentence}
                value = {"material": material, "value": found[1], "unit": found[2], "sources": [source]}
                return {**made, "reported": "Yes", "measurements": [value]}
    return {**made, "reported": "Yes"} if works else made


def _question(desk: Desk, question: str) -> dict[str, Any]:
    """The first number with a unit in the first work's text, else in its abstract."""
    for work in desk.search(question, 1)[:1]:
        text = desk.read(work)
        for sentence in [*work.get("abstract", "").split(". "), *(text.sentences if text else [])]:
            if found := _NUMBER.search(sentence):
                source = {"doi": Text(work).name, "title": work["title"], "quote": sentence}
                return {"answer": found[0], "sources": [source]}
    return {"answer": None}


if __name__ == "__main__":
    main()
