"""Quotes that no paper of ours holds as it is quoted: texts given as plain text, and what the tools of a trial showed.

One rule for every family: a quote stands if it stands in the source's own text or in what a tool showed the agent in
this trial, as the tool door recorded it. The same text reaches an agent in other clothes: ``Table 1: …`` for
``Table 1. …``, a row of cells between bars for one between tabs.
"""

import hashlib
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, cast

import numpy as np
import orjson

from pincite_papers.doubts import bare
from pincite_papers.geometry import Geometry
from pincite_papers.model import Block, BlockKind, Page, Paper
from pincite_papers.quoting.quotes import MAX_QUOTE_CHARS, quote_stands
from pincite_papers.quoting.skeleton import Skeleton
from pincite_scoring.tool_uses import ToolUse, tool_uses

_RULE = re.compile(r"^\s*\|?\s*:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)*\|?\s*$")
_OWN_WORDS = frozenset({"workbench"})
"""Servers that print what the agent's own program says: their results prove nothing."""


def text_paper(text: str) -> Paper:
    """A plain text as a paper: lines with bars or tabs are the rows of tables, cell by cell."""
    blocks: list[Block] = []
    parts: list[str] = []
    length = 0
    for is_table, lines in _runs(text.split("\n")):
        part = "\n".join(lines)
        if is_table:
            blocks.append(Block(BlockKind.TABLE, length, length + len(part)))
        parts.append(part)
        length += len(part) + 1
    whole = "\n".join(parts)
    digest = hashlib.sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()
    page = Page(1, "1", 0.0, 0.0, 0, len(whole))
    rows = np.full((len(whole), 4), np.nan, dtype=np.float32)
    return Paper(f"sha256:{digest}", "text/1", "", whole, (page,), tuple(blocks), Geometry(rows))


@dataclass(frozen=True, slots=True)
class Shown:
    """What tools showed in a trial: each result as a paper, with what the agent had sent and all that was said."""

    results: tuple["_Result", ...] = ()

    def holds(self, quote: str, names: Collection[str]) -> bool:
        """Whether a tool showed these words, in a result that is about a source of one of these names (a file's, a DOI,
        a title: in the call or in the result). Words that the agent itself had sent to the tool prove nothing."""
        if not quote.strip() or len(quote) > MAX_QUOTE_CHARS:
            return False
        wanted = [form for name in names if len(form := name_form(name)) >= _SHORTEST_NAME]
        words = Skeleton.of(bare(quote)).bare
        return any(
            any(form in result.about for form in wanted)
            and words not in result.sent
            and quote_stands(result.paper, quote)
            for result in self.results
        )


_SHORTEST_NAME = 4
"""Characters of a name that tells one source from another."""


@dataclass(frozen=True, slots=True)
class _Result:
    paper: Paper
    sent: str
    """Skeleton of the call's arguments."""
    about: str
    """``name_form`` of arguments and result."""


NOTHING_SHOWN = Shown()
"""Of an answer without a recorded trial."""


def shown_in(trial: Path | None) -> Shown:
    """What the tools of the trial in this folder showed; nothing where there is none."""
    wire = trial / "wire" / "mcp.jsonl" if trial is not None else None
    if trial is None or wire is None or not wire.is_file():
        return NOTHING_SHOWN
    return _shown(trial, wire.stat().st_mtime_ns)


@lru_cache(maxsize=4)
def _shown(trial: Path, _stamp: int) -> Shown:
    uses = tool_uses(trial) or []
    return Shown(tuple(_result(use) for use in uses if use.server not in _OWN_WORDS and use.text.strip()))


def _result(use: ToolUse) -> _Result:
    sent = bare("\n".join(_strings(dict(use.arguments))))
    text = bare(readable(use.text))
    return _Result(text_paper(text), Skeleton.of(sent).bare, f"{name_form(sent)}\n{name_form(text)}")


def name_form(text: str) -> str:
    """Letters and digits alone, in lower case: ``10.5555/a.1`` is in ``papers/10.5555_a.1.xml``."""
    return re.sub(r"[\W_]+", "", text.lower())


def readable(text: str) -> str:
    """The strings of a result in JSON, one below the other; another result as it is."""
    if text.lstrip()[:1] in ("{", "["):
        try:
            return "\n\n".join(_strings(orjson.loads(text)))
        except orjson.JSONDecodeError:
            return text
    return text


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in cast("dict[str, Any]", value).values():
            yield from _strings(inner)
    elif isinstance(value, list):
        items = cast("list[Any]", value)
        if items and all(isinstance(item, str | int | float) for item in items):
            yield "\t".join(str(item) for item in items)
            return
        for item in items:
            yield from _strings(item)


def _runs(lines: Sequence[str]) -> Iterator[tuple[bool, list[str]]]:
    """Lines in runs of rows of a table and of others; the cells of rows are parted by tabs, and rules are left out."""
    run: list[str] = []
    was_table = False
    for line in lines:
        is_table = _is_row(line)
        if is_table and _RULE.match(line):
            continue
        if is_table != was_table and run:
            yield was_table, run
            run = []
        was_table = is_table
        run.append(_cells(line) if is_table else line)
    if run:
        yield was_table, run


def _is_row(line: str) -> bool:
    bare = line.strip()
    return "\t" in bare or (bare.startswith("|") and bare.endswith("|") and len(bare) > 1) or bare.count(" | ") > 0


def _cells(line: str) -> str:
    if "\t" in line.strip():
        return line.strip("\n ")
    return "\t".join(cell.strip() for cell in line.strip().strip("|").split("|"))
