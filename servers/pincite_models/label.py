"""Label: the role by which an agent of several roles names a model request, in the header ``x-pincite-label``.

A label is the agent's own claim: it names a request in records and never grants anything.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal, Self, cast

import orjson

from pincite_core.calling import LABEL_HEADER

HEADER = LABEL_HEADER.encode()
MOST_BYTES = 512
"""Length of the header that the kernel ``crew`` keeps to; what is longer is a payload, not a name."""
SERVER = "server:"
"""Begins the role of a request by which a server asks its own model: ``server:figures.inspect_figure``, with the number
of the tool call as id. Only the model door gives it."""
MAIN = "main"
"""The parent of a request that the program itself made."""
_FIELDS = ("role", "id", "step", "parent")


@dataclass(frozen=True, slots=True)
class Label:
    """``role`` and ``id`` name who asks, ``step`` at which point of the work, ``parent`` whose request led to it."""

    role: str
    id: str = ""
    step: str = ""
    parent: str = MAIN

    @property
    def name(self) -> str:
        """``role/id``, or the role alone where it has no id."""
        return f"{self.role}/{self.id}" if self.id else self.role

    @classmethod
    def read(cls, value: bytes) -> Self:
        """From the header's value, ASCII JSON of at most 512 bytes; ValueError says what is wrong with it."""
        if len(value) > MOST_BYTES:
            raise ValueError(f"a label has at most {MOST_BYTES} bytes, this one has {len(value)}")
        if not value.isascii():
            raise ValueError("a label is ASCII")
        try:
            fields = orjson.loads(value)
        except orjson.JSONDecodeError as error:
            raise ValueError(f"a label is JSON: {error}") from error
        label = cls.of(fields)
        if label.role.startswith(SERVER):
            raise ValueError(f"a role that begins with {SERVER} is a server's, not an agent's")
        return label

    @classmethod
    def of_server(cls, server: str, headers: Sequence[tuple[bytes, bytes]]) -> Self:
        """The label of a request that a server's model is sent: that of its tool call, where the header names one of
        this server's, else the server's own."""
        own = f"{SERVER}{server}"
        values = [value for name, value in headers if name.lower() == HEADER]
        try:
            label = cls.of(orjson.loads(values[0])) if len(values) == 1 else cls(own)
        except ValueError:
            return cls(own)
        return label if label.role.startswith(f"{own}.") else cls(own)

    @classmethod
    def of(cls, fields: Any) -> Self:
        """From its fields; ValueError where they are not those of a label."""
        if not isinstance(fields, dict):
            raise ValueError("a label is a JSON object")
        named = cast("dict[str, Any]", fields)
        if unknown := sorted(set(named) - set(_FIELDS)):
            raise ValueError(f"a label has the fields {', '.join(_FIELDS)}, not {', '.join(unknown)}")
        for name, text in named.items():
            if not isinstance(text, str) or not text.isprintable():
                raise ValueError(f"{name} of a label is a printable text")
        if not named.get("role"):
            raise ValueError("a label has a role")
        return cls(**named)

    def to_json(self) -> dict[str, str]:
        """As records hold it."""
        return asdict(self)


RecordField = Literal["label", "malformed_label"]


def label_fields(headers: Sequence[tuple[bytes, bytes]]) -> Mapping[RecordField, Any]:
    """What a request's record says of its label: ``label``, ``malformed_label`` with the reason, or nothing where it
    has none."""
    values = [value for name, value in headers if name.lower() == HEADER]
    if not values:
        return {}
    if len(values) > 1:
        return {"malformed_label": f"a request has one label, this one has {len(values)}"}
    try:
        return {"label": Label.read(values[0]).to_json()}
    except ValueError as error:
        return {"malformed_label": str(error)}
