"""Works written in a citation format."""

from collections.abc import Callable, Sequence
from typing import Literal, get_args

from pincite_core.errors import BadInputError
from pincite_literature.export.bibtex import to_bibtex
from pincite_literature.export.csl import to_csl
from pincite_literature.export.ris import to_ris
from pincite_literature.model import Work

CitationFormat = Literal["bibtex", "ris", "csl-json"]

_WRITERS: dict[str, Callable[[Sequence[Work]], str]] = {"bibtex": to_bibtex, "ris": to_ris, "csl-json": to_csl}


def export(works: Sequence[Work], format: CitationFormat) -> str:  # noqa: A002
    """The works in their order, in text that ends with a line end; no works give no text, but ``[]`` in CSL-JSON."""
    writer = _WRITERS.get(format)
    if writer is None:
        raise BadInputError(
            "This citation format is not known.", seen=repr(format), next=f"Use {', '.join(get_args(CitationFormat))}."
        )
    return writer(works)
