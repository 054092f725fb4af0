"""Read the model door's record back: each call of a model with how it ended, in the one shape of the dialects."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, cast

from pincite_harness.dialects.dialect import Dialect, OperationKind
from pincite_harness.dialects.model import DialectName, ModelRequest, ModelResponse, Usage
from pincite_harness.dialects.table import DIALECTS
from pincite_harness.trajectory.wire import read_records

_OK = 200


@dataclass(frozen=True, slots=True)
class ModelExchange:
    """One call of a model's API as it passed the door; ``response`` is None where no answer of a model came, with the
    reason in ``cause`` and ``detail``."""

    seq: int
    at: str
    kind: OperationKind
    dialect: DialectName
    request: ModelRequest
    response: ModelResponse | None
    outcome: dict[str, Any]
    """The record of the response as it stands on the wire, empty when the trial ended first."""

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


def read_model_exchanges(path: Path) -> list[ModelExchange]:
    """Every request of the record in the order of sending; none where there is no record."""
    requests: dict[int, dict[str, Any]] = {}
    outcomes: dict[int, dict[str, Any]] = {}
    for record in read_records(path):
        if record["kind"] == "request":
            requests[record["seq"]] = record
        elif record["kind"] == "response":
            outcomes[record["seq"]] = record
    return [_exchange(requests[seq], outcomes.get(seq, {})) for seq in sorted(requests)]


def _exchange(record: dict[str, Any], outcome: dict[str, Any]) -> ModelExchange:
    dialect = DIALECTS[record["dialect"]]
    request = _request(dialect, record)
    return ModelExchange(
        seq=record["seq"],
        at=record["at"],
        kind=record["operation"],
        dialect=record["dialect"],
        request=request,
        response=_response(dialect, outcome) if record["operation"] == "generate" else None,
        outcome=outcome,
    )


def _request(dialect: Dialect, record: dict[str, Any]) -> ModelRequest:
    body, path = record.get("body"), str(record["path"]).partition("?")[0]
    operation = dialect.operation(record["method"], path)
    if operation is None or not isinstance(body, dict):
        return ModelRequest(str(record.get("model") or ""), "", ())
    return dialect.read_request(operation, cast("dict[str, Any]", body))


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
