"""Starts the program: ``python -m literature`` in the working folder of a trial."""

import sys

from crew import run

from .pipeline import work
from .settings import defaults

if __name__ == "__main__":
    sys.exit(run(work, name="literature", defaults=defaults()))
