"""fetch: the text of what search found: a paper of the library around a passage, or a work's open full text."""

from typing import Annotated, Any

from mcp.server.mcpserver import Context
from pydantic import Field
from typing_extensions import TypedDict

from pincite_core.errors import NotFoundError
from pincite_core.locator import parse_locator
from pincite_library.marks import shown
from pincite_library.standing import status_of
from pincite_literature.fulltext.fetch_fulltext import fetch_fulltext
from pincite_literature.fulltext.result import Fulltext
from pincite_papers import doubts
from pincite_search.searching import address_of, entry_of
from pincite_search.state import SearchState

MOST_CHARS = 40_000
"""Characters of a text: what clients show a model without writing it into a file (Claude Code: 50,000)."""


class Document(TypedDict):
    """A text; ``metadata`` says what it is (full text, a part of it, or the abstract) and how to cite it."""

    id: str
    title: str
    text: str
    url: str
    metadata: dict[str, str]


async def fetch(
    state: SearchState,
    id: Annotated[str, Field(max_length=500, description="As search gave it")],  # noqa: A002
    calling: Context[Any, Any],
) -> Document:
    """Fetch the text of a search result; metadata says whether it is all of it. A passage's text is centred on it."""
    name = id.strip()
    if name.startswith("pc:"):
        return await _of_library(state, name)
    return await _of_literature(state, name, calling)


async def _of_library(state: SearchState, name: str) -> Document:
    locator = parse_locator(name)
    entry = await entry_of(state, name)
    if entry is None:
        raise NotFoundError(f"The library has no paper {locator.paper_prefix} (any more).", next="Search again.")
    text = await state.library.work(lambda store: store.text(entry.paper_id))
    start, end = _window(len(text), (locator.start + locator.end) // 2)
    metadata = {
        "kind": _kind(start, end, len(text)),
        "characters": f"{start}-{end} of {len(text)}",
        "passage": text[locator.start : locator.end],
        "authors": ", ".join(entry.authors),
        "year": str(entry.year or ""),
        "journal": entry.journal,
        "doi": entry.doi or "",
        "status": status_of(entry),
        "source": entry.source,
    }
    return Document(
        id=name,
        title=entry.title,
        text=shown(entry.marks, text[start:end], start),
        url=address_of(entry, name),
        metadata=_known(metadata),
    )


async def _of_literature(state: SearchState, name: str, calling: Context[Any, Any]) -> Document:
    found = await fetch_fulltext(state.literature, name, calling)
    text, kind, characters = found.get("abstract", ""), "abstract only", ""
    if found["state"] == "unsure":
        kind = "abstract; a full text may exist, but could not be reached"
    if "path" in found:
        paper = await state.literature.opener.open(found["path"], calling)
        end = min(len(paper.text), MOST_CHARS)
        text = doubts.show(paper, 0, end)
        kind, characters = _kind(0, end, len(paper.text)), f"0-{end} of {len(paper.text)}"
    doi = found.get("doi", "")
    metadata = {
        "kind": kind if text else "neither a full text nor an abstract was found",
        "says": found["says"],
        "characters": characters,
        **{field: str(found.get(field, "")) for field in ("published", "status", "doi", "licence", "route", "path")},
        "warnings": " ".join(found.get("warnings", [])),
        "next": found["next"],
    }
    return Document(
        id=name,
        title=found["title"],
        text=text,
        url=f"https://doi.org/{doi}" if doi else _url(found, name),
        metadata=_known(metadata),
    )


def _window(length: int, middle: int) -> tuple[int, int]:
    """The part of a text of ``length`` characters that is shown around ``middle``."""
    start = max(min(middle - MOST_CHARS // 2, length - MOST_CHARS), 0)
    return start, min(start + MOST_CHARS, length)


def _kind(start: int, end: int, length: int) -> str:
    return "full text" if (start, end) == (0, length) else "part of the full text"


def _known(metadata: dict[str, str]) -> dict[str, str]:
    return {name: value for name, value in metadata.items() if value}


def _url(found: Fulltext, name: str) -> str:
    if "url" in found:
        return found["url"]
    return f"https://arxiv.org/abs/{found['arxiv']}" if "arxiv" in found else name
