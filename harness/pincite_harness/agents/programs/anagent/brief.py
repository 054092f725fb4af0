"""Brief: what every role is shown of the task: query, kind of data, files, context, and what is expected."""

import asyncio
import mimetypes
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from crew import Data, Part, fit
from door import DoorError
from pydantic_ai.messages import BinaryContent
from task_files import PICTURES
from whole_papers import Papers

from anagent.guards import numbers_of
from anagent.settings import Settings

FILE_CHARS = 100_000
"""Characters of one file that are shown, as for the other agents."""
PIECE = 40_000
"""Characters of a paper that one tool call reads."""
STATED = {"length": ("length",), "width": ("width",), "depth": ("depth",), "all": ("length", "width", "depth")}
"""What each value of the option ``state`` says of the analysis that is expected."""
EXPECTED = {
    "length": "The analysis is expected to have {} words.",
    "width": "Its width is expected to be: {} (self-contained: the data alone; internal: other parts of the paper; "
    "external: other works; mixed: both).",
    "depth": "Its depth is expected to be: {} (shallow: what is seen; in-depth: inference and interpretation).",
}


@dataclass(frozen=True, slots=True)
class Brief:
    """The parts that every role is shown, and what stands in them."""

    parts: Sequence[Part]
    data_type: str
    """``table``, ``figure``, ``both`` or ``text``."""
    numbers: set[str]
    """Numbers of the data: of the files that are text, else of the context."""
    files: list[str]
    pictures: int = 0
    context_tokens: int = 0
    context_of: int = 0
    stated: list[str] = field(default_factory=list[str])
    calls: int = 0
    """Tool calls that reading the context took."""
    missing: str = ""
    """Why there is no context although it is wanted."""


async def read_brief(task: Mapping[str, Any], settings: Settings) -> Brief:
    """The brief of the task in the working folder; the papers' text is read through the tool door."""
    files: list[str] = list(task["files"])
    parts, pictures = _files(files)
    texts = [part.text for part in parts if isinstance(part, Data)]
    context, missing = await _context(task, settings)
    fitted = fit(context, settings.context_limit, "share")
    stated = _expectations(task, settings)
    data_type = _data_type(texts, pictures)
    numbers = numbers_of(texts or [part.text for part in context])
    opening = "\n\n".join([_query(task), _what_there_is(task, data_type), *stated.values()])
    return Brief(
        parts=[opening, *parts, *fitted.parts],
        data_type=data_type,
        numbers=numbers,
        files=files,
        pictures=pictures,
        context_tokens=sum(fitted.shown),
        context_of=sum(fitted.whole),
        stated=list(stated),
        calls=sum(1 + len(part.text) // PIECE for part in context),
        missing=missing,
    )


def _query(task: Mapping[str, Any]) -> str:
    """The task's query; its whole prompt where the family has none."""
    parameters: Mapping[str, Any] = task.get("parameters") or {}
    query = parameters.get("query") or Path("prompt.md").read_text(encoding="utf-8")
    return f"# The task\n\n{str(query).strip()}"


def _what_there_is(task: Mapping[str, Any], data_type: str) -> str:
    kinds = {"table": "a table", "figure": "a figure", "both": "tables and figures", "text": "the papers"}
    papers = ", ".join(task["papers"]) or "none"
    return f"The data: {kinds[data_type]}.\nPapers, by the names under which tools open them: {papers}"


def _expectations(task: Mapping[str, Any], settings: Settings) -> dict[str, str]:
    """A sentence for each thing that is to be said of the expected analysis, as far as the task knows it."""
    parameters: Mapping[str, Any] = task.get("parameters") or {}
    metadata: Mapping[str, Any] = task.get("metadata") or {}
    known = {
        "length": parameters.get("words"),
        "width": metadata.get("dimensions.width"),
        "depth": metadata.get("dimensions.depth"),
    }
    wanted = [name for name in STATED.get(settings.state, ()) if known[name]]
    return {name: EXPECTED[name].format(known[name]) for name in wanted}


async def _context(task: Mapping[str, Any], settings: Settings) -> tuple[list[Data], str]:
    """The text of each paper, and why there is none."""
    if settings.context == "none" or not task["papers"]:
        return [], ""
    try:
        return await asyncio.to_thread(_papers, task), ""
    except DoorError as error:
        return [], str(error)


def _papers(task: Mapping[str, Any]) -> list[Data]:
    papers = Papers(task["tools"])
    return [Data(papers.text(name), f"paper {name}") for name in task["papers"]]


def _files(names: Sequence[str]) -> tuple[list[Part], int]:
    """Each file behind its name, pictures as pictures and texts as data, and how many pictures there are."""
    parts: list[Part] = []
    pictures = 0
    for name in names:
        data = Path(name).read_bytes()
        kind = mimetypes.guess_type(name)[0] or ""
        if kind in PICTURES:
            parts += [f"The file {name}:", BinaryContent(data, media_type=kind)]
            pictures += 1
            continue
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError:
            parts.append(f"The file {name} ({len(data)} bytes) is not text and is not shown.")
            continue
        cut = f", the first {FILE_CHARS} of {len(text)} characters" if len(text) > FILE_CHARS else ""
        parts.append(Data(text[:FILE_CHARS], f"file {name}{cut}"))
    return parts, pictures


def _data_type(texts: Sequence[str], pictures: int) -> str:
    if texts and pictures:
        return "both"
    if pictures:
        return "figure"
    return "table" if texts else "text"
