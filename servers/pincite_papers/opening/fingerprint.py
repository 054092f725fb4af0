"""Fingerprints of what a parse depends on besides the bytes: the parser's own source and its libraries."""

import hashlib
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from pincite_core.errors import UnavailableError
from pincite_papers.pdf.ocr.options import OcrOptions

_LIBRARIES = ("lxml", "numpy", "pylatexenc", "pypdf", "pypdfium2", "selectolax")
_OPTIONAL = ("openpyxl", "python-docx")


@cache
def parser_fingerprint() -> str:
    """The version of cached papers: a digest of this package's source (PARSER_VERSION included) and its libraries."""
    digest = hashlib.sha256()
    for library in (*_LIBRARIES, *_OPTIONAL):
        digest.update(f"{library}={_version(library)}\n".encode())
    package = Path(__file__).parents[1]
    for path in sorted(package.rglob("*.py")):
        digest.update(f"{path.relative_to(package).as_posix()}\0".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _version(library: str) -> str:
    try:
        return version(library)
    except PackageNotFoundError:
        if library in _LIBRARIES:
            raise
        return "none"


def ocr_fingerprint(options: OcrOptions | None) -> str:
    """What OCR depends on: the version of tesseract, its languages and its time limit; "off" without it."""
    if options is None:
        return "off"
    from pincite_papers.pdf.ocr.tesseract import find_program

    try:
        version = find_program().version
    except UnavailableError:
        return "none"
    described = f"{version} {'+'.join(options.languages)} {options.seconds:g}"
    return hashlib.sha256(described.encode()).hexdigest()[:8]
