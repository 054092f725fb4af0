"""The runner of the benchmarks.

    python -m tests.benchmarks list
    python -m tests.benchmarks run NAME [ARGUMENT …]

A benchmark is a file of this folder, or of a folder in it, that runs as a program; what several of them share stands in
``parts``. ``list`` prints the first sentence of each one's docstring; the arguments stand below it in the file, and
``run NAME --help`` prints them. The exit status of ``run`` is the benchmark's own.
"""

import argparse
import ast
import subprocess
import sys
import textwrap
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
_NOT_MEASURING = frozenset({"corpus_readers", "parts"})
"""Folders with readers and helpers that benchmarks start."""
_MAIN = 'if __name__ == "__main__":'
_WIDTH = 110
"""Columns that a line of the list takes at most."""


def benchmarks() -> dict[str, Path]:
    """The file of each benchmark by its name: ``plots``, ``fidelity``, ``fidelity/compare``."""
    found: dict[str, Path] = {}
    for path in sorted(FOLDER.rglob("*.py")):
        inside = path.relative_to(FOLDER)
        if inside.parts[0] in _NOT_MEASURING or path == Path(__file__).resolve():
            continue
        if _MAIN in path.read_text(encoding="utf-8"):
            found[inside.with_suffix("").as_posix().removesuffix("/__main__")] = path
    return found


def purpose(path: Path) -> str:
    """The first paragraph of a file's docstring on one line, without the command that may end it."""
    words = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    return " ".join(words.split("\n\n")[0].split(": ``python")[0].split())


def show() -> None:
    """Print every benchmark with what it measures."""
    found = benchmarks()
    widest = max(len(name) for name in found)
    for name, path in found.items():
        lines = textwrap.wrap(purpose(path), _WIDTH - widest - 2)
        print(f"{name:{widest}}  {lines[0]}")
        for line in lines[1:]:
            print(" " * (widest + 2) + line)


def main() -> int:
    """List the benchmarks or run one."""
    options = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=(__doc__ or "").split("\n")[0])
    commands = options.add_subparsers(dest="command", required=True)
    commands.add_parser("list", help="print every benchmark with what it measures")
    run = commands.add_parser("run", help="run one", add_help=False)
    run.add_argument("name")
    given, arguments = options.parse_known_args()
    if given.command == "list":
        show()
        return 0
    path = benchmarks().get(given.name)
    if path is None:
        print(f"There is no benchmark {given.name!r}; see: python -m tests.benchmarks list", file=sys.stderr)
        return 2
    return subprocess.run([sys.executable, str(path), *arguments], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
