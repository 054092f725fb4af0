"""Terminal: a shell in tmux, typed into and looked at as a person would."""

import re
import shlex
import shutil
import subprocess
import tempfile
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from .screen import bounded, lines_of, new_lines

COLUMNS, ROWS = 160, 40
"""Columns and rows of the terminal."""
_HISTORY = 20_000
"""Lines that the terminal remembers."""
_FULL = _HISTORY * 4 // 5
"""Lines of history from which on the oldest may have gone: tmux drops a tenth when it is full."""
_SECONDS = 30.0
"""Seconds of one command of tmux itself. Set by judgement."""
_RENEWAL_PAUSES = (0.1, 0.3, 1.0)
"""Seconds before each new try to start a terminal that has died."""
LOG_BYTES = 20_000_000
"""Bytes of the terminal's log."""
_KEYS = (
    *("Enter", "Escape", "Space", "Tab", "BTab", "BSpace", "Up", "Down", "Left", "Right", "Home", "End"),
    *("PageUp", "PageDown", "PgUp", "PgDn", "PPage", "NPage", "IC", "DC", "Insert", "Delete"),
    r"F(?:[1-9]|1[0-2])",
)
_KEY = re.compile(rf"(?:[CMS]-)+(?:[!-~]|{'|'.join(_KEYS)})|{'|'.join(_KEYS)}")
_RC = """PS1='\\w \\$ '
PS2='> '
unset TMUX TMUX_PANE PROMPT_COMMAND HISTFILE
export PAGER=cat GIT_PAGER=cat
set +H
bind 'set disable-completion on'
bind 'set enable-bracketed-paste off'
bind 'set bell-style none'
stty -ixon
"""
"""Typed text arrives as it was meant: a tab is a tab, an exclamation mark is one, Ctrl-S stops nothing."""


class TerminalError(Exception):
    """tmux is not there or does not answer."""


def is_key(keystrokes: str) -> bool:
    """Whether it names a key (``C-c``, ``Escape``) rather than being text."""
    return _KEY.fullmatch(keystrokes) is not None


class Terminal:
    """One shell, 160 by 40, in ``workdir``. Use as a context manager; all that it printed goes to ``log``, the first
    20 MB of it."""

    def __init__(self, workdir: Path, log: Path, env: Mapping[str, str]) -> None:
        self.workdir = workdir
        self._log = log.absolute()
        self._env = dict(env)
        self._seen: list[str] = []
        self._renewed = False

    def __enter__(self) -> "Terminal":
        if shutil.which("tmux") is None:
            raise TerminalError("tmux is not installed")
        # A socket's path has little room: the working folder's may be too long.
        self._folder = Path(tempfile.mkdtemp(prefix="terminal-"))
        (self._folder / "rc").write_text(_RC)
        self._open()
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(TerminalError):
            self._run("kill-server")
        shutil.rmtree(self._folder, ignore_errors=True)

    def press(self, keystrokes: str) -> None:
        """Type a text, or press the key that it names; an ended shell is replaced first."""
        if not keystrokes:
            return
        if is_key(keystrokes):
            self._tmux("send-keys", "-t", "main", "--", keystrokes)
        else:
            # By a buffer: of any length, and never in the list of processes.
            paste = ("paste-buffer", "-d", "-b", "typed", "-t", "main")
            self._tmux("load-buffer", "-b", "typed", "-", ";", *paste, given=keystrokes)

    def news(self) -> str:
        """What is new since the last look, or the whole screen where nothing is or a full-screen program runs."""
        state = self._tmux("display-message", "-p", "-t", "main", "#{alternate_on} #{history_size}").split()
        if not state:
            self._renew()
        if self._renewed:
            self._renewed = False
            return f"The shell had ended: this is a new one.\n{self.screen()}"
        full_screen, above = state
        if full_screen == "1":
            return f"Current screen:\n{self.screen()}"
        lines = lines_of(self._tmux("capture-pane", "-p", "-J", "-S", "-", "-t", "main"))
        found = new_lines(self._seen, lines)
        self._seen = lines
        if found is None and int(above) >= _FULL:
            found = ["[… what came first is gone …]", *lines]
        if not found:
            return f"Current screen{' (nothing new was printed)' if found == [] else ''}:\n{self.screen()}"
        return "New output:\n" + bounded("\n".join(found))

    def screen(self) -> str:
        """What is visible now."""
        return bounded("\n".join(lines_of(self._tmux("capture-pane", "-p", "-J", "-t", "main"))))

    def _open(self) -> None:
        self._seen = []
        shell = f"exec bash --noprofile --rcfile {shlex.quote(str(self._folder / 'rc'))} -i"
        size = ("-x", str(COLUMNS), "-y", str(ROWS))
        self._checked(
            *("set-option", "-g", "history-limit", str(_HISTORY), ";"),
            *("set-option", "-g", "default-terminal", "screen", ";"),
            *("set-option", "-g", "status", "off", ";"),
            *("new-session", "-d", "-s", "main", *size, "-c", str(self.workdir), shell),
        )
        # Unbuffered: what was printed is there when everything is ended at once.
        log = f"stdbuf -o0 head -c {LOG_BYTES} >> {shlex.quote(str(self._log))}"
        self._checked("pipe-pane", "-t", "main", log)

    def _tmux(self, *arguments: str, given: str = "") -> str:
        """What tmux prints, from a new shell where the last one has ended."""
        try:
            return self._checked(*arguments, given=given)
        except TerminalError:
            if self._run("has-session", "-t", "main").returncode == 0:
                raise
        self._renew()
        return self._checked(*arguments, given=given)

    def _renew(self) -> None:
        """A new shell, from a new tmux: the old one may be about to end."""
        self._renewed = True
        self._run("kill-server")
        for pause in _RENEWAL_PAUSES:
            try:
                return self._open()
            except TerminalError:
                time.sleep(pause)
        return self._open()

    def _checked(self, *arguments: str, given: str = "") -> str:
        done = self._run(*arguments, given=given)
        if done.returncode != 0:
            raise TerminalError(f"tmux {arguments[0]} failed: {done.stderr.strip()}")
        return done.stdout

    def _run(self, *arguments: str, given: str = "") -> subprocess.CompletedProcess[str]:
        command = ["tmux", "-u", "-S", str(self._folder / "s"), "-f", "/dev/null", *arguments]
        try:
            return subprocess.run(
                command, input=given, env=self._env, capture_output=True, encoding="utf-8", errors="replace",
                timeout=_SECONDS, check=False,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            raise TerminalError(f"tmux {arguments[0]} did not end within {_SECONDS:g} s") from None
