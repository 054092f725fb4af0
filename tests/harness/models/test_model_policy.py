"""Which fields and parts of a request pass the model door, by their presence."""

import json
from pathlib import Path
from typing import Any

import pytest

from pincite_core.errors import BadInputError
from pincite_doors.models.policy import refused_request
from pincite_doors.testing import ScriptedModel, say
from pincite_models.choice import ModelChoice
from pincite_models.dialects.dialect import Operation
from pincite_models.dialects.model import DialectName
from pincite_models.dialects.table import DIALECTS
from pincite_tasks.family import ModelPolicy, load_family

REQUESTS = Path(__file__).parents[1] / "dialects" / "requests"
CHOICE = ModelChoice(provider="compatible", name="m", base_url="http://127.0.0.1:9")
ANTHROPIC, RESPONSES, CHAT, GOOGLE = "anthropic.messages", "openai.responses", "openai.chat", "google.generate"
WEB = "https://example.org/a.png"
DATA = "data:image/png;base64,iVBORw0KGgo="


def refusal(name: DialectName, policy: ModelPolicy | None = None, kind: Any = "generate", **body: Any) -> str | None:
    model = {} if name == GOOGLE else {"model": "m"}
    operation = Operation(name, kind, model="m" if name == GOOGLE else "")
    return refused_request(policy or ModelPolicy(), CHOICE, DIALECTS[name], operation, {**model, **body})


def user(*parts: Any) -> dict[str, Any]:
    return {"messages": [{"role": "user", "content": list(parts)}]}


def items(*items: Any) -> dict[str, Any]:
    return {"input": list(items)}


def said(*parts: Any) -> dict[str, Any]:
    return items({"role": "user", "content": list(parts)})


def contents(*parts: Any) -> dict[str, Any]:
    return {"contents": [{"role": "user", "parts": list(parts)}]}


def picture(**source: Any) -> dict[str, Any]:
    return {"type": "image", "source": source}


def added(**tool: Any) -> dict[str, Any]:
    return {"type": "tool_addition", "tool": tool}


REFUSED: list[tuple[DialectName, dict[str, Any], str]] = [
    (CHAT, {"web_search_options": {}}, "web_search_options"),
    (CHAT, {"plugins": []}, "plugins"),
    (CHAT, {"search_parameters": {}}, "search_parameters"),
    (CHAT, {"enable_search": 0}, "enable_search"),
    (CHAT, {"models": []}, "models"),
    (CHAT, {"extra_body": {}}, "extra_body"),
    (CHAT, {"api_base": "http://169.254.169.254"}, "api_base"),
    (CHAT, {"Tools": []}, "Tools"),
    (CHAT, {"tools": [{"google_search": {}}]}, "google_search"),
    (CHAT, user({"image_url": {"url": DATA}}), "no type"),
    (CHAT, user([{"type": "text", "text": "nested"}]), "no type"),
    (CHAT, user({"type": "text", "text": "x", "image_url": WEB}), WEB),
    (CHAT, user({"type": "image_url", "image_url": WEB}), WEB),
    (CHAT, user({"type": "image_url", "image_url": {"url": "HTTPS://example.org/"}}), "HTTPS://example.org/"),
    (CHAT, user({"type": "image_url", "image_url": {"URL": WEB}}), WEB),
    (CHAT, user({"type": "image_url", "image_url": {"url": "file:///etc/passwd"}}), "file:///etc/passwd"),
    (CHAT, user({"type": "image_url", "imageUrl": {"url": WEB}}), WEB),
    (CHAT, user({"type": "video_url", "video_url": {"url": WEB}}), WEB),
    (CHAT, user({"type": "input_audio", "input_audio": {"data": WEB, "format": "wav"}}), WEB),
    (CHAT, user({"type": "file", "file": {"file_id": "file-1"}}), "file_id"),
    (CHAT, user({"type": "file", "file": {"file_data": WEB}}), WEB),
    (CHAT, user({"type": "image_embeds", "image_embeds": "AA=="}), "image_embeds"),
    (CHAT, {"messages": [{"role": "tool", "tool_call_id": "c", "content": [{"type": "image_url", "image_url": WEB}]}]},
     WEB),
    (CHAT, {"messages": [{"role": "assistant", "audio": {"id": "audio_1"}}]}, "audio.id"),
    (CHAT, {"messages": [{"role": "user", "content": "x", "images": [WEB]}]}, "images"),
    (CHAT, {"prediction": {"type": "content", "content": [{"type": "image_url", "image_url": WEB}]}}, WEB),
    (RESPONSES, {"previous_response_id": ""}, "previous_response_id"),
    (RESPONSES, {"conversation": {}}, "conversation"),
    (RESPONSES, {"prompt": {"id": "pmpt_1"}}, "prompt"),
    (RESPONSES, {"background": True}, "background"),
    (RESPONSES, {"tools": [{"server_url": WEB}]}, "tool"),
    (RESPONSES, items({"type": "item_reference", "id": "msg_1"}), "item_reference"),
    (RESPONSES, items({"id": "msg_1"}), "item_reference"),
    (RESPONSES, items({"content": "x"}), "no type"),
    (RESPONSES, items({"type": "image_generation_call", "id": "ig_1"}), "image_generation_call"),
    (RESPONSES, said({"type": "input_image", "image_url": WEB}), WEB),
    (RESPONSES, said({"type": "input_image", "file_id": "file-1"}), "file_id"),
    (RESPONSES, said({"type": "input_file", "file_url": WEB}), WEB),
    (RESPONSES, said({"type": "input_file", "file_id": "file-1"}), "file_id"),
    (RESPONSES, said({"text": "x"}), "no type"),
    (RESPONSES, items({"type": "function_call_output", "call_id": "c",
                       "output": [{"type": "input_image", "image_url": WEB}]}), WEB),
    (RESPONSES, items({"type": "computer_call_output", "call_id": "c",
                       "output": {"type": "computer_screenshot", "file_id": "file-1"}}), "file_id"),
    (ANTHROPIC, {"container": ""}, "container"),
    (ANTHROPIC, {"thread": {"type": "create"}}, "thread"),
    (ANTHROPIC, {"mcp_servers": []}, "mcp_servers"),
    (ANTHROPIC, {"fallbacks": []}, "fallbacks"),
    (ANTHROPIC, {"tools": [{"type": "a_tool_of_tomorrow", "name": "x"}]}, "a_tool_of_tomorrow"),
    (ANTHROPIC, {**user(added(type="tool_definition", definition={"type": "web_search_20260209"})), "tools": []},
     "web_search_20260209"),
    (ANTHROPIC, {**user(added(type="mcp_toolset_reference", server_name="s")), "tools": []}, "mcp_toolset_reference"),
    (ANTHROPIC, user(picture(type="url", url=WEB)), WEB),
    (ANTHROPIC, user(picture(type="file", file_id="file_1")), "file_id"),
    (ANTHROPIC, user(picture(url=WEB)), "source"),
    (ANTHROPIC, user({"type": "container_upload", "file_id": "file_1"}), "container_upload"),
    (ANTHROPIC, user({"text": "x"}), "no type"),
    (ANTHROPIC, user({"type": "tool_result", "tool_use_id": "t", "content": [picture(type="url", url=WEB)]}), WEB),
    (ANTHROPIC, user({"type": "document", "source": {"type": "content", "content": [picture(type="url", url=WEB)]}}),
     WEB),
    (ANTHROPIC, user({"type": "code_execution_tool_result", "tool_use_id": "t", "content": {}}), "code_execution"),
    (ANTHROPIC, {"messages": [], "system": [picture(type="url", url=WEB)]}, WEB),
    (GOOGLE, {"cachedContent": "cachedContents/1"}, "cachedContent"),
    (GOOGLE, {"cached_content": ""}, "cachedContent"),
    (GOOGLE, {"generationConfig": {"routingConfig": {}}}, "generationConfig.routingConfig"),
    (GOOGLE, {"generationConfig": {}, "generation_config": {"routing_config": {}}}, "twice"),
    (GOOGLE, {"generateContentRequest": {}}, "generateContentRequest"),
    (GOOGLE, {"tools": [{"google_search": {}}]}, "googleSearch"),
    (GOOGLE, {"model": "models/dear"}, "dear"),
    (GOOGLE, contents({"file_data": {"file_uri": "https://www.youtube.com/watch?v=x"}}), "youtube"),
    (GOOGLE, contents({"fileData": {"fileUri": "files/abc"}}), "files/abc"),
    (GOOGLE, contents({"functionResponse": {"name": "f", "response": {}, "parts": [{"fileData": {"fileUri": WEB}}]}}),
     WEB),
    (GOOGLE, contents({"executableCode": {"code": "1"}}), "executableCode"),
    (GOOGLE, {"systemInstruction": {"parts": [{"fileData": {"fileUri": WEB}}]}}, WEB),
]  # fmt: skip

PASSES: list[tuple[DialectName, dict[str, Any]]] = [
    (CHAT, {"web_search_options": None, "enable_search": False, "plugins": None, "store": False, "seed": 1}),
    (CHAT, {"top_k": 4, "min_p": 0.1, "repetition_penalty": 1.1, "chat_template_kwargs": {"enable_thinking": True}}),
    (CHAT, user("bare", {"type": "image_url", "image_url": {"url": DATA, "detail": "high"}})),
    (CHAT, user({"type": "file", "file": {"filename": "a.pdf", "file_data": "data:application/pdf;base64,AA=="}})),
    (CHAT, user({"type": "input_audio", "input_audio": {"data": "UklGRg==", "format": "wav"}})),
    (CHAT, {"messages": [{"role": "assistant", "content": None, "tool_calls": [
        {"id": "c", "type": "function", "function": {"name": "f", "arguments": json.dumps({"image_url": WEB})}}]}]}),
    (RESPONSES, {"store": False, "background": False, "previous_response_id": None, "prompt_cache_key": "k",
                 "include": ["reasoning.encrypted_content"], "client_metadata": {"a": "b"}, "input": "x"}),
    (RESPONSES, items({"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "x"},
                      {"role": "user", "content": "x"}, {"type": "local_shell_call_output", "output": "x"},
                      {"type": "shell_call_output", "output": [{"stdout": "x", "outcome": {"type": "exit"}}]})),
    (RESPONSES, said({"type": "input_image", "image_url": DATA}, {"type": "output_text", "text": "x", "annotations": [
        {"type": "url_citation", "url": WEB}]})),
    (CHAT, {"prediction": {"type": "content", "content": [{"type": "text", "text": "x"}]}}),
    (ANTHROPIC, user(added(type="tool_reference", name="f"), added(
        type="tool_definition", definition={"name": "f", "input_schema": {"type": "object"}}))),
    (ANTHROPIC, {"container": None, "context_management": {"edits": []}, "metadata": {"user_id": "u"}}),
    (ANTHROPIC, user({"type": "tool_use", "id": "t", "name": "f", "input": {"image_url": WEB, "file_id": "x"}},
                     {"type": "tool_result", "tool_use_id": "t", "content": "x"},
                     picture(type="base64", media_type="image/png", data="iVBORw0KGgo="))),
    (GOOGLE, contents({"text": "x"}, {"inline_data": {"mime_type": "image/png", "data": "AA=="}},
                      {"functionCall": {"name": "f", "args": {"fileUri": WEB}}},
                      {"functionResponse": {"name": "f", "response": {"fileData": {"fileUri": WEB}}}})),
    (GOOGLE, {"generation_config": {"thinking_config": {}, "temperature": 0}, "safety_settings": []}),
]  # fmt: skip


def test_what_reaches_past_the_trial_is_refused_by_name() -> None:
    failing: list[Any] = []
    for name, body, word in REFUSED:
        for kind in ("generate", "count_tokens"):
            if kind == "count_tokens" and ("tools" in body or "generateContentRequest" in body):
                continue
            reason = refusal(name, None, kind, **body)
            if reason is None or word not in reason or ("Next:" not in reason and "is not open in" not in reason):
                failing.append((name, kind, body, reason))
    assert failing == []


def test_plain_requests_pass() -> None:
    reasons = [(name, body, reason) for name, body in PASSES if (reason := refusal(name, **body)) is not None]
    assert reasons == []


def test_requests_of_the_four_real_clis_pass() -> None:
    reasons: list[Any] = []
    for name in (ANTHROPIC, RESPONSES, CHAT, GOOGLE):
        recorded = json.loads((REQUESTS / f"{name}.json").read_text())
        operation = DIALECTS[name].operation("POST", recorded["path"])
        assert operation is not None
        body = recorded["body"]
        choice = CHOICE.model_copy(update={"name": DIALECTS[name].model_of(operation, body)})
        policy = ModelPolicy(hosted_tools=["web_search"] if name == RESPONSES else [])  # Codex was let search then
        reasons.append(refused_request(policy, choice, DIALECTS[name], operation, body))
    assert reasons == [None] * 4


def test_what_a_task_opens_passes_and_nothing_else() -> None:
    state = ModelPolicy(open_fields=["previous_response_id", "file_id"], extra_fields=["brand_new"])
    assert refusal(RESPONSES, state, previous_response_id="resp_1", brand_new=1) is None
    assert refusal(RESPONSES, state, **said({"type": "input_file", "file_id": "file-1"})) is None
    assert "conversation" in str(refusal(RESPONSES, state, conversation="c"))
    hosts = ModelPolicy(source_hosts=["example.org", "*.wikimedia.org"])
    opened = [(url, refusal(CHAT, hosts, **user({"type": "image_url", "image_url": {"url": url}})) is None) for url in (
        WEB, "https://upload.wikimedia.org/x.png", "https://EXAMPLE.org./x",
        "https://example.org.evil.net/x", "https://example.org@evil.net/x", "https://wikimedia.org/x",
        "https://evil.net/?example.org", "https://example.org:8443/x", "https://evil.net\\@example.org/", "ftp://example.org/x",
        "https://example.org/ x",
    )]  # fmt: skip
    assert [passed for _, passed in opened] == [True] * 3 + [False] * 8, opened
    search = ModelPolicy(hosted_tools=["web_search", "googleSearch"])
    assert refusal(CHAT, search, web_search_options={}) is None
    assert refusal(RESPONSES, search, tools=[{"type": "web_search"}], **items({"type": "web_search_call"})) is None
    assert refusal(GOOGLE, search, tools=[{"googleSearch": {}}]) is None
    anywhere = ModelPolicy(hosted_tools=["url_source"])
    assert refusal(ANTHROPIC, anywhere, **user(picture(type="url", url=WEB))) is None
    assert refusal(ANTHROPIC, anywhere, **user(picture(type="file", file_id="f"))) is not None


def test_counting_the_tokens_of_a_whole_request_checks_all_of_it() -> None:
    whole = {"generateContentRequest": {"model": "models/m", **contents({"text": "x"})}}
    assert refusal(GOOGLE, None, "count_tokens", **whole) is None
    for inner in ({"model": "models/dear"}, {"cachedContent": "c"}, contents({"fileData": {"fileUri": WEB}})):
        assert refusal(GOOGLE, None, "count_tokens", generateContentRequest=inner) is not None
    both = {**whole, **contents({"fileData": {"fileUri": WEB}})}
    assert WEB in str(refusal(GOOGLE, None, "count_tokens", **both))


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ('open_fields = ["web_serch_options"]', "web_serch_options"),
        ('extra_fields = ["previous_response_id"]', "open_fields"),
        ('source_hosts = ["http://x.org"]', "source_hosts"),
        ('source_hosts = ["127.0.0.1"]', "source_hosts"),
    ],
)
def test_a_misspelled_opening_is_an_error(make_family: Any, line: str, word: str) -> None:
    folder = make_family()
    with (folder / "family.toml").open("a") as file:
        file.write(f"\n[model]\n{line}\n")
    with pytest.raises(BadInputError, match=word):
        load_family(folder)


@pytest.mark.anyio
async def test_a_refused_field_is_told_in_the_apis_words_recorded_and_counted(open_model: Any) -> None:
    with ScriptedModel([say("one")]) as model:
        async with open_model(model.url) as rig:
            answer = await rig.ask(container="")
            _, end = await rig.wire()
    error = answer.json()["error"]
    assert (answer.status_code, error["type"]) == (400, "invalid_request_error")
    assert "'container'" in error["message"]
    assert "send the request without it" in error["message"]
    assert (model.requests, end["cause"], end["detail"][:11]) == ([], "policy", "The field '")
    assert rig.door.traffic.refused == 1


@pytest.mark.anyio
async def test_only_known_headers_and_parameters_pass(open_model: Any, raw_provider: Any) -> None:
    head = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}"

    async def say_it(_: Any, writer: Any) -> None:
        writer.write(head)
        await writer.drain()

    closed = {
        "X-Original-URL": "/v1/files", "X-Rewrite-URL": "/v1/files", "X-HTTP-Method": "DELETE", "X-Forwarded-Host": "e",
        "Forwarded": "host=e", "X-Real-IP": "10.0.0.1", "Anthropic-Workspace-Id": "w", "X-Goog-User-Project": "p",
        "OpenAI-Organization": "o", "X-Goog-Request-Params": "x", "Helicone-Target-Url": "http://e", "Cookie": "a=b",
    }  # fmt: skip
    passing = {
        "anthropic-version": "2023-06-01", "x-stainless-lang": "js", "x-app": "cli", "accept": "application/json",
        "anthropic-beta": "claude-code-20250219, files-api-2025-04-14,interleaved-thinking-2025-05-14,mcp-client-1",
    }  # fmt: skip
    query = {"beta": "true", "$httpMethod": "DELETE", "$httpHeaders": "a:b", "access_token": "x", "uploadType": "media"}
    async with raw_provider(say_it) as provider, open_model(provider.url) as rig:
        body: dict[str, Any] = {"model": "claude-next", "messages": []}
        await rig.agent.post("/v1/messages", json=body, headers=closed | passing, params=query)
    [asked] = provider.asked
    names = {name for name, _ in asked.headers}
    assert names & {name.lower() for name in closed} == set()
    assert set(passing) <= names
    assert asked.header("anthropic-beta") == ["claude-code-20250219,interleaved-thinking-2025-05-14"]
    assert asked.line == "POST /v1/messages?beta=true HTTP/1.1"
