"""Archive: records of earlier papers, which pass from trial to trial of a chain in the folder ``carry/``."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from crew import Data

FILE = Path("carry/archive.jsonl")
MOST_PAPERS = 200
"""Papers that are kept, the latest ones: what an agent is shown must fit beside a page."""
_MOST_ROWS = 60
"""Records that an agent is shown, the latest ones: about 3,000 tokens of ten fields."""
_EVIDENCE = "evidence"

Record = Mapping[str, Any]


def read(file: Path = FILE) -> list[Record]:
    """The records of earlier papers, the oldest first; a line that cannot be read is passed over."""
    found: list[Record] = []
    for line in file.read_text(encoding="utf-8").splitlines() if file.is_file() else []:
        try:
            entry: Any = json.loads(line)
            found += [cast("Record", each) for each in entry["records"] if isinstance(each, dict)]
        except (ValueError, KeyError, TypeError):
            continue
    return found


def add(task: str, answer: Any, file: Path = FILE) -> None:
    """Add the records of a paper, without their evidence: values alone say nothing of where they stand."""
    held = cast("dict[str, Any]", answer) if isinstance(answer, dict) else {}
    lists = [cast("list[Any]", value) for value in held.values() if isinstance(value, list)]
    rows = [cast("dict[str, Any]", each) for each in (lists[0] if lists else []) if isinstance(each, dict)]
    records = [{name: value for name, value in row.items() if name != _EVIDENCE} for row in rows]
    known = file.read_text(encoding="utf-8").splitlines() if file.is_file() else []
    lines = [*known, json.dumps({"task": task, "records": records}, ensure_ascii=False)]
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("\n".join(lines[-MOST_PAPERS:]) + "\n", encoding="utf-8")


def rows(records: Sequence[Record], fields: Sequence[str]) -> Data | None:
    """The latest records as a table, for who looks along rows; None without any."""
    if not records:
        return None
    lines = ["\t".join(fields)]
    lines += ["\t".join(_text(record.get(name)) for name in fields) for record in records[-_MOST_ROWS:]]
    return Data("\n".join(lines), "records of earlier papers")


def forms(records: Sequence[Record], field: str) -> list[str]:
    """How earlier papers fill a field, the most frequent form first, a line each."""
    counts = Counter(_text(record.get(field)) for record in records if record.get(field))
    return [f"{value!r}: {count} records of earlier papers" for value, count in counts.most_common(20)]


def _text(value: Any) -> str:
    if value is None:
        return ""
    return ", ".join(map(str, cast("list[Any]", value))) if isinstance(value, list) else str(value)
