"""terminus at work: the program itself before a scripted model, in a real terminal."""

import json
from typing import Any

import pytest

from pincite_doors.testing import Usage, cut, fail, garble, refuse, say, think, turn

pytestmark = pytest.mark.anyio

ANSWER = "cat > answer.json <<'END'\n{\"properties\": []}\nEND\n"


def _small(used: int) -> Usage:
    return Usage(used, 10)


@pytest.mark.parametrize("dialect", ["anthropic.messages", "openai.responses", "openai.chat", "google.generate"])
async def test_it_works_and_confirms_twice(rig: Any, keys: Any, dialect: str) -> None:
    script = [
        [think("Where am I?"), keys("echo here: $((6 * 7))\n")],
        keys(ANSWER, done=True),
        keys("echo wait\n"),
        keys(done=True),
        keys(done=True),
    ]
    assert await rig.work(script, dialect=dialect)
    assert "Write the answer." in rig.asked[0].first
    assert "JSON object" in rig.asked[0].system
    assert "here: 42" in rig.told(1)
    assert "You set task_complete. answer.json fits schema.json." in rig.told(2)
    assert "You set task_complete" not in rig.told(3), "a first yes that was not confirmed counts for nothing"
    assert "You set task_complete" in rig.told(4)
    assert json.loads((rig.folder / "answer.json").read_text()) == {"properties": []}
    assert len(rig.asked) == 5


@pytest.mark.parametrize(
    ("left", "said"),
    [
        (None, "There is no answer.json"),
        ("{", "answer.json is not JSON"),
        ("{}", "breaks schema.json:\n$: 'properties' is a required property"),
    ],
)
async def test_before_it_ends_the_model_hears_what_is_wrong_with_its_answer(
    rig: Any, keys: Any, left: str | None, said: str
) -> None:
    if left is not None:
        (rig.folder / "answer.json").write_text(left)
    await rig.work([keys(done=True), keys(done=True)])
    assert said in rig.told(1)


async def test_its_own_record_has_keystrokes_as_tool_calls_and_every_token(rig: Any, keys: Any) -> None:
    script = [
        turn(keys("echo one\n", ("", 0.1)), usage=Usage(500, 20, cached_tokens=400)),
        turn(say("no JSON"), usage=Usage(600, 5)),
        turn(keys(done=True), usage=Usage(700, 6)),
        turn(keys(done=True), usage=Usage(800, 7)),
    ]
    await rig.work(script)
    recorded = rig.trajectory
    assert [step.source for step in recorded.steps] == ["system", "user", "agent", "agent", "agent", "agent"]
    typed = recorded.steps[2]
    assert [(call.function_name, call.arguments) for call in typed.tool_calls] == [
        ("bash_command", {"keystrokes": "echo one\n", "duration": 0}),
        ("bash_command", {"keystrokes": "", "duration": 0.1}),
    ]
    assert "one" in typed.observation.results[0].content
    assert recorded.steps[3].message == "no JSON"
    assert [call.function_name for call in recorded.steps[5].tool_calls] == ["mark_task_complete"]
    totals = recorded.final_metrics
    assert (totals.total_prompt_tokens, totals.total_completion_tokens, totals.total_cached_tokens) == (2600, 38, 400)
    assert b"echo one" in (rig.folder / ".terminus" / "terminal.log").read_bytes()


async def test_what_it_cannot_read_it_does_not_do(rig: Any, keys: Any, program: Any) -> None:
    script = [
        say("I will type: touch prose"),
        say(json.dumps({"analysis": "a", "commands": [{"keystrokes": "touch lacking\n", "duration": 0.1}]})),
        turn(say(json.dumps({"commands": [{"keystrokes": "touch half\n"}]})[:-3]), stop="length"),
        keys("touch read\n", mood="fine"),
        keys(done=True),
        say("Yes, it is done!"),
        keys(done=True),
        keys(done=True),
    ]
    assert await rig.work(script)
    assert len(rig.asked) == len(script), "what cannot be read confirms nothing"
    assert "no JSON object" in rig.told(1)
    assert "lacks plan" in rig.told(2)
    assert "limit of output tokens" in rig.told(3)
    assert rig.told(4).startswith("Warning: fields that mean nothing here were passed over: mood.")
    assert [path.name for path in rig.folder.iterdir() if path.name in ("prose", "lacking", "half", "read")] == ["read"]


@pytest.mark.parametrize("dialect", ["anthropic.messages", "openai.responses", "openai.chat", "google.generate"])
async def test_what_the_model_thinks_is_never_typed(rig: Any, keys: Any, dialect: str) -> None:
    thought = keys("touch thought\n").text
    script = [[think(thought), keys("touch said\n")], keys("ls\n"), keys(done=True), keys(done=True)]
    if dialect == "openai.chat":
        script.insert(0, say(f"<think>{thought}</think>{script[1].text}"))
    assert await rig.work(script, dialect=dialect)
    assert (rig.folder / "said").exists()
    assert not (rig.folder / "thought").exists()


async def test_an_empty_reply_is_asked_again(rig: Any, keys: Any) -> None:
    assert await rig.work([say(""), keys(done=True), keys(done=True)], dialect="anthropic.messages")
    assert "no JSON object" in rig.told(1)
    assert all(message["content"] for message in rig.asked[1].body["messages"])


async def test_it_gives_up_on_a_model_that_never_makes_sense(rig: Any, program: Any) -> None:
    with pytest.raises(program("thinking").ThinkingError, match="8 replies in a row"):
        await rig.work([say("Hello!")] * 20)
    assert len(rig.asked) == 8


@pytest.mark.parametrize("dialect", ["anthropic.messages", "openai.chat"])
async def test_it_asks_again_where_that_may_help(rig: Any, keys: Any, dialect: str) -> None:
    faults = [fail(529), garble(), cut(40)] if dialect == "anthropic.messages" else [fail(503), fail(429), cut(40)]
    script = [[*faults, keys(done=True)], keys(done=True)]
    assert await rig.work(script, dialect=dialect)
    assert [request.fault != "" for request in rig.asked] == [True, True, True, False, False]
    assert [step.source for step in rig.trajectory.steps] == ["system", "user", "agent", "agent"], "one step each"


@pytest.mark.parametrize(("status", "tries"), [(400, 1), (401, 1), (404, 1), (500, 4)])
async def test_it_says_why_it_cannot_go_on(rig: Any, keys: Any, program: Any, status: int, tries: int) -> None:
    with pytest.raises(program("thinking").ThinkingError, match=str(status)):
        await rig.work([[fail(status, times=None), keys(done=True)]])
    assert len(rig.asked) == tries


async def test_a_refusal_ends_it(rig: Any, program: Any) -> None:
    with pytest.raises(program("thinking").ThinkingError, match="refused"):
        await rig.work([refuse()], dialect="anthropic.messages")


async def test_its_turns_can_be_limited(rig: Any, keys: Any) -> None:
    assert not await rig.work([keys("echo a\n")] * 5, options={"turns": "2"})
    assert len(rig.asked) == 2


async def test_it_is_warned_when_time_runs_out(rig: Any, keys: Any) -> None:
    assert await rig.work([keys(done=True), keys(done=True)], seconds=100)
    assert "You have 100 seconds of wall clock" in rig.asked[0].first
    assert "seconds of wall clock are left: see that an answer is written" in rig.told(1)


def _is_summary(request: Any) -> bool:
    return request.last.startswith("Your memory is nearly full")


def _is_questions(request: Any) -> bool:
    return "Ask at least five questions" in request.last


def _is_answers(request: Any) -> bool:
    return "has read your summary and asks" in request.last


async def test_a_full_memory_is_handed_over(rig: Any, keys: Any) -> None:
    script = [
        turn(keys("echo early secret\n"), usage=_small(3000)),
        turn(keys("echo late news\n"), usage=_small(19_000)),
        turn(keys(done=True), usage=_small(2000)),
        turn(keys(done=True), usage=_small(2100)),
    ]
    others = [
        (_is_summary, [turn(say("SUMMARY: the secret was read"), keys("touch leaked\n"), usage=_small(20_000))]),
        (_is_questions, [turn(say("1. QUESTION?"), usage=_small(1500))]),
        (_is_answers, [turn(say("1. ANSWER."), usage=_small(20_500))]),
    ]
    assert await rig.work(script, options={"context": "24000"}, others=others)
    asked = {kind: [r for r in rig.asked if kind(r)] for kind in (_is_summary, _is_questions, _is_answers)}
    assert [len(found) for found in asked.values()] == [1, 1, 1]
    [summary], [questions], [answers] = asked.values()
    assert "early secret" in "".join(summary.users)
    fresh = "".join(questions.users)
    assert "Write the answer." in fresh
    assert "SUMMARY: the secret was read" in fresh
    assert "~ # echo early secret" not in fresh.replace(questions.last, ""), (
        "it starts from the task, not the old memory"
    )
    assert "1. QUESTION?" in answers.last
    assert "SUMMARY" in json.dumps(answers.body), "the old memory answers"
    resumed = next(request for request in rig.asked if request.turn == 2)
    assert "1. ANSWER." in resumed.last
    assert "late news" in resumed.last, "what was not said yet is not lost"
    assert "1. QUESTION?" in json.dumps(resumed.body)
    assert "Your memory is nearly full" not in json.dumps(resumed.body)
    assert not (rig.folder / "leaked").exists(), "only replies to the terminal are typed"
    recorded = rig.trajectory
    [compaction] = [step for step in recorded.steps if (step.extra or {}).get("context_management")]
    assert len(compaction.observation.results[0].subagent_trajectory_ref) == 3
    assert len(recorded.subagent_trajectories) == 3
    assert recorded.final_metrics.total_prompt_tokens == 3000 + 19_000 + 2000 + 2100 + 20_000 + 1500 + 20_500


async def test_a_context_smaller_than_believed_is_handed_over_too(rig: Any, keys: Any) -> None:
    overflow = fail(400, message="prompt is too long: 210000 tokens > 200000 maximum")
    script = [keys("echo one\n"), keys("echo two\n"), [overflow, keys(done=True)], keys(done=True)]
    others = [(_is_summary, [say("S")]), (_is_questions, [say("Q")]), (_is_answers, [say("A")])]
    assert await rig.work(script, dialect="anthropic.messages", others=others)
    [summary] = [request for request in rig.asked if _is_summary(request)]
    assert "two" not in "".join(summary.users), "the latest exchange was forgotten to make room"
    assert "two" in rig.told(2), "but what came of it is told"


@pytest.mark.parametrize(("short", "told"), [(True, "SHORT"), (False, "(not known)")])
async def test_where_the_hand_over_fails_less_is_handed_over(rig: Any, keys: Any, short: bool, told: str) -> None:
    script = [keys("echo one\n"), turn(keys("echo two\n"), usage=_small(19_000)), keys(done=True), keys(done=True)]
    broken = [[fail(400, times=None), say("")]]

    def is_short(request: Any) -> bool:
        return request.last.startswith("Someone works at this task")

    others = [(_is_summary, broken), (is_short, [say("SHORT")] if short else broken)]
    assert await rig.work(script, options={"context": "24000"}, others=others)
    resumed = rig.told(2)
    assert told in resumed
    assert "Write the answer." in resumed
    assert "two" in resumed
    assert len(next(request for request in rig.asked if request.turn == 2).users) == 1


async def test_a_task_too_long_for_the_model_is_said(rig: Any, keys: Any, program: Any) -> None:
    overflow = fail(400, message="prompt is too long: 210000 tokens > 200000 maximum", times=None)
    with pytest.raises(program("thinking").ThinkingError, match="the task alone"):
        await rig.work([[overflow, keys()]], dialect="anthropic.messages")


async def test_pictures_of_the_task_stand_at_the_beginning_of_every_memory(rig: Any, keys: Any) -> None:
    (rig.folder / "figure.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    rig.files = ["figure.png"]
    assert await rig.work([keys(done=True), keys(done=True)])
    assert [request.images for request in rig.asked] == [1, 1]
    assert "The file figure.png:" in rig.asked[0].last
