"""The program of a backend's process: ``python -m pincite_papers.opening.backend_worker ENTRY MEMORY_MB PARENT_PID``.

It answers frames as the parsing process does (see ``pincite_papers.opening.worker``); a request names the job's
function, which takes the header and the body and returns those of the reply. ENTRY is unused.
"""

import sys
from typing import Any

from pincite_core.lazy import load
from pincite_papers.opening.worker import Answer, Wording, serve

_READING = Wording("Reading the paper with the backend", "What the backend gave could not be understood.")


def main(arguments: list[str]) -> int:
    """Run jobs until the pipes close."""
    return serve(_jobs, "The backend's worker", int(arguments[1]), int(arguments[2]), _READING)


def _jobs() -> Answer:
    def answer(header: dict[str, Any], data: bytes) -> tuple[dict[str, Any], bytes]:
        return load(header["job"])(header, data)

    return answer


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
