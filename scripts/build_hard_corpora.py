"""Build the hard tasks on large made-up literatures: ``python scripts/build_hard_corpora.py [--tasks DIR]``.

Reads ``sources/hard.toml`` (the truth) and ``sources/phrases.toml`` (how papers say it) of precedent_search and
literature_qa, and writes their ``records-hard.jsonl`` and ``corpora/germanides`` and ``corpora/mixed``; questions about
the long papers of ``tasks/shared`` follow from ``sources/hard-PAPER.toml``. The same sources give the same bytes. Below
``--tasks`` the files are written beside copies of the sources.
"""

import argparse
import shutil
from pathlib import Path

from hard_corpora import germanides, mixed

TASKS = Path(__file__).parents[1] / "tasks"
WRITERS = {"precedent_search": germanides.write, "literature_qa": mixed.write}


def main() -> None:
    """Write both families' files."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tasks", type=Path, default=TASKS)
    out: Path = parser.parse_args().tasks
    for family, write in WRITERS.items():
        if out != TASKS:
            shutil.copytree(TASKS / family / "sources", out / family / "sources", dirs_exist_ok=True)
        write(out / family)
        print(out / family)


if __name__ == "__main__":
    main()
