"""The agents that can be named on the command line."""

from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

from pincite_core.errors import BadInputError, NotFoundError
from pincite_harness.agents.agent import Agent, Program

PROGRAMS = Path(__file__).parent / "programs"
FOLDER = ".agent"
DESCRIPTIONS = {
    "baseline": "rules and a lexicon, no model: a floor",
    "oracle": "answers the gold: a ceiling",
    "nop": "answers nothing",
}
"""The harness's own agents, each one program of ``programs/``."""


def get_agent(name: str) -> Agent:
    """The agent called ``name``, or the user's own program where ``name`` is a path that ends in ``.py``."""
    if name in DESCRIPTIONS:
        files = {f"{FOLDER}/{path.relative_to(PROGRAMS).as_posix()}": path for path in _program_files()}
        argv = ("python3", f"{FOLDER}/{name}.py")
        return Program(name, version("pincite"), argv, files, needs_gold=name == "oracle")
    path = Path(name)
    if path.suffix == ".py":
        if not path.is_file():
            raise NotFoundError(f"There is no agent program {path}.", next="Check --agent.")
        inside = f"{FOLDER}/{path.name}"
        return Program(path.stem, "own", ("python3", inside), {inside: path.resolve()})
    raise BadInputError(
        f"There is no agent {name!r}.",
        seen=", ".join(DESCRIPTIONS),
        next="Name one of these, or the path of a Python program of your own.",
    )


def _program_files() -> Iterator[Path]:
    for path in sorted(PROGRAMS.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            yield path
