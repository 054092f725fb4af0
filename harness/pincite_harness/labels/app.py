"""The application that serves a queue to one person, and the one place of the desk that writes."""

import secrets
from collections.abc import Callable
from http import HTTPStatus
from pathlib import Path
from typing import Any, cast
from urllib.parse import quote

import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from pincite_core.errors import LimitReachedError, NotFoundError, PinciteError
from pincite_core.serving import listen
from pincite_harness.desk.addresses import Addresses
from pincite_harness.desk.guard import Guard
from pincite_harness.desk.pictures import PICTURES, picture_in
from pincite_harness.desk.static_files import static_file
from pincite_harness.labels.label_file import LabelFile, parse_given
from pincite_harness.labels.queue import LabelQueue, read_queue
from pincite_harness.labels.shown import as_script, page_data
from pincite_harness.reports.markup import Markup
from pincite_harness.reports.templating import make_environment

_TOKEN_BYTES = 24
"""Bytes of the token in the address: 192 bits."""
_MOST_BYTES = 100_000
"""Of one label with its note and corrections."""
SAVE = "/label"
_PACKAGES = ("pincite_harness.labels", "pincite_harness.desk")


def create_app(folder: Path, queue: LabelQueue, kept: LabelFile, token: str, port: int) -> Starlette:
    """The page of a queue, its pictures, and the address that keeps a label."""
    environment = make_environment(*_PACKAGES)
    links = Addresses(f"/{token}")
    cast("dict[str, Any]", environment.globals)["links"] = links
    pictures = {name for item in queue.items for name in item.pictures}
    pictures |= {item.place.picture for item in queue.items if item.place is not None}

    def page(_request: Request) -> Response:
        data = page_data(queue, kept.by, kept.given(), f"/{token}{SAVE}", lambda name: f"/{token}/file/{quote(name)}")
        text = environment.get_template("label.html").render(queue=queue, by=kept.by, data=Markup(as_script(data)))
        return HTMLResponse(text)

    def static(request: Request) -> Response:
        return static_file(request.path_params["name"], *_PACKAGES)

    def picture(request: Request) -> Response:
        name = request.path_params["path"]
        if name not in pictures:
            raise NotFoundError("There is no such picture.")
        path = picture_in(folder, name)
        return FileResponse(path, media_type=PICTURES[path.suffix.lower()])

    async def label(request: Request) -> Response:
        body = bytearray()
        async for piece in request.stream():
            body += piece
            if len(body) > _MOST_BYTES:
                raise LimitReachedError("A label is this long at most.", seen=f"more than {_MOST_BYTES:,} bytes")
        kept.put(parse_given(bytes(body)))
        return JSONResponse({"done": kept.done})

    def shown_error(_request: Request, error: Exception) -> Response:
        if isinstance(error, HTTPException):
            return Response(HTTPStatus(error.status_code).phrase, error.status_code, media_type="text/plain")
        status = 404 if isinstance(error, NotFoundError) else 400
        return Response(str(error), status, media_type="text/plain")

    return Starlette(
        routes=[
            Route("/", page),
            Route("/static/{name}", static),
            Route("/file/{path:path}", picture),
            Route(SAVE, label, methods=["POST"]),
        ],
        middleware=[Middleware(Guard, token=token, port=port, writes=frozenset({SAVE}))],
        exception_handlers={PinciteError: shown_error, HTTPException: shown_error},
    )


def serve_queue(folder: Path, by: str, port: int, opened: Callable[[str], None]) -> None:
    """Serve a queue at 127.0.0.1 until stopped; ``opened`` is told the address once it listens. Port 0 is a free
    one."""
    queue = read_queue(folder)
    kept = LabelFile(folder, queue, by)
    token = secrets.token_urlsafe(_TOKEN_BYTES)
    with kept.held(), listen("127.0.0.1", port) as listener:
        bound = listener.getsockname()[1]
        app = create_app(folder, queue, kept, token, bound)
        config = uvicorn.Config(
            app, log_config=None, access_log=False, server_header=False, timeout_graceful_shutdown=1
        )
        opened(f"http://127.0.0.1:{bound}/{token}/")
        uvicorn.Server(config).run(sockets=[listener])
