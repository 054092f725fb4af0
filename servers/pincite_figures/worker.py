"""The program of a figure worker: ``python -m pincite_figures.worker ENTRY MEMORY_MB PARENT_PID`` (ENTRY unused).

It answers frames as the parsing process does (see ``pincite_papers.opening.worker``). A request names a job, the digest
of a source and the job's arguments; its body is the source, empty where the worker said that it holds it.
"""

import sys
from typing import Any

from pincite_core.lazy import load
from pincite_papers.opening.worker import Answer, Wording, serve

_DRAWING = Wording("Drawing this", "This part of the file could not be drawn or measured.")


def main(arguments: list[str]) -> int:
    """Run jobs until the pipes close."""
    return serve(_jobs, "The figure worker", int(arguments[1]), int(arguments[2]), _DRAWING)


def _jobs() -> Answer:
    from pincite_figures.source import OpenSources

    sources = OpenSources()

    def answer(header: dict[str, Any], data: bytes) -> tuple[dict[str, Any], bytes]:
        source = sources.of(header["digest"], data)
        reply, body = load(header["job"])(source, header["arguments"])
        return {"reply": reply, "holds": sources.digests}, body

    return answer


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
