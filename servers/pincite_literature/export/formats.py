"""Works written in a citation format."""

import importlib
from collections.abc import Sequence
from typing import Literal, get_args

from pincite_core.errors import BadInputError
from pincite_literature.model import Work

CitationFormat = Literal["bibtex", "ris", "csl-json"]

_WRITERS = {"bibtex": ("bibtex", "to_bibtex"), "ris": ("ris", "to_ris"), "csl-json": ("csl", "to_csl")}
"""The module and function of each format; they are loaded when first used."""


def export(works: Sequence[Work], format: CitationFormat) -> str:  # noqa: A002
    """The works in their order, in text that ends with a line end; no works give no text, but ``[]`` in CSL-JSON."""
    writer = _WRITERS.get(format)
    if writer is None:
        raise BadInputError(
            "This citation format is not known.", seen=repr(format), next=f"Use {', '.join(get_args(CitationFormat))}."
        )
    module, function = writer
    return getattr(importlib.import_module(f"pincite_literature.export.{module}"), function)(works)
