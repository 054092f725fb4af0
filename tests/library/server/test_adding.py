"""add_papers; papers that another process adds; the server as a process."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters

from pincite_core.settings import Settings
from pincite_library.server import create_server
from pincite_library.tools import adding

PINCITE = str(Path(sys.executable).with_name("pincite"))
ARTICLE = """<article><front><article-meta><title-group><article-title>{title}</article-title></title-group>
</article-meta></front><body><sec><title>Results</title><p>The gap of {title} is 1.15 meV.</p></sec></body></article>"""


def environment(settings: Settings) -> dict[str, str]:
    """The environment of a process with these settings."""
    return {
        **{name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ},
        "PINCITE_ROOTS": str(settings.roots[0]),
        "PINCITE_CACHE_DIR": str(settings.cache_dir),
        "PINCITE_PAPERS_DIR": str(settings.papers_dir),
        "PINCITE_LIBRARY_DIR": str(settings.library_dir),
        "PINCITE_PARSE_WORKERS": "1",
    }


@pytest.fixture
def papers(empty: Settings) -> Path:
    """A folder with two papers, a broken one and a note."""
    folder = empty.roots[0]
    (folder / "lead.xml").write_text(ARTICLE.format(title="lead"))
    (folder / "more").mkdir()
    (folder / "more" / "zinc.xml").write_text(ARTICLE.format(title="zinc"))
    (folder / "broken.pdf").write_bytes(b"%PDF-1.7\nnothing of a PDF follows")
    (folder / "note.txt").write_text("Buy milk.")
    return folder


async def test_papers_are_added_and_found(empty: Settings, papers: Path, checked_calls: Callable[..., Any]) -> None:
    async with checked_calls(create_server(empty)) as call:
        assert "is empty" in await call("search_passages", query="gap of zinc")
        said = await call("add_papers", sources=["."])
        assert said["finished"] is True
        assert (said["counts"]["added"], said["counts"]["failed"]) == (2, 1)
        assert [one["state"] for one in said["sources"]] == ["failed", "added", "added"]
        broken, *added = said["sources"]
        assert broken["source"].endswith("broken.pdf")
        assert broken["why"]
        assert {one["title"] for one in added} == {"lead", "zinc"}
        (passage,) = (await call("search_passages", query="gap of zinc", k=1))["passages"]
        assert passage["paper"] == "zinc"
        assert {paper["paper"] for paper in (await call("list_papers"))["papers"]} == {one["paper"] for one in added}
        again = await call("add_papers", sources=[str(papers / "lead.xml"), "more"])
        assert (again["counts"], again["sources"]) == ({"unchanged": 2}, [])


async def test_files_outside_the_roots_are_refused(
    empty: Settings, papers: Path, tmp_path: Path, checked_calls: Callable[..., Any]
) -> None:
    (tmp_path / "secret.xml").write_text(ARTICLE.format(title="secret"))
    (papers / "link.xml").symlink_to(tmp_path / "secret.xml")
    async with checked_calls(create_server(empty)) as call:
        said = await call("add_papers", sources=[str(tmp_path / "secret.xml"), "../secret.xml", "link.xml", "lead.xml"])
        assert "failed" in str(said)
        if not isinstance(said, str):
            assert {one["title"] for one in said["sources"] if "title" in one} == {"lead"}
            assert all(one["why"] for one in said["sources"] if one["state"] == "failed")
        listed = await call("list_papers")
        assert "secret" not in [paper["title"] for paper in listed["papers"]]
        assert "No source is named" in await call("add_papers", sources=[" "])


async def test_progress_is_told_and_a_call_ends_in_time(empty: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(adding, "MOST_SECONDS", 0.0)
    monkeypatch.setattr(adding, "_QUIET_SECONDS", 0.02)
    for number in range(40):
        (empty.roots[0] / f"{number}.xml").write_text(ARTICLE.format(title=f"element {number}"))
    heard: list[str | None] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        heard.append(message)

    async with Client(create_server(empty)) as client:
        said = await client.call_tool("add_papers", {"sources": ["."]}, progress_callback=hear)
        assert said.structured_content is not None
        assert said.structured_content["finished"] is False
        assert "call again" in said.structured_content["note"]
        assert heard
        monkeypatch.setattr(adding, "MOST_SECONDS", 60.0)
        rest = await client.call_tool("add_papers", {"sources": ["."]})
        assert rest.structured_content is not None
        assert rest.structured_content["finished"] is True
        listed = await client.call_tool("list_papers", {"max_chars": 50_000})
        assert listed.structured_content is not None
        assert listed.structured_content["total"] == 40


async def test_papers_added_by_another_process_are_found(empty: Settings, papers: Path) -> None:
    command = [sys.executable, "-c", ADD, "lead.xml"]
    parameters = StdioServerParameters(command=PINCITE, args=["serve", "library"], env=environment(empty))
    async with Client(parameters) as client:
        assert client.server_info.name == "pincite-library"
        none = await client.call_tool("grep_chunks", {"pattern": "1.15 meV"})
        assert none.is_error
        for title, command[-1] in (("lead", "lead.xml"), ("zinc", "more/zinc.xml")):
            subprocess.run(command, env=environment(empty), cwd=papers, check=True, timeout=60)
            hits = await client.call_tool("grep_chunks", {"pattern": f"gap of {title}"})
            assert hits.structured_content is not None
            assert [hit["paper"] for hit in hits.structured_content["hits"]] == [title]
            found = await client.call_tool("search_passages", {"query": f"gap {title}", "k": 1})
            assert found.structured_content is not None
            assert found.structured_content["passages"][0]["paper"] == title
        removed = [sys.executable, "-c", REMOVE, "lead.xml"]
        subprocess.run(removed, env=environment(empty), cwd=papers, check=True, timeout=60)
        left = await client.call_tool("grep_chunks", {"pattern": "1.15 meV"})
        assert left.structured_content is not None
        assert [hit["paper"] for hit in left.structured_content["hits"]] == ["zinc"]


ADD = """
import sys
from pathlib import Path
from pincite_core.settings import load_settings
from pincite_library.ingest.pipeline import Ingest
with Ingest(load_settings()) as ingest:
    report = ingest.add([str(Path(sys.argv[1]).absolute())])
assert report.written, report.outcomes
"""
REMOVE = ADD.replace("ingest.add", "ingest.remove").replace("report.written", "report.outcomes")


HEAVY = ("numpy", "re2", "sqlite3", "lxml", "rapidfuzz", "onnxruntime", "lancedb", "pypdf", "Stemmer")
LOADED = f"""
import sys, anyio
from mcp import Client
from pincite_library.server import create_server
async def main():
    async with Client(create_server()) as client:
        assert (await client.list_tools()).tools
anyio.run(main)
print([name for name in {HEAVY} if name in sys.modules])
"""


def test_nothing_heavy_is_imported_before_the_first_call(empty: Settings) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOADED], env=environment(empty), capture_output=True, text=True, timeout=60
    )
    assert done.stdout.strip() == "[]", done.stderr
    assert not empty.library_dir.exists()
