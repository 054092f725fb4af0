"""With corpus: one of pincite's servers over stdio, with a made-up literature in place of the web.

``python -m pincite_harness.curation.exporting.with_corpus CORPUS SERVER``: for exported tasks, whose servers start
themselves.
"""

import os
import subprocess
import sys
from pathlib import Path

from pincite_core.errors import PinciteError
from pincite_tasks.corpus.corpus import read_corpus
from pincite_tasks.corpus.server import CorpusServer


def main(arguments: list[str]) -> int:
    """Serve until the client goes; 1 where the corpus cannot be served."""
    folder, name = arguments
    command = [sys.executable, "-P", "-m", "pincite_harness", "serve", name]
    try:
        with CorpusServer(read_corpus(Path(folder))) as corpus:
            return subprocess.run(command, env={**os.environ, **corpus.environment}, check=False).returncode
    except PinciteError as error:
        print(error, file=sys.stderr)  # noqa: T201
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
