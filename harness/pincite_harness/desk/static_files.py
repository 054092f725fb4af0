"""Static files: the style sheets and scripts of pages, which lie in the packages."""

from importlib.resources import files

from starlette.responses import Response

from pincite_core.errors import NotFoundError

_TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}


def static_file(name: str, *packages: str) -> Response:
    """The file of that name in the folder ``static`` of the first package that has it, or of a style sheet in the
    package itself; NotFoundError for none."""
    kind = _TYPES.get(f".{name.rpartition('.')[2]}")
    for package in packages:
        folder = files(package)
        folder = folder.joinpath("static") if folder.joinpath("static").is_dir() else folder
        if kind is not None and name in {path.name for path in folder.iterdir()}:
            return Response(folder.joinpath(name).read_bytes(), media_type=kind)
    raise NotFoundError("There is no such file.")
