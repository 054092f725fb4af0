"""zeroshot: one call with the whole paper in it; the answer in text or held to the schema."""

import json
from typing import Any

import pytest

from pincite_doors.testing import call, drop, fail, refuse, say, turn

ANSWER = {"values": ["92", None]}
DIALECTS = ["anthropic.messages", "openai.responses", "openai.chat", "google.generate"]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_one_call_has_the_task_the_schema_and_the_whole_paper(run: Any, dialect: str) -> None:
    words = f"Here it is {{as asked}}:\n```json\n{json.dumps(ANSWER)}\n```\nThat is [all]."
    ran = run("zeroshot", [say(words)], dialect=dialect)
    assert (ran.code, ran.answer) == (0, ANSWER)
    (request,) = ran.asked
    assert not request.tools
    assert "You have no tools" in request.system
    for part in ("Find the values", '"$defs"', "Oxygen content", "References", "#p2:"):
        assert part in request.last


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_structured_answer_is_held_to_the_schema(run: Any, dialect: str) -> None:
    ran = run("zeroshot", [call("answer", answer=ANSWER)], dialect=dialect, output="structured")
    assert (ran.code, ran.answer) == (0, ANSWER)
    (request,) = ran.asked
    (tool,) = request.tools
    assert "values" in json.dumps(tool.schema)
    assert '"$defs"' not in request.last


@pytest.mark.parametrize("said", [ANSWER, {"answer": ANSWER}])
def test_a_structured_answer_may_be_said_where_thinking_forbids_to_force_a_tool(run: Any, said: Any) -> None:
    options = {"output": "structured", "effort": "high"}
    ran = run("zeroshot", [say(json.dumps(said))], dialect="anthropic.messages", name="claude-opus-4-8", **options)
    assert (ran.code, ran.answer) == (0, ANSWER)
    assert ran.asked[0].body["output_config"] == {"effort": "high"}
    assert ran.asked[0].body["tool_choice"] == {"type": "auto"}


def test_pages_can_be_given_as_pictures(run: Any) -> None:
    servers = ("documents", "figures")
    ran = run("zeroshot", [say(json.dumps(ANSWER))], servers=servers, pages="images", dpi="40")
    assert (ran.code, ran.answer) == (0, ANSWER)
    (request,) = ran.asked
    assert request.images == 2
    assert f"The paper {'ybco_oxygen.pdf'}, page 2:" in request.last
    assert "References" not in request.last


def test_pictures_need_the_server_that_draws_them(run: Any) -> None:
    ran = run("zeroshot", [say("{}")], pages="images")
    assert (ran.code, ran.answer, ran.asked) == (1, None, [])
    assert "no server figures, which gives pictures of pages; it has documents" in ran.complained


def test_a_long_paper_is_read_to_its_end(run: Any, program: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program("whole_papers"), "_MAX_CHARS", 1000)
    (request,) = run("zeroshot", [say("{}")]).asked
    assert "Not all fitted" not in request.last
    for part in ("Oxygen content", "References", "Mercury cuprates revisited"):
        assert part in request.last


def test_an_answer_that_does_not_fit_is_left_for_the_scorer_with_its_faults(run: Any) -> None:
    ran = run("zeroshot", [say('{"values": [7, 7.5]}')])
    assert (ran.code, ran.answer) == (0, {"values": ["7", 7.5]})
    assert 'changed: $.values[0]: 7 -> "7"' in ran.printed
    assert "$.values[1]: 7.5 is not of type 'string', 'null'" in ran.complained


@pytest.mark.parametrize("said", [say("I found nothing."), turn(say('{"values": ["9'), stop="length")])
def test_without_json_there_is_no_answer_and_no_failure(run: Any, said: Any) -> None:
    ran = run("zeroshot", [said])
    assert (ran.code, ran.answer) == (0, None)
    assert "no answer" in ran.complained


def test_an_outage_is_tried_again_and_a_lasting_one_is_a_failure(run: Any) -> None:
    ran = run("zeroshot", [[fail(503), drop(), say(json.dumps(ANSWER))]])
    assert (ran.code, ran.answer, len(ran.asked)) == (0, ANSWER, 3)
    ran = run("zeroshot", [[fail(500, times=None), say("never")]])
    assert (ran.code, len(ran.asked)) == (1, 4)
    assert "fails with 500" in ran.complained


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_refusal_is_told_and_not_tried_again(run: Any, dialect: str) -> None:
    ran = run("zeroshot", [refuse("I cannot help with {that}.")], dialect=dialect)
    assert (ran.code, ran.answer, len(ran.asked)) == (1, None, 1)
    assert "refus" in ran.complained.lower()
