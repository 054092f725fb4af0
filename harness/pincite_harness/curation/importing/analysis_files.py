"""Analysis files: the tables and pictures of an instance, given as files or inline, become files of its task.

A table is a file's name, or text of LaTeX, HTML, CSV, TSV or Markdown, or rows; a picture is a file's name, a data URI,
or base64 (also under ``bytes``). Either may be an object with its ``label``, ``caption`` and content.
"""

import base64
import binascii
import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from pincite_core.errors import BadInputError
from pincite_core.json_fields import one_or_more
from pincite_harness.curation.importing.analysis_fields import FIGURES, FILES, TABLES, Fields, is_empty, plain_name
from pincite_papers.labels import read_label

_PLACE = ("path", "file", "file_name", "filename", "file_path", "image_path", "src")
_DATA = ("bytes", "data", "base64", "image")
_CONTENT = ("content", "latex", "tex", "csv", "tsv", "html", "markdown", "text", "rows", "table", "data")
_LABEL = ("label", "name", "number")
_ENDINGS = {"latex": ".tex", "tex": ".tex", "csv": ".csv", "tsv": ".tsv", "html": ".html", "markdown": ".md"}
_MAGIC = {b"\x89PNG": ".png", b"\xff\xd8\xff": ".jpg", b"GIF8": ".gif"}
_NAME = re.compile(r"[^\n\r<>{}\\|]{1,250}\.[A-Za-z][A-Za-z0-9]{1,4}")
_DATA_URI = re.compile(r"data:image/[a-z.+-]+;base64,", re.IGNORECASE)
_WEB = re.compile(r"https?://", re.IGNORECASE)
_LEAST_BASE64 = 64
"""Characters of an inline picture at least. Set by judgement."""


@dataclass(slots=True)
class Given:
    """The files of a task by their names, the labels and captions that come with them, and what cannot be had."""

    files: dict[str, Path | bytes] = field(default_factory=dict[str, Path | bytes])
    captions: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    """Label and caption, either may be empty."""
    missing: list[str] = field(default_factory=list[str])

    def add(self, name: str, content: Path | bytes) -> None:
        """Keep a file under ``name``, numbered where that is taken."""
        stem, suffix, number, own = Path(name).stem, Path(name).suffix, 1, name
        while own in self.files:
            number += 1
            own = f"{stem}-{number}{suffix}"
        self.files[own] = content


def read_files(fields: Fields, folders: Sequence[Path]) -> Given:
    """All tables, pictures and other files of an instance; files are looked for in ``folders``."""
    given = Given()
    for kind, names in (("table", TABLES), ("figure", FIGURES), ("file", FILES)):
        for number, (name, value) in enumerate(_values(fields, names), start=1):
            _add(given, kind, number, name, value, folders, fields.where)
    return given


def find_file(name: str, folders: Sequence[Path]) -> Path | None:
    """The file of that name in one of the folders, else of its last part; a name that leads out of them is none."""
    places = [(folder.resolve(), part) for part in (name, Path(name).name) for folder in folders]
    paths = ((folder, (folder / part).resolve()) for folder, part in places)
    return next((path for folder, path in paths if path.is_relative_to(folder) and path.is_file()), None)


def _values(fields: Fields, names: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
    """Each table or picture; rows alone are one table, and ``{"Table 1": …}`` is a table with its label."""
    for name in names:
        value: object = fields.named.get(name)
        if isinstance(value, list) and all(isinstance(row, list) for row in cast("list[object]", value)):
            yield name, {"rows": value}
        elif isinstance(value, dict) and all(read_label(key) for key in cast("dict[str, Any]", value)):
            for label, one in cast("dict[str, Any]", value).items():
                yield name, {"label": label, "content": one} if not isinstance(one, dict) else {"label": label, **one}
        else:
            yield from fields.listed((name,))


def _add(given: Given, kind: str, number: int, name: str, value: object, folders: Sequence[Path], where: str) -> None:
    """Add one table, picture or file, or say what is missing; BadInputError for what is none of these."""
    if isinstance(value, dict):
        told = {plain_name(key): one for key, one in cast("dict[str, Any]", value).items() if not is_empty(one)}
        label = str(next((told[key] for key in _LABEL if key in told), ""))
        if label or told.get("caption"):
            given.captions.append((label, str(told.get("caption", ""))))
        key, content = _content(told, kind)
    else:
        key, content, label = name, value, ""
    read = read_label(label)
    base = f"{read.kind.value}-{read.number}" if read is not None else f"{kind}-{number}"
    if isinstance(content, str) and (_NAME.fullmatch(content.strip()) or _WEB.match(content)):
        path = find_file(content.strip(), folders)
        if path is None:
            given.missing.append(content.strip())
        else:
            given.add(path.name if read is None else base + path.suffix.lower(), path)
    elif kind == "table" and isinstance(content, str | list):
        suffix, text = _table(cast("str | list[Any]", content), key)
        given.add(base + suffix, text.encode())
    elif kind == "figure" and isinstance(content, str) and (picture := _picture(content)) is not None:
        given.add(base + picture[0], picture[1])
    else:
        raise BadInputError(
            f"{where}: {name} is neither a file's name nor a {kind}.",
            seen=str(cast("object", content))[:100],
            next="Give the name of a file, or its content.",
        )


def _content(told: Mapping[str, Any], kind: str) -> tuple[str, Any]:
    """What an object holds, with its name: the content itself where it is there, else the file's name."""
    order = (*_CONTENT, *_PLACE, "image") if kind == "table" else (*_DATA, *_PLACE, *_CONTENT)
    return next(((name, told[name]) for name in order if name in told), ("", None))


def _table(content: str | list[Any], key: str) -> tuple[str, str]:
    """Suffix and text of a table: by the field's name where it tells, else by what the text looks like."""
    if isinstance(content, list) and all(isinstance(line, str) for line in content):
        content = "\n".join(content)
    if isinstance(content, list):
        return ".csv", _rows(content)
    told = next((suffix for name, suffix in _ENDINGS.items() if name in key), "")
    return told or _looks(content), content.strip() + "\n"


def _rows(rows: list[Any]) -> str:
    """Rows, each a list or an object, as CSV; the keys of objects are the header."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    named = [cast("dict[str, Any]", row) if isinstance(row, dict) else None for row in rows]
    header = list(dict.fromkeys(key for row in named if row is not None for key in row))
    writer.writerows([header] if header else [])
    for row, cells in zip(named, rows, strict=True):
        own = one_or_more(cells)
        writer.writerow(own if row is None else [row.get(key, "") for key in header])
    return out.getvalue()


def _looks(text: str) -> str:
    lines = [line for line in text.strip().splitlines() if line.strip()]
    if re.search(r"\\begin\{|\\\\|\\hline|\\toprule", text):
        return ".tex"
    if re.search(r"<t(?:able|r|d)\b", text, re.IGNORECASE):
        return ".html"
    if lines and all(line.lstrip().startswith("|") for line in lines):
        return ".md"
    for mark, suffix in (("\t", ".tsv"), (",", ".csv")):
        if len(lines) > 1 and all(mark in line for line in lines):
            return suffix
    return ".txt"


def _picture(text: str) -> tuple[str, bytes] | None:
    """Suffix and bytes of a picture in base64; None where it is none."""
    bare = _DATA_URI.sub("", text.strip(), count=1)
    if len(bare) < _LEAST_BASE64:
        return None
    try:
        data = base64.b64decode(bare, validate=True)
    except (binascii.Error, ValueError):
        return None
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return ".webp", data
    return next(((suffix, data) for magic, suffix in _MAGIC.items() if data.startswith(magic)), None)
