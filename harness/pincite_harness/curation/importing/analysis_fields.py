"""Analysis fields: what a JSON object says about one analysis of tables and figures, whatever it calls it.

Names count in any case, with spaces or hyphens for underscores. Fields of an object under one of ``NESTED`` (or of such
JSON as a text) count as the instance's own. Of several names the first that holds something counts.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

import orjson

from pincite_core.errors import BadInputError
from pincite_core.json_fields import one_or_more

NESTED = ("inputs", "input", "parameters", "gold", "reference", "output", "answer", "metadata", "meta", "paper")
ID = ("task_id", "instance_id", "id", "uid", "index")
QUERY = ("query", "question", "instruction", "task", "prompt")
ANALYSIS = (
    "analysis", "reference_analysis", "gold_analysis", "gold_answer", "gold", "reference", "ground_truth", "answer",
    "output", "response", "target",
)  # fmt: skip
TABLES = ("tables", "table", "table_latex", "latex", "table_csv", "csv", "table_html", "html", "table_markdown",
          "table_text", "table_path")  # fmt: skip
FIGURES = ("figures", "figure", "images", "image", "pictures", "picture", "image_paths", "image_path", "figure_paths",
           "figure_path")  # fmt: skip
FILES = ("files", "file", "attachments")
PAPERS = ("papers", "paper_files", "paper_file", "paper_path")
CONTEXT = ("context", "contexts", "source_context", "paragraphs", "excerpt", "background", "source_text", "input",
           "text")  # fmt: skip
CAPTIONS = ("captions", "caption", "table_captions", "table_caption", "figure_captions", "figure_caption")
TITLE = ("title", "paper_title")
SOURCE = ("doi", "paper_doi", "arxiv_id", "paper_id", "url", "paper", "source")
PAPER_ID = ("paper_id", "doi", "paper_doi", "arxiv_id")
"""What tells that instances are of one paper: reports do not count these as independent."""
LICENCE = ("licence", "license")
DIMENSIONS = ("type", "domain", "format", "source", "width", "depth", "objective")
_GROUPED = ("dimensions", "classification", "complexity", "attributes", "categories")
_LABEL_CHARS = 40
"""Characters of a label such as "Figure 2"; longer texts are captions. Set by judgement."""
_ALONE = {
    "type": {"table", "figure", "both"},
    "format": {"latex", "xml", "html", "pdf"},
    "source": {"review", "general research"},
}
"""Names of dimensions that also mean something else: outside a group of dimensions these values alone count."""
SHAPE = 'Give objects of {"query", "analysis", "figures" or "tables", "context"?}; docs/tasks.md has more names.'


@dataclass(frozen=True, slots=True)
class Fields:
    """One instance: its fields by their plain names, and where it was read."""

    where: str
    named: Mapping[str, Any]

    def text(self, names: tuple[str, ...]) -> str:
        """The first text or number of these names, a list of texts as paragraphs; BadInputError for anything else."""
        name = next((name for name in names if name in self.named), None)
        if name is None:
            return ""
        value: object = self.named[name]
        pieces: list[object] = cast("list[object]", value) if isinstance(value, list) else [value]
        if not all(isinstance(piece, str | int | float) for piece in pieces):
            raise BadInputError(f"{self.where}: {name} is not text.", seen=str(self.named[name])[:100], next=SHAPE)
        return "\n\n".join(str(piece).strip() for piece in pieces)

    def listed(self, names: tuple[str, ...]) -> list[tuple[str, Any]]:
        """All values of all these names, each with its name; a list as its items."""
        found: list[tuple[str, Any]] = []
        for name in names:
            value: object = self.named.get(name)
            found += [(name, one) for one in one_or_more(value) if not is_empty(one)]
        return found

    def texts(self, names: tuple[str, ...]) -> list[str]:
        """All texts under these names, at any depth, paragraphs apart."""
        return [
            " ".join(paragraph.split())
            for name in names
            for text in _texts(self.named.get(name))
            for paragraph in text.split("\n\n")
            if paragraph.strip()
        ]

    def dimensions(self) -> dict[str, Any]:
        """What is given of the seven dimensions, and who decided each where that is said."""
        group: object = next((self.named[name] for name in _GROUPED if isinstance(self.named.get(name), dict)), None)
        if group is not None:
            given = {plain_name(key): value for key, value in cast("dict[str, Any]", group).items()}
            return {name: given[name] for name in (*DIMENSIONS, "decided_by") if name in given}
        stated = {name: self.named.get(name) for name in DIMENSIONS}
        labels = {name: one.strip() for name, one in stated.items() if isinstance(one, str)}
        return {
            name: one
            for name, one in labels.items()
            if (one.casefold() in _ALONE[name] if name in _ALONE else 0 < len(one) <= _LABEL_CHARS)
        }


def read_fields(where: str, item: object) -> Fields:
    """The fields of one instance; BadInputError where it is none."""
    if not isinstance(item, dict):
        raise BadInputError(f"{where} is not an object.", seen=str(item)[:100], next=SHAPE)
    fields = Fields(where, _flat(cast("dict[str, Any]", item)))
    if not any(name in fields.named for name in (*QUERY, *ANALYSIS)):
        raise BadInputError(f"{where} is not an analysis.", seen=", ".join(list(fields.named)[:20]), next=SHAPE)
    return fields


def plain_name(name: str) -> str:
    """A field's name in lower case, with underscores."""
    return name.strip().casefold().replace(" ", "_").replace("-", "_")


def is_empty(value: object) -> bool:
    """Whether a field says nothing; 0 and False do."""
    return value is None or value in ("", [], {})


def _flat(item: Mapping[str, Any]) -> dict[str, Any]:
    own = {plain_name(key): value for key, value in item.items() if not is_empty(value)}
    inner: dict[str, Any] = {}
    for name in NESTED:
        held = _opened(own.get(name))
        if held is not None:
            del own[name]
            inner = {**_flat(held), **inner}
    return {**inner, **own}


def _opened(value: object) -> dict[str, Any] | None:
    """An object, also one that is JSON in a text; None for anything else."""
    if isinstance(value, str) and value.lstrip().startswith("{"):
        try:
            value = cast("object", orjson.loads(value))
        except orjson.JSONDecodeError:
            return None
    return cast("dict[str, Any]", value) if isinstance(value, dict) else None


def _texts(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [text for one in cast("dict[str, Any]", value).values() for text in _texts(one)]
    return [text for one in cast("list[Any]", value) for text in _texts(one)] if isinstance(value, list) else []
