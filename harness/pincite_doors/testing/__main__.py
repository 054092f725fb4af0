"""``python -m pincite_doors.testing SCRIPT.json``: play a script on the loopback until interrupted."""

import argparse
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from itertools import count
from pathlib import Path

from pincite_core.errors import PinciteError
from pincite_doors.testing.request import Request
from pincite_doors.testing.script_file import read_script
from pincite_doors.testing.server import ScriptedModel


def main() -> int:
    """Print the address, then a line for each request; 2 where the script cannot be read."""
    parser = argparse.ArgumentParser(prog="python -m pincite_doors.testing", description="Play a scripted model.")
    parser.add_argument("script", type=Path, help="a JSON file of turns (see pincite_doors.testing.script_file)")
    parser.add_argument("--port", type=int, default=0, help="a free one by default")
    given = parser.parse_args()
    try:
        script = read_script(given.script)
    except PinciteError as error:
        print(error, file=sys.stderr)  # noqa: T201
        return 2
    with ScriptedModel(script, port=given.port) as model, suppress(KeyboardInterrupt):
        print(model.url, flush=True)  # noqa: T201
        for request in _ended(model):
            print(_line(request), flush=True)  # noqa: T201
    return 0


def _ended(model: ScriptedModel) -> Iterator[Request]:
    """The requests in order of arrival, each as soon as it has ended."""
    for index in count():
        model.wait_for(partial(_has_ended, model, index), None)
        yield model.requests[index]


def _has_ended(model: ScriptedModel, index: int) -> bool:
    return len(model.requests) > index and model.requests[index].done.is_set()


def _line(request: Request) -> str:
    words = [f"{request.number}:", request.method, request.path, request.kind]
    words += [f"turn {request.turn + 1}"] if request.turn is not None else []
    words += [request.fault, str(request.status or ""), "(the client left)" if request.left else ""]
    return " ".join(word for word in words if word)


if __name__ == "__main__":
    sys.exit(main())
