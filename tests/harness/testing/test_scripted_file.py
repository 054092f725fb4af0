"""Scripts in JSON files, and the command that plays them."""

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pincite_core.errors import BadInputError, NotFoundError
from pincite_doors.testing import (
    Turn,
    Usage,
    call,
    cut,
    drop,
    fail,
    garble,
    hang,
    overflow,
    refuse,
    say,
    shell,
    slow,
    stumble,
    think,
    turn,
    write,
)
from pincite_doors.testing.script_file import read_script

PAIRS: list[tuple[Any, Turn]] = [
    ({"say": "Hello."}, turn(say("Hello."))),
    ([{"think": "Hm."}, {"call": "documents.open_paper", "arguments": {"paper": "a"}}, {"call": "nothing"}],
     turn(think("Hm."), call("documents.open_paper", paper="a"), call("nothing"))),
    ([{"shell": "ls"}, {"write": "a.json", "text": {"a": 1}}], turn(shell("ls"), write("a.json", '{"a": 1}'))),
    ([{"fail": 429, "times": 2, "headers": {"retry-after": "0"}}, {"hang": None}, {"cut": 7}, {"drop": True}],
     turn(fail(429, 2, {"retry-after": "0"}), hang(), cut(7), drop())),
    ([{"overflow": True}, {"garble": True, "times": None}, {"stumble": "Oh."}, {"slow": {"first": 1}}, {"say": "x"}],
     turn(overflow(), garble(None), stumble("Oh."), slow(1), say("x"))),
    ({"refuse": "No."}, refuse("No.")),
    ({"turn": [{"say": "x"}], "usage": {"input_tokens": 5, "output_tokens": 6}, "stop": "length"},
     turn(say("x"), usage=Usage(5, 6), stop="length")),
]  # fmt: skip


def test_a_file_says_all_that_the_functions_say(tmp_path: Path) -> None:
    path = tmp_path / "script.json"
    path.write_text(json.dumps([given for given, _ in PAIRS]))
    assert read_script(path) == [meant for _, meant in PAIRS]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{", "is not JSON"),
        ("{}", "no list of turns"),
        ('[{"say": "a"}, {"sing": "b"}]', "turn 2 begins with 'sing'"),
        ('[{"say": "a", "loud": true}]', "say of turn 1 cannot be read"),
        ('["a"]', "turn 1 is not an object"),
        ('[{"turn": [], "usage": {"tokens": 1}}]', "usage of turn 1"),
        ('[{"turn": [], "stop": "never"}]', "cannot stop"),
    ],
)
def test_what_cannot_be_read_is_told_with_its_place(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "script.json"
    path.write_text(text)
    with pytest.raises(BadInputError, match=says):
        read_script(path)


def test_there_must_be_a_file(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError):
        read_script(tmp_path / "none.json")


def test_the_command_plays_a_file_and_tells_what_it_was_asked(tmp_path: Path) -> None:
    import httpx

    path = tmp_path / "script.json"
    path.write_text('[[{"fail": 503}, {"say": "Hello."}]]')
    command = [sys.executable, "-m", "pincite_doors.testing", str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as playing:
        assert playing.stdout is not None
        url = playing.stdout.readline().strip()
        body = {"model": "m", "messages": [{"role": "user", "content": "Go."}]}
        assert httpx.post(f"{url}/v1/chat/completions", json=body).status_code == 503
        answer = httpx.post(f"{url}/v1/chat/completions", json=body).json()
        assert answer["choices"][0]["message"]["content"] == "Hello."
        assert playing.stdout.readline() == "1: POST /v1/chat/completions turn turn 1 Fail 503\n"
        assert playing.stdout.readline() == "2: POST /v1/chat/completions turn turn 1 200\n"
        playing.send_signal(signal.SIGINT)
        assert playing.wait(20) == 0
