"""The program of a process that places boxes: ``python -m pincite_zotero.worker ENTRY MEMORY_MB PARENT``.

It answers frames as the parsing process does (see ``pincite_papers.opening.worker``): a request holds boxes, its body
the PDF.
"""

import sys

from pincite_papers.opening.worker import Answer, Wording, serve

_PLACING = Wording("Looking at the pages of this file", "The pages of this file could not be looked at.")


def main(arguments: list[str]) -> int:
    """Place boxes until the pipes close; ENTRY is not used."""
    return serve(_place, "The process that looks at pages", int(arguments[1]), int(arguments[2]), _PLACING)


def _place() -> Answer:
    from pincite_zotero.placing import place

    return place


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
