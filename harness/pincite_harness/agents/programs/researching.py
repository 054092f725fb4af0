"""Researching: searches of the web and the literature, and pages that fit a goal, through the task's servers."""

import json
from collections.abc import Mapping
from contextlib import ExitStack
from typing import Any

from door import Door, DoorError, ToolError, text_of
from retrieving import by_words, chunks_of, nearest

SEARCHES = ("search_web", "search_papers")
PASSAGES = 12
"""Passages that a visit gives: about 2,500 tokens, as much as a summary of a page by another model has."""
_CHARS = 1_000
"""Characters of a piece of a page. Set by judgement."""
_OVERLAP = 100
"""Characters that neighbouring pieces share, so that a sentence at a cut is whole in one."""
_MAX_CHARS = 40_000
"""Characters of one call's result, the most that the server gives."""
_MOST_PIECES = 25
"""Answers of a reading tool for one page: a million characters."""


class Web:
    """The tools for research among the task's servers. Use as a context manager."""

    def __init__(self, task: Mapping[str, Any]) -> None:
        self._servers: Mapping[str, Mapping[str, Any]] = task["tools"]
        self._papers = [str(name) for name in task["papers"]]
        self._exit = ExitStack()
        self._doors: dict[str, Door] = {}

    def __enter__(self) -> "Web":
        for server in self._servers.values():
            door = self._exit.enter_context(Door(server["url"], server["headers"], timeout=600))
            for name in door.tools():
                self._doors.setdefault(name, door)
        return self

    def __exit__(self, *_: object) -> None:
        self._exit.close()

    @property
    def searches(self) -> list[str]:
        """The tools that search, of those that are there."""
        return [name for name in SEARCHES if name in self._doors]

    def search(self, query: str) -> str:
        """What every search says; ToolError where all fail: an outage is never an empty result."""
        found: list[str] = []
        faults: list[str] = []
        for name in self.searches:
            try:
                found.append(f"{name}: {query}\n{_said(self._doors[name].call(name, query=query))}")
            except ToolError as error:
                faults.append(str(error))
        if not found:
            raise ToolError("; ".join(faults))
        return "\n\n".join([*found, *faults])

    def visit(self, url: str, goal: str) -> str:
        """The passages of a page or a work that are nearest to the goal, in their order; ToolError where it cannot be
        opened."""
        text = self._text(url)
        chunks = chunks_of([(url, text)], _CHARS, _OVERLAP)
        chosen = nearest(chunks, by_words(chunks, goal), PASSAGES, PASSAGES)
        passages = sorted(chosen, key=lambda chunk: chunk.number)
        head = f"{url}: {len(passages)} of {len(chunks)} passages, those nearest to the goal"
        return "\n\n".join([head, *(f"[{chunk.number}] {chunk.text}" for chunk in passages)])

    def _text(self, url: str) -> str:
        """The text of a paper of the task, of a web page, or of a work's full text, whichever opens it."""
        if url not in self._papers:
            if "read_webpage" in self._doors:
                try:
                    return _said(self._doors["read_webpage"].call("read_webpage", url=url))
                except ToolError as error:
                    if "fetch_fulltext" not in self._doors:
                        raise
                    print(f"{url}: {error}", flush=True)
            if "fetch_fulltext" not in self._doors:
                raise ToolError(f"{url} cannot be opened: no server of the task reads pages or full texts")
            door = self._doors["fetch_fulltext"]
            fetched = door.data("fetch_fulltext", id=url)
            if not fetched.get("path"):
                return json.dumps(fetched, ensure_ascii=False)
            url = str(fetched["path"])
        return self._pages(url)

    def _pages(self, paper: str) -> str:
        door = self._doors.get("read_pages")
        if door is None:
            raise DoorError("the task has no server documents, which reads papers")
        pieces: list[str] = []
        cursor = ""
        while len(pieces) < _MOST_PIECES:
            text = door.text("read_pages", paper=paper, cursor=cursor, max_chars=_MAX_CHARS)
            body, mark, rest = text.rpartition('cursor="')
            if not mark or not rest.endswith('".'):
                return "\n".join([*pieces, text])
            pieces.append(body[: body.rindex("\n")] if "\n" in body else body)
            cursor = rest[:-2]
        return "\n".join(pieces)


def _said(result: Mapping[str, Any]) -> str:
    return text_of(result) or json.dumps(result.get("structuredContent"), ensure_ascii=False)
