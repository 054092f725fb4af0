"""zeroshot: one call with the whole paper in it; the answer in text or held to the schema."""

import base64
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


def test_one_call_a_page_and_the_union_of_what_they_found(run: Any) -> None:
    said = [say(json.dumps({"values": values})) for values in (["92", "7"], ["7", None])]
    ran = run("zeroshot", said, pages="each")
    assert ran.code == 0
    assert sorted(ran.answer["values"], key=str) == ["7", "92", None]
    lasts = [request.last for request in ran.asked]
    assert all("Oxygen content" in last for last in lasts), "the whole paper is in each"
    assert {last.rpartition("page ")[2][:1] for last in lasts} == {"1", "2"}
    silent = run("zeroshot", [say("Nothing here."), say(json.dumps(ANSWER))], pages="each")
    assert silent.answer == ANSWER, "a page without an answer adds nothing"


@pytest.mark.parametrize("dialect", ["anthropic.messages", "openai.responses", "openai.chat", "google.generate"])
def test_papers_as_pdf_files(run: Any, tmp_path: Any, papers_folder: Any, dialect: str) -> None:
    (tmp_path / ".papers").mkdir()
    data = (papers_folder / "ybco_oxygen.pdf").read_bytes()
    (tmp_path / ".papers/ybco_oxygen.pdf").write_bytes(data)
    ran = run("zeroshot", [say(json.dumps(ANSWER))], servers=(), pages="pdf", dialect=dialect, max_output="4096")
    assert (ran.code, ran.answer) == (0, ANSWER), ran.complained
    body = json.dumps(ran.asked[0].body).replace("-", "+").replace("_", "/")  # one API has the alphabet for addresses
    assert base64.b64encode(data).decode()[:4000] in body
    assert "4096" in body
    (tmp_path / ".papers/ybco_oxygen.pdf").write_bytes(b"<html>")
    ran = run("zeroshot", [say("{}")], servers=(), pages="pdf", dialect=dialect)
    assert (ran.code, ran.asked) == (1, [])
    assert "is none; pages=text gives any" in ran.complained


def test_other_prompts_than_the_tasks(run: Any, tmp_path: Any) -> None:
    own = tmp_path / "own.txt"
    own.write_text("Be brief. {{ task }}")
    [request] = run("zeroshot", [say(json.dumps(ANSWER))], prompt=str(own)).asked
    assert request.last.startswith("Be brief. Find the values and write answer.json.")
    assert '"$defs"' not in request.last
    ran = run("zeroshot", [say("{}")], prompt="steps")
    assert (ran.code, ran.asked) == (1, [])
    assert "prompt=steps needs the task's query; it has task" in ran.complained


def test_a_prompt_for_tables_in_steps_or_plain(program: Any) -> None:
    prompt_of = program("prompting").prompt_of
    for query, language in (("Which profit?", "Three examples"), ("\u5229\u6da6\u662f\u591a\u5c11", "\u4e09\u4e2a")):
        task = {"parameters": {"query": query}}
        steps = prompt_of(task, "The task.", {"prompt": "steps"})
        assert all(word in steps for word in (query, language, "Design the columns", "Leave a cell empty"))
        plain = prompt_of(task, "The task.", {"prompt": "plain", "examples": "0", "style": "published"})
        assert language not in plain
        assert "1,500 characters" in plain
        assert "Design the columns" not in plain


def test_the_providers_own_search(run: Any) -> None:
    [request] = run("zeroshot", [say(json.dumps(ANSWER))], dialect="anthropic.messages", search="hosted").asked
    assert "web_search" in json.dumps(request.body["tools"])
    assert "You can search the web" in request.system
