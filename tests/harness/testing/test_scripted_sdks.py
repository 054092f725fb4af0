"""A scripted model, heard by the real SDKs of the four APIs, streamed and whole."""

import pytest

from pincite_doors.testing import ScriptedModel, Usage, call, fail, overflow, refuse, say, shell, think, turn
from pincite_models.dialects.model import DialectName

TOOLS = ("mcp__documents__open_paper", "mcp__documents__read_page", "Bash")
USAGE = Usage(1200, 80, cached_tokens=300, cache_write_tokens=40, reasoning_tokens=25)
WORDS = 'Tₙ = 92 K: "é\n" — and a second line, longer than a chunk.'


def test_text_thoughts_parallel_calls_and_counts_arrive(asking, dialect: DialectName) -> None:
    pieces = [think("First look."), say(WORDS), call("documents.open_paper", path="ä.pdf"), call("read_page", page=2)]
    with ScriptedModel([turn(*pieces, usage=USAGE)]) as model:
        heard = asking(model)
    assert (heard.text, heard.thoughts) == (WORDS, "First look.")
    assert heard.calls == [(TOOLS[0], {"path": "ä.pdf"}), (TOOLS[1], {"page": 2})]
    told = USAGE if dialect != "google.generate" else Usage(1200, 80, cached_tokens=300, reasoning_tokens=25)
    assert heard.usage == told
    assert model.usage == USAGE


def test_a_request_is_kept_in_one_shape(asking, dialect: DialectName, streamed: bool) -> None:
    with ScriptedModel([say("Yes.")]) as model:
        asking(model)
    (request,) = model.requests
    assert (request.dialect, request.kind, request.turn, request.streamed) == (dialect, "turn", 0, streamed)
    assert (request.model, request.system, request.images) == ("m", "Be brief.", 1)
    assert request.first == request.last
    assert request.first.strip() == "Look."
    assert [tool.name for tool in request.tools] == list(TOOLS)
    assert (request.status, request.left) == (200, False)


def test_without_counts_of_its_own_a_turn_counts_what_is_sent(asking) -> None:
    with ScriptedModel([say("word " * 40), say("word")]) as model:
        long, short = asking(model), asking(model)
    assert long.usage.output_tokens > short.usage.output_tokens > 0
    assert long.usage.input_tokens == short.usage.input_tokens > 10
    assert model.usage.output_tokens == long.usage.output_tokens + short.usage.output_tokens


@pytest.mark.parametrize(
    ("dialect", "refused", "short"),
    [
        ("anthropic.messages", "refusal", "max_tokens"),
        ("openai.responses", "completed", "incomplete"),
        ("openai.chat", "stop", "length"),
        ("google.generate", "SAFETY", "MAX_TOKENS"),
    ],
)
def test_refusals_and_short_answers_end_as_each_api_says(asking, refused: str, short: str) -> None:
    with ScriptedModel([refuse("No."), turn(say("Half"), stop="length")]) as model:
        first, second = asking(model, tools=()), asking(model, tools=())
    assert (first.text, first.stop) == ("No.", refused)
    assert (second.text, second.stop) == ("Half", short)


def test_errors_are_retried_by_the_sdk_and_then_the_turn_is_played(asking) -> None:
    headers = {"retry-after-ms": "1"}
    with ScriptedModel([[fail(429, headers=headers), fail(503, times=2, headers=headers), say("At last.")]]) as model:
        assert asking(model, retries=3).text == "At last."
    assert [request.status for request in model.requests] == [429, 503, 503, 200]
    assert [request.fault for request in model.requests] == ["Fail", "Fail", "Fail", ""]
    assert {request.turn for request in model.requests} == {0}


@pytest.mark.parametrize(
    ("dialect", "words"),
    [
        ("anthropic.messages", "prompt is too long: 210000 tokens > 200000 maximum"),
        ("openai.responses", "exceeds the context window"),
        ("openai.chat", "maximum context length"),
        ("google.generate", "exceeds the maximum number of tokens allowed"),
    ],
)
def test_a_full_context_is_told_in_each_apis_words(asking, dialect: str, words: str) -> None:
    with ScriptedModel([[overflow(), say("Shorter.")]]) as model:
        with pytest.raises(Exception, match=words) as trouble:
            asking(model, retries=2)
        if dialect.startswith("openai"):
            assert trouble.value.code == "context_length_exceeded"
        assert asking(model).text == "Shorter."
    assert [request.status for request in model.requests] == [400, 200]


def test_the_shell_is_called_under_the_clients_name(asking) -> None:
    with ScriptedModel([shell("ls")]) as model:
        assert asking(model).calls == [("Bash", {"command": "ls"})]


def test_a_wrong_key_is_refused(asking) -> None:
    with (
        ScriptedModel([say("Yes.")], key="the-real-one") as model,
        pytest.raises(Exception, match="API key is not valid"),
    ):
        asking(model)
    assert [request.kind for request in model.requests] == ["refused"]
    assert model.left == 1


def test_models_are_listed_and_tokens_counted_without_playing_a_turn() -> None:
    import anthropic
    import openai
    from google import genai

    with ScriptedModel([say("Yes.")], models=["m-large", "m-small"]) as model:
        with anthropic.Anthropic(base_url=model.url, api_key="k") as client:
            assert [found.id for found in client.models.list()] == ["m-large", "m-small"]
            counted = client.messages.count_tokens(model="m", messages=[{"role": "user", "content": "Hello " * 50}])
            assert counted.input_tokens > 50
        with openai.OpenAI(base_url=f"{model.url}/v1", api_key="k") as client:
            assert [found.id for found in client.models.list()] == ["m-large", "m-small"]
            assert client.models.retrieve("m-small").id == "m-small"
            assert client.responses.input_tokens.count(model="m", input="Hello " * 50).input_tokens > 50
        with genai.Client(api_key="k", http_options={"base_url": model.url}) as client:
            assert [found.name for found in client.models.list()] == ["models/m-large", "models/m-small"]
            assert (client.models.count_tokens(model="m", contents="Hello " * 50).total_tokens or 0) > 50
        assert model.left == 1
        assert {request.kind for request in model.requests} == {"models", "count_tokens"}
