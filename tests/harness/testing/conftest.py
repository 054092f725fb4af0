"""The four real SDKs behind one question, asked in two ways."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import pytest

from pincite_doors.testing import ScriptedModel
from pincite_models.dialects.model import DialectName, Usage

SCHEMA = {"type": "object", "properties": {"path": {"type": "string"}, "page": {"type": "integer"}}}
TOOLS = ("mcp__documents__open_paper", "mcp__documents__read_page", "Bash")
PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABpfZFQAAAAABJRU5ErkJggg=="


@dataclass
class Heard:
    """What an SDK made of an answer."""

    text: str = ""
    thoughts: str = ""
    calls: list[tuple[str, Mapping[str, Any]]] = field(default_factory=list)
    stop: str = ""
    usage: Usage | None = None


Asking = Callable[..., Heard]


@cache
def anthropic_client() -> Any:
    """Clients are shared: to make one takes longer than to ask."""
    import anthropic

    return anthropic.Anthropic(api_key="k")


@cache
def openai_client() -> Any:
    import openai

    return openai.OpenAI(api_key="k")


@cache
def google_client() -> Any:
    from google import genai

    return genai.Client(api_key="k")


def anthropic_asking(url: str, *, streamed: bool, retries: int = 0, timeout: float = 20, tools: Any = TOOLS) -> Heard:
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PIXEL}}
    options: Any = {
        "model": "m",
        "max_tokens": 500,
        "system": "Be brief.",
        "messages": [{"role": "user", "content": [{"type": "text", "text": "Look."}, image]}],
        "tools": [{"name": name, "input_schema": SCHEMA} for name in tools],
    }
    client = anthropic_client().with_options(base_url=url, max_retries=retries, timeout=timeout)
    if streamed:
        with client.messages.stream(**options) as stream:
            answer: Any = stream.get_final_message()
    else:
        answer = client.messages.create(**options)
    heard = Heard(stop=answer.stop_reason)
    for block in answer.content:
        heard.text += block.text if block.type == "text" else ""
        heard.thoughts += block.thinking if block.type == "thinking" else ""
        heard.calls += [(block.name, block.input)] if block.type == "tool_use" else []
    told = answer.usage
    cached, written = told.cache_read_input_tokens, told.cache_creation_input_tokens
    reasoning = told.output_tokens_details.thinking_tokens if told.output_tokens_details else 0
    heard.usage = Usage(told.input_tokens + cached + written, told.output_tokens, cached, written, reasoning)
    return heard


def responses_asking(url: str, *, streamed: bool, retries: int = 0, timeout: float = 20, tools: Any = TOOLS) -> Heard:
    image = {"type": "input_image", "image_url": f"data:image/png;base64,{PIXEL}"}
    options: Any = {
        "model": "m",
        "instructions": "Be brief.",
        "input": [{"role": "user", "content": [{"type": "input_text", "text": "Look."}, image]}],
        "tools": [{"type": "function", "name": name, "parameters": SCHEMA} for name in tools],
    }
    client = openai_client().with_options(base_url=f"{url}/v1", max_retries=retries, timeout=timeout)
    if streamed:
        with client.responses.stream(**options) as stream:
            ends = ("response.completed", "response.incomplete", "response.failed")
            last = [event for event in stream if event.type in ends][-1]
            answer: Any = last.response
    else:
        answer = client.responses.create(**options)
    heard = Heard(stop=answer.status)
    for item in answer.output:
        if item.type == "message":
            heard.text += "".join(part.refusal if part.type == "refusal" else part.text for part in item.content)
        heard.thoughts += "".join(part.text for part in item.summary) if item.type == "reasoning" else ""
        heard.calls += [(item.name, json.loads(item.arguments))] if item.type == "function_call" else []
    told = answer.usage
    into, out = told.input_tokens_details, told.output_tokens_details
    heard.usage = Usage(
        told.input_tokens, told.output_tokens, into.cached_tokens, into.cache_write_tokens, out.reasoning_tokens
    )
    return heard


def chat_asking(url: str, *, streamed: bool, retries: int = 0, timeout: float = 20, tools: Any = TOOLS) -> Heard:
    import openai

    image = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PIXEL}"}}
    options: Any = {
        "model": "m",
        "messages": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": [{"type": "text", "text": "Look."}, image]},
        ],
        "tools": [{"type": "function", "function": {"name": name, "parameters": SCHEMA}} for name in tools],
    }
    thoughts = ""
    client = openai_client().with_options(base_url=f"{url}/v1", max_retries=retries, timeout=timeout)
    if streamed:
        with client.chat.completions.stream(**options, stream_options={"include_usage": True}) as stream:
            for event in stream:
                for choice in event.chunk.choices if event.type == "chunk" else []:
                    thoughts += getattr(choice.delta, "reasoning_content", "") or ""
            try:
                answer: Any = stream.get_final_completion()
            except openai.LengthFinishReasonError as error:
                answer = error.completion
    else:
        answer = client.chat.completions.create(**options)
        thoughts = getattr(answer.choices[0].message, "reasoning_content", "")
    choice = answer.choices[0]
    heard = Heard(choice.message.content or choice.message.refusal or "", thoughts, stop=choice.finish_reason)
    heard.calls = [(c.function.name, json.loads(c.function.arguments)) for c in choice.message.tool_calls or []]
    told = answer.usage
    into, out = told.prompt_tokens_details, told.completion_tokens_details
    heard.usage = Usage(
        told.prompt_tokens,
        told.completion_tokens,
        into.cached_tokens,
        into.cache_write_tokens or 0,
        out.reasoning_tokens,
    )
    return heard


def google_asking(url: str, *, streamed: bool, retries: int = 0, timeout: float = 20, tools: Any = TOOLS) -> Heard:
    image = {"inline_data": {"mime_type": "image/png", "data": PIXEL}}
    declarations = [{"name": name, "parameters_json_schema": SCHEMA} for name in tools]
    options: Any = {
        "model": "m",
        "contents": [{"role": "user", "parts": [{"text": "Look."}, image]}],
        "config": {
            "system_instruction": "Be brief.",
            "tools": [{"function_declarations": declarations}] if declarations else None,
            "automatic_function_calling": {"disable": True},
        },
    }
    retrying = {"attempts": retries + 1, "initial_delay": 0.001, "jitter": 0.001}
    options["config"]["http_options"] = {"base_url": url, "timeout": int(timeout * 1000), "retry_options": retrying}
    heard = Heard()
    models = google_client().models
    if streamed:
        answers: list[Any] = list(models.generate_content_stream(**options))
    else:
        answers = [models.generate_content(**options)]
    for answer in answers:
        for part in answer.candidates[0].content.parts:
            heard.text += part.text or "" if not part.thought else ""
            heard.thoughts += part.text or "" if part.thought else ""
            heard.calls += [(part.function_call.name, part.function_call.args)] if part.function_call else []
    heard.stop = answers[-1].candidates[0].finish_reason.value
    told = answers[-1].usage_metadata
    reasoning = told.thoughts_token_count or 0
    output = (told.candidates_token_count or 0) + reasoning
    heard.usage = Usage(told.prompt_token_count, output, told.cached_content_token_count or 0, 0, reasoning)
    return heard


ASKINGS: dict[DialectName, Asking] = {
    "anthropic.messages": anthropic_asking,
    "openai.responses": responses_asking,
    "openai.chat": chat_asking,
    "google.generate": google_asking,
}


@pytest.fixture(params=list(ASKINGS))
def dialect(request: pytest.FixtureRequest) -> DialectName:
    return request.param


@pytest.fixture(params=["streamed", "whole"])
def streamed(request: pytest.FixtureRequest) -> bool:
    return request.param == "streamed"


@pytest.fixture
def asking(dialect: DialectName, streamed: bool) -> Asking:
    """Asks a scripted model one question through the real SDK of a dialect."""

    def asked(model: ScriptedModel, **options: Any) -> Heard:
        return ASKINGS[dialect](model.url, streamed=streamed, **options)

    return asked


@pytest.fixture(scope="session", autouse=True)
def _shared_clients() -> Iterator[None]:
    """Their imports take seconds: here, not in the first test's time."""
    for name in ("anthropic", "openai", "google.genai"):
        pytest.importorskip(name)
    clients = [anthropic_client(), openai_client(), google_client()]
    yield
    for client in clients:
        client.close()
