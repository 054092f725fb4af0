"""100 recorded calls of the literature server replay byte-equal, from 4 processes, without a
network."""

import asyncio
import importlib.util
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

PROCESSES = 4
SCRIPT = Path(__file__).with_name("recorded_calls.py")


@pytest.fixture(scope="module")
def session() -> ModuleType:
    place = importlib.util.spec_from_file_location("recorded_calls", SCRIPT)
    assert place is not None
    assert place.loader is not None
    module = importlib.util.module_from_spec(place)
    place.loader.exec_module(module)
    return module


@pytest.fixture
def works(invented: ModuleType, articles: ModuleType, session: ModuleType) -> list[Any]:
    """Eight works that cite each other in a row and are alike in pairs, and a preprint."""
    dois = session.DOIS
    made = [
        invented.Invented(
            f"{articles.TITLE} {number}" if number > 1 else articles.TITLE,
            articles.AUTHORS,
            articles.ABSTRACT if number % 3 else "A nickelate, for once.",
            f"{2012 + number}-03-05",
            doi=doi,
            pmid=f"3100000{number}",
            pmcid="PMC7654321" if number == 1 else "",
            s2=str(number) * 40,
            openalex=f"W290000000{number}",
            open_access=number % 2 == 0,
            cites=tuple(dois[max(number - 3, 0) : number - 1]),
            like=(dois[number % len(dois)],),
        )
        for number, doi in enumerate(dois, start=1)
    ]
    preprint = invented.Invented(articles.TITLE, articles.AUTHORS, articles.ABSTRACT, arxiv="1903.01234", journal="")
    return [replace(made[0], arxiv="1903.09999"), *made[1:], preprint]


def _wiki(given: Any) -> Callable[[Any], Any]:
    page = {
        "pageid": 11,
        "ns": 0,
        "title": "Superconductivity",
        "index": 1,
        "extract": "It has no resistance.",
        "revisions": [{"revid": 999, "parentid": 998, "timestamp": "2024-02-03T04:05:06Z"}],
    }

    def say(asked: Any) -> Any:
        found = [page] if asked.params["gsrsearch"] != "zzyzx" else []
        return given({"batchcomplete": True, **({"query": {"pages": found}} if found else {})})

    return say


def _searx(given: Any) -> Callable[[Any], Any]:
    hit = {"title": "A page", "url": "https://a.example/1", "content": "About it.", "engine": "x", "score": 1.0}
    return lambda asked: given({"query": asked.params["q"], "results": [hit], "unresponsive_engines": []})


def _start(mode: str, store: Path, folder: Path, urls: dict[str, str], *, network: bool) -> subprocess.Popen[str]:
    around = ["unshare", "-rn"] if not network and _can_unshare() else []
    return subprocess.Popen(
        [*around, sys.executable, str(SCRIPT), mode, str(store), str(folder), json.dumps(urls)],
        env=os.environ | {"PINCITE_TEST_NO_NETWORK": "0" if network else "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def _can_unshare() -> bool:
    found = shutil.which("unshare")
    if found is None:
        return False
    return subprocess.run([found, "-rn", "true"], capture_output=True, check=False).returncode == 0


def _output(process: subprocess.Popen[str]) -> list[str]:
    output, complaints = process.communicate(timeout=240)
    assert process.returncode == 0, complaints
    return output.splitlines()


async def test_a_session_of_tool_calls_replays_byte_equal_without_a_network(
    reading_room: Callable[..., Any],
    source_servers: ModuleType,
    archives: ModuleType,
    articles: ModuleType,
    session: ModuleType,
    works: list[Any],
    tmp_path: Path,
) -> None:
    answers = archives.cloud("PMC7654321", jats=articles.jats(), pdf=articles.pdf())
    answers["/arxiv/src/1903.01234v1"] = articles.latex()
    store = tmp_path / "store"
    given = source_servers.Given
    with source_servers.SourceServer(_wiki(given)) as wiki, source_servers.SourceServer(_searx(given)) as searx:
        places = {"wikipedia": wiki.url, "searxng": searx.url}
        async with reading_room(works, answers, urls=places, failing=("europe_pmc",)) as room:
            urls = room.settings.source_urls
            started = _start("record", store, tmp_path / "recording", urls, network=True)
            recorded = await asyncio.to_thread(_output, started)
    started_again = [
        _start("replay", store, tmp_path / f"replay{number}", urls, network=False) for number in range(PROCESSES)
    ]
    for replayed in [await asyncio.to_thread(_output, process) for process in started_again]:
        different = [pair for pair in zip(recorded, replayed, strict=True) if pair[0] != pair[1]]
        assert different == []
    _was_mixed([json.loads(line) for line in recorded])
    kept = b"".join(path.read_bytes() for path in store.rglob("*") if path.is_file()).decode("latin-1")
    assert [secret for secret in (session.KEY, session.MAIL) if secret in kept or secret in str(recorded)] == []


def _was_mixed(told: list[Any]) -> None:
    """The session is worth replaying: every tool answered, some failed, and one source was down all the time."""
    assert len(told) == 100
    well = [line for line in told if not line[2]]
    assert {line[0] for line in well} == {line[0] for line in told}
    assert len({line[0] for line in told}) == 12
    assert 5 <= len(told) - len(well) <= 30
    fetched = [line[4] for line in well if line[0] == "fetch_fulltext"]
    assert {"full_text"} <= {made["state"] for made in fetched}
    states = {
        entry["state"] for line in well for entry in (line[4] or {}).get("sources", []) if isinstance(entry, dict)
    }
    assert {"answered", "failed"} <= states
