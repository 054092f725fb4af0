"""Read wire records back and pair each request with its response.

What agents, servers and providers put on the wire may have any shape: each field is read in the kind that is wanted,
or as if it were not there. A line that is damaged or odd costs that line alone.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, cast

import orjson

from pincite_models.dialects.fields import mapping


@dataclass(slots=True)
class Exchange:
    """One request as it passed a door; ``response`` is None when none came before the end."""

    request: dict[str, Any]
    response: dict[str, Any] | None = None
    progress: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])

    @property
    def method(self) -> str:
        """The MCP method."""
        return str(self.request.get("method") or "")

    @property
    def params(self) -> dict[str, Any]:
        """The request's params; empty where they are not an object."""
        return mapping(self.request.get("params"))

    @property
    def arguments(self) -> dict[str, Any]:
        """The arguments of a tool call; empty where they are not an object."""
        return mapping(self.params.get("arguments"))

    @property
    def odd_arguments(self) -> str:
        """What stood in the place of a tool call's arguments, as JSON; empty where these were an object or absent."""
        given = self.params.get("arguments")
        return "" if given is None or isinstance(given, dict) else orjson.dumps(given).decode()

    @property
    def result(self) -> dict[str, Any]:
        """The result, empty where there is an error or nothing."""
        return mapping((self.response or {}).get("result"))

    @property
    def refused(self) -> str:
        """Why the tool door turned it away (``limit``, ``not_offered``, ``unknown``); empty where it did not."""
        return str((self.response or {}).get("refused") or "")

    @property
    def failed(self) -> bool:
        """Whether it ended in anything but a good result."""
        return bool(self.result.get("isError")) or "result" not in (self.response or {})


def read_exchanges(path: Path, damaged: list[int] | None = None) -> list[Exchange]:
    """Exchanges in the order of their requests; see ``read_records`` for what is passed over."""
    exchanges: dict[int, Exchange] = {}
    for record in read_records(path, damaged):
        kind, number = record.get("kind"), record.get("seq")
        if not isinstance(number, int):
            continue
        if kind == "request" and _is_request(record):
            exchanges[number] = Exchange(record)
        elif number in exchanges and kind == "response":
            exchanges[number].response = record
        elif number in exchanges and kind == "progress":
            exchanges[number].progress.append(record)
    return list(exchanges.values())


def read_records(path: Path, damaged: list[int] | None = None) -> Iterator[dict[str, Any]]:
    """Records of a file line by line, none without the file. A last line cut by a kill is passed over, and so is any
    other that is not a JSON object; the numbers of the latter are added to ``damaged``."""
    if not path.exists():
        return
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            try:
                record = orjson.loads(line)
            except orjson.JSONDecodeError:
                record = None
            if isinstance(record, dict):
                yield cast("dict[str, Any]", record)
            elif damaged is not None and line.endswith(b"\n") and line.strip():
                damaged.append(number)


def _is_request(record: dict[str, Any]) -> bool:
    """Whether a record has what the door writes of every request: when it came, and to which server."""
    try:
        datetime.fromisoformat(record["at"])
    except (KeyError, TypeError, ValueError):
        return False
    return "server" in record
