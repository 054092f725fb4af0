"""The pages of a paper: its pages with what the parser found on them, passages marked, search and selection."""

from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from pincite_core.errors import BadInputError, PinciteError
from pincite_core.patterns import FoldedText, find_literal, find_regex
from pincite_harness.desk.layers import TITLES, characters_of, count_layers, layers_of
from pincite_harness.desk.marks import Marked, mark, read_spans
from pincite_harness.desk.misreading import report_misreading
from pincite_harness.desk.papers import page_of
from pincite_harness.desk.plots import show_plot
from pincite_harness.desk.site import Site
from pincite_harness.desk.surroundings import crops_of
from pincite_papers import doubts
from pincite_papers.model import Paper, Span
from pincite_papers.passages import PerPaper, locate, section_at, trim

_LONGEST = 200
"""Characters of a search."""
_MOST_FOUND = 100
"""Places that a search lists."""
_AROUND = 60
"""Characters around a hit."""
_CONTEXT = 32
"""Characters around a quote that a W3C annotation gives."""

_folded = PerPaper(lambda paper: FoldedText.of(paper.text))


def routes(site: Site) -> list[Route]:
    """The routes below ``/paper/…``."""

    def opened(request: Request) -> dict[str, Any]:
        key = request.path_params["key"]
        return {"key": key, "name": site.papers.name(key), "paper": site.papers.get(key)}

    def paper(request: Request) -> Response:
        shown = opened(request)
        return site.page(request, "paper.html", titles=TITLES, counts=count_layers(shown["paper"]), **shown)

    def place(request: Request) -> Response:
        shown = opened(request)
        number = request.query_params.get("page", "")
        page = page_of(shown["paper"], int(number)).number if number.isascii() and number.isdigit() else None
        spans = read_spans(shown["paper"], request.query_params.get("spans", ""))
        marked = mark(shown["paper"], spans, page)
        return site.page(request, "place.html", marked=marked, crops=crops_of(shown["paper"], spans), **shown)

    def picture(request: Request) -> Response:
        data = site.papers.picture(opened(request)["paper"], request.path_params["page"])
        # What a paper's digest names does not change, and the token does with each desk.
        return Response(data, media_type="image/webp", headers={"Cache-Control": "private, max-age=86400, immutable"})

    def layers(request: Request) -> Response:
        shown = opened(request)
        page = page_of(shown["paper"], request.path_params["page"])
        return site.page(request, "layers.html", page=page, layers=layers_of(shown["paper"], page), **shown)

    def characters(request: Request) -> Response:
        held = opened(request)["paper"]
        page = page_of(held, request.path_params["page"])
        return JSONResponse({"start": page.start, "boxes": characters_of(held, page)})

    def selection(request: Request) -> Response:
        held = opened(request)["paper"]
        spans = read_spans(held, request.query_params.get("spans", ""))
        if len(spans) != 1:
            raise BadInputError("A selection is one range.")
        return JSONResponse(selected(held, spans[0]))

    def plot(request: Request) -> Response:
        shown = opened(request)
        figure = request.path_params["figure"]
        held = shown["paper"]
        drawn = show_plot(site.papers, held, figure)
        return site.page(request, "plot.html", plot=drawn, page=page_of(held, drawn.page), **shown)

    def misreading(request: Request) -> Response:
        shown = opened(request)
        held = shown["paper"]
        query = request.query_params
        spans = read_spans(held, query.get("spans", ""))
        number = query.get("page", "")
        page = page_of(held, int(number)).number if number.isascii() and number.isdigit() else None
        data = report_misreading(site.papers, held, spans, page, query.get("note", ""))
        name = f"misreading-{shown['key'][:8]}-{spans[0].start if spans else f'page-{page}'}.zip"
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        return Response(data, media_type="application/zip", headers=headers)

    def find(request: Request) -> Response:
        shown = opened(request)
        text = request.query_params.get("q", "")[:_LONGEST]
        is_regex = "regex" in request.query_params
        hits, why = _found(shown["paper"], text, is_regex)
        return site.page(request, "hits.html", text=text, is_regex=is_regex, hits=hits, why=why, **shown)

    base = "/paper/{key}"
    return [
        Route(base, paper),
        Route(f"{base}/place", place),
        Route(f"{base}/page/{{page:int}}", picture),
        Route(f"{base}/layers/{{page:int}}", layers),
        Route(f"{base}/characters/{{page:int}}", characters),
        Route(f"{base}/selection", selection),
        Route(f"{base}/plot/{{figure:int}}", plot),
        Route(f"{base}/misreading", misreading),
        Route(f"{base}/find", find),
    ]


def selected(paper: Paper, span: Span) -> dict[str, Any]:
    """A selected range without white space at its ends: its quote, locator, boxes by page, and W3C annotation."""
    start, end = trim(paper.text, span.start, span.end)
    if start == end:
        raise BadInputError("Nothing but white space is selected.")
    marked: Marked = mark(paper, [Span(start, end)])
    text = paper.text
    annotation = paper.locator(start, end).to_web_annotation(
        prefix=text[max(0, start - _CONTEXT) : start], suffix=text[end : end + _CONTEXT]
    )
    boxes = {each.page.number: [[b.x0, b.y0, b.x1, b.y1] for b in each.boxes] for each in marked.pages}
    return {
        "quote": marked.quote,
        "spans": f"{start}-{end}",
        "locator": marked.locator,
        "page": paper.page_at(start),
        "section": section_at(paper, start),
        "unreliable": doubts.note(paper, start, end),
        "boxes": boxes,
        "annotation": annotation,
    }


def _found(paper: Paper, text: str, is_regex: bool) -> tuple[list[dict[str, Any]], str]:
    """The places, or why nothing was searched for."""
    try:
        return hits_of(paper, text, is_regex=is_regex), ""
    except PinciteError as error:
        return [], str(error)


def hits_of(paper: Paper, text: str, *, is_regex: bool = False) -> list[dict[str, Any]]:
    """The first places where a text stands, whatever its dashes, spaces and case, or where an RE2 pattern matches, with
    what stands around each. BadInputError for a pattern that is not RE2's."""
    if not text.strip():
        return []
    found: list[dict[str, Any]] = []
    spans = find_regex(paper.text, text) if is_regex else find_literal(_folded.of(paper), text)
    for start, end in spans:
        found.append(
            {
                "spans": f"{start}-{end}",
                "page": paper.page_at(start),
                "locator": locate(paper, start, end),
                "before": paper.text[max(0, start - _AROUND) : start],
                "quote": paper.text[start:end],
                "after": paper.text[end : end + _AROUND],
            }
        )
        if len(found) == _MOST_FOUND:
            break
    return found
