"""Read wire records back and pair each request with its response."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson


@dataclass(slots=True)
class Exchange:
    """One request as it passed a door; ``response`` is None when none came before the end."""

    request: dict[str, Any]
    response: dict[str, Any] | None = None
    progress: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])

    @property
    def method(self) -> str:
        """The MCP method."""
        return str(self.request["method"])

    @property
    def params(self) -> dict[str, Any]:
        """The request's params."""
        return self.request.get("params") or {}

    @property
    def result(self) -> dict[str, Any]:
        """The result, empty where there is an error or nothing."""
        return (self.response or {}).get("result") or {}

    @property
    def refused(self) -> str:
        """Why the tool door turned it away (``limit``, ``not_offered``, ``unknown``); empty where it did not."""
        return str((self.response or {}).get("refused") or "")

    @property
    def failed(self) -> bool:
        """Whether it ended in anything but a good result."""
        return bool(self.result.get("isError")) or "result" not in (self.response or {})


def read_exchanges(path: Path) -> list[Exchange]:
    """Exchanges in the order of their requests; a last line cut by a kill is passed over."""
    exchanges: dict[int, Exchange] = {}
    for record in read_records(path):
        kind, number = record["kind"], record.get("seq")
        if kind == "request":
            exchanges[record["seq"]] = Exchange(record)
        elif number in exchanges and kind == "response":
            exchanges[number].response = record
        elif number in exchanges and kind == "progress":
            exchanges[number].progress.append(record)
    return list(exchanges.values())


def read_records(path: Path) -> Iterator[dict[str, Any]]:
    """Records of a file line by line, none without the file; a last line cut by a kill is passed over."""
    if not path.exists():
        return
    with path.open("rb") as file:
        for line in file:
            try:
                yield orjson.loads(line)
            except orjson.JSONDecodeError:
                if line.endswith(b"\n") and line.strip():
                    raise
