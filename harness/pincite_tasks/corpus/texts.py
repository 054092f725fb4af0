"""Texts: the full texts of a corpus, each a file or a line of a pack."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from pincite_core.errors import BadInputError
from pincite_tasks.corpus.work import CorpusWork


@dataclass(frozen=True, slots=True)
class Texts:
    """``packed`` are the texts of the packs (``texts/*.jsonl``, a line ``{"name": "a.txt", "text": "…"}``) by path; the
    others are files of their own."""

    folder: Path
    packed: Mapping[str, str]

    @classmethod
    def read(cls, folder: Path) -> "Texts":
        """The texts below a folder; BadInputError for a line of a pack that is none, or a name that appears twice."""
        packed: dict[str, str] = {}
        for pack in sorted((folder / "texts").glob("*.jsonl")):
            for number, line in enumerate(pack.read_bytes().splitlines(), start=1):
                name, text = _entry(pack, number, line)
                if name in packed or (folder / name).is_file():
                    raise BadInputError(f"{pack}:{number}: {name} appears twice.", next="Give every text its own name.")
                packed[name] = text
        return cls(folder, packed)

    def has(self, work: CorpusWork) -> bool:
        """Whether the text that a work names is there."""
        return work.text in self.packed or (self.folder / work.text).is_file()

    def of(self, work: CorpusWork) -> str:
        """The text of a work as it is kept, "" where it has none."""
        if not work.text:
            return ""
        return self.packed[work.text] if work.text in self.packed else _read(self.folder / work.text)


def _entry(pack: Path, number: int, line: bytes) -> tuple[str, str]:
    try:
        entry: Any = orjson.loads(line)
        return f"texts/{entry['name']}", str(entry["text"])
    except (orjson.JSONDecodeError, KeyError, TypeError) as error:
        raise BadInputError(
            f"{pack}:{number} is not text.", seen=str(error), next='Write {"name": "a.txt", "text": "…"}, one a line.'
        ) from error


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8")
