"""Make a library of the bundled papers of literature_qa among those of the other families, as distractors.

python scripts/build_distractor_library.py FOLDER

A question about a paper that is the only one in its library cannot fail in retrieval. Here its paper stands among more
than 30 others, all made up and free to use, with tables and figures of their own:
`pincite run literature_qa --with library --library FOLDER --agent literature …`.
"""

import argparse
import sys
from pathlib import Path

from rich.console import Console

from pincite_core.settings import load_settings
from pincite_library.ingest.outcome import Options
from pincite_library.ingest.pipeline import Ingest
from pincite_library.ingest.progress import watching

TASKS = Path(__file__).parents[1] / "tasks"
ASKED = "literature_qa"


def papers() -> tuple[list[Path], list[Path]]:
    """The papers that questions are about, and the distractors: those of all other families, each file name once."""
    asked = sorted((TASKS / ASKED / "papers").glob("*.pdf"))
    others = sorted(path for path in TASKS.glob("*/papers/*.pdf") if path.parents[1].name != ASKED)
    return asked, list({path.name: path for path in others}.values())


def main() -> int:
    """Add them, and say how many there are; 1 where one could not be read."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    folder: Path = parser.parse_args().folder
    asked, others = papers()
    settings = load_settings().model_copy(update={"library_dir": folder.resolve()})
    with Ingest(settings) as ingest, watching(Console()) as watcher:
        report = ingest.add([str(path) for path in (*asked, *others)], Options(), watcher)
    print(f"{folder}: {len(asked)} papers that questions are about, {len(others)} distractors")
    return int(bool(report.failed) or report.stopped)


if __name__ == "__main__":
    sys.exit(main())
