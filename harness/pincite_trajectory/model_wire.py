"""Read the model door's record back: each call of a model with how it ended, in the one shape of the dialects."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple, cast

from pincite_models.dialects.dialect import Dialect, OperationKind, RawRepeats
from pincite_models.dialects.fields import count, text
from pincite_models.dialects.model import DialectName, ModelRequest, ModelResponse, Usage
from pincite_models.dialects.table import RECORDED
from pincite_models.label import Label
from pincite_trajectory.items import Item, KnownItems, items_of
from pincite_trajectory.wire import read_records

_OK = 200
"""HTTP status of an answer."""
_CONTENT = ("body", "stream")
_ROLE = "role/"


@dataclass(frozen=True, slots=True)
class ModelExchange:
    """One call of a model's API as it passed the door; ``response`` is None where no answer of a model came, with the
    reason in ``cause`` and ``detail``."""

    seq: int
    at: str
    kind: OperationKind
    dialect: DialectName
    request: ModelRequest
    """Without its messages, which are in ``sent``."""
    sent: tuple[Item, ...]
    response: ModelResponse | None
    outcome: dict[str, Any]
    """The record of the response without its content, empty when the trial ended first."""
    label: Label | None = None
    """The role that the agent gave the call; None without one, or where it was malformed."""
    route: str = ""
    """The way through the door, ``role/critic`` or ``server/figures/vision``; empty for the main model's."""
    provider: str = ""
    """Whose API was asked; empty in older records."""

    @property
    def role(self) -> str:
        """Who asked: by its label, else by the route of a role; empty for neither."""
        if self.label is not None:
            return self.label.role
        return self.route.removeprefix(_ROLE) if self.route.startswith(_ROLE) else ""

    @property
    def asked_model(self) -> str:
        """The model that was asked, as ``provider:name``."""
        return f"{self.provider}:{self.request.model}" if self.provider else self.request.model

    @property
    def usage(self) -> Usage | None:
        """Tokens as the door counted them."""
        counted = self.outcome.get("usage")
        return Usage(**counted) if counted is not None else None

    @property
    def cost_usd(self) -> float | None:
        """None where the price is unknown, or where nothing was counted."""
        return self.outcome.get("cost_usd")

    @property
    def seconds(self) -> float:
        """From the request to the response's last byte."""
        return float(self.outcome.get("seconds") or 0.0)

    @property
    def ended_at(self) -> datetime:
        """When the response was over (UTC)."""
        return datetime.fromisoformat(self.at) + timedelta(seconds=self.seconds)

    @property
    def cause(self) -> str | None:
        """Why there is no whole answer; None where there is one."""
        if not self.outcome:
            return "cancelled"
        if cause := self.outcome.get("cause"):
            return str(cause)
        if self.outcome.get("status") != _OK:
            return "server_error"
        return None if self.response is not None and self.response.complete else "cut_stream"

    @property
    def detail(self) -> str:
        """What the provider or the door said went wrong."""
        said = str(self.outcome.get("detail") or "")
        return said or (self.response.error if self.response is not None else "")

    @property
    def delivered(self) -> bool:
        """Whether anything came that counts: a part of an answer, or tokens."""
        return bool(self.response is not None and self.response.parts) or self.usage is not None


class ModelRecord(NamedTuple):
    """The calls in the order of sending, and how many requests the door turned away."""

    exchanges: list[ModelExchange]
    refused: int
    unread: int = 0
    """Lines of the record that could not be read: damaged, or of a shape that no dialect's reader takes."""


def read_model_record(path: Path) -> ModelRecord:
    """What the door recorded, read once: it grows with the square of the turns; nothing where there is no record. A
    line that cannot be read is passed over and counted."""
    reading = _Reading()
    damaged: list[int] = []
    unread = 0
    for record in read_records(path, damaged):
        try:
            reading.take(record)
        except (ArithmeticError, AttributeError, KeyError, RecursionError, TypeError, ValueError):
            unread += 1
    return reading.finish(unread + len(damaged))


class _Reading:
    """Requests and how they ended, by their numbers."""

    def __init__(self) -> None:
        self._asked: dict[int, _Asked] = {}
        self._ends: dict[int, tuple[ModelResponse | None, dict[str, Any]]] = {}
        self._entries = {name: RawRepeats() for name in RECORDED}
        self._items = KnownItems()
        self._refused = 0

    def take(self, record: dict[str, Any]) -> None:
        """Read one line of the record; any error means that it cannot be read."""
        kind = record["kind"]
        if kind == "request":
            self._asked[_number(record["seq"])] = self._read(record)
        elif kind == "response" and (number := _number(record["seq"])) in self._asked:
            self._ends[number] = _end(self._asked[number], record)
        self._refused += kind == "refused"

    def _read(self, record: dict[str, Any]) -> "_Asked":
        dialect, body = RECORDED[record["dialect"]], record.get("body")
        operation = dialect.operation(record["method"], str(record["path"]).partition("?")[0])
        if operation is None or not isinstance(body, dict):
            request = ModelRequest(str(record.get("model") or ""), "", ())
        else:
            request = dialect.read_request(operation, cast("dict[str, Any]", body), self._entries[dialect.name])
        kind = str(record["operation"])
        datetime.fromisoformat(record["at"])
        sent = items_of(request.messages, self._items) if kind == "generate" else ()
        request = replace(request, messages=())
        named = [text(record.get(name)) for name in ("route", "provider")]
        return _Asked(record["at"], cast("OperationKind", kind), dialect.name, request, sent, _label(record), *named)

    def finish(self, unread: int) -> ModelRecord:
        """All calls that were read; one whose end could not be read has none."""
        exchanges = [_exchange(seq, self._asked[seq], *self._ends.get(seq, (None, {}))) for seq in sorted(self._asked)]
        return ModelRecord(exchanges, self._refused, unread)


def _number(value: Any) -> int:
    """A record's number; TypeError where it is none."""
    if not isinstance(value, int):
        raise TypeError(f"{value!r} is not the number of a record")
    return value


class _Asked(NamedTuple):
    at: str
    kind: OperationKind
    dialect: DialectName
    request: ModelRequest
    sent: tuple[Item, ...]
    label: Label | None
    route: str
    provider: str


def _exchange(seq: int, asked: _Asked, response: ModelResponse | None, outcome: dict[str, Any]) -> ModelExchange:
    return ModelExchange(
        seq=seq,
        at=asked.at,
        kind=asked.kind,
        dialect=asked.dialect,
        request=asked.request,
        sent=asked.sent,
        response=response,
        outcome=outcome,
        label=asked.label,
        route=asked.route,
        provider=asked.provider,
    )


def _label(record: dict[str, Any]) -> Label | None:
    """The label that a request had; a record of another shape is a request without one."""
    try:
        return Label.of(record.get("label"))
    except ValueError:
        return None


def _end(asked: _Asked, outcome: dict[str, Any]) -> tuple[ModelResponse | None, dict[str, Any]]:
    response = _response(RECORDED[asked.dialect], outcome) if asked.kind == "generate" else None
    if outcome.get("usage") is not None:
        outcome = outcome | {"usage": {name: count(value) for name, value in outcome["usage"].items()}}
        Usage(**outcome["usage"])
    if outcome.get("cost_usd") is not None:
        outcome = outcome | {"cost_usd": max(float(outcome["cost_usd"]), 0.0)}
    timedelta(seconds=float(outcome.get("seconds") or 0.0))
    return response, {name: value for name, value in outcome.items() if name not in _CONTENT}


def _response(dialect: Dialect, outcome: dict[str, Any]) -> ModelResponse | None:
    """None for an error in place of an answer, and where nothing came."""
    if outcome.get("status") != _OK:
        return None
    stream, body = outcome.get("stream"), outcome.get("body")
    if isinstance(stream, str) and stream:
        reader = dialect.reader()
        reader.feed(stream.encode())
        return reader.response()
    return dialect.read_response(cast("dict[str, Any]", body)) if isinstance(body, dict) else None
