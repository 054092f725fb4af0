"""100 mixed calls of the literature server's tools: what each says, one line a call.

``python recorded_calls.py MODE STORE FOLDER URLS`` asks the sources at URLS (JSON, by name); FOLDER is this process's
own, and stands as FOLDER in what is printed. With PINCITE_TEST_NO_NETWORK=1 the process ends with status 9 when it
reaches for the network.
"""

import asyncio
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mcp import Client
from pydantic import SecretStr

from pincite_core.settings import Settings
from pincite_literature.server import create_server

KEY = "semantickey0123456789"
MAIL = "reader@university.example"
DOIS = [f"10.5555/cuprate.{number}" for number in range(1, 9)]
OWN_LANGUAGES = {
    "arxiv": "ti:cuprate",
    "pubmed": "cuprate[ti]",
    "crossref": "query.title=cuprate",
    "semantic_scholar": "cuprate",
    "openalex": "search=cuprate",
    "europe_pmc": "TITLE:cuprate",
}

Call = tuple[str, dict[str, Any]]


def calls() -> Iterator[Call]:
    """The 100 calls; some are made twice."""
    for query in ("cuprate", "nickelate", "zzyzx", "superconductivity cuprate"):
        yield "search_papers", {"query": query}
        yield "search_papers", {"query": query, "limit": 2, "sort": "newest"}
        yield "search_papers", {"query": query, "year": "2015-2020", "sources": ["crossref", "pubmed"]}
    for doi in DOIS:
        yield "get_paper", {"id": doi}
        yield "get_abstract", {"id": doi}
        yield "list_citations", {"id": doi}
        yield "list_cited_works", {"id": doi}
        yield "find_similar", {"id": doi}
        yield "export_citations", {"ids": doi}
    for name, query in OWN_LANGUAGES.items():
        yield "query_source", {"source": name, "query": query}
        yield "query_source", {"source": name, "query": query.replace("cuprate", "zzyzx")}
    for name in ("10.5555/cuprate.1", "1903.01234", "10.5555/cuprate.1", "PMC7654321", "10.5555/cuprate.2"):
        yield "fetch_fulltext", {"id": name}
    yield "fetch_fulltext", {"id": "10.5555/cuprate.1", "prefer": ["pdf"]}
    for words in ("superconductivity", "superconductivity", "zzyzx"):
        yield "search_wikipedia", {"query": words}
        yield "search_web", {"query": words}
    for name in ("LSCO", "La1.85Sr0.15CuO4", "YBCO", "unobtainium"):
        yield "expand_material", {"name": name}
    yield "get_paper", {"id": "arXiv:1903.01234"}
    yield "get_paper", {"id": "31000001"}
    yield "get_paper", {"id": "Superconductivity of a cuprate that nobody has made"}
    yield "get_paper", {"id": "10.5555/nothing"}
    yield "get_paper", {"id": "no such title has ever been written"}
    yield "list_citations", {"id": "10.5555/nothing"}
    yield "search_papers", {"query": "cuprate", "author": "Noether"}
    yield "search_papers", {"query": "cuprate", "open_access": True}
    yield "search_papers", {"query": ""}
    yield "export_citations", {"ids": f"{DOIS[0]}, {DOIS[1]}", "format": "ris"}
    yield "get_paper", {"identifier": DOIS[0]}
    yield "get_abstract", {"id": "31000001"}


async def run_calls(settings: Settings, folder: str) -> list[str]:
    """What every call says: its content and structured content as they are sent, and whether it failed."""
    asked = list(calls())
    assert len(asked) == 100, len(asked)
    told: list[str] = []
    async with Client(create_server(settings)) as client:
        for tool, arguments in asked:
            said = await client.call_tool(tool, arguments)
            content = [block.text for block in said.content if block.type == "text"]
            line = json.dumps([tool, arguments, said.is_error, content, said.structured_content])
            told.append(line.replace(folder, "FOLDER"))
    return told


def forbid_network() -> None:
    """End the process at the first connection or resolution of a host."""

    def watch(event: str, arguments: tuple[Any, ...]) -> None:
        if event in ("socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto"):
            print(f"{event} {arguments[1:]}", file=sys.stderr, flush=True)
            os._exit(9)

    sys.addaudithook(watch)


if __name__ == "__main__":
    if os.environ.get("PINCITE_TEST_NO_NETWORK") == "1":
        forbid_network()
    mode, store, folder, urls = sys.argv[1:]
    own = Path(folder)
    (own / "roots").mkdir(parents=True)
    made: dict[str, Any] = {
        "http_mode": mode,
        "http_store": Path(store),
        "cache_dir": own / "cache",
        "papers_dir": own / "papers",
        "roots": (own / "roots",),
        "source_urls": json.loads(urls),
        "source_seconds": 5.0,
        "source_rates": "off",
        "parse_workers": 1,
        "contact": MAIL,
        "semantic_scholar_api_key": SecretStr(KEY),
        "searxng_url": json.loads(urls)["searxng"],
    }
    print("\n".join(asyncio.run(run_calls(Settings(**made), str(own)))))
