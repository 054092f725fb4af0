"""A person at the client as a judge, by MCP elicitation: asked within the call, or by ending it with a form."""

import hashlib
from typing import Any, Literal, cast

import anyio
from mcp.server.elicitation import AcceptedElicitation, render_elicitation_schema
from mcp.server.mcpserver import Context
from mcp.shared.exceptions import MCPError
from mcp_types import ElicitRequest, ElicitRequestFormParams, ElicitResult, InputRequiredResult
from mcp_types.version import is_version_at_least
from pydantic import BaseModel, Field, ValidationError

from pincite_core.errors import BadInputError
from pincite_provenance.judging.question import Question
from pincite_provenance.model import Judgement

_MODERN = "2026-07-28"
"""From this version of the protocol on a server asks by ending the call with a form, which is then made again."""

_KEY = "person"
_SECONDS = 600.0
"""Longest wait for a person; then the claim stays unsure."""

_SHOWN = 400
"""Characters of the paper shown on each side of the quote."""


class PersonNeededError(Exception):
    """The client is to ask a person and call again: the result to return to it."""

    def __init__(self, result: InputRequiredResult) -> None:
        super().__init__("a person is to be asked")
        self.result = result


class _Form(BaseModel):
    answer: Literal["yes", "no", "unsure"] = Field(description="Does the paper say what is claimed?")
    why: str = Field(default="", max_length=300, description="What settles it, if you like")


def can_ask_person(calling: Context[Any, Any]) -> bool:
    """Whether the client offers elicitation."""
    capabilities = calling.client_capabilities
    return capabilities is not None and capabilities.elicitation is not None


async def ask_person(calling: Context[Any, Any], question: Question) -> Judgement:
    """What a person at the client says; no answer is ``unsure``. PersonNeededError where it is to call again."""
    by = client_name(calling)
    version = calling.protocol_version
    if version is not None and is_version_at_least(version, _MODERN):
        return _answered(by, _response(calling, question))
    try:
        with anyio.fail_after(_SECONDS):
            result = await calling.elicit(_message(question), _Form)
    except TimeoutError:
        return Judgement("person", by, "unsure", reason=f"nobody answered within {_SECONDS:g} s")
    except (MCPError, ValueError) as error:
        return Judgement("person", by, "unsure", reason=f"the client did not ask: {str(error)[:200]}")
    if isinstance(result, AcceptedElicitation):
        return Judgement("person", by, result.data.answer, reason=result.data.why)
    return Judgement("person", by, "unsure", reason="the person gave no answer")


def client_name(calling: Context[Any, Any]) -> str:
    """The client's name and version as it gave them."""
    params = calling.request_context.session.client_params
    client = None if params is None else params.client_info
    return "a client without a name" if client is None else f"{client.name} {client.version}".strip()


def _response(calling: Context[Any, Any], question: Question) -> ElicitResult | None:
    """The answer that came with the call; PersonNeededError where it is the first of its kind."""
    subject = hashlib.sha256(repr((question.claim, question.passage)).encode()).hexdigest()
    if calling.request_state is None:
        form = ElicitRequestFormParams(
            message=_message(question), requested_schema=cast("Any", render_elicitation_schema(_Form))
        )
        requests = {_KEY: ElicitRequest(params=form)}
        raise PersonNeededError(InputRequiredResult(input_requests=cast("Any", requests), request_state=subject))
    if calling.request_state != subject:
        raise BadInputError(
            "The client resumed a different call from the one that it started.", next="Start a new call."
        )
    response = (calling.input_responses or {}).get(_KEY)
    return response if isinstance(response, ElicitResult) else None


def _answered(by: str, response: ElicitResult | None) -> Judgement:
    if response is None or response.action != "accept":
        return Judgement("person", by, "unsure", reason="the person gave no answer")
    try:
        form = _Form.model_validate(response.content)
    except ValidationError:
        return Judgement("person", by, "unsure", reason="the answer was not of the form asked for")
    return Judgement("person", by, form.answer, reason=form.why)


def _message(question: Question) -> str:
    """The claim, the passage with the quote, and what is open."""
    at = question.passage.find(question.quote)
    before = question.passage[max(at - _SHOWN, 0) : at]
    behind = question.passage[at + len(question.quote) :][:_SHOWN]
    reasons = "; ".join(f"{check.name}: {check.reason}" for check in question.open)
    return (
        f"Does the paper say this? {question.said()}\n\nThe paper: …{before}«{question.quote}»{behind}…\n\n"
        f"What the rules leave open: {reasons}"
    )
