"""The pictures that a trial left in its folder."""

from base64 import b64encode
from pathlib import Path

from pincite_core.errors import NotFoundError

PICTURES = {
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".gif": "image/gif",
    ".webp": "image/webp",
}
"""Files of a trial that are shown: an SVG may hold scripts."""


def picture_in(folder: Path, name: str) -> Path:
    """A picture's file inside a trial's folder: NotFoundError for any other, since a trajectory may name anything."""
    try:
        path = (folder / name).resolve()
        inside = path.is_relative_to(folder.resolve()) and path.is_file()
    except (OSError, ValueError):
        inside = False
        path = folder
    if not inside or path.suffix.lower() not in PICTURES:
        raise NotFoundError("There is no such picture in the trial's folder.")
    return path


def inline_address(name: str, data: bytes) -> str:
    """An address that holds a picture itself, by its file's name; "" for a kind that is not shown."""
    kind = PICTURES.get(Path(name).suffix.lower())
    return f"data:{kind};base64,{b64encode(data).decode()}" if kind is not None else ""
