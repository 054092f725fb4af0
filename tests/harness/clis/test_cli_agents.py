"""What the CLI agents are told, and what is read from what they say: events as the real CLIs wrote them."""

import json
from pathlib import Path
from typing import Any

import pytest

from pincite_core.errors import BadInputError
from pincite_harness.agents.agent import Briefing, Ending
from pincite_harness.agents.registry import get_agent
from pincite_models.choice import ModelChoice

CLIS = ("claude-code", "codex", "gemini-cli", "qwen-code")
every_cli = pytest.mark.parametrize("name", CLIS)
MODEL = ModelChoice(provider="compatible", name="the-model", base_url="http://127.0.0.1:1")
TOKEN = "trial-token-of-this-test"


def briefing(**changes: Any) -> Briefing:
    known = {
        "prompt": "-p is how this prompt begins",
        "workdir": "/work",
        "tools": {"documents": "http://127.0.0.1:7/mcp/documents"},
        "token": TOKEN,
        "seconds": 60,
        "model": MODEL,
        "model_url": "http://127.0.0.1:8",
    }
    return Briefing(**{**known, **changes})


@every_cli
def test_no_secret_and_no_prompt_stand_in_the_command_line(name: str) -> None:
    launch = get_agent(name, {}, MODEL).launch(briefing(prompt="-p " + "x" * 200_000))
    assert TOKEN not in " ".join(launch.argv)
    assert sum(map(len, launch.argv)) < 2000
    assert len(launch.files[".home/prompt.md"]) == 200_003
    assert [file for file, data in launch.files.items() if b"/mcp/documents" in data]


@every_cli
def test_a_resumed_run_finds_the_same_digests(name: str) -> None:
    first, second = get_agent(name, {}, MODEL), get_agent(name, {}, MODEL)
    other = get_agent(name, {}, MODEL.model_copy(update={"name": "another"}))
    assert first.digests() == second.digests()
    assert first.digests() != other.digests()


@pytest.mark.parametrize("name", ["claude-code", "codex", "gemini-cli"])
def test_the_providers_web_tools_are_there_only_where_the_task_opens_them(name: str) -> None:
    agent = get_agent(name, {}, MODEL)
    closed, opened = (
        agent.launch(briefing(hosted_tools=tools)) for tools in ((), ("web_search", "web_fetch", "google_search"))
    )
    assert (closed.argv, closed.files) != (opened.argv, opened.files)


def test_options() -> None:
    launch = get_agent("claude-code", {"effort": "max"}, MODEL).launch(briefing())
    assert "--effort max" in " ".join(launch.argv)
    assert get_agent("codex", {}, MODEL).launch(briefing()).argv[2].startswith("CODEX_HOME")
    native = get_agent("codex", {"tools": "native"}, MODEL)
    assert native.launch(briefing()).argv[2].startswith("exec codex")
    assert not native.shows_tools
    with pytest.raises(BadInputError, match="no way to show tools"):
        get_agent("codex", {"tools": "no"}, MODEL)
    with pytest.raises(BadInputError, match="no option 'tools'"):
        get_agent("gemini-cli", {"tools": "native"}, MODEL)


def test_a_cli_needs_a_model() -> None:
    with pytest.raises(BadInputError, match="needs a model"):
        get_agent("claude-code")


OVERLOADED = "API Error: 529 Overloaded. This is a server-side issue, usually temporary."
TOO_LONG = "Prompt is too long · the request is ~250000 tokens (limit 200000)"
REFUSED = "API Error: Claude Code is unable to respond to this request, which appears to violate our Usage Policy"
LOST = {"type": "system", "subtype": "init", "mcp_servers": [{"name": "documents", "status": "failed"}]}
FINE = {"type": "system", "subtype": "init", "mcp_servers": [{"name": "documents", "status": "connected"}]}


def claude(said: str, *, is_error: bool = True, **more: Any) -> dict[str, Any]:
    return {"type": "result", "subtype": "success", "is_error": is_error, "result": said, **more}


def codex(said: str) -> dict[str, Any]:
    return {"type": "turn.failed", "error": {"message": said}}


def gemini(said: str) -> dict[str, Any]:
    return {"type": "result", "status": "error", "error": {"type": "unknown", "message": said}}


def qwen(said: str, tokens: int = 0) -> list[dict[str, Any]]:
    usage = {"input_tokens": tokens, "output_tokens": tokens}
    message = {"role": "assistant", "content": [{"type": "text", "text": said}], "usage": usage}
    return [{"type": "assistant", "message": message}, {"type": "result", "is_error": False, "result": said}]


@pytest.mark.parametrize(
    ("name", "code", "said", "cause"),
    [
        ("claude-code", 0, [FINE, claude("Done.", is_error=False)], None),
        ("claude-code", 0, [FINE, claude("I met API Error: 500.", is_error=False)], None),
        ("claude-code", 1, [FINE, claude(OVERLOADED)], "model_failed"),
        ("claude-code", 1, [FINE, claude("Failed to authenticate. API Error: 401 bad key")], "model_failed"),
        (
            "claude-code",
            1,
            [FINE, claude("The selected model may not exist")],
            "model_failed",
        ),
        ("claude-code", 1, [FINE, claude(TOO_LONG)], "limit_reached"),
        ("claude-code", 1, [FINE, claude(REFUSED, stop_reason="refusal")], "refused"),
        ("claude-code", 0, [LOST, claude("Done.", is_error=False)], "server_failed"),
        ("codex", 0, [{"type": "turn.completed"}], None),
        ("codex", 1, [codex("exceeded retry limit, last status: 429 Too Many Requests")], "model_failed"),
        ("codex", 1, [codex("We’re currently experiencing high demand")], "model_failed"),
        ("codex", 1, [codex("Incomplete response returned, reason: max_output_tokens")], "limit_reached"),
        ("codex", 1, [codex("it panicked")], "agent_failed"),
        ("gemini-cli", 0, [{"type": "result", "status": "success"}], None),
        ("gemini-cli", 144, [gemini('[API Error: {"error":{"code":400,"message":"no"}}]')], "model_failed"),
        ("gemini-cli", 1, [gemini("[API Error: terminated]")], "model_failed"),
        ("qwen-code", 0, [FINE, *qwen("Done.", 50)], None),
        ("qwen-code", 0, [FINE, *qwen("[API Error: 500 boom]")], "model_failed"),
        ("qwen-code", 0, [FINE, *qwen("[API Error: 500 boom]", 50)], None),
        ("qwen-code", 0, [LOST, *qwen("Done.", 50)], "server_failed"),
    ],
)
def test_diagnosis(name: str, code: int, said: list[dict[str, Any]], cause: str | None) -> None:
    """What the model says is no evidence: only its CLI's own events are."""
    stdout = "\n".join(["not JSON", *map(json.dumps, said)]).encode()
    failure = get_agent(name, {}, MODEL).diagnose(Ending(code, stdout))
    assert (failure.cause if failure is not None else None) == cause


@pytest.mark.parametrize("name", ["codex", "gemini-cli"])
def test_what_kept_it_from_starting_is_told(name: str) -> None:
    failure = get_agent(name, {}, MODEL).diagnose(Ending(1, b"", b"Error: the configuration is odd"))
    assert failure is not None
    assert (failure.cause, "the configuration is odd" in failure.detail) == ("agent_failed", True)
    assert get_agent(name, {}, MODEL).diagnose(Ending(137)) is None, "a killed one says nothing"


@every_cli
def test_it_fits_its_provider(name: str) -> None:
    models = {provider: ModelChoice.parse(f"{provider}:m") for provider in ("anthropic", "openai", "google")}
    fits = {"claude-code": "anthropic", "codex": "openai", "gemini-cli": "google", "qwen-code": "openai"}[name]
    assert get_agent(name, {}, models.pop(fits)).name == name
    for model in models.values():
        with pytest.raises(BadInputError, match=f"the API of {model.provider} does not"):
            get_agent(name, {}, model)


def test_another_version_on_this_machine_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "node_modules" / "@openai" / "codex" / "bin" / "codex"
    program.parent.mkdir(parents=True)
    program.touch(mode=0o755)
    (program.parents[1] / "package.json").write_text('{"version": "9.9.9"}')
    monkeypatch.setenv("PATH", str(program.parent))
    agent = get_agent("codex", {}, MODEL)
    assert "version 9.9.9 of this machine was run" in agent.remarks("bubblewrap")[0]
    assert agent.remarks("docker") == ()
