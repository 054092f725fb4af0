"""The terminal: a real tmux, typed into and read."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest


@pytest.fixture
def terminal(tmp_path: Path, program: Callable[[str], ModuleType], tmux_ready: None, until: Any) -> Iterator[Any]:
    env = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "LANG": "C.UTF-8"}
    with program("terminal.session").Terminal(tmp_path, tmp_path / "log", env) as opened:
        until(lambda: "$" in opened.screen() or "#" in opened.screen())
        opened.news()
        yield opened


def test_text_is_typed_as_it_stands_whatever_it_holds(until: Any, terminal: Any, tmp_path: Path) -> None:
    text = "tab\there !! `x` $HOME \\n -l é ☃ 'q' \"q\"; C-c"
    terminal.press(f"cat > out <<'END'\n{text}\n{'x' * 3000}\nEND\n")
    until(lambda: (tmp_path / "out").exists() and (tmp_path / "out").read_text().endswith("x\n"))
    assert (tmp_path / "out").read_text() == f"{text}\n{'x' * 3000}\n"


def test_a_long_text_arrives_whole(until: Any, terminal: Any, tmp_path: Path) -> None:
    body = "".join(f"line {number} {'y' * 60}\n" for number in range(1000))
    terminal.press(f"cat > long <<'END'\n{body}END\ntouch done\n")
    until((tmp_path / "done").exists)
    assert (tmp_path / "long").read_text() == body


def test_keys_interrupt_and_end_input(until: Any, terminal: Any, tmp_path: Path) -> None:
    terminal.press("cat > typed\n")
    until((tmp_path / "typed").exists)
    terminal.press("C-c and Up are words here\n")
    terminal.press("C-d")
    until((tmp_path / "typed").read_text)
    assert (tmp_path / "typed").read_text() == "C-c and Up are words here\n"
    terminal.press("sleep 60; touch slept\n")
    until(lambda: "sleep 60" in terminal.screen())
    terminal.press("C-c")
    terminal.press("touch awake\n")
    until((tmp_path / "awake").exists)
    assert not (tmp_path / "slept").exists()


def test_only_what_is_new_is_shown_and_long_output_by_its_ends(until: Any, terminal: Any) -> None:
    terminal.press("echo first\n")
    until(lambda: "\nfirst" in terminal.screen())
    assert "first" in terminal.news()
    terminal.press("echo a 160 wide line: $(printf '%0200d' 7)\n")
    until(lambda: "007" in terminal.screen().replace("\n", ""))
    news = terminal.news()
    assert "first" not in news
    assert "0" * 199 + "7" in news, "a line wider than the terminal is one line"
    terminal.press("seq 30000; echo over\n")
    until(lambda: "over" in terminal.screen().split("\n"))
    news = terminal.news()
    assert len(news.encode()) < 10_300
    assert "bytes are left out here" in news
    assert "30000\nover" in news
    terminal.press("echo after\n")
    until(lambda: "after" in terminal.screen().split("\n"))
    news = terminal.news()
    assert "over" not in news, "the place is found again though the oldest lines have gone"
    assert "nothing new" in terminal.news()


def test_a_cleared_screen_and_a_full_screen_program_show_the_screen(until: Any, terminal: Any, tmp_path: Path) -> None:
    (tmp_path / "text").write_text("\n".join(f"row {number}" for number in range(500)))
    terminal.press("less text\n")
    until(lambda: "row 5" in terminal.screen())
    assert terminal.news().startswith("Current screen:\nrow 0")
    terminal.press("q")
    terminal.press("clear; echo fresh\n")
    until(lambda: terminal.screen().startswith("fresh"))
    assert "fresh" in terminal.news()


def test_an_ended_shell_is_replaced_and_said_so(until: Any, terminal: Any, tmp_path: Path) -> None:
    terminal.press("exit\n")
    until(lambda: "had ended" in terminal.news())
    terminal.press("touch alive\n")
    until((tmp_path / "alive").exists)
    assert "had ended" not in terminal.news()
    terminal.press("tmux kill-server; kill -9 $$\n")
    until(lambda: "had ended" in terminal.news())


def test_what_it_printed_is_kept_within_bounds(
    tmp_path: Path, program: Callable[[str], ModuleType], tmux_ready: None, until: Any, monkeypatch: Any
) -> None:
    session, log = program("terminal.session"), tmp_path / "log"
    monkeypatch.setattr(session, "LOG_BYTES", 100_000)
    with session.Terminal(tmp_path, log, {"PATH": os.environ["PATH"], "HOME": str(tmp_path)}) as opened:
        opened.press("echo kept\n")
        until(lambda: log.exists() and "kept\r\n" in log.read_bytes().decode())
        opened.press("head -c 300000 /dev/zero | tr '\\0' z; touch flooded\n")
        until((tmp_path / "flooded").exists, 60)
        opened.press("echo goes on > on\n")
        until(lambda: (tmp_path / "on").exists() and log.stat().st_size == 100_000)


def test_nothing_is_left_of_it(
    tmp_path: Path, program: Callable[[str], ModuleType], tmux_ready: None, until: Any
) -> None:
    env = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "TMPDIR": str(tmp_path)}
    with program("terminal.session").Terminal(tmp_path, tmp_path / "log", env) as opened:
        folder = opened._folder
        opened.press("sleep 1000 & echo $! > pid\n")
        until(lambda: (tmp_path / "pid").exists() and (tmp_path / "pid").read_text().strip())
    assert not folder.exists()
    until(lambda: not Path(f"/proc/{(tmp_path / 'pid').read_text().strip()}").exists())


def test_without_tmux_it_says_so(tmp_path: Path, program: Callable[[str], ModuleType], monkeypatch: Any) -> None:
    session = program("terminal.session")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(session.TerminalError, match="not installed"), session.Terminal(tmp_path, tmp_path / "l", {}):
        pass
