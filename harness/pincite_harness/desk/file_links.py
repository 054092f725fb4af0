"""FileLinks and PageLinks: the addresses of a static copy. What a page shows is written beside it, or into it, when it
is first named."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from pincite_core.errors import PinciteError
from pincite_harness.desk.addresses import Addresses
from pincite_harness.desk.marks import Marked, mark, read_spans
from pincite_harness.desk.papers import Papers, key_of
from pincite_harness.desk.pictures import inline_address, picture_in
from pincite_harness.desk.run_book import RunBook
from pincite_papers.model import Paper, Span

MOST_BYTES = 60_000_000
"""Of all pictures of a copy: what a mail or a pull request's artefact takes without asking."""
MOST_PLACES = 400
"""Passages of one trial that are shown on their pages: each is half a kilobyte beside its page's picture."""


@dataclass(frozen=True, slots=True)
class Place:
    """A passage that a page of the copy shows at its side; ``number`` is part of its anchor."""

    number: int
    key: str
    name: str
    paper: Paper
    marked: Marked


class FileLinks(Addresses):
    """Addresses below ``folder``. ``places`` are the passages of the page that is being written; an address is "" for
    what is left out, because there is too much of it or it cannot be drawn."""

    def __init__(self, folder: Path, papers: Papers, book: RunBook) -> None:
        super().__init__("")
        self.places: dict[tuple[str, str, int | None], Place] = {}
        self.left_out = 0
        self._folder = folder
        self._papers = papers
        self._book = book
        self._written: dict[str, str] = {}
        self._bytes = 0

    def begin_page(self) -> None:
        """Forget the passages of the page before."""
        self.places = {}

    def home(self) -> str:
        return "index.html"

    def static(self, name: str) -> str:
        return f"static/{name}"

    def run(self, run: int, query: str = "") -> str:
        return "index.html"

    def trial(self, run: int, name: str, part: str = "", **query: str | int) -> str:
        return f"{quote(name, safe='')}.html"

    def paper(self, key: str) -> str:
        return ""

    def wire(self, run: int, name: str, door: str, **query: str | int) -> str:
        return ""

    def media(self, run: int, name: str, path: str) -> str:
        where = self._book.folder.trial(name)
        try:
            source = picture_in(where, path)
        except PinciteError:
            return self._leave_out()
        target = f"media/{name}/{source.relative_to(where.resolve()).as_posix()}"
        return self._once(target, source.read_bytes)

    def picture(self, key: str, page: int) -> str:
        return self._once(f"pages/{key}-p{page}.webp", lambda: self._papers.picture(self._papers.get(key), page))

    def place(self, key: str, spans: str = "", page: int | None = None) -> str:
        paper = self._papers.get(key)
        return self._placed(key, spans, page, mark(paper, read_spans(paper, spans), page))

    def locator(self, run: int, name: str, locator: str) -> str:
        try:
            paper, start, end = self._papers.named_in(locator)
        except PinciteError:
            return ""
        spans = [Span(start, end)] if start < end else []
        page = paper.page_at(start)
        return self._placed(key_of(paper), f"{start}-{end}", page, mark(paper, spans, page))

    def _placed(self, key: str, spans: str, page: int | None, marked: Marked) -> str:
        named = (key, spans, None if spans else page)
        if named not in self.places:
            if len(self.places) >= MOST_PLACES:
                return self._leave_out()
            paper = self._papers.get(key)
            self.places[named] = Place(len(self.places) + 1, key, self._papers.name(key), paper, marked)
        return f"#place-{self.places[named].number}"

    def _once(self, target: str, read: Callable[[], bytes]) -> str:
        if target not in self._written:
            self._written[target] = self._write(target, read)
        return self._written[target]

    def _write(self, target: str, read: Callable[[], bytes]) -> str:
        try:
            data = read()
        except (PinciteError, OSError):
            return self._leave_out()
        if self._bytes + len(data) > MOST_BYTES:
            return self._leave_out()
        self._bytes += len(data)
        return self._put(target, data)

    def _put(self, target: str, data: bytes) -> str:
        """Keep a picture; its address."""
        path = self._folder / target
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        return quote(target)

    def _leave_out(self) -> str:
        self.left_out += 1
        return ""


class PageLinks(FileLinks):
    """Addresses within a page that stands alone. ``drawn`` are the pages of papers by the fragment that ``use`` refers
    to, each of which the page holds once; a picture of a step stands where it is shown."""

    def __init__(self, folder: Path, papers: Papers, book: RunBook) -> None:
        super().__init__(folder, papers, book)
        self.drawn: dict[str, str] = {}

    def home(self) -> str:
        return "#main"

    def static(self, name: str) -> str:
        return ""

    def run(self, run: int, query: str = "") -> str:
        return "#main"

    def trial(self, run: int, name: str, part: str = "", **query: str | int) -> str:
        return "#main"

    def picture(self, key: str, page: int) -> str:
        data = super().picture(key, page)
        fragment = f"page-{key}-{page}"
        if data:
            self.drawn[fragment] = data
        return f"#{fragment}" if data else ""

    def _put(self, target: str, data: bytes) -> str:
        return inline_address(target, data)
