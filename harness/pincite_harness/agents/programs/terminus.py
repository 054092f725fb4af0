"""terminus: an agent that has a terminal and nothing else; its tools are a command there, its replies are keystrokes.

After Terminus 2 of Harbor: a JSON batch of keystrokes a turn, each with the time to wait; what is new in the terminal
as the answer; completion confirmed twice; the work handed over to a fresh memory when the old one fills.
"""

import asyncio
import json
import os
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import tool_command
from answering import AnswerFile
from door import Door, DoorError
from pydantic_ai.exceptions import UserError
from pydantic_ai.models import Model
from task_files import pictures_of
from terminal import prompts
from terminal.conversation import Conversation, ModelAnswer
from terminal.record import Record
from terminal.reply import ReplyError, TerminalReply, read_reply
from terminal.session import COLUMNS, ROWS, Terminal, TerminalError
from thinking import ThinkingError, open_model

FOLDER = Path(".terminus")
OPTIONS = Path(__file__).with_name("options.json")
TURNS = 1_000_000
"""Turns by default: in effect none, so that the trial's own limits end it."""
CONTEXT = 128_000
"""Tokens of a model whose context nobody knows."""
SETTLE_SECONDS = 0.3
"""How long a new shell takes to show its prompt."""
LATE_SECONDS = 120
"""From when on the model is told how much of the wall clock is left."""
MAX_UNREADABLE = 8
"""Replies in a row that cannot be read before the agent gives up."""


class Terminus:
    """One trial: the terminal, the conversation about it, and the record of both."""

    def __init__(
        self, terminal: Terminal, talk: Conversation, record: Record, answer: AnswerFile, deadline: float
    ) -> None:
        self._terminal = terminal
        self._talk = talk
        self._file = answer
        self._record = record
        self._deadline = deadline
        self._asked_to_confirm = False

    async def run(self, turns: int) -> bool:
        """Work until the model has confirmed that the task is done, or has had its turns; whether it confirmed."""
        message = self._talk.first
        self._record.said("system", self._talk.instructions)
        self._record.said("user", message)
        unreadable = 0
        for turn in range(1, turns + 1):
            answer = await self._ask(message)
            try:
                reply = read_reply(answer.text, cut=answer.cut)
            except ReplyError as error:
                unreadable += 1
                self._asked_to_confirm = False
                message = prompts.UNREADABLE.format(fault=error, news=self._terminal.news())
                self._record.failed(answer, message)
                print(f"terminus: turn {turn}: unreadable: {error}", flush=True)
                if unreadable == MAX_UNREADABLE:
                    raise ThinkingError(f"{unreadable} replies in a row could not be read: {error}") from error
                continue
            unreadable = 0
            message = await self._carry_out(reply)
            self._record.acted(answer, reply, message)
            print(f"terminus: turn {turn}: {len(reply.commands)} commands{', done' * reply.done}", flush=True)
            if reply.done and self._asked_to_confirm:
                return True
            self._asked_to_confirm = reply.done
        return False

    async def _ask(self, message: str) -> ModelAnswer:
        known = len(self._talk.hand_offs)
        answer = await self._talk.ask(message)
        for hand_off in self._talk.hand_offs[known:]:
            self._record.handed_over(hand_off)
            print("terminus: the memory was full: the work was handed over", flush=True)
        return answer

    async def _carry_out(self, reply: TerminalReply) -> str:
        """Type the batch; what the model is told next."""
        for command in reply.commands:
            self._terminal.press(command.keystrokes)
            await asyncio.sleep(command.duration)
        left = int(self._deadline - time.monotonic())
        late = [f"{left} seconds of wall clock are left: see that an answer is written"] if left < LATE_SECONDS else []
        warnings = "".join(f"Warning: {warning}.\n" for warning in [*reply.warnings, *late])
        shown = warnings + self._terminal.news()
        return prompts.CONFIRM.format(news=shown, answer=_standing(self._file)) if reply.done else shown


async def work(
    task: Mapping[str, Any],
    first: str,
    model: Model,
    terminal: Terminal,
    options: Mapping[str, str],
    deadline: float,
) -> bool:
    """Solve the task that the message ``first`` tells; whether the model confirmed that it did.

    Options: ``context`` (tokens before the memory is emptied), ``turns`` (answers of the model at most), ``pictures``
    (whether it is shown those among the task's files). ``deadline`` is told by the monotonic clock: shortly before it
    the model is warned.
    """
    instructions = prompts.INSTRUCTIONS.format(columns=COLUMNS, rows=ROWS)
    budget = int(options.get("context", 0)) or model.context_window or CONTEXT
    pictures = pictures_of(task) if options.get("pictures", "yes") == "yes" else []
    async with model:
        talk = Conversation(model, instructions, first, budget, terminal.screen, pictures)
        record = Record(FOLDER / "trajectory.json", model.model_name)
        one = Terminus(terminal, talk, record, AnswerFile.of(task), deadline)
        return await one.run(int(options.get("turns", TURNS)))


def first_message(task: Mapping[str, Any], prompt: str, terminal: Terminal) -> str:
    """The task, the tools and what the terminal shows."""
    tools = describe_tools(task["tools"])
    time.sleep(SETTLE_SECONDS)
    seconds = int(task["limits"]["wall_clock_seconds"])
    return prompts.FIRST.format(
        task=prompt, workdir=terminal.workdir, seconds=seconds, tools=tools, news=terminal.news()
    )


def describe_tools(servers: Mapping[str, Mapping[str, Any]]) -> str:
    """The servers and their tools, as ``pincite-tool`` prints them."""
    texts: list[str] = []
    for name, server in servers.items():
        with Door(server["url"], server["headers"]) as door:
            texts.append(tool_command.describe(name, door))
    return "The servers and their tools:\n\n" + "\n".join(texts) if texts else "The task has no servers."


def environment(workdir: Path) -> dict[str, str]:
    """The shell's environment: the command ``pincite-tool`` is on its path, this interpreter's settings are not."""
    folder = (FOLDER / "bin").resolve()
    folder.mkdir(exist_ok=True)
    command = folder / "pincite-tool"
    program = Path(__file__).resolve().with_name("tool_command.py")
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{program}" "$@"\n')
    command.chmod(0o755)
    path = f"{folder}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
    return {**os.environ, "PATH": path, tool_command.TASK: str(workdir / "task.json")}


def _standing(answer: AnswerFile) -> str:
    """What is to be said about the answer as it is."""
    try:
        broken = answer.faults(answer.read())
    except FileNotFoundError:
        return f"There is no {answer.name} in the working folder."
    except (OSError, ValueError) as error:
        kind = "JSON" if answer.is_json else "UTF-8"
        return f"{answer.name} is not {kind}: {error}."
    return "\n".join([f"{answer.name} breaks schema.json:", *broken]) if broken else f"{answer.name} fits schema.json."


def main() -> int:
    """Run in the working folder of a trial; 1 with a line on stderr when the model or the terminal failed."""
    try:
        task = json.loads(Path("task.json").read_text(encoding="utf-8"))
        deadline = time.monotonic() + float(task["limits"]["wall_clock_seconds"])
        prompt = Path("prompt.md").read_text(encoding="utf-8")
        options: dict[str, str] = json.loads(OPTIONS.read_text(encoding="utf-8"))
        FOLDER.mkdir(exist_ok=True)
        workdir = Path.cwd()
        with Terminal(workdir, FOLDER / "terminal.log", environment(workdir)) as terminal:
            first = first_message(task, prompt, terminal)
            confirmed = asyncio.run(work(task, first, open_model(task, options), terminal, options, deadline))
    except (ThinkingError, TerminalError, DoorError, UserError, OSError, ValueError, KeyError) as error:
        print(f"terminus: {error}", file=sys.stderr)
        return 1
    print("terminus: the task is done" if confirmed else "terminus: no turn is left")
    return 0


if __name__ == "__main__":
    sys.exit(main())
