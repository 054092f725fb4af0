"""Make a library of the papers that bundled questions are about, among distractors.

python scripts/build_distractor_library.py FOLDER [--all]

A question about a paper that is alone in its library cannot fail in retrieval. Here the papers stand among twenty near
neighbours (``tasks/literature_qa/distractors``: the same plan and words, other species, compositions and numbers, each
with a table and a figure), with ``--all`` also among the papers of the other families. All are made up and free to use:
`pincite run literature_qa --with library --library FOLDER --agent literature …`.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from pincite_core.settings import load_settings
from pincite_library.ingest.outcome import Options
from pincite_library.ingest.pipeline import Ingest
from pincite_library.ingest.progress import watching

TASKS = Path(__file__).parents[1] / "tasks"
ASKED = "literature_qa"


def asked() -> list[Path]:
    """The papers that questions are about."""
    return sorted((TASKS / ASKED / "papers").glob("*.pdf"))


def neighbours() -> list[Path]:
    """The distractors that were made for them."""
    return sorted((TASKS / ASKED / "distractors").glob("*.pdf"))


def others() -> list[Path]:
    """The papers of the other families, each file name once."""
    found = sorted(path for path in TASKS.glob("*/papers/*.pdf") if path.parents[1].name != ASKED)
    return list({path.name: path for path in found}.values())


def build(folder: Path, papers: Sequence[Path]) -> bool:
    """Add the papers to a library; whether all could be read."""
    settings = load_settings().model_copy(update={"library_dir": folder.resolve()})
    with Ingest(settings) as ingest, watching(Console(stderr=True)) as watcher:
        report = ingest.add([str(path) for path in papers], Options(), watcher)
    return not report.failed and not report.stopped


def main() -> int:
    """Add them, and say how many there are; 1 where one could not be read."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--all", action="store_true", help="the papers of the other families too")
    chosen = parser.parse_args()
    about, around = asked(), [*neighbours(), *(others() if chosen.all else ())]
    read = build(chosen.folder, [*about, *around])
    print(f"{chosen.folder}: {len(about)} papers that questions are about, {len(around)} distractors")
    return int(not read)


if __name__ == "__main__":
    sys.exit(main())
