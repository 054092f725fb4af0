"""Desk: a task's literature and documents servers, asked over streamable HTTP with the standard library alone."""

import itertools
import json
import re
import urllib.request
from dataclasses import dataclass, field
from typing import Any

_BLOCK = re.compile(r"^\[pc:\S+(?: (?P<kind>\w+))?\] ", re.MULTILINE)
_SENTENCE = re.compile(r"(?<=[.!?]) +(?=[A-Z0-9])")


class Server:
    """One MCP server of task.json."""

    def __init__(self, told: dict[str, Any]) -> None:
        self._url = told["url"]
        self._headers = {
            "Content-Type": "application/json", "Accept": "application/json, text/event-stream", **told["headers"],
        }  # fmt: skip
        self._ids = itertools.count(1)
        hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "reader", "version": "1"}}
        self._ask("initialize", hello)
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """The structured content of a tool's result, else {"text": …}; {} where the tool failed."""
        result = self._ask("tools/call", {"name": tool, "arguments": arguments})
        if result.get("isError"):
            return {}
        text = "\n".join(part["text"] for part in result.get("content", []) if part.get("type") == "text")
        return result.get("structuredContent") or {"text": text}

    def _ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        answer = self._send({"jsonrpc": "2.0", "id": next(self._ids), "method": method, "params": params})
        return answer.get("result") or {}

    def _send(self, message: dict[str, Any]) -> dict[str, Any]:
        request = urllib.request.Request(self._url, json.dumps(message).encode(), self._headers)
        with urllib.request.urlopen(request, timeout=120) as response:
            if session := response.headers.get("Mcp-Session-Id"):
                self._headers["Mcp-Session-Id"] = session
            text = response.read().decode()
        events = [line[5:].strip() for line in text.splitlines() if line.startswith("data:")] or [text]
        made = [json.loads(event) for event in events if event.strip()]
        return next((each for each in made if "id" in each), {})


@dataclass
class Text:
    """A work with its full text: sentences, and tables as (caption, rows)."""

    work: dict[str, Any]
    sentences: list[str] = field(default_factory=list)
    tables: list[tuple[str, list[list[str]]]] = field(default_factory=list)

    @property
    def name(self) -> str:
        """Its DOI, or that of its preprint."""
        return self.work.get("doi") or f"10.48550/arxiv.{self.work.get('arxiv')}"

    @property
    def preprint(self) -> str:
        """Its arXiv number, "" where it is more than a preprint."""
        return self.name.lower().partition("10.48550/arxiv.")[2]

    @property
    def source(self) -> dict[str, Any]:
        """What an answer says of it."""
        year = str(self.work.get("published", ""))[:4]
        return {
            "doi": self.name,
            "title": self.work["title"],
            "authors": self.work["authors"],
            "year": int(year) if year else None,
        }


class Desk:
    """The two servers of a task, and what was read of them."""

    def __init__(self, task: dict[str, Any]) -> None:
        self.literature = Server(task["tools"]["literature"])
        self.documents = Server(task["tools"]["documents"])
        self.found: dict[str, dict[str, Any]] = {}
        self.texts: dict[str, Text] = {}

    def search(self, query: str, pages: int) -> list[dict[str, Any]]:
        """The works of so many pages of results."""
        works: list[dict[str, Any]] = []
        cursor = ""
        for _ in range(pages):
            page = self.literature.call("search_papers", query=query, limit=50, cursor=cursor)
            works += page.get("works", [])
            cursor = page.get("next_cursor") or ""
            if not cursor:
                break
        return self._keep(works)

    def having(self, words: str) -> list[dict[str, Any]]:
        """The works whose title, abstract or open text has these words one after another."""
        works: list[dict[str, Any]] = []
        cursor = ""
        while True:
            query = f'search="{words}"'
            page = self.literature.call("query_source", source="openalex", query=query, limit=50, cursor=cursor)
            works += page.get("works", [])
            cursor = page.get("next_cursor") or ""
            if not cursor:
                return self._keep(works)

    def citing(self, text: Text) -> list[dict[str, Any]]:
        """The works that cite a work."""
        return self._keep(self.literature.call("list_citations", id=text.name, limit=50).get("works", []))

    def read(self, work: dict[str, Any]) -> Text | None:
        """Its full text, None where nobody gives it."""
        name = _name(work)
        if name in self.texts:
            return self.texts[name]
        fetched = self.literature.call("fetch_fulltext", id=name)
        if fetched.get("state") != "full_text":
            return None
        if fetched.get("warnings"):
            work["retracted"] = work.get("retracted") or any("retracted" in each for each in fetched["warnings"])
        told = self.documents.call("read_pages", paper=fetched["path"], max_chars=40_000).get("text", "")
        self.texts[name] = _parted(work, told)
        return self.texts[name]

    def place(self, text: Text) -> tuple[str, str]:
        """Volume and page of a work."""
        record = self.literature.call("get_paper", id=text.name)
        return str(record.get("volume", "")), str(record.get("pages", ""))

    def _keep(self, works: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return [self.found.setdefault(_name(work), work) for work in works if _name(work)]


def _name(work: dict[str, Any]) -> str:
    return work.get("doi") or work.get("arxiv") or work.get("pmcid") or ""


def _parted(work: dict[str, Any], told: str) -> Text:
    text = Text(work)
    marks = list(_BLOCK.finditer(told))
    caption = ""
    for mark, following in itertools.zip_longest(marks, marks[1:]):
        words = told[mark.end() : following.start() if following else len(told)].partition("\n<<<")[0].strip()
        kind = mark["kind"] or ""
        if kind == "table":
            text.tables.append((caption, [row.split("\t") for row in words.splitlines() if "\t" in row]))
        elif kind == "caption":
            caption = words
        elif kind == "":
            text.sentences += _SENTENCE.split(words)
    return text
