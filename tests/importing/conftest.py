"""What an import says of broken items."""

from collections.abc import Callable
from pathlib import Path

import pytest

from pincite_core.errors import PinciteError
from pincite_harness.curation.importing.dataset import ImportOptions, Reader

Faults = Callable[[Reader, Path], str]


@pytest.fixture
def faults() -> Faults:
    """All that a reader notes as broken, or ends with, in one text."""

    def read(reader: Reader, source: Path) -> str:
        notes: list[str] = []
        try:
            list(reader(source, ImportOptions(note=notes.append)))
        except PinciteError as error:
            notes.append(str(error))
        return "\n".join(notes)

    return read
