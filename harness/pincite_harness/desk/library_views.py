"""The pages of a library: search with its rankings explained, passages on their pages, papers and collections."""

import anyio.to_thread
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from pincite_core.errors import BadInputError, PinciteError
from pincite_harness.desk.library_book import PAGE_PAPERS, Asked, LibraryBook
from pincite_harness.desk.marks import Marked, mark, read_ranges
from pincite_harness.desk.papers import key_of
from pincite_harness.desk.site import Site
from pincite_library.model import PaperEntry
from pincite_papers.model import Paper, Span

_AROUND = 600
"""Characters before and after a passage whose page cannot be shown."""


def routes(site: Site) -> list[Route]:
    """The routes below ``/library/…``."""

    async def library(request: Request) -> Response:
        number, book = _named(site, request)
        asked = Asked.of(request.query_params)
        answer, why = None, ""
        if asked.text:
            try:
                answer = await book.search(asked)
            except PinciteError as error:
                why = str(error)

        def drawn() -> Response:
            context = {"book": book, "asked": asked, "answer": answer, "why": why, "library": number}
            return site.page(request, "library.html", collections=book.collections(), counts=book.counts(), **context)

        return await anyio.to_thread.run_sync(drawn)

    def papers(request: Request) -> Response:
        number, book = _named(site, request)
        asked = Asked.of(request.query_params)
        found = book.listed(asked.text, asked.collection)
        text = request.query_params.get("page", "1")
        page = int(text) if text.isascii() and text.isdigit() and len(text) < 7 else 1
        pages = max(1, -(-len(found) // PAGE_PAPERS))
        page = min(max(page, 1), pages)
        rows = found[(page - 1) * PAGE_PAPERS : page * PAGE_PAPERS]
        context = {"book": book, "asked": asked, "rows": rows, "found": len(found), "page": page, "pages": pages}
        return site.page(request, "library_papers.html", library=number, collections=book.collections(), **context)

    def passage(request: Request) -> Response:
        number, book = _named(site, request)
        entry = book.entry(request.path_params["paper"])
        spans = read_ranges(request.query_params.get("spans", ""))
        if not spans:
            raise BadInputError("A passage is one or more ranges.")
        paper, marked, why = _place(site, book, entry, spans)
        words = book.text(entry, spans, _AROUND) if paper is None else None
        place = {"paper": paper, "key": key_of(paper) if paper is not None else "", "marked": marked}
        return site.page(request, "passage.html", library=number, entry=entry, why=why, words=words, **place)

    def paper(request: Request) -> Response:
        _, book = _named(site, request)
        opened = book.place(site.papers, book.entry(request.path_params["paper"]))
        return RedirectResponse(site.links.paper(key_of(opened)), 303)

    base = "/library/{library:int}"
    return [
        Route(base, library),
        Route(f"{base}/papers", papers),
        Route(f"{base}/passage/{{paper}}", passage),
        Route(f"{base}/paper/{{paper}}", paper),
    ]


def _named(site: Site, request: Request) -> tuple[int, LibraryBook]:
    number = request.path_params["library"]
    return number, site.library(number)


def _place(
    site: Site, book: LibraryBook, entry: PaperEntry, spans: list[Span]
) -> tuple[Paper | None, Marked | None, str]:
    """The paper with the passage marked, or why its page is not shown."""
    try:
        paper = book.place(site.papers, entry)
    except PinciteError as error:
        return None, None, str(error).splitlines()[0]
    if paper.parser != entry.parser or spans[-1].end > len(paper.text):
        return None, None, "Another version of the parser read it for the library: nothing is marked."
    return paper, mark(paper, spans), ""
