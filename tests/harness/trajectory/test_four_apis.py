"""One script, four APIs by their own SDKs, both doors: the same trajectory."""

import base64
import importlib.util
from collections.abc import AsyncGenerator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest

from pincite_doors.media import MediaStore
from pincite_doors.models.door import ModelDoor
from pincite_doors.models.meter import ModelMeter
from pincite_doors.models.recorder import ModelRecorder
from pincite_doors.models.route import Route
from pincite_doors.recorder import WireRecorder
from pincite_doors.redactor import Redactor
from pincite_doors.testing import ScriptedModel, Usage, call, fail, say, think, turn
from pincite_models.choice import ModelChoice
from pincite_models.dialects.model import DialectName
from pincite_models.dialects.table import DIALECTS
from pincite_sandbox.guest.relay import Relay
from pincite_tasks.family import FamilyLimits
from pincite_trajectory.atif import Step, Trajectory
from pincite_trajectory.build import Episode, build_trajectory, trajectory_json
from pincite_trajectory.content import paths_in

OVERLOADED = 529
TOKEN, KEY, NAME = "trial-token-of-four", "sk-key-of-four-0123", "scripted-model"
PROMPT = "Look at the pixel and echo what you see."
SCRIPT = [
    turn(think("First an echo."), say("I begin."), call("demo.echo", text="one"), usage=Usage(100, 20, 60, 0, 5)),
    [call("demo.echo", text="two"), call("demo.picture")],
    turn(fail(OVERLOADED), call("demo.fail"), usage=Usage(300, 7)),
    say("It is a pixel."),
]
SHAPE: list[tuple[str, bool, list[str], list[str]]] = [
    ("system", True, [], []),
    ("user", True, [], []),
    ("agent", True, ["demo.echo"], ["text"]),
    ("agent", False, ["demo.echo", "demo.picture"], ["text", "image"]),
    ("agent", False, ["demo.fail"], ["error"]),
    ("agent", True, [], []),
    ("agent", True, [], []),
]
"""Source, whether it says a word, the tools of its calls, and what each brought."""
PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABpfZFQAAAAABJRU5ErkJggg=="
ENDED = "2026-11-21T09:00:00+00:00"


def open_model(dialect: DialectName, url: str, http: httpx2.AsyncClient) -> Any:
    if dialect == "anthropic.messages":
        from pydantic_ai.models.anthropic import AnthropicModel
        from pydantic_ai.providers.anthropic import AnthropicProvider

        return AnthropicModel(NAME, provider=AnthropicProvider(api_key=TOKEN, base_url=url, http_client=http))
    if dialect == "google.generate":
        from pydantic_ai.models.google import GoogleModel
        from pydantic_ai.providers.google import GoogleProvider

        return GoogleModel(NAME, provider=GoogleProvider(api_key=TOKEN, base_url=url, http_client=http))
    from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
    from pydantic_ai.providers.openai import OpenAIProvider

    kind = OpenAIResponsesModel if dialect == "openai.responses" else OpenAIChatModel
    return kind(NAME, provider=OpenAIProvider(api_key=TOKEN, base_url=f"{url}/v1", http_client=http))


@asynccontextmanager
async def model_door(folder: Path, socket: Path, dialect: DialectName, upstream: str) -> AsyncGenerator[str]:
    """An open model door; its address on the loopback."""
    media = MediaStore(folder)
    recorder = ModelRecorder(folder / "wire" / "llm.jsonl", Redactor([TOKEN], [KEY]), media)
    door = ModelDoor(
        socket,
        TOKEN,
        Route(ModelChoice(provider="compatible", name=NAME, base_url=upstream), KEY, dialect),
        meter=ModelMeter(FamilyLimits(), lambda _, usage: usage.output_tokens / 8),
        recorder=recorder,
    )
    relay = Relay(str(socket))
    async with door:
        try:
            yield f"http://127.0.0.1:{await relay.start()}"
        finally:
            await relay.close()


def shape_of(trajectory: Trajectory) -> list[Any]:
    """As SHAPE, without the instructions that pydantic-ai puts into the midst of a conversation for some APIs."""
    steps = [step for index, step in enumerate(trajectory.steps) if index == 0 or step.source != "system"]
    return [(step.source, bool(step.message), *calls_of(step)) for step in steps]


def calls_of(step: Step) -> tuple[list[str], list[str]]:
    results = {result.source_call_id: result for result in (step.observation.results if step.observation else [])}
    calls = step.tool_calls or []
    told = [results[call.tool_call_id] for call in calls]
    kinds = [
        "image" if paths_in(one.content) else "error" if (one.extra or {}).get("is_error") else "text" for one in told
    ]
    return [f"{(call.extra or {})['server']}.{(call.extra or {})['tool']}" for call in calls], kinds


class Again(httpx2.AsyncHTTPTransport):
    """Asks once more when the provider is overloaded: not every SDK does."""

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        response = await super().handle_async_request(request)
        if response.status_code != OVERLOADED:
            return response
        await response.aclose()
        return await super().handle_async_request(request)


class Served:
    """The tools of a server, recorded as the tool door does."""

    def __init__(self, folder: Path) -> None:
        self._media = MediaStore(folder)
        self._record = WireRecorder(folder / "wire" / "mcp.jsonl", Redactor([TOKEN]))

    def call(self, name: str, arguments: dict[str, Any]) -> list[Any]:
        from pydantic_ai import BinaryContent

        given = arguments.get("text", f"{name} it is")
        content: list[dict[str, Any]] = [{"type": "text", "text": given}]
        if name == "picture":
            content.append({"type": "image", "data": PIXEL, "mimeType": "image/png"})
        params = {"name": name, "arguments": arguments}
        sequence = self._record.request("demo", "tools/call", params, size=1, protocol="2025-11-25")
        result = {"content": content, "isError": name == "fail"}
        self._record.response(sequence, {"result": self._media.lift(result)}, size=1)
        image = [BinaryContent(base64.b64decode(PIXEL), media_type="image/png")] if len(content) > 1 else []
        return [given, *image]

    def close(self) -> None:
        self._record.close()


async def run_loop(model: Any, served: Served) -> None:
    """An agent of pydantic-ai with the tools of the server."""
    from pydantic_ai import Agent, ToolReturn
    from pydantic_ai.tools import Tool

    def made(name: str) -> Any:
        async def run(**arguments: Any) -> ToolReturn:
            return ToolReturn(return_value=served.call(name, arguments))

        properties = {"text": {"type": "string"}} if name == "echo" else {}
        schema = {"type": "object", "properties": properties, "additionalProperties": False}
        return Tool.from_schema(run, f"demo_{name}", f"Does {name}.", schema, sequential=True)

    agent = Agent(model, tools=[made(name) for name in ("echo", "picture", "fail")], instructions="You work alone.")
    await agent.run(PROMPT)


async def trajectory_of(dialect: DialectName, folder: Path, socket: Path) -> Trajectory:
    served = Served(folder)
    async with AsyncExitStack() as stack:
        scripted = stack.enter_context(ScriptedModel(SCRIPT, key=KEY))
        url = await stack.enter_async_context(model_door(folder, socket, dialect, scripted.url))
        http = await stack.enter_async_context(httpx2.AsyncClient(transport=Again(), timeout=30))
        await run_loop(open_model(dialect, url, http), served)
        assert not scripted.troubles
        assert scripted.left == 0
    served.close()
    episode = Episode("trial", "loop", "1", PROMPT, ENDED, ENDED, b"{}")
    trajectory = build_trajectory(folder, episode)
    assert Trajectory.model_validate(trajectory_json(trajectory)) == trajectory
    assert all((folder / path).is_file() for path in trajectory.media_paths())
    return trajectory


@pytest.mark.parametrize("dialect", list(DIALECTS))
async def test_the_same_script_gives_the_same_steps(
    dialect: DialectName, tmp_path: Path, sockets: Path, missing: Callable[[str], None]
) -> None:
    if importlib.util.find_spec("pydantic_ai") is None:
        missing("pydantic-ai is not here: pip install 'pincite[agents]'")
    trajectory = await trajectory_of(dialect, tmp_path / "trial", sockets / "model.sock")
    assert shape_of(trajectory) == SHAPE
    assert not trajectory.subagent_trajectories
    system, prompt = trajectory.steps[:2]
    first, second, failing, *_ = [step for step in trajectory.steps if step.source == "agent"]
    assert system.message == "You work alone."
    assert prompt.message == PROMPT
    assert first.reasoning_content == "First an echo."
    assert first.message == "I begin."
    assert first.metrics is not None
    assert (first.metrics.prompt_tokens, first.metrics.completion_tokens, first.metrics.cached_tokens) == (100, 20, 60)
    assert first.metrics.cost_usd == 2.5
    assert [call.arguments for call in second.tool_calls or []] == [{"text": "two"}, {}]
    assert second.observation is not None
    assert all("images_not_told" not in (result.extra or {}) for result in second.observation.results)
    assert all("full_text" not in (result.extra or {}) for result in second.observation.results)
    assert [attempt["status"] for attempt in (failing.extra or {})["attempts"]] == [529]
    assert trajectory.agent.tool_definitions is not None
    assert len(trajectory.agent.tool_definitions) == 3
