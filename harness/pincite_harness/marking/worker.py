"""The program of a marking process: ``python -m pincite_harness.marking.worker - MEMORY_MB PARENT_PID``.

It checks and scores one answer at a time, as frames on its pipes ask, until they close. What it has not itself (papers,
a model's verdicts) it asks its parent for: a frame that says ``need``, which the parent answers with the next one.
"""

import os
import resource
import sys
import warnings
from collections.abc import Sequence
from typing import Any, BinaryIO

from pincite_core.recent import Recent
from pincite_harness.marking.errors import pack_error, unpack_error
from pincite_harness.marking.questions import pack_question, unpack_verdict
from pincite_papers import limits
from pincite_papers.codec import decode_paper
from pincite_papers.model import Paper
from pincite_papers.opening import frames
from pincite_scoring.judging.judge import Question, Verdict

_HELD_PAPERS = 4
"""Papers kept for the next answer: attempts at one task follow each other."""
_DEEPEST = 20_000
"""Python frames: what goes down level by level in an answer of the deepest nesting allowed needs a tenth of it."""


class Parent:
    """The parent's end of the pipes, as a job sees it."""

    def __init__(self, requests: BinaryIO, replies: BinaryIO) -> None:
        self._requests = requests
        self._replies = replies
        self._papers: Recent[str, Paper] = Recent(_HELD_PAPERS)

    def next(self) -> tuple[dict[str, Any], bytes] | None:
        """The next job; None when there are no more."""
        return frames.read(self._requests)

    def reply(self, header: dict[str, Any], body: bytes = b"") -> None:
        """Answer the job."""
        frames.write(self._replies, header, body)

    def paper(self, name: str) -> Paper:
        """A paper of the task by its file's name; raises what opening it raised."""
        header, body = self._ask({"need": "paper", "name": name, "holds": list(self._papers)})
        paper_id = header["paper_id"]
        paper = self._papers.get(paper_id)
        if paper is None:
            paper = decode_paper(body)
            self._papers.put(paper_id, paper)
        return paper

    def verdicts(self, questions: Sequence[Question]) -> list[Verdict]:
        """What the run's judge decides; raises what that raised."""
        header, _ = self._ask({"need": "verdicts", "questions": [pack_question(question) for question in questions]})
        return [unpack_verdict(verdict) for verdict in header["verdicts"]]

    def _ask(self, header: dict[str, Any]) -> tuple[dict[str, Any], bytes]:
        self.reply(header)
        answer = self.next()
        if answer is None:
            sys.exit(0)  # The parent is gone.
        if "error" in answer[0]:
            raise unpack_error(answer[0])
        return answer


def main(arguments: list[str]) -> int:
    """Work until the pipes close; the exit status is 1 when this process must be replaced."""
    parent = Parent(*_own_pipes())
    limits.die_with(int(arguments[2]))
    warnings.simplefilter("ignore")
    sys.setrecursionlimit(_DEEPEST)
    # Loaded before the first job: its time is not the answer's.
    from pincite_harness.marking.work import do

    parent.reply({"ready": True})
    while (job := parent.next()) is not None:
        header, data = job
        _confine(header)
        try:
            reply, body = do(header, data, parent)
        except MemoryError:
            parent.reply({"spent": True})
            return 1
        except Exception as error:  # noqa: BLE001 - the top of the process: the parent tells it
            reply, body = pack_error(error), b""
        parent.reply(reply | {"resident": limits.resident_bytes()}, body)
    return 0


def _confine(header: dict[str, Any]) -> None:
    """Bound CPU time and address space for one job; the next one's bounds may be wider."""
    limits.allow_cpu(header["seconds"])
    wanted = header["memory_mb"] * limits.MIB
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (wanted if hard == resource.RLIM_INFINITY else min(wanted, hard), hard))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _own_pipes() -> tuple[BinaryIO, BinaryIO]:
    """The pipes of stdin and stdout, moved out of the reach of prints: stdin is empty, stdout goes to stderr."""
    requests, replies = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return requests, replies


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
