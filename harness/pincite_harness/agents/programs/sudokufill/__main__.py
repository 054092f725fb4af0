"""Starts the program: ``python -m sudokufill`` in the working folder of a trial."""

import sys

from crew import run

from .options import DEFAULTS
from .pipeline import work

if __name__ == "__main__":
    sys.exit(run(work, name="sudokufill", defaults=DEFAULTS))
