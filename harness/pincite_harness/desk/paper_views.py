"""The pages of a paper: its pages as pictures, and passages marked on them."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from pincite_harness.desk.marks import mark, read_spans
from pincite_harness.desk.papers import page_of
from pincite_harness.desk.site import Site


def routes(site: Site) -> list[Route]:
    """The routes below ``/paper/…``."""

    def paper(request: Request) -> Response:
        key = request.path_params["key"]
        return site.page(request, "paper.html", key=key, name=site.papers.name(key), paper=site.papers.get(key))

    def place(request: Request) -> Response:
        key = request.path_params["key"]
        paper = site.papers.get(key)
        number = request.query_params.get("page", "")
        page = page_of(paper, int(number)).number if number.isascii() and number.isdigit() else None
        marked = mark(paper, read_spans(paper, request.query_params.get("spans", "")), page)
        return site.page(request, "place.html", key=key, name=site.papers.name(key), paper=paper, marked=marked)

    def picture(request: Request) -> Response:
        paper = site.papers.get(request.path_params["key"])
        data = site.papers.picture(paper, request.path_params["page"])
        # What a paper's digest names does not change, and the token does with each desk.
        return Response(data, media_type="image/webp", headers={"Cache-Control": "private, max-age=86400, immutable"})

    return [
        Route("/paper/{key}", paper),
        Route("/paper/{key}/place", place),
        Route("/paper/{key}/page/{page:int}", picture),
    ]
