"""Pairs of a PDF and its XML twin in the shared data."""

from pathlib import Path

DATA = Path(__file__).resolve().parents[4] / "shared" / "data"
_SUFFIXES = (".jats.xml", ".nxml", ".xml")
SETS = ("jats-pdf-pairs", "papers-cc-by")


def find_pairs(name: str) -> list[tuple[Path, Path]]:
    """(PDF, XML) of the set ``name``, sorted; empty where the shared data is absent."""
    pairs = ((pdf, twin_of(pdf)) for pdf in sorted((DATA / name).glob("*.pdf")))
    return [(pdf, twin) for pdf, twin in pairs if twin is not None]


def twin_of(pdf: Path) -> Path | None:
    """The publisher's XML beside a PDF, if there is one."""
    return next((path for suffix in _SUFFIXES if (path := pdf.with_suffix(suffix)).exists()), None)
