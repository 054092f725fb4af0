"""Replies of the model: what is carried out, what is mended with a warning, and what is refused."""

import json
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

GOOD = {
    "analysis": "a",
    "plan": "p",
    "commands": [{"keystrokes": "ls\n", "duration": 0.5}, {"keystrokes": "C-c", "duration": 0}],
    "task_complete": False,
}


@pytest.fixture(scope="module")
def reply(program: Callable[[str], ModuleType]) -> Any:
    return program("terminal.reply")


def test_a_good_reply_has_no_warning(reply: Any) -> None:
    read = reply.read_reply(json.dumps(GOOD))
    assert (read.analysis, read.plan, read.done, read.warnings) == ("a", "p", False, ())
    assert [(command.keystrokes, command.duration) for command in read.commands] == [("ls\n", 0.5), ("C-c", 0.0)]


@pytest.mark.parametrize(
    ("text", "warning"),
    [
        ("I list the files {now}.\n```json\n" + json.dumps(GOOD) + "\n```", "text around"),
        (json.dumps(GOOD) + "\nNew output:\nfile.txt\n" + json.dumps({**GOOD, "commands": []}), "only the first"),
        (json.dumps(GOOD)[:-1], "closing brackets"),
        (json.dumps({**GOOD, "commands": GOOD["commands"]}).removesuffix(', "task_complete": false}')[:-1], "closing"),
        (json.dumps({"plan": "p", **GOOD}), "order"),
        (json.dumps({**GOOD, "mood": "fine"}), "mood"),
        (json.dumps({**GOOD, "task_complete": "false"}), "true or false"),
    ],
)
def test_what_is_plainly_meant_is_done_with_a_warning(reply: Any, text: str, warning: str) -> None:
    read = reply.read_reply(text)
    assert [command.keystrokes for command in read.commands] == ["ls\n", "C-c"]
    assert not read.done
    assert any(warning in told for told in read.warnings), read.warnings


def test_a_fence_alone_and_line_breaks_in_strings_are_let_through(reply: Any) -> None:
    fenced = "```json\n" + json.dumps(GOOD) + "\n```"
    assert reply.read_reply(fenced).warnings == ()
    raw = '{"analysis": "a", "plan": "p", "commands": [{"keystrokes": "cat <<X\none\ntwo\nX\n", "duration": 1}]}'
    assert reply.read_reply(raw).commands[0].keystrokes == "cat <<X\none\ntwo\nX\n"


@pytest.mark.parametrize(
    ("commands", "durations", "warnings"),
    [
        ([{"keystrokes": "ls\n"}], [1.0], ["lacks a duration"]),
        ([{"keystrokes": "ls\n", "duration": 600}], [60.0], ["longest wait"]),
        ([{"keystrokes": "ls\n", "duration": "2"}], [2.0], []),
        ([{"keystrokes": "ls\n", "duration": -1}], [1.0], ["not a number"]),
        ([{"keystrokes": "ls\n", "duration": True}], [1.0], ["not a number"]),
        ([{"keystrokes": "ls\n", "duration": float("nan")}], [1.0], ["not a number"]),
        ([{"keystrokes": "ls", "duration": 0}, {"keystrokes": "q", "duration": 0}], [0, 0], ["on the same line"]),
        ([{"keystrokes": "ls", "duration": 0}], [0], ["not entered"]),
        ([{"keystrokes": "", "duration": 9}, {"keystrokes": "Escape", "duration": 0}], [9, 0], []),
        ([{"keystrokes": "a\n", "duration": 0, "wait": True}], [0], ["wait means nothing"]),
    ],
)
def test_commands(reply: Any, commands: list[Any], durations: list[float], warnings: list[str]) -> None:
    read = reply.read_reply(json.dumps({**GOOD, "commands": commands}))
    assert [command.duration for command in read.commands] == durations
    assert len(read.warnings) == len(warnings)
    assert all(seen in told for seen, told in zip(warnings, read.warnings, strict=True)), read.warnings


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "no JSON object"),
        ("I would type ls.", "no JSON object"),
        ('{"keystrokes": "ls\\n"}', "no JSON object"),
        ('[{"keystrokes": "ls\\n"}]', "no JSON object"),
        ('{"analysis": "a", "plan": "p"}', "lacks commands"),
        ('{"commands": []}', "lacks analysis, plan"),
        ('{"analysis": "a", "plan": 3, "commands": []}', "plan is not a string"),
        ('{"analysis": "a", "plan": "p", "commands": {"keystrokes": "ls\\n"}}', "not a list"),
        ('{"analysis": "a", "plan": "p", "commands": ["ls\\n"]}', "command 1 is not an object"),
        ('{"analysis": "a", "plan": "p", "commands": [{"duration": 1}]}', "lacks keystrokes"),
        ('{"analysis": "a", "plan": "p", "commands": [{"keystrokes": ["ls"]}]}', "not a string"),
        ('{"analysis": "a", "plan": "p", "commands": [{"keystrokes": "rm -r ./build', "no JSON object"),
        ("{" * 5000, "no JSON object"),
        ('{"analysis": ' * 3000, "no JSON object"),
    ],
)
def test_what_cannot_be_carried_out_is_told(reply: Any, text: str, fault: str) -> None:
    with pytest.raises(reply.ReplyError, match=fault):
        reply.read_reply(text)


@pytest.mark.parametrize("length", range(1, len(json.dumps(GOOD)), 7))
def test_a_reply_cut_at_the_limit_of_output_is_never_carried_out_by_half(reply: Any, length: int) -> None:
    with pytest.raises(reply.ReplyError, match="limit of output tokens"):
        reply.read_reply(json.dumps(GOOD)[:length], cut=True)


def test_a_whole_object_counts_even_where_the_text_behind_it_was_cut(reply: Any) -> None:
    assert len(reply.read_reply(json.dumps(GOOD) + " and so", cut=True).commands) == 2
