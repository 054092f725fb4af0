"""A trial's trajectory from the doors' records: steps, calls with their results, failed attempts, totals."""

from typing import Any
from unittest.mock import ANY

import orjson

from pincite_models.dialects.model import Usage
from pincite_trajectory.atif import ImagePart, Step, TextPart

PIXEL = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "media:media/p.png"}}
SERVED_PIXEL = {"type": "image", "mimeType": "image/png", "path": "media/p.png", "bytes": 3}


def sources(steps: list[Step]) -> list[str]:
    return [step.source for step in steps]


def results(step: Step) -> list[Any]:
    return step.observation.results if step.observation is not None else []


def keep_pixel(wire: Any) -> None:
    (wire.folder / "media").mkdir(parents=True)
    (wire.folder / "media" / "p.png").write_bytes(b"png")


def test_calls_and_results_answer_each_other(wire: Any) -> None:
    said = wire.ask([wire.user("Find Tc.")], "I look.", wire.use("c1", "mcp__demo__echo", text="hi"))
    wire.serve("echo", {"text": "hi"}, "hi")
    said = wire.ask([*said, wire.user(wire.result("c1", [{"type": "text", "text": "hi"}]))], "Done.")
    trajectory = wire.build()
    assert sources(trajectory.steps) == ["system", "user", "agent", "agent", "agent"]
    system, prompt, first, second, answer = trajectory.steps
    assert system.message == "You are an agent."
    assert prompt.message == "Find Tc."
    assert first.message == "I look."
    assert first.model_name == "claude-x"
    call = (first.tool_calls or [])[0]
    assert (call.tool_call_id, call.function_name, call.arguments) == ("c1", "mcp__demo__echo", {"text": "hi"})
    assert call.extra == {"server": "demo", "tool": "echo"}
    (observed,) = results(first)
    assert (observed.source_call_id, observed.content) == ("c1", "hi")
    assert observed.extra == {"at": ANY, "seconds": 0.125}
    assert second.message == "Done."
    assert answer.message == '{"properties": []}'
    assert answer.llm_call_count == 0
    assert trajectory.agent.tool_definitions is not None
    assert [tool["function"]["name"] for tool in trajectory.agent.tool_definitions] == list(wire.tools)


def test_parallel_calls_keep_their_own_results(wire: Any) -> None:
    uses = [wire.use(f"c{number}", "mcp__demo__echo", text=str(number)) for number in (1, 2, 3)]
    said = wire.ask([wire.user("Go.")], *uses)
    for number in (2, 1, 3):
        wire.serve("echo", {"text": str(number)}, f"said {number}")
    back = [wire.result(f"c{number}", f"said {number}") for number in (3, 1, 2)]
    wire.ask([*said, wire.user(*back)], "Done.")
    step = wire.build().steps[2]
    assert [result.content for result in results(step)] == ["said 1", "said 2", "said 3"]
    assert all(result.extra == {"at": ANY, "seconds": 0.125} for result in results(step))


def test_what_the_client_cut_or_dropped_is_taken_from_the_tool_door(wire: Any) -> None:
    keep_pixel(wire)
    said = wire.ask([wire.user("Go.")], wire.use("c1", "mcp__demo__picture"), wire.use("c2", "mcp__demo__echo"))
    wire.serve("picture", {}, [{"type": "text", "text": "a pixel"}, SERVED_PIXEL])
    wire.serve("echo", {}, "a long text that the client cuts")
    wire.ask([*said, wire.user(wire.result("c1", "a pixel"), wire.result("c2", "a long… [cut]"))], "Done.")
    picture, echo = results(wire.build().steps[2])
    assert [type(part) for part in picture.content] == [TextPart, ImagePart]
    assert picture.extra == {"at": ANY, "seconds": 0.125, "images_not_told": 1}
    assert echo.content == "a long… [cut]"
    assert echo.extra["full_text"] == "a long text that the client cuts"


def test_an_image_that_the_model_saw_stands_once(wire: Any) -> None:
    keep_pixel(wire)
    said = wire.ask([wire.user("Go.")], wire.use("c1", "mcp__demo__picture"))
    wire.serve("picture", {}, [{"type": "text", "text": "a pixel"}, SERVED_PIXEL])
    wire.ask([*said, wire.user(wire.result("c1", [{"type": "text", "text": "a pixel"}, PIXEL]))], "Done.")
    trajectory = wire.build()
    assert trajectory.media_paths() == ["media/p.png"]
    assert results(trajectory.steps[2])[0].extra == {"at": ANY, "seconds": 0.125}


def test_images_that_a_client_sends_beside_the_results_belong_to_them(wire: Any) -> None:
    keep_pixel(wire)
    said = wire.ask([wire.user("Go.")], wire.use("c1", "mcp__demo__picture"))
    wire.serve("picture", {}, [{"type": "text", "text": "a pixel"}, SERVED_PIXEL])
    wire.ask([*said, wire.user(wire.result("c1", "a pixel")), wire.user("From the tool:", PIXEL)], "Done.")
    trajectory = wire.build()
    assert sources(trajectory.steps) == ["system", "user", "agent", "agent", "agent"]
    assert trajectory.media_paths() == ["media/p.png"]
    picture, words = results(trajectory.steps[2])
    assert isinstance(picture.content[1], ImagePart)
    assert picture.extra == {"at": ANY, "seconds": 0.125}
    assert words.content == "From the tool:"


def test_structured_content_in_place_of_text_is_not_cut(wire: Any) -> None:
    said = wire.ask([wire.user("Go.")], wire.use("c1", "mcp__demo__echo"))
    wire.serve("echo", {}, "1 letter", structuredContent={"letters": 1})
    wire.ask([*said, wire.user(wire.result("c1", '{"letters":1}'))], "Done.")
    (observed,) = results(wire.build().steps[2])
    assert "full_text" not in observed.extra
    assert observed.extra["structured_content"] == {"letters": 1}


def test_a_result_that_never_reached_the_model(wire: Any) -> None:
    wire.ask([wire.user("Go.")], wire.use("c1", "mcp__demo__echo", text="a"), wire.use("c2", "Bash", command="ls"))
    wire.serve("echo", {"text": "a"}, "a")
    (observed,) = results(wire.build().steps[2])
    assert (observed.source_call_id, observed.content) == ("c1", "a")
    assert observed.extra["not_told"] is True


def test_a_call_that_no_model_made_stands_where_it_happened(wire: Any) -> None:
    wire.serve("echo", {"text": "before"}, "before")
    said = wire.ask([wire.user("Go.")], wire.use("c1", "Bash", command="ls"))
    wire.serve("echo", {"text": "by the shell"}, "by the shell")
    wire.ask([*said, wire.user(wire.result("c1", "a.pdf"))], "Done.")
    trajectory = wire.build()
    own = [step for step in trajectory.steps if step.llm_call_count == 0 and step.tool_calls]
    assert [results(step)[0].content for step in own] == ["before", "by the shell"]
    assert trajectory.final_metrics is not None
    assert (trajectory.final_metrics.extra or {})["unasked_tool_calls"] == 2
    assert [step.step_id for step in own] == [3, 5]


def test_attempts_without_an_answer_are_told_of_in_the_step_that_came_of_them(wire: Any) -> None:
    opening = [wire.user("Go.")]
    wire.fail(opening, "rate_limited", 429)
    wire.fail(opening, "overloaded", 529)
    wire.ask(opening, "Done.")
    trajectory = wire.build()
    assert sources(trajectory.steps) == ["system", "user", "agent", "agent"]
    attempts = (trajectory.steps[2].extra or {})["attempts"]
    assert [(attempt["cause"], attempt["status"]) for attempt in attempts] == [
        ("rate_limited", 429),
        ("overloaded", 529),
    ]
    assert trajectory.final_metrics is not None
    assert (trajectory.final_metrics.extra or {})["failed_model_calls"] == 2


def test_half_an_answer_keeps_its_words_and_tokens(wire: Any) -> None:
    opening = [wire.user("Go.")]
    start = {"id": "m", "model": "claude-x", "content": [], "usage": {"input_tokens": 7, "output_tokens": 1}}
    lines = [
        {"type": "message_start", "message": start},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "I was just abo"}},
    ]
    stream = "".join(f"event: {line['type']}\ndata: {orjson.dumps(line).decode()}\n\n" for line in lines)
    seq = wire.begin(opening)
    usage = {"input_tokens": 7, "output_tokens": 1}
    wire.end(seq, stream=stream, complete=False, cause="cut_stream", detail="It broke.", usage=usage, cost_usd=0.5)
    wire.ask(opening, "Done.", usage=Usage(7, 3), cost=0.25)
    trajectory = wire.build()
    assert sources(trajectory.steps) == ["system", "user", "agent", "agent", "agent"]
    half, whole = trajectory.steps[2:4]
    assert half.message == "I was just abo"
    assert half.extra is not None
    assert half.extra["error"]["cause"] == "cut_stream"
    assert half.extra["superseded_by"] == 2
    assert "error" not in (whole.extra or {})
    assert trajectory.final_metrics is not None
    assert trajectory.final_metrics.total_prompt_tokens == 14
    assert trajectory.final_metrics.total_cost_usd == 0.75


def test_a_trial_that_ended_in_the_midst_of_a_call(wire: Any) -> None:
    said = wire.ask([wire.user("Go.")], wire.use("c1", "Bash", command="ls"))
    wire.begin([*said, wire.user(wire.result("c1", "a.pdf"))])
    step = wire.build().steps[3]
    assert step.message == ""
    assert (step.extra or {})["error"]["cause"] == "cancelled"


def test_the_last_error_stays_an_error(wire: Any) -> None:
    for _ in range(2):
        wire.fail([wire.user("Go.")], "auth", 401)
    trajectory = wire.build()
    assert sources(trajectory.steps) == ["system", "user", "agent", "agent"]
    extra = trajectory.steps[2].extra or {}
    assert extra["error"]["cause"] == "auth"
    assert extra["error"]["detail"] == "It was auth."
    assert len(extra["attempts"]) == 1


def test_a_refusal_is_marked(wire: Any) -> None:
    wire.ask([wire.user("Go.")], "I will not.", stop="refusal")
    step = wire.build().steps[2]
    assert step.message == "I will not."
    assert (step.extra or {})["refusal"] == "refusal"


def test_an_unknown_price_is_no_price(wire: Any) -> None:
    said = wire.ask([wire.user("Go.")], "One.", cost=0.5)
    wire.ask([*said, wire.user("On.")], "Two.", cost=None)
    metrics = wire.build().final_metrics
    assert metrics is not None
    assert metrics.total_cost_usd is None
    assert (metrics.extra or {})["unpriced_model_calls"] == 1


def test_the_words_of_a_user_after_an_answer_are_a_step(wire: Any) -> None:
    said = wire.ask([wire.user("Go.")], "One.")
    wire.ask([*said, wire.user("On.")], "Two.")
    trajectory = wire.build()
    assert [step.message for step in trajectory.steps[1:5]] == ["Go.", "One.", "On.", "Two."]


def test_a_prompt_with_turns_of_the_assistant_is_copied_context(wire: Any) -> None:
    example = [
        wire.user("2+2?"),
        wire.assistant(wire.use("e1", "Bash", command="bc")),
        wire.user(wire.result("e1", "4")),
    ]
    wire.ask([*example, wire.assistant("Four."), wire.user("3+3?")], "Six.")
    trajectory = wire.build()
    assert [step.is_copied_context for step in trajectory.steps] == [True, True, True, True, None, None, None]
    assert results(trajectory.steps[2])[0].content == "4"
    assert trajectory.steps[5].message == "Six."


def test_bad_arguments_are_kept_as_they_came(wire: Any) -> None:
    broken = {"type": "tool_use", "id": "c1", "name": "Bash", "input": "{not json"}
    wire.ask([wire.user("Go.")], broken)
    (call,) = wire.build().steps[2].tool_calls or []
    assert call.arguments == {}
    assert call.extra == {"raw_arguments": "{not json"}


def test_a_search_by_the_provider_is_its_own_observation(wire: Any) -> None:
    searched = {"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {"query": "Tc"}}
    found = {
        "type": "web_search_tool_result",
        "tool_use_id": "s1",
        "content": [{"type": "web_search_result", "url": "u"}],
    }
    wire.ask([wire.user("Go.")], searched, found, "Found.")
    step = wire.build().steps[2]
    assert (step.tool_calls or [])[0].extra == {"hosted": True}
    assert results(step)[0].source_call_id == "s1"


def test_results_by_ids_that_only_the_client_knows(wire: Any) -> None:
    """Gemini's calls may have no ids; clients give them some, and may answer in another order."""
    seq = wire.begin([], system=None, tools=None)
    google = {"dialect": "google.generate", "path": "/v1beta/models/g:generateContent", "model": "g"}
    asked = {"role": "user", "parts": [{"text": "Go."}]}
    wire.model_lines[-1] |= google | {"body": {"contents": [asked]}}
    calls = [{"functionCall": {"name": "echo", "args": {"text": text}}} for text in ("a", "b")]
    answer = {"role": "model", "parts": calls}
    wire.end(seq, body={"candidates": [{"content": answer, "finishReason": "STOP"}], "responseId": "r"})
    wire.begin([])
    named = [{"functionCall": {**call["functionCall"], "id": f"own-{n}"}} for n, call in enumerate(calls)]
    back = [
        {"functionResponse": {"id": f"own-{n}", "name": "echo", "response": {"output": f"said {n}"}}} for n in (1, 0)
    ]
    contents = [asked, {"role": "model", "parts": named}, {"role": "user", "parts": back}]
    wire.model_lines[-1] |= google | {"body": {"contents": contents}}
    step = wire.build().steps[1]
    assert [result.content for result in results(step)] == ["said 0", "said 1"]


def test_a_call_that_its_client_turned_down_was_not_served(wire: Any) -> None:
    """The same call again is the one that the server saw."""
    said = wire.ask([wire.user("Go.")], wire.use("c1", "mcp__demo__echo", text="a"))
    wire.seconds += 10
    said = wire.ask([*said, wire.user(wire.result("c1", "Not allowed."))], wire.use("c2", "mcp__demo__echo", text="a"))
    wire.seconds += 10
    wire.serve("echo", {"text": "a"}, "a")
    wire.ask([*said, wire.user(wire.result("c2", "a"))], "Done.")
    first, second = wire.build().steps[2:4]
    assert [(step.tool_calls or [])[0].extra for step in (first, second)] == [None, {"server": "demo", "tool": "echo"}]


def test_the_call_of_an_answer_that_was_given_up_was_not_served(wire: Any) -> None:
    opening = [wire.user("Go.")]
    wire.ask(opening, wire.use("lost", "mcp__demo__echo", text="a"))
    said = wire.ask(opening, wire.use("kept", "mcp__demo__echo", text="a"))
    wire.serve("echo", {"text": "a"}, "a")
    wire.ask([*said, wire.user(wire.result("kept", "a"))], "Done.")
    given_up, kept = wire.build().steps[2:4]
    assert (given_up.tool_calls or [])[0].extra is None
    assert (kept.tool_calls or [])[0].extra == {"server": "demo", "tool": "echo"}


def test_arguments_that_a_client_fills_in_or_leaves_out(wire: Any) -> None:
    uses = [wire.use("c1", "mcp__demo__echo", text="b", x=None), wire.use("c2", "mcp__demo__echo", text="a", x=None)]
    said = wire.ask([wire.user("Go.")], *uses, wire.use("c3", "mcp_demo_picture"))
    wire.serve("echo", {"text": "a"}, "said a")
    wire.serve("echo", {"text": "b"}, "said b")
    wire.serve("picture", {"size": 10}, "a picture")
    back = [wire.result("c1", "said b"), wire.result("c2", "said a"), wire.result("c3", "a picture")]
    wire.ask([*said, wire.user(*back)], "Done.")
    step = wire.build().steps[2]
    assert all((call.extra or {})["server"] == "demo" for call in step.tool_calls or [])
    assert all("full_text" not in result.extra for result in results(step))


def test_text_that_a_client_wraps_in_json_is_not_cut(wire: Any) -> None:
    said = wire.ask([wire.user("Go.")], wire.use("c1", "mcp__demo__echo"))
    wire.serve("echo", {}, 'one "line"\nanother')
    wire.ask([*said, wire.user(wire.result("c1", '{"output":"one \\"line\\"\\nanother"}'))], "Done.")
    (observed,) = results(wire.build().steps[2])
    assert "full_text" not in observed.extra


def test_two_calls_of_one_id(wire: Any) -> None:
    said = wire.ask([wire.user("Go.")], wire.use("c", "Bash", command="a"), wire.use("c", "Bash", command="b"))
    wire.ask([*said, wire.user(wire.result("c", "of a"), wire.result("c", "of b"))], "Done.")
    step = wire.build().steps[2]
    assert len({call.tool_call_id for call in step.tool_calls or []}) == 2
    assert [result.content for result in results(step)] == ["of a", "of b"]


def test_a_good_answer_that_was_asked_for_again_in_vain(wire: Any) -> None:
    wire.ask([wire.user("Go.")], "Done.")
    wire.fail([wire.user("Go.")], "server_error")
    step = wire.build().steps[2]
    assert step.message == "Done."
    assert "error" not in (step.extra or {})
    assert [attempt["cause"] for attempt in (step.extra or {})["attempts"]] == ["server_error"]
