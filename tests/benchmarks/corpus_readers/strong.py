"""strong: searches thoroughly, opens every full text that it finds, reads tables, follows corrections. No model."""

import json
import re
from pathlib import Path
from typing import Any

from desk import Desk
from precedents import Reader
from questions import answer


def main() -> None:
    """Answer the task in the current folder."""
    task: dict[str, Any] = json.loads(Path("task.json").read_text(encoding="utf-8"))
    desk, told = Desk(task), task["parameters"]
    if task["family"] == "precedent_search":
        made = Reader(desk, told["material"]).answer()
    else:
        nothing = re.search(r'the answer is the words "([^"]+)"', told.get("given", ""))
        made = answer(desk, told["question"], nothing[1] if nothing else "unknown")
    Path(task["answer"]).write_text(json.dumps(made, ensure_ascii=False), encoding="utf-8")


if __name__ == "__main__":
    main()
