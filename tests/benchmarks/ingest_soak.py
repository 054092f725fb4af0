"""Kill -9 at random moments of `pincite library add`, again and again, until all papers are in.

    python tests/benchmarks/ingest_soak.py [--pages 300] [--kills 20] [--seed N] [--dir DIR]

The papers are those of ``ingest_speed.py``. After every kill each paper that the process had told of must be in the
library, at most one more (that in work), `check` must find nothing wrong, and no parsing process may be left; the last
run goes to its end and writes none of them again. Prints each kill and every broken promise; exits with 1 when there is
one, with 2 where there are no PDFs.
"""

import argparse
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from ingest_speed import make_corpus, shared_pdfs  # pyright: ignore[reportMissingImports]

from pincite_library.store.sqlite.store import SqliteStore

_TOLD = re.compile(r"\[\d+/\d+\] (?:added|updated): (.+\.pdf) \(")


@dataclass
class Soak:
    """One library that is killed; ``broken`` are the promises that were."""

    papers: Path
    folder: Path
    told: list[str] = field(default_factory=list[str])
    broken: list[str] = field(default_factory=list[str])

    def run(self, kills: int, chance: random.Random) -> None:
        """Kill as often, then let it come to its end."""
        for number in range(1, kills + 1):
            wanted, pause = chance.randint(0, 4), chance.uniform(0, 1.0)
            before = len(self.told)
            self._add(wanted, pause)
            held = self._check(number)
            print(f"kill {number}: {len(self.told) - before} told of, {held} papers in the library")
            if held == len(list(self.papers.glob("*.pdf"))):
                break
        self._add(None, 0.0)
        held, count = self._check(0), len(list(self.papers.glob("*.pdf")))
        if held != count:
            self.broken.append(f"{held} of {count} papers are in the library at the end")
        if len(set(self.told)) != len(self.told):
            self.broken.append("a paper that was told of was written again")

    def _add(self, wanted: int | None, pause: float) -> None:
        """Add the papers; kill the process ``pause`` seconds after it has told of ``wanted`` papers, if any."""
        own = {"PINCITE_CACHE_DIR": str(self.folder / "cache"), "PINCITE_LIBRARY_DIR": str(self.folder / "library")}
        command = [sys.executable, "-m", "pincite_harness", "library", "add", str(self.papers)]
        with subprocess.Popen(command, env=os.environ | own, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            lines: list[str] = []
            while (wanted is None or len(lines) < wanted) and (line := process.stdout.readline()):
                lines += _TOLD.findall(line)
            if wanted is not None:
                time.sleep(pause)
                process.send_signal(signal.SIGKILL)
            lines += _TOLD.findall(process.stdout.read())
        if wanted is None and process.returncode:
            self.broken.append(f"the last run ended with {process.returncode}")
        self.told += lines

    def _check(self, number: int) -> int:
        """Look for broken promises; the number of papers."""
        with closing(SqliteStore(self.folder / "library")) as store:
            wrong, held = store.check(), {entry.source for entry in store.papers()}
        at = f"after kill {number}" if number else "at the end"
        self.broken += [f"{at}: {problem}" for problem in wrong]
        lost = set(self.told) - held
        if lost:
            self.broken.append(f"{at}: {len(lost)} papers that were told of are lost: {sorted(lost)[:3]}")
        if len(held) > len(set(self.told)) + number and number:
            self.broken.append(f"{at}: {len(held)} papers, but only {len(set(self.told))} were told of")
        return len(held)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=300)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10_000))
    parser.add_argument("--dir", help="folder where the files are kept for the next time")
    options = parser.parse_args()
    sources = shared_pdfs()
    if not sources:
        print("There are no PDFs in ../shared/data.", file=sys.stderr)
        return 2
    print(f"seed {options.seed}")
    with tempfile.TemporaryDirectory() as temporary:
        papers = Path(options.dir or temporary) / f"pages-{options.pages}"
        make_corpus(sources, papers, options.pages)
        soak = Soak(papers.resolve(), Path(temporary))
        soak.run(options.kills, random.Random(options.seed))
    for promise in soak.broken:
        print("BROKEN:", promise)
    print(f"{len(soak.told)} papers, {len(soak.broken)} broken promises")
    return 1 if soak.broken else 0


if __name__ == "__main__":
    sys.exit(main())
