"""anagent: the program that a trial starts; see docs/anagent.md."""

import sys

from crew import run

from anagent.pipeline import work
from anagent.settings import defaults


def main() -> int:
    """Run it in the working folder of a trial; the exit code."""
    return run(work, name="anagent", defaults=defaults())


if __name__ == "__main__":
    sys.exit(main())
