"""The desk's application: its routes, and what an error looks like."""

from collections.abc import Callable
from http import HTTPStatus

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from pincite_core.errors import BadInputError, NotFoundError, PinciteError
from pincite_harness.desk import (
    audit_views,
    compare_views,
    library_views,
    paper_views,
    record_views,
    run_views,
    trial_views,
)
from pincite_harness.desk.guard import Guard
from pincite_harness.desk.site import Site
from pincite_harness.desk.static_files import static_file


def create_app(site: Site, token: str, port: int, ended: Callable[[], bool] = lambda: False) -> Starlette:
    """The application; streams of events end when ``ended`` says so."""

    def shown_error(request: Request, error: Exception) -> Response:
        if isinstance(error, HTTPException):
            return _told(site, request, error.status_code, HTTPStatus(error.status_code).phrase, "")
        assert isinstance(error, PinciteError)
        status = 404 if isinstance(error, NotFoundError) else 400 if isinstance(error, BadInputError) else 422
        return _told(site, request, status, error.what, "\n".join(part for part in (error.seen, error.next) if part))

    def home(request: Request) -> Response:
        return site.page(request, "home.html")

    def static(request: Request) -> Response:
        return static_file(request.path_params["name"], "pincite_harness.desk", "pincite_harness.reports")

    routes = [Route("/", home), Route("/static/{name}", static)]
    routes += run_views.routes(site, ended) + trial_views.routes(site, ended) + paper_views.routes(site)
    routes += (
        audit_views.routes(site) + library_views.routes(site) + compare_views.routes(site) + record_views.routes(site)
    )
    return Starlette(
        routes=routes,
        middleware=[Middleware(Guard, token=token, port=port)],
        exception_handlers={PinciteError: shown_error, HTTPException: shown_error},
    )


def _told(site: Site, request: Request, status: int, what: str, more: str) -> Response:
    response = site.page(request, "error.html", what=what, more=more)
    response.status_code = status
    return response
