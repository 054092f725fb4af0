"""Changed bundles through ``pincite verify``: every change must be found.

    python tests/benchmarks/bundle_mutations.py [COUNT] [SEED]

The bundle is of a real run (three tasks with a scripted model, family and gold in it). COUNT (1,000 by default)
changes go over three forms (the file; the folder it is unpacked into; the file sealed again), seven kinds (one byte
changed, cut off, longer by a byte, removed, added, renamed, two files swapped) and all members in turn. The exit status
is 1 when one is missed, or ends in anything but an answer of the verifier.
"""

import collections
import io
import os
import sys
import tempfile
import time
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

from parts.bundle_mutants import Mutants, is_found

from pincite_harness.bundles.verifying import VerifyOptions, verify_bundle
from pincite_harness.bundles.writing import BundleOptions, write_bundle
from pincite_harness.runs.run_folder import RunFolder

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "harness/lab"))


def make_bundle(place: Path) -> Path:
    """A bundle of a run of three tasks."""
    import planted

    os.environ["PINCITE_PASS_LABELS"] = "yes"
    families = planted.write_numbers(place, 3)
    with planted.solver(1, 0.2) as model, redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        planted.run_lab(families, place, "lab", model, "helpful", "--attempts", "1")
    path = place / "run.bundle.zip"
    write_bundle(RunFolder(place / "lab" / "with"), path, BundleOptions(families=True))
    return path


def main(count: int = 1000, seed: int = 24) -> int:
    began = time.monotonic()
    wrong: list[str] = []
    tried: collections.Counter[str] = collections.Counter()
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        bundle = make_bundle(place)
        if verify_bundle(bundle, VerifyOptions(replay=False)).failed:
            wrong.append("the bundle as it was written does not hold")
        mutants = Mutants(bundle, place, seed)
        for mutant in mutants.draw(count):
            tried[f"{mutant.form}, {mutant.kind}"] += 1
            what = f"{mutant.form}, {mutant.kind}, {mutant.member}"
            try:
                if not is_found(mutant):
                    wrong.append(f"missed: {what}")
            except Exception as error:  # noqa: BLE001
                wrong.append(f"broken: {what}: {error!r}")
        members = len(mutants.files)
        size = bundle.stat().st_size
    for kind, times in sorted(tried.items()):
        print(f"{times:5} {kind}")
    print(*wrong, sep="\n")
    print(f"{count} changes of a bundle of {members} members ({size:,} bytes), seed {seed}: {count - len(wrong)} found")
    print(f"{time.monotonic() - began:.0f} s")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
