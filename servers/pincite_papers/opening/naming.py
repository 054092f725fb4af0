"""How callers name a paper: by its id, by an address, or by a path."""

import re
from dataclasses import dataclass
from pathlib import Path

from pincite_core.errors import BadInputError
from pincite_core.locator import PAPER_NAME

_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")


@dataclass(frozen=True, slots=True)
class PaperName:
    """``text`` as it was given, without blanks around it; ``digest`` are the digits of an id, "" for other names. Bare
    digits (``maybe_file``) may be the name of a file as well."""

    text: str
    digest: str = ""
    maybe_file: bool = False
    is_address: bool = False


def is_address(place: str) -> bool:
    """Whether a place is an address and not a path."""
    return _ADDRESS.match(place) is not None


def read_name(source: str | Path) -> PaperName:
    """What ``source`` names; a Path is never an id or an address. BadInputError for nothing."""
    if isinstance(source, Path):
        return PaperName(str(source))
    text = source.strip()
    if not text:
        raise BadInputError("No paper was named.", next="Give the path of a paper, or an id that open_paper returned.")
    match = PAPER_NAME.fullmatch(text)
    if match is None:
        return PaperName(text, is_address=is_address(text))
    return PaperName(text, match["digest"], maybe_file=match["prefix"] is None)
