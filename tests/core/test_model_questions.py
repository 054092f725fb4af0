"""Questions that our clients write are read back by the same dialect, which reads what agents send."""

import base64

import orjson

from pincite_models.dialects.model import Call, Text
from pincite_models.dialects.question import Form, ImagePart, Message, Question
from pincite_models.dialects.table import DIALECTS

PICTURE = ImagePart(b"\x89PNG picture", "image/png")
SCHEMA = {"type": "object", "properties": {"label": {"type": "string"}}}
ASKED = Question(
    "Look closely.",
    [
        Message("user", ["What is it?", PICTURE]),
        Message("assistant", "A curve."),
        Message("user", "Sure?"),
    ],
    max_tokens=77,
    effort="low",
    temperature=0.5,
    form=Form("verdict", "Give the verdict.", SCHEMA),
)


def test_every_api_is_asked_the_same_question() -> None:
    for name, dialect in DIALECTS.items():
        body = dialect.write_question("seer", ASKED)
        operation = dialect.operation("POST", dialect.call_path("seer"))
        assert operation is not None and operation.kind == "generate", name
        read = dialect.read_request(operation, body)
        assert (read.model, read.system, read.streamed) == ("seer", "Look closely.", False), name
        assert [message.role for message in read.messages] == ["user", "assistant", "user"], name
        assert Text("What is it?") in read.messages[0].parts, name
        assert [message.parts for message in read.messages[1:]] == [(Text("A curve."),), (Text("Sure?"),)], name
        assert read.effort in ("low", 2048), name
        assert base64.b64encode(PICTURE.data) in orjson.dumps(body), name
        assert read.parameters.get("temperature") == 0.5, name
        assert orjson.dumps(SCHEMA) in orjson.dumps(body), name


def test_thinking_has_tokens_beyond_those_of_the_answer() -> None:
    assert DIALECTS["anthropic.messages"].write_question("seer", ASKED)["max_tokens"] == 77 + 2048
    config = DIALECTS["google.generate"].write_question("seer", ASKED)["generationConfig"]
    assert config["maxOutputTokens"] == 77 + 2048
    assert "max_tokens" not in DIALECTS["openai.chat"].write_question("seer", ASKED)


def test_a_lone_text_stays_a_plain_string_at_chat_completions() -> None:
    plain = Question("", [Message("user", "Hello?")])
    listed = Question("", [Message("user", ["Hello?"])])
    chat = DIALECTS["openai.chat"]
    assert chat.write_question("seer", plain)["messages"][1]["content"] == "Hello?"
    assert chat.write_question("seer", listed)["messages"][1]["content"] == [{"type": "text", "text": "Hello?"}]


def test_a_refusal_without_a_reason_to_stop_is_a_refusal() -> None:
    body = {"choices": [{"message": {"content": None, "refusal": "No."}}]}
    answer = DIALECTS["openai.chat"].read_response(body)
    assert answer.stop == "refusal"
    assert not any(isinstance(part, Call) for part in answer.parts)
