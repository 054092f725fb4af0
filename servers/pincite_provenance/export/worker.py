"""The program of a process that marks PDFs up: ``python -m pincite_provenance.export.worker ENTRY MEMORY_MB PARENT``.

It answers frames as the parsing process does (see ``pincite_papers.opening.worker``): a request holds marks, its
body the PDF.
"""

import sys

from pincite_papers.opening.worker import Answer, Wording, serve

_MARKING = Wording("Marking this file up", "This file could not be marked up.")


def main(arguments: list[str]) -> int:
    """Mark files up until the pipes close; ENTRY is not used."""
    return serve(_annotate, "The process that marks PDFs up", int(arguments[1]), int(arguments[2]), _MARKING)


def _annotate() -> Answer:
    from pincite_provenance.export.annotate import annotate_job

    return annotate_job


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
