"""Calling: which tool call a server is at work on, told to the models that it asks."""

from collections.abc import Mapping
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mcp.server.context import CallNext, HandlerResult, ServerRequestContext

META_KEY = "pincite/label"
"""In the ``_meta`` of a call: the harness's name for it, which goes with every request to a model that it causes."""
LABEL_HEADER = "x-pincite-label"
_LONGEST = 512
"""Characters of a label of a call; longer ones are not passed on. Set by judgement."""
_LABEL: ContextVar[str] = ContextVar("label", default="")


async def note_call(ctx: "ServerRequestContext[Any, Any]", call_next: "CallNext") -> "HandlerResult":
    """Middleware: keep the label of a call while it is worked on."""
    label = (ctx.meta or {}).get(META_KEY)
    if isinstance(label, str) and label.isascii() and label.isprintable() and len(label) <= _LONGEST:
        _LABEL.set(label)
    return await call_next(ctx)


def label_headers() -> Mapping[str, str]:
    """The header that names the present call to a model's address; none outside a trial."""
    label = _LABEL.get()
    return {LABEL_HEADER: label} if label else {}
