"""Works written in a citation format."""

from collections.abc import Sequence
from typing import Literal, get_args

from pincite_core.errors import BadInputError
from pincite_core.lazy import load
from pincite_literature.model import Work

CitationFormat = Literal["bibtex", "ris", "csl-json"]

_WRITERS = {
    "bibtex": "pincite_literature.export.bibtex:to_bibtex",
    "ris": "pincite_literature.export.ris:to_ris",
    "csl-json": "pincite_literature.export.csl:to_csl",
}
"""The function of each format, loaded when first used."""


def export(works: Sequence[Work], format: CitationFormat) -> str:  # noqa: A002
    """The works in their order, in text that ends with a line end; no works give no text, but ``[]`` in CSL-JSON."""
    writer = _WRITERS.get(format)
    if writer is None:
        raise BadInputError(
            "This citation format is not known.", seen=repr(format), next=f"Use {', '.join(get_args(CitationFormat))}."
        )
    return load(writer)(works)
