"""PaperStore.source_bytes: the very bytes that were opened, or an error that says why not."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
import typst

from pincite_core.errors import ForbiddenError, NotFoundError
from pincite_core.settings import Settings
from pincite_papers.opening.store import PaperStore

PDF = typst.compile(b"= A paper\nIts text.")
OTHER = typst.compile(b"= Another paper\nIts other text.")


class Site(ThreadingHTTPServer):
    """Serves one file, and counts how often."""

    body = PDF
    asked = 0


class Answer(BaseHTTPRequestHandler):
    server: Site

    def do_GET(self) -> None:
        self.server.asked += 1
        self.send_response(200)
        self.send_header("Content-Type", "application/pdf")
        self.send_header("Content-Length", str(len(self.server.body)))
        self.end_headers()
        self.wfile.write(self.server.body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Nothing."""


@pytest.fixture
def site() -> Iterator[Site]:
    with Site(("127.0.0.1", 0), Answer) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    (tmp_path / "papers").mkdir()
    return Settings(
        roots=(tmp_path / "papers",),
        cache_dir=tmp_path / "cache",
        parse_workers=1,
        allow_urls=True,
        allow_private_addresses=True,
    )


def test_a_file_is_read_anew(settings: Settings) -> None:
    path = settings.roots[0] / "a.pdf"
    path.write_bytes(PDF)
    with PaperStore(settings) as store:
        assert store.source_bytes(store.open("a.pdf")) == PDF


def test_a_file_that_changed_or_went_is_not_passed_off_as_the_paper(settings: Settings) -> None:
    path = settings.roots[0] / "a.pdf"
    path.write_bytes(PDF)
    with PaperStore(settings) as store:
        paper = store.open("a.pdf")
        path.write_bytes(OTHER)
        with pytest.raises(NotFoundError) as caught:
            store.source_bytes(paper)
        assert "changed" in caught.value.what
        path.unlink()
        with pytest.raises(NotFoundError):
            store.source_bytes(paper)


def test_a_download_is_kept_and_not_fetched_again(settings: Settings, site: Site) -> None:
    address = f"http://127.0.0.1:{site.server_port}/a.pdf"
    with PaperStore(settings) as store:
        paper = store.open(address)
        site.body = OTHER
        assert store.source_bytes(paper) == PDF
    assert site.asked == 1


def test_a_download_that_is_not_kept_is_fetched_again_and_checked(settings: Settings, site: Site) -> None:
    address = f"http://127.0.0.1:{site.server_port}/a.pdf"
    with PaperStore(settings.model_copy(update={"cache_max_bytes": 0})) as store:
        paper = store.open(address)
        assert store.source_bytes(paper) == PDF
        assert site.asked == 2
        site.body = OTHER
        with pytest.raises(NotFoundError):
            store.source_bytes(paper)


def test_a_store_that_may_not_fetch_does_not(settings: Settings, site: Site) -> None:
    with PaperStore(settings) as store:
        paper = store.open(f"http://127.0.0.1:{site.server_port}/a.pdf")
    for kept in (settings.cache_dir / "sources").rglob("*"):
        if kept.is_file():
            kept.unlink()
    with PaperStore(settings.model_copy(update={"allow_urls": False})) as store, pytest.raises(ForbiddenError):
        store.source_bytes(paper)
    assert site.asked == 1
