"""Collect what a run's judge was asked, as labelled answers that a person can check."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from pincite_core.errors import BadInputError, NotFoundError
from pincite_scoring.judging.labelled import Line
from pincite_scoring.judging.notebook import RECORD_FILE
from pincite_scoring.judging.rubrics import KnownRubric
from pincite_tasks.files import write_atomic

_ID_DIGITS = 12
"""Hexadecimal digits of an item's id: 48 bits."""


@dataclass(frozen=True, slots=True)
class Collected:
    """How many answers were written, of how many different questions; ``undecided`` ones have no label to check."""

    written: int
    questions: int
    undecided: int


def collect(runs: Sequence[Path], known: KnownRubric, out: Path, limit: int | None = None) -> Collected:
    """Write each question once, with the judge's labels, in the order of their digests: the first ``limit`` are a
    sample by chance that stays the same.

    NotFoundError where a judge was asked nothing by this rubric; BadInputError for a record of an older version, and
    where ``out`` is there already, for somebody's labels may stand in it.
    """
    if out.exists():
        raise BadInputError(f"{out} already exists.", next="Name another file, or remove it.")
    asked = {digest: note for run in runs for digest, note in _asked(run, known.rubric.name)}
    if not asked:
        raise NotFoundError(
            f"No model was asked by the rubric {known.rubric.name}.",
            seen=", ".join(map(str, runs)),
            next="Score the run with a judge first: pincite score RUN --judge PROVIDER:NAME.",
        )
    lines = [_line(digest, note) for digest, note in sorted(asked.items())]
    decided = [line for line in lines if line.labels]
    chosen = decided[:limit]
    write_atomic(out, b"".join(orjson.dumps(line.model_dump(exclude_unset=True)) + b"\n" for line in chosen))
    return Collected(len(chosen), len(lines), len(lines) - len(decided))


def _asked(run: Path, rubric: str) -> Iterator[tuple[str, dict[str, Any]]]:
    if not run.is_dir():
        raise NotFoundError(f"There is no run {run}.", next="Check the path.")
    for path in sorted(run.glob(f"trials/*/{RECORD_FILE}")):
        for text in path.read_bytes().splitlines():
            note = orjson.loads(text)
            if note["rubric"] != rubric:
                continue
            if not note.keys() >= {"subject", "pictures"}:
                raise BadInputError(
                    f"{path} was written by another version.", next=f"Have it written again: pincite score {run}"
                )
            yield note["digest"], note


def _line(digest: str, note: dict[str, Any]) -> Line:
    labels = {item: label for item, label in note["verdict"]["labels"].items() if label is not None}
    pictures = [picture["path"] for picture in note["pictures"]]
    return Line.model_construct(
        id=digest[:_ID_DIGITS], by=note["verdict"]["judge"], subject=note["subject"], pictures=pictures, labels=labels
    )
