"""Contents: what of a run goes into its bundle, and the document that lists it."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

import orjson
from pydantic import BaseModel, ConfigDict, Field

from pincite_harness.bundles.chain import RunChain, chain_run
from pincite_harness.runs.run_folder import RUN_FILE, RunDocument, RunFolder
from pincite_harness.trial.marking import SCORE_FILE
from pincite_scoring.judging.notebook import RECORD_FILE
from pincite_tasks.files import digest_file
from pincite_tasks.trial_record import TRIAL_FILE

BUNDLE_FILE = "bundle.json"
RUN, FAMILIES, WEB = "run", "families", "web"
"""Folders of a bundle."""
_LAST = ("trajectory.json", "answer", SCORE_FILE, TRIAL_FILE)
"""A trial's files that follow from its wire, in the order in which they are written."""
_OPEN_KEYS = frozenset(
    ("family", "scorer", "scorer_version", "matcher", "compat", "status", "reason", "metrics", "also", "judging")
)
"""Keys of score.json that quote no gold."""


class FileEntry(BaseModel):
    """A member of a bundle."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    sha256: str
    bytes: int


class BundleDocument(BaseModel):
    """bundle.json."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    schema_version: Literal["pincite-bundle/1"] = "pincite-bundle/1"
    created_at: str
    pincite: str
    """The version that wrote the bundle."""
    name: str
    """The run's name."""
    files: dict[str, FileEntry]
    """Every member but this document and ro-crate-metadata.json, by its path."""
    chain: RunChain
    gold: Literal["shown", "withheld"]
    commitments: dict[str, str]
    """A salted hash of each task's gold, by ``family/task``."""
    prices: dict[str, dict[str, float | None]] = Field(default_factory=dict)
    """US dollars for a million tokens of each model, as they were when the bundle was made."""


def run_files(folder: RunFolder, document: RunDocument) -> Iterator[Path]:
    """What of a run's folder belongs to its proof: run.json and all that finished trials left, in order. Reports follow
    from these."""
    yield folder.path / RUN_FILE
    for name in document.trials:
        trial = folder.trial(name)
        if (trial / TRIAL_FILE).is_file():
            yield from sorted(path for path in trial.rglob("*") if path.is_file() and not path.is_symlink())


def without_gold(path: Path) -> bytes | None:
    """What is shown of a trial's file where gold is withheld: of score.json what quotes no gold, nothing of what a
    judge was asked, all of other files (None: the file as it is)."""
    if path.name == RECORD_FILE:
        return b""
    if path.name != SCORE_FILE:
        return None
    data = path.read_bytes()
    score: Mapping[str, Any] = orjson.loads(data)
    shown = {key: value for key, value in score.items() if key in _OPEN_KEYS}
    return orjson.dumps(shown, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def chain_of(run: Path, document: RunDocument) -> RunChain:
    """The chain over a run as it lies in the folder ``run`` of a bundle."""
    trials = [(name, run / "trials" / name) for name in document.trials]
    present = [(name, folder, _in_order(folder)) for name, folder in trials if (folder / TRIAL_FILE).is_file()]
    return chain_run(run / RUN_FILE, present)


def _in_order(folder: Path) -> list[str]:
    """A trial's files: the wire first, then what else was left, then what follows from them."""
    names = [path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()]
    return sorted(names, key=lambda name: (_rank(name), name))


def _rank(name: str) -> int:
    if name.startswith("wire/"):
        return 0
    places = [number for number, last in enumerate(_LAST, start=2) if name == last or name.startswith(f"{last}.")]
    return places[0] if places else 1


def entry_of(path: Path) -> FileEntry:
    """A file's digest and size."""
    return FileEntry(sha256=digest_file(path).removeprefix("sha256:"), bytes=path.stat().st_size)
