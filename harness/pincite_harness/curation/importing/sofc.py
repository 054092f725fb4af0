"""SOFC-Exp: experiment frames with character offsets (Friedrich et al., ACL 2020) become tasks of record_filling.

Layout as published: ``texts/ID.txt``, and tab-separated ``annotations/frames/ID.csv`` (SPAN, EXPERIMENT with its slots,
LINK; offsets count from the sentence) and ``annotations/sentences/ID.csv`` (id, label, start, end in the text). Frames
that ``same_experiment`` joins become one object, and so do those of equal values; its type is that of its first
mention. Links of the kinds ``thickness``, ``coreference`` and ``experiment_variation`` are not used.
"""

import csv
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson

from pincite_core.errors import BadInputError, NotFoundError
from pincite_harness.curation.importing.dataset import DatasetEntry, ImportOptions
from pincite_harness.curation.importing.filling import bundled_schema, distinct, filling_entry
from pincite_harness.curation.importing.plain_paper import PlainPaper, make_plain_paper

_TYPE = "experiment_type"
_METADATA = "SOFC-Exp-Metadata.csv"


@dataclass(frozen=True, slots=True)
class Span:
    """A passage of the text, and what it is: an entity type, or ``EXPERIMENT:`` and the type of an experiment."""

    label: str
    start: int
    end: int


@dataclass(slots=True)
class Frames:
    """What a file of frames holds: spans and frames by id, and pairs of spans that name the same experiment."""

    spans: dict[str, Span] = field(default_factory=dict[str, Span])
    frames: dict[str, tuple[str, list[tuple[str, str]]]] = field(
        default_factory=dict[str, tuple[str, list[tuple[str, str]]]]
    )
    """By id: the span that evokes the frame, and its slots as (label, span)."""
    same: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])


def read_sofc(source: Path, options: ImportOptions) -> Iterator[DatasetEntry]:
    """One task a paper that has frames with slots; a paper with a broken file is left out with its file and line."""
    schema = bundled_schema("sofc")
    folder = _folder(source)
    titles = _titles(folder)
    for path in sorted((folder / "annotations" / "frames").glob("*.csv")):
        with options.item(path.stem):
            entry = _entry(path, folder, titles.get(path.stem, {}), schema)
            if entry is not None:
                yield entry
            else:
                options.note(f"{path.stem}: no frame of it has a slot")


def _entry(path: Path, folder: Path, title: dict[str, str], schema: str) -> DatasetEntry | None:
    """The task of one file of frames; None where no frame has a slot."""
    text_path = folder / "texts" / f"{path.stem}.txt"
    if not text_path.is_file():
        raise NotFoundError(f"There is no {text_path}.", next="Give the data set as it was published.")
    text = text_path.read_bytes().decode("utf-8")
    frames = read_frames(path, _sentences(folder / "annotations" / "sentences" / path.name), len(text))
    paper = make_plain_paper(title.get("Document title", "").strip() or path.stem, text)
    name = f"{path.stem}.html"
    objects = distinct([made for group in _groups(frames) if (made := _object(group, frames, paper, name))])
    if not objects:
        return None
    metadata = {
        "title": paper.paper.title or path.stem,
        "doi": title.get("DOI", ""),
        "licence": f"text {title.get('license') or 'CC BY'}, annotations CC-BY-4.0",
        "map": f"maps/{path.stem}.json",
    }
    files = {f"maps/{path.stem}.json": orjson.dumps(paper.map(f"texts/{text_path.name}"))}
    return filling_entry(path.stem, schema, objects, (name, paper.page), metadata, files)


def _folder(source: Path) -> Path:
    for folder in (source, source / "sofc-exp-corpus"):
        if (folder / "annotations" / "frames").is_dir():
            return folder
    raise NotFoundError(
        f"{source} has no folder annotations/frames.", next="Give the folder sofc-exp-corpus of the data set."
    )


def _titles(folder: Path) -> dict[str, dict[str, str]]:
    """The rows of the metadata by PMC id; none where the file is not there."""
    path = next((p for p in (folder / _METADATA, folder / "docs" / _METADATA) if p.is_file()), None)
    if path is None:
        return {}
    with path.open(encoding="utf-8", errors="replace", newline="") as file:
        return {row["name"]: row for row in csv.DictReader(file, delimiter="\t") if row.get("name")}


def _sentences(path: Path) -> dict[str, tuple[int, int]]:
    """Start and end in the text by sentence id."""
    found: dict[str, tuple[int, int]] = {}
    for number, line in _lines(path):
        try:
            sentence, _, start, end = line.split("\t")[:4]
            found[sentence] = int(start), int(end)
        except ValueError as error:
            raise _broken(path, number, line, "id, label, start and end") from error
    return found


def read_frames(path: Path, sentences: dict[str, tuple[int, int]], length: int) -> Frames:
    """The spans (offsets in the text, which has ``length`` characters), frames and links of one file."""
    found = Frames()
    slots: list[tuple[str, str]] | None = None
    for number, line in _lines(path):
        cells = line.split("\t")
        try:
            if cells[0] == "SPAN":
                found.spans[cells[1]] = _span(cells, sentences, length)
            elif cells[0] == "EXPERIMENT":
                slots = []
                found.frames[cells[1]] = (cells[2], slots)
            elif cells[0] == "LINK":
                if cells[1] == "same_experiment":
                    found.same.append((cells[2], cells[3]))
            elif cells[0] == "" and slots is not None:
                slots.append((cells[1], cells[2]))
            else:
                raise ValueError(cells[0])
        except (ValueError, IndexError, KeyError) as error:
            raise _broken(path, number, line, "a SPAN inside its sentence, EXPERIMENT, slot or LINK") from error
    used = [span for span, slots in found.frames.values() for span in (span, *(each for _, each in slots))]
    if unknown := sorted({span for span in used if span not in found.spans}):
        raise BadInputError(f"{path} uses spans that it does not define.", seen=", ".join(unknown), next="Correct it.")
    return found


def _span(cells: list[str], sentences: dict[str, tuple[int, int]], length: int) -> Span:
    """IndexError, KeyError or ValueError where the line is none of a span."""
    start, end = (sentences[cells[3]][0] + int(cell) for cell in cells[4:6])
    if not 0 <= start < end <= length:
        raise ValueError(f"{start} to {end} of {length} characters")
    return Span(cells[2], start, end)


def _groups(frames: Frames) -> list[list[str]]:
    """Frames by experiment: those whose spans ``same_experiment`` joins, each group in the order of the text."""
    root = {span: span for span, _ in frames.frames.values()}

    def find(span: str) -> str:
        while root[span] != span:
            span = root[span]
        return span

    for first, second in frames.same:
        if first in root and second in root:
            root[find(second)] = find(first)
    groups: dict[str, list[str]] = {}
    for frame in sorted(frames.frames, key=lambda frame: frames.spans[frames.frames[frame][0]].start):
        groups.setdefault(find(frames.frames[frame][0]), []).append(frame)
    return list(groups.values())


def _object(group: Iterable[str], frames: Frames, paper: PlainPaper, name: str) -> dict[str, Any]:
    """The object of one experiment, or nothing where no frame of it has a slot. What evokes a frame is the evidence of
    the experiment's type."""
    values: dict[str, list[str]] = {}
    spans: list[tuple[str, Span]] = []
    kinds: list[str] = []
    for frame in group:
        evoked, slots = frames.frames[frame]
        kinds.append(frames.spans[evoked].label.partition(":")[2])
        spans += [(_TYPE, frames.spans[evoked]), *((label, frames.spans[span]) for label, span in slots)]
        for label, span in slots:
            text = " ".join(paper.text[frames.spans[span].start : frames.spans[span].end].split())
            values[label] = list(dict.fromkeys([*values.get(label, []), text]))
    if not values:
        return {}
    kind = {_TYPE: kinds[0]} if kinds[0] else {}
    pieces = {_piece(label, span, paper, name) for label, span in spans if kind or label != _TYPE}
    return {**kind, **values, "evidence": [dict(piece) for piece in sorted(pieces)]}


def _piece(label: str, span: Span, paper: PlainPaper, name: str) -> tuple[tuple[str, str | int], ...]:
    start, end = paper.span(span.start, span.end)
    quote = paper.paper.text[start:end]
    return ("field", label), ("start", start), ("end", end), ("paper", name), ("quote", quote)


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    """The lines that are not empty, numbered from 1; NotFoundError where there is no file."""
    if not path.is_file():
        raise NotFoundError(f"There is no {path}.", next="Give the data set as it was published.")
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), start=1):
        if line.strip():
            yield number, line.rstrip("\r")


def _broken(path: Path, number: int, line: str, wanted: str) -> BadInputError:
    return BadInputError(f"{path}:{number} cannot be read.", seen=line[:200], next=f"It needs {wanted}.")
