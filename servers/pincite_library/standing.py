"""Whether a paper of the library stands, as far as anything in hand says so."""

from pincite_library.model import PaperEntry
from pincite_literature.standing import status_in, status_of_title


def status_of(entry: PaperEntry | None) -> str:
    """What the sources said when it was added, else the label on its title; "" where nothing speaks against it."""
    return (status_in(entry.warnings) or status_of_title(entry.title)) if entry is not None else ""
