"""Folders: those that are set, else the client's MCP roots, else the current one, but never the home folder."""

import os
from pathlib import Path
from typing import Any

import pytest
import typst
from mcp import Client
from mcp_types import ListRootsResult, Root, RootsListChangedNotification
from pydantic import FileUrl

from pincite_core.errors import BadInputError
from pincite_core.settings import is_too_wide, load_settings
from pincite_documents.server import create_server as documents
from pincite_figures.server import create_server as figures
from pincite_library.server import create_server as library

ERAS = ["2026-07-28", "legacy"]
"""Clients that repeat a call with the answer, and clients that are asked in the middle of one."""


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Path]:
    """A home folder that holds all others: one with a paper, another with a paper, the one the server runs in."""
    home = tmp_path / "home"
    made = {name: home / name for name in ("one", "two", "work")}
    for name, folder in made.items():
        folder.mkdir(parents=True)
        source = f"#set page(width: 100mm, height: 60mm)\n= Paper {name}\nA value of {name}."
        (folder / f"{name}.pdf").write_bytes(typst.compile(source.encode(), format="pdf"))
    monkeypatch.delenv("PINCITE_ROOTS", raising=False)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("PINCITE_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("PINCITE_PAPERS_DIR", str(tmp_path / "fetched"))
    monkeypatch.setenv("PINCITE_LIBRARY_DIR", str(tmp_path / "library"))
    monkeypatch.chdir(made["work"])
    return made | {"home": home}


class Offering:
    """A client that offers ``folders`` and counts how often it is asked."""

    def __init__(self, *folders: Path | str) -> None:
        self.folders: list[Path | str] = list(folders)
        self.asked = 0

    async def __call__(self, context: object) -> ListRootsResult:
        self.asked += 1
        uris = [folder if isinstance(folder, str) else folder.as_uri() for folder in self.folders]
        return ListRootsResult(roots=[Root(uri=FileUrl(uri)) for uri in uris])


async def opened(client: Client, paper: Path | str) -> str:
    """ "" for a paper that opens, else the error."""
    result = await client.call_tool("open_paper", {"paper": str(paper)})
    return result.content[0].text if result.is_error else ""  # pyright: ignore


def connected(server: Any, offering: Offering | None, era: str) -> Client:
    return Client(server, list_roots_callback=offering, mode=era)


@pytest.mark.parametrize("era", ERAS)
async def test_a_clients_folders_are_read_and_no_others(places: dict[str, Path], era: str) -> None:
    offering = Offering(places["one"])
    async with connected(documents(), offering, era) as client:
        assert await opened(client, "one.pdf") == ""
        assert await opened(client, places["one"] / "one.pdf") == ""
        for path in (places["two"] / "two.pdf", places["work"] / "work.pdf", places["home"] / ".ssh/id", "/etc/passwd"):
            assert "outside the folders" in await opened(client, path), path
        for name in ("list_tables", "read_pages"):
            assert not (await client.call_tool(name, {"paper": "one.pdf"})).is_error


async def test_a_client_that_tells_of_changes_is_asked_again(places: dict[str, Path]) -> None:
    offering = Offering(places["one"])
    async with connected(documents(), offering, "legacy") as client:
        assert await opened(client, "one.pdf") == ""
        assert "outside" in await opened(client, places["two"] / "two.pdf")
        assert offering.asked == 1
        offering.folders = [places["two"]]
        await client.session.send_notification(RootsListChangedNotification())
        assert await opened(client, places["two"] / "two.pdf") == ""
        assert "outside" in await opened(client, places["one"] / "one.pdf")
        assert offering.asked == 2


async def test_a_client_that_cannot_tell_of_changes_is_asked_when_a_path_is_refused(places: dict[str, Path]) -> None:
    offering = Offering(places["one"])
    async with connected(documents(), offering, "2026-07-28") as client:
        for _ in range(3):
            assert await opened(client, "one.pdf") == ""
        assert offering.asked == 1
        offering.folders = [places["two"]]
        assert await opened(client, places["two"] / "two.pdf") == ""
        assert "outside" in await opened(client, places["one"] / "one.pdf")


@pytest.mark.parametrize("era", ERAS)
async def test_folders_that_cannot_be_taken_leave_the_default(places: dict[str, Path], era: str) -> None:
    far = f"file://elsewhere.example{places['one']}"
    offering = Offering("file:///", places["home"], places["home"].parent, places["one"] / "none", far)
    async with connected(documents(), offering, era) as client:
        assert await opened(client, "work.pdf") == ""
        for path in (places["one"] / "one.pdf", places["home"] / "x"):
            assert "outside the folders" in await opened(client, path)


@pytest.mark.parametrize("era", ERAS)
async def test_folders_that_are_set_stand_above_the_clients(
    places: dict[str, Path], era: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PINCITE_ROOTS", str(places["two"]))
    offering = Offering(places["one"])
    async with connected(documents(), offering, era) as client:
        assert await opened(client, "two.pdf") == ""
        assert "outside" in await opened(client, places["one"] / "one.pdf")
    assert offering.asked == 0


@pytest.mark.parametrize("era", ERAS)
async def test_figures_of_a_clients_folder_are_drawn(places: dict[str, Path], era: str) -> None:
    async with connected(figures(), Offering(places["one"]), era) as client:
        page = await client.call_tool("view_page", {"paper": "one.pdf", "page": 1})
        assert not page.is_error, page.content
        assert (await client.call_tool("view_page", {"paper": "work.pdf", "page": 1})).is_error


@pytest.mark.parametrize("era", ERAS)
async def test_a_library_takes_papers_of_a_clients_folder(places: dict[str, Path], era: str) -> None:
    async with connected(library(), Offering(places["one"]), era) as client:
        sources = [str(places["one"]), str(places["two"])]
        added = (await client.call_tool("add_papers", {"sources": sources})).structured_content
        assert added is not None
        assert added["counts"] == {"added": 1, "failed": 1}
        (failed,) = [source for source in added["sources"] if source["state"] == "failed"]
        assert "outside" in failed["why"]


async def test_started_in_the_home_folder_nothing_is_read(
    places: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in (places["home"], places["home"].parent, Path("/")):
        monkeypatch.chdir(folder)
        assert load_settings().roots == ()
        async with connected(documents(), None, "2026-07-28") as client:
            for path in ("one/one.pdf", places["one"] / "one.pdf", "nothing.pdf"):
                message = await opened(client, path)
                assert "no folder is set" in message
                assert "PINCITE_ROOTS" in message
        async with connected(library(), None, "2026-07-28") as client:
            added = await client.call_tool("add_papers", {"sources": [str(places["one"]), "nothing.pdf"]})
            assert str(added.structured_content).count("no folder is set") == 2
    monkeypatch.setenv("PINCITE_ROOTS", str(places["home"]))
    async with connected(documents(), None, "2026-07-28") as client:
        assert await opened(client, "one/one.pdf") == ""


async def test_a_client_that_does_not_answer_gets_the_default(places: dict[str, Path]) -> None:
    async def refuse(context: object) -> Any:
        raise RuntimeError("no")

    async with Client(documents(), list_roots_callback=refuse, mode="legacy") as client:
        assert await opened(client, "work.pdf") == ""


def test_what_holds_the_home_folder_is_too_wide(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "users" / "ada"
    (home / "papers").mkdir(parents=True)
    (tmp_path / "alias").symlink_to(home)
    monkeypatch.setenv("HOME", str(home))
    wide = {path: is_too_wide(path) for path in (home, tmp_path / "users", Path("/"), tmp_path / "alias")}
    assert all(wide.values()), wide
    assert not is_too_wide(home / "papers")
    assert not is_too_wide(tmp_path / "users" / "ben")


def test_roots_that_name_nothing_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PINCITE_ROOTS", os.pathsep)
    with pytest.raises(BadInputError, match="PINCITE_ROOTS"):
        load_settings()
